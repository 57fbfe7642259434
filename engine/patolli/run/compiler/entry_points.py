"""What can be started from outside rules: effects of pieces, anytime actions, and calls by tests of content.

In:     conditions, values and candidates as they stand in a pack, and compiled rules.
Out:    functions over the state and me; they can be looked up when the unit has been executed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from patolli.check.proofs.secrets import quiet
from patolli.kernel.budget import BLOCK, DEEPEST, meter, tick, too_deep
from patolli.kernel.state import State, preserve_turns
from patolli.language.diagnostics import Span
from patolli.language.program import types as ty
from patolli.language.program.expressions import Binder, Expr, Variable
from patolli.language.program.model import Formula, Program, Rule
from patolli.run.compiler import build as b
from patolli.run.compiler.effects import Effects
from patolli.run.compiler.executable import RETURN, Acting, goes_on, is_secret
from patolli.run.compiler.frames import Frames
from patolli.run.compiler.layout import FRAMES
from patolli.run.compiler.optimizer import shortens
from patolli.run.compiler.purity import substitute_names
from patolli.run.compiler.unit import Context, Unit, of_variables

Work = Any
"""How a rule is carried out: a function, or for one on frames the number of its first block and its variables."""
Anytime = tuple[Callable[..., list[tuple[int, int]]], Callable[[State, int, int, int], None]]
"""What a player may do at any time, as pairs of an action and its value, and what takes one of them."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A rule on frames whose beginning is reported."""

    work: tuple[int, list[int]]
    report: Callable[..., None]

    def __call__(self, s: State, me: int, *arguments: int, back: int = 0) -> None:
        """Say that it begins, and push its frame."""
        self.report(s, me, *arguments)
        _start(self.work, s, me, arguments, back)


class EntryPoints:
    """Ties the compiled rules to what the runtime calls."""

    def __init__(self, unit: Unit, plain: Effects, framed: Frames) -> None:
        self.unit, self.plain, self.framed = unit, plain, framed
        self.blocks: list[Callable[..., Any]] = []  # all blocks of rules on frames, as soon as they are linked

    def work(self, rule: Rule) -> Work:
        """Return how a compiled rule is carried out."""
        entry = self.framed.entries.get(rule.name) if rule.name in self.unit.framing.framed else None
        if entry is None:
            return self.unit.space[self.plain.rule_id(rule.name)]
        work = (entry, self.unit.space[f"PAD_{entry}"])
        watched, scoped = self.unit.watched.get(rule.name), self.unit.scopes.get(rule.name)
        teller = watched.teller if watched is not None and watched.says else scoped.teller if scoped is not None else ""
        return Begun(work, self.unit.space[teller]) if teller else work

    def go_through(self, s: State, rule: str, me: int, *arguments: int) -> None:
        """Carry out a rule on frames that asks no question, to look ahead, and be back when it is done."""
        outer, frames, depth = s[FRAMES], list[list[Any]](), meter.depth
        entry = self.framed.entries[rule]
        frames.append([entry, me, 0, *arguments, *self.unit.space[f"PAD_{entry}"]])
        s[FRAMES] = frames
        depth[0] += 1
        try:
            if depth[0] > DEEPEST:
                too_deep()
            with preserve_turns():
                while frames:
                    tick(BLOCK)
                    self.blocks[frames[-1][0]](s, frames[-1])
        finally:
            s[FRAMES] = outer
            depth[0] -= 1

    def formula(self, formula: Formula) -> str:
        """Make a function of a formula over the state and me."""
        value = self.plain.expr(formula.body, of_variables(self.unit, formula.me))
        return self._define_value(formula.me, value, formula.body.span)

    def expression(self, expr: Expr) -> str:
        """Make a function of an expression in which no player is `me`."""
        no_player = Variable("", expr.type, expr.span)
        return self._define_value(no_player, self.plain.expr(expr, of_variables(self.unit)), expr.span)

    def _define_value(self, me: Variable, value: ast.expr, span: Span) -> str:
        id_ = self.unit.fresh("w")
        self.unit.define(id_, ["s", self.unit.local(me)], [b.give(value)], span)
        return id_

    def candidates(self, me: Variable, binder: Binder | None, when: Expr | None, body: Rule) -> str:
        """Make a function that lists the values for which something is possible; [0] stands for no variable."""
        c = of_variables(self.unit, me)
        node = when or (body.block[0] if body.block else binder)
        return self._define_value(me, self._possible(me, binder, when, body, c), node.span if node else body.span)

    def _possible(self, me: Variable, binder: Binder | None, when: Expr | None, body: Rule, c: Context) -> ast.expr:
        given = [c.read_variable(me)]
        if binder is not None:
            chosen = binder.variable

            def possible(inner: Context) -> ast.expr | None:
                return self.plain.compile_test(
                    body, [*given, inner.read_variable(chosen)] if body.parameters else given
                )

            return self.plain.collect_options((binder,), when, c, possible)
        tests = [self.plain.condition(when, c)] if when is not None else []
        more = self.plain.compile_test(body, given)
        tests += [more] if more is not None else []
        return ast.IfExp(b.both(tests), ast.List([b.const(0)], ast.Load()), ast.List([], ast.Load()))


