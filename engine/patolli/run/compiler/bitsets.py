"""Keep up indexes as sets of bits behind the state, for who plays without Python.

In:     as ``indexes``, the functions of a program as Python, behind all other passes.
Out:    the same functions, with calls that mean something natively alone (``native.sets``): ``numbers_in`` goes through
        a set, ``kept_up`` and ``kept_if`` stand before an assignment and change sets as it will change the state.

A set is part of the native state, behind its last slot: so it is copied, taken back and forgotten with it, and always
right. What is handed over from Python, or gets a value of which it cannot be told where it goes, has its sets made anew
by the function ``sets_made``. Nobody but the native back end knows of them: digests and saves leave them out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from patolli.kernel.indexes import new_index
from patolli.run.compiler import build as b
from patolli.run.compiler.calm import copy_tree, substitute_names
from patolli.run.compiler.field_scans import VALUE, Field, Scan, look_up
from patolli.run.compiler.indexes import Indexes, Kept

WHOLE, PART = 60, 32
"""Up to how many instances one number is a set; of more, each number has so many."""
MAKING = "sets_made"


def width_of(count: int) -> int:
    """Return of how many numbers the set of so many instances consists: one, or pairs of parts."""
    return 1 if count <= WHOLE else -(-count // (2 * PART)) * 2


@dataclass(slots=True)
class Sets:
    """The sets for one field: one for each value from -1 on, or one of what passes a test.

    Attributes:
        first, end: The slots of the field.
        at: The slot of the first set, behind those of the state.
        sets: How many there are.
        test: The test of a value, if there is one.
    """

    first: int
    end: int
    at: int
    sets: int
    test: ast.expr | None

    @property
    def width(self) -> int:
        """Of how many numbers each set consists."""
        return width_of(self.end - self.first)


@dataclass(slots=True)
class Bitsets(Indexes):
    """The indexes of one program, as sets of bits."""

    sets: dict[str, Sets] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many numbers stand behind a state."""
        return sum(one.sets * one.width for one in self.sets.values())

    def _make(self, key: tuple[int, str], read: Scan) -> None:
        """Keep sets for a field: one for each value, or one of what passes a test."""
        of = read.of
        test = None if read.wanted is not None else substitute_names(read.test, {read.value: b.name(VALUE)})
        at = len(self.layout.initial) + self.size
        index = new_index()
        name = self.keep("X", index)
        self.sets[name] = Sets(of.first, of.end, at, 1 if test is not None else of.values + 1, test)
        self.made.append(index)
        self._kept[key] = Kept(name, of, index, test)

    def _select_scans(
        self,
        functions: Iterable[ast.FunctionDef],
        options: Mapping[str, Iterable[ast.expr]],
        fields: Mapping[tuple[int, int], Field],
    ) -> list[Scan]:
        """Return what pays for a set: whatever is asked, as sets are right for every state."""
        return [read for function in functions for read in self._reads(function, fields)]

    def _use(self, read: Scan, block: bool, drawn_before: bool) -> int:
        """Let a generator go over a set; return the steps that are still to be drawn before it begins."""
        sets = self.sets[self._kept[read.key].name]
        count = sets.end - sets.first
        slot: ast.expr = b.const(sets.at)
        if read.wanted is not None:
            value = copy_tree(read.wanted)
            slot = b.add(
                b.times(value, b.const(sets.width)) if sets.width > 1 else value, b.const(sets.at + sets.width)
            )
        source = b.call("numbers_in", b.name("s"), slot, b.const(count))
        steps = read.steps * count
        if steps and not drawn_before:
            source, steps = b.call("charge_steps", source, b.const(steps)), 0
        look_up(read)
        read.generator.iter = source
        return steps

    def _sync_write(self, kept: Kept, slot: ast.expr, number: ast.expr, value: ast.expr) -> ast.stmt:
        """Return what stands before a value is written: a set as it is behind it."""
        sets = self.sets[kept.name]
        count = b.const(sets.end - sets.first)
        state = b.name("s")
        if sets.test is None:
            return b.do(
                b.call(
                    "kept_up", state, b.const(sets.first), b.const(sets.at), count, copy_tree(number), copy_tree(value)
                )
            )
        test = substitute_names(sets.test, {VALUE: value})
        return b.do(b.call("kept_if", state, b.const(sets.at), count, copy_tree(number), test))

    def _sync_unknown_change(self) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Return what stands before and behind a change of which it cannot be told what it changes."""
        return [], [b.do(b.call(MAKING, b.name("s")))]

    def making(self) -> ast.FunctionDef:
        """Return the function that makes all sets of a state anew."""
        size = len(self.layout.initial)
        body: list[ast.stmt] = [b.do(b.call("sets_emptied", b.name("s"), b.const(size), b.const(self.size)))]
        for sets in self.sets.values():
            count = sets.end - sets.first
            value = b.item("s", b.add(b.name("n"), b.const(sets.first)))
            state, number = b.name("s"), b.name("n")
            if sets.test is None:
                slot = b.add(b.times(b.name("y"), b.const(sets.width)), b.const(sets.at + sets.width))
                put = b.do(b.call("kept_if", state, slot, b.const(count), number, b.const(1)))
            else:
                put = b.do(
                    b.call(
                        "kept_if",
                        state,
                        b.const(sets.at),
                        b.const(count),
                        number,
                        substitute_names(sets.test, {VALUE: b.name("y")}),
                    )
                )
            body.append(b.loop("n", b.call("range", b.const(count)), [b.assign(b.name("y"), value), put]))
        made = b.function(MAKING, ["s"], [*body, b.give(b.const(0))])
        made.lineno = made.end_lineno = 1
        made.col_offset = made.end_col_offset = 0
        b.complete(made, 1)
        return made


def sets_of(sets: Mapping[str, Sets], state: Any) -> list[int]:
    """Return the numbers that stand behind a state, as they are for it."""
    found: list[int] = []
    for one in sets.values():
        count, width = one.end - one.first, one.width
        rows = [[0] * width for _ in range(one.sets)]
        passes = None if one.test is None else eval(_function_of(one.test))
        for number, value in enumerate(state[one.first : one.end]):
            if passes is None or passes(value):
                row = rows[value + 1 if passes is None else 0]
                row[number // PART if count > WHOLE else 0] |= 1 << (number % PART if count > WHOLE else number)
        found += [number for row in rows for number in row]
    return found


def _function_of(test: ast.expr) -> Any:
    given = ast.arguments([], [ast.arg(VALUE)], None, [], [], None, [])
    made = ast.Expression(ast.Lambda(given, copy_tree(test)))
    return compile(ast.fix_missing_locations(made), "<test>", "eval")


__all__ = ["MAKING", "WHOLE", "Bitsets", "Sets", "sets_of", "width_of"]
