"""Find what lasts as long as a rule that has nothing to do with it."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program.model import Rule
from patolli.language.program.node import Location, declaration, walk


@check("P0483")
def lasting_beside_its_rule(reviewed: Reviewed) -> Iterator[Problem]:
    """Find fields and counters that are set back by a rule which neither changes them nor looks at them.

    What is set before a rule and read in it holds for that rule alone: ``set dear to 1; make()``. Anytime
    actions may be taken meanwhile, and to count in what a rule may run is always right.
    """
    program, summaries = reviewed.program, reviewed.summaries
    meanwhile = {
        name for action in program.anytime for name in (action.body, *summaries.list_reachable_rules(action.body))
    }
    for trigger in program.triggers:
        named = trigger.sets_back
        if not named or not reviewed.written_here(trigger.span):
            continue
        location: Location = ("field", *named.split(".")) if "." in named else ("counter", named)
        inside = {trigger.rule, *summaries.list_reachable_rules(trigger.rule)} | meanwhile
        changing = [name for name, rule in program.rules.items() if _changes(rule, location)]
        changing = [name for name in changing if name != trigger.body]
        paid = any(_may_take_from(reviewed, program.rules[name], location) for name in inside)
        read = any(location in summaries.of(program.rules[name].block).reads for name in inside - {trigger.body})
        if changing and not paid and not read and inside.isdisjoint(changing):
            name = trigger.rule
            text = f"{named!r} lasts as long as {name!r}, but nothing in {name!r} changes or reads it"
            help_ = "name the rule in which it is changed, or remove 'lasts' and reset it with 'set'"
            place = program.rules[changing[0]].block[0].span
            yield Problem("P0483", text, trigger.span, help_, ((place, "it is changed here"),), "warning")


def _changes(rule: Rule, location: Location) -> bool:
    """Return whether a rule changes something by itself, without those that it calls, and without payments."""
    effects = (node for node in walk(rule.block) if isinstance(node, e.Effect) and not isinstance(node, e.Pay))
    return any(location in declaration(node).writes(node) for node in effects)


def _may_take_from(reviewed: Reviewed, rule: Rule, location: Location) -> bool:
    """Return whether a payment of a rule may take from something."""
    payments = (node for node in walk(rule.block) if isinstance(node, e.Pay))
    return any(location in reviewed.summaries.of((one,)).writes for one in payments)