def piece_effects(model: Program) -> dict[str, int]:
    """Return the number of each effect that a piece holds, by the name of its rule."""
    names = [name for name, rule in model.rules.items() if _is_effect(rule)]
    return {name: number for number, name in enumerate(names)}


def _is_effect(rule: Rule) -> bool:
    return rule.hidden and bool(rule.parameters) and rule.parameters[0].name == "it" and "." in rule.name


def link_effects(entry_points: EntryPoints, numbers: dict[str, int]) -> dict[str, Any]:
    """Return the functions that carry out, push and test effects of pieces, and what these are made of."""
    space = entry_points.unit.space
    run = [entry_points.work(entry_points.unit.model.rules[name]) for name in numbers]
    cans = [space.get(entry_points.unit.tests.get(name, "")) for name in numbers]

    def do_effect(s: State, me: int, effect: int, piece: int) -> None:
        if effect >= 0:
            run[effect](s, me, piece)

    def push_effect(s: State, me: int, effect: int, piece: int) -> None:
        if effect >= 0:
            _start(run[effect], s, me, (piece,))

    def can_do(s: State, me: int, effect: int, piece: int) -> bool:
        test = cans[effect] if effect >= 0 else None
        return test is None or test(s, me, piece)

    return {"do_effect": do_effect, "push_effect": push_effect, "can_do": can_do, "EFFECTS": run, "CANS": cans}


def _start(work: Work, s: State, me: int, arguments: tuple[int, ...], back: int = 0) -> None:
    """Run a rule, or push its frame; *back* says where it returns to, see ``executable.goes_on``."""
    if work.__class__ is Begun:
        work.report(s, me, *arguments)
        work = work.work
    if work.__class__ is tuple:
        s[0].append([work[0], me, back, *arguments, *work[1]])
    else:
        work(s, me, *arguments)


