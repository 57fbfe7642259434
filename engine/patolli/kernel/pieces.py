"""Move pieces between places, and look where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patolli.kernel.budget import tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.library import library
from patolli.kernel.state import State

_MOVING = ("at + piece", "s[at + piece]", "to")
"""The slots that change when a piece is moved."""


def _swapping(s: State, at: int, first: int, second: int) -> tuple[int, ...]:
    return at + first, at + second, s[at + first], s[at + second]


def _refilling(s: State, at: int, first: int, size: int, source: int) -> list[int]:
    places = _list_refilled(s, at, first, size, source)
    return [*places, *[at + piece for piece in s[source][1 - len(places) :]]] if places else []


def _list_refilled(s: State, at: int, first: int, size: int, source: int) -> list[int]:
    """Return the pile and the spots that are filled from it; nothing where none is free, or the pile is empty."""
    pile = s[source]
    if not pile or -1 not in s[first : first + size]:
        return []
    return [source, *[slot for slot in range(first, first + size) if s[slot] < 0][: len(pile)]]


def _sliding(s: State, at: int, first: int, size: int) -> list[int]:
    places = _slid(s, at, first, size)
    return [*places, *[at + s[slot] for slot in places if s[slot] >= 0]]


def _slid(s: State, at: int, first: int, size: int) -> Sequence[int]:
    """Return the spots from the first gap on; nothing where no piece lies behind it."""
    row = s[first : first + size]
    gap = row.index(-1) if -1 in row else size
    return range(first + gap, first + size) if max(row[gap:], default=-1) >= 0 else ()


def _remove_piece(s: State, at: int, piece: int) -> None:
    slot = s[at + piece]
    if slot:
        held = s[slot]
        if held.__class__ is list:
            held.remove(piece)
        else:
            s[slot] = -1


@library(searches=True, writes=_MOVING)
def move_to_list(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to the end of a list."""
    slot = s[at + piece]
    if slot:
        held = s[slot]
        if held.__class__ is list:
            held.remove(piece)
        else:
            s[slot] = -1
    s[to].append(piece)
    s[at + piece] = to


@library(searches=True, writes=_MOVING)
def move_to_spot(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to a spot, which must be free."""
    if s[to] >= 0 and s[to] != piece:
        raise RuleFault("the spot is taken", "P0810")
    _remove_piece(s, at, piece)
    s[to] = piece
    s[at + piece] = to


@library(searches=True, writes=_MOVING)
def move(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to any place, or to the box (0)."""
    if not to:
        _remove_piece(s, at, piece)
        s[at + piece] = 0
    elif s[to].__class__ is list:
        move_to_list(s, at, piece, to)
    else:
        move_to_spot(s, at, piece, to)


@library(searches=True, writes=_MOVING)
def move_under(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to the bottom of a list."""
    _remove_piece(s, at, piece)
    s[to].insert(0, piece)
    s[at + piece] = to


@library(searches=True, writes=_swapping)
def swap(s: State, at: int, first: int, second: int) -> None:
    """Exchange the places of two pieces; each takes the other's position."""
    here, there = s[at + first], s[at + second]
    spots = []
    for slot, piece in ((here, first), (there, second)):
        held = s[slot] if slot else -1
        spots.append(held.index(piece) if held.__class__ is list else -1)
    for slot, position, piece in ((here, spots[0], second), (there, spots[1], first)):
        if slot and position >= 0:
            s[slot][position] = piece
        elif slot:
            s[slot] = piece
    s[at + first], s[at + second] = there, here


@library(writes=("source", "to", "*[at + piece for piece in s[source][-number:]]"), when="number > 0 and s[source]")
def draw(s: State, at: int, number: int, source: int, to: int) -> None:
    """Move up to *number* pieces from the top of one list to another."""
    pile, target = s[source], s[to]
    number = min(number, len(pile))
    if number > 1:
        tick(number * 4)
    for _ in range(number):
        piece = pile.pop()
        target.append(piece)
        s[at + piece] = to


@library(row=3, writes=_refilling)
def refill(s: State, at: int, first: int, size: int, source: int) -> None:
    """Fill the empty spots of a row in order from the top of a pile, as far as it goes."""
    pile = s[source]
    for slot in range(first, first + size):
        if s[slot] < 0 and pile:
            piece = pile.pop()
            s[slot] = piece
            s[at + piece] = slot


@library(row=3, writes=_sliding)
def slide(s: State, at: int, first: int, size: int) -> None:
    """Close the gaps of a row towards its first spot."""
    free = first
    for slot in range(first, first + size):
        piece = s[slot]
        if piece >= 0:
            if slot != free:
                s[free], s[slot] = piece, -1
                s[at + piece] = free
            free += 1


@library(row=2)
def row_pieces(s: State, first: int, size: int) -> tuple[int, ...]:
    """Return the pieces of a row in order."""
    return tuple([piece for piece in s[first : first + size] if piece >= 0])


@library(3)
def within(index: int, size: int) -> int:
    """Return the number of a spot of a row. Raises RuleFault: the row is shorter."""
    if 0 <= index < size:
        return index
    raise RuleFault(f"there is no spot {index} in a row of {size}", "P0808")


@library(3)
def place_of(slot: int, base: int, size: int) -> int:
    """Return which of *size* places from *base* a slot is, or -1."""
    return slot - base if base <= slot < base + size else -1


@library(4)
def top(pieces: Any) -> int:
    """Return the top piece of a place, or -1."""
    if pieces.__class__ is list or pieces.__class__ is tuple:
        return int(pieces[-1]) if pieces else -1
    return int(pieces)


# ---- what players read

Spots = dict[int, tuple[int, int]]
"""By piece the slot of its place, and where in that place it lies; the slot of the box is 0."""


@library(row=2)
def lying(s: State, at: int, count: int) -> Spots:
    """Return where the pieces of a kind lie."""
    found = dict.fromkeys(range(count), (0, 0))
    for slot in {slot for slot in s[at : at + count] if slot}:
        held = s[slot]
        pieces = held if held.__class__ is list else (held,)
        found.update((piece, (slot, position)) for position, piece in enumerate(pieces))
    return found


@library(row=2)
def list_moved(s: State, at: int, count: int, before: Spots) -> tuple[tuple[int, int, int], ...]:
    """Return the pieces that lie elsewhere now, each with its slot before and now, in the order in which they lie."""
    now = lying(s, at, count)
    news = sorted((now[piece], piece) for piece in now if now[piece] != before[piece])
    return tuple((piece, before[piece][0], slot) for (slot, _), piece in news)
