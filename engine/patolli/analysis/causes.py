"""Find out why a rule may be impossible, so that one forgotten way out gives one problem.

A choice that may be empty makes its rule impossible, then every rule that begins with a call of it, and so on: all of
their callers are in the same trouble. When several are, or the only one that there is, what is missing is missing at
the choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from patolli.analysis.model import Model, Rule
from patolli.analysis.traits import Traits, walk
from patolli.diagnostics import Problem, Span
from patolli.language import tree as t

SHOWN = 3
"""How many of the calls are shown."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The effect that may be impossible, and the rule that begins with it."""

    effect: t.Effect
    rule: Rule


class Causes:
    """Collects the places that are in trouble, each with its cause."""

    def __init__(self, model: Model, traits: Traits) -> None:
        """Begin with nothing collected."""
        self.model, self.traits = model, traits
        self.found: list[tuple[Problem, Cause | None]] = []

    def add(self, problem: Problem, cause: Cause | None) -> None:
        """Keep a problem that another place may be to blame for."""
        self.found.append((problem, cause))

    def problems(self) -> list[Problem]:
        """Return what was collected, with one problem for each cause."""
        groups: dict[int, list[tuple[Problem, Cause | None]]] = {}
        for problem, cause in self.found:
            groups.setdefault(id(problem if cause is None else cause.effect), []).append((problem, cause))
        told: list[Problem] = []
        for group in groups.values():
            cause, places = group[0][1], [problem for problem, _ in group]
            if cause is None:
                told.extend(places)
            elif not self._to_blame(cause, len(places)):
                why = (head(cause.effect), _WHY[type(cause.effect)])
                told.extend(
                    replace(place, also=(why,)) if place.span != cause.effect.span else place for place in places
                )
            else:
                told.append(_at_cause(cause, places))
        return told

    def _to_blame(self, cause: Cause, places: int) -> bool:
        """Tell whether nothing looks before it comes to a cause; a `require` is meant as it stands."""
        if isinstance(cause.effect, t.Require) or cause.rule.hidden:
            return False
        return places > 1 or self._calls(cause.rule) == 1

    def _calls(self, rule: Rule) -> int:
        effects = (effect for other in self.model.rules.values() for effect in walk(other.block))
        return sum(rule in self.traits.called(effect) for effect in effects)

    # -- looking for a cause

    def of_call(self, effect: t.Effect) -> Cause | None:
        """Return why what an effect calls may be impossible."""
        return self._of_call(effect, set())

    def of_menu(self, menu: t.Menu) -> Cause | None:
        """Return why none of the lines of a menu may be possible, when that lies in a rule."""
        return self._of_menu(menu, set())

    def _of_call(self, effect: t.Effect, seen: set[str]) -> Cause | None:
        for rule in self.traits.called(effect):
            if rule.guarded and rule.name not in seen:
                seen.add(rule.name)
                return self._in_block(rule.block, rule, seen)
        return None

    def _of_menu(self, menu: t.Menu, seen: set[str]) -> Cause | None:
        for option in menu.options:
            always = option.condition is None and all(self.traits.amounts.nonempty(b.source) for b in option.binders)
            calls = [effect for effect in option.body if self.traits.called(effect)]
            if always and calls and self.traits.guard(option.body)[0]:
                return self._of_call(calls[0], seen)
        return None

    def _in_block(self, block: t.Block, rule: Rule, seen: set[str]) -> Cause | None:
        """Return the first effect of a beginning that may be impossible; see ``Traits.guard``."""
        for position, effect in enumerate(block):
            guarded, ends = self.traits.guard_of(effect, block[position + 1 :])
            if guarded:
                return self._inside(effect, rule, seen)
            if ends:
                break
        return None

    def _inside(self, effect: t.Effect, rule: Rule, seen: set[str]) -> Cause | None:
        match effect:
            case t.If():
                return self._in_block(effect.then, rule, seen) or self._in_block(effect.other, rule, seen)
            case t.As():
                return self._in_block(effect.body, rule, seen)
            case t.Menu():
                return self._of_menu(effect, seen) or Cause(effect, rule)
            case t.Pay() | t.Choose() | t.Require():
                return Cause(effect, rule)
        return self._of_call(effect, seen)


_WHY = {
    t.Pay: "perhaps this cannot be paid",
    t.Choose: "perhaps there is nothing to choose",
    t.Menu: "perhaps none of these is possible",
    t.Require: "perhaps this does not hold",
}


def head(at: t.Node) -> Span:
    """Give the place of an effect as far as its first line goes."""
    text = at.at.text
    value = getattr(text, "value", "")
    end = value.find("\n", at.at.start, at.at.end) if isinstance(value, str) else -1
    return at.span if end < 0 else text.place(at.at.start, end - at.at.start)


def _at_cause(cause: Cause, places: list[Problem]) -> Problem:
    name = cause.rule.name
    code, what, help_ = {
        t.Pay: ("P0401", "nothing makes sure that this can be paid", "ask"),
        t.Choose: ("P0402", "there may be nothing to choose here", "add 'otherwise: ..' below it, or ask"),
        t.Menu: ("P0405", "none of these options may be possible", "add 'otherwise: ..', or ask"),
    }[type(cause.effect)]
    seen = dict.fromkeys(place.span for place in places)
    where = "where it is called" if len(seen) == 1 else f"at {len(seen)} places that come to it"
    also = [(span, "nothing asks here") for span in list(seen)[:SHOWN]]
    help_ = f"{help_} 'if can({name}({'..' if cause.rule.parameters else ''}))' {where}"
    return Problem(code, f"{what}, and nothing asks before {name!r} is called", head(cause.effect), help_, tuple(also))
