"""Lay values of a match out for the memory of a module, and read them back."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from patolli.run.compiler.layout import DRAWS
from patolli.run.native.heap import HEAD, LIST, NONE, TEXT, TUPLE


class Packed:
    """Values behind each other, from an address on, which is a multiple of 8."""

    def __init__(self, at: int, streams: Mapping[str, int], texts: Sequence[str]) -> None:
        self.at, self.streams, self.texts = at, streams, texts
        self.words: list[int] = []

    @property
    def end(self) -> int:
        """Where what comes next would lie."""
        return self.at + 8 * len(self.words)

    @property
    def data(self) -> bytes:
        """All of it."""
        return struct.pack(f"<{len(self.words)}q", *self.words)

    def word(self, value: Any) -> int:
        """Lay out a value of a state and return its word."""
        if value.__class__ is int:
            return int(value) * 2
        if value is None:
            return NONE
        if isinstance(value, str):
            return self.lay_out_object(TEXT, [2 * self.texts.index(value)])
        if isinstance(value, int):
            return int(value) * 2
        words = [one * 2 if one.__class__ is int else self.word(one) for one in value]
        return self.lay_out_object(LIST if isinstance(value, list) else TUPLE, words)

    def lay_out_object(self, kind: int, words: Sequence[int]) -> int:
        """Lay out an object and return its word."""
        at, number = self.end, len(words)
        self.words += (kind | number << 32, number | at + HEAD << 32)
        self.words += words
        return at + 1

    def state(self, state: Sequence[Any]) -> int:
        """Lay out a state, and return its word."""
        draws = [-2] * len(self.texts)
        for name, number in state[DRAWS].items():
            if name in self.streams:
                draws[self.streams[name]] = 2 * number
        kept = self.lay_out_object(LIST, draws)
        words = [self.word(one) if slot != DRAWS else kept for slot, one in enumerate(state)]
        return self.lay_out_object(LIST, words)


def read_word(cells: Any, word: int, texts: Sequence[str]) -> Any:
    """Return the value of a word, which can be hashed; *cells* are all numbers of 64 bits of a memory."""
    if not word & 1:
        return word >> 1
    if word == NONE:
        return None
    at = word >> 3
    number, items = cells[at + 1] & 0xFFFFFFFF, cells[at + 1] >> 35
    if cells[at] & 0xFFFFFFFF == TEXT:
        return texts[cells[items] >> 1]
    return tuple([read_word(cells, one, texts) for one in cells[items : items + number]])
