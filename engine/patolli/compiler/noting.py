"""Put into generated code what notes the slots that it changes, for whoever looks at some of them after each choice.

In:     the functions of a program as Python, and what is looked at.
Out:    the same functions; behind each change of a slot that somebody may look at, the slot is noted.

A slot may be noted without need, as on a copy of the match, or when it takes the value that it had. None is left out:
the state is changed by assignments, and by functions of the kernel that say which slots they change. A loop over a row
of a table that no match changes is noted once, before it begins, by a number that stands for all slots that it may
change (:class:`Rows`).
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import copied, filled
from patolli.compiler.changes import Harmless, Rows
from patolli.compiler.layout import FIRST, Layout
from patolli.compiler.located import exactly, kind_of
from patolli.kernel.library import BETWEEN, LIBRARY, SPELT, WRITES, Spelt
from patolli.program.node import Location

ROWS = 100
"""How many rows a table may have which are noted as such: what looks at each is worked out when it is first met."""
_OF_COUNTERS = ("apply_way", "apply_gain", "gain_of")


class Noting:
    """Notes the slots that a program changes in ``written``, oldest first."""

    def __init__(
        self,
        layout: Layout,
        looked_at: Iterable[Location],
        space: dict[str, Any],
        counted: Set[Location] = frozenset(),
        together: Sequence[Set[Location]] = (),
    ) -> None:
        """Note changes of what is *looked at*; *space* gets the functions that do so.

        Of what is *counted* each slot is noted by itself, since the values of each are asked for. What is looked at
        *together* may be found to be as it should be when all of it changes.
        """
        self.written: list[int] = []
        self.rows, self.harmless = Rows(), Harmless(self.written.append)
        self._looked_at_together = together
        self._counted, self._space = counted, space
        wanted = frozenset(looked_at)
        self._places: list[tuple[int, int, Location]] = [(0, FIRST, ("match",)), *sorted(exactly(layout))]
        kinds = {location: ("pieces", kind_of(layout, location)) for *_, location in self._places}
        self._looked_at = wanted.union(location for location, kind in kinds.items() if kind in wanted)
        self._moving = {kind[1] for location, kind in kinds.items() if location in self._looked_at}
        self._counters = any(location[0] == "counter" for location in self._looked_at)
        self._least = max(FIRST, layout.seats)  # a smaller number in a sum may be a seat
        self._names = 0
        self._noted: set[int] = set()  # targets of assignments that are noted before their loop, by id
        self._starts = [first for first, _, _ in self._places]
        if self._looked_at:
            self._provide()

    def _provide(self) -> None:
        """Let generated code see what notes."""
        space, written = self._space, self.written
        space["note"], space["notes"], space["rows"] = written.append, written.extend, self.rows
        space["harmless"], space["uncertain"] = self.harmless, self.harmless.missing
        for name, writes in WRITES.items():
            space[f"noted_{name}"] = _noted(LIBRARY[name], writes, written.extend)
        for name, writes in BETWEEN.items():
            space[f"noted_{name}_between"] = _noted(LIBRARY[name], writes, written.extend)

    def note(self, functions: Iterable[ast.FunctionDef]) -> None:
        """Put into functions what notes their changes."""
        for function in functions if self._looked_at else ():
            self._noted.clear()
            function.body = self._block(function.body, looping=False)
            self._calls(function)

    def _calls(self, function: ast.FunctionDef) -> None:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and id(node) not in self._noted and name_of(node) in WRITES:
                assert isinstance(node.func, ast.Name)
                node.func.id = self._noting(node.func.id, node.args[1])

    def _noting(self, name: str, place: ast.expr) -> str:
        """Return the function that does what one of the kernel does, and notes of it what somebody may look at."""
        if name in _OF_COUNTERS:
            return f"noted_{name}" if self._counters else name
        if name not in BETWEEN or self._wanted(place):
            return f"noted_{name}" if self._wanted(place) else name
        location = self._location(place)
        return f"noted_{name}_between" if location is None or location[1] in self._moving else name

    def _block(self, body: Sequence[ast.stmt], looping: bool) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        done = 0
        for position, statement in enumerate(body):
            if position < done:
                continue
            match statement:
                case ast.If():
                    statement.body = self._block(statement.body, looping)
                    statement.orelse = self._block(statement.orelse, looping)
                case ast.For():
                    found += self._together(statement)
                    statement.body = self._block(statement.body, True)
                    statement.orelse = self._block(statement.orelse, looping)
            found += self._spelt_out(statement)
            found.append(statement)
            target = _changed(statement)
            if not looping and (run := self._run(body[position:])):
                found.pop()
                found += self._as_one(run)
                done = position + len(run)
            elif target is not None and id(target) not in self._noted and self._wanted(target.slice):
                if looping and isinstance(statement, ast.Assign):
                    found[-1] = self._if_other(statement, target)
                else:
                    found.append(b.do(b.call("note", self._again(target))))
                b.place(found[-1], statement.lineno)
        return found

    def _spelt_out(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return what notes, before a call of the kernel, what it writes; a call of one more function takes longer."""
        if not isinstance(statement, ast.Expr) or not isinstance(call := statement.value, ast.Call):
            return []
        spelt = SPELT.get(name_of(call))
        if spelt is None:
            return []
        self._noted.add(id(call))
        given = dict(zip(spelt.parameters, call.args, strict=True))
        slots = [slot for slot in spelt.slots if self._seen(slot, given)]
        found: list[ast.stmt] = []
        if slots and any(isinstance(node, ast.Call | ast.NamedExpr) for arg in call.args for node in ast.walk(arg)):
            for position, (name, value) in enumerate(given.items()):
                if not isinstance(value, ast.Name | ast.Constant):
                    self._names += 1
                    call.args[position] = given[name] = b.name(f"w_{self._names}")
                    b.place(given[name], statement.lineno)
                    found.append(b.assign(given[name], value))
        found += notes_of(spelt, slots, given)
        for one in found:
            b.place(one, statement.lineno)
        return found

    def _seen(self, slot: str, given: Mapping[str, ast.expr]) -> bool:
        """Tell whether somebody may look at a slot that a call writes."""
        if slot.startswith(("at", "*")):
            return self._wanted(given["at"])
        if slot.startswith("s["):
            location = self._location(given["at"])
            return location is None or location[1] in self._moving
        return self._wanted(given[slot])

    def _run(self, body: Sequence[ast.stmt]) -> list[tuple[ast.stmt, ast.Subscript]]:
        """Return the first statements of a body, if they are several that change what is looked at together."""
        found: list[tuple[ast.stmt, ast.Subscript]] = []
        places: set[Location] = set()
        for statement in body:
            target = _changed(statement)
            match target and target.slice:
                case ast.BinOp(op=ast.Add(), right=ast.Constant(value=int(base))) if base >= self._least:
                    first, _, location = self._places[bisect_right(self._starts, base) - 1]
                    if (
                        first != base
                        or location[0] in ("at", "place")
                        or location in self._counted
                        or id(target) in self._noted
                    ):
                        break
                    if not any({*places, location} <= one for one in self._looked_at_together):
                        break
                    assert target is not None
                    places.add(location)
                    found.append((statement, target))
                case _:
                    break
        return found if len(found) > 1 and len(places) > 1 else []

    def _as_one(self, run: Sequence[tuple[ast.stmt, ast.Subscript]]) -> list[ast.stmt]:
        """Return statements that change several slots, with what notes them unless the change is known as harmless."""
        found: list[ast.stmt] = []
        change: list[ast.expr] = []
        for statement, target in run:
            assert isinstance(target.slice, ast.BinOp)
            assert isinstance(statement, ast.Assign | ast.AugAssign)
            self._names += 1
            before = b.name(f"o_{self._names}")
            made = self._named(target.slice, "left", f"w_{self._names}")
            made.append(b.assign(before, b.item("s", copied(target.slice))))
            after: ast.expr = b.item("s", copied(target.slice))
            if isinstance(statement, ast.Assign):
                made += self._named(statement, "value", f"n_{self._names}")
                after = copied(statement.value)
            change += [copied(target.slice), before, after]
            for one in made:
                b.place(one, statement.lineno)
            found += [*made, statement]
        key = ast.NamedExpr(ast.Name(f"w_{self._names}_all", ast.Store()), ast.Tuple(change, ast.Load()))
        uncertain = b.do(b.call("uncertain", b.name(key.target.id)))
        found.append(b.when(b.compare(key, "not in", b.name("harmless")), [uncertain]))
        b.place(found[-1], run[-1][0].lineno)
        return found

    def _named(self, node: ast.AST, part: str, name: str) -> list[ast.stmt]:
        """Give a part of a node a name, unless it is one or a number; return what does so."""
        value: ast.expr = getattr(node, part)
        if isinstance(value, ast.Name | ast.Constant):
            return []
        setattr(node, part, ast.copy_location(b.name(name), value))
        return [b.assign(b.name(name), value)]

    def _together(self, loop: ast.For) -> list[ast.stmt]:
        """Return what notes, before a loop, the rows of slots to which each pass of it writes.

        The loop may be left early, or pass over items: then more is noted than changed. It goes through no more of
        the row than follows from the row alone, so the state does not decide how much more that is.
        """
        row = self._row(loop)
        found: list[ast.stmt] = []
        if row is None or not isinstance(loop.target, ast.Name) or _gets(loop.body, loop.target.id):
            return found
        for statement in loop.body:
            target = _changed(statement)
            match target and target.slice:
                case ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=ast.Constant(value=int(base))) if (
                    name == loop.target.id and base >= self._least
                ):
                    place = self._places[bisect_right(self._starts, base) - 1]
                    if place[0] == base and place[2] in self._looked_at - self._counted:
                        key = ast.Tuple([b.const(base), copied(row)], ast.Load())
                        found.append(b.do(b.call("note", b.item("rows", key))))
                        b.place(found[-1], loop.lineno)
                        self._noted.add(id(target))
        return found

    def _row(self, loop: ast.For) -> ast.expr | None:
        """Return the row of a table of which a loop goes through all, or through what is fixed for the row."""
        source: ast.expr = loop.iter
        while True:
            match source:
                case ast.Call(func=ast.Name(id="list" | "passes" | "stepping"), args=[inner, *_]):
                    source = inner
                case ast.IfExp(
                    test=ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[inner])),
                    body=ast.Name(id=name),
                    orelse=ast.Call(func=ast.Name(id="passes" | "stepping"), args=[ast.Name(id=again), *_]),
                ) if name == again and _is(inner.target if isinstance(inner, ast.NamedExpr) else inner, name):
                    source = inner  # as the meter puts it: a short list draws nothing on the step budget
                case ast.NamedExpr(value=inner):
                    source = inner
                case ast.ListComp(elt=ast.Name(id=name), generators=[only]):
                    if not _is(only.target, name) or not all(self._fixed(test, name) for test in only.ifs):
                        return None
                    source = only.iter
                case _:
                    break
        depth, table = 0, source
        while isinstance(table, ast.Subscript):
            if any(isinstance(node, ast.Call | ast.NamedExpr) for node in ast.walk(table.slice)):
                return None
            table, depth = table.value, depth + 1
        known = self._space.get(table.id) if isinstance(table, ast.Name) else None
        return source if known is not None and 0 < _rows(known, depth) <= ROWS else None

    def _fixed(self, test: ast.expr, variable: str) -> bool:
        """Tell whether a test follows from the content and one variable."""
        names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
        return all(name == variable or isinstance(self._space.get(name), tuple) for name in names)

    def _if_other(self, statement: ast.Assign, target: ast.Subscript) -> ast.stmt:
        """Return what assigns and notes where the very same value is not there already.

        A loop often writes to many slots what most of them hold. To look is less work than to note, and only where the
        object is the same nothing would come of the assignment: so the state is to the letter what it would be.
        """
        self._names += 1
        value = ast.NamedExpr(ast.Name(f"w_{self._names}", ast.Store()), statement.value)
        slot = self._again(target)
        there = ast.Subscript(target.value, target.slice, ast.Load())
        test = ast.Compare(value, [ast.IsNot()], [there])
        write = ast.Assign([ast.Subscript(b.name("s"), slot, ast.Store())], b.name(value.target.id))
        return b.when(test, [write, b.do(b.call("note", slot))])

    def _again(self, target: ast.Subscript) -> ast.expr:
        """Return the slot of a target for a second use; what looks at the state is worked out only once."""
        slot = target.slice
        if not any(isinstance(node, ast.Call) or getattr(node, "id", "") == "s" for node in ast.walk(slot)):
            return slot
        self._names += 1
        name = f"w_{self._names}"
        match slot:  # of a sum the end stays where it is: it says what the slot belongs to
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant()):
                slot.left = ast.NamedExpr(ast.Name(name, ast.Store()), left)
                b.place(slot.left, target.lineno)
                return ast.BinOp(b.name(name), ast.Add(), slot.right)
        target.slice = ast.NamedExpr(ast.Name(name, ast.Store()), slot)
        b.place(target.slice, target.lineno)
        return b.name(name)

    def _wanted(self, slot: ast.expr) -> bool:
        """Tell whether somebody may look at a slot: at one of those that begin with the number at the end of a sum."""
        location = self._location(slot)
        return location is None or location in self._looked_at

    def _location(self, slot: ast.expr) -> Location | None:
        """Return what a slot belongs to; None where that cannot be told."""
        match slot:
            case ast.Constant(value=int(at)):
                first, end, location = self._places[bisect_right(self._starts, at) - 1]
                return location if first <= at < end else None
            case ast.BinOp(op=ast.Add(), right=ast.Constant(value=int(base))) if base >= self._least:
                first, _, location = self._places[bisect_right(self._starts, base) - 1]
                return location if first == base else None
        return None


