"""Compile rules that may ask: cut them at their questions into blocks.

Here stand calls and control flow; ``blocks`` says what a block and a frame are, ``questions`` how one asks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from patolli.compiler import build as b
from patolli.compiler.effects import Effects, nothing_of
from patolli.compiler.questions import Questions
from patolli.compiler.unit import Context
from patolli.language import tree as t
from patolli.program import types as ty


class Frames(Questions):
    """The compiler of one asking rule at a time."""

    # -- loops without a question

    def _do_for(self, effect: t.For, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_for(self, effect, c))

    def _do_repeat(self, effect: t.Repeat, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_repeat(self, effect, c))

    def _do_loop(self, effect: t.Loop, c: Context) -> list[ast.stmt]:
        return self._plain_loop(lambda: Effects._do_loop(self, effect, c))

    def _plain_loop(self, compile_: Callable[[], list[ast.stmt]]) -> list[ast.stmt]:
        """Compile a loop that asks nothing: ``break`` inside it is Python's own."""
        self.exits.append(None)
        result = compile_()
        self.exits.pop()
        return result

    def _do_as(self, effect: t.As, c: Context) -> list[ast.stmt]:
        id_ = self.unit.fresh("who")
        inner = Context(self.unit, {**c.variables, "me": lambda: b.name(id_)}, c.outer)
        return [b.assign(b.name(id_), self.expr(effect.who, c)), *self.statements(effect.body, inner)]

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
        arguments = [self.value(a, c) for a in value.arguments]
        self.add(b.assign(b.item("f", slot), b.const(nothing_of(rule.returns))))
        self.enter(value.id, arguments, slot, c)

    def _ask_let(self, effect: t.Let, rest: t.Block, c: Context) -> Context:
        inner = self.in_frame(c, effect.id)
        self._returned(effect.value, self.variable(effect.id), c)
        return inner

    def _ask_setto(self, effect: t.SetTo, rest: t.Block, c: Context) -> None:
        slot = self.temporary()
        self._returned(effect.value, slot, c)
        self.add(*self.put(effect, b.item("f", slot), c))

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
            self.run(block, c, rest)
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
        self.add(ast.AugAssign(b.store(here), ast.Add(), b.const(1)))
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
        kind = source.of if isinstance(source, ty.Seq) else ty.ANY
        site = self.site("order", self.variable(id_), effect.prompt or "Which first?", (kind,))
        self.ask(site, b.call("distinct", b.item("f", items)), self.go(after))
        rest = b.call("without", b.item("f", items), b.item("f", self.variable(id_)))
        self.add(b.assign(b.item("f", items), rest))
        self._looped(effect.body, inner, head, after)

    def _ask_repeat(self, effect: t.Repeat, rest: t.Block, c: Context) -> None:
        left = self.temporary()
        self.add(b.assign(b.item("f", left), self.expr(effect.times, c)))
        head, after = self.follow(), self.number()
        self.add(b.when(b.compare(b.item("f", left), "<=", b.const(0)), self.go(after)))
        self.add(ast.AugAssign(b.store(b.item("f", left)), ast.Sub(), b.const(1)))
        self._looped(effect.body, c, head, after)

    def _ask_loop(self, effect: t.Loop, rest: t.Block, c: Context) -> None:
        head, after = self.follow(), self.number()
        self._looped(effect.body, c, head, after)

    def _ask_as(self, effect: t.As, rest: t.Block, c: Context) -> None:
        saved = self.temporary()
        me = b.item("f", 1)
        self.add(b.assign(b.item("f", saved), me), b.assign(me, self.expr(effect.who, c)), _called_upon(me))
        inner = Context(self.unit, {**c.variables, "me": lambda: b.item("f", 1)}, c.outer)
        if self.exits and self.exits[-1] is not None:
            self._as_in_loop(effect, inner, saved)
            return
        self.run(effect.body, inner)
        self.add(b.assign(me, b.item("f", saved)))

    def _do_passto(self, effect: t.PassTo, c: Context) -> list[ast.stmt]:
        return [*Effects._do_passto(self, effect, c), _called_upon(c.read("me"))]

    def _as_in_loop(self, effect: t.As, c: Context, saved: int) -> None:
        """Leave a loop from inside ``as``: me must be again who it was."""
        restore = self.number()
        outer = self.exits[-1]
        assert outer is not None
        self.exits.append(restore)
        self.run(effect.body, c)
        self.exits.pop()
        self.add(b.assign(b.item("f", 1), b.item("f", saved)))
        self.follow()
        going = self.block
        self.open(restore)
        self.add(b.assign(b.item("f", 1), b.item("f", saved)))
        self.close(*self.go(outer))
        self.block = going

    def _ask_simultaneously(self, effect: t.Simultaneously, rest: t.Block, c: Context) -> None:
        who = t.Name(effect.binder.id, at=effect.at, note=("variable", effect.binder.id))
        inner = t.As(who, effect.body, at=effect.at)
        self.shown = True
        self._ask_for(t.For([effect.binder], None, False, None, [inner], at=effect.at), rest, c)
        self.shown = False


def _called_upon(seat: ast.expr) -> ast.stmt:
    """Return the statement that notes that a seat is me from here on."""
    return ast.AugAssign(b.store(b.item("turns", seat)), ast.Add(), b.const(1))
