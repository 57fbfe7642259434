"""Compile a checked model into a program: Python functions over the state of a match.

In:     a model without errors, a number of seats, and whether moves are narrated.
Out:    a :class:`Program`.

The generated code is one module per YAML file, so that a traceback names the author's file and line.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from patolli.analysis.model import Model, Rule
from patolli.analysis.traits import Traits
from patolli.compiler import build as b
from patolli.compiler.bounds import function_name
from patolli.compiler.effects import Effects, nothing_of
from patolli.compiler.frames import Frames
from patolli.compiler.hooks import Actions, callable_rules, link_effects, piece_effects
from patolli.compiler.layout import Layout, lay_out
from patolli.compiler.links import Links
from patolli.compiler.purity import looks, pure_functions
from patolli.compiler.sites import Site
from patolli.compiler.tables import Tables
from patolli.compiler.terms import Terms
from patolli.compiler.unit import Context, Unit, local, reader
from patolli.compiler.weaving import Weaver
from patolli.kernel.budget import BUDGET, PASSES, budget
from patolli.kernel.faults import MatchOver
from patolli.kernel.gains import Bounds
from patolli.kernel.library import LIBRARY
from patolli.kernel.state import State, turns
from patolli.language import tree as t
from patolli.program import types as ty

Numbers = Callable[[State, int], int]


@dataclass(slots=True)
class Program:
    """Everything that a match needs.

    ``blocks`` are called as ``blocks[f[0]](s, f)``; ``sites`` describe the blocks that ask. ``anytime`` returns the
    anytime options of a player as tuples of an action and its value. ``events`` receives what is narrated.
    """

    layout: Layout
    blocks: list[Callable[[State, list[Any]], Any]]
    sites: dict[int, Site]
    slots: list[int]
    thens: list[int]
    start: list[list[Any]]
    anytime: Callable[[State, int], list[tuple[int, int]]] | None
    take: Callable[[State, int, int, int], None] | None
    score: Numbers | None
    ties: list[Numbers]
    values: dict[str, Numbers]
    invariants: dict[str, Callable[[State, int], bool]]
    rules: dict[str, Callable[..., Any]]
    space: dict[str, Any]
    events: list[tuple[Any, ...]]
    effects: list[str]


def compile_program(model: Model, seats: int, narrate: bool = False) -> Program:
    """Compile *model* for a number of seats."""
    return _Assembly(model, seats, narrate).program()


class _Assembly:
    def __init__(self, model: Model, seats: int, narrate: bool) -> None:
        model = copy.copy(model)
        model.rules = dict(model.rules)
        self.model = model
        self.layout = lay_out(model, seats)
        traits = Traits(model)
        self.unit = Unit(self.layout, traits, narrate)
        self.plain = Effects(self.unit)
        self.framed = Frames(self.unit)
        self.framed.rule_ids = self.plain.rule_ids
        self.framed.rules = self.plain.rules
        self.weaver = Weaver(model, self.layout, traits)
        self.framed.bodies = self.plain.bodies = self.weaver.bodies
        self.unit.space["compile_can"] = self.plain.can_rule
        self.effect_ids = piece_effects(model)
        self.links = Links(self.unit, self.plain, self.framed)
        self.terms, self.actions = Terms(self.links), Actions(self.links)
        self.events = self.terms.money.told

    def program(self) -> Program:
        space = self.unit.space
        space.update(LIBRARY)
        space.update(PASSES=PASSES, MatchOver=MatchOver, MONEY=self.terms.money, BOUNDS=self._bounds(), turns=turns)
        space.update(SPENDS={}, say=self._say, forced=self._forced)
        rules = self.weaver.weave()
        self._stubs()
        self.unit.tabled = self.unit.bounds.tabled = pure_functions(self.model, self.layout)
        self._functions(False)
        self._execute()
        Tables(self.plain, self.effect_ids).fill()
        self._tables()
        self.unit.bounds.learn(space)
        self._functions(True)
        for rule in rules:
            self.unit.current = rule.name.partition("'")[0].rstrip("#")
            if rule.asks:
                self.framed.compile_rule(rule)
            else:
                self._plain_rule(rule)
        self.unit.current = "a condition"
        for name in self.effect_ids:
            self._effect_can(self.model.rules[name])
        self.terms.compile()
        self.actions.compile()
        measures = self._measures()
        self._execute()
        self.terms.fill()
        space.update(link_effects(self.links, self.effect_ids), SPENDS=self.terms.spends())
        return self._result(rules, measures)

    def _bounds(self) -> Bounds:
        layout = self.layout
        return {layout.counters[c.name][0]: (c.low, layout.limits[c.name]) for c in self.model.counters.values()}

    def _say(self, *event: Any) -> None:
        self.events.append(event)

    def _forced(self, block: int, value: Any, me: int) -> None:
        self.events.append(("forced", me, block, value))

    # -- functions and rules

    def _stubs(self) -> None:
        self.unit.space.update(do_effect=None, push_effect=None, can_do=None)

    def _functions(self, looking: bool) -> None:
        """Compile the functions that look into rules, or all others, which facts may need."""
        for function in self.model.functions.values():
            if function.body is None or looks(function.body) != looking:
                continue
            self.unit.current = function.name.partition("'")[0]
            names = ["me", *(n for n, _ in function.parameters)]
            c = Context(self.unit, {n: reader(n) for n in names}, None)
            value = (
                self.plain.condition(function.body, c)
                if function.type == ty.BOOL
                else self.plain.expr(function.body, c)
            )
            id_ = function_name(function.name)
            counted = [b.do(b.call("tick", b.const(100)))] if function.recursive else []
            self.unit.define(id_, ["s", *map(local, names)], [*counted, b.give(value)], function.body)

    def _tables(self) -> None:
        """Work out the functions of constants, once."""
        space = self.unit.space
        for name in sorted(self.unit.tabled, key=lambda n: _depth(self.model, n)):
            sizes = [
                self.layout.size(p.kind) for _, p in self.model.functions[name].parameters if isinstance(p, ty.Ref)
            ]
            space[f"T_{function_name(name)}"] = _table(space[function_name(name)], sizes, ())

    def _plain_rule(self, rule: Rule) -> None:
        names = ["me", *(n for n, _ in rule.parameters)]
        c = Context(self.unit, {n: reader(n) for n in names}, None)
        self.plain.nothing = nothing_of(rule.returns)
        body = [*self.plain.statements(rule.block, c), *self.plain.leave(None)]
        if rule.recursive:
            body.insert(0, b.do(b.call("tick", b.const(100))))
        node = rule.block[0] if rule.block else t.Nothing(at=t.At(t.FixedText(rule.span), 0, 0))
        self.unit.define(self.plain.rule_id(rule.name), ["s", *map(local, names)], body, node)

    def _effect_can(self, rule: Rule) -> None:
        if rule.guarded:
            c = Context(self.unit, {"me": reader("me")}, None)
            self.plain.can_rule(rule, [b.const(0)], c)

    # -- measures

    def _measures(self) -> dict[str, str]:
        model = self.model
        found: dict[str, str] = {}
        for name, expr in (("score", model.score), *((f"tie {i}", e) for i, e in enumerate(model.ties))):
            if expr is not None:
                found[name] = self.links.function_of(expr, partial(self.plain.expr, expr))
        for name, expr in model.values.items():
            found[f"value {name}"] = self.links.function_of(expr, partial(self.plain.expr, expr))
        for name, (expr, _) in model.invariants.items():
            found[f"invariant {name}"] = self.links.function_of(expr, partial(self.plain.condition, expr))
        return found

    # -- the end

    def _execute(self) -> None:
        for path, functions in self.unit.files.items():
            module = ast.Module(functions, [])
            ast.fix_missing_locations(module)
            exec(compile(module, path, "exec"), self.unit.space)
        self.unit.files.clear()

    def _result(self, rules: list[Rule], measures: dict[str, str]) -> Program:
        space, frames = self.unit.space, self.framed
        anytime, take = self.actions.link() or (None, None)
        space["anytime"] = anytime
        for number in frames.jumps:
            end = frames.landing(number)
            frames.blocks[number] = frames.blocks[end]
            if end in frames.sites:
                frames.sites[number] = frames.sites[end]
        blocks = [space[id_] if id_ else _missing for id_ in frames.blocks]
        slots, thens = [0] * len(blocks), [0] * len(blocks)
        for number, site in frames.sites.items():
            slots[number], thens[number] = site.slot, frames.landing(site.then)
        start = []
        plain_start = []
        for name in ("match", "setup"):
            rule = self.model.rules.get(name)
            if rule is not None and rule.asks:
                entry = frames.entries[name]
                start.append([entry, 0, 0, *space[f"PAD_{entry}"]])
            elif rule is not None:
                plain_start.append(space[self.plain.rule_id(name)])
        return Program(
            self.layout, blocks, frames.sites, slots, thens, start, anytime, take,
            space.get(measures.get("score", "")), [space[measures[f"tie {i}"]] for i in range(len(self.model.ties))],
            {n: space[measures[f"value {n}"]] for n in self.model.values},
            {n: space[measures[f"invariant {n}"]] for n in self.model.invariants},
            callable_rules(self.links, rules), {**space, **self._lookups(plain_start)},
            self.events, list(self.effect_ids),
        )  # fmt: skip

    def _lookups(self, plain_start: list[Any]) -> dict[str, Any]:
        """Return what the runtime looks up besides generated functions."""
        sides = {rule.name: -1 - position for position, rule in self.terms.sides}
        return {
            "ORIGINS": self.unit.origins,
            "plain_start": plain_start,
            "SIDES": sides,
            "ENTRIES": dict(self.framed.entries),
        }


def _table(function: Callable[..., Any], sizes: list[int], given: tuple[int, ...]) -> Any:
    if not sizes:
        budget[0] = BUDGET
        value = function([], 0, *given)
        return tuple(value) if isinstance(value, list) else value
    return tuple(_table(function, sizes[1:], (*given, i)) for i in range(sizes[0]))


def _depth(model: Model, name: str) -> int:
    """Return how many functions stand below one; recursive ones are never asked about."""
    return 1 + max((_depth(model, n) for n in model.functions[name].calls), default=0)


def _missing(s: State, f: list[Any]) -> None:
    raise AssertionError(f"block {f[0]} was never compiled")


__all__ = ["Program", "compile_program"]
