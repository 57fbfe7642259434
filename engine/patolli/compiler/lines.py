"""Find where it is asked of rows of cells, one after the other, whether all cells of a row have a value.

In:     functions as Python, behind the passes that make code shorter.
Out:    loops over rows of slots, ``for a, b, c in ROWS[i]: if s[a] == me and s[b] == me and s[c] == me: ..``, which can
        go over masks of the cells instead: where the cells that have the value are a set, a row is looked at at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import copied, names_in, nodes_of, table_of
from patolli.compiler.scanning import Field

WHOLE = 60
"""Up to how many instances one number is a set."""
MOST, LARGEST = 16, 1 << 13
"""Of so many rows, at most, all are looked at, though one may be enough: a jump would be guessed wrong too often; and
how many rows a table may have then."""


@dataclass(slots=True)
class Line:
    """A loop over rows of slots of one field that asks whether all of them have a value.

    Attributes:
        block, loop, test: The loop, the statements among which it stands, and the one in it.
        of: The field.
        table: The table of the rows, and how deep they stand in it.
        wanted: The value.
    """

    block: list[ast.stmt]
    loop: ast.For
    test: ast.If
    of: Field
    table: Any
    depth: int
    wanted: ast.expr

    @property
    def looks(self) -> int:
        """How many cells are looked at, on the average."""
        rows = list(_deep(self.table, self.depth))
        return sum(len(items) for row in rows for items in row) // max(1, len(rows))

    @property
    def together(self) -> bool:
        """Whether all rows may be looked at before it is asked what came of it: they are few, and it is left then."""
        rows = [len(row) for row in _deep(self.table, self.depth)]
        few = max(rows) <= MOST and max(rows) * len(rows) <= LARGEST and _is_even(self.table, self.depth)
        return few and not self.loop.orelse and [type(one) for one in self.test.body] == [ast.Return]

    def masks(self) -> Any:
        """Return the table with a number for each row, that has a bit for each of its cells.

        Where all are looked at together, all rows are of one length: what is missing has a cell that is none.
        """
        first = self.of.first
        longest = max(map(len, _deep(self.table, self.depth))) if self.together else 0

        def changed(table: Any, depth: int) -> Any:
            if depth:
                return tuple([changed(one, depth - 1) for one in table])
            found = [sum(1 << slot - first for slot in set(items)) for items in table]
            return (*found, *[1 << self.of.end - first] * (longest - len(found)))

        return changed(self.table, self.depth)

    def look_together(self, masks: str, slot: ast.expr) -> None:
        """Go over masks, and ask whether they are within the set that stands in a slot."""
        together, source = self.together, self.loop.iter
        while isinstance(source, ast.Subscript) and isinstance(source.value, ast.Subscript):
            source = source.value
        assert isinstance(source, ast.Subscript)
        source.value = b.name(masks)
        if together:
            self.test.test = b.call("one_within", b.name("s"), slot, self.loop.iter)
            self.block[self.block.index(self.loop)] = self.test
        else:
            self.loop.target = ast.Name("m_", ast.Store())
            self.test.test = b.call("within", b.name("s"), slot, b.name("m_"))
        for one in (self.loop, self.test):
            b.complete(one, self.loop.lineno)


def lines_of(
    function: ast.FunctionDef, fields: Mapping[tuple[int, int], Field], space: Mapping[str, Any]
) -> Iterator[Line]:
    """Yield the loops of a function that ask whether rows of cells have a value of one of the *fields*."""
    for block, node in _statements(function):
        match node:
            case ast.For(
                target=ast.Tuple(elts=targets), body=[ast.If(test=ast.BoolOp(op=ast.And(), values=tests)) as test]
            ):
                names = [one.id for one in targets if isinstance(one, ast.Name)]
                wanted = _wanted(tests, names)
                inside = {name for part in (*test.body, *test.orelse) for name in names_in(part)}
                table, depth = _table(node.iter, space)
                if wanted is None or table is None or inside & set(names):
                    continue
                of = _field(table, depth, len(names), fields)
                if of is not None:
                    yield Line(block, node, test, of, table, depth, wanted)


def _statements(function: ast.FunctionDef) -> list[tuple[list[ast.stmt], ast.stmt]]:
    """Return all statements of a function, each with those among which it stands."""
    blocks = [getattr(node, part, None) for node in nodes_of(function) for part in ("body", "orelse")]
    return [(block, one) for block in blocks if isinstance(block, list) for one in block]


def _wanted(tests: list[ast.expr], names: list[str]) -> ast.expr | None:
    """Return the value that each of some slots is compared with; None where that is not all that is asked."""
    asked: list[str] = []
    wanted: list[ast.expr] = []
    for test in tests:
        match test:
            case ast.Compare(
                left=ast.Subscript(value=ast.Name(id="s"), slice=ast.Name(id=name)), ops=[ast.Eq()], comparators=[other]
            ):
                asked.append(name)
                wanted.append(other)
            case _:
                return None
    same = len({ast.dump(one) for one in wanted}) == 1 and isinstance(wanted[0], ast.Name)
    return (
        copied(wanted[0]) if same and sorted(asked) == sorted(names) and names_in(wanted[0]).isdisjoint(names) else None
    )


def _table(source: ast.expr, space: Mapping[str, Any]) -> tuple[Any, int]:
    """Return the table in which rows stand, and how deep they do; None where it is not known."""
    depth = 0
    while isinstance(source, ast.Subscript):
        source, depth = source.value, depth + 1
    known = table_of(source.id, space) if depth and isinstance(source, ast.Name) else None
    return known, depth


def _field(table: Any, depth: int, width: int, fields: Mapping[tuple[int, int], Field]) -> Field | None:
    """Return the field to which all slots of a table belong, if it has few instances and few values."""
    rows = list(_deep(table, depth))
    if not all(isinstance(row, tuple) for row in rows):
        return None
    found = [items for row in rows for items in row]
    if not found or not all(isinstance(items, tuple) and len(items) == width for items in found):
        return None
    slots = {slot for items in found for slot in items}
    if not all(isinstance(slot, int) for slot in slots):
        return None
    for (first, end), one in fields.items():
        if first <= min(slots) and max(slots) < end:
            return one if one.values and end - first <= WHOLE else None
    return None


def _is_even(table: Any, depth: int) -> bool:
    """Tell whether a table has equally many rows under each index."""
    sizes = [{len(one) for one in _deep(table, level)} for level in range(depth)]
    return all(len(one) == 1 for one in sizes)


def _deep(table: Any, depth: int) -> Iterator[Any]:
    """Yield all rows that stand so deep in a table."""
    if depth == 0:
        yield table
    elif isinstance(table, tuple):
        for one in table:
            yield from _deep(one, depth - 1)
