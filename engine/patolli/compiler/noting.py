"""Put into generated code what notes the slots that it changes, for whoever looks at some of them after each choice.

In:     the functions of a program as Python, and what is looked at.
Out:    the same functions; behind each change of a slot that somebody may look at, the slot is noted.

A slot may be noted without need, as on a copy of the match, or when it takes the value that it had. None is left out:
the state is changed by assignments, and by functions of the kernel that say which slots they change.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.layout import FIRST, Layout
from patolli.kernel.library import LIBRARY, WRITES
from patolli.program.node import Location

_OF_COUNTERS = ("apply_way", "apply_gain", "gain_of")


class Noting:
    """Notes the slots that a program changes in ``written``, oldest first."""

    def __init__(self, layout: Layout, looked_at: Iterable[Location], space: dict[str, Any]) -> None:
        """Note changes of what is *looked at*; *space* gets the functions that do so."""
        self.written: list[int] = []
        self._looked_at = frozenset(looked_at)
        self._counters = any(location[0] == "counter" for location in self._looked_at)
        self._least = max(FIRST, layout.seats)  # a smaller number in a sum may be a seat
        self._names = 0
        self._places: list[tuple[int, int, Location]] = [(0, FIRST, ("match",)), *sorted(located(layout))]
        self._starts = [first for first, _, _ in self._places]
        if self._looked_at:
            space["note"] = self.written.append
            for name, writes in WRITES.items():
                space[f"noted_{name}"] = _noted(LIBRARY[name], writes, self.written.extend)

    def note(self, functions: Iterable[ast.FunctionDef]) -> None:
        """Put into functions what notes their changes."""
        for function in functions if self._looked_at else ():
            self._calls(function)
            function.body = self._block(function.body)

    def _calls(self, function: ast.FunctionDef) -> None:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WRITES:
                wanted = self._counters if node.func.id in _OF_COUNTERS else self._wanted(node.args[1])
                node.func.id = f"noted_{node.func.id}" if wanted else node.func.id

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            found.append(statement)
            match statement:
                case ast.If() | ast.For():
                    statement.body, statement.orelse = self._block(statement.body), self._block(statement.orelse)
                case (
                    ast.Assign(targets=[ast.Subscript(value=ast.Name(id="s")) as target])
                    | ast.AugAssign(target=ast.Subscript(value=ast.Name(id="s")) as target)
                ):
                    if self._wanted(target.slice):
                        found.append(b.do(b.call("note", self._again(target))))
                        b.place(found[-1], statement.lineno)
        return found

    def _again(self, target: ast.Subscript) -> ast.expr:
        """Return the slot of a target for a second use; what looks at the state is worked out only once."""
        slot = target.slice
        if not any(isinstance(node, ast.Call) or getattr(node, "id", "") == "s" for node in ast.walk(slot)):
            return slot
        self._names += 1
        name = f"w_{self._names}"
        target.slice = ast.NamedExpr(ast.Name(name, ast.Store()), slot)
        b.place(target.slice, target.lineno)
        return b.name(name)

    def _wanted(self, slot: ast.expr) -> bool:
        """Tell whether somebody may look at a slot: at one of those that begin with the number at the end of a sum."""
        match slot:
            case ast.Constant(value=int(at)):
                first, end, location = self._places[bisect_right(self._starts, at) - 1]
                return not first <= at < end or location in self._looked_at
            case ast.BinOp(op=ast.Add(), right=ast.Constant(value=int(base))) if base >= self._least:
                first, _, location = self._places[bisect_right(self._starts, base) - 1]
                return first != base or location in self._looked_at
        return True


def located(layout: Layout) -> Iterable[tuple[int, int, Location]]:
    """Yield first slot and end of everything that is declared, and what is read there."""
    for name, first in layout.at.items():
        yield first, first + layout.size(name), ("pieces", name)
    for (kind, field), first in layout.fields.items():
        yield first, first + layout.size(kind), ("field", kind, field)
    for name, (base, sizes) in layout.counters.items():
        slots = layout.slots(base, sizes)
        yield slots.start, slots.stop, ("counter", name)
    for name, (base, sizes) in layout.places.items():
        slots = layout.slots(base, sizes)
        yield slots.start, slots.stop, ("pieces", layout.model.places[name].of)


def _noted(
    work: Callable[..., Any], writes: Callable[..., Iterable[int]], note: Callable[[Iterable[int]], None]
) -> Callable[..., Any]:
    """Return a function of the kernel that notes what it changes."""

    def noted(*arguments: Any) -> Any:
        note(writes(*arguments))
        return work(*arguments)

    return noted
