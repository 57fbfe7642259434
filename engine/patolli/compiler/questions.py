"""Compile the questions of asking rules, and the payments in which a player has a choice.

A block that asks only computes options, so that it can be run again after a restore or an anytime action; the answer
is stored in the slot that its :class:`Site` names, and ``f[0]`` becomes ``Site.then``.
"""

from __future__ import annotations

import ast

from patolli.compiler import build as b
from patolli.compiler import payments
from patolli.compiler.blocks import Blocks
from patolli.compiler.sites import Site
from patolli.compiler.unit import Context
from patolli.language import tree as t
from patolli.program import types as ty


class Questions(Blocks):
    """The compiler of questions; each ends the open block and opens the one that takes the answer."""

    # -- questions

    def ask(self, site: Site, options: ast.expr, empty: list[ast.stmt], then: int | None = None) -> int:
        """End the open block with a question; open and return the block that takes the answer."""
        question = self.follow()
        then = self.number() if then is None else then
        site.then, site.simultaneous = then, self.shown
        site.fragile = site.fragile and site.decline is None and site.kind in ("choose", "menu", "pay")
        self.sites[question] = site
        o = b.name("o")
        self.add(b.assign(o, options))
        if empty:
            self.add(b.when(b.negate(o), empty))
        if site.decline is not None:
            value = b.const(-1) if len(site.types) == 1 else b.const([-1] * len(site.types))
            self.add(b.do(b.method(o, "append", value)))
        single: ast.expr = b.compare(b.call("len", o), "==", b.const(1))
        if self.model.anytime and site.kind != "pay":
            single = b.both([single, b.negate(b.call("anytime", b.name("s"), b.item("f", 1)))])
        taken = [b.assign(b.item("f", site.slot), b.item(o, 0)), *self.go(then)]
        if self.unit.narrate:
            taken.insert(0, b.do(b.call("forced", b.const(question), b.item(o, 0), b.item("f", 1))))
        self.add(b.when(single, taken))
        self.close(b.give(o))
        return self.open(then)

    def site(self, kind: str, slot: int, prompt: str | None = None, types: tuple[ty.AnyType, ...] = ()) -> Site:
        """Describe the question at the current effect."""
        assert self.rule is not None
        assert self.node is not None
        return Site(kind, self.rule.name, self.node.span, prompt or "", types, slot=slot)

    def nothing_left(self) -> list[ast.stmt]:
        """Return the statements for a question without an answer, which the checker excludes."""
        return [b.do(b.call("no_option", b.item("f", 0)))]

    def _ask_choose(self, effect: t.Choose, rest: t.Block, c: Context) -> Context:
        options = self.collected(effect.binders, effect.where, c, rest, effect)
        ids = [x.id for x in effect.binders]
        types = tuple(
            ty.strip(x.source.type.of) if isinstance(x.source.type, ty.Seq) else ty.ANY for x in effect.binders
        )
        slot = self.variable(ids[0]) if len(ids) == 1 else self.temporary()
        inner = self.in_frame(c, *ids)
        site = self.site("choose", slot, effect.prompt, types)
        site.decline = effect.decline
        certain = self.traits.amounts.surely(effect) and not self.demands(rest)
        site.fragile = effect.otherwise is None and not certain
        other = self.number() if effect.otherwise is not None else None
        empty = self.go(other) if other is not None else []
        if other is None and effect.decline is None:
            empty = self.nothing_left()
        self.ask(site, options, empty)
        if len(ids) > 1:
            targets = ast.Tuple([b.store(b.item("f", self.variable(i))) for i in ids], ast.Store())
            self.add(ast.Assign([targets], b.item("f", slot)))
        if other is not None and effect.otherwise is not None:
            self._otherwise(effect.otherwise, other, ids, c)
        return inner

    def _otherwise(self, block: t.Block, number: int, ids: list[str], c: Context) -> None:
        """Compile what happens when there is nothing to choose; it goes on behind the question."""
        after = self.follow()
        taking = self.block
        self.open(number)
        self.add(*(b.assign(b.item("f", self.variable(i)), b.const(-1)) for i in ids))
        self.run(block, c)
        self.close(*self.go(after))
        self.block = taking

    def _ask_menu(self, effect: t.Menu, rest: t.Block, c: Context) -> None:
        slot = self.temporary()
        parts: list[ast.expr] = []
        labels: list[tuple[str | None, tuple[ty.AnyType, ...]]] = []
        for number, option in enumerate(effect.options):
            parts.append(self._line(number, option, c))
            types = tuple(x.source.type.of for x in option.binders if isinstance(x.source.type, ty.Seq))
            labels.append((option.label, types))
        options = parts[0]
        for part in parts[1:]:
            options = ast.BinOp(options, ast.Add(), part)
        site = self.site("menu", slot, effect.prompt)
        site.labels = tuple(labels)
        site.fragile = effect.otherwise is None and not self.traits.sure_option(effect)
        other = self.number() if effect.otherwise is not None else None
        if effect.note == "may":
            after_no = self.number()
            self._menu_bodies(effect, site, slot, options, self.go(after_no), c, after_no)
            return
        empty = self.go(other) if other is not None else self.nothing_left()
        self._menu_bodies(effect, site, slot, options, empty, c, None, other)

    def _line(self, number: int, option: t.Option, c: Context) -> ast.expr:
        """Return the list of options of one line of a menu: tuples of its number and its values."""
        if not option.binders:
            tests = [self.condition(option.condition, c)] if option.condition is not None else []
            more = self.guard(option.body, c)
            tests += [more] if more is not None else []
            one = ast.List([b.const([number])], ast.Load())
            return one if not tests else ast.IfExp(b.both(tests), one, ast.List([], ast.Load()))
        found = self.collected(option.binders, option.condition, c, option.body)
        id_ = self.unit.fresh("x")
        value = b.name(id_)
        many = len(option.binders) > 1
        head = b.const([number])
        made: ast.expr = ast.Tuple([b.const(number), value], ast.Load())
        if many:
            made = ast.BinOp(head, ast.Add(), value)
        return ast.ListComp(made, [ast.comprehension(ast.Name(id_, ast.Store()), found, [], 0)])

    def _menu_bodies(
        self, effect: t.Menu, site: Site, slot: int, options: ast.expr, empty: list[ast.stmt], c: Context,
        after: int | None, other: int | None = None,
    ) -> None:  # fmt: skip
        self.ask(site, options, empty)
        after = self.number() if after is None else after
        starts = [self.number() for _ in effect.options]
        chosen = b.item(b.item("f", slot), 0)
        table = self.unit.keep("M", tuple(starts))
        self.close(b.assign(b.item("f", 0), b.item(table, chosen)), b.give(b.const(None)))
        for start, option in zip(starts, effect.options, strict=True):
            self.open(start)
            ids = [x.id for x in option.binders]
            inner = self.in_frame(c, *ids)
            for position, id_ in enumerate(ids):
                self.add(b.assign(b.item("f", self.variable(id_)), b.item(b.item("f", slot), position + 1)))
            self.run(option.body, inner)
            self.close(*self.go(after))
        if other is not None and effect.otherwise is not None:
            self.open(other)
            self.run(effect.otherwise, c)
            self.close(*self.go(after))
        self.open(after)

    def _ask_pause(self, effect: t.Pause, rest: t.Block, c: Context) -> None:
        site = self.site("pause", self.temporary(), None)
        site.labels = ((effect.label, ()),)
        self.ask(site, ast.List([b.const([0])], ast.Load()), [])

    def _ask_upto(self, effect: t.UpTo, rest: t.Block, c: Context) -> None:
        left, slot = self.temporary(), self.temporary()
        self.add(b.assign(b.item("f", left), self.expr(effect.times, c)))
        head, after = self.follow(), self.number()
        more = self.guard(effect.body, c)
        test = b.compare(b.item("f", left), ">", b.const(0))
        possible = b.both([test, more]) if more is not None else test
        site = self.site("repeat", slot, None)
        site.labels = ((effect.label, ()), ("stop", ()))
        none = ast.List([], ast.Load())
        self.ask(site, ast.IfExp(possible, b.const([[0], [1]]), none), self.go(after))
        self.add(b.when(b.item(b.item("f", slot), 0), self.go(after)))
        self.add(ast.AugAssign(b.store(b.item("f", left)), ast.Sub(), b.const(1)))
        self.exits.append(after)
        self.run(effect.body, c)
        self.exits.pop()
        self.close(*self.go(head))
        self.open(after)

    # -- payments

    def _ask_pay(self, effect: t.Pay, rest: t.Block, c: Context) -> None:
        slot = self.temporary()
        site = self.site("pay", slot, "Pay with what?")
        self.ask(site, self.filter_ways(effect, rest, c), self.nothing_left())
        me = b.item("f", 1)
        self.add(b.do(b.call("apply_way", b.name("s"), me, b.item("f", slot), b.name("MONEY"))))
        if self.traits.spent:
            after = self.number()
            spend = b.call("push_spends", b.name("s"), me, b.item("f", slot), b.name("SPENDS"))
            self.close(b.assign(b.item("f", 0), b.const(after)), b.do(spend), b.give(b.const(None)))
            self.open(after)
        if self.unit.narrate:
            self.add(b.do(b.call("say", b.const("pay_way"), me, b.item("f", slot), b.const(0))))

    def _ask_gain(self, effect: t.Gain, rest: t.Block, c: Context) -> None:
        who = self.expr(effect.who, c) if effect.who is not None else None
        self.add(*payments.change(self, effect, c, who))
        for item in effect.items:
            if item.note[0] == "mix":
                slot = self.temporary()
                me = who if who is not None else c.read("me")
                bases = b.const([self.layout.counters[m][0] for m in self.model.groups[item.note[1]]])
                site = self.site("gain", slot, "Gain what?")
                options = b.call("mixes", me, bases, self.expr(item.amount, c))
                self.ask(site, options, [])
                gained = b.call("apply_gain", b.name("s"), me, b.item("f", slot), b.name("BOUNDS"))
                told = b.call("say", b.const("gain_way"), me, gained, b.const(0))
                self.add(b.do(told if self.unit.narrate else gained))
