"""Compile effects that ask nobody into plain Python statements."""

from __future__ import annotations

import ast

from patolli.analysis.walking import calls_rule
from patolli.compiler import build as b
from patolli.compiler import payments, telling
from patolli.compiler.guards import Guards
from patolli.compiler.layout import FRAMES, OVER
from patolli.compiler.overflow import watched
from patolli.compiler.unit import Context, Unit, local, reader
from patolli.language import tree as t
from patolli.program import types as ty


def nothing_of(returns: ty.AnyType | None) -> object:
    """Return what a rule gives that is left without a value."""
    return () if isinstance(returns, ty.Seq) else -1 if isinstance(returns, ty.Maybe) else 0


class Effects(Guards):
    """The compiler of effects without questions.

    Subclasses say how a rule is left, how a variable is stored and how a loop is broken.
    """

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.rule_ids: dict[str, str] = {}
        self.nothing: object = None  # what the rule that is being compiled returns when it is left by `stop`

    # -- what differs between plain functions and frames

    def leave(self, value: ast.expr | None) -> list[ast.stmt]:
        """Leave the rule."""
        return [b.give(b.const(self.nothing) if value is None else value)]

    def target(self, name: str, c: Context) -> ast.expr:
        """Return what an assignment to a variable stores into."""
        return c.read(name)

    def declare(self, name: str, c: Context) -> Context:
        """Bring a variable into scope."""
        return c.child(name)

    def break_(self) -> list[ast.stmt]:
        """Leave the innermost loop."""
        return [ast.Break()]

    # -- blocks

    def statements(self, block: t.Block, c: Context) -> list[ast.stmt]:
        """Compile a block."""
        body: list[ast.stmt] = []
        for effect in block:
            c, more = self.statement(effect, c)
            line = effect.span.line
            for statement in more:
                b.place(statement, line)
            body.extend(more)
        return body

    def statement(self, effect: t.Effect, c: Context) -> tuple[Context, list[ast.stmt]]:
        """Compile one effect; return the context behind it."""
        result = getattr(self, f"_do_{type(effect).__name__.lower()}")(effect, c)
        return result if isinstance(result, tuple) else (c, result)

    def stored(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile a value that goes into the state: truth values become 0 and 1."""
        value = self.condition(expr, c) if expr.type == ty.BOOL else self.expr(expr, c)
        if expr.type == ty.BOOL:
            if isinstance(value, ast.Constant):
                return b.const(int(bool(value.value)))
            return ast.IfExp(value, b.const(1), b.const(0))
        return value

    def value(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile a value that may be what a rule returns."""
        if calls_rule(expr):
            return self.call_rule(expr, c)
        return self.stored(expr, c)

    def call_rule(self, call: t.Call, c: Context) -> ast.expr:
        """Return the call of a plain rule."""
        arguments = [self.stored(a, c) for a in call.arguments]
        return b.call(self.rule_id(call.id), b.name("s"), c.read("me"), *arguments)

    def rule_id(self, name: str) -> str:
        """Return the name of the function of a plain rule."""
        if name not in self.rule_ids:
            self.rule_ids[name] = self.unit.fresh("r")
        return self.rule_ids[name]

    # -- counters and fields

    def _do_gain(self, effect: t.Gain, c: Context) -> list[ast.stmt]:
        who = self.expr(effect.who, c) if effect.who is not None else None
        return payments.change(self, effect, c, who)

    def _do_pay(self, effect: t.Pay, c: Context) -> list[ast.stmt]:
        if payments.plain(self, effect.items, effect.tag):
            return payments.subtract(self, effect.items, c)
        first = b.item(payments.ways(self, effect, c), 0)
        return telling.way(
            self.unit, "pay_way", c.read("me"), first,
            lambda way: b.call("apply_way", b.name("s"), c.read("me"), way, b.name("MONEY")),
        )  # fmt: skip

    def _do_setto(self, effect: t.SetTo, c: Context) -> list[ast.stmt]:
        note = effect.target.note
        value = self.value(effect.value, c)
        if note[0] == "variable":
            return [b.assign(self.target(note[1], c), watched(value, effect.value, effect.target))]
        return self.put(effect, value, c)

    def put(self, effect: t.SetTo, value: ast.expr, c: Context) -> list[ast.stmt]:
        """Return the statements that store a value in a counter, within its bounds, or in a field."""
        target = effect.target
        into = self.expr(target, c)
        if target.note[0] == "counter":
            value = self._bounded(target.note[1], effect, value)
        else:
            value = self._in_range(target.note, watched(value, effect.value, effect.target))
        if not self.unit.narrate or not isinstance(into, ast.Subscript):
            return [b.assign(into, value)]
        kept = b.name(self.unit.fresh("m"))  # a value may be the result of a rule, which comes first
        change = telling.change(
            self.unit, "set", c.read("me"), into.slice, lambda slot: [b.assign(b.item("s", slot), kept)]
        )
        return [b.assign(kept, value), *change]

    def _bounded(self, name: str, effect: t.SetTo, value: ast.expr) -> ast.expr:
        """Return a value that a counter takes, kept within its bounds where it may lie outside."""
        low, high = self.model.counters[name].low, self.layout.limits[name]
        if isinstance(value, ast.Constant) and isinstance(value.value, int):
            inside = low <= value.value and (high is None or value.value <= high)
            return value if inside else payments.within(value, low, high)
        safe = low <= 0 and self.traits.amounts.never_negative(effect.value)
        value = watched(value, effect.value, effect.target) if high is None else value
        return payments.within(value, None if safe else low, high)

    def _in_range(self, note: tuple[str, ...], value: ast.expr) -> ast.expr:
        """Return a value that a field takes, with a look whether it lies in the range that the field declares."""
        attribute = self.model.kinds[note[1]].fields[note[2]]
        low, high = attribute.low, attribute.high
        if low is None or high is None or isinstance(value, ast.Constant):
            return value
        return b.call("ranged", value, b.const(low), b.const(high), b.const(attribute.name))

    # -- pieces

    def _at(self, expr: t.Expr, c: Context) -> tuple[ast.expr, ast.expr]:
        kind = ty.strip(expr.type)
        assert isinstance(kind, ty.Ref)
        piece = self.expr(expr, c)
        return piece, b.const(self.layout.at[kind.kind])

    def _do_move(self, effect: t.Move, c: Context) -> list[ast.stmt]:
        piece, base = self._at(effect.what, c)
        arguments = [b.name("s"), base, piece, self.place_slot(effect.to, c)]
        function = "move_under" if effect.bottom else "move"
        note = effect.to.note
        if not effect.bottom and note[0] == "place":
            function = "move_to_spot" if note[3] == "spot" else "move_to_list"
        if not self.unit.narrate:
            return [b.do(b.call(function, *arguments))]
        # What is moved, and where to, may read differently afterwards.
        moved, to = b.name(self.unit.fresh("m")), b.name(self.unit.fresh("m"))
        return [
            b.assign(moved, piece),
            b.assign(to, arguments[3]),
            b.do(b.call(function, b.name("s"), base, moved, to)),
            b.do(b.call("say", b.const("move"), c.read("me"), base, moved, to)),
        ]

    def _do_swap(self, effect: t.Swap, c: Context) -> list[ast.stmt]:
        first, base = self._at(effect.first, c)
        second, _ = self._at(effect.second, c)
        return telling.seen(self.unit, "swap", c.read("me"), [base, first, second], (1, 2))

    def _do_shuffle(self, effect: t.Shuffle, c: Context) -> list[ast.stmt]:
        stream = f"shuffle.{effect.place.note[1]}"
        return [b.do(b.call("shuffle", b.name("s"), self.place_slot(effect.place, c), b.const(stream)))]

    def _base_of(self, place: t.Expr) -> ast.expr:
        return b.const(self.layout.at[self.model.places[place.note[1]].of])

    def _do_draw(self, effect: t.Draw, c: Context) -> list[ast.stmt]:
        source, to = self.place_slot(effect.source, c), self.place_slot(effect.to, c)
        arguments = [self._base_of(effect.source), self.expr(effect.amount, c), source, to]
        return telling.seen(self.unit, "draw", c.read("me"), arguments, (2, 3))

    def _do_refill(self, effect: t.Refill, c: Context) -> list[ast.stmt]:
        first, size = self.row_slots(effect.row, c)
        source = self.place_slot(effect.source, c)
        arguments = [self._base_of(effect.source), first, b.const(size), source]
        return telling.seen(self.unit, "refill", c.read("me"), arguments, (3, 1))

    def _do_slide(self, effect: t.Slide, c: Context) -> list[ast.stmt]:
        first, size = self.row_slots(effect.row, c)
        return telling.seen(self.unit, "slide", c.read("me"), [self._base_of(effect.row), first, b.const(size)], (1,))

    def _do_random(self, effect: t.Random, c: Context) -> tuple[Context, list[ast.stmt]]:
        drawn = b.call("drawn", b.name("s"), self.expr(effect.source, c), b.const(f"random.{effect.id}"))
        inner = self.declare(effect.id, c)
        body = [b.assign(self.target(effect.id, inner), drawn)]
        if self.unit.narrate:
            body.append(
                b.do(
                    b.call(
                        "say", b.const("random"), c.read("me"), b.const(str(effect.source.type)), inner.read(effect.id)
                    )
                )
            )
        return inner, body

    # -- names and control

    def _do_let(self, effect: t.Let, c: Context) -> tuple[Context, list[ast.stmt]]:
        value = self.value(effect.value, c)
        inner = self.declare(effect.id, c)
        return inner, [b.assign(self.target(effect.id, inner), value)]

    def _do_callrule(self, effect: t.CallRule, c: Context) -> list[ast.stmt]:
        return [b.do(self.call_rule(effect.call, c))]

    def _do_do(self, effect: t.Do, c: Context) -> list[ast.stmt]:
        piece = self.expr(effect.note[0], c)
        return [b.do(b.call("do_effect", b.name("s"), c.read("me"), self.expr(effect.value, c), piece))]

    def _do_return(self, effect: t.Return, c: Context) -> list[ast.stmt]:
        out = self.leave(self.value(effect.value, c) if effect.value is not None else None)
        if effect.condition is None:
            return out
        test = self.condition(effect.condition, c)
        return [b.when(b.negate(test) if effect.negated else test, out)]

    def _do_break(self, effect: t.Break, c: Context) -> list[ast.stmt]:
        return self.break_()

    def _do_endmatch(self, effect: t.EndMatch, c: Context) -> list[ast.stmt]:
        over = b.assign(b.item("s", OVER), b.const(1))
        return [over, ast.Raise(b.name("MatchOver"), None)]

    def _do_nothing(self, effect: t.Nothing, c: Context) -> list[ast.stmt]:
        return []

    def _do_say(self, effect: t.Say, c: Context) -> list[ast.stmt]:
        if not self.unit.narrate:
            return []
        values: list[ast.expr] = [
            ast.Tuple([b.name(self.unit.keep("Y", v.type)), self.expr(v, c)], ast.Load()) for v in effect.values
        ]
        return [b.do(b.call("say", b.const("said"), c.read("me"), b.const(effect.text), ast.Tuple(values, ast.Load())))]

    def _do_mark(self, effect: t.Mark, c: Context) -> list[ast.stmt]:
        return [b.do(b.call(self.unit.keep("mark", effect.reached)))]

    def _do_pause(self, effect: t.Pause, c: Context) -> list[ast.stmt]:
        return []

    def _do_require(self, effect: t.Require, c: Context) -> list[ast.stmt]:
        return []

    def _do_passto(self, effect: t.PassTo, c: Context) -> list[ast.stmt]:
        return [b.assign(c.read("me"), self.expr(effect.who, c))]

    def _do_if(self, effect: t.If, c: Context) -> list[ast.stmt]:
        then, other = self.statements(effect.then, c), self.statements(effect.other, c)
        return [b.when(self.condition(effect.condition, c), then, other)]

    def collected(
        self,
        binders: list[t.Binder],
        where: t.Expr | None,
        c: Context,
        guard: t.Block | None = None,
        node: t.Node | None = None,
    ) -> ast.expr:
        """Return the list of values that binders take; tuples when there are several."""
        generators, inner = self.generators(binders, where, c, node)
        more = self.guard(guard, inner) if guard is not None else None
        if more is not None:
            generators[-1].ifs.append(more)
        if len(binders) == 1:
            if not generators[0].ifs:
                return b.call("list", generators[0].iter)
            return ast.ListComp(b.name(local(binders[0].id)), generators)
        return ast.ListComp(ast.Tuple([b.name(local(x.id)) for x in binders], ast.Load()), generators)

    def _do_for(self, effect: t.For, c: Context) -> list[ast.stmt]:
        source = self.collected(effect.binders, effect.where, c, node=effect)
        inner = c.child(*(x.id for x in effect.binders))
        body = self.statements(effect.body, inner)
        if weight := self.unit.bounds.weight(effect):
            body.insert(0, b.do(b.call("tick", b.const(weight))))
        if len(effect.binders) == 1:
            return [b.loop(local(effect.binders[0].id), source, body)]
        names = ast.Tuple([ast.Name(local(x.id), ast.Store()) for x in effect.binders], ast.Store())
        return [ast.For(names, source, body or [ast.Pass()], [])]

    def _do_repeat(self, effect: t.Repeat, c: Context) -> list[ast.stmt]:
        times = b.call("span", b.const(0), self.expr(effect.times, c))
        return [b.loop(self.unit.fresh("i"), times, [self._counted(effect.body), *self.statements(effect.body, c)])]

    def _counted(self, body: t.Block) -> ast.stmt:
        """Return the statement that draws one pass of a loop on the step budget."""
        return b.do(b.call("tick", b.const(1 + min(self.unit.bounds.of(body), 10**9))))

    def _do_loop(self, effect: t.Loop, c: Context) -> list[ast.stmt]:
        body = [self._counted(effect.body), *self.statements(effect.body, c)]
        loop = ast.For(ast.Name(self.unit.fresh("i"), ast.Store()), b.name("PASSES"), body, [b.do(b.call("too_long"))])
        return [loop]

    def _do_as(self, effect: t.As, c: Context) -> list[ast.stmt]:
        id_ = self.unit.fresh("who")
        inner = c.child()
        inner.variables["me"] = lambda: b.name(id_)
        return [b.assign(b.name(id_), self.expr(effect.who, c)), *self.statements(effect.body, inner)]

    def _do_simultaneously(self, effect: t.Simultaneously, c: Context) -> list[ast.stmt]:
        who = t.Name(effect.binder.id, at=effect.at, note=("variable", effect.binder.id))
        inner = t.As(who, effect.body, at=effect.at)
        return self._do_for(t.For([effect.binder], None, False, None, [inner], at=effect.at), c)


__all__ = ["FRAMES", "Effects", "reader"]
