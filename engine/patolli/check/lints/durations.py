"""Find what lasts as long as a rule that has nothing to do with it."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program.model import Program
from patolli.language.program.node import Location, declaration, walk
from patolli.language.program.summaries import Summaries


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
    if not any(trigger.sets_back for trigger in program.triggers):
        return
    changes, payments = _list_changes(program), _list_payments(program, summaries)
    reads: dict[str, frozenset[Location]] = {}

    def read_in(name: str) -> frozenset[Location]:
        if name not in reads:
            reads[name] = summaries.of(program.rules[name].block).reads
        return reads[name]

    for trigger in program.triggers:
        named = trigger.sets_back
        if not named or not reviewed.written_here(trigger.span):
            continue
        location: Location = ("field", *named.split(".")) if "." in named else ("counter", named)
        inside = {trigger.rule, *summaries.list_reachable_rules(trigger.rule)} | meanwhile
        changing = [name for name in changes.get(location, ()) if name != trigger.body]
        paid = any(location in payments.get(name, ()) for name in inside)
        read = any(location in read_in(name) for name in inside - {trigger.body})
        if changing and not paid and not read and inside.isdisjoint(changing):
            name = trigger.rule
            text = f"{named!r} lasts as long as {name!r}, but nothing in {name!r} changes or reads it"
            help_ = "name the rule in which it is changed, or remove 'lasts' and reset it with 'set'"
            place = program.rules[changing[0]].block[0].span
            yield Problem("P0483", text, trigger.span, help_, ((place, "it is changed here"),), "warning")


def _list_changes(program: Program) -> dict[Location, list[str]]:
    """Return the rules that change something by themselves, without those that they call, and without payments."""
    found: dict[Location, list[str]] = {}
    for name, rule in program.rules.items():
        effects = (node for node in walk(rule.block) if isinstance(node, e.Effect) and not isinstance(node, e.Pay))
        for location in {location for node in effects for location in declaration(node).writes(node)}:
            found.setdefault(location, []).append(name)
    return found


def _list_payments(program: Program, summaries: Summaries) -> dict[str, frozenset[Location]]:
    """Return what payments of rules may take from, by the rule."""
    pays = {name: [n for n in walk(rule.block) if isinstance(n, e.Pay)] for name, rule in program.rules.items()}
    writes = {name: [summaries.of((one,)).writes for one in found] for name, found in pays.items() if found}
    return {name: frozenset().union(*several) for name, several in writes.items()}