class Actions:
    """Compiles the anytime actions; ``link`` makes the functions that list and take them."""

    def __init__(self, entry_points: EntryPoints) -> None:
        self.entry_points = entry_points
        self.model = entry_points.unit.model
        self.finds: list[tuple[str, Rule]] = []
        self.active = self.together = ""
        self.quiet: frozenset[int] = frozenset()
        self.acting: Acting | None = None

    def compile(self) -> None:
        """Compile what lists the values of each action, and who is active."""
        summaries = self.entry_points.unit.summaries
        self.quiet = frozenset(k for k, a in enumerate(self.model.anytime) if quiet(self.model, summaries, a))
        for action in self.model.anytime:
            body = self.model.rules[action.body]
            self.finds.append((self.entry_points.candidates(action.me, action.binder, action.when, body), body))
        if self.model.active is not None:
            self.active = self.entry_points.expression(self.model.active)
        if shortens() and self.finds:
            self.together = self._together()

    def _together(self) -> str:
        """Make one function that lists all actions, with their values; those of other files are called."""
        unit, span = self.entry_points.unit, self.model.anytime[0].span
        near = {one.name: one for one in unit.files.get(span.path, ())}
        found = b.lists(
            [_compile_action_values(number, id_, near.get(id_)) for number, (id_, _) in enumerate(self.finds)]
        )
        body = [b.give(found)]
        if self.active:
            others = ast.In() if self._several else ast.Eq()
            mine = ast.Compare(b.name("me"), [others], [b.call(self.active, b.name("s"), b.name("me"))])
            body.insert(0, b.when(b.negate(mine), [b.give(ast.List([], ast.Load()))]))
        name = unit.fresh("w")
        unit.define(name, ["s", "me"], body, span)
        return name

    @property
    def _several(self) -> bool:
        return self.model.active is not None and isinstance(self.model.active.type, ty.Seq)

    def link(self) -> Anytime | None:
        """Return what lists and what takes anytime actions; None where a pack has none."""
        if not self.finds:
            return None
        space = self.entry_points.unit.space
        lists = [space[id_] for id_, _ in self.finds]
        runs = [self.entry_points.work(body) for _, body in self.finds]
        binds = [bool(body.parameters) for _, body in self.finds]
        active = space.get(self.active)
        several, together = self._several, space.get(self.together)
        self.acting = Acting(lists, runs, binds, active, several)
        secret, all_ = self.entry_points.framed.secret, list(enumerate(lists))
        unseen = [(k, find) for k, find in all_ if k in self.quiet]

        def anytime(s: State, me: int, known: bool = False) -> list[tuple[int, int]]:
            if together is not None and (known or not is_secret(s[FRAMES], secret)):
                found: list[tuple[int, int]] = together(s, me)
            elif active is not None and (me not in active(s, me) if several else active(s, me) != me):
                return []
            else:
                finds = all_ if known or not is_secret(s[FRAMES], secret) else unseen
                found = [(k, x) for k, find in finds for x in find(s, me)]
            if found:
                for frame in s[FRAMES]:
                    if frame[RETURN] < 0:
                        # One inside itself would be offered there again, and so on without an end.
                        return [(k, x) for k, x in found if not goes_on(s[FRAMES], k, [x] if binds[k] else [])]
            return found

        def take(s: State, me: int, k: int, x: int) -> None:
            _start(runs[k], s, me, (x,) if binds[k] else (), -1 - k)

        return anytime, take


def _compile_action_values(number: int, id_: str, function: ast.FunctionDef | None) -> ast.expr:
    """Return what lists an action with its values, where possible without a call of the function that lists these."""
    head = b.const(number)
    if function is not None and len(function.body) == 1 and isinstance(function.body[0], ast.Return):
        given = function.body[0].value
        values = {one.arg: b.name(name) for one, name in zip(function.args.args, ("s", "me"), strict=True)}
        match given:
            case ast.ListComp():
                made = substitute_names(given, values)
                assert isinstance(made, ast.ListComp)
                made.elt = ast.Tuple([head, made.elt], ast.Load())
                return made
            case ast.IfExp(test=test, body=ast.List(elts=[ast.Constant()]), orelse=ast.List(elts=[])):
                return ast.IfExp(
                    substitute_names(test, values),
                    ast.List([b.const([number, 0])], ast.Load()),
                    ast.List([], ast.Load()),
                )
    value = b.name("x")
    every = ast.comprehension(b.store(value), b.call(id_, b.name("s"), b.name("me")), [], 0)
    return ast.ListComp(ast.Tuple([head, value], ast.Load()), [every])


def callable_rules(entry_points: EntryPoints, rules: list[Rule]) -> dict[str, Callable[..., None]]:
    """Return each rule as a function that runs it, or pushes its frame: for tests of content."""

    def starter(work: Work) -> Callable[..., None]:
        return work if callable(work) else lambda s, me, *arguments: _start(work, s, me, arguments)

    return {rule.name: starter(entry_points.work(rule)) for rule in rules}
