"""Write out the short rows of a table over which the last part of a comprehension goes.

``[x for a in cells for t, x in ROWS[a] if test(t)]``: rows are laid out once more, side by side and all of one length,
so that neither where a row is nor how long it is has to be looked up. What is missing in a row is never kept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from patolli.native.kinding import Kinds
from patolli.native.kinds import Ranged

LONGEST, MASKS, WIDEST, LARGEST = 4, 16, 4, 1 << 14
"""How many items a row may have, and how many masks; how many numbers an item may have, and all rows together."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that are laid out side by side.

    Attributes:
        at: The address of the first one.
        sizes: How many rows there are by each index.
        items: How many items each has.
        certain: How many of them are there in every row.
        width: Of how many numbers an item consists; behind it stands whether it is there.
    """

    at: int
    sizes: tuple[int, ...]
    items: int
    certain: int
    width: int

    @property
    def stride(self) -> int:
        """Of how many words an item consists: behind its numbers it is said whether it is there, if that is needed."""
        return self.width + (self.items > self.certain)


class WrittenOut(Kinds):
    """Writes out the items of a row."""

    def written_out(self, part: ast.comprehension, tests: list[ast.expr], at: int, item: ast.expr) -> bool:
        """Write the items of a row, and go on behind each only if it is to be kept; tell whether it was possible."""
        indices, of = list[ast.expr](), part.iter
        while isinstance(of, ast.Subscript):
            indices.insert(0, of.slice)
            of = of.value
        if not indices or not isinstance(of, ast.Name) or of.id in self.kinds:
            return False
        names = [one for one in getattr(part.target, "elts", [part.target]) if isinstance(one, ast.Name)]
        rows = self.linker.rows(self.names(of.id), len(indices), len(names), isinstance(part.target, ast.Tuple))
        if rows is None or rows.items > LONGEST:
            return False
        row = self.body.local()
        self._row(rows, indices, row)
        for position in range(rows.items):
            first = rows.at + 8 * position * rows.stride
            self.lazy.update({one.id: (row, first + 8 * column) for column, one in enumerate(names)})
            self.kept_if(tests, at, item, (row, first + 8 * rows.width) if position >= rows.certain else None)
        self.body.release(row)
        return True

    def kept_if(
        self, tests: list[ast.expr], at: int, item: ast.expr, there: tuple[int, int] | None = None
    ) -> None:  # fmt: skip
        """Write an item, and go on behind it only if it is to be kept: a jump would be guessed wrong too often.

        Where it may be missing, *there* is what says whether it is: a local address, and how far behind it.
        """
        if not self.roomy:
            self._room(at)
        self.body.get(at)
        self.value(item)
        self.body.memory("i64.store")
        self.body.get(at)
        self.all_of(tests)
        if there is not None:
            self.body.get(there[0])
            self.body.op("i32.wrap_i64")
            self.body.memory("i32.load", there[1])
            self.body.op("i32.and")
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.set(at)

    def _row(self, rows: Rows, indices: list[ast.expr], row: int) -> None:
        """Work out how far from the first row another one lies."""
        index = self.body.local()
        for position, (one, size) in enumerate(zip(indices, rows.sizes, strict=True)):
            if position:
                self.body.i64(size)
                self.body.op("i64.mul")
            self.number(one)
            known = self.kind(one)
            if not (isinstance(known, Ranged) and known.low >= 0 and known.high < size):
                self.body.tee(index)
                self.body.i64(size)
                self.body.op("i64.ge_u")
                self.body.open("if")
                self.give_up()
                self.body.close()
                self.body.get(index)
            if position:
                self.body.op("i64.add")
        self.body.i64(8 * rows.items * rows.stride)
        self.body.op("i64.mul")
        self.body.set(row)
        self.body.release(index)


def laid_out(
    table: Any, depth: int, width: int, tuples: bool, word: Callable[[Any], int]
) -> tuple[Rows, list[int]] | None:
    """Return the rows of a table as words, with what is known of them but their address; None where they do not fit."""
    sizes: list[int] = []
    level = [table]
    for _ in range(depth):
        lengths = {len(row) if isinstance(row, tuple) else -1 for row in level}
        if len(lengths) != 1 or min(lengths) < 1:
            return None
        sizes.append(lengths.pop())
        level = [one for row in level for one in row]
    if not all(isinstance(row, tuple) for row in level):
        return None
    found = [item for row in level for item in row]
    longest = max(map(len, level))
    if (
        not found
        or longest > (LONGEST if tuples else MASKS)
        or width > WIDEST
        or len(level) * longest * (width + 1) > LARGEST
    ):
        return None
    if tuples and not all(isinstance(item, tuple) and len(item) == width for item in found):
        return None
    rows = Rows(0, tuple(sizes), longest, min(map(len, level)), width)
    return rows, [
        number for row in level for number in _words(row, longest, found[0], tuples, word, rows.stride > width)
    ]


def _words(
    row: Any, longest: int, other: Any, tuples: bool, word: Callable[[Any], int], shorter: bool
) -> Iterator[int]:
    """Yield the words of a row, with those of another item for each that is missing."""
    for position in range(longest):
        item = row[position] if position < len(row) else other
        yield from map(word, item if tuples else (item,))
        if shorter:
            yield int(position < len(row))
