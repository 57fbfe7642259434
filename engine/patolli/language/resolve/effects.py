"""Resolve every effect of every rule.

In:     a model whose texts are parsed.
Out:    rules of the program, and of each rule of the model whom it calls and what it returns.
Errors: those of expressions and of ``changes``; P0203 a variable named twice, P0308 a ``break`` outside a loop,
        P0309 leaving while others have still to answer.
"""

from __future__ import annotations

import dataclasses as dc
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from patolli.kernel.values import LARGEST
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.program.dispatch import handles
from patolli.language.program.logic import is_nonempty
from patolli.language.program.node import walk
from patolli.language.resolve import report_settings
from patolli.language.resolve.beginnings import NO_TYPE, Beginnings
from patolli.language.resolve.block_exits import (
    always_returns,
    gives,
    is_question,
    is_terminal,
    leaves,
    list_changes,
    list_loop_changes,
    sets_any,
)
from patolli.language.resolve.call_chains import many_calls
from patolli.language.resolve.changes import Changes
from patolli.language.resolve.entries import comes_later
from patolli.language.resolve.event_triggers import after_gain, after_move
from patolli.language.resolve.expressions import PLAYER, Scope
from patolli.language.resolve.model import Model, Rule, Worded
from patolli.language.resolve.results import Mark, Results
from patolli.language.resolve.scopes import find_reads, may_differ
from patolli.language.resolve.texts import Part
from patolli.language.syntax import tree as t
from patolli.language.syntax.depth import CALLS, SET_OFF_CALLS
from patolli.language.syntax.inline_printer import spell
from patolli.language.syntax.phrases import gaps
from patolli.language.syntax.syntax_walk import nodes


