"""What generated code calls: moves, draws by chance, and small list functions.

All work on the flat state ``s`` described in ``layout``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

State = list[Any]
STEPS = range(100_000)
LONGEST = 100_000
LARGEST = 10**15
BUDGET = 20_000_000
_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


class MatchOver(Exception):
    """Raised by ``end match`` to leave everything that is going on."""


class RuleFault(Exception):
    """The content did something impossible; the message says what."""


class NoOption(RuleFault):
    """A question has no answer left."""


# ---- chance


def mixed(value: int) -> int:
    """Scramble 64 bits.

    Source:
        G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
    """
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


@lru_cache(maxsize=4096)
def stream_key(seed: int, stream: str) -> int:
    """Return the number from which the draws of a stream start."""
    return int.from_bytes(sha256(f"{seed}/{stream}".encode()).digest()[:8], "big")


def below(s: State, number: int, stream: str) -> int:
    """Draw a number from 0 to *number* - 1: a function of seed, stream and how often the stream was drawn from."""
    draws = s[3]
    count = draws.get(stream, 0)
    draws[stream] = count + 1
    return (mixed((stream_key(s[1], stream) + count * _GOLDEN) & _MASK) * number) >> 64


def shuffle(s: State, slot: int, stream: str) -> None:
    """Put a place in random order (Fisher and Yates)."""
    pieces = s[slot]
    draws = s[3]
    count = draws.get(stream, 0)
    key = stream_key(s[1], stream)
    for i in range(len(pieces) - 1, 0, -1):
        j = (mixed((key + count * _GOLDEN) & _MASK) * (i + 1)) >> 64
        count += 1
        pieces[i], pieces[j] = pieces[j], pieces[i]
    draws[stream] = count


def drawn(s: State, source: Sequence[int], stream: str) -> int:
    """Return one of *source* by chance, or -1 when it is empty."""
    return source[below(s, len(source), stream)] if source else -1


# ---- pieces


def _taken(s: State, at: int, piece: int) -> None:
    slot = s[at + piece]
    if slot:
        held = s[slot]
        if held.__class__ is list:
            held.remove(piece)
        else:
            s[slot] = -1


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


def move_to_spot(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to a spot, which must be free."""
    if s[to] >= 0 and s[to] != piece:
        raise RuleFault("the spot is taken")
    _taken(s, at, piece)
    s[to] = piece
    s[at + piece] = to


