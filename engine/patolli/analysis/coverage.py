"""Prove that no option leads to a dead end.

In:     a typed model with the traits of its rules.
Out:    nothing but problems.
Errors: P0401 a payment that may fail, P0402 a choice that may be empty, P0403 a ``require`` after a change, P0404 a
        rule that may be impossible, P0405 a menu that may be empty, P0406 a loop without an end, P0407 a simultaneous
        block that shows what it does, P0408 a question in the middle of a payment, P0409 a trigger that runs
        before a rule and changes what the rule was offered for.

A place in a rule is *covered* when everything up to here was looked at before the option was offered: the beginning
of a rule, of an option, of ``may`` and ``up to``, and what follows a choice, up to the first change of the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.analysis.causes import Causes, head
from patolli.analysis.declining import without
from patolli.analysis.effects import leaves
from patolli.analysis.footprints import ANYTHING, Footprints
from patolli.analysis.model import Model, Rule
from patolli.analysis.proofs import call_proven, choice_proven, conjuncts, learnt, negated, payment_proven, still_proven
from patolli.analysis.secrets import Secrets
from patolli.analysis.traits import Traits, blocks_of, given, walk
from patolli.diagnostics import Problem, Span
from patolli.language import tree as t


@dataclass(slots=True)
class Here:
    """What is known at one place of a rule."""

    covered: bool
    proven: list[t.Expr] = field(default_factory=list)

    def inside(self, covered: bool, *more: t.Expr) -> Here:
        """Return what is known inside a block that starts here."""
        return Here(covered, [*self.proven, *more])


class Coverage:
    """The check; one method per effect that has something to prove."""

    def __init__(self, model: Model, traits: Traits) -> None:
        self.model = model
        self.traits = traits
        self.causes = Causes(model, traits)

    def run(self) -> None:
        """Check all rules."""
        for rule in self.model.rules.values():
            self._rule(rule)
        self.model.problems.extend(self.causes.problems())
        self._sides()
        self._triggers()

    def _sides(self) -> None:
        """See that what comes with a payment asks nobody, and that a discount's part is always possible."""
        discounts = [(d.name, d.body) for d in self.model.discounts if d.body]
        for entry, name in [*discounts, *((w.name, w.body) for w in self.model.waivers)]:
            rule = self.model.rules[name]
            if rule.asks:
                what = f"{entry!r} would ask a player in the middle of a payment"
                help_ = "change something by 'set', 'gain' or 'move', and ask where the rule goes on"
                self.model.problems.append(Problem("P0408", what, _place(rule), help_))
            elif rule.guarded and (entry, name) in discounts:
                what = f"what comes with {entry!r} may be impossible"
                self.model.problems.append(Problem("P0404", what, _place(rule), "put what it needs under 'when'"))

    def _triggers(self) -> None:
        """See that what runs before a rule takes nothing away for which the rule was offered."""
        footprints = Footprints(self.model, self.traits)
        for rule in self.model.rules.values():
            for trigger in rule.before if rule.guarded else ():
                taken = footprints.disturbs(self.model.rules[trigger.body], rule)
                if taken:
                    names = sorted(taken - {ANYTHING}) or ["something"]
                    what = f"{rule.name!r} was offered before this runs, and depends on what this changes: {names[0]}"
                    help_ = f"put it before the call of {rule.name!r}, or 'after' it"
                    also = ((rule.span, "the rule is here"),)
                    place = _place(self.model.rules[trigger.body])
                    self.model.problems.append(Problem("P0409", what, place, help_, also))

    def _rule(self, rule: Rule) -> None:
        start = rule.name not in ("setup", "match")
        triggered = any(rule.name == tr.body for r in self.model.rules.values() for tr in (*r.before, *r.after))
        spends = any(rule.name == counter.spend for counter in self.model.counters.values())
        self.block(rule.block, Here(start and not triggered and not spends, given(rule)))

    def problem(self, code: str, message: str, at: t.Node, help_: str, *also: tuple[Span, str]) -> None:
        """Record a problem at the first line of an effect."""
        self.model.problems.append(Problem(code, message, head(at), help_, also))

    def block(self, block: t.Block, here: Here, behind: t.Block | None = None) -> Here:
        """Check a block, with what follows *behind* it in the same way; return what is known at its end."""
        for position, effect in enumerate(block):
            self._effect(effect, here, [*block[position + 1 :], *(behind or [])])
        return here

    def _effect(self, effect: t.Effect, here: Here, rest: t.Block) -> None:
        match effect:
            case t.Pay():
                self._pay(effect, here)
            case t.Require():
                if not here.covered:
                    self.problem(
                        "P0403",
                        "this 'require' comes after a change",
                        effect,
                        "put it at the beginning, or use 'stop unless'",
                    )
                here.proven.append(effect.condition)
            case t.Choose():
                self._choose(effect, here, rest)
            case t.Menu():
                self._menu(effect, here)
            case t.If():
                self._if(effect, here, rest)
            case t.Return():
                self._calls(effect, here)
                here.proven.extend(learnt(effect))
            case t.As():
                self.block(effect.body, Here(here.covered))
                self._changed(here)
            case t.Loop():
                if not self._ends(effect.body):
                    self.problem(
                        "P0406", "this loop never ends", effect, "leave it with 'break', 'stop' or 'end match'"
                    )
                self._inner(effect.body, here)
            case t.UpTo():
                self.block(effect.body, here.inside(True))
                self._changed(here)
            case t.For() | t.Repeat():
                self._inner(effect.body, here)
            case t.Simultaneously():
                self._simultaneous(effect)
                self._inner(effect.body, here)
            case _:
                self._calls(effect, here)
                here.proven = still_proven(effect, here.proven)
                if self.traits.ends(effect):
                    self._changed(here)
                here.proven.extend(learnt(effect))

    def _if(self, effect: t.If, here: Here, rest: t.Block) -> None:
        left = self.block(effect.then, here.inside(here.covered, *conjuncts(effect.condition)), rest)
        right = self.block(effect.other, here.inside(here.covered, *negated(effect.condition)), rest)
        going_on = [(way, block) for way, block in ((left, effect.then), (right, effect.other)) if not leaves(block)]
        here.covered = all(way.covered for way, _ in going_on)
        here.proven = self.traits.behind(effect, here.proven)
        inner = [one for _, block in going_on for one in walk(block)]
        if any(self.traits.changes(e) or self.traits.asks(e) or isinstance(e, t.PassTo) for e in inner):
            here.proven.clear()

    def _changed(self, here: Here) -> None:
        here.covered = False
        here.proven.clear()

    def _inner(self, body: t.Block, here: Here) -> None:
        self.block(body, Here(False))
        self._changed(here)

    def _calls(self, effect: t.Effect, here: Here) -> None:
        for rule in self.traits.called(effect):
            if rule.guarded and not here.covered and not call_proven(effect, here.proven):
                name = repr(rule.name) if not rule.hidden else "this effect"
                help_ = "use 'may', a menu with 'otherwise', or 'if can(..)'"
                problem = Problem("P0404", f"{name} may be impossible here", head(effect), help_)
                self.causes.add(problem, self.causes.of_call(effect))
                return

    # -- payments

    def _pay(self, effect: t.Pay, here: Here) -> None:
        if not here.covered and not payment_proven(effect, here.proven, self.model):
            self.problem(
                "P0401",
                "nothing makes sure that this can be paid",
                effect,
                "put it at the beginning of an option, or inside 'if payable(..)'",
            )
        if self.traits.spends(effect):  # a rule of the pack carries it out, and may change anything
            here.covered = False
        here.proven.clear()

    # -- questions

    def _choose(self, effect: t.Choose, here: Here, rest: t.Block) -> None:
        if effect.otherwise is not None:
            self.block(effect.otherwise, Here(False))
        held = [] if self.model.anytime else here.proven
        demands = self.traits.guard(rest, [*held, *learnt(effect)])[0]
        if effect.otherwise is None and effect.decline is None:
            some = self.traits.amounts.surely(effect, here.proven) or choice_proven(effect, here.proven)
            certain = some and not demands
            if not here.covered and not certain:
                self.problem(
                    "P0402",
                    "there may be nothing to choose here",
                    effect,
                    "add 'otherwise: ...' below it, or 'or none'",
                )
        elif demands and self.traits.guard(without(rest, [b.id for b in effect.binders]))[0]:
            self._without_answer(effect)
        here.covered = True
        if self.model.anytime:
            here.proven.clear()
        here.proven = [*still_proven(effect, here.proven), *learnt(effect)]

    def _without_answer(self, effect: t.Choose) -> None:
        """Report that what follows needs more than was looked at when nothing is chosen."""
        test = f"write 'stop unless {effect.binders[0].id}' next"
        if effect.decline is not None:
            self.problem("P0401", "after declining, what follows may be impossible", effect, test)
        elif effect.otherwise is not None and not leaves(effect.otherwise):
            what = "when there is nothing to choose, what follows may be impossible"
            self.problem("P0401", what, effect, f"end 'otherwise' with 'stop', or {test}")

    def _menu(self, effect: t.Menu, here: Here) -> None:
        if effect.otherwise is None and not here.covered and not self.traits.sure_option(effect):
            help_ = "add 'otherwise: ...', or an option without a condition"
            problem = Problem("P0405", "none of these options may be possible", head(effect), help_)
            self.causes.add(problem, self.causes.of_menu(effect))
        for option in effect.options:
            proven = [option.condition] if option.condition is not None else []
            self.block(option.body, here.inside(True, *proven))
        if effect.otherwise is not None:
            self.block(effect.otherwise, Here(False))
        self._changed(here)

    def _ends(self, body: t.Block) -> bool:
        return (
            _breaks(body)
            or any(isinstance(e, t.Return | t.EndMatch) for e in walk(body))
            or any(self._rule_ends(rule, set()) for e in walk(body) for rule in self.traits.called(e))
        )

    def _rule_ends(self, rule: Rule, seen: set[str]) -> bool:
        if rule.name in seen:
            return False
        seen.add(rule.name)
        bodies = [self.model.rules[tr.body] for tr in (*rule.before, *rule.after)]
        effects = list(walk(rule.block))
        return any(isinstance(e, t.EndMatch) for e in effects) or any(
            self._rule_ends(inner, seen) for inner in (*bodies, *(r for e in effects for r in self.traits.called(e)))
        )

    def _simultaneous(self, effect: t.Simultaneously) -> None:
        for shown in Secrets(self.model, self.traits, effect).shown(effect.body):
            self.problem(
                "P0407",
                "the others would see this before they have answered",
                shown,
                "use places and counters with 'visible: owner', and show them after the block",
            )


def _place(rule: Rule) -> Span:
    return rule.block[0].span if rule.block else rule.span


def _breaks(body: t.Block) -> bool:
    """Tell whether a ``break`` leaves the loop around *body*, and not one inside it."""
    inside = (block for e in body if not isinstance(e, t.For | t.Repeat | t.Loop | t.UpTo) for block in blocks_of(e))
    return any(isinstance(e, t.Break) for e in body) or any(map(_breaks, inside))
