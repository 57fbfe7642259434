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
from typing import Any

from patolli.analysis import types as ty
from patolli.analysis.model import Model, Rule, Step, Trigger
from patolli.analysis.traits import Traits
from patolli.analysis.walking import parts
from patolli.compiler import build as b
from patolli.compiler.bounds import function_name
from patolli.compiler.effects import Effects
from patolli.compiler.frames import Frames
from patolli.compiler.layout import Layout, lay_out
from patolli.compiler.purity import looks, pure_functions
from patolli.compiler.sites import Site
from patolli.compiler.solver import SOLVER, Money, push_spends
from patolli.compiler.support import BUDGET, STEPS, SUPPORT, MatchOver, State, budget
from patolli.compiler.tables import Tables
from patolli.compiler.unit import Context, Unit, local, reader
from patolli.language import tree as t

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
        self.framed.bodies = self.plain.bodies
        self.unit.space["compile_can"] = self.plain.can_rule
        self.effect_ids = {name: i for i, name in enumerate(n for n, r in model.rules.items() if _is_effect(r))}
        self.events: list[tuple[Any, ...]] = []
        self.money = Money()
        self.whens: dict[int, str] = {}
        self.codes: dict[int, int] = {}
        self.sides: list[tuple[int, Rule]] = []

    def program(self) -> Program:
        space = self.unit.space
        space.update(SUPPORT, **SOLVER)
        space.update(STEPS=STEPS, MatchOver=MatchOver, MONEY=self.money, LIMITS=self._limits())
        space.update(push_spends=push_spends, SPENDS={}, say=self._say, forced=self._forced)
        rules = self._wrapped()
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
        self._payments()
        anytime = self._anytime()
        measures = self._measures()
        self._execute()
        self._late()
        self._fill_effects()
        spends = self._spends()
        space.update(SPENDS=spends)
        self.money.spent = frozenset(spends)
        return self._result(rules, anytime, measures)

    def _limits(self) -> dict[int, int]:
        return {self.layout.counters[n][0]: v for n, v in self.layout.limits.items() if v is not None}

    def _say(self, *event: Any) -> None:
        self.events.append(event)

    def _forced(self, block: int, value: Any, me: int) -> None:
        self.events.append(("forced", me, block, value))

    # -- triggers

    def _wrapped(self) -> list[Rule]:
        """Return all rules; one with triggers calls its own body between them."""
        found: list[Rule] = []
        for rule in list(self.model.rules.values()):
            if not rule.before and not rule.after:
                found.append(rule)
                continue
            body = Rule(f"{rule.name}#", rule.span, rule.parameters, rule.steps, hidden=True, returns=rule.returns)
            outer = Rule(rule.name, rule.span, rule.parameters, [], rule.text, returns=rule.returns)
            at = rule.block[0].at if rule.block else t.At(rule.steps[0].block[0].at.text, 0, 0)
            arguments: list[t.Expr] = [_variable(n, type_, at) for n, type_ in rule.parameters]
            call = t.Call(body.name, arguments, at=at, note=("rule", body.name))
            block: t.Block = [e for tr in rule.before for e in self._triggered(tr, rule, at)]
            after = [e for tr in rule.after for e in self._triggered(tr, rule, at)]
            if rule.returns is not None:
                let = t.Let("result", call, at=at)
                block += [let, *after, t.Return(_variable("result", rule.returns, at), at=at)]
            else:
                block += [t.CallRule(call, at=at), *after]
            outer.steps = [Step("do", block, rule.span)]
            outer.asks, outer.changes, outer.guarded = rule.asks, rule.changes, rule.guarded
            traits = self.unit.traits
            body.changes, body.guarded = rule.changes, rule.guarded
            files = {step.block[0].span.path for step in rule.steps if step.block}
            body.asks = len(files) > 1 or any(map(traits.asks, _walk(rule.block)))
            outer.asks = outer.asks or body.asks
            self.model.rules[outer.name], self.model.rules[body.name] = outer, body
            self.plain.bodies[outer.name] = body
            found += [outer, body]
        return found

    def _triggered(self, trigger: Trigger, rule: Rule, at: t.At) -> t.Block:
        """Return the effects of a trigger: one test and call, or one per copy of its piece."""
        body = self.model.rules[trigger.body]
        here = body.block[0].at if body.block else at
        if trigger.design is None:
            return [self._test(trigger.when, self._call_body(body, rule, None, here), here)]
        kind = self.model.kinds[trigger.design.kind]
        found: t.Block = []
        for instance in self.layout.instances[kind.name]:
            if instance.design is trigger.design:
                it = t.Name(instance.id, at=here, note=("instance", kind.name, instance.id), type=ty.Ref(kind.name))
                active = _substitute(kind.active, it)
                when = _substitute(trigger.when, it) if trigger.when is not None else None
                inner = self._test(when, self._call_body(body, rule, it, here), here)
                found.append(self._test(active, inner, here))
        return found

    def _call_body(self, body: Rule, rule: Rule, it: t.Expr | None, at: t.At) -> t.Effect:
        arguments: list[t.Expr] = [_variable(n, type_, at) for n, type_ in rule.parameters]
        if it is not None:
            arguments.append(it)
        return t.CallRule(t.Call(body.name, arguments, at=at, note=("rule", body.name)), at=at)

    def _test(self, test: t.Expr | None, effect: t.Effect, at: t.At) -> t.Effect:
        return effect if test is None else t.If(test, [effect], [], at=at)

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
        body = self.plain.statements(rule.block, c)
        nothing = -1 if isinstance(rule.returns, ty.Maybe) else 0
        body.append(b.give(b.const(nothing)))
        if rule.recursive:
            body.insert(0, b.do(b.call("tick", b.const(100))))
        node = rule.block[0] if rule.block else t.Nothing(at=t.At(t.FixedText(rule.span), 0, 0))
        self.unit.define(self.plain.rule_id(rule.name), ["s", *map(local, names)], body, node)

    def _effect_can(self, rule: Rule) -> None:
        if rule.guarded:
            c = Context(self.unit, {"me": reader("me")}, None)
            self.plain.can_rule(rule, [b.const(0)], c)

    def _fill_effects(self) -> None:
        """Make the functions that carry out, push and test effects of pieces."""
        space, frames = self.unit.space, self.framed
        run: list[Any] = []
        cans: list[Any] = []
        for name in self.effect_ids:
            rule = self.model.rules[name]
            entry = frames.entries.get(name) if rule.asks else None
            run.append((entry, space[f"PAD_{entry}"]) if entry is not None else space[self.plain.rule_id(name)])
            cans.append(space.get(self.plain.rules.get(name, "")))

        def do_effect(s: State, me: int, effect: int, piece: int) -> None:
            if effect >= 0:
                run[effect](s, me, piece)

        def push_effect(s: State, me: int, effect: int, piece: int) -> None:
            if effect < 0:
                return
            work = run[effect]
            if work.__class__ is tuple:
                s[0].append([work[0], me, 0, piece, *work[1]])
            else:
                work(s, me, piece)

        def can_do(s: State, me: int, effect: int, piece: int) -> bool:
            test = cans[effect] if effect >= 0 else None
            return test is None or test(s, me, piece)

        space.update(do_effect=do_effect, push_effect=push_effect, can_do=can_do)

    def _spends(self) -> dict[int, Any]:
        """Return by base of a counter what is done for each one that is paid."""
        found: dict[int, Any] = {}
        for counter in self.model.counters.values():
            rule = self.model.rules.get(counter.spend)
            if rule is not None:
                base = self.layout.counters[counter.name][0]
                entry = self.framed.entries.get(rule.name) if rule.asks else None
                work = (
                    self.unit.space[self.plain.rule_id(rule.name)]
                    if entry is None
                    else (entry, self.unit.space[f"PAD_{entry}"])
                )
                for seat in range(self.layout.seats):
                    found[base + seat] = (work, base)
        return found

    # -- payments and anytime actions

    def _condition(self, expr: t.Expr | None) -> str | None:
        """Make a function of a condition over the state and me."""
        return None if expr is None else self._function_of(expr, lambda c: self.plain.condition(expr, c))

    def _function_of(self, node: t.Node, value: Callable[[Context], ast.expr]) -> str:
        c = Context(self.unit, {"me": reader("me")}, None)
        id_ = self.unit.fresh("w")
        self.unit.define(id_, ["s", "me"], [b.give(value(c))], node)
        return id_

    def _candidates(self, binder: t.Binder | None, when: t.Expr | None, body: Rule, node: t.Node | None) -> str:
        """Make a function that lists the values for which something is possible; [0] stands for no variable."""

        def value(c: Context) -> ast.expr:
            if binder is not None:
                return self.plain.collected([binder], when, c, body.block)
            tests = [self.plain.condition(when, c)] if when is not None else []
            more = self.plain.guard(body.block, c)
            tests += [more] if more is not None else []
            return ast.IfExp(b.both(tests), ast.List([b.const(0)], ast.Load()), ast.List([], ast.Load()))

        return self._function_of(node or binder or body.block[0], value)

    def _payments(self) -> None:
        """Compile conditions and side effects of payments; ``_late`` puts the functions themselves in."""
        for s in self.model.substitutions:
            self.whens[id(s)] = self._condition(s.when) or ""
        for d in self.model.discounts:
            self.whens[id(d)] = self._condition(d.when) or ""
            self.codes[id(d)] = self._side(d.body) if d.body else 0
        for w in self.model.waivers:
            self.whens[id(w)] = self._candidates(w.binder, w.when, self.model.rules[w.body], w.when)
            self.codes[id(w)] = self._side(w.body)

    def _fill_money(self) -> None:
        space, counters, money = self.unit.space, self.layout.counters, self.money

        def bases(names: tuple[str, ...]) -> tuple[int, ...]:
            return tuple(counters[name][0] for name in names)

        for s in self.model.substitutions:
            give, number = counters[s.give.thing or ""][0], self.layout.constants.number(s.give.amount)
            when = space.get(self.whens[id(s)])
            money.substitutions.append((give, number, s.most, frozenset(bases(s.targets)), when))
        for d in self.model.discounts:
            when = space.get(self.whens[id(d)])
            money.discounts.append((frozenset(d.on), d.less, bases(d.targets), when, self.codes[id(d)]))
        for w in self.model.waivers:
            candidates = space[self.whens[id(w)]]
            money.waivers.append((frozenset(w.on), frozenset(bases(w.of)), candidates, self.codes[id(w)]))

    def _side(self, name: str) -> int:
        rule = self.model.rules[name]
        self.money.sides.append(lambda s, me, x: None)
        position = len(self.money.sides) - 1
        self.sides.append((position, rule))
        return -1 - position

    def _anytime(self) -> list[tuple[str, Rule]]:
        found = []
        for action in self.model.anytime:
            body = self.model.rules[action.body]
            node = action.when or (body.block[0] if body.block else None)
            found.append((self._candidates(action.binder, action.when, body, node), body))
        if self.model.active is not None:
            self.active = self._function_of(self.model.active, lambda c: self.plain.expr(self.model.active, c))  # type: ignore[arg-type]
        return found

    def _anytime_functions(self, actions: list[tuple[str, Rule]]) -> tuple[Any, Any]:
        space = self.unit.space
        if not actions:
            return None, None
        lists = [space[id_] for id_, _ in actions]
        active = space.get(getattr(self, "active", ""))
        runs: list[Any] = []
        for _, body in actions:
            entry = self.framed.entries.get(body.name) if body.asks else None
            runs.append((entry, space[f"PAD_{entry}"]) if entry is not None else space[self.plain.rule_id(body.name)])
        binds = [bool(body.parameters) for _, body in actions]

        def anytime(s: State, me: int) -> list[tuple[int, int]]:
            if active is not None and active(s, me) != me:
                return []
            return [(k, x) for k, find in enumerate(lists) for x in find(s, me)]

        def take(s: State, me: int, k: int, x: int) -> None:
            given = [x] if binds[k] else []
            if runs[k].__class__ is tuple:
                s[0].append([runs[k][0], me, 0, *given, *runs[k][1]])
            else:
                runs[k](s, me, *given)

        space["anytime"] = anytime
        return anytime, take

    # -- measures

    def _measures(self) -> dict[str, str]:
        model = self.model
        found: dict[str, str] = {}
        for name, expr in (("score", model.score), *((f"tie {i}", e) for i, e in enumerate(model.ties))):
            if expr is not None:
                found[name] = self._function_of(expr, lambda c, e=expr: self.plain.expr(e, c))  # type: ignore[misc]
        for name, expr in model.values.items():
            found[f"value {name}"] = self._function_of(expr, lambda c, e=expr: self.plain.expr(e, c))  # type: ignore[misc]
        for name, (expr, _) in model.invariants.items():
            found[f"invariant {name}"] = self._function_of(expr, lambda c, e=expr: self.plain.condition(e, c))  # type: ignore[misc]
        return found

    # -- the end

    def _execute(self) -> None:
        for path, functions in self.unit.files.items():
            module = ast.Module(functions, [])
            ast.fix_missing_locations(module)
            exec(compile(module, path, "exec"), self.unit.space)
        self.unit.files.clear()

    def _late(self) -> None:
        """Bind what needs the functions themselves."""
        self._fill_money()
        for position, rule in self.sides:
            run = self.unit.space[self.plain.rule_id(rule.name)]
            bound = bool(rule.parameters)
            self.money.sides[position] = run if bound else _without_value(run)

    def _result(self, rules: list[Rule], actions: list[tuple[str, Rule]], measures: dict[str, str]) -> Program:
        space, frames = self.unit.space, self.framed
        anytime, take = self._anytime_functions(actions)
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
            self._callable(rules), {**space, **self._lookups(plain_start)}, self.events, list(self.effect_ids),
        )  # fmt: skip

    def _lookups(self, plain_start: list[Any]) -> dict[str, Any]:
        """Return what the runtime looks up besides generated functions."""
        sides = {rule.name: -1 - position for position, rule in self.sides}
        return {
            "ORIGINS": self.unit.origins,
            "plain_start": plain_start,
            "SIDES": sides,
            "ENTRIES": dict(self.framed.entries),
        }

    def _callable(self, rules: list[Rule]) -> dict[str, Any]:
        """Return each rule as a function that runs it, or pushes its frame: for tests of content."""
        found: dict[str, Any] = {}
        for rule in rules:
            entry = self.framed.entries.get(rule.name) if rule.asks else None
            if entry is not None:
                pad = self.unit.space[f"PAD_{entry}"]
                found[rule.name] = lambda s, me, *a, e=entry, p=pad: s[0].append([e, me, 0, *a, *p])
            else:
                found[rule.name] = self.unit.space[self.plain.rule_id(rule.name)]
        return found


