"""Keep up which instances of a kind have a value in a field, where options ask for that again and again.

In:     the functions of a program as Python, behind all other passes, with what draws on the step budget.
Out:    the same functions. Where options go over all instances and keep those with a value (``c.mark == me``,
        ``c.mark == none``, ``c.height < 6``), they go over a list of these; each write to the field keeps it up.

No author declares an index: one is kept where the instances that options would look at outnumber the places that write.
An index belongs to the state on which blocks were carried out last (``kernel.indexes``). Blocks make it; functions,
which may be computed on a state that was made up, use it if it is there for their state, and look at all
instances otherwise. Code that reaches for the state of a match from outside ends it (``Match.state``), and a look ahead
puts it aside (``kernel.ahead``). Fields are written by assignments alone; for one whose target is unknown
ends all indexes.

What is drawn on the step budget is drawn as before, so who runs out of steps does so at the same place. Programs that
narrate have no indexes: they are not played for speed.
"""

from __future__ import annotations

import ast
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from patolli.kernel.ahead import Touched
from patolli.kernel.indexes import Index, by_test, by_value, charge_steps, new_index
from patolli.language.program import types as ty
from patolli.language.program.node import Location
from patolli.run.compiler import build as b
from patolli.run.compiler.field_scans import VALUE, Field, Scan, look_up, scan
from patolli.run.compiler.layout import FIRST, Layout
from patolli.run.compiler.located import list_locations
from patolli.run.compiler.purity import FRAME, copy_tree, is_seat, nodes_of, substitute_names, table_of

LEAST, MOST = 6, 40
"""How many instances pay for one place that writes; and the most values that each have a list."""


@dataclass(slots=True)
class Kept:
    """An index: its name, and the test of a value by which it goes, if it is not one list for each value."""

    name: str
    of: Field
    index: Index
    test: ast.expr | None


