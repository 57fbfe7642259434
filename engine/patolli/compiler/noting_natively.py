"""Put into generated code what notes the slots that it changes, where it is translated; see ``noting``.

``note`` and ``notes`` are instructions of the machine then (``native.held``). They take less time than to find out
whether they are needed, so each slot is noted by itself, and no change is looked up among harmless ones. What carries
out a function of the kernel and notes what it changes is generated, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from inspect import signature

from patolli.compiler import build as b
from patolli.compiler.calm import nodes_of
from patolli.compiler.noting import Noting, notes_of
from patolli.kernel.library import BETWEEN, LIBRARY, SPELT, WRITES


class NotingNatively(Noting):
    """Notes the slots that a program changes, natively."""

    def _provide(self) -> None:
        self._noters: dict[str, str] = {f"noted_{name}": name for name in WRITES}
        self._noters |= {f"noted_{name}_between": name for name in BETWEEN}
        self._slots = {f"noted_{one}": writes for one, writes in WRITES.items()}
        self._slots |= {f"noted_{one}_between": writes for one, writes in BETWEEN.items()}

    def noters(self, functions: Iterable[ast.FunctionDef]) -> Iterator[ast.FunctionDef]:
        """Yield what *functions* call to carry out functions of the kernel and note what these change; each once."""
        if not self._looked_at:
            return
        called = {one.id for function in functions for one in nodes_of(function) if isinstance(one, ast.Name)}
        for id_ in sorted(called & self._noters.keys()):
            name = self._noters.pop(id_)
            parameters = [*signature(LIBRARY[name]).parameters]
            given: dict[str, ast.expr] = {one: b.name(one) for one in parameters}
            if name in SPELT:
                notes = notes_of(SPELT[name], SPELT[name].slots, given)
            else:
                self._space[f"slots_of_{id_}"] = self._slots[id_]
                notes = [b.do(b.call("notes", b.call(f"slots_of_{id_}", *given.values())))]
            made = b.function(id_, parameters, [*notes, b.give(b.call(name, *given.values()))])
            made.lineno = made.end_lineno = 1
            made.col_offset = made.end_col_offset = 0
            b.complete(made, 1)
            yield made

    def _together(self, loop: ast.For) -> list[ast.stmt]:
        return []

    def _run(self, body: Iterable[ast.stmt]) -> list[tuple[ast.stmt, ast.Subscript]]:
        return []
