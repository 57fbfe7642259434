"""Compile rules that may ask: cut them at their questions into blocks.

A rule becomes a list of block functions ``b(s, f)`` over the state and the frame. A frame is a list: the number of the
block that comes next, me, the slot of the caller that takes what the rule returns (0: none), then parameters and
variables. A block ends by setting ``f[0]`` and returning None (go on), by pushing or popping frames, or by returning
a list of options (ask). A block that asks only computes options, so that it can be run again after a restore or an
anytime action; the answer is stored in the slot that its :class:`Site` names, and ``f[0]`` becomes ``Site.then``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from patolli.analysis import types as ty
from patolli.analysis.model import Rule
from patolli.analysis.traits import surely, walk
from patolli.compiler import build as b
from patolli.compiler import payments
from patolli.compiler.effects import Effects
from patolli.compiler.unit import Context, Read, Unit, local
from patolli.diagnostics import Span
from patolli.language import tree as t

HEAD = 3  # next block, me, return slot


@dataclass(slots=True)
class Site:
    """One question of a rule: where its answer goes, and how to show it.

    ``kind`` is ``choose``, ``menu``, ``repeat``, ``pause``, ``pay``, ``gain`` or ``order``; ``types`` are those of the
    values; ``labels`` those of menu lines, each with the types of its own values. A ``fragile`` question may lose its
    last option when an anytime action spends something meanwhile.
    """

    kind: str
    rule: str
    span: Span
    prompt: str
    types: tuple[ty.AnyType, ...] = ()
    labels: tuple[tuple[str | None, tuple[ty.AnyType, ...]], ...] = ()
    decline: str | None = None
    simultaneous: bool = False
    fragile: bool = True
    slot: int = 0
    then: int = 0


@dataclass(slots=True)
class Block:
    """A block in the making."""

    number: int
    body: list[ast.stmt] = field(default_factory=list)
    closed: bool = False


class Frames(Effects):
    """The compiler of one asking rule at a time."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.sites: dict[int, Site] = {}
        self.blocks: list[str] = []
        self.entries: dict[str, int] = {}
        self.jumps: dict[int, int] = {}
        self.pads: dict[str, int] = {}
        self.rule: Rule | None = None
        self.slots: dict[str, int] = {}
        self.free = HEAD
        self.block: Block | None = None
        self.exits: list[int | None] = []
        self.node: t.Node | None = None
        self.shown = False

    # -- blocks

    def number(self) -> int:
        """Reserve the number of a new block."""
        self.blocks.append("")
        return len(self.blocks) - 1

    def open(self, number: int | None = None) -> int:
        """Start a block."""
        self.block = Block(self.number() if number is None else number)
        return self.block.number

    def add(self, *statements: ast.stmt) -> None:
        """Add statements to the open block."""
        assert self.block is not None
        line = self.node.span.line if self.node is not None else 1
        for statement in statements:
            b.place(statement, line)
        if not self.block.closed:
            self.block.body.extend(statements)

    def close(self, *statements: ast.stmt) -> None:
        """End the open block."""
        assert self.block is not None
        assert self.node is not None
        self.add(*statements)
        if self.block.closed:
            return
        self.block.closed = True
        target = _jump(self.block.body)
        if target is not None and target != self.block.number:
            self.jumps[self.block.number] = target
            return
        id_ = self.unit.fresh("b")
        self.blocks[self.block.number] = id_
        self.unit.define(id_, ["s", "f"], self.block.body, self.node)

    def go(self, number: int) -> list[ast.stmt]:
        """Return the statements that go on with another block."""
        return [b.assign(b.item("f", 0), b.const(number)), b.give(b.const(None))]

    def landing(self, number: int) -> int:
        """Return the block in which a chain of mere jumps ends."""
        seen = {number}
        while number in self.jumps and self.jumps[number] not in seen:
            number = self.jumps[number]
            seen.add(number)
        return number

    def follow(self) -> int:
        """End the open block by going on with a new one, and open that."""
        number = self.number()
        self.close(*self.go(number))
        return self.open(number)

    # -- frames

    def variable(self, name: str) -> int:
        """Return the slot of a variable of the rule."""
        if name not in self.slots:
            self.slots[name] = self.free
            self.free += 1
        return self.slots[name]

    def temporary(self) -> int:
        """Return a slot that nothing else uses."""
        self.free += 1
        return self.free - 1

    def in_frame(self, c: Context, *names: str) -> Context:
        """Return a context in which *names* live in the frame."""
        more = {n: _slot_reader(self.variable(n)) for n in names}
        inner = Context(self.unit, {**c.variables, **more}, c.outer)
        inner.captured = c.captured
        return inner

    def declare(self, name: str, c: Context) -> Context:
        """Bring a variable into scope; it lives in the frame."""
        return self.in_frame(c, name)

    def value(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile a value; lists in frames are tuples, so that copies of a frame may share them."""
        found = super().value(expr, c)
        return b.call("tuple", found) if isinstance(expr.type, ty.Seq) else found

    def leave(self, value: ast.expr | None) -> list[ast.stmt]:
        """Leave the rule: its frame goes."""
        if value is None:
            return [b.do(b.method(b.item("s", 0), "pop")), b.give(b.const(None))]
        return [b.do(b.call("give_back", b.item("s", 0), b.name("f"), value)), b.give(b.const(None))]

    def break_(self) -> list[ast.stmt]:
        """Leave the innermost loop, which may have been cut into blocks."""
        exit_ = self.exits[-1] if self.exits else None
        return [ast.Break()] if exit_ is None else self.go(exit_)

    def entry(self, name: str) -> int:
        """Return the first block of an asking rule."""
        if name not in self.entries:
            self.entries[name] = self.number()
        return self.entries[name]

    def pushed(self, rule: str, me: ast.expr, ret: int, arguments: list[ast.expr]) -> ast.stmt:
        """Return the statement that pushes the frame of a rule."""
        head = ast.List([b.const(self.entry(rule)), me, b.const(ret), *arguments], ast.Load())
        frame = ast.BinOp(head, ast.Add(), b.name(f"PAD_{self.entry(rule)}"))
        return b.do(b.method(b.item("s", 0), "append", frame))

    # -- rules

    def compile_rule(self, rule: Rule) -> None:
        """Compile one asking rule into blocks."""
        self.rule, self.slots, self.free, self.exits, self.shown = rule, {}, HEAD, [], False
        c = Context(self.unit, {"me": lambda: b.item("f", 1)}, None)
        c = self.in_frame(c, *(name for name, _ in rule.parameters))
        self.node = rule.block[0] if rule.block else None
        if self.node is None:
            self.node = t.Nothing(at=t.At(t.FixedText(rule.span), 0, 0))
        self.open(self.entry(rule.name))
        self.run(rule.block, c)
        self.close(*self.leave(None))
        self.unit.space[f"PAD_{self.entry(rule.name)}"] = [0] * (self.free - HEAD - len(rule.parameters))

    def deep(self, effect: t.Effect) -> bool:
        """Tell whether an effect, or one inside it, may ask."""
        return any(map(self.traits.asks, walk([effect])))

    def run(self, block: t.Block, c: Context, rest_known: bool = True) -> None:
        """Compile a block of effects into the open block and those that follow."""
        for position, effect in enumerate(block):
            before = self.node
            path = before.span.path if before is not None else ""
            if effect.span.path != path and self.block is not None and not self.block.closed:
                self.follow()
            self.node = effect
            if self.deep(effect):
                c = getattr(self, f"_ask_{type(effect).__name__.lower()}")(effect, block[position + 1 :], c) or c
            else:
                exits = len(self.exits)
                c, statements = self.statement(effect, c)
                assert len(self.exits) == exits
                self.add(*statements)
                if isinstance(effect, t.Return | t.Break | t.EndMatch) and getattr(effect, "condition", None) is None:
                    self.close()

    def _do_for(self, effect: t.For, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_for(self, effect, c))

    def _do_repeat(self, effect: t.Repeat, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_repeat(self, effect, c))

    def _do_loop(self, effect: t.Loop, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_loop(self, effect, c))

    def _plain_loop(self, compile_: object) -> list[ast.stmt]:
        """Compile a loop that asks nothing: ``break`` inside it is Python's own."""
        self.exits.append(None)
        result = compile_()  # type: ignore[operator]
        self.exits.pop()
        return result  # type: ignore[no-any-return]

    def _do_as(self, effect: t.As, c: Context) -> list[ast.stmt]:
        id_ = self.unit.fresh("who")
        inner = Context(self.unit, {**c.variables, "me": lambda: b.name(id_)}, c.outer)
        return [b.assign(b.name(id_), self.expr(effect.who, c)), *self.statements(effect.body, inner)]

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
        certain = surely(effect) and not self.demands(rest)
        site.fragile = effect.otherwise is None and not certain
        other = self.number() if effect.otherwise is not None else None
        empty = self.go(other) if other is not None else []
        if other is None and effect.decline is None:
            empty = self.nothing_left()
        then = self.ask(site, options, empty)
        if len(ids) > 1:
            targets = ast.Tuple([b.store(b.item("f", self.variable(i))) for i in ids], ast.Store())
            self.add(ast.Assign([targets], b.item("f", slot)))
        if other is not None and effect.otherwise is not None:
            self._otherwise(effect.otherwise, other, ids, c)
        del then
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
        self.add(ast.AugAssign(b.store(b.item("f", left)), ast.Sub(), b.const(1)))  # type: ignore[arg-type]
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
                self.add(b.do(b.call("apply_gain", b.name("s"), b.item("f", slot))))
                if self.unit.narrate:
                    self.add(b.do(b.call("say", b.const("gain_way"), me, b.item("f", slot), b.const(0))))

    # -- calls

    def enter(self, name: str, arguments: list[ast.expr], ret: int, c: Context) -> None:
        """Call an asking rule; the open block is then the one that goes on behind it."""
        after = self.number()
        push = self.pushed(name, c.read("me"), ret, arguments)
        self.close(b.assign(b.item("f", 0), b.const(after)), push, b.give(b.const(None)))
        self.open(after)

    def _ask_callrule(self, effect: t.CallRule, rest: t.Block, c: Context) -> None:
        self.enter(effect.call.id, [self.value(a, c) for a in effect.call.arguments], 0, c)

    def _returned(self, value: t.Expr, slot: int, c: Context) -> None:
        assert isinstance(value, t.Call)
        rule = self.model.rules[value.id]
        nothing = -1 if isinstance(rule.returns, ty.Maybe) else 0
        arguments = [self.value(a, c) for a in value.arguments]
        self.add(b.assign(b.item("f", slot), b.const(nothing)))
        self.enter(value.id, arguments, slot, c)

    def _ask_let(self, effect: t.Let, rest: t.Block, c: Context) -> Context:
        inner = self.in_frame(c, effect.id)
        self._returned(effect.value, self.variable(effect.id), c)
        return inner

    def _ask_setto(self, effect: t.SetTo, rest: t.Block, c: Context) -> None:
        slot = self.temporary()
        self._returned(effect.value, slot, c)
        self.add(b.assign(self.expr(effect.target, c), b.item("f", slot)))

    def _ask_return(self, effect: t.Return, rest: t.Block, c: Context) -> None:
        assert effect.value is not None
        slot = self.temporary()
        self._returned(effect.value, slot, c)
        self.close(*self.leave(b.item("f", slot)))

    def _ask_do(self, effect: t.Do, rest: t.Block, c: Context) -> None:
        after = self.number()
        piece = self.expr(effect.note[0], c)
        work = b.call("push_effect", b.name("s"), c.read("me"), self.expr(effect.value, c), piece)
        self.close(b.assign(b.item("f", 0), b.const(after)), b.do(work), b.give(b.const(None)))
        self.open(after)

    # -- blocks with a header

    def _ask_if(self, effect: t.If, rest: t.Block, c: Context) -> None:
        then, other, after = self.number(), self.number(), self.number()
        test = self.condition(effect.condition, c)
        self.close(b.assign(b.item("f", 0), ast.IfExp(test, b.const(then), b.const(other))), b.give(b.const(None)))
        for number, block in ((then, effect.then), (other, effect.other)):
            self.open(number)
            self.run(block, c)
            self.close(*self.go(after))
        self.open(after)

    def _ask_for(self, effect: t.For, rest: t.Block, c: Context) -> None:
        if effect.any_order:
            self._any_order(effect, c)
            return
        items, position = self.temporary(), self.temporary()
        ids = [x.id for x in effect.binders]
        found = b.call("tuple", self.collected(effect.binders, effect.where, c))
        self.add(b.assign(b.item("f", items), found), b.assign(b.item("f", position), b.const(0)))
        head, after = self.follow(), self.number()
        inner = self.in_frame(c, *ids)
        here = b.item("f", position)
        self.add(b.when(b.compare(here, ">=", b.call("len", b.item("f", items))), self.go(after)))
        value = b.item(b.item("f", items), here)
        if len(ids) == 1:
            self.add(b.assign(b.item("f", self.variable(ids[0])), value))
        else:
            targets = ast.Tuple([b.store(b.item("f", self.variable(i))) for i in ids], ast.Store())
            self.add(ast.Assign([targets], value))
        self.add(ast.AugAssign(b.store(here), ast.Add(), b.const(1)))  # type: ignore[arg-type]
        self._looped(effect.body, inner, head, after)

    def _looped(self, body: t.Block, c: Context, head: int, after: int) -> None:
        self.exits.append(after)
        self.run(body, c)
        self.exits.pop()
        self.close(*self.go(head))
        self.open(after)

    def _any_order(self, effect: t.For, c: Context) -> None:
        items = self.temporary()
        id_ = effect.binders[0].id
        found = b.call("tuple", self.collected(effect.binders, effect.where, c))
        self.add(b.assign(b.item("f", items), found))
        head, after = self.follow(), self.number()
        inner = self.in_frame(c, id_)
        source = effect.binders[0].source.type
        site = self.site(
            "order", self.variable(id_), "Which first?", (source.of if isinstance(source, ty.Seq) else ty.ANY,)
        )
        self.ask(site, b.call("distinct", b.item("f", items)), self.go(after))
        rest = b.call("without", b.item("f", items), b.item("f", self.variable(id_)))
        self.add(b.assign(b.item("f", items), rest))
        self._looped(effect.body, inner, head, after)

    def _ask_repeat(self, effect: t.Repeat, rest: t.Block, c: Context) -> None:
        left = self.temporary()
        self.add(b.assign(b.item("f", left), self.expr(effect.times, c)))
        head, after = self.follow(), self.number()
        self.add(b.when(b.compare(b.item("f", left), "<=", b.const(0)), self.go(after)))
        self.add(ast.AugAssign(b.store(b.item("f", left)), ast.Sub(), b.const(1)))  # type: ignore[arg-type]
        self._looped(effect.body, c, head, after)

    def _ask_loop(self, effect: t.Loop, rest: t.Block, c: Context) -> None:
        head, after = self.follow(), self.number()
        self._looped(effect.body, c, head, after)

    def _ask_as(self, effect: t.As, rest: t.Block, c: Context) -> None:
        saved = self.temporary()
        me = b.item("f", 1)
        self.add(b.assign(b.item("f", saved), me), b.assign(me, self.expr(effect.who, c)))
        inner = Context(self.unit, {**c.variables, "me": lambda: b.item("f", 1)}, c.outer)
        if self.exits and self.exits[-1] is not None:
            self._as_in_loop(effect, inner, saved)
            return
        self.run(effect.body, inner)
        self.add(b.assign(me, b.item("f", saved)))

    def _as_in_loop(self, effect: t.As, c: Context, saved: int) -> None:
        """Leave a loop from inside ``as``: me must be again who it was."""
        restore = self.number()
        outer = self.exits[-1]
        assert outer is not None
        self.exits.append(restore)
        self.run(effect.body, c)
        self.exits.pop()
        self.add(b.assign(b.item("f", 1), b.item("f", saved)))
        after = self.follow()
        going = self.block
        self.open(restore)
        self.add(b.assign(b.item("f", 1), b.item("f", saved)))
        self.close(*self.go(outer))
        self.block = going
        del after

    def _ask_simultaneously(self, effect: t.Simultaneously, rest: t.Block, c: Context) -> None:
        who = t.Name(effect.binder.id, at=effect.at, note=("variable", effect.binder.id))
        inner = t.As(who, effect.body, at=effect.at)
        self.shown = True
        self._ask_for(t.For([effect.binder], None, False, [inner], at=effect.at), rest, c)
        self.shown = False


def _slot_reader(slot: int) -> Read:
    """Return what reads a slot of the frame."""
    return lambda: b.item("f", slot)


def _jump(body: list[ast.stmt]) -> int | None:
    """Return where a block goes on when it does nothing else."""
    if len(body) != 2 or not isinstance(body[0], ast.Assign) or not isinstance(body[0].value, ast.Constant):
        return None
    target = body[0].targets[0]
    frame = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == "f"
    index = target.slice if isinstance(target, ast.Subscript) else None
    if frame and isinstance(index, ast.Constant) and index.value == 0 and isinstance(body[1], ast.Return):
        return int(body[0].value.value)  # type: ignore[arg-type]
    return None


__all__ = ["HEAD", "Block", "Frames", "Site", "Unit", "local"]