def _without_value(run: Callable[..., Any]) -> Callable[[State, int, int], None]:
    """Return a side effect that does not look at the value it is called with."""

    def alone(s: State, me: int, value: int) -> None:
        run(s, me)

    return alone


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


def _is_effect(rule: Rule) -> bool:
    return rule.hidden and bool(rule.parameters) and rule.parameters[0][0] == "it" and "." in rule.name


def _walk(block: t.Block) -> Any:
    from patolli.analysis.traits import walk

    return walk(block)


def _variable(name: str, type_: ty.AnyType | None, at: t.At) -> t.Name:
    return t.Name(name, at=at, note=("variable", name), type=type_)


def _substitute(value: Any, it: t.Name) -> Any:
    """Return a copy of a tree in which the variable ``it`` is a certain piece."""
    if isinstance(value, t.Name) and value.id == "it":
        return it
    if isinstance(value, list):
        return [_substitute(v, it) for v in value]
    if isinstance(value, tuple):
        return tuple(_substitute(v, it) for v in value)
    if isinstance(value, t.Node):
        new = copy.copy(value)
        cls: type = type(value)
        for slot in parts(cls):
            setattr(new, slot, _substitute(getattr(value, slot), it))
        return new
    return value


__all__ = ["Program", "compile_program"]
