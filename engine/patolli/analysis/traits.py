"""Find out of every rule whether it asks, changes the state, and is possible only under a condition.

In:     a typed model.
Out:    ``asks``, ``changes``, ``guarded`` and ``recursive`` of each rule.

A rule is *guarded* when its beginning, up to the first change, holds a ``require``, a payment or a choice that may be
empty. The three only ever turn from false to true, so repeating until nothing moves finds the least solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from patolli.analysis.amounts import Amounts
from patolli.analysis.effects import effect_rules, leaves
from patolli.analysis.model import Model, Rule
from patolli.analysis.proofs import call_proven, choice_proven, conjuncts, learnt, negated, payment_proven, still_proven
from patolli.analysis.walking import calls_rule
from patolli.language import tree as t

CHANGES = (t.Gain, t.Pay, t.Move, t.Swap, t.Shuffle, t.Draw, t.Refill, t.Slide, t.Random, t.EndMatch)
QUESTIONS = (t.Choose, t.Menu, t.UpTo)


class Traits:
    """Answers questions about effects, from what is known of the rules so far."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.amounts = Amounts(model)
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
        rule.guarded = rule.guarded or self.guard(rule.block, given(rule))[0]
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
        elif isinstance(effect, t.Let | t.SetTo | t.Return) and calls_rule(effect.value):
            names = [effect.value.id]
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

    def guard(
        self, block: t.Block, proven: list[t.Expr] | None = None, after: Callable[[], bool] = lambda: False
    ) -> tuple[bool, bool]:
        """Return whether a block is guarded, and whether the beginning ends inside it.

        Every way through the block counts: behind an ``if``, each branch goes on with what follows. ``proven`` are
        conditions that hold at the start; ``after`` tells whether what stands behind the block is guarded.
        """
        shown = list(proven or ())
        for position, effect in enumerate(block):
            rest = block[position + 1 :]
            if isinstance(effect, t.If):
                behind = _Once(partial(self._guarded, rest, self.behind(effect, shown), after))
                then = self.guard(effect.then, [*shown, *conjuncts(effect.condition)], behind)
                return then[0] or self.guard(effect.other, [*shown, *negated(effect.condition)], behind)[0], True
            guarded, ends = self.guard_of(effect, rest, shown)
            if guarded or ends:
                return guarded, True
            if isinstance(effect, t.Pay):
                shown = []
            shown = [*still_proven(effect, shown), *learnt(effect)]
        behind_it = after()
        return behind_it, behind_it

    def _guarded(self, block: t.Block, proven: list[t.Expr], after: Callable[[], bool]) -> bool:
        return self.guard(block, proven, after)[0]

    def behind(self, effect: t.If, proven: list[t.Expr]) -> list[t.Expr]:
        """Return what holds behind an ``if`` that changes nothing; where only one way goes on, its condition does."""
        ways = [(effect.then, conjuncts(effect.condition)), (effect.other, negated(effect.condition))]
        going_on = [(block, known) for block, known in ways if not leaves(block)]
        held = [*proven, *going_on[0][1]] if len(going_on) == 1 else list(proven)
        for inner in (e for block, _ in going_on for e in walk(block)):
            held = still_proven(inner, held)
        return held

    def guard_of(self, effect: t.Effect, rest: t.Block, proven: list[t.Expr] | None = None) -> tuple[bool, bool]:
        """Return the same for one effect alone, with what follows it."""
        proven = proven or []
        match effect:
            case t.Require():
                return True, False
            case t.Pay():
                return not payment_proven(effect, proven, self.model), self.spends(effect)
            case t.Choose():
                if effect.otherwise is not None or effect.decline is not None:
                    return False, True
                return not (self.amounts.surely(effect, proven) or choice_proven(effect, proven)), False
            case t.Menu():
                return effect.otherwise is None and not self.sure_option(effect), True
            case t.If():
                left = self.guard(effect.then, [*proven, *conjuncts(effect.condition)])
                right = self.guard(effect.other, [*proven, *negated(effect.condition)])
                return left[0] or right[0], left[1] and right[1]
            case t.As():
                return self.guard(effect.body)[0], True
        guarded = any(r.guarded for r in self.called(effect)) and not call_proven(effect, proven)
        return guarded, self.ends(effect)

    def ends(self, effect: t.Effect) -> bool:
        """Tell whether an effect ends what can be looked at beforehand: it changes something, or asks, or loops."""
        match effect:
            case t.For() | t.Repeat() | t.Loop() | t.UpTo() | t.Simultaneously() | t.Break() | t.EndMatch():
                return True
            case t.As() | t.PassTo():
                return True
            case t.Return():
                return effect.condition is None
            case t.Let() | t.SetTo() if self.called(effect):  # what a rule returns is known when it has run
                return True
        return self.changes(effect) or self.asks(effect)

    def spends(self, effect: t.Pay) -> bool:
        """Tell whether a payment may be carried out by rules of the pack, which can change anything."""
        if not self.spent:
            return False
        notes = [(t.note_of(item)[0], item.thing) for item in effect.items]
        return any(sort != "counter" or thing in self.spent | self.substituted for sort, thing in notes)

    def sure_option(self, menu: t.Menu) -> bool:
        """Tell whether one line of a menu is possible in any case."""
        return any(
            o.condition is None
            and not self.guard(o.body)[0]
            and (not o.binders or all(self.amounts.nonempty(b.source) for b in o.binders))
            for o in menu.options
        )


class _Once:
    """A question that is asked at most once."""

    __slots__ = ("answer", "ask")

    def __init__(self, ask: Callable[[], bool]) -> None:
        self.ask = ask
        self.answer: bool | None = None

    def __call__(self) -> bool:
        if self.answer is None:
            self.answer = self.ask()
        return self.answer


def given(rule: Rule) -> list[t.Expr]:
    """Return what holds when a rule begins."""
    return conjuncts(rule.given) if rule.given is not None else []


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