def name_of(call: ast.Call) -> str:
    """Return the name of the function that is called, if it has one."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def with_given(source: str, given: Mapping[str, ast.expr]) -> ast.expr:
    """Return an expression in which the parameters of a function are the arguments of a call."""
    return filled(_parsed(source), given)


@cache
def _parsed(source: str) -> ast.expr:
    tree = ast.parse(source, mode="eval").body
    for node in ast.walk(tree):
        for name in node._attributes:
            delattr(node, name)  # the lines are those of the call
    return tree


def notes_of(spelt: Spelt, slots: Iterable[str], given: Mapping[str, ast.expr]) -> list[ast.stmt]:
    """Return what notes *slots*, some of those that a function of the kernel changes when it is called."""
    notes: list[ast.stmt] = []
    for slot in slots:
        many = slot.startswith("*")
        notes.append(b.do(b.call("notes" if many else "note", with_given(slot.removeprefix("*"), given))))
    return [b.when(with_given(spelt.when, given), notes)] if notes and spelt.when else notes


def _changed(statement: ast.stmt) -> ast.Subscript | None:
    """Return the slot of the state that a statement assigns to."""
    match statement:
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id="s")) as target])
            | ast.AugAssign(target=ast.Subscript(value=ast.Name(id="s")) as target)
        ):
            return target
    return None


def _gets(body: Iterable[ast.stmt], name: str) -> bool:
    """Tell whether a variable gets a value in a body."""
    nodes = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name))
    return any(node.id == name and isinstance(node.ctx, ast.Store) for node in nodes)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _rows(table: Any, depth: int) -> int:
    """Return how many rows of numbers stand in a table so deep; 0 where something else does."""
    if not isinstance(table, tuple | range):
        return 0
    if depth:
        found = [_rows(row, depth - 1) for row in table]
        return sum(found) if all(found) else 0
    return int(all(type(one) is int for one in table))


def _noted(
    work: Callable[..., Any], writes: Callable[..., Iterable[int]], note: Callable[[Iterable[int]], None]
) -> Callable[..., Any]:
    """Return a function of the kernel that notes what it changes."""

    def noted(*arguments: Any) -> Any:
        note(writes(*arguments))
        return work(*arguments)

    return noted
