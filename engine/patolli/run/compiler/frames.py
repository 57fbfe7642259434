"""Compile rules that may ask: cut them at their questions into blocks.

``blocks`` says what a block and a frame are. A block that asks only computes options, so that it can be run again after
a restore or an anytime action. The answer is stored in the slot that its :class:`Question` names, and ``f[0]`` becomes
``Question.then``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.dispatch import handles
from patolli.language.program.expressions import Binder, Variable
from patolli.language.program.preconditions import ALWAYS, Demand
from patolli.run.compiler import build as b
from patolli.run.compiler import narration, payments, watch_hooks
from patolli.run.compiler.asked import Question
from patolli.run.compiler.blocks import ME, Blocks, slot_reader, slots_in
from patolli.run.compiler.effects import Effects, nothing_of, one_by_one
from patolli.run.compiler.unit import Context


class Frames(Blocks):
    """The compiler of one rule at a time."""

    # -- questions

    def ask(self, question: Question, options: ast.expr, empty: list[ast.stmt], then: int | None = None) -> int:
        """End the open block with a question; open and return the block that takes the answer."""
        number = self.follow()
        then = self.number() if then is None else then
        question.then = then
        self.questions[number] = question
        o = b.name("o")
        self.add(b.assign(o, options))
        nothing: list[ast.stmt] = []
        if empty:
            none = b.call("forced", b.name("s"), b.const(number), b.const(None), b.item("f", 1))
            nothing.append(b.when(b.negate(o), [*([b.do(none)] if self.unit.narrate else []), *empty]))
        if question.decline is not None:
            value = b.const(-1) if len(question.types) == 1 else b.const((-1,) * len(question.types))
            self.add(*nothing, b.do(b.method(o, "append", value)))
            nothing = []
        single: ast.expr = b.compare(b.call("len", o), "==", b.const(1))
        if self.model.anytime and question.kind != "pay":
            single = b.both([single, b.negate(b.call("anytime", b.name("s"), b.item("f", 1)))])
        taken = [
            b.assign(b.item("budget", 2), b.const(1)),
            b.assign(b.item("f", question.slot), b.item(o, 0)),
            *self.go(then),
        ]
        if self.unit.narrate:
            taken.insert(0, b.do(b.call("forced", b.name("s"), b.const(number), b.item(o, 0), b.item("f", 1))))
        if self.unit.heard:
            taken[:0] = watch_hooks.report_forced_choice(question, o)
        if nothing:  # whether there are few is asked first, as there are seldom
            self.add(b.when(b.compare(b.call("len", o), "<", b.const(2)), [*nothing, b.when(single, taken)]))
        else:
            self.add(b.when(single, taken))
        self.close(b.give(o))
        return self.open(then)

    def question(self, kind: str, slot: int, prompt: str | None = None, types: tuple[ty.AnyType, ...] = ()) -> Question:
        """Describe the question at the current effect."""
        assert self.rule is not None
        assert self.span is not None
        fragile = (
            kind in ("choose", "several", "menu", "pay") and self.unit.proven.prune_demand(self.demand) is not ALWAYS
        )
        return Question(kind, self.rule.name, self.span, prompt or "", types, fragile=fragile, slot=slot)

    def asks(self, question: Question, effect: e.Effect, c: Context, behind: Demand = ALWAYS) -> None:
        """Say what asks a question, in which context, and what is demanded behind it."""
        question.effect, question.behind, question.frame = effect, behind, slots_in(c)

    def nothing_left(self, fault: str = "no_option") -> list[ast.stmt]:
        """Return the statements for a question without an answer, which the checker excludes."""
        return [b.do(b.call(fault, b.item("f", 0)))]

    @handles("ask", e.Choose)
    def _ask_choose(self, effect: e.Choose, then: Demand, c: Context) -> Context:
        if effect.several:
            return self._ask_several(effect, then, c)
        options = self.collect_options(effect.binders, effect.where, c, lambda inner: self._takes(effect, then, inner))
        variables = [binder.variable for binder in effect.binders]
        slot = self.slot_of(variables[0]) if len(variables) == 1 else self.temporary()
        inner = self.in_frame(c, *variables)
        question = self.question("choose", slot, effect.prompt, tuple(ty.strip(t) for t in types_of(effect.binders)))
        question.decline = effect.decline
        self.asks(question, effect, c, then)
        other = self.number() if effect.otherwise is not None else None
        empty = self.go(other) if other is not None else []
        if other is None and effect.decline is None:
            empty = self.nothing_left()
        self.ask(question, options, empty)
        if len(variables) > 1:
            self.unpack(variables, b.item("f", slot))
        if other is not None and effect.otherwise is not None:
            self._otherwise(effect.otherwise, other, variables, c)
        return inner

    def _ask_several(self, effect: e.Choose, then: Demand, c: Context) -> Context:
        """Ask for one item after another, until those that were chosen are enough."""
        (binder,) = effect.binders
        chosen, slot = self.slot_of(binder.variable), self.temporary()
        inner = self.in_frame(c, binder.variable)
        self.add(b.assign(b.item("f", chosen), b.const(())))
        head, after = self.follow(), self.number()
        items, least, most = self.amount(effect, c)
        test = self.test_of_chosen(binder.variable, self.test(then, c.child(binder.variable)))
        options = b.call("several", items, b.item("f", chosen), least, most, test)
        question = self.question("several", slot, effect.prompt, tuple(ty.strip(v.type) for v in effect.word_variables))
        question.fragile = True  # what was chosen so far has to remain possible, also where nothing had to be chosen
        self.asks(question, effect, inner, then)
        other = self.number() if effect.otherwise is not None else None
        self.ask(question, options, self.go(other) if other is not None else self.nothing_left("too_few"))
        answer = b.item("f", slot)
        self.add(b.when(b.compare(b.item(answer, 0), "==", b.const(0)), self.go(after)))
        taken = ast.Tuple([b.item(answer, 1)], ast.Load())
        self.add(ast.AugAssign(b.store(b.item("f", chosen)), ast.Add(), taken))
        self.close(*self.go(head))
        self.open(after)
        if other is not None and effect.otherwise is not None:
            self._otherwise(effect.otherwise, other, [binder.variable], c)
        return inner

    def _takes(self, effect: e.Choose, then: Demand, c: Context) -> ast.expr | None:
        """Return the test of a value: the rest is possible, and it is not what declining stands for already.

        An id that not every match has is none in some, and so is what a list may hold that may be none.
        """
        test = self.test(then, c)
        if effect.decline is None or not all(isinstance(type_, ty.Maybe) for type_ in types_of(effect.binders)):
            return test
        none = [b.compare(c.read_variable(binder.variable), "==", b.const(-1)) for binder in effect.binders]
        there = b.negate(b.both(none))
        return there if test is None else b.both([there, test])

    def unpack(self, variables: list[Variable], values: ast.expr) -> None:
        """Store several values that were chosen together."""
        targets = ast.Tuple([b.store(b.item("f", self.slot_of(v))) for v in variables], ast.Store())
        self.add(ast.Assign([targets], values))

    def _otherwise(self, block: e.Block, number: int, variables: list[Variable], c: Context) -> None:
        """Compile what happens when there is nothing to choose; it goes on behind the question."""
        after = self.follow()
        taking = self.block
        self.open(number)
        nothing = (b.const(() if isinstance(v.type, ty.Seq) else -1) for v in variables)
        self.add(*(b.assign(b.item("f", self.slot_of(v)), n) for v, n in zip(variables, nothing, strict=True)))
        self.run(block, c)
        self.close(*self.go(after))
        self.block = taking

    @handles("ask", e.Menu)
    def _ask_menu(self, effect: e.Menu, then: Demand, c: Context) -> None:
        slot = self.temporary()
        options = b.lists([self._line(number, option, c) for number, option in enumerate(effect.options)])
        question = self.question("menu", slot, effect.prompt)
        question.labels = tuple((option.label, types_of(option.binders)) for option in effect.options)
        self.asks(question, effect, c)
        other = self.number() if effect.otherwise is not None else None
        if effect.may:
            after_no = self.number()
            self._menu_bodies(effect, question, options, self.go(after_no), c, after_no)
            return
        empty = self.go(other) if other is not None else self.nothing_left()
        self._menu_bodies(effect, question, options, empty, c, None, other)

    def _line(self, number: int, option: e.Option, c: Context) -> ast.expr:
        """Return the list of options of one line of a menu: tuples of its number and its values."""
        if not option.binders:
            tests = [self.condition(option.condition, c)] if option.condition is not None else []
            more = self.beginning(option.body, c)
            tests += [more] if more is not None else []
            one = ast.List([b.const([number])], ast.Load())
            return one if not tests else ast.IfExp(b.both(tests), one, ast.List([], ast.Load()))
        binders, body = option.binders, option.body
        return self.collect_options(binders, option.condition, c, lambda inner: self.beginning(body, inner), [number])

    def _menu_bodies(
        self, effect: e.Menu, question: Question, options: ast.expr, empty: list[ast.stmt], c: Context,
        after: int | None, other: int | None = None,
    ) -> None:  # fmt: skip
        self.ask(question, options, empty)
        after = self.number() if after is None else after
        starts = [self.number() for _ in effect.options]
        answer = b.item("f", question.slot)
        table = self.unit.keep("M", tuple(starts))
        self.close(b.assign(b.item("f", 0), b.item(table, b.item(answer, 0))), b.give(b.const(None)))
        for start, option in zip(starts, effect.options, strict=True):
            self.open(start)
            variables = [binder.variable for binder in option.binders]
            inner = self.in_frame(c, *variables)
            for position, variable in enumerate(variables):
                self.add(b.assign(b.item("f", self.slot_of(variable)), b.item(answer, position + 1)))
            self.run(option.body, inner)
            self.close(*self.go(after))
        if other is not None and effect.otherwise is not None:
            self.open(other)
            self.run(effect.otherwise, c)
            self.close(*self.go(after))
        self.open(after)

    @handles("ask", e.Pause)
    def _ask_pause(self, effect: e.Pause, then: Demand, c: Context) -> None:
        question = self.question("pause", self.temporary())
        question.labels = ((effect.label, ()),)
        self.ask(question, ast.List([b.const([0])], ast.Load()), [])

    @handles("ask", e.UpTo)
    def _ask_up_to(self, effect: e.UpTo, then: Demand, c: Context) -> None:
        left, slot = self.temporary(), self.temporary()
        self.add(b.assign(b.item("f", left), self.expr(effect.times, c)))
        head, after = self.follow(), self.number()
        more = self.beginning(effect.body, c)
        test = b.compare(b.item("f", left), ">", b.const(0))
        possible = b.both([test, more]) if more is not None else test
        question = self.question("repeat", slot)
        question.labels = ((effect.label, ()), ("stop", ()))
        question.effect = effect
        none = ast.List([], ast.Load())
        self.ask(question, ast.IfExp(possible, b.const([[0], [1]]), none), self.go(after))
        self.add(b.when(b.item(b.item("f", slot), 0), self.go(after)))
        self.add(ast.AugAssign(b.store(b.item("f", left)), ast.Sub(), b.const(1)))
        self.exits.append(after)
        self.run(effect.body, c)
        self.exits.pop()
        self.close(*self.go(head))
        self.open(after)

    # -- payments

    @handles("ask", e.Pay)
    def _ask_pay(self, effect: e.Pay, then: Demand, c: Context) -> None:
        slot = self.temporary()
        question = self.question("pay", slot, "Pay with what?")
        self.asks(question, effect, c, then)
        self.ask(question, self.filter_ways(effect, then, c), self.nothing_left())
        me = self.expr(effect.who, c)
        self.add(b.do(b.call("apply_way", b.name("s"), me, b.item("f", slot), b.name("MONEY"))))
        if self.unit.summaries.spent_counters:
            after = self.behind()
            spend = b.call("push_spends", b.name("s"), me, b.item("f", slot), b.name("SPENDS"))
            self.close(b.assign(b.item("f", 0), b.const(after)), b.do(spend), b.give(b.const(None)))
            self.open(after)
        if self.unit.narrate:
            self.add(b.do(b.call("say", b.const("pay_way"), me, b.item("f", slot), b.const(0))))

    @handles("ask", e.Gain)
    def _ask_gain(self, effect: e.Gain, then: Demand, c: Context) -> None:
        c, before, items = payments.beforehand(self, effect.items, c)
        self.add(*before, *payments.change(self, replace(effect, items=items), c))
        for item in items:
            if isinstance(item, e.MixItem):
                slot, who = self.temporary(), self.expr(item.who, c)
                question = self.question("gain", slot, "Gain what?")
                question.effect = effect
                options = b.call("mixes", who, payments.bases(self, item), self.expr(item.amount, c))
                self.ask(question, options, [])
                gained = b.call("apply_gain", b.name("s"), who, b.item("f", slot), b.name("BOUNDS"))
                reported = b.call("say", b.const("gain_way"), who, gained, b.const(0))
                self.add(b.do(reported if self.unit.narrate else gained))

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


def types_of(binders: Iterable[Binder]) -> tuple[ty.AnyType, ...]:
    """Return the types of what is chosen."""
    types = (binder.source.type for binder in binders)
    return tuple(type_.of if isinstance(type_, ty.Seq) else ty.ANY for type_ in types)


def _called_upon(seat: ast.expr) -> ast.stmt:
    """Return the statement that notes that a seat is me from here on."""
    return ast.AugAssign(b.store(b.item("turns", seat)), ast.Add(), b.const(1))
