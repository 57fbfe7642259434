"""Lay values of Python out in memory, as generated code finds them there.

A value is a word of 64 bits: a whole number ``n`` is ``2 * n``; an object at an address ``a``, which is a multiple
of 8, is ``a + 1``; 1 is None. An object begins with four numbers of 32 bits: what it is, for how many items there is
room, how many there are, and where they are. Items are words. A tuple has its items directly behind these 16 bytes, and
so has everything that is laid out here.

A function is an object, too: its first item is its number in the table of functions, behind it is what it has captured.
A text is its number among the texts; a dictionary has its keys in order, each followed by its value.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

LIST, TUPLE, RANGE, SET, FUNCTION, TEXT, DICT, MOVED = range(8)
NONE, ENDED = 1, 3
"""The words of None, and of what a block gives that has ended the match."""
HEAD = 16
LEN, DATA, ITEMS = 7, 11, 15
"""Where the number of items, their address, and the items of a tuple lie behind a word."""
LARGEST = 1 << 61
LONGEST = 200_000


_NUMBERS = {int, bool}


class Unsupported(Exception):
    """Something that cannot be carried out natively; the message says what."""


class NoRoom(Unsupported):
    """The engine cannot get the memory that it reserves; the message says what limits it."""


class Word:
    """A word as it is."""

    def __init__(self, word: int) -> None:
        self.word = word


class Statics:
    """What no match changes, laid out once from an address on."""

    def __init__(self, base: int, function: Callable[[Any], int]) -> None:
        self.base = base
        self.data = bytearray()
        self.known: dict[Any, int] = {}
        self.rows: dict[tuple[Any, ...], int] = {}
        self.texts: dict[str, int] = {}
        self.function = function
        self.held: list[Any] = []  # keeps alive what is known by its id

    @property
    def end(self) -> int:
        """Where what comes next may lie."""
        return self.base + len(self.data)

    def word(self, value: Any) -> int:
        """Return the word for a value. Raises Unsupported: there is none."""
        if value is None:
            return NONE
        if isinstance(value, Word):
            return value.word
        if isinstance(value, int):
            if -LARGEST < value < LARGEST:
                return int(value) * 2
            raise Unsupported("a number that is too large")
        if isinstance(value, str):
            return self.intern_object(("text", value), TEXT, lambda: [self.text(value) * 2])
        if isinstance(value, range) and len(value) > LONGEST:
            raise Unsupported("a range that is too long")
        if value.__class__ is tuple:
            try:  # most rows of tables are met more than once, and equal ones have the same words
                known = self.rows.get(value)
                if known is None:
                    known = self.rows[value] = self._object(value)
                return known
            except TypeError:
                pass  # there is a list in it
        known = self.known.get(id(value))
        if known is None:
            known = self.known[id(value)] = self._object(value)
            self.held.append(value)
        return known

    def text(self, value: str) -> int:
        """Return the number of a text."""
        return self.texts.setdefault(value, len(self.texts))

    def _object(self, value: Any) -> int:
        if isinstance(value, tuple | list | range | frozenset):
            items = sorted(value) if isinstance(value, frozenset) else value
            if items and set(map(type, items)) <= _NUMBERS and min(items) > -LARGEST and max(items) < LARGEST:
                words = [2 * item for item in items]
            else:
                words = [self.word(item) for item in items]
            kind = RANGE if isinstance(value, range) else LIST if isinstance(value, list) else TUPLE
            if kind == TUPLE and isinstance(value, tuple):
                return self.intern_object(("tuple", *words), TUPLE, lambda: words)
            return self.lay_out_object(kind, words)
        if isinstance(value, dict):
            pairs = sorted((self.word(key), item) for key, item in value.items())
            return self.lay_out_object(DICT, [word for key, item in pairs for word in (key, self.word(item))])
        if hasattr(type(value), "__dataclass_fields__"):
            names = type(value).__dataclass_fields__
            kept = [[] if name == "events" else getattr(value, name) for name in names]  # nothing is narrated
            return self.lay_out_object(TUPLE, [self.word(one) for one in kept])
        if callable(value):
            return self.lay_out_object(FUNCTION, [self.function(value) * 2])
        raise Unsupported(f"a value of the type {type(value).__name__}")

    def intern_object(self, key: Any, kind: int, words: Callable[[], list[int]]) -> int:
        """Return an object that is laid out once."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.lay_out_object(kind, words())
        return found

    def lay_out_object(self, kind: int, words: list[int]) -> int:
        """Lay out an object and return its word."""
        address = self.end
        self.data += struct.pack(f"<4I{len(words)}q", kind, len(words), len(words), address + HEAD, *words)
        return address + 1