class Effects(Changes):
    """The part of the pass that resolves effects."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.rule: Rule | None = None
        self.done: set[str] = set()
        self.open: list[str] = []
        self.loops = 0
        self.set_off = 0
        self.overflow: list[Problem] = []  # not in the model, where rules that are resolved again lose problems
        self.together = ""  # why nothing may leave the block, if it must end
        self.results = Results(model, self.uses)
        self.beginnings = Beginnings()

    def rule_(self, rule: Rule, known: Sequence[x.Expr] = ()) -> None:
        """Resolve one rule, once; *known* holds from its beginning to its end."""
        if rule.name in self.done:
            return
        if len(self.open) > CALLS:
            self.too_deep("rules", self.model.rules[self.open[0]].span)
            return
        before = self.results.mark(self.done)
        outer, self.beginnings = self.beginnings, Beginnings()
        self.open.append(rule.name)
        self._once(rule, known)
        while self.beginnings.learn():
            self.done = self.results.forget(before, self.done)
            self._once(rule, known)
        for let in self.beginnings.unknown():
            self.problem("P0301", "this is none, and nothing says which type it may have otherwise", let.value, NO_TYPE)
        if self.results.used and not self.results.used.intersection(self.open[:-1]):
            self._settle(rule, before)  # else a rule that is open around this one sees to it
        if not self.results.used:
            self.results.keep(rule.name, before, self.done)
        self.open.pop()
        self.beginnings = outer

    def _once(self, rule: Rule, known: Sequence[x.Expr] = ()) -> None:
        """Go through a rule; what rules return that are open may still be unknown."""
        self.done.add(rule.name)
        outer = (self.rule, self.calls, self.loops, self.together)
        self.rule, self.calls, self.loops, self.together = rule, set(), 0, ""
        with self.uses.of(rule.name):
            self._steps(rule, known)
        rule.calls = self.calls
        self.rule, self.calls, self.loops, self.together = outer

    def _settle(self, rule: Rule, before: Mark) -> None:
        """Go through rules that use their own values until it is clear what they return."""
        while self.results.learn():
            self.done = self.results.forget(before, self.done)
            self._once(rule)
        self.results.end()

    def _steps(self, rule: Rule, known: Sequence[x.Expr]) -> None:
        """Resolve the steps of a rule."""
        scope = Scope.of(rule.span, **{"me": PLAYER, **dict(rule.parameters)})
        scope.proven += known
        me, *parameters = scope.set_bounds(self.model.bounds_of(rule.name))
        settings = report_settings.resolve_report_settings(self, rule, scope)
        given = None
        if rule.given is not None:
            given = self.condition(rule.given, scope)
            self.narrow(scope, given, True)
        steps = tuple(pm.Step(step.name, self.block(step.block, scope), step.span) for step in rule.steps)
        self.calls.update(trigger.body for trigger in (*rule.before, *rule.after))
        made = pm.Rule(
            rule.name, rule.span, me, tuple(parameters), steps, rule.text, rule.source, None, rule.hidden, given,
            report_settings=settings,
        )  # fmt: skip
        if isinstance(rule.returns, ty.Ref | ty.Group) and not always_returns(made.block):
            rule.returns = ty.Maybe(rule.returns)
        made.returns = rule.returns
        self.program.rules[rule.name] = made

    def block(self, block: t.Block, scope: Scope) -> e.Block:
        """Resolve effects in order; the scope grows as variables are named."""
        return tuple(made for effect in block for made in self.effect(effect, scope))

    def effect(self, effect: t.Effect, scope: Scope) -> e.Block:
        """Resolve one effect; what was tested holds until it may change."""
        anytime = bool(self.model.anytime)
        if anytime and is_question(effect):
            scope.forget()  # the options are looked for again after an anytime action; what they show holds
            anytime = False
        made = self._effect(effect, scope)
        scope.forget(set(list_changes(made, anytime)))
        self._note_value(made[-1] if made else None, scope)
        return made

    def _note_value(self, made: e.Effect | None, scope: Scope) -> None:
        """Note what an effect makes true: a field that is set to something is not none, a name stands for its value."""
        match made:
            case e.Set(target=x.FieldOf() as target) if isinstance(target.type, ty.Maybe) and _is_sure(made.value.type):
                if not may_differ(find_reads(target.of), {("field", target.kind, target.field)}):
                    scope.proven.append(x.Present(target, type=ty.BOOL, span=target.span))
            case e.Let(value=x.Expr(type=ty.INT) as value):
                named = x.Local(made.variable, type=ty.INT, span=made.span)
                scope.proven.append(x.Compare("==", named, value, type=ty.BOOL, span=made.span))

    def _effect(self, effect: t.Effect, scope: Scope) -> e.Block:
        made: e.Effect | e.Block = self.handlers["effect"][type(effect)](self, effect, scope)
        if self.model.happenings and isinstance(made, e.Gain | e.Move | e.Draw):
            made = self._set_off(made, scope)
        return made if isinstance(made, tuple) else (made,)

    def _set_off(self, made: e.Gain | e.Move | e.Draw, scope: Scope) -> e.Block:
        """Put what an effect sets off behind it, until that is too much."""
        if self.set_off > SET_OFF_CALLS:
            return (made,)
        here = self.rule.name if self.rule is not None else ""
        if isinstance(made, e.Gain):
            block = after_gain(self.model, made, here)
        else:
            block = after_move(self.model, made, self.me(scope, made.span), here)
        called = [one.rule for one in walk(block) if isinstance(one, e.CallRule)]
        self.set_off += len(called)
        if self.set_off > SET_OFF_CALLS:
            self.overflow = [many_calls(made.span, len(called), SET_OFF_CALLS)]
        self.calls.update(called)
        return block

    # -- names and calls

    def name(self, variable: x.Variable, scope: Scope, at: t.Node) -> x.Variable:
        """Bring a new variable into scope."""
        id_ = variable.name
        self.fresh(id_, scope, at)
        if id_ in scope.variables and id_ not in ("me",):
            before = scope.named.get(scope.variables[id_])
            also = ((before, "named here first"),) if before else ()
            help_ = f"write 'set {id_} to ..' to change it"
            self.problem("P0203", f"{id_!r} is already a variable here", at, help_, *also)
        scope.named[variable] = at.span
        return scope.add(variable)

    def call(self, call: t.Call, scope: Scope, result: bool = False) -> e.CallRule:
        """Resolve the call of a rule; with *result* its value is used, and goes into a variable without a name."""
        rule = self.model.rules.get(call.id)
        if rule is None:
            return self._no_rule(call, scope)
        self.used.add(rule.name)
        rule.used = True
        self.calls.add(rule.name)
        arguments = self.arguments(rule.name, rule.parameters, call.arguments, call, scope)
        self.uses.rule(call, rule.name)
        self.rule_(rule)
        into = None
        if result:
            into = x.Variable("", self._result(rule, call), call.span)
        return e.CallRule(rule.name, self.me(scope, call.span), arguments, into, span=call.span)

    @handles("effect", t.CallRule)
    def _call_rule(self, effect: t.CallRule, scope: Scope) -> e.CallRule:
        return replace(self.call(effect.call, scope), span=effect.head)

    def _result(self, rule: Rule, call: t.Call) -> ty.AnyType:
        """Return the type of what a rule returns, which is used where it is called."""
        known = self.results.of_open(rule) if rule.name in self.open else rule.returns
        if known is not None:
            return known
        if rule.name not in self.open or (self.results.last and not gives(rule)):
            self.problem("P0301", f"{rule.name!r} returns nothing", call, "let it 'return' a value")
        elif self.results.last:
            words = f"{rule.name!r} uses its own value, and nothing else says what it returns"
            help_ = "let it 'return' a value that does not come from itself, too"
            self.problem("P0305", words, call, help_, (rule.span, "it is here"))
        return ty.ANY

    def _no_rule(self, call: t.Call, scope: Scope) -> e.CallRule:
        """Report the call of what is no rule."""
        arguments = self.many(call.arguments, scope)
        if call.id in self.model.functions:
            words = f"{call.id!r} is a function; it computes and changes nothing"
            self.problem("P0202", words, call, "name its value with 'let'")
        else:
            self.unknown("rule", call.id, call, [r.name for r in self.model.rules.values() if not r.hidden])
        return e.CallRule(call.id, self.me(scope, call.span), arguments, None, span=call.span)

    def _resolve_rule_call(self, value: t.Expr, scope: Scope) -> e.CallRule | None:
        """Resolve a value that a rule returns; None for other ones."""
        is_rule = isinstance(value, t.Call) and value.id in self.model.rules
        return self.call(value, scope, True) if isinstance(value, t.Call) and is_rule else None

    def _value(self, call: e.CallRule | None, value: t.Expr, scope: Scope) -> x.Expr:
        """Return what a rule was called for, or resolve the value."""
        if call is None or call.into is None:
            return self.check(value, scope)
        return x.Local(call.into, type=call.into.type, span=value.span)

    @handles("effect", t.Let)
    def _let(self, effect: t.Let, scope: Scope) -> e.Let | e.CallRule:
        call = self._resolve_rule_call(effect.value, scope)
        value = self._value(call, effect.value, scope)
        begins = call is None and (value.type == ty.NONE or value.type == ty.Seq(ty.ANY))
        if value.type == ty.NONE and not begins:
            value, call = self.problem("P0301", "'none' alone has no type", effect.value, "let it return a value"), None
        type_ = self.beginnings.type_of(effect, value.type) if begins else value.type
        variable = x.Variable(effect.id, type_, _name_in(effect))
        if begins:
            self.beginnings.name(effect, variable)
        made: e.Let | e.CallRule = e.Let(variable, value, span=effect.head)
        if call is not None:
            made = replace(call, into=variable, span=effect.head)
        self.uses.record_declaration(effect)
        self.name(variable, scope, effect)
        return made

    @handles("effect", t.Random)
    def _random(self, effect: t.Random, scope: Scope) -> e.Random:
        source = self.check(_filter_items(t.Binder(effect.id, effect.source, at=effect.at), effect.where), scope)
        item: ty.AnyType = ty.ANY
        if isinstance(source.type, ty.Seq):
            item = source.type.of
            if item not in (ty.INT, ty.BOOL) and not self._never_empty(source, scope):
                item = ty.Maybe(ty.strip(item))
        elif source.type != ty.ANY:
            self.problem("P0301", f"expected a list, found {source.type}", effect.source)
        self.uses.record_declaration(effect)
        return e.Random(self.name(x.Variable(effect.id, item, effect.span), scope, effect), source, span=effect.head)

    def _never_empty(self, source: x.Expr, scope: Scope) -> bool:
        """Return whether a list surely has something in it, in every match."""
        match source:
            case x.Instances(kind=kind):
                return self.presence.surely_some(kind, scope.proven)
            case x.ListOf(items=items):
                return bool(items)
        return is_nonempty(source, scope.proven)

    @handles("effect", t.Do)
    def _do(self, effect: t.Do, scope: Scope) -> e.Do:
        if isinstance(effect.value, t.Call) and effect.value.id in self.model.rules:
            what = spell(effect.value)
            self.problem(
                "P0301",
                "'do' carries out the effect of a piece",
                effect.value,
                f"a rule is called without it: {what!r}",
            )
            return e.Do(
                "",
                "",
                self.nothing(effect.value),
                self.nothing(effect.value),
                self.me(scope, effect.span),
                span=effect.head,
            )
        value, me = self.check(effect.value, scope), self.me(scope, effect.span)
        if effect.it is not None:
            comes_later(self.model, "'as' after 'do'", effect.it.span, 3)
        inner = value
        while isinstance(inner, x.ItemAt):
            inner = inner.of
        if value.type not in (ty.EFFECT, ty.ANY, ty.Maybe(ty.EFFECT)):
            self.problem("P0301", f"expected an effect, found {value.type}", effect.value)
        elif isinstance(inner, x.FactOf):
            self.calls.update(self.program.effect_rules(inner.kind, inner.fact))
            it = inner.of if effect.it is None else self.check(effect.it, scope, inner.of.type)
            return e.Do(inner.kind, inner.fact, value, it, me, span=effect.head)
        elif value.type != ty.ANY:
            self.problem("P0301", "'do' takes the effect of a piece", effect.value, "write do x.fact")
        return e.Do("", "", value, self.nothing(effect.value), me, span=effect.head)

    # -- control

    @handles("effect", t.Return)
    def _return(self, effect: t.Return, scope: Scope) -> e.Block:
        if self.together:
            self._left_early("return" if effect.value is not None else "stop", effect)
        if effect.condition is not None:
            test = self.condition(effect.condition, scope)
            self.narrow(scope, test, effect.negated)
            leave = (e.Return(None, span=effect.head),)
            shown = x.Not(test, type=ty.BOOL, span=test.span) if effect.negated else test
            return (e.If(shown, leave, (), span=effect.head),)
        if effect.value is None:
            return (e.Return(None, span=effect.head),)
        call = self._resolve_rule_call(effect.value, scope)
        value = self._value(call, effect.value, scope)
        if self.rule is not None:
            self.rule.returns = self._merge_return_type(self.rule.returns, value.type, effect.value)
        leave_ = e.Return(value, span=effect.head)
        return (call, leave_) if call is not None else (leave_,)

    def _merge_return_type(self, known: ty.AnyType | None, found: ty.AnyType, at: t.Expr) -> ty.AnyType:
        """Return what a rule returns, now that one more value was found; what is not known does not count."""
        if known is None or (ty.vague(known) and ty.fits(found, known)):
            return found
        return known if ty.vague(found) and ty.fits(found, known) else self._join_types(known, found, at)

    @handles("effect", t.Break)
    def _break(self, effect: t.Break, _: Scope) -> e.Break:
        if not self.loops and self.together:
            self._left_early("break", effect)
        elif not self.loops:
            self.problem("P0308", "'break' outside a loop", effect)
        return e.Break(span=effect.head)

    def _left_early(self, word: str, effect: t.Effect) -> None:
        text = f"this '{word}' would leave {self.together}"
        self.problem("P0309", text, effect, "use 'nothing' and 'if', or call a rule and leave that rule")

    @handles("effect", t.EndMatch)
    def _end_match(self, effect: t.EndMatch, _: Scope) -> e.EndMatch:
        return e.EndMatch(span=effect.head)

    @handles("effect", t.PassTo)
    def _pass_to(self, effect: t.PassTo, scope: Scope) -> e.PassTo:
        return e.PassTo(scope.variables["me"], self.check(effect.who, scope, PLAYER), span=effect.head)

    @handles("effect", t.Pause)
    def _pause(self, effect: t.Pause, _: Scope) -> e.Pause:
        return e.Pause(effect.label, span=effect.head)

    @handles("effect", t.Say)
    def _say(self, effect: t.Say, scope: Scope) -> e.Say:
        return e.Say(effect.text, self.many(effect.values, scope), span=effect.head)

    @handles("effect", t.Nothing)
    def _nothing(self, effect: t.Nothing, _: Scope) -> e.Nothing:
        return e.Nothing(span=effect.head)

    @handles("effect", t.Mark)
    def _mark(self, effect: t.Mark, _: Scope) -> e.Mark:
        return e.Mark(effect.reached, span=effect.head)

    @handles("effect", t.Require)
    def _require(self, effect: t.Require, scope: Scope) -> e.Require:
        condition = self.condition(effect.condition, scope)
        self.narrow(scope, condition, True)
        return e.Require(condition, span=effect.head)

    @handles("effect", t.Expect)
    def _expect(self, effect: t.Expect, scope: Scope) -> e.Expect:
        condition = self.condition(effect.condition, scope)
        self.narrow(scope, condition, True)
        return e.Expect(condition, effect.reason or "", span=effect.head)

    @handles("effect", t.If)
    def _if(self, effect: t.If, scope: Scope) -> e.If:
        condition = self.condition(effect.condition, scope)
        then = self.block(effect.then, self.narrow_scope(scope, condition, True))
        other = self.block(effect.other, self.narrow_scope(scope, condition, False))
        for block, beside, holds in ((then, other, False), (other, then, True)):
            if is_terminal(block) and not sets_any(beside):
                self.narrow(scope, condition, holds)
        return e.If(condition, then, other, span=effect.head)

    def _loop_body(self, loop: t.Loop | t.For | t.Repeat | t.UpTo, scope: Scope) -> e.Block:
        self.loops += 1
        scope.forget(set(list_loop_changes(loop, self.model)))  # what one round changes counts at the start of the next
        for node in nodes(loop.body):
            if isinstance(node, t.SetTo) and isinstance(node.target, t.Name):
                scope.widen(node.target.id)
        made = self.block(loop.body, scope)
        self.loops -= 1
        return made

    @handles("effect", t.For)
    def _for(self, effect: t.For, scope: Scope) -> e.For:
        inner, binders = self.bind(effect.binders, scope)
        if effect.any_order and len(effect.binders) > 1:
            self.problem("P0301", "'in any order' takes one variable", effect)
        where = None
        if effect.where is not None:
            where = self.condition(effect.where, inner)
            inner = self.narrow_scope(inner, where, True)
        body = self._loop_body(effect, inner)
        return e.For(binders, where, effect.any_order, effect.prompt, body, span=effect.head)

    @handles("effect", t.Repeat)
    def _repeat(self, effect: t.Repeat, scope: Scope) -> e.Repeat:
        times = self.check(effect.times, scope, ty.INT)
        return e.Repeat(times, self._loop_body(effect, scope.child()), span=effect.head)

    @handles("effect", t.Loop)
    def _loop(self, effect: t.Loop, scope: Scope) -> e.Loop:
        return e.Loop(self._loop_body(effect, scope.child()), span=effect.head)

    @handles("effect", t.UpTo)
    def _up_to(self, effect: t.UpTo, scope: Scope) -> e.UpTo:
        times = self.check(effect.times, scope, ty.INT)
        return e.UpTo(times, effect.label, self._loop_body(effect, scope.child()), span=effect.head)

    def _elsewhere(self, scope: Scope, span: t.Node) -> tuple[Scope, x.Variable]:
        """Return a scope inside another in which another player is `me`, which is another variable."""
        inner = scope.child()
        return inner, inner.add(x.Variable("me", PLAYER, span.span))

    @handles("effect", t.As)
    def _as(self, effect: t.As, scope: Scope) -> e.As:
        who = self.check(effect.who, scope, PLAYER)
        inner, me = self._elsewhere(scope, effect)
        return e.As(me, who, None, self.block(effect.body, inner), span=effect.head)

    @handles("effect", t.AsBy)
    def _as_by(self, effect: t.AsBy, scope: Scope) -> e.As:
        who, by = self.check(effect.who, scope, PLAYER), self.check(effect.by, scope, PLAYER)
        decided = pm.Attribute(e.DECIDED_BY, ty.Maybe(PLAYER), effect.head, True)
        self.program.kinds["player"].fields.setdefault(e.DECIDED_BY, decided)
        inner, me = self._elsewhere(scope, effect)
        body = self._resolve_whole_block(effect.body, inner, "while another player decides")
        return e.As(me, who, by, body, span=effect.head)

    def _resolve_whole_block(self, body: t.Block, scope: Scope, why: str) -> e.Block:
        """Resolve a block that nothing in it may leave, for a reason."""
        outer = (self.loops, self.together)
        self.loops, self.together = 0, why
        found = self.block(body, scope)
        self.loops, self.together = outer
        return found

    # -- questions

    @handles("effect", t.Choose)
    def _choose(self, effect: t.Choose, scope: Scope) -> e.Choose:
        named = self._resolve_prompt(effect, scope)
        falls = effect.otherwise is not None and not leaves(effect.otherwise)
        inner, binders = self.bind(effect.binders, scope, none=bool(effect.decline) or falls)
        where = self.condition(effect.where, inner) if effect.where is not None else None
        otherwise = self.block(effect.otherwise, scope.child()) if effect.otherwise is not None else None
        for binder, made in zip(effect.binders, binders, strict=True):
            self.name(made.variable, scope, binder)
        if where is not None and not effect.decline and not falls:
            self.narrow(scope, where, True)
        self.keep_words(effect.words, effect.at, binders)
        return e.Choose(
            binders, where, effect.decline, effect.prompt, effect.words, otherwise, False, named, span=effect.head
        )

    @handles("effect", t.ChooseSome)
    def _choose_some(self, effect: t.ChooseSome, scope: Scope) -> e.Choose:
        named = self._resolve_prompt(effect, scope)
        amount = self._written_amount(effect.amount)
        least = self.check(amount.least, scope, ty.INT) if amount.least is not None else None
        most = self.check(amount.most, scope, ty.INT) if amount.most is not None else least
        inner, (binder,) = self.bind([effect.binder], scope)
        where = self.condition(effect.where, inner) if effect.where is not None else None
        at = effect.binder.span
        items = x.Quantifier("list", (binder,), where, None, None, type=ty.Seq(ty.strip(binder.variable.type)), span=at)
        least = least or x.Number(0, type=ty.INT, span=at)
        most = most or x.Number(LARGEST, type=ty.INT, span=at)
        source = x.BuiltinCall("combinations", (items, least, most), type=ty.Seq(items.type), span=at)
        otherwise = self.block(effect.otherwise, scope.child()) if effect.otherwise is not None else None
        self.keep_words(effect.words, effect.at, (binder,))
        variable = x.Variable(effect.id, items.type, self.uses.record_choice(effect))
        self.name(variable, scope, effect)
        binders = (x.Binder(variable, source, span=at),)
        return e.Choose(binders, None, None, effect.prompt, effect.words, otherwise, True, named, span=effect.head)

    def _written_amount(self, amount: t.HowMany) -> t.HowMany:
        """Report numbers that are unlikely to be meant; return those that are."""
        least, most = amount.least, amount.most
        if isinstance(least, t.Name) and least.id == "up" and most is not None and "up" not in self.model.names:
            words, help_ = "start at 0 for 'at most'", f"write 'choose 0 to {spell(most)} of ..'"
            self.problem("P0301", words, least, help_)
            return dc.replace(amount, least=None)
        if isinstance(least, t.Number) and isinstance(most, t.Number) and least.value > most.value:
            words = f"a player cannot choose at least {least.value} and at most {most.value}"
            self.problem("P0301", words, least, f"write 'choose {most.value} to {least.value} of ..'")
        elif most is None and isinstance(least, t.Binary) and least.op == "-" and isinstance(least.left, t.Number):
            words, help_ = "'-' subtracts here", f"write 'choose {spell(least.left)} to {spell(least.right)} of ..'"
            self.problem("P0301", words, least, help_)
        return amount

    @handles("effect", t.Menu)
    def _menu(self, effect: t.Menu, scope: Scope) -> e.Menu:
        options = tuple(self._option(option, scope) for option in effect.options)
        otherwise = self.block(effect.otherwise, scope.child()) if effect.otherwise is not None else None
        named = self._resolve_prompt(effect, scope)
        return e.Menu(effect.prompt, options, otherwise, effect.may, named, span=effect.head)

    def _resolve_prompt(self, effect: t.Choose | t.ChooseSome | t.Menu, scope: Scope) -> tuple[x.Local, ...]:
        """Resolve the variables that a question names in braces; it is asked of `me`, and so names others only."""
        known = {name: variable for name, variable in scope.variables.items() if name != "me"}
        named = [known[gap.path[0]] for gap in gaps(effect.prompt or "") if gap.path[0] in known]
        if named:
            self._keep_text(effect.prompt or "", effect.at, "", known.values())
        return tuple(x.Local(variable, type=variable.type, span=effect.head) for variable in named)

    def _option(self, option: t.Option, scope: Scope) -> e.Option:
        inner, binders = self.bind(option.binders, scope)
        condition = None
        if option.condition is not None:
            condition = self.condition(option.condition, inner)
            inner = self.narrow_scope(inner, condition, True)
        self.keep_words(option.words, option.at, binders)
        body = self.block(option.body, inner)
        return e.Option(option.label, option.words, condition, binders, body, span=option.span)

    def keep_words(self, words: str | None, at: t.At, binders: Sequence[x.Binder]) -> None:
        """Keep the words for an answer, until all is known that they may name."""
        if words is not None:
            self._keep_text(words, at, r"\bas\s+", [binder.variable for binder in binders])

    def _keep_text(self, words: str, at: t.At, before: str, variables: Iterable[x.Variable]) -> None:
        written = re.compile(rf'{before}"({re.escape(words)})"').search(at.text.value, at.start)
        assert written is not None
        known = {variable.name: variable.type for variable in variables}
        self.model.worded.append(Worded(Part(at.text, written.start(1), words), known, self.uses.owner))

    @handles("effect", t.Simultaneously)
    def _simultaneously(self, effect: t.Simultaneously, scope: Scope) -> e.Simultaneously:
        asked = replace(effect.binder, source=_filter_items(effect.binder, effect.where))
        inner, (binder,) = self.bind([asked], scope)
        if binder.variable.type not in (PLAYER, ty.ANY):
            self.problem("P0301", "expected a list of players", effect.binder.source)
        inner, me = self._elsewhere(inner, effect)
        inner.forget()
        body = self._resolve_whole_block(effect.body, inner, "before the other players have chosen")
        return e.Simultaneously(binder.variable, me, binder.source, body, span=effect.head)


Effects.complete("effect", t.Effect)


def _filter_items(binder: t.Binder, where: t.Expr | None) -> t.Expr:
    """Return the list of a binder, or those of its items for which a condition holds."""
    source = binder.source
    return source if where is None else t.Quantifier("list", None, [binder], where, None, at=source.at)


def _is_sure(type_: ty.AnyType) -> bool:
    return type_ not in (ty.NONE, ty.ANY) and not isinstance(type_, ty.Maybe)


def _name_in(effect: t.Let) -> Span:
    """Return the place of the name that a value gets."""
    text, start = effect.at.text, effect.at.start
    if isinstance(text, t.FixedText):  # no author wrote it
        return effect.span
    return text.place(start + text.value[start:].index(effect.id, len("let")), len(effect.id))
