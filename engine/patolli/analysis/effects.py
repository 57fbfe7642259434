"""Type every effect of every rule.

In:     a model whose texts are parsed.
Out:    the same trees, typed; ``note`` on effects says what they act on. Rules know whom they call.
Errors: those of expressions and of ``changes``; P0203 a variable named twice, P0308 a ``break`` outside a loop,
        P0309 leaving while others have still to answer.
"""

from __future__ import annotations

from patolli.analysis.changes import Changes
from patolli.analysis.expressions import PLAYER, Scope
from patolli.analysis.model import Model, Rule
from patolli.analysis.walking import calls_rule, nodes
from patolli.language import tree as t
from patolli.language.depth import CALLS
from patolli.program import types as ty

NO_TYPE = "name it where it has a value, or begin with what is none: first(x in some_kind where false)"
HARMLESS = (t.Let, t.Require, t.Return, t.Nothing, t.Say)


class Effects(Changes):
    """The type checker for effects."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.rule: Rule | None = None
        self.done: set[str] = set()
        self.open: list[str] = []
        self.loops = 0
        self.together = False

    def rule_(self, rule: Rule) -> None:
        """Type one rule, once."""
        if rule.name in self.done:
            return
        if len(self.open) > CALLS:
            self.too_deep("rules", self.model.rules[self.open[0]].span)
            return
        self.done.add(rule.name)
        outer = (self.rule, self.calls, self.loops, self.together)
        self.rule, self.calls, self.loops, self.together = rule, set(), 0, False
        self.open.append(rule.name)
        scope = Scope({"me": PLAYER, **dict(rule.parameters)}, declared=dict(rule.parameters))
        if rule.given is not None:
            self.condition(rule.given, scope)
            self._narrow(scope, rule.given, True)
        for step in rule.steps:
            self.block(step.block, scope)
        self.calls.update(trigger.body for trigger in (*rule.before, *rule.after))
        if isinstance(rule.returns, ty.Ref | ty.Group) and not _always_returns(rule.block):
            rule.returns = ty.Maybe(rule.returns)
        self.open.pop()
        rule.calls = self.calls
        self.rule, self.calls, self.loops, self.together = outer

    def block(self, block: t.Block, scope: Scope) -> None:
        """Type effects in order; the scope grows as variables are named."""
        for effect in block:
            self.effect(effect, scope)

    def effect(self, effect: t.Effect, scope: Scope) -> None:
        """Type one effect by its class; what was tested holds until something changes."""
        if self.model.anytime and isinstance(effect, t.Choose | t.Menu):
            scope.proven = []  # the options are looked for again after an anytime action
        getattr(self, f"_{type(effect).__name__.lower()}")(effect, scope)
        if not self._harmless(effect):
            scope.proven = []

    def _harmless(self, effect: t.Effect) -> bool:
        """Tell whether what was tested before an effect holds behind it, too."""
        if isinstance(effect, t.If):
            return all(map(self._harmless, (e for b in (effect.then, effect.other) if not leaves(b) for e in b)))
        if isinstance(effect, t.Let) and calls_rule(effect.value):
            return False
        if isinstance(effect, t.Choose):
            other = effect.otherwise or []
            return leaves(other) or all(map(self._harmless, other))
        return isinstance(effect, HARMLESS)

    # -- names and control

    def name(self, id_: str, type_: ty.AnyType, scope: Scope, at: t.Node) -> None:
        """Bring a new variable into scope."""
        self.fresh(id_, scope, at)
        if id_ in scope.variables and id_ not in ("me",):
            before = scope.spans.get(id_)
            also = ((before, "named here first"),) if before else ()
            self.problem(
                "P0203", f"{id_!r} is already a variable here", at, f"write 'set {id_} to ..' to change it", *also
            )
        scope.variables[id_] = scope.declared[id_] = type_
        scope.spans[id_] = at.span

    def value(self, expr: t.Expr, scope: Scope) -> ty.AnyType:
        """Type an expression that may also be the call of a rule."""
        if isinstance(expr, t.Call) and expr.id in self.model.rules:
            return self.call(expr, scope, True)
        return self.check(expr, scope)

    def call(self, call: t.Call, scope: Scope, result: bool = False) -> ty.AnyType:
        """Type the call of a rule."""
        rule = self.model.rules.get(call.id)
        if rule is None:
            for argument in call.arguments:
                self.check(argument, scope)
            if call.id in self.model.functions:
                return self.problem(
                    "P0202",
                    f"{call.id!r} is a function; it computes and changes nothing",
                    call,
                    "name its value with 'let'",
                )
            return self.unknown("rule", call.id, call, [r.name for r in self.model.rules.values() if not r.hidden])
        self.used.add(rule.name)
        rule.used = True
        self.calls.add(rule.name)
        self.arguments(rule.name, rule.parameters, call.arguments, call, scope)
        call.note = ("rule", rule.name)
        self.rule_(rule)
        if result:
            call.type = rule.returns or ty.ANY
            if rule.returns is None and rule.name not in self.open:
                return self.problem("P0301", f"{rule.name!r} returns nothing", call, "let it 'return' a value")
        return rule.returns or ty.ANY

    def _let(self, effect: t.Let, scope: Scope) -> None:
        found = self.value(effect.value, scope)
        if found == ty.NONE:
            found = self.problem("P0301", "'none' alone has no type", effect.value, NO_TYPE)
        self.name(effect.id, found, scope, effect)

    def _random(self, effect: t.Random, scope: Scope) -> None:
        found = self.check(effect.source, scope)
        item: ty.AnyType = ty.ANY
        if isinstance(found, ty.Seq):
            sure = isinstance(effect.source, t.SpanOf | t.Listing) or t.note_of(effect.source)[0] == "kind"
            item = found.of if sure or found.of in (ty.INT, ty.BOOL) else ty.Maybe(ty.strip(found.of))
        elif found != ty.ANY:
            self.problem("P0301", f"expected a list, found {found}", effect.source)
        self.name(effect.id, item, scope, effect)

    def _callrule(self, effect: t.CallRule, scope: Scope) -> None:
        self.call(effect.call, scope)

    def _do(self, effect: t.Do, scope: Scope) -> None:
        self.check(effect.value, scope)
        if effect.value.type not in (ty.EFFECT, ty.ANY, ty.Maybe(ty.EFFECT)):
            self.problem("P0301", f"expected an effect, found {effect.value.type}", effect.value)
            return
        inner = effect.value
        while isinstance(inner, t.Index):
            inner = inner.of
        if isinstance(inner, t.Attribute) and inner.note:
            effect.note = (inner.of, inner.note[1], inner.name)
            self.calls.update(effect_rules(self.model, inner.note[1], inner.name))
        elif effect.value.type != ty.ANY:
            self.problem("P0301", "'do' takes the effect of a piece", effect.value, "write do x.fact")

    def _return(self, effect: t.Return, scope: Scope) -> None:
        if self.together:
            self._left_early("return" if effect.value is not None else "stop", effect)
        if effect.condition is not None:
            self.condition(effect.condition, scope)
            self._narrow(scope, effect.condition, effect.negated)
        if effect.value is not None and self.rule is not None:
            rule = self.rule
            found = self.value(effect.value, scope)
            if rule.returns is None:
                rule.returns = found
            else:
                rule.returns = self._joined(rule.returns, found, effect.value)

    def _break(self, effect: t.Break, scope: Scope) -> None:
        if not self.loops and self.together:
            self._left_early("break", effect)
        elif not self.loops:
            self.problem("P0308", "'break' outside a loop", effect)

    def _left_early(self, word: str, effect: t.Effect) -> None:
        text = f"this '{word}' would leave before the other players have answered"
        self.problem("P0309", text, effect, "let it do 'nothing' and go on with 'if', or call a rule and leave that")

    def _endmatch(self, effect: t.EndMatch, scope: Scope) -> None:
        pass

    def _nothing(self, effect: t.Nothing, scope: Scope) -> None:
        pass

    def _say(self, effect: t.Say, scope: Scope) -> None:
        for value in effect.values:
            self.check(value, scope)

    def _pause(self, effect: t.Pause, scope: Scope) -> None:
        pass

    def _passto(self, effect: t.PassTo, scope: Scope) -> None:
        self.check(effect.who, scope, PLAYER)

    def _require(self, effect: t.Require, scope: Scope) -> None:
        self.condition(effect.condition, scope)
        self._narrow(scope, effect.condition, True)

    def _if(self, effect: t.If, scope: Scope) -> None:
        self.condition(effect.condition, scope)
        self.block(effect.then, self.narrowed(scope, effect.condition, True))
        self.block(effect.other, self.narrowed(scope, effect.condition, False))
        for block, other, holds in ((effect.then, effect.other, False), (effect.other, effect.then, True)):
            if leaves(block) and not _sets_any(other):
                self._narrow(scope, effect.condition, holds)

    def _loop_body(self, body: t.Block, scope: Scope) -> None:
        self.loops += 1
        scope.proven = []
        for node in nodes(body):  # what is set in one round counts at the start of the next
            if isinstance(node, t.SetTo) and isinstance(node.target, t.Name):
                scope.widen(node.target.id)
        self.block(body, scope)
        self.loops -= 1

    def _for(self, effect: t.For, scope: Scope) -> None:
        inner = self.bind(effect.binders, scope)
        if effect.any_order and len(effect.binders) > 1:
            self.problem("P0301", "'in any order' takes one variable", effect)
        if effect.where is not None:
            self.condition(effect.where, inner)
            inner = self.narrowed(inner, effect.where, True)
        inner.proven = []
        self._loop_body(effect.body, inner)

    def _repeat(self, effect: t.Repeat, scope: Scope) -> None:
        self.check(effect.times, scope, ty.INT)
        self._loop_body(effect.body, scope.child())

    def _loop(self, effect: t.Loop, scope: Scope) -> None:
        self._loop_body(effect.body, scope.child())

    def _as(self, effect: t.As, scope: Scope) -> None:
        self.check(effect.who, scope, PLAYER)
        self.block(effect.body, scope.elsewhere())

    # -- questions

    def _choose(self, effect: t.Choose, scope: Scope) -> None:
        inner = self.bind(effect.binders, scope)
        if effect.where is not None:
            self.condition(effect.where, inner)
        if effect.otherwise is not None:
            self.block(effect.otherwise, scope.child())
        falls = effect.otherwise is not None and not leaves(effect.otherwise)
        for binder in effect.binders:
            found = inner.variables[binder.id]
            if (effect.decline or falls) and found != ty.ANY:
                found = ty.Maybe(ty.strip(found))
            self.name(binder.id, found, scope, binder)
        if effect.where is not None and not effect.decline and not falls:
            self._narrow(scope, effect.where, True)

    def _menu(self, effect: t.Menu, scope: Scope) -> None:
        for option in effect.options:
            inner = self.bind(option.binders, scope)
            if option.condition is not None:
                self.condition(option.condition, inner)
                inner = self.narrowed(inner, option.condition, True)
            self.block(option.body, inner)
        if effect.otherwise is not None:
            self.block(effect.otherwise, scope.child())

    def _upto(self, effect: t.UpTo, scope: Scope) -> None:
        self.check(effect.times, scope, ty.INT)
        self._loop_body(effect.body, scope.child())

    def _simultaneously(self, effect: t.Simultaneously, scope: Scope) -> None:
        inner = self.bind([effect.binder], scope.elsewhere())
        if inner.variables[effect.binder.id] not in (PLAYER, ty.ANY):
            self.problem("P0301", "expected a list of players", effect.binder.source)
        outer = (self.loops, self.together)
        self.loops, self.together = 0, True
        self.block(effect.body, inner)
        self.loops, self.together = outer


def leaves(block: t.Block) -> bool:
    """Tell whether a block never goes on to what follows it."""
    last = block[-1] if block else None
    if isinstance(last, t.If):
        return leaves(last.then) and leaves(last.other)
    return last is not None and jumps(last)


def jumps(effect: t.Effect) -> bool:
    """Tell whether an effect by itself never goes on to the next one."""
    return (isinstance(effect, t.Return) and effect.condition is None) or isinstance(effect, t.Break | t.EndMatch)


def _always_returns(block: t.Block) -> bool:
    """Tell whether a rule never ends without a value."""
    return _returns(block) and all(e.value is not None for e in nodes(block) if isinstance(e, t.Return))


def _returns(block: t.Block) -> bool:
    match block[-1] if block else None:
        case t.If() as last:
            return _returns(last.then) and _returns(last.other)
        case t.As() as last:
            return _returns(last.body)
        case t.Menu() as last:
            lines = [option.body for option in last.options]
            return all(map(_returns, lines if last.otherwise is None else [*lines, last.otherwise]))
        case t.Return() as last:
            return last.condition is None
        case t.EndMatch():
            return True
    return False


def _sets_any(block: t.Block) -> bool:
    """Tell whether a variable is set in a block."""
    return any(isinstance(node, t.SetTo) and isinstance(node.target, t.Name) for node in nodes(block))


def effect_rules(model: Model, kind: str, fact: str) -> list[str]:
    """Return the names of all rules that a fact of a kind may hold."""
    found: list[str] = []

    def walk(value: object) -> None:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    for design in model.kinds[kind].designs if kind in model.kinds else ():
        walk(design.facts.get(fact))
    return found
