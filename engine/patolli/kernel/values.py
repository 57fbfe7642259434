"""Numbers within bounds, and small functions of lists.

A list of the language may come as a list, a tuple or a range of Python: a place, what was collected, the numbers from
one to another. Where it is kept, compared or made part of something else it is a tuple, at every depth, so that it can
be shared and hashed and is equal to another one by its items, before a save and after it. All functions that return a
list return it like this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from patolli.kernel.budget import tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.library import library
from patolli.kernel.tuple_map import Met, is_met, meet, nothing_met

LARGEST = 10**15


@library(3)
def check_size(value: int) -> int:
    """Return a number. Raises RuleFault: it is larger than any count in a game could be."""
    if -LARGEST < value < LARGEST:
        return value
    raise RuleFault("a number grew too large", "P0805")


@library(3)
def check_range(value: int, low: int, high: int, name: str) -> int:
    """Return a number that a field may hold. Raises RuleFault: it is outside the range of the field *name*."""
    if low <= value <= high:
        return value
    raise RuleFault(f"{name!r} goes from {low} to {high}, and would be {value}", "P0811")


@library(5)
def product(left: int, right: int) -> int:
    """Return the product of two numbers. Raises RuleFault, without computing it: no count in a game is so large."""
    if right != 0 and abs(left) > (LARGEST - 1) // abs(right):
        raise RuleFault("a number grew too large", "P0805")
    return left * right


@library(3)
def remember_value(kept: list[Any], value: Any) -> Any:
    """Remember a value that is the same in every pass of a loop."""
    kept.append(value)
    return value


@library(3)
def default(value: int, other: Callable[[], int]) -> int:
    """Return *value*, or where it is none, what *other* gives, which is not looked at before."""
    return value if value >= 0 else other()


@library()
def default_list(value: Any, other: Callable[[], Any]) -> Any:
    """Return a list, or where it is none, what *other* gives, which is not looked at before."""
    return value if value != -1 else other()


_LISTS = (list, range, tuple)
_MOVING = (list, range)
"""Lists that are not at rest, and what comes in them may not be either; a tuple is at rest at every depth."""


@library()
def at_rest(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return a list as it is kept: as a tuple, and so are the lists in it."""
    if items.__class__ is tuple:
        return items
    return tuple([_inside(item) if isinstance(item, _MOVING) else item for item in items])


def _inside(items: Sequence[Any]) -> tuple[Any, ...]:
    """Return a list inside a list as it is kept; the counter of the outer one does not know its length."""
    tick(len(items) * 5)
    return at_rest(items)


@library()
def perhaps_at_rest(value: Any) -> Any:
    """Return a list, or none, as it is kept."""
    return at_rest(value) if isinstance(value, _LISTS) else value


@library(3)
def item_of(items: Sequence[Any], index: int) -> Any:
    """Return an item, counted from 0."""
    if index < 0 or index >= len(items):
        raise RuleFault(f"there is no item {index} in a list of {len(items)}", "P0808")
    return items[index]


@library(item=20, keeps=True)
def rotate(items: Sequence[Any], number: int) -> tuple[Any, ...]:
    """Return the list turned: its first item comes *number* places later."""
    cut = -number % len(items) if items else 0
    return at_rest([*items[cut:], *items[:cut]])


@library(item=20, keeps=True)
def reverse(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return the list backwards."""
    return at_rest(items)[::-1]


@library(item=20, keeps=True)
def take(items: Sequence[Any], number: int) -> tuple[Any, ...]:
    """Return the first *number* items."""
    return at_rest(items[: max(0, number)])


@library()
def combinations(items: Sequence[Any], least: int, most: int) -> tuple[Any, ...]:
    """Return the ways to take *least* to *most* items, the fewer first, each in the order of the list and once."""
    taken = at_rest(items)
    found: list[tuple[Any, ...]] = []
    met = nothing_met()
    for number in range(max(0, least), min(most, len(taken)) + 1):
        _combine(taken, number, found, met)
    return tuple(found)


def _combine(taken: tuple[Any, ...], number: int, found: list[tuple[Any, ...]], met: Met) -> None:
    """Find the combinations of a number of items, those with earlier ones first."""
    places = list(range(number))
    at = number
    while at >= 0:
        tick(20 + 4 * number)
        one = tuple([taken[place] for place in places])
        if not is_met(met, one):
            meet(met, one, 0)
            found.append(one)
        at = number - 1
        while at >= 0 and places[at] == len(taken) - number + at:
            at -= 1
        if at >= 0:
            places[at] += 1
            for later in range(at + 1, number):
                places[later] = places[later - 1] + 1


@library(20)
def join_lists(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the items of two lists, one behind the other."""
    tick(len(left) + len(right))
    return left + right


@library(item=20)
def position(items: Sequence[Any], item: Any) -> int:
    """Return where an item stands, or -1."""
    if isinstance(item, _LISTS):
        items, item = at_rest(items), at_rest(item)
    return items.index(item) if item in items else -1


@library(item=24, keeps=True)
def distinct(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return each item once, in order of first appearance."""
    return tuple(dict.fromkeys(at_rest(items)))


@library(item=4, keeps=True)
def each_once(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return each item once, in order of first appearance; none of them is a list."""
    return tuple(dict.fromkeys(items))


@library()
def once(options: Iterable[Any]) -> list[Any]:
    """Return each option once, in order of first appearance."""
    return list(dict.fromkeys(options))


@library(item=32, keeps=True)
def by_key(pairs: list[tuple[int, Any]]) -> tuple[Any, ...]:
    """Return the second parts in order of the first; equal ones keep their order."""
    return at_rest([value for _, value in sorted(pairs, key=lambda pair: pair[0])])


@library(item=3, keeps=True)
def without(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """Return the items without the first one equal to *item*."""
    index = items.index(item)
    return items[:index] + items[index + 1 :]


@library(item=3)
def whole_min(items: Iterable[int]) -> int:
    """Return the least item, 0 for none."""
    return min(items, default=0)


@library(item=3)
def whole_max(items: Iterable[int]) -> int:
    """Return the greatest item, 0 for none."""
    return max(items, default=0)


@library()
def whole_first(items: Sequence[Any]) -> Any:
    """Return the first item, or -1."""
    return items[0] if items else -1


@library(3)
def whole_only(items: Sequence[Any]) -> Any:
    """Return the single item of a list."""
    if len(items) != 1:
        raise RuleFault(f"there should be exactly one item here, and there are {len(items)}", "P0821")
    return items[0]


@library()
def whole_lowest(items: Iterable[Any]) -> Any:
    """Return the least item, the first of equal ones, or -1."""
    return min(at_rest(items), default=-1)


@library()
def whole_highest(items: Iterable[Any]) -> Any:
    """Return the greatest item, the first of equal ones, or -1."""
    return max(at_rest(items), default=-1)


@library()
def whole_sorted(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return the items in order, the least first."""
    return tuple(sorted(at_rest(items)))
