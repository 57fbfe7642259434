"""Compute before a match what the passes of a list over a table would compute each time.

In:     the functions of a program as Python.
Out:    the same functions; lists go over other tables, whose items hold what depends on an item alone.

A list over a row of a table that no match changes asks of each item the same again and again: where its slots are,
whether it stands in another column. What depends on the item, and from the numbers of the row, is put into a table of
the same form. A list over all instances of a kind that looks at one of their fields goes over the values of that field
beside the numbers. Only expressions are changed, so the state is the same in all passes; what looks ahead (``after``)
leaves it as it was. A function that tests all items of a short row becomes one expression, which can be inlined.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from patolli.run.compiler import build as b
from patolli.run.compiler.function_inliner import SHORT, WRITTEN_OUT, inline
from patolli.run.compiler.purity import copy_tree, is_pure, names_in, nodes_of, size_of, table_of, transform_tree

MOST, ALL = 60_000, 600_000
"""How many items a table may have that is made for one loop, and all tables together that are made for one file."""
WIDEST = 4
"""How many values an item of such a table may have."""
WORTH = 3
"""How many operations of a pass have to be saved so that it pays to take more values out of an item."""
_WORK = (ast.BinOp, ast.Compare, ast.Subscript, ast.Tuple)
_TABLES = frozenset("FTGNDKRC")


def fold(
    functions: Sequence[ast.FunctionDef], space: dict[str, Any], keep: Callable[[Any], str],
    held: dict[int, tuple[ast.expr, int]], counted: Set[str] = frozenset(),
) -> None:  # fmt: skip
    """Fold what is fixed into tables.

    Args:
        functions: Those of one file.
        space: What names stand for.
        keep: Gives a new table a name.
        held: Takes how long a list is at most that a variable stands for.
        counted: The functions whose calls are counted.
    """
    folder = _Folder(space, keep, held, ALL)
    for function in functions:
        folder.flatten(function)
    inline(functions, space, counted)
    for function in functions:
        for node in list(nodes_of(function)):
            if isinstance(node, ast.ListComp | ast.SetComp):
                folder.comprehension(node)


@dataclass(slots=True)
class _Source:
    """What a loop goes over: a row of a table, and the variables that say which."""

    table: Any
    name: str
    indices: list[ast.expr]
    items: list[str]

    @property
    def index_depths(self) -> dict[str, int]:
        """The depth of each index that is a variable."""
        return {one.id: depth for depth, one in enumerate(self.indices) if isinstance(one, ast.Name)}


@dataclass(slots=True)
class _Folder:
    space: dict[str, Any]
    keep: Callable[[Any], str]
    held: dict[int, tuple[ast.expr, int]]
    left: int
    made: dict[tuple[Any, ...], str] = field(default_factory=dict)

    def comprehension(self, node: ast.ListComp | ast.SetComp) -> None:
        """Fold into the tables of the generators of a comprehension."""
        for position, generator in enumerate(node.generators):
            later = node.generators[position + 1 :]
            inside: list[Any] = [*generator.ifs, *later, node.elt]
            self._scan(generator, inside)
            self._fold(generator, inside, {name for one in later for name in _targets(one.target)})
            generator.ifs = inside[: len(generator.ifs)]
            node.elt = inside[-1]

    def flatten(self, function: ast.FunctionDef) -> None:
        """Write the test of all items of a row out, where rows are short: ``not (not s[3] or not s[4])``.

        A test of the same item again changes nothing, so shorter rows are as long as the others. What is looked at for
        the first, the second item and so on has a table each, so that nothing is left but one expression.
        """
        match function.body:
            case [
                ast.For(body=[ast.If(test=test, body=[ast.Return(value=ast.Constant(value=bool(hit)))], orelse=[])],
                        orelse=[]) as loop,
                ast.Return(value=ast.Constant(value=bool(miss))),
            ] if hit is not miss and is_pure(test, self.space):  # fmt: skip
                source = self._source(loop)
                parts = (
                    {ast.dump(part): part for part in self._find_fixed_parts(test, source)}
                    if source is not None
                    else {}
                )
                if source is None or not parts or len(source.items) > 1 or isinstance(test, ast.Name):
                    return
                rows = self._table(source, [*parts.values(), b.const(0)])
                lengths = _lengths(rows, len(source.indices))
                if rows is None or not lengths or not 0 < min(lengths) <= max(lengths) <= SHORT:
                    return
                if max(lengths) * size_of(test) > WRITTEN_OUT:
                    return
                found = [self._at(rows, place, source, test, list(parts)) for place in range(max(lengths))]
                value = b.negate(b.both([b.negate(one) for one in found]) if hit else b.either(found))
                b.place(value, loop.lineno)
                function.body = [ast.Return(value)]
                b.place(function.body[0], loop.lineno)

    def _at(self, rows: Any, place: int, source: _Source, test: ast.expr, parts: list[str]) -> ast.expr:
        """Return the test of the item at one place of a row."""
        depth, tables = len(source.indices), dict[str, str]()
        for number, key in enumerate(parts):
            tables[key] = self.keep(_each(rows, depth, partial(_nth, place, number)))

        def change(one: Any) -> Any:
            if isinstance(one, ast.expr) and (key := ast.dump(one)) in tables:
                found: ast.expr = b.name(tables[key])
                for index in source.indices:
                    found = b.item(found, copy_tree(index))
                return found
            for name in b.fields(one):
                value = getattr(one, name, None)
                if value.__class__ is list:
                    value[:] = [change(x) if isinstance(x, ast.AST) else x for x in value]
                elif isinstance(value, ast.AST):
                    setattr(one, name, change(value))
            return one

        made: ast.expr = change(copy_tree(test))
        return made

    # -- all instances of a kind

    def _scan(self, node: ast.comprehension, inside: list[Any]) -> None:
        """Let a loop over all instances of a kind go over the values of the field, too, that it tests first."""
        if not isinstance(node.iter, ast.Name) or not isinstance(node.target, ast.Name) or not node.ifs:
            return
        table, item = table_of(node.iter.id, self.space), node.target.id
        if table is None or len(table) < 2 or tuple(table) != tuple(range(len(table))):
            return
        base = next((at for one in nodes_of(_first(node.ifs[0])) if (at := _field(one, item)) is not None), None)
        if base is None:
            return
        value = f"w_{item}"

        def change(one: Any) -> Any:
            return b.name(value) if _field(one, item) == base else one

        inside[:] = [transform_tree(root, change) for root in inside]
        part = ast.Slice(b.const(base), b.const(base + len(table)), None)
        node.iter = b.call("enumerate", b.item("s", part))
        node.target = ast.Tuple([ast.Name(item, ast.Store()), ast.Name(value, ast.Store())], ast.Store())

    # -- rows of tables

    def _fold(self, node: ast.comprehension, inside: list[Any], bound: set[str]) -> None:
        """Let a loop go over a table of what is fixed; *inside* is changed where that stands."""
        source = self._source(node)
        if source is None or bound & {*source.items, *source.index_depths}:
            return
        found = [part for root in inside for part in self._find_fixed_parts(root, source)]
        parts = {ast.dump(part): part for part in found}
        if len(parts) > WIDEST:
            # To take many values out of each item takes longer than it saves where the first test fails most times.
            first = _first(inside[0])
            found = list(self._find_fixed_parts(first, source))
            tested = set(map(id, nodes_of(first)))
            items = (one for root in inside for one in nodes_of(root) if id(one) not in tested)
            found += [one for one in items if isinstance(one, ast.Name) and one.id in source.items]
            parts = {ast.dump(part): part for part in found}
        saved = sum(isinstance(one, _WORK) for part in found for one in nodes_of(part))
        if saved < (1 if len(parts) <= len(source.items) else WORTH) or len(parts) > WIDEST:
            return
        names = {id(part): f"t{list(parts).index(ast.dump(part))}_{source.items[0]}" for part in found}
        table = self._worked_out(source, parts)
        if table is None:
            return
        variables = {key: b.name(name) for key, name in names.items()}
        lengths = self._lists(self.space[table], len(source.indices), len(parts))
        for variable in variables.values():
            assert isinstance(variable, ast.Name)
            if (longest := lengths[int(variable.id.partition("_")[0][1:])]) >= 0:
                self.held[id(variable)] = variable, longest
        for position, root in enumerate(inside):
            inside[position] = variables.get(id(root), root)
            _outermost(root, variables)
        node.iter = b.name(table)
        for index in source.indices:
            node.iter = b.item(node.iter, index)
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in dict.fromkeys(names.values())]
        node.target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())

    def _lists(self, table: Any, depth: int, parts: int) -> list[int]:
        """Return how long the lists are at most that stand for each part; -1 where something is no list."""
        if parts == 1:
            return [-1]
        rows: list[Any] = []
        _each(table, depth, rows.extend)
        columns = [[row[number] for row in rows] for number in range(parts)]
        return [max(map(len, one), default=0) if all(isinstance(x, tuple) for x in one) else -1 for one in columns]

    def _source(self, node: ast.comprehension | ast.For) -> _Source | None:
        """Return what a loop goes over, if that is a row of a table."""
        indices: list[ast.expr] = []
        of = node.iter
        while isinstance(of, ast.Subscript) and not isinstance(of.slice, ast.Slice):
            indices.insert(0, of.slice)
            of = of.value
        items = _targets(node.target)
        if not isinstance(of, ast.Name) or not indices or of.id[0] not in _TABLES or not items:
            return None
        table = table_of(of.id, self.space)
        if table is None or not all(is_pure(index, self.space) for index in indices):
            return None
        return _Source(table, of.id, indices, items)

    def _find_fixed_parts(self, root: ast.AST, source: _Source) -> Iterator[ast.expr]:
        """Yield the largest parts of an expression that follow from an item, or the item itself."""
        free = {*source.items, *source.index_depths}
        if isinstance(root, ast.expr) and not isinstance(root, ast.Constant):
            names = names_in(root)
            if names & set(source.items) and is_fixed(root, free, self.space):
                yield root
                return
        for one in b.inside(root):
            yield from self._find_fixed_parts(one, source)

    def _worked_out(self, source: _Source, parts: Mapping[str, ast.expr]) -> str | None:
        """Return the name of a table of the values of parts for each item; None where it would be too large."""
        key = (source.name, len(source.indices), *source.index_depths.items(), *source.items, *parts)
        if key not in self.made:
            table = self._table(source, list(parts.values()))
            if table is None:
                return None
            self.made[key] = self.keep(table)
        return self.made[key]

    def _table(self, source: _Source, parts: list[ast.expr]) -> tuple[Any, ...] | None:
        value: ast.expr = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
        known = source.index_depths
        one: ast.expr = ast.Name(source.items[0], ast.Store())
        if len(source.items) > 1:
            one = ast.Tuple([ast.Name(item, ast.Store()) for item in source.items], ast.Store())
        rows = ast.ListComp(value, [ast.comprehension(one, b.name("row_"), [], 0)])
        arguments = ast.arguments([], [ast.arg(name) for name in ("row_", *known)], None, [], [], None, [])
        made = copy_tree(ast.Expression(ast.Lambda(arguments, rows)))
        ast.fix_missing_locations(made)
        left = most = min(MOST, self.left)

        def walk_table(table: Any, depth: int, at: tuple[int, ...]) -> tuple[Any, ...]:
            nonlocal left
            if depth:
                return tuple([walk_table(row, depth - 1, (*at, number)) for number, row in enumerate(table)])
            left -= len(table)
            if left < 0:
                raise ValueError
            return tuple(work(table, *(at[known[name]] for name in known)))

        try:
            work = eval(compile(made, "<table>", "eval"), self.space)
            found = walk_table(source.table, len(source.indices), ())
        except (ValueError, TypeError, IndexError):  # a list may be missing somewhere, or be too long
            return None
        self.left -= most - left
        return found


def _nth(place: int, number: int, row: Any) -> Any:
    """Return one of the values of the item at a place of a row, or of the first item where the row is shorter."""
    return row[place if place < len(row) else 0][number]


def _each(table: Any, depth: int, value: Callable[[Any], Any]) -> Any:
    """Return a table of the same form, with a value for each row."""
    return tuple([_each(one, depth - 1, value) for one in table]) if depth else value(table)


def _lengths(table: Any, depth: int) -> set[int]:
    """Return how many items the rows of a table have."""
    found = set[int]()
    if table is not None:
        _each(table, depth, lambda row: found.add(len(row)))
    return found


def is_fixed(node: ast.AST, free: set[str], space: Mapping[str, Any]) -> bool:
    """Return whether an expression follows from some variables alone."""
    match node:
        case ast.Name(id=name):
            return name in free
        case ast.Constant():
            return True
        case ast.Subscript(value=ast.Name(id=name)) if name in free or name in ("s", "f"):
            return False
        case ast.Subscript():
            of: ast.expr = node
            while isinstance(of, ast.Subscript):
                if not is_fixed(of.slice, free, space):
                    return False
                of = of.value
            return isinstance(of, ast.Name) and of.id[:1] in _TABLES and table_of(of.id, space) is not None
        case ast.BinOp(op=ast.Add() | ast.Sub()) | ast.UnaryOp() | ast.BoolOp() | ast.IfExp() | ast.Tuple():
            return all(is_fixed(part, free, space) for part in b.inside(node))
        case ast.Compare():
            plain = not any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
            return plain and all(is_fixed(part, free, space) for part in (node.left, *node.comparators))
    return False


def _outermost(node: ast.AST, names: Mapping[int, ast.expr]) -> None:
    """Put variables into the places of parts of a tree; those inside of them are left as they are."""
    for name in b.fields(node):
        value = getattr(node, name, None)
        if value.__class__ is list:
            for position, one in enumerate(value):
                if id(one) in names:
                    value[position] = names[id(one)]
                elif isinstance(one, ast.AST):
                    _outermost(one, names)
        elif id(value) in names:
            setattr(node, name, names[id(value)])
        elif isinstance(value, ast.AST):
            _outermost(value, names)


def _targets(target: ast.expr) -> list[str]:
    """Return the variables of a loop."""
    if isinstance(target, ast.Name):
        return [target.id]
    return [one.id for one in target.elts if isinstance(one, ast.Name)] if isinstance(target, ast.Tuple) else []


def _first(test: ast.expr) -> ast.expr:
    """Return what a test looks at in any case."""
    while isinstance(test, ast.BoolOp):
        test = test.values[0]
    return test


def _field(node: ast.AST, item: str) -> int | None:
    """Return the first slot of a field that is read of an item; None for anything else."""
    match node:
        case ast.Subscript(
            value=ast.Name(id="s"),
            slice=ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=ast.Constant(value=int(base))),
        ) if name == item:
            return base
    return None
