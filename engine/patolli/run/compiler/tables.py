"""Compile facts and constants into tables, once per program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise, product
from typing import Any

from patolli.kernel.budget import count_steps, keep_value, tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.regions import border
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.calls import inner_first
from patolli.language.program.model import Attribute, Kind, Value
from patolli.language.program.node import walk
from patolli.language.program.setup_values import constants_by_use
from patolli.language.program.tree_rewriter import without_calls
from patolli.language.resolve.declare import uses_effect
from patolli.run.compiler import build as b
from patolli.run.compiler.expressions import Expressions
from patolli.run.compiler.layout import Instance
from patolli.run.compiler.step_meter import Meter
from patolli.run.compiler.unit import fact_table, of_variables

COPY = 5_000
"""The steps of compiling a fact for one copy of a piece, because it names the number of the copy."""

NODE = 500
"""The steps of a node of an expression whose functions are written out, and of compiling it."""


class Tables:
    """Fills the namespace of a program with ``K_`` kinds, ``F_`` facts, ``D_`` designs and ``C_`` constants."""

    def __init__(self, ex: Expressions, effects: dict[str, int], meter: Meter) -> None:
        self.ex = ex
        self.meter = meter
        self.unit = ex.unit
        self.layout = ex.layout
        self.effects = effects
        self.changing: list[str] = []
        self._without_calls: dict[int, tuple[x.Expr, x.Expr]] = {}
        self._made: dict[int, tuple[Any, int]] = {}  # values that are the same for all copies, and the steps of each

    def fill_kinds(self) -> None:
        """Fill what needs no computation; code that is compiled afterwards knows the lengths of these tables."""
        space = self.unit.space
        for kind in self.layout.model.kinds.values():
            number = self.layout.size(kind.name)
            space[f"K_{kind.name}"] = tuple(range(number))
            designs = {id(d): i for i, d in enumerate(kind.designs)}
            instances = self.layout.instances[kind.name]
            space[f"D_{kind.name}"] = tuple(designs.get(id(i.design), -1) for i in instances)
            for name, values in kind.data.items():
                space[fact_table(kind.name, name)] = tuple(self._repeat_per_player(kind, values))
            if kind.is_record:
                self._fill_record(kind)
            for name, lines in kind.lines.items():
                space[fact_table(kind.name, name)] = self._compute_links(kind, lines)

    def fill(self) -> None:
        """Fill the rest; constants first, because facts may use them, and those first that others are defined by."""
        model, space = self.layout.model, self.unit.space
        for kind in model.kinds.values():
            if kind.lays:
                self._placements(kind)
        for name in inner_first(constants_by_use(model))[0]:
            constant = model.constants[name]
            space[f"C_{name}"] = self.value(constant.value, constant.type, 1)
        for kind in model.kinds.values():
            for attribute in kind.facts.values():
                if attribute.name in kind.maps:
                    space[fact_table(kind.name, attribute.name)] = self._read_map(kind, attribute.name)
                elif fact_table(kind.name, attribute.name) not in space:
                    rows = tuple(self._fact(kind, attribute, i) for i in self.layout.instances[kind.name])
                    space[fact_table(kind.name, attribute.name)] = rows

    def _fill_record(self, kind: Kind) -> None:
        """Fill the fields of all values of a record, in the order in which they are listed."""
        every = list(product(*self.layout.records[kind.name]))
        for at, fact in enumerate(kind.facts.values()):
            convert = bool if fact.type == ty.BOOL else int
            self.unit.space[fact_table(kind.name, fact.name)] = tuple([convert(one[at]) for one in every])

    def _repeat_per_player(self, kind: Kind, values: list[Any]) -> list[Any]:
        """Repeat ready-made facts for every player's grid; lists of cells move on with it."""
        if not kind.per_player:
            return values
        widths = {
            "cells": len(self.layout.model.kinds[kind.over].members or ()) if kind.over else 0,
            "supports": len(values),
        }
        found: list[Any] = []
        for seat in range(self.layout.seats):
            for name, column in kind.data.items():
                if column is values:
                    move = widths.get(name, 0) * seat
                    found += [tuple(x + move for x in v) if isinstance(v, tuple) else v for v in values]
        return found

    def _placements(self, kind: Kind) -> None:
        """Fill the facts of placements, and the table from seat and shape to placements."""
        space, grid = self.unit.space, self.layout.model.kinds[kind.lays]
        ways = self.layout.ways[kind.name]
        seats = self.layout.seats if kind.per_player else 1
        width = len(grid.members or ())
        borders = [border(grid.grid, cells) for *_, cells in ways]
        space[fact_table(kind.name, "shape")] = tuple(way[0] for way in ways) * seats
        space[fact_table(kind.name, "turn")] = tuple(way[1] for way in ways) * seats
        space[fact_table(kind.name, "corner")] = tuple(way[2] + width * p for p in range(seats) for way in ways)
        space[fact_table(kind.name, "cells")] = tuple(
            _shift_cells(cells, width * p) for p in range(seats) for *_, cells in ways
        )
        space[fact_table(kind.name, "border")] = tuple(
            _shift_cells(cells, width * p) for p in range(seats) for cells in borders
        )
        of_shapes: list[list[int]] = [[] for _ in self.layout.model.shapes]
        for i, way in enumerate(ways):
            of_shapes[way[0]].append(i)
        space[f"L_{kind.name}"] = tuple(
            tuple(tuple(i + p * len(ways) for i in same) for same in of_shapes) for p in range(seats)
        )

    def _read_map(self, kind: Kind, name: str) -> tuple[object, ...]:
        rows, legend = kind.maps[name]
        values = {sign: self._expression(expr, kind.facts[name].type, 1) for sign, expr in legend.items()}
        seats = self.layout.seats if kind.per_player else 1
        return tuple(values[sign] for row in rows for sign in row) * seats

    def _compute_links(self, kind: Kind, lines: list[list[x.Expr]]) -> tuple[tuple[int, ...], ...]:
        """Return what each thing of a kind is joined to, in the order of the lines; what is missing joins nothing."""
        found: list[dict[int, None]] = [{} for _ in range(self.layout.size(kind.name))]
        for line in lines:
            numbers = [self.layout.index.get((one.kind, one.id), -1) for one in line if isinstance(one, x.Instance)]
            for one, two in pairwise(numbers):
                if min(one, two) >= 0:
                    found[one][two] = found[two][one] = None
        return tuple(map(tuple, found))

    def _fact(self, kind: Kind, attribute: Attribute, instance: Instance) -> object:
        if (
            attribute.name == "owner"
            and kind.per_player
            and (not instance.design or "owner" not in instance.design.facts)
        ):
            return instance.owner
        facts = instance.design.facts if instance.design else {}
        if uses_effect(attribute.type):
            return self._effect(facts.get(attribute.name))
        if attribute.name in facts:
            return self.value(facts[attribute.name], attribute.type, instance.copy)
        default = attribute.default if attribute.words is None else attribute.words
        if default is not None:
            return self.value(default, attribute.type, instance.copy)
        return () if isinstance(attribute.type, ty.Seq) else -1

    def _effect(self, value: Value) -> object:
        if isinstance(value, list):
            return tuple(self._effect(v) for v in value)
        return self.effects[value] if isinstance(value, str) else -1

    def value(self, value: Value, type_: ty.AnyType, copy: int) -> object:
        """Work out a fact or constant."""
        value = self.layout.constants.table(value)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            inner = type_.of if isinstance(type_, ty.Seq) else type_
            return tuple(self.value(v, inner, copy) for v in value)
        if isinstance(value, e.CostOf):
            return self._cost(value)
        if isinstance(value, x.Expr):
            return self._expression(value, type_, copy)
        return -1

    def _expression(self, expr: x.Expr, type_: ty.AnyType, copy: int) -> object:
        if isinstance(expr, x.NoValue):
            return () if isinstance(type_, ty.Seq) else -1
        known = self.layout.constants.of_copy(copy, self.layout).value(expr)
        if isinstance(known, int) and not isinstance(expr, x.ListOf):
            return known
        with _blame_expression(expr):
            expr = self._written_out(expr)
        if any(isinstance(node, x.CopyNumber) for node in walk(expr)):
            tick(COPY)
        elif id(expr) in self._made:
            value, steps = self._made[id(expr)]
            with _blame_expression(expr):
                tick(steps)  # whether a pack is accepted does not depend on what is computed only once
            return value
        self.unit.copy = copy
        return self._evaluate_constant(lambda: self.ex.compile_kept_value(expr, of_variables(self.unit)), expr)

    def _written_out(self, expr: x.Expr) -> x.Expr:
        """Return an expression without calls of functions; the same one for the same, as copies of a piece share it."""
        if id(expr) not in self._without_calls:
            self._without_calls[id(expr)] = expr, without_calls(expr, self.layout.model.functions, partial(tick, NODE))
        return self._without_calls[id(expr)][1]

    def _evaluate_constant(self, compiled: Callable[[], ast.expr], expr: x.Expr) -> Any:
        """Work out a value that needs no match, and draw on the step budget for it.

        The functions that it is *compiled* to are made now, for it alone; they take a state, and look at nothing in it.
        """
        space, before = self.unit.space, {path: len(made) for path, made in self.unit.files.items()}
        value, id_ = compiled(), self.unit.fresh("value")
        self.unit.define(id_, ["s"], [b.give(value)], expr.span)
        own = {path: made[before.get(path, 0) :] for path, made in self.unit.files.items()}
        self.meter.measure([function for functions in own.values() for function in functions])
        for path, functions in own.items():
            del self.unit.files[path][before.get(path, 0) :]
            exec(compile(ast.Module([*functions], []), path, "exec"), space)
        begun = count_steps()
        made = space.pop(id_)(None)
        self._made[id(expr)] = made, count_steps() - begun
        with _blame_expression(expr):
            return keep_value(made)

    def _cost(self, cost: e.CostOf) -> object:
        """Return the pairs and mixes of a cost, in slots without the player.

        Where they depend on the match, it is the number of a function that works them out: like every value it can be
        saved, and compared.
        """
        c = of_variables(self.unit, cost.payer)
        value = self.ex.expr(cost, c)
        if not any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(value)):
            return self._evaluate_constant(lambda: value, cost)
        self.unit.current = "a cost"
        id_ = self.unit.fresh("cost")
        self.unit.define(id_, ["s", self.unit.local(cost.payer)], [b.give(value)], cost.span)
        self.changing.append(id_)
        return (len(self.changing) - 1,)


def _shift_cells(cells: tuple[int, ...], on: int) -> tuple[int, ...]:
    """Return cells of the first player's grid as those of another player's."""
    return tuple([cell + on for cell in cells]) if on else cells


@contextmanager
def _blame_expression(expr: x.Expr) -> Iterator[None]:
    """Report a budget that is used up at the line of an expression."""
    try:
        yield
    except RuleFault as fault:
        raise RuleFault(str(fault), fault.code, (expr.span.path, expr.span.line)) from None
