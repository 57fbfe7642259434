"""Compile rules that may ask: cut them at their questions into blocks.

Here stand calls and control flow; ``blocks`` says what a block and a frame are, ``questions`` how one asks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.dispatch import handles
from patolli.language.program.preconditions import Demand
from patolli.run.compiler import build as b
from patolli.run.compiler import narration
from patolli.run.compiler.blocks import ME, slot_reader
from patolli.run.compiler.effects import Effects, nothing_of, one_by_one
from patolli.run.compiler.questions import Questions, types_of
from patolli.run.compiler.unit import Context


class Frames(Questions):
    """The compiler of one rule at a time."""

    # -- loops without a question

    @handles("do", e.For)
    def _do_for(self, effect: e.For, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_for(self, effect, c))

    @handles("do", e.Repeat)
    def _do_repeat(self, effect: e.Repeat, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_repeat(self, effect, c))

    @handles("do", e.Loop)
    def _do_loop(self, effect: e.Loop, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_loop(self, effect, c))

    def _plain_loop(self, compile_: Callable[[], list[ast.stmt]]) -> list[ast.stmt]:
        """Compile a loop that asks nothing: ``break`` inside it is Python's own."""
        self.exits.append(None)
        result = compile_()
        self.exits.pop()
        return result

    # -- calls

    def returns(self, rule: str) -> ty.AnyType | None:
        """Return the type of what a rule returns; the own body of a rule with triggers is found by its name, too."""
        return self.model.rules[rule.rstrip("#")].returns

    def enter(self, rule: str, me: ast.expr, arguments: list[ast.expr], ret: int) -> None:
        """Call a rule on frames; the open block is then the one that goes on behind it."""
        after = self.behind()
        self.add(*narration.report_rule_start(self.unit, rule, [me, *arguments]))
        push = self.push_frame(rule, me, ret, arguments)
        self.close(b.assign(b.item("f", 0), b.const(after)), push, b.give(b.const(None)))
        self.open(after)

    @handles("ask", e.CallRule)
    def _ask_call_rule(self, effect: e.CallRule, then: Demand, c: Context) -> Context:
        me, arguments = self.expr(effect.me, c), [self.compile_stored_value(a, c) for a in effect.arguments]
        if effect.into is None:
            self.enter(effect.rule, me, arguments, 0)
            return c
        slot = self.slot_of(effect.into)
        self.add(b.assign(b.item("f", slot), b.const(nothing_of(self.returns(effect.rule)))))
        self.enter(effect.rule, me, arguments, slot)
        return self.in_frame(c, effect.into)

    @handles("ask", e.Do)
    def _ask_do(self, effect: e.Do, then: Demand, c: Context) -> None:
        after = self.behind()
        given = (self.expr(part, c) for part in (effect.me, effect.value, effect.it))
        work = b.call("push_effect", b.name("s"), *given)
        self.close(b.assign(b.item("f", 0), b.const(after)), b.do(work), b.give(b.const(None)))
        self.open(after)

    # -- blocks with a header

    @handles("ask", e.If)
    def _ask_if(self, effect: e.If, then: Demand, c: Context) -> None:
        ways, after = (self.number(), self.number()), self.number()
        test = ast.IfExp(self.condition(effect.condition, c), b.const(ways[0]), b.const(ways[1]))
        self.close(b.assign(b.item("f", 0), test), b.give(b.const(None)))
        for number, block in zip(ways, (effect.then, effect.other), strict=True):
            self.open(number)
            self.run(block, c, then)
            self.close(*self.go(after))
        self.open(after)

    @handles("ask", e.For)
    def _ask_for(self, effect: e.For, then: Demand, c: Context) -> None:
        if effect.any_order:
            self._any_order(effect, c)
            return
        variables = [binder.variable for binder in effect.binders]
        items, position = self.temporary(*variables), self.temporary()
        found = b.call("tuple", self.collect_values(effect.binders, effect.where, c))
        self.add(b.assign(b.item("f", items), found), b.assign(b.item("f", position), b.const(0)))
        head, after = self.follow(), self.number()
        inner = self.in_frame(c, *variables)
        here = b.item("f", position)
        self.add(b.when(b.compare(here, ">=", b.call("len", b.item("f", items))), self.go(after)))
        value = b.item(b.item("f", items), here)
        if len(variables) == 1:
            self.add(b.assign(b.item("f", self.slot_of(variables[0])), value))
        else:
            self.unpack(variables, value)
        self.add(ast.AugAssign(b.store(here), ast.Add(), b.const(1)))
        self._compile_loop_body(effect.body, inner, head, after)

    def _compile_loop_body(self, body: e.Block, c: Context, head: int, after: int) -> None:
        self.exits.append(after)
        self.run(body, c)
        self.exits.pop()
        self.close(*self.go(head))
        self.open(after)

    def _any_order(self, effect: e.For, c: Context) -> None:
        variable = effect.binders[0].variable
        items = self.temporary(variable)
        found = b.call("tuple", self.collect_values(effect.binders, effect.where, c))
        self.add(b.assign(b.item("f", items), found))
        head, after = self.follow(), self.number()
        inner = self.in_frame(c, variable)
        slot = self.slot_of(variable)
        question = self.question("order", slot, effect.prompt or "Which first?", types_of(effect.binders))
        question.effect = effect
        self.ask(question, b.call("distinct", b.item("f", items)), self.go(after))
        rest = b.call("without", b.item("f", items), b.item("f", slot))
        self.add(b.assign(b.item("f", items), rest))
        self._compile_loop_body(effect.body, inner, head, after)

    @handles("ask", e.Repeat)
    def _ask_repeat(self, effect: e.Repeat, then: Demand, c: Context) -> None:
        left = self.temporary()
        self.add(b.assign(b.item("f", left), self.expr(effect.times, c)))
        head, after = self.follow(), self.number()
        self.add(b.when(b.compare(b.item("f", left), "<=", b.const(0)), self.go(after)))
        self.add(ast.AugAssign(b.store(b.item("f", left)), ast.Sub(), b.const(1)))
        self._compile_loop_body(effect.body, c, head, after)

    @handles("ask", e.Loop)
    def _ask_loop(self, effect: e.Loop, then: Demand, c: Context) -> None:
        head, after = self.follow(), self.number()
        self._compile_loop_body(effect.body, c, head, after)

    @handles("ask", e.As)
    def _ask_as(self, effect: e.As, then: Demand, c: Context) -> None:
        saved, who = self.temporary(), self.expr(effect.who, c)
        me = b.item("f", ME)
        if effect.by is not None:
            self._ask_as_by(effect, effect.by, c)
            return
        self.add(b.assign(b.item("f", saved), me), b.assign(me, who), _called_upon(me))
        inner = c.with_({effect.variable: slot_reader(ME)})
        with self.acting_as(effect.variable):
            if self.exits and self.exits[-1] is not None:
                self._as_in_loop(effect, inner, saved)
                return
            self.run(effect.body, inner)
        self.add(b.assign(me, b.item("f", saved)))

    def _ask_as_by(self, effect: e.As, by: x.Expr, c: Context) -> None:
        """Let another player decide; nothing leaves the block, so who decided before is put back behind it."""
        saved, decided, other, before = (self.temporary() for _ in range(4))
        base = self.layout.fields[("player", e.DECIDED_BY)]

        def slot() -> ast.expr:
            return b.item("s", b.add(b.const(base), b.item("f", decided)))

        self.add(
            b.assign(b.item("f", other), self.expr(by, c)), b.assign(b.item("f", decided), self.expr(effect.who, c))
        )
        self.add(b.assign(b.item("f", saved), b.item("f", ME)), b.assign(b.item("f", ME), b.item("f", decided)))
        self.add(_called_upon(b.item("f", ME)))
        self.add(b.assign(b.item("f", before), slot()), b.assign(slot(), b.item("f", other)))
        with self.acting_as(effect.variable):
            self.run(effect.body, c.with_({effect.variable: slot_reader(ME)}))
        self.add(b.assign(slot(), b.item("f", before)), b.assign(b.item("f", ME), b.item("f", saved)))

    @handles("do", e.PassTo)
    def _do_pass_to(self, effect: e.PassTo, c: Context) -> list[ast.stmt]:
        return [*Effects._do_pass_to(self, effect, c), _called_upon(c.read_variable(effect.variable))]

    def _as_in_loop(self, effect: e.As, c: Context, saved: int) -> None:
        """Leave a loop from inside ``as``: me must be again who it was."""
        restore = self.number()
        outer = self.exits[-1]
        assert outer is not None
        self.exits.append(restore)
        self.run(effect.body, c)
        self.exits.pop()
        self.add(b.assign(b.item("f", ME), b.item("f", saved)))
        self.follow()
        going = self.block
        self.open(restore)
        self.add(b.assign(b.item("f", ME), b.item("f", saved)))
        self.close(*self.go(outer))
        self.block = going

    @handles("ask", e.Simultaneously)
    def _ask_simultaneously(self, effect: e.Simultaneously, then: Demand, c: Context) -> None:
        outer, self.together = self.together, True
        self._ask_for(one_by_one(effect), then, c)
        self.together = outer
        if not outer and self.block is not None:
            self.secret.discard(self.block.number)  # the one that goes on when all have answered


def _called_upon(seat: ast.expr) -> ast.stmt:
    """Return the statement that notes that a seat is me from here on."""
    return ast.AugAssign(b.store(b.item("turns", seat)), ast.Add(), b.const(1))
