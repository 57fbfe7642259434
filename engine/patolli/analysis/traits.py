"""Find out of every rule whether it asks, changes the state, and is possible only under a condition.

In:     a typed model.
Out:    ``asks``, ``changes``, ``guarded`` and ``recursive`` of each rule.

A rule is *guarded* when its beginning, up to the first change, holds a ``require``, a payment or a choice that may be
empty. The three only ever turn from false to true, so repeating until nothing moves finds the least solution.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.analysis.effects import effect_rules, leaves
from patolli.analysis.model import Model, Rule
from patolli.analysis.room import leaves_room
from patolli.language import tree as t

CHANGES = (t.Gain, t.Pay, t.Move, t.Swap, t.Shuffle, t.Draw, t.Refill, t.Slide, t.Random, t.EndMatch)
QUESTIONS = (t.Choose, t.Menu, t.UpTo)


class Traits:
    """Answers questions about effects, from what is known of the rules so far."""

    def __init__(self, model: Model) -> None:
        self.model = model
        substituted = {target for s in model.substitutions for target in s.targets}
        self.substituted = substituted
        self.spent = {c.name for c in model.counters.values() if c.spend}
        self.tags = {tag for d in model.discounts for tag in d.on} | {tag for w in model.waivers for tag in w.on}

    def run(self) -> None:
        """Find the traits of all rules."""
        moved = True
        while moved:
            moved = False
            for rule in self.model.rules.values():
                moved |= self._update(rule)
        for rule in self.model.rules.values():
            rule.recursive = self._reaches(rule.name, rule.name, set())
        for function in self.model.functions.values():
            function.recursive |= self._function_reaches(function.name, function.name, set())

    def _update(self, rule: Rule) -> bool:
        before = (rule.asks, rule.changes, rule.guarded)
        bodies = [self.model.rules[trigger.body] for trigger in (*rule.before, *rule.after)]
        files = {step.block[0].span.path for step in rule.steps if step.block}
        rule.asks = rule.asks or len(files) > 1 or any(map(self.asks, walk(rule.block))) or any(b.asks for b in bodies)
        rule.changes = rule.changes or any(map(self.changes, walk(rule.block))) or any(b.changes for b in bodies)
        rule.guarded = rule.guarded or self.guard(rule.block)[0]
        return before != (rule.asks, rule.changes, rule.guarded)

    def _reaches(self, start: str, goal: str, seen: set[str]) -> bool:
        for name in self.model.rules[start].calls if start in self.model.rules else ():
            if name == goal:
                return True
            if name not in seen:
                seen.add(name)
                if self._reaches(name, goal, seen):
                    return True
        return False

    def _function_reaches(self, start: str, goal: str, seen: set[str]) -> bool:
        for name in self.model.functions[start].calls if start in self.model.functions else ():
            if name == goal:
                return True
            if name not in seen:
                seen.add(name)
                if self._function_reaches(name, goal, seen):
                    return True
        return False

    # -- single effects

    def called(self, effect: t.Effect) -> list[Rule]:
        """Return the rules that an effect may carry out directly."""
        names: list[str] = []
        if isinstance(effect, t.CallRule):
            names = [effect.call.id]
        elif isinstance(effect, t.Let | t.SetTo | t.Return) and isinstance(effect.value, t.Call):
            names = [effect.value.id] if t.note_of(effect.value)[0] == "rule" else []
        elif isinstance(effect, t.Do) and effect.note:
            names = effect_rules(self.model, effect.note[1], effect.note[2])
        return [self.model.rules[name] for name in names if name in self.model.rules]

    def asks(self, effect: t.Effect) -> bool:
        """Tell whether an effect may ask a player, not counting the effects inside it."""
        if isinstance(effect, QUESTIONS) or (isinstance(effect, t.For) and effect.any_order):
            return True
        if isinstance(effect, t.Pause):
            return bool(self.model.anytime)
        if isinstance(effect, t.Pay):
            return self.payment_asks(effect)
        if isinstance(effect, t.Gain):
            return any(item.mix or item.thing is None for item in effect.items)
        return any(rule.asks for rule in self.called(effect))

    def payment_asks(self, effect: t.Pay) -> bool:
        """Tell whether a payment may leave the player a choice."""
        if effect.tag in self.tags:
            return True
        for item in effect.items:
            note = t.note_of(item)
            if item.mix or note[0] == "variable":
                return True
            if note[0] == "cost" and (self.substituted or self.spent or self._mixed_costs()):
                return True
            if note[0] == "counter" and item.thing in self.substituted | self.spent:
                return True
        return False

    def _mixed_costs(self) -> bool:
        costs = (value for d in self.model.designs.values() for value in d.facts.values() if isinstance(value, t.Cost))
        return any(item.mix for cost in costs for item in cost.items)

    def changes(self, effect: t.Effect) -> bool:
        """Tell whether an effect changes the state, not counting the effects inside it."""
        if isinstance(effect, CHANGES):
            return True
        if isinstance(effect, t.SetTo):
            return bool(effect.target.note) and effect.target.note[0] != "variable"
        return any(rule.changes for rule in self.called(effect))

    # -- what the beginning of a block demands

    def guard(self, block: t.Block) -> tuple[bool, bool]:
        """Return whether a block is guarded, and whether the beginning ends inside it."""
        for position, effect in enumerate(block):
            guarded, ends = self.guard_of(effect, block[position + 1 :])
            if guarded or ends:
                return guarded, True
        return False, False

    def guard_of(self, effect: t.Effect, rest: t.Block) -> tuple[bool, bool]:
        """Return the same for one effect with what follows it."""
        match effect:
            case t.Require():
                return True, False
            case t.Pay():
                return any(not _free(item) for item in effect.items), False
            case t.Choose():
                if effect.otherwise is not None or effect.decline is not None:
                    return False, True
                return not surely(effect, self.model), False
            case t.Menu():
                return effect.otherwise is None and not self.sure_option(effect), True
            case t.If():
                left = (False, True) if _tested(effect.condition, effect.then) else self.guard(effect.then)
                right = self.guard(effect.other)
                ends = (left[1] and self._goes_on(effect.then)) or (right[1] and self._goes_on(effect.other))
                return left[0] or right[0], ends
            case t.As():
                guarded, ends = self.guard(effect.body)
                return guarded, ends or any(map(self.changes, walk(effect.body)))
            case t.Return():
                rules = self.called(effect)
                return any(r.guarded for r in rules), effect.condition is None
            case t.For() | t.Repeat() | t.Loop() | t.UpTo() | t.Simultaneously() | t.Break() | t.EndMatch():
                return False, True
        rules = self.called(effect)
        return any(r.guarded for r in rules), self.changes(effect) or any(r.asks for r in rules)

    def _goes_on(self, block: t.Block) -> bool:
        """Tell whether the beginning of a rule ends with a block; one that only leaves the rule does not end it."""
        return not leaves(block) or any(map(self.changes, walk(block)))

    def sure_option(self, menu: t.Menu) -> bool:
        """Tell whether one line of a menu is possible in any case."""
        return any(
            o.condition is None
            and not self.guard(o.body)[0]
            and (not o.binders or all(nonempty(b.source) for b in o.binders))
            for o in menu.options
        )


def _tested(condition: t.Expr, then: t.Block) -> bool:
    """Tell whether a condition asks ``can(rule(args))`` and that very call comes first."""
    if isinstance(condition, t.Logic) and condition.op == "and":
        return _tested(condition.left, then) or _tested(condition.right, then)
    call = then[0].call if then and isinstance(then[0], t.CallRule) else None
    return (
        call is not None and isinstance(condition, t.Call) and condition.id == "can" and condition.arguments == [call]
    )


def _free(item: t.Item) -> bool:
    return isinstance(item.amount, t.Number) and item.amount.value == 0


def surely(effect: t.Choose, model: Model) -> bool:
    """Tell whether a choice has something to choose in any case."""
    return (effect.where is None and all(nonempty(b.source) for b in effect.binders)) or leaves_room(effect, model)


def nonempty(source: t.Expr) -> bool:
    """Tell whether a list cannot be empty."""
    if isinstance(source, t.Listing):
        return bool(source.items)
    if isinstance(source, t.SpanOf):
        low, high = source.low, source.high
        return isinstance(low, t.Number) and (
            (isinstance(high, t.Number) and low.value <= high.value) or (low.value == 0 and _never_negative(high))
        )
    return bool(source.note) and source.note[0] in ("kind", "players", "group")


def _never_negative(expr: t.Expr) -> bool:
    if isinstance(expr, t.Number):
        return True
    if isinstance(expr, t.Call) and expr.id == "min":
        return all(_never_negative(a) for a in expr.arguments)
    if isinstance(expr, t.Call) and expr.id == "max":
        return any(_never_negative(a) for a in expr.arguments)
    if isinstance(expr, t.Binary) and expr.op in ("+", "*"):
        return _never_negative(expr.left) and _never_negative(expr.right)
    if isinstance(expr, t.Quantifier | t.Call) and (expr.id in ("count", "size")):
        return True
    return bool(expr.note) and expr.note[0] == "counter"


def walk(block: t.Block) -> Iterator[t.Effect]:
    """Yield every effect of a block, the inner ones too."""
    for effect in block:
        yield effect
        for inner in blocks_of(effect):
            yield from walk(inner)


def blocks_of(effect: t.Effect) -> list[t.Block]:
    """Return the blocks inside an effect."""
    match effect:
        case t.If():
            return [effect.then, effect.other]
        case t.For() | t.Repeat() | t.Loop() | t.As() | t.UpTo() | t.Simultaneously():
            return [effect.body]
        case t.Menu():
            return [*(o.body for o in effect.options), effect.otherwise or []]
        case t.Choose():
            return [effect.otherwise or []]
    return []
