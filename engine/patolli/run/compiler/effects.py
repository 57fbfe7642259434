"""Compile effects that ask no question into plain Python statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.dispatch import handles
from patolli.language.program.expressions import Binder, Variable
from patolli.language.program.preconditions import ALWAYS, Afford, Demand, Test
from patolli.run.compiler import build as b
from patolli.run.compiler import narration, payments, promises
from patolli.run.compiler.build import parts_of
from patolli.run.compiler.layout import OVER
from patolli.run.compiler.overflow import check_overflow
from patolli.run.compiler.preconditions import Tests, at_the_end
from patolli.run.compiler.purity import names_in
from patolli.run.compiler.repeats import may_repeat
from patolli.run.compiler.unit import Context, Unit

Stored = tuple[Context, list[ast.stmt]]


def nothing_of(returns: ty.AnyType | None) -> object:
    """Return what a rule gives that is left without a value."""
    return () if isinstance(returns, ty.Seq) else -1 if isinstance(returns, ty.Maybe) else 0


class Effects(Tests):
    """The compiler of effects without questions; subclasses leave rules, store variables and break loops."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.rule_ids: dict[str, str] = {}
        self.nothing: object = None  # what the rule that is being compiled returns when it is left by `stop`
        self.me: Variable | None = None  # who acts where an effect stands, for people
        self.left = ""  # the rule that is being compiled, for people

    # -- what differs between plain functions and frames

    def leave(self, value: ast.expr | None) -> list[ast.stmt]:
        """Leave the rule."""
        given, ended = (
            b.const(self.nothing) if value is None else value,
            narration.report_rule_end(self.unit, self.left),
        )
        if not ended or value is None:
            return [*ended, b.give(given)]
        kept = b.name(self.unit.fresh("m"))
        return [b.assign(kept, given), *ended, b.give(kept)]

    def declare(self, variable: Variable, c: Context) -> Context:
        """Bring a variable into scope."""
        return c.child(variable)

    def break_(self) -> list[ast.stmt]:
        """Leave the innermost loop."""
        return [ast.Break()]

    def acting(self, c: Context) -> ast.expr:
        """Return who acts."""
        assert self.me is not None
        return c.read_variable(self.me)

    @contextmanager
    def acting_as(self, me: Variable) -> Iterator[None]:
        """Let another player act."""
        before, self.me = self.me, me
        yield
        self.me = before

    # -- blocks

    def statements(self, block: e.Block, c: Context) -> list[ast.stmt]:
        """Compile a block."""
        body: list[ast.stmt] = []
        for effect in block:
            c, more = self.statement(effect, c)
            line = effect.span.line
            for statement in more:
                b.place(statement, line)
            body.extend(more)
        return body

    def statement(self, effect: e.Effect, c: Context) -> Stored:
        """Compile one effect; return the context behind it."""
        result = self.handlers["do"][type(effect)](self, effect, c)
        return result if isinstance(result, tuple) else (c, result)

    def compile_stored_value(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile a value that goes into the state or a variable, or is handed on: truth values become 0 and 1."""
        if expr.type != ty.BOOL:
            return self.compile_kept_value(expr, c)
        value = self.condition(expr, c)
        if isinstance(value, ast.Constant):
            return b.const(int(bool(value.value)))
        return ast.IfExp(value, b.const(1), b.const(0))

    def rule_id(self, name: str) -> str:
        """Return the name of the function of a plain rule."""
        if name not in self.rule_ids:
            self.rule_ids[name] = self.unit.fresh("r")
        return self.rule_ids[name]

    def carried_out(self, rule: str, arguments: list[ast.expr]) -> ast.expr:
        """Return the call that carries out a rule which asks no question; the first argument is me."""
        if rule in self.unit.framing.framed:  # its steps stand in several files
            return b.call("go_through", b.name("s"), b.const(rule), *arguments)
        return b.call(self.rule_id(rule), b.name("s"), *arguments)

    # -- counters and fields

    @handles("do", e.Gain)
    def _do_gain(self, effect: e.Gain, c: Context) -> list[ast.stmt]:
        c, before, items = payments.beforehand(self, effect.items, c)
        return [*before, *payments.change(self, replace(effect, items=items), c)]

    @handles("do", e.Pay)
    def _do_pay(self, effect: e.Pay, c: Context) -> list[ast.stmt]:
        if self.unit.summaries.plain(effect):
            test = payments.enough(self, effect, c) if self.is_checked(Afford(effect, ALWAYS)) else []
            return [*test, *payments.subtract(self, effect, c)]
        first, who = b.item(payments.ways(self, effect, c), 0), self.expr(effect.who, c)
        return narration.way(
            self.unit, "pay_way", who, first,
            lambda way: b.call("apply_way", b.name("s"), who, way, b.name("MONEY")),
        )  # fmt: skip

    def is_checked(self, demand: Demand) -> bool:
        """Return whether a match checks a demand when it comes there.

        In packs that leave demands open, all are checked that do not hold in any case: what a rule begins with was
        looked at before it was offered, but not where a call of it is an open demand itself.
        """
        return self.unit.model.composition.is_open and self.unit.proven.prune_demand(demand) is not ALWAYS

    @handles("do", e.Set)
    def _do_set(self, effect: e.Set, c: Context) -> list[ast.stmt]:
        target = effect.target
        match target:
            case x.Local():
                value = self.compile_stored_value(effect.value, c)
                return [b.assign(c.read_variable(target.variable), check_overflow(value, effect.value, target))]
            case x.CounterAt():
                value = self._clamp_value(target, effect.value, self.compile_stored_value(effect.value, c))
            case x.FieldOf():
                value = check_overflow(self.compile_stored_value(effect.value, c), effect.value, target)
                value = self._in_range(target, value)
            case _:
                raise TypeError(target)
        return self._store_value(self.expr(target, c), value, c)

    def _store_value(self, into: ast.expr, value: ast.expr, c: Context) -> list[ast.stmt]:
        """Return the statements that store a value in the state."""
        if not self.unit.narrate or not isinstance(into, ast.Subscript):
            return [b.assign(into, value)]
        kept = b.name(self.unit.fresh("m"))
        change = narration.change(
            self.unit, "set", self.acting(c), into.slice, lambda slot: [b.assign(b.item("s", slot), kept)]
        )
        return [b.assign(kept, value), *change]

    def _clamp_value(self, target: x.CounterAt, expr: x.Expr, value: ast.expr) -> ast.expr:
        """Return a value that a counter takes, kept within its bounds where it may lie outside."""
        low, high = self.model.counters[target.counter].low, self.layout.limits[target.counter]
        if isinstance(value, ast.Constant) and isinstance(value.value, int):
            inside = low <= value.value and (high is None or value.value <= high)
            return value if inside else payments.within(value, low, high)
        safe = low <= 0 and self.unit.proven.never_negative(expr)
        value = check_overflow(value, expr, target) if high is None else value
        return payments.within(value, None if safe else low, high)

    def _in_range(self, target: x.FieldOf, value: ast.expr) -> ast.expr:
        """Return a value that a field takes, with a look whether it lies in the range that the field declares."""
        attribute = self.model.kinds[target.kind].fields[target.field]
        low, high = attribute.low, attribute.high
        if low is None or high is None or isinstance(value, ast.Constant):
            return value
        return b.call("check_range", value, b.const(low), b.const(high), b.const(attribute.name))

    # -- pieces

    def _base(self, kind: str) -> ast.expr:
        return b.const(self.layout.at[kind])

    @handles("do", e.Move)
    def _do_move(self, effect: e.Move, c: Context) -> list[ast.stmt]:
        piece, base = self.expr(effect.what, c), self._base(effect.kind)
        arguments = [b.name("s"), base, piece, self.place_slot(effect.to, c)]
        function = "move_under" if effect.bottom else "move"
        if not effect.bottom and effect.to.place:
            function = "move_to_spot" if effect.to.sort == "spot" else "move_to_list"
        if not self.unit.narrate:
            return [b.do(b.call(function, *arguments))]
        # What is moved, and where to, may read differently afterwards.
        moved, to, old = (b.name(self.unit.fresh("m")) for _ in range(3))
        return [
            b.assign(moved, piece),
            b.assign(to, arguments[3]),
            b.assign(old, b.item("s", b.add(base, moved))),
            b.do(b.call(function, b.name("s"), base, moved, to)),
            b.do(b.call("say", b.const("move"), self.acting(c), base, moved, to, old)),
        ]

    def _moving(self, effect: e.Effect, kind: str, c: Context, *given: ast.expr) -> list[ast.stmt]:
        """Carry out the function of the kernel that is called as the effect is, and report it."""
        work = b.call(type(effect).__name__.lower(), b.name("s"), self._base(kind), *given)
        return narration.report_move(self.unit, effect, kind, self.acting(c), work)

    @handles("do", e.Swap)
    def _do_swap(self, effect: e.Swap, c: Context) -> list[ast.stmt]:
        return self._moving(effect, effect.kind, c, self.expr(effect.first, c), self.expr(effect.second, c))

    @handles("do", e.Shuffle)
    def _do_shuffle(self, effect: e.Shuffle, c: Context) -> list[ast.stmt]:
        stream, slot = b.const(f"shuffle.{effect.place.place}"), self.place_slot(effect.place, c)
        if not self.unit.narrate:
            return [b.do(b.call("shuffle", b.name("s"), slot, stream))]
        where = b.name(self.unit.fresh("m"))
        return [
            b.assign(where, slot),
            b.do(b.call("shuffle", b.name("s"), where, stream)),
            b.do(b.call("say", b.const("shuffled"), self.acting(c), where)),
        ]

    @handles("do", e.Reveal)
    def _do_reveal(self, effect: e.Reveal, c: Context) -> list[ast.stmt]:
        """Report who learns of a piece."""
        if not self.unit.narrate:
            return self._evaluate_only((effect.what, effect.who), c)
        who, base, piece = self.expr(effect.who, c), self._base(effect.kind), b.name(self.unit.fresh("m"))
        seats = b.call("tuple", who) if isinstance(effect.who.type, ty.Seq) else ast.Tuple([who], ast.Load())
        slot = b.item("s", b.add(base, piece))
        reported = b.call("say", b.const("revealed"), self.acting(c), base, piece, slot, seats)
        return [b.assign(piece, self.expr(effect.what, c)), b.do(reported)]

    @handles("do", e.Draw)
    def _do_draw(self, effect: e.Draw, c: Context) -> list[ast.stmt]:
        source, to = self.place_slot(effect.source, c), self.place_slot(effect.to, c)
        return self._moving(effect, effect.kind, c, self.expr(effect.amount, c), source, to)

    @handles("do", e.Refill)
    def _do_refill(self, effect: e.Refill, c: Context) -> list[ast.stmt]:
        first, size = self.row_slots(effect.row, c)
        return self._moving(effect, effect.kind, c, first, b.const(size), self.place_slot(effect.source, c))

    @handles("do", e.Slide)
    def _do_slide(self, effect: e.Slide, c: Context) -> list[ast.stmt]:
        first, size = self.row_slots(effect.row, c)
        return self._moving(effect, effect.kind, c, first, b.const(size))

    @handles("do", e.Random)
    def _do_random(self, effect: e.Random, c: Context) -> Stored:
        source, before = self.expr(effect.source, c), list[ast.stmt]()
        if self.unit.model.composition.is_open and not isinstance(effect.variable.type, ty.Maybe):
            kept = b.name(self.unit.fresh("m"))
            empty = b.compare(b.call("len", kept), "==", b.const(0))
            before = [b.assign(kept, source), b.when(empty, [b.do(b.call("nothing_to_draw"))])]
            source = kept
        drawn = b.call("draw_one", b.name("s"), source, b.const(f"random.{effect.variable.name}"))
        inner = self.declare(effect.variable, c)
        now = inner.read_variable(effect.variable)
        body = [*before, b.assign(now, drawn)]
        if self.unit.narrate:
            type_ = b.const(str(effect.source.type))
            body.append(b.do(b.call("say", b.const("random"), self.acting(c), type_, now)))
        return inner, body

    # -- names and control

    @handles("do", e.Let)
    def _do_let(self, effect: e.Let, c: Context) -> Stored:
        value = self.compile_stored_value(effect.value, c)
        inner = self.declare(effect.variable, c)
        return inner, [b.assign(inner.read_variable(effect.variable), value)]

    @handles("do", e.CallRule)
    def _do_call_rule(self, effect: e.CallRule, c: Context) -> Stored:
        arguments = [self.compile_stored_value(a, c) for a in (effect.me, *effect.arguments)]
        call = self.carried_out(effect.rule, arguments)
        if effect.into is None:
            return c, [b.do(call)]
        inner = self.declare(effect.into, c)
        return inner, [b.assign(inner.read_variable(effect.into), call)]

    @handles("do", e.Do)
    def _do_do(self, effect: e.Do, c: Context) -> list[ast.stmt]:
        given = (self.expr(part, c) for part in (effect.me, effect.value, effect.it))
        return [b.do(b.call("do_effect", b.name("s"), *given))]

    @handles("do", e.Return)
    def _do_return(self, effect: e.Return, c: Context) -> list[ast.stmt]:
        return self.leave(self.compile_stored_value(effect.value, c) if effect.value is not None else None)

    @handles("do", e.Break)
    def _do_break(self, effect: e.Break, c: Context) -> list[ast.stmt]:
        return self.break_()

    @handles("do", e.EndMatch)
    def _do_end_match(self, effect: e.EndMatch, c: Context) -> list[ast.stmt]:
        return [b.assign(b.item("s", OVER), b.const(1)), ast.Raise(b.name("MatchOver"), None)]

    @handles("do", e.Nothing, e.Pause)
    def _do_nothing(self, effect: e.Nothing | e.Pause, c: Context) -> list[ast.stmt]:
        """Do nothing: a pause is none where there are no anytime actions."""
        return []

    @handles("do", e.Require)
    def _do_require(self, effect: e.Require, c: Context) -> list[ast.stmt]:
        """Check what is required, unless that was certainly looked at before."""
        if not self.is_checked(Test(effect, ALWAYS)):
            return []
        return [b.when(b.negate(self.condition(effect.condition, c)), [b.do(b.call("not_met"))])]

    @handles("do", e.Expect)
    def _do_expect(self, effect: e.Expect, c: Context) -> list[ast.stmt]:
        return promises.compile_promise_checks(self, effect, c)

    @handles("do", e.Say)
    def _do_say(self, effect: e.Say, c: Context) -> list[ast.stmt]:
        if not self.unit.narrate:
            return self._evaluate_only(effect.values, c)
        values: list[ast.expr] = [
            ast.Tuple([b.name(self.unit.keep("Y", v.type)), self.compile_kept_value(v, c)], ast.Load())
            for v in effect.values
        ]
        reported = ast.Tuple(values, ast.Load())
        return [b.do(b.call("say", b.const("said"), self.acting(c), b.const(effect.text), reported))]

    def _evaluate_only(self, values: Sequence[x.Expr], c: Context) -> list[ast.stmt]:
        """Evaluate what only a report uses, in packs that leave demands open: it fails as it does in a report.

        In other packs nothing is done. But a block that only goes on is left out, and this one must be in its place:
        a match stands at the same block as one that narrates.
        """
        computed = [b.do(self.expr(one, c)) for one in values] if self.unit.model.composition.is_open else []
        return computed or [ast.Pass()]

    @handles("do", e.Mark)
    def _do_mark(self, effect: e.Mark, c: Context) -> list[ast.stmt]:
        return [b.do(b.call(self.unit.keep("mark", effect.reached)))]

    @handles("do", e.PassTo)
    def _do_pass_to(self, effect: e.PassTo, c: Context) -> list[ast.stmt]:
        return [b.assign(c.read_variable(effect.variable), self.expr(effect.who, c))]

    @handles("do", e.If)
    def _do_if(self, effect: e.If, c: Context) -> list[ast.stmt]:
        then, other = self.statements(effect.then, c), self.statements(effect.other, c)
        return [b.when(self.condition(effect.condition, c), then, other)]

    def collect_values(
        self, binders: Sequence[Binder], where: x.Expr | None, c: Context,
        more: Callable[[Context], ast.expr | None] = lambda _: None, head: Sequence[int] = (),
    ) -> ast.expr:  # fmt: skip
        """Return the list of values that binders take, tuples when there are several; *more* is tested of each.

        A number at the *head* makes tuples in any case. What at the end of *more* says nothing of the values is tested
        once, when there are any.
        """
        variables = [binder.variable for binder in binders]
        tested = parts_of(more(c.child(*variables)))
        names = set(map(self.unit.local, variables))
        same = at_the_end(not names.isdisjoint(names_in(test)) for test in tested)

        def compile_options(c: Context) -> ast.expr:
            generators, inner = self.generators(binders, where, c)
            tests = parts_of(more(inner))
            generators[-1].ifs += tests[: len(tests) - same]
            values = [inner.read_variable(variable) for variable in variables]
            if len(binders) == 1 and not generators[0].ifs and not head:
                return b.call("list", generators[0].iter)
            values = [*map(b.const, head), *values]
            item = values[0] if len(values) == 1 else ast.Tuple(values, ast.Load())
            return ast.ListComp(item, generators)

        def at_once(c: Context) -> ast.expr:
            inner, out = c.lift_context(), b.name("out")
            found = b.assign(out, compile_options(inner))
            behind = parts_of(more(inner.child(*variables)))[-same:]
            answer = ast.IfExp(b.both([out, *behind]), out, ast.List([], ast.Load()))
            return self.call_lifted(self.unit.lift("q", inner, [found, b.give(answer)], binders[0].span), c)

        return self.remembering(binders, (where,), c, at_once if same else compile_options, binders[0].span)

    def collect_options(
        self, binders: Sequence[Binder], where: x.Expr | None, c: Context,
        more: Callable[[Context], ast.expr | None], head: Sequence[int] = (),
    ) -> ast.expr:  # fmt: skip
        """Return the same as options: each once, though a list may hold an item twice."""
        found = self.collect_values(binders, where, c, more, head)
        repeated = any(may_repeat(binder.source, self.unit) for binder in binders)
        return b.call("once", found) if repeated else found

    @handles("do", e.For)
    def _do_for(self, effect: e.For, c: Context) -> list[ast.stmt]:
        source = self.collect_values(effect.binders, effect.where, c)
        variables = [binder.variable for binder in effect.binders]
        inner = c.child(*variables)
        body = self.statements(effect.body, inner)
        if len(variables) == 1:
            return [b.loop(self.unit.local(variables[0]), source, body)]
        names = ast.Tuple([b.store(inner.read_variable(v)) for v in variables], ast.Store())
        return [ast.For(names, source, body or [ast.Pass()], [])]

    @handles("do", e.Repeat)
    def _do_repeat(self, effect: e.Repeat, c: Context) -> list[ast.stmt]:
        times = b.call("span", b.const(0), self.expr(effect.times, c))
        return [b.loop(self.unit.fresh("i"), times, self.statements(effect.body, c))]

    @handles("do", e.Loop)
    def _do_loop(self, effect: e.Loop, c: Context) -> list[ast.stmt]:
        body = self.statements(effect.body, c) or [ast.Pass()]
        return [
            ast.For(ast.Name(self.unit.fresh("i"), ast.Store()), b.name("PASSES"), body, [b.do(b.call("too_long"))])
        ]

    @handles("do", e.As)
    def _do_as(self, effect: e.As, c: Context) -> list[ast.stmt]:
        who = self.expr(effect.who, c)
        inner = c.child(effect.variable)
        with self.acting_as(effect.variable):
            return [b.assign(inner.read_variable(effect.variable), who), *self.statements(effect.body, inner)]

    @handles("do", e.Simultaneously)
    def _do_simultaneously(self, effect: e.Simultaneously, c: Context) -> list[ast.stmt]:
        return self._do_for(one_by_one(effect), c)


def one_by_one(effect: e.Simultaneously) -> e.For:
    """Return simultaneous choices as they are carried out: one player after another acts."""
    span = effect.span
    who = x.Local(effect.variable, type=effect.variable.type, span=span)
    binder = Binder(effect.variable, effect.source, span=span)
    return e.For((binder,), None, False, None, (e.As(effect.me, who, None, effect.body, span=span),), span=span)
