"""See that what runs before a rule takes nothing away for which the rule was offered.

In:     the triggers of a program that run before rules which demand something.
Out:    problems.
Errors: P0409.

A rule is offered when what it demands holds; then its triggers run, and it begins. So each trigger must leave the
demand as it is: either it writes nothing that the demand looks at, or the demand is proven behind it, from no more than
that it held before. As nothing else is taken for granted, this is true of each of several triggers in a row.
"""

from __future__ import annotations

from patolli.check.proofs.facts import Facts
from patolli.check.proofs.flow import Flow, Here, ignore
from patolli.check.proofs.prover import Prover
from patolli.language.diagnostics import Problem
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.effects import CallRule, CounterItem
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Rule, Trigger
from patolli.language.program.preconditions import ALWAYS, Afford, Bind, Demand, Possible, Promised, Test, counter_of


def find_endangering_rules(prover: Prover) -> list[Problem]:
    """Return what runs before rules and may take away what they were offered for."""
    found = []
    for rule in prover.program.rules.values():
        if rule.name not in prover.demanding:
            continue
        read = prover.summaries.reads(*prover.preconditions.basis(prover.preconditions.of(rule.block)))
        for trigger in rule.before:
            body = prover.program.rules[trigger.body]
            taken = sorted(_name_location(w) for w in prover.summaries.rules[trigger.body].writes & read)
            if taken and not _is_demand_preserved(prover, rule, trigger, body):
                name = rule.name.partition("'")[0]
                what = f"{name!r} was offered before this runs, and depends on what this changes: {taken[0]}"
                help_ = f"put it before the call of {name!r}, or 'after' it"
                place = body.block[0].span if body.block else body.span
                found.append(Problem("P0409", what, place, help_, ((rule.span, "the rule is here"),)))
    return found


def _is_demand_preserved(prover: Prover, rule: Rule, trigger: Trigger, body: Rule) -> bool:
    """Return whether what a rule demands is proven behind a trigger, where it held before."""
    demand, facts = prover.preconditions.of(rule.block), prover.facts()
    # What the rule itself names is not there yet, and a parameter that it sets is still what it was given.
    facts.forget({("variable", variable) for variable in _assume(prover, demand, facts)})
    inner = facts.copy()
    for variable, own in zip((body.me, *body.parameters), (rule.me, *rule.parameters), strict=False):
        inner.name(variable, x.Local(own, type=own.type, span=own.span))
    if trigger.condition is not None:
        inner.learn(trigger.condition)
    flow = Flow(prover, ignore)
    flow.muted = True
    behind = flow.block(body.block, Here(False, inner), ALWAYS)
    return prover.is_satisfied(demand, behind.facts)


def _assume(prover: Prover, demand: Demand, facts: Facts) -> list[Variable]:
    """Learn what a demand says of the state in which it is made, as far as it goes without a choice or a change.

    Returns:
        The variables that got a value on the way.
    """
    bound: list[Variable] = []
    while True:
        match demand:
            case Test() | Promised():
                facts.learn(demand.effect.condition)
            case Bind():
                facts.name(demand.variable, demand.value)
                bound.append(demand.variable)
            case Possible(effect=CallRule() as call):
                facts.learn(x.Can(call.rule, call.me, call.arguments, type=ty.BOOL, span=call.span))
            case Afford(effect=pay) if prover.summaries.plain(pay):
                for item in pay.items:
                    if len(pay.items) == 1 and isinstance(item, CounterItem) and prover.owes(item, facts):
                        facts.learn(x.Compare(">=", counter_of(item), item.amount, type=ty.BOOL, span=item.span))
                return bound
            case _:
                return bound
        demand = demand.then


def _name_location(location: tuple[object, ...]) -> str:
    match location:
        case ("field", kind, name):
            return f"{kind}.{name}"
        case ("pieces", kind):
            return f"pieces of {kind}"
    return str(location[-1])
