"""Let items of short rows stand where they have the same in all rows, so that it need not be looked up.

In:     rows of a table, each a few items of a few values.
Out:    a shape: places for items, and which of their values follow from the place alone.

``(left, straight, right)`` is a row of most cells, ``(straight, right)`` one at the edge. With a gap before it the
second says in the same place whether it leads straight on. The items of each row keep their order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Item = Sequence[Any]
Values = tuple[tuple[type, Any], ...]
"""Some values of an item; 1 and true are two of them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Places for items: the columns whose values are known, and by place the items' values there."""

    columns: tuple[int, ...]
    places: tuple[Values, ...]

    def list_constants(self, place: int) -> dict[int, Any]:
        """Return by column the values that every item in a place has."""
        return {column: value for column, (_, value) in zip(self.columns, self.places[place], strict=True)}

    def spread(self, row: Sequence[Item]) -> list[Item | None]:
        """Return the items of a row by place; none where a place stays empty."""
        found: list[Item | None] = [None] * len(self.places)
        for item, place in zip(row, _places(_values(row, self.columns), self.places), strict=True):
            found[place] = item
        return found


def align_rows(rows: Iterable[Sequence[Item]], columns: Iterable[int]) -> Shape:
    """Return a shape in which all rows fit that has no more places than the longest of them.

    Args:
        rows: The rows.
        columns: The columns of items of which to try whether their values may follow from the place, in this order.
    """
    known = list(rows)
    found: tuple[int, ...] = ()
    places = _longest({_values(row, ()) for row in known})
    for column in columns:
        trial = (*found, column)
        shapes = {_values(row, trial) for row in known}
        longest = _longest(shapes)
        if all(sum(1 for _ in _places(one, longest)) == len(one) for one in shapes):
            found, places = trial, longest
    return Shape(found, places)


def _longest(shapes: Collection[tuple[Values, ...]]) -> tuple[Values, ...]:
    return max(shapes, key=len, default=())


def _values(row: Sequence[Item], columns: Sequence[int]) -> tuple[Values, ...]:
    return tuple([tuple([(type(item[column]), item[column]) for column in columns]) for item in row])


def _places(row: Sequence[Values], places: Sequence[Values]) -> Iterator[int]:
    """Yield the first place behind that of the one before for each item, as long as there is one."""
    place = 0
    for values in row:
        while place < len(places) and places[place] != values:
            place += 1
        if place == len(places):
            return
        yield place
        place += 1


__all__ = ["Shape", "align_rows"]
