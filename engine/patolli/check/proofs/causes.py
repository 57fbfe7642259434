"""Find out why a rule may be impossible, so that one forgotten way out gives one problem.

A choice that may be empty makes its rule impossible, then every rule that begins with a call of it, and so on: all of
their callers are in the same trouble. When several are, or the only one that there is, what is missing is missing at
the choice.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from patolli.check.proofs.demands import open_problem
from patolli.check.proofs.prover import Prover
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import preconditions as d
from patolli.language.program.model import Rule
from patolli.language.program.node import Node, walk

SHOWN = 3
"""How many of the calls are shown."""
TOO_LONG = "this rule has too much in it to be proved whole: if it is right, split it into several"
"""The help where a proof may be missing only because there was too much to know."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The effect that may be impossible, and the rule that begins with it."""

    effect: e.Effect
    rule: Rule | None


class Causes:
    """Collects the places that are in trouble, each with its cause."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.program = prover, prover.program
        self.found: list[tuple[Problem, Cause | None]] = []

    def add(self, problem: Problem, cause: Cause | None) -> None:
        """Keep a problem that another place may be to blame for."""
        self.found.append((problem, cause))

    def problems(self) -> list[Problem]:
        """Return what was collected, with one problem for each cause."""
        groups: dict[int, list[tuple[Problem, Cause | None]]] = {}
        for problem, cause in self.found:
            groups.setdefault(id(problem if cause is None else cause.effect), []).append((problem, cause))
        reported: list[Problem] = []
        for group in groups.values():
            cause, places = group[0][1], [problem for problem, _ in group]
            if cause is None:
                reported.extend(places)
            elif not self._to_blame(cause, len(places)):
                why = (head(cause.effect), _WHY[type(cause.effect)])
                reported.extend(
                    replace(place, also=(why,)) if place.span != cause.effect.span else place for place in places
                )
            else:
                reported.append(_at_cause(cause, places))
        return reported

    def _to_blame(self, cause: Cause, places: int) -> bool:
        """Return whether nothing looks before it comes to a cause; a `require` is meant literally."""
        if isinstance(cause.effect, e.Require) or cause.rule is None or cause.rule.hidden:
            return False
        return places > 1 or self._calls[cause.rule.name] == 1

    @cached_property
    def _calls(self) -> Counter[str]:
        """How many effects call each rule."""
        called = self.prover.summaries.list_called_rules
        blocks = [rule.block for rule in self.program.rules.values()]
        return Counter(
            name for node in walk(*blocks) if isinstance(node, e.Effect) for name in {one.name for one in called(node)}
        )

    # -- looking for a cause

    def behind(self, rest: d.Demand) -> e.Effect | None:
        """Return the effect further down that may make a demand impossible."""
        cause = self._in_demand(rest, None, set())
        return cause.effect if cause is not None else None

    def of_call(self, effect: e.CallRule | e.Do) -> Cause | None:
        """Return why what an effect calls may be impossible."""
        return self._of_call(effect, set())

    def of_menu(self, menu: e.Menu) -> Cause | None:
        """Return why none of the lines of a menu may be possible, when that lies in a rule."""
        return self._of_menu(menu, set())

    def _of_call(self, effect: e.CallRule | e.Do, seen: set[str]) -> Cause | None:
        for rule in self.prover.summaries.list_called_rules(effect):
            if rule.name in self.prover.demanding and rule.name not in seen:
                seen.add(rule.name)
                return self._in_demand(self.prover.preconditions.of(rule.block), rule, seen)
        return None

    def _of_menu(self, menu: e.Menu, seen: set[str]) -> Cause | None:
        facts = self.prover.facts()
        for option in menu.options:
            always = option.condition is None and all(self.prover.is_nonempty(b.source, facts) for b in option.binders)
            calls = [n for n in option.body if isinstance(n, e.CallRule | e.Do)]
            if always and calls and self.prover.preconditions.of(option.body) is not d.ALWAYS:
                return self._of_call(calls[0], seen)
        return None

    def _in_demand(self, demand: d.Demand, rule: Rule | None, seen: set[str]) -> Cause | None:
        """Return the first part of a precondition that does not hold in any case."""
        prover = self.prover
        facts = prover.get_initial_facts(rule) if rule is not None else prover.facts()
        match demand:
            case d.Test():
                return Cause(demand.effect, rule)
            case d.Bind() | d.Promised():
                return self._in_demand(demand.then, rule, seen)
            case d.Afford():
                if not prover.affordable(demand.effect, facts):
                    return Cause(demand.effect, rule)
                return self._in_demand(demand.then, rule, seen)
            case d.Pick():
                where = [demand.effect.where] if demand.effect.where is not None else []
                if not prover.some(demand.effect.binders, where, facts):
                    return Cause(demand.effect, rule)
                return self._in_demand(demand.then, rule, seen)
            case d.Split():
                return self._in_demand(demand.yes, rule, seen) or self._in_demand(demand.no, rule, seen)
            case d.Acting():
                return self._in_demand(demand.then, rule, seen)
            case d.Either():
                return self._of_menu(demand.effect, seen) or Cause(demand.effect, rule)
            case d.Possible():
                return self._of_call(demand.effect, seen) or self._in_demand(demand.then, rule, seen)
        return None


_WHY: dict[type[e.Effect], str] = {
    e.Pay: "perhaps this cannot be paid",
    e.Choose: "perhaps there is nothing to choose",
    e.Menu: "perhaps none of these is possible",
    e.Require: "this may be false",
}


def head(at: Node) -> Span:
    """Give the place of an effect: as far as its first line goes."""
    return at.span


def _at_cause(cause: Cause, places: list[Problem]) -> Problem:
    assert cause.rule is not None
    name = cause.rule.name
    code, what, help_ = {
        e.Pay: ("P0401", "nothing guarantees that this can be paid", "test"),
        e.Choose: ("P0402", "there may be nothing to choose here", "add 'otherwise: ..' below it, or test"),
        e.Menu: ("P0405", "none of these options may be possible", "add 'otherwise: ..', or test"),
    }[type(cause.effect)]
    seen = dict.fromkeys(place.span for place in places)
    where = "where it is called" if len(seen) == 1 else f"at {len(seen)} places that call it"
    also = [(span, "not tested here") for span in list(seen)[:SHOWN]]
    help_ = f"{help_} 'if can({name}({'..' if cause.rule.parameters else ''}))' {where}"
    if any(TOO_LONG in place.help for place in places):
        help_ += f"; {TOO_LONG}"
    what = f"{what}, and nothing tests this before {name!r} is called"
    refuted = any(place.severity == "error" for place in places)
    return replace(
        open_problem(code, what, head(cause.effect), help_, tuple(also)), severity="error" if refuted else "open"
    )
