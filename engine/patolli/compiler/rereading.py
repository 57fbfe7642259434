"""Do not look for what was written just now.

In:     the functions of a program as Python, behind the passes that make code shorter.
Out:    the same functions. Where a rule writes to a slot (``set c.mark to me``) and then asks whether one of the rows
        through it is filled with that (``any(line in lines(c, 3) where all(x.mark == me for x in line))``), it asks a
        function that leaves the slot out of each row.

That changes nothing, because the slot holds what it is compared with: between the assignment and the call nothing is
written but slots of other fields and counters, and none of the variables changes. Looks ahead take back what they
write. The function is a copy of the one that is called, over a table whose rows are shorter by one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import copied, nodes_of, table_of

_HARMLESS = frozenset({"ranged", "item_of", "len", "abs", "min", "max", "bool", "within"})
Fact = tuple[int, str, str]
"""The first slot of a field, the variable that says of which instance, and the variable whose value it holds."""


class Rereading:
    """Knows what was written in the functions of one file."""

    def __init__(
        self,
        functions: Sequence[ast.FunctionDef],
        starts: Set[int],
        space: Mapping[str, Any],
        keep: Callable[[Any], str],
        origins: dict[str, str],
    ) -> None:
        """Begin; *starts* are the first slots of all that is declared, *keep* gives a table a name.

        The functions that are made enter themselves into *origins*, beside those of which they are copies.
        """
        self.functions, self.starts, self.space, self.keep = functions, starts, space, keep
        self.origins = origins
        self.known = {one.name: one for one in functions}
        self.made: dict[tuple[str, int, int, int], ast.FunctionDef | None] = {}

    def spare(self) -> list[ast.FunctionDef]:
        """Let all functions call shorter ones where they can; return these."""
        for function in self.functions:
            if any(isinstance(one, ast.Assign) and _write(one) for one in function.body):
                self._block(function.body, [])
        return [one for one in self.made.values() if one is not None]

    def _block(self, body: Sequence[ast.stmt], facts: list[Fact]) -> None:
        for statement in body:
            match statement:
                case ast.Assign(value=value):
                    if not all(_only_computes(one) for one in nodes_of(value)):
                        facts.clear()
                    names = {one.id for one in nodes_of(statement) if _is_stored(one) and isinstance(one, ast.Name)}
                    facts[:] = [one for one in facts if names.isdisjoint(one[1:])]
                    self._written(statement, facts)
                case ast.If():
                    if facts:
                        self._call(_first(statement.test), facts)
                    self._block(statement.body, facts[:])
                    self._block(statement.orelse, facts[:])
                    facts.clear()
                case _:
                    facts.clear()

    def _written(self, statement: ast.Assign, facts: list[Fact]) -> None:
        """Take what an assignment writes to the state among the facts, and away what it may overwrite."""
        slots = [one for target in statement.targets for one in nodes_of(target) if _is_slot(one)]
        if not slots:
            return
        fact = _write(statement)
        match slots:
            case [ast.Subscript(slice=ast.BinOp(op=ast.Add(), right=ast.Constant(value=base)))] if base in self.starts:
                facts[:] = [one for one in facts if one[0] != base]
            case _:
                facts.clear()
        if fact is not None and fact[0] in self.starts:
            facts.append(fact)

    def _call(self, test: ast.expr, facts: Iterable[Fact]) -> None:
        """Let a test that calls a function to which a fact is of use call a shorter one."""
        match test:
            case ast.Call(func=ast.Name(id=name) as called, args=[ast.Name(id="s"), *given]) if name in self.known:
                names = [one.id if isinstance(one, ast.Name) else "" for one in given]
                for base, instance, value in facts:
                    if instance in names and value in names and instance != value:
                        shorter = self._shorter(name, base, names.index(instance), names.index(value))
                        if shorter is not None:
                            called.id = shorter.name
                            return

    def _shorter(self, name: str, base: int, instance: int, value: int) -> ast.FunctionDef | None:
        """Return the function that looks at all slots of rows but the one that is known; None where there is none."""
        key = (name, base, instance, value)
        if key not in self.made:
            self.made[key] = self._made(self.known[name], base, instance, value)
        return self.made[key]

    def _made(self, of: ast.FunctionDef, base: int, instance: int, value: int) -> ast.FunctionDef | None:
        parameters = [one.arg for one in of.args.args[1:]]
        match of.body:
            case [
                ast.For(target=ast.Tuple(elts=slots),
                        iter=ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=at)),
                        body=[ast.If(test=ast.BoolOp(op=ast.And(), values=tests), body=[ast.Return()], orelse=[])],
                        orelse=[]),
                ast.Return(),
            ] if at == parameters[instance] and len(tests) == len(slots) > 2:  # fmt: skip
                rows = self._rows(name, base, len(slots))
                asked = [_equal(test, parameters[value]) for test in tests]
                if rows is None or asked != [one.id for one in slots if isinstance(one, ast.Name)]:
                    return None
            case _:
                return None
        made = copied(of)
        made.name = f"{of.name}_k{len(self.made)}"
        self.origins[made.name] = self.origins[of.name]
        loop = made.body[0]
        loop.iter.value = ast.copy_location(b.name(self.keep(rows)), loop.iter.value)
        loop.target.elts = loop.target.elts[:-1]
        loop.body[0].test.values = loop.body[0].test.values[:-1]
        found: ast.FunctionDef = made
        return found

    def _rows(self, name: str, base: int, width: int) -> tuple[Any, ...] | None:
        """Return the rows of a table, each without the slot of the instance whose it is; None where one has another."""
        table = table_of(name, self.space)
        if table is None or not all(isinstance(rows, tuple) for rows in table):
            return None
        found = []
        for number, rows in enumerate(table):
            if not all(isinstance(row, tuple) and len(row) == width and row.count(base + number) == 1 for row in rows):
                return None
            found.append(tuple([tuple([slot for slot in row if slot != base + number]) for row in rows]))
        return tuple(found)


def _write(statement: ast.Assign) -> Fact | None:
    """Return what a simple assignment to a field leaves there."""
    match statement:
        case ast.Assign(
            targets=[
                ast.Subscript(
                    value=ast.Name(id="s"),
                    slice=ast.BinOp(left=ast.Name(id=instance), op=ast.Add(), right=ast.Constant(value=int(base))),
                )
            ],
            value=ast.Name(id=value),
        ):
            return base, instance, value
    return None


def _equal(test: ast.expr, value: str) -> str:
    """Return the variable with the slot that is compared with a value; nothing for any other test."""
    match test:
        case ast.Compare(
            left=ast.Subscript(value=ast.Name(id="s"), slice=ast.Name(id=slot)),
            ops=[ast.Eq()],
            comparators=[ast.Name(id=other)],
        ) if other == value:
            return slot
    return ""


def _first(test: ast.expr) -> ast.expr:
    """Return what a test works out first."""
    while isinstance(test, ast.BoolOp | ast.UnaryOp):
        test = test.values[0] if isinstance(test, ast.BoolOp) else test.operand
    return test


def _only_computes(node: ast.AST) -> bool:
    """Tell whether a node calls nothing that may write to the state: a rule without questions is a function, too."""
    return not isinstance(node, ast.Call) or (isinstance(node.func, ast.Name) and node.func.id in _HARMLESS)


def _is_slot(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id="s"), ctx=ast.Store()):
            return True
    return False


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


__all__ = ["Rereading"]
