"""Room for what a search remembers, below the objects of the match: no collection moves it. See the package."""

from __future__ import annotations

from patolli.run.native.intrinsics import fail, load32, load64, store64
from patolli.run.native.memory import ARENA, ARENA_END


def room(size: int) -> int:
    """Return where so many bytes are that are unused."""
    at = load64(ARENA)
    if at + size > load64(ARENA_END):
        fail()
    store64(ARENA, at + size)
    return at


def allocate_zeroed(size: int) -> int:
    """Return where so many bytes are that are unused, all of them 0; they are a multiple of 8."""
    at = room(size)
    end = at + size
    while at < end:
        store64(at, 0)
        at += 8
    return end - size


def lasting(word: int) -> int:
    """Return a word that stays what it is when the match goes on; an object that may move is copied."""
    if not word & 1 or word < load64(ARENA_END):
        return word
    number = load32(word + 7)
    at = room(16 + number * 8)
    store64(at, load32(word - 1) | number << 32)
    store64(at + 8, number | at + 16 << 32)
    k = 0
    while k < number:
        store64(at + 16 + k * 8, lasting(load64(load32(word + 11) + k * 8)))
        k += 1
    return at + 1
