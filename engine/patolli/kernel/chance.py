"""Draws at random: each is a function of seed, stream and how often the stream was drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256

from patolli.kernel.budget import tick
from patolli.kernel.library import library
from patolli.kernel.state import State

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def scramble_bits(value: int) -> int:
    """Scramble 64 bits.

    Source:
        G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
    """
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


_again = ContextVar("again", default="")
"""The stream that is drawn again; empty for none."""


def stream_key(seed: int, stream: str) -> int:
    """Return the number from which the draws of a stream start."""
    return _hash_key(seed, f"{stream} anew" if stream == _again.get() else stream)


@lru_cache(maxsize=4096)
def _hash_key(seed: int, stream: str) -> int:
    return int.from_bytes(sha256(f"{seed}/{stream}".encode()).digest()[:8], "big")


@contextmanager
def draw_again(stream: str) -> Iterator[None]:
    """Draw other numbers from a stream meanwhile than those of the seed, and from all others the same.

    It holds for rules that run in Python, in this thread; matches are compared so that differ in one random source.
    """
    token = _again.set(stream)
    try:
        yield
    finally:
        _again.reset(token)


def below(s: State, number: int, stream: str) -> int:
    """Draw a number from 0 to *number* - 1: a function of seed, stream and how often the stream was drawn from."""
    draws = s[3]
    count = draws.get(stream, 0)
    draws[stream] = count + 1
    return (scramble_bits((stream_key(s[1], stream) + count * _GOLDEN) & _MASK) * number) >> 64


@library()
def shuffle(s: State, slot: int, stream: str) -> None:
    """Put a place in random order (Fisher and Yates)."""
    pieces = s[slot]
    tick(len(pieces) * 25)
    draws = s[3]
    count = draws.get(stream, 0)
    key = stream_key(s[1], stream)
    for i in range(len(pieces) - 1, 0, -1):
        j = (scramble_bits((key + count * _GOLDEN) & _MASK) * (i + 1)) >> 64
        count += 1
        pieces[i], pieces[j] = pieces[j], pieces[i]
    draws[stream] = count


@library(50)
def draw_one(s: State, source: Sequence[int], stream: str) -> int:
    """Return one of *source* at random, or -1 when it is empty."""
    return source[below(s, len(source), stream)] if source else -1
