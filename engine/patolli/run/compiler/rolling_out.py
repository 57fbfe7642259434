"""Write the short rows out over which lists of options go.

In:     the blocks of a program as Python, behind all other passes, with what draws on the step budget.
Out:    the same blocks. ``o = [.. for a in cells for b in ROWS[a] if ..]`` becomes a loop over the cells, in which the
        items of a row are tested one after the other, where no row has more than a few.

To begin with a row, to fetch an item and to go round takes as long as a test does. All items of a row come out of the
table at once; where a row is shorter than others, ``None`` stands at its end for what is missing, or a slot that fails
the first test. Items are tested in the same order, and what is gone through has been drawn on the budget as before.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from patolli.run.compiler import build as b
from patolli.run.compiler.purity import copy_tree, is_pure, names_in, substitute_names, table_of

ITEMS, WIDTH = 4, 12
"""How many items a row may have, and how many values its items together."""


@dataclass(slots=True)
class _Rows:
    """The rows of a table over which the inner one of two loops goes."""

    name: str
    table: Any
    indices: list[ast.expr]
    items: list[str]


def roll_out(
    functions: Sequence[ast.FunctionDef], space: dict[str, Any], keep: Callable[[Any], str], indexed: Mapping[str, int]
) -> None:
    """Write rows out in the lists of options of blocks.

    Args:
        functions: Those of a program.
        space: What names stand for.
        keep: Gives a table a name.
        indexed: By index (``indexes``), the slot of its field of the first instance.
    """
    roller = _Roller(space, keep, indexed)
    for function in functions:
        if [one.arg for one in function.args.args] == ["s", "f"]:
            function.body = list(roller.block(function.body))


@dataclass(slots=True)
class _Laid:
    """A table of flat rows: its name, how many items a row has, and how many of them can always be tested."""

    name: str
    places: int
    certain: int


@dataclass(slots=True)
class _Roller:
    space: dict[str, Any]
    keep: Callable[[Any], str]
    indexed: Mapping[str, int]
    made: dict[tuple[str, int, int], _Laid | None] = field(default_factory=dict)

    def block(self, body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """Yield the statements of a block, with rows written out."""
        for statement in body:
            match statement:
                case ast.If():
                    statement.body = list(self.block(statement.body))
                    statement.orelse = list(self.block(statement.orelse))
                case ast.Assign(targets=[ast.Name(id="o")], value=ast.ListComp(generators=[outer, inner]) as options):
                    rows = _rows(outer, inner, self.space)
                    if rows is not None and (laid := self._table(rows, *self._own(outer, inner, rows))) is not None:
                        yield from _written_out(options, rows, laid, statement.lineno)
                        continue
            yield statement

    def _table(self, rows: _Rows, place: int, first: int) -> _Laid | None:
        key = (rows.name, place, first)
        if key not in self.made:
            self.made[key] = _lay_out_rows(rows, self.keep, place, first)
        return self.made[key]

    def _own(self, outer: ast.comprehension, inner: ast.comprehension, rows: _Rows) -> tuple[int, int]:
        """Return which value of an item is a slot that may not hold what that of the outer item holds, and its base.

        What goes over an index knows what its items hold; so their own slots can stand for what a row does not have.
        """
        test = inner.ifs[0]
        while isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            test = test.values[0]
        match outer.iter, test:
            case (
                ast.IfExp(body=ast.Subscript(value=ast.Subscript(value=ast.Name(id=index)), slice=held)),
                ast.Compare(left=ast.Subscript(value=ast.Name(id="s"), slice=ast.Name(id=item)), ops=[ast.NotEq()]),
            ) if index in self.indexed and item in rows.items:
                if ast.dump(held) == ast.dump(test.comparators[0]):
                    return rows.items.index(item), self.indexed[index]
        return -1, 0


def _rows(outer: ast.comprehension, inner: ast.comprehension, space: dict[str, Any]) -> _Rows | None:
    """Return the rows of the inner loop, if the item of the outer one says which, and tests fail nowhere."""
    indices, of = list[ast.expr](), inner.iter
    while isinstance(of, ast.Subscript):
        indices.insert(0, of.slice)
        of = of.value
    if not isinstance(of, ast.Name) or not indices or not isinstance(outer.target, ast.Name):
        return None
    table, last = table_of(of.id, space), indices[-1]
    names = [one.id for one in getattr(inner.target, "elts", [inner.target]) if isinstance(one, ast.Name)]
    if table is None or not isinstance(last, ast.Name) or last.id != outer.target.id:
        return None
    if any(outer.target.id in names_in(one) or not is_pure(one, space) for one in indices[:-1]):
        return None
    if not inner.ifs or not all(is_pure(one, space) for one in inner.ifs):
        return None
    return _Rows(of.id, table, indices, names)


def _lay_out_rows(rows: _Rows, keep: Callable[[Any], str], place: int, first: int) -> _Laid | None:
    """Return a table whose rows are flat and of one length; None where they are too long.

    With a *place* from 0, what is missing in the row of an item has its own slot there, counted from *first*.
    """
    found = list(_deep(rows.table, len(rows.indices)))
    longest = max(map(len, found), default=0)
    width = len(rows.items)
    if not 1 < longest <= ITEMS or longest * width > WIDTH or any(None in (row, *row) for row in found):
        return None
    if width > 1 and any(not isinstance(item, tuple) or len(item) != width for row in found for item in row):
        return None

    def items(row: Any) -> list[tuple[Any, ...]]:
        return [item if width > 1 else (item,) for item in row]

    def flat(row: Any, number: int) -> tuple[Any, ...]:
        missing = [None if place < 0 else number + first if one == place else 0 for one in range(width)]
        return (*(value for item in items(row) for value in item), *missing * (longest - len(row)))

    certain = longest if place >= 0 else min(map(len, found))
    return _Laid(keep(_each(rows.table, len(rows.indices), flat)), longest, certain)


def _written_out(options: ast.ListComp, rows: _Rows, laid: _Laid, line: int) -> Iterator[ast.stmt]:
    """Yield what puts the options together."""
    outer, inner = options.generators
    source: ast.expr = b.name(laid.name)
    for index in rows.indices[:-1]:
        source = b.item(source, copy_tree(index))
    variables = [[f"{item}_{place}" for item in rows.items] for place in range(laid.places)]
    targets: list[ast.expr] = [ast.Name(one, ast.Store()) for row in variables for one in row]
    body: list[ast.stmt] = [ast.Assign([ast.Tuple(targets, ast.Store())], b.item("h", copy_tree(rows.indices[-1])))]
    for place, row in enumerate(variables):
        values: dict[str, ast.expr] = {item: b.name(one) for item, one in zip(rows.items, row, strict=True)}
        tests = b.both([substitute_names(one, values) for one in inner.ifs])
        if place >= laid.certain:
            tests = b.both([ast.Compare(b.name(row[0]), [ast.IsNot()], [b.const(None)]), tests])
        take = b.do(b.method(b.name("o"), "append", substitute_names(options.elt, values)))
        body.append(b.when(tests, [take]))
    assert isinstance(outer.target, ast.Name)
    inside = [b.when(b.both(outer.ifs), body)] if outer.ifs else body
    # The source is computed first, as it is in a list: it may draw on the budget.
    loop = b.loop(outer.target.id, outer.iter, inside)
    for one in (b.assign(b.name("o"), ast.List([], ast.Load())), b.assign(b.name("h"), source), loop):
        one.lineno = one.end_lineno = line
        one.col_offset = one.end_col_offset = 0
        b.complete(one, line)
        yield one


def _deep(table: Any, depth: int) -> Iterator[Any]:
    """Yield all rows that stand so deep in a table."""
    if depth == 0:
        yield table
        return
    for one in table:
        yield from _deep(one, depth - 1)


def _each(table: Any, depth: int, value: Callable[[Any, int], Any], number: int = 0) -> Any:
    """Return a table of the same form, with a value for each row and its number."""
    return tuple([_each(one, depth - 1, value, n) for n, one in enumerate(table)]) if depth else value(table, number)