def move(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to any place, or to the box (0)."""
    if not to:
        _taken(s, at, piece)
        s[at + piece] = 0
    elif s[to].__class__ is list:
        move_to_list(s, at, piece, to)
    else:
        move_to_spot(s, at, piece, to)


def move_under(s: State, at: int, piece: int, to: int) -> None:
    """Move a piece to the bottom of a list."""
    _taken(s, at, piece)
    s[to].insert(0, piece)
    s[at + piece] = to


def swap(s: State, at: int, first: int, second: int) -> None:
    """Exchange the places of two pieces; each takes the other's position."""
    here, there = s[at + first], s[at + second]
    spots = []
    for slot, piece in ((here, first), (there, second)):
        held = s[slot] if slot else None
        spots.append(held.index(piece) if held.__class__ is list else -1)
    for slot, position, piece in ((here, spots[0], second), (there, spots[1], first)):
        if slot and position >= 0:
            s[slot][position] = piece
        elif slot:
            s[slot] = piece
    s[at + first], s[at + second] = there, here


def draw(s: State, at: int, number: int, source: int, to: int) -> None:
    """Move up to *number* pieces from the top of one list to another."""
    pile, target = s[source], s[to]
    for _ in range(min(number, len(pile))):
        piece = pile.pop()
        target.append(piece)
        s[at + piece] = to


def refill(s: State, at: int, first: int, size: int, source: int) -> None:
    """Fill the empty spots of a row in order from the top of a pile, as far as it goes."""
    pile = s[source]
    for slot in range(first, first + size):
        if s[slot] < 0 and pile:
            piece = pile.pop()
            s[slot] = piece
            s[at + piece] = slot


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


def row_pieces(s: State, first: int, size: int) -> list[int]:
    """Return the pieces of a row in order."""
    return [piece for piece in s[first : first + size] if piece >= 0]


def within(index: int, size: int) -> int:
    """Return the number of a spot of a row.

    Raises:
        RuleFault: The row is shorter.
    """
    if 0 <= index < size:
        return index
    raise RuleFault(f"there is no spot {index} in a row of {size}")


def place_of(slot: int, base: int, size: int) -> int:
    """Return which of *size* places from *base* a slot is, or -1."""
    return slot - base if base <= slot < base + size else -1


# ---- values


def default(value: int, other: Callable[[], int]) -> int:
    """Return *value*, or where it is none, what *other* gives, which is not looked at before."""
    return value if value >= 0 else other()


budget = [BUDGET]

turns: defaultdict[int, int] = defaultdict(int)
"""How often each seat was called upon, by ``as`` around questions or by ``pass to``; only differences mean something.

Not part of any state: players compare two readings to see whether a copy has gone on to a seat's next turn.
"""


def tick(weight: int) -> bool:
    """Draw on the step budget, which every question renews.

    Raises:
        RuleFault: The budget is used up.
    """
    budget[0] -= weight
    if budget[0] < 0:
        raise RuleFault("the rules ran too long without a question")
    return True


def span(low: int, high: int) -> range:
    """Return the numbers from *low* to *high* - 1, within bounds."""
    number = high - low
    if number > 16:
        if number > LONGEST:
            raise RuleFault(f"a range of {number} numbers is too long")
        tick(number)
    return range(low, high)


def sized(value: int) -> int:
    """Return a number.

    Raises:
        RuleFault: It is larger than any count in a game could be.
    """
    if -LARGEST < value < LARGEST:
        return value
    raise RuleFault("a number grew too large")


def ranged(value: int, low: int, high: int, name: str) -> int:
    """Return a number that a field may hold.

    Raises:
        RuleFault: It is outside the range that the field *name* declares.
    """
    if low <= value <= high:
        return value
    raise RuleFault(f"{name!r} goes from {low} to {high}, and would be {value}")


def product(left: int, right: int) -> int:
    """Return the product of two numbers, which is no larger than any count in a game could be."""
    return sized(left * right)


def item_of(items: Sequence[Any], index: int) -> Any:
    """Return an item, counted from 0."""
    if index < 0 or index >= len(items):
        raise RuleFault(f"there is no item {index} in a list of {len(items)}")
    return items[index]


def top(pieces: Any) -> int:
    """Return the top piece of a place, or -1."""
    if pieces.__class__ is list or pieces.__class__ is tuple:
        return int(pieces[-1]) if pieces else -1
    return int(pieces)


def rotate(items: Sequence[Any], number: int) -> Sequence[Any]:
    """Return the list turned: its first item comes *number* places later."""
    cut = -number % len(items) if items else 0
    return [*items[cut:], *items[:cut]]


def reverse(items: Iterable[Any]) -> list[Any]:
    """Return the list backwards."""
    return list(items)[::-1]


def take(items: Sequence[Any], number: int) -> Sequence[Any]:
    """Return the first *number* items."""
    return items[: max(0, number)]


def position(items: Sequence[Any], item: Any) -> int:
    """Return where an item stands, or -1."""
    return items.index(item) if item in items else -1


def distinct(items: Iterable[Any]) -> list[Any]:
    """Return each item once, in order of first appearance."""
    return list(dict.fromkeys(items))


def by_key(pairs: list[tuple[int, Any]]) -> list[Any]:
    """Return the second parts in order of the first; equal ones keep their order."""
    return [value for _, value in sorted(pairs, key=lambda pair: pair[0])]


def without(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """Return the items without the first one equal to *item*."""
    index = items.index(item)
    return items[:index] + items[index + 1 :]


def cell_at(grid: tuple[int, ...], row: int, column: int) -> int:
    """Return the cell in a row and column, or -1."""
    return row * grid[1] + column if 0 <= row < grid[0] and 0 <= column < grid[1] else -1


def moved_on(cell: int, offset: int) -> int:
    """Return the same cell of another player's grid; none stays none."""
    return cell + offset if cell >= 0 else -1


def connected(near: tuple[tuple[int, ...], ...], cells: Iterable[int], start: int) -> list[int]:
    """Return those of *cells* that hang together with *start*, in order of number."""
    allowed = set(cells)
    found = {start} & allowed
    edge = list(found)
    while edge:
        for cell in near[edge.pop()]:
            if cell in allowed and cell not in found:
                found.add(cell)
                edge.append(cell)
    return sorted(found)


def whole_min(items: Iterable[int]) -> int:
    """Return the least item, 0 for none."""
    return min(items, default=0)


def whole_max(items: Iterable[int]) -> int:
    """Return the greatest item, 0 for none."""
    return max(items, default=0)


def whole_all(items: Iterable[Any]) -> bool:
    """Tell whether all items count as true."""
    return all(items)


def whole_first(items: Sequence[int]) -> int:
    """Return the first item, or -1."""
    return items[0] if items else -1


# ---- frames


def give_back(frames: list[list[Any]], frame: list[Any], value: Any) -> None:
    """Leave a rule and hand its value to the caller."""
    frames.pop()
    if frame[2] and frames:
        frames[-1][frame[2]] = value


def too_long() -> None:
    """A loop that asks nothing has run too long."""
    raise RuleFault(f"a loop ran {len(STEPS):,} times without an end")


def no_option(block: int) -> None:
    """A question has no answer."""
    raise NoOption("there is nothing left to choose here")


SUPPORT: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        shuffle, drawn, move, move_to_list, move_to_spot, move_under, swap, draw, refill, slide, row_pieces,
        within, place_of, default, span, tick, sized, ranged, product, item_of, top, rotate, reverse, take, position,
        distinct, by_key, without, cell_at, moved_on, connected, whole_min, whole_max, whole_all,
        whole_first, give_back, too_long, no_option,
    )
}  # fmt: skip