@dataclass(slots=True)
class Indexes:
    """The indexes of one program."""

    layout: Layout
    space: dict[str, Any]
    keep: Callable[[str, Any], str]
    made: list[Index] = field(default_factory=list)
    _kept: dict[tuple[int, str], Kept] = field(default_factory=dict)
    _starts: set[int] = field(default_factory=set)
    _count: int = 0

    def keep_up(self, functions: Sequence[ast.FunctionDef]) -> frozenset[Location]:
        """Choose indexes for the functions of a program, and let these use and keep them; return the fields."""
        fields = {(first, end): one for first, end, one in self._fields()}
        asked = {function.name: _options(function) for function in functions if is_block(function)}
        self._choose(
            [read for found in asked.values() for one in found for read in self._reads(one, fields)], functions
        )
        if not self._kept:
            return frozenset()
        self._starts.update(first for first, _, _ in list_locations(self.layout))
        for function in functions:
            self._function(function, asked.get(function.name, ()), fields)
        return frozenset(one.of.location for one in self._kept.values())

    def bases(self) -> dict[str, int]:
        """Return by the name of each index the slot of its field of the first instance."""
        return {one.name: one.of.first for one in self._kept.values()}

    def _fields(self) -> Iterator[tuple[int, int, Field]]:
        layout = self.layout
        for (kind, name), first in layout.fields.items():
            declared = layout.model.kinds[kind].fields[name]
            inner, end = ty.strip(declared.type), first + layout.size(kind)
            if not isinstance(inner, ty.Seq):
                values = layout.size(inner.kind) if isinstance(inner, ty.Ref) else 0
                yield first, end, Field(("field", kind, name), first, end, values if values <= MOST else 0)

    # -- questions

    def _reads(self, root: ast.AST, fields: Mapping[tuple[int, int], Field]) -> Iterator[Scan]:
        for node in nodes_of(root):
            if isinstance(node, ast.ListComp):
                for generator in node.generators:
                    read = scan(node, generator, fields, self.space)
                    if read is not None:
                        yield read

    def _choose(self, options: Iterable[Scan], functions: Iterable[ast.FunctionDef]) -> None:
        """Keep an index where options look at many instances for each place that writes."""
        first: dict[tuple[int, str], Scan] = {}
        asked: dict[tuple[int, str], set[int]] = {}
        for read in options:
            first.setdefault(read.key, read)
            asked.setdefault(read.key, set()).add(read.owner.lineno)
        written = writes(functions) if first else {}
        for key, read in first.items():
            if (read.of.end - read.of.first) * len(asked[key]) >= LEAST * len(written.get(read.of.first, ())):
                self._make(key, read)

    def _make(self, key: tuple[int, str], read: Scan) -> None:
        index, of, test = new_index(), read.of, None
        if read.wanted is not None:
            find, look = by_value(index, of.first, of.end, of.values)
        else:
            test = substitute_names(read.test, {read.value: b.name(VALUE)})
            find, look = by_test(index, of.first, of.end, _passing(test))
        name = self.keep("X", index)
        self.space.update({f"find_{name}": find, f"scan_{name}": look, "charge_steps": charge_steps, "insort": insort})
        self.made.append(index)
        self._kept[key] = Kept(name, of, index, test)

    # -- functions

    def _function(
        self, function: ast.FunctionDef, asked: Iterable[ast.expr], fields: Mapping[tuple[int, int], Field]
    ) -> None:
        block, options = is_block(function), {id(one) for one in asked}
        drawing: dict[int, int] = {}  # what is drawn before a list of options begins
        for node in list(nodes_of(function)):
            if isinstance(node, ast.ListComp):
                for position, generator in enumerate(node.generators):
                    read = scan(node, generator, fields, self.space)
                    if read is not None and read.key in self._kept:
                        steps = self._use(read, block, drawn_before=position == 0 and id(node) in options)
                        if steps:
                            drawing[id(node)] = steps
        function.body = self._block(function.body, drawing)
        b.complete(function, function.lineno)

    def _use(self, read: Scan, block: bool, drawn_before: bool) -> int:
        """Let a generator go over what is kept; return the steps that are still to be drawn before it begins."""
        kept = self._kept[read.key]
        held = b.item(kept.name, 1)
        arguments, there = [b.name("s")], _belongs(kept)
        finding = "find" if block else "scan"
        if read.wanted is not None:
            arguments.append(copy_tree(read.wanted))
            held = b.item(held, copy_tree(read.wanted))
            if not self._is_someone(read.wanted):
                there, finding = b.both([there, b.compare(copy_tree(read.wanted), ">=", b.const(0))]), "scan"
        source: ast.expr = ast.IfExp(there, held, b.call(f"{finding}_{kept.name}", *arguments))
        steps = read.steps * (read.of.end - read.of.first)
        if steps and not drawn_before:
            source, steps = b.call("charge_steps", source, b.const(steps)), 0
        look_up(read)
        read.generator.iter = source
        return steps

    def _is_someone(self, wanted: ast.expr) -> bool:
        """Return whether a value is the seat of a frame, or stands in a table without a number below 0."""
        match wanted:
            case _ if is_seat(wanted):
                return True
            case ast.Subscript(value=ast.Name(id=name)):
                table = table_of(name, self.space)
                return table is not None and all(type(one) is int and one >= 0 for one in table)
        return False

    # -- statements

    def _block(self, body: Sequence[ast.stmt], drawing: Mapping[int, int]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            before: list[ast.stmt] = []
            after: list[ast.stmt] = []
            match statement:
                case ast.If() | ast.For():
                    statement.body = self._block(statement.body, drawing)
                    statement.orelse = self._block(statement.orelse, drawing)
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id="s"), slice=slot) as target]):
                    before, after = self._sync_assignment(statement, target, self._fields_at(slot))
                case _:
                    if any(kept is None or kept for kept in map(self._fields_at, _stores(statement))):
                        before, after = self._sync_unknown_change()
            if isinstance(statement, ast.Assign) and (steps := drawing.get(id(statement.value))):
                before += _drawing(steps)
            for one in (*before, *after):
                one.lineno = one.end_lineno = statement.lineno
                one.col_offset = one.end_col_offset = 0
            found += [*before, statement, *after]
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.ListComp):
                statement.value = _whole(statement.value)
        return found

    def _fields_at(self, slot: ast.expr) -> list[Kept] | None:
        """Return the indexes of the field to which a slot belongs; None if that is unknown."""
        match slot:
            case ast.Constant(value=int(at)):
                return [one for one in self._kept.values() if one.of.first <= at < one.of.end]
            case ast.BinOp(op=ast.Add(), right=ast.Constant(value=int(base))) if base >= max(FIRST, self.layout.seats):
                return [one for one in self._kept.values() if one.of.first == base] if base in self._starts else None
        return None

    def _sync_assignment(
        self, statement: ast.Assign, target: ast.Subscript, kept: list[Kept] | None
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Return what stands before and behind an assignment, so that indexes are as the state is behind it."""
        if kept is None:
            return self._sync_unknown_change()
        if not kept:
            return [], []
        before: list[ast.stmt] = []
        first, slot = kept[0].of.first, target.slice
        value = self._name_value(statement.value, before)
        number: ast.expr
        if isinstance(slot, ast.Constant):
            number = b.const(slot.value - first)  # type: ignore[operator]
        else:
            assert isinstance(slot, ast.BinOp)
            number = slot.left = self._name_value(slot.left, before)
        statement.value = value
        return before + [self._sync_write(one, slot, number, value) for one in kept], []

    def _sync_write(self, kept: Kept, slot: ast.expr, number: ast.expr, value: ast.expr) -> ast.stmt:
        """Return what stands before a value is written: an index as it is behind it."""
        old = f"y_{self._count}"
        change = (self._by_value if kept.test is None else self._by_test)(kept, old, number, value)
        fetch = b.assign(b.name(old), b.item("s", copy_tree(slot)))
        return b.when(_belongs(kept), [fetch, *change])

    def _by_value(self, kept: Kept, old: str, number: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """Return what moves a number from the list of one value to that of another."""
        lists = b.item(kept.name, 1)
        out = b.do(b.method(b.item(copy_tree(lists), b.name(old)), "remove", copy_tree(number)))
        into = b.do(b.call("insort", b.item(copy_tree(lists), copy_tree(value)), copy_tree(number)))
        some = [b.when(b.compare(b.name(old), ">=", b.const(0)), [out])]
        if isinstance(value, ast.Constant):
            return [*some, into] if value.value >= 0 else some  # type: ignore[operator]
        if self._is_someone(value):
            return [*some, into]
        return [*some, b.when(b.compare(copy_tree(value), ">=", b.const(0)), [into])]

    def _by_test(self, kept: Kept, old: str, number: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """Return what puts a number into the list of those that pass, or takes it out."""
        assert kept.test is not None
        out = b.do(b.method(b.item(kept.name, 1), "remove", copy_tree(number)))
        into = b.do(b.call("insort", b.item(kept.name, 1), copy_tree(number)))
        was, now = (substitute_names(kept.test, {VALUE: one}) for one in (b.name(old), value))
        passes = self._passes(now, value)
        if passes is None:
            return [b.when(was, [b.when(b.negate(now), [out])], [b.when(copy_tree(now), [into])])]
        return [b.when(b.negate(was), [into])] if passes else [b.when(was, [out])]

    def _passes(self, test: ast.expr, value: ast.expr) -> bool | None:
        """Return whether a value that is written passes a test; None where that is found out when it is."""
        some = (0, MOST) if self._is_someone(value) else (0,) if isinstance(value, ast.Constant) else ()
        name = value.id if isinstance(value, ast.Name) else VALUE
        simple = not some or _only_signs(test)
        found = {bool(_evaluate_expression(test, {name: one})) for one in some} if simple or len(some) == 1 else set()
        return found.pop() if len(found) == 1 else None

    def _name_value(self, value: ast.expr, before: list[ast.stmt]) -> ast.expr:
        """Return a name for a value that is not to be computed twice, and put what gives it that among statements."""
        if isinstance(value, ast.Name | ast.Constant):
            return value
        if isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
            return b.const(-value.operand.value)  # type: ignore[operator]
        self._count += 1
        before.append(b.assign(b.name(f"y_{self._count}_"), value))
        return b.name(f"y_{self._count}_")

    def _sync_unknown_change(self) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Return what stands before and behind a change whose target is unknown."""
        before, after = (
            [b.assign(b.item(one.name, 0), b.const(None)) for one in self._kept.values()] for _ in range(2)
        )
        return before, after


def link(
    touched: Iterable[tuple[Touched, Iterable[Location]]], indexes: Sequence[Index], of: frozenset[Location]
) -> None:
    """Hand looks ahead the indexes that they put aside: all, where a rule writes a field that has one."""
    for one, writes in touched:
        if not of.isdisjoint(writes):
            one.indexes.extend(indexes)


def writes(functions: Iterable[ast.FunctionDef]) -> dict[int, set[int]]:
    """Return by the first slot of each field the lines on which it is written."""
    found: dict[int, set[int]] = {}
    for function in functions:
        for node in nodes_of(function):
            match node:
                case ast.Subscript(
                    value=ast.Name(id="s"), ctx=ast.Store(), slice=ast.BinOp(right=ast.Constant(value=int(base)))
                ):
                    found.setdefault(base, set()).add(node.lineno)
    return found


def _only_signs(test: ast.expr) -> bool:
    """Return whether a test asks of a number for nothing but whether it is below 0."""
    compared = [one for one in nodes_of(test) if isinstance(one, ast.Compare)]
    below = (ast.GtE, ast.Lt)
    return all(isinstance(one.ops[0], below) and ast.unparse(one.comparators[0]) == "0" for one in compared)


def _evaluate_expression(expr: ast.expr, names: dict[str, Any]) -> Any:
    """Return the value of an expression of the compiler's own."""
    return eval(compile(ast.fix_missing_locations(ast.Expression(copy_tree(expr))), "<test>", "eval"), {}, names)


def is_block(function: ast.FunctionDef) -> bool:
    """Return whether a function is a block of a rule, which is called with a state and a frame."""
    return [one.arg for one in function.args.args] == ["s", FRAME]


def _options(function: ast.FunctionDef) -> list[ast.expr]:
    """Return what a block puts together as options."""
    found = []
    for node in nodes_of(function):
        match node:
            case ast.Assign(targets=[ast.Name(id="o")], value=value):
                found.append(value)
    return found


def _passing(test: ast.expr) -> Callable[[list[int]], list[int]]:
    """Return what gives the positions of the values that pass a test."""
    both = ast.Tuple([ast.Name("n_", ast.Store()), ast.Name(VALUE, ast.Store())], ast.Store())
    all_ = ast.comprehension(both, b.call("enumerate", b.name("values_")), [copy_tree(test)], 0)
    made = ast.Expression(b.asking("values_", ast.ListComp(b.name("n_"), [all_])))
    found: Callable[[list[int]], list[int]] = eval(compile(ast.fix_missing_locations(made), "<test>", "eval"))
    return found


def _whole(node: ast.ListComp) -> ast.expr:
    """Return a copy of a list instead of a comprehension that takes all of its items as they are."""
    match node:
        case ast.ListComp(
            elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=same), iter=source, ifs=[])]
        ) if name == same and isinstance(source, ast.IfExp):
            found = ast.Subscript(source, ast.Slice(None, None, None), ast.Load())
            return found
    return node


def _belongs(kept: Kept) -> ast.expr:
    """Return the test whether an index belongs to the state."""
    return ast.Compare(b.item(kept.name, 0), [ast.Is()], [b.name("s")])


def _stores(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the slots of the state to which a statement writes."""
    for node in nodes_of(statement):
        match node:
            case ast.Subscript(value=ast.Name(id="s"), ctx=ast.Store() | ast.Del(), slice=slot):
                yield slot


def _drawing(steps: int) -> list[ast.stmt]:
    """Return what draws on the step budget."""
    spent = ast.AugAssign(ast.Subscript(b.name("budget"), b.const(0), ast.Store()), ast.Sub(), b.const(steps))
    return [spent, b.when(b.compare(b.item("budget", 0), "<", b.const(0)), [b.do(b.call("look"))])]
