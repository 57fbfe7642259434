"""Find what the variables of a program may be: from all calls of a rule or function, and from what is taken of lists.

In:     a program and its domain.
Out:    a range for each variable that is a number or a list and is never set.

This begins with no bounds at all, and works out each argument with what is known so far. Each round gives bounds that
hold as they stand, because those of the round before did; so it may stop at any time. Rules are called by other rules,
by ``can`` and ``after``, by the parts before and after them, for payments, and as anytime actions; tests of content
that call a rule themselves are their authors' concern.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.proofs.domain import Domain
from patolli.check.proofs.intervals import NATURAL, UNKNOWN, Interval, Range, join_ranges
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Formula, Program
from patolli.language.program.node import Node, walk

ROUNDS = 3
Given = tuple[x.Variable, x.Expr | Range]


def bound_parameters(program: Program, domain: Domain) -> None:
    """Hand the domain the possible values of variables."""
    calls: dict[x.Variable, list[x.Expr | Range]] = {}
    for variable, argument in _arguments(program):
        if variable.type == ty.INT or isinstance(variable.type, ty.Seq):
            calls.setdefault(variable, []).append(argument)
    for function in program.functions.values():  # one that nothing calls is looked at, too
        for variable in function.parameters:
            if variable.bounds is not None:
                calls.setdefault(variable, [Range(Interval(*variable.bounds))])
    for variable in _changing(program):
        calls.pop(variable, None)
    declared = {variable: Range(Interval(*variable.bounds)) for variable in calls if variable.bounds is not None}
    domain.given.update(declared)
    for _ in range(ROUNDS):
        found = {variable: _join_arguments(domain, arguments) for variable, arguments in calls.items()}
        domain.given.update({variable: range_ for variable, range_ in found.items() if _says_something(range_)})
    domain.declared.forget_facts()


def _says_something(range_: Range) -> bool:
    """Return whether a range can be relied on everywhere: one without any value says that its variable never gets one.

    That is true where the variable stands, and would make all that is known elsewhere contradict itself.
    """
    parts = [range_]
    while parts[-1].item is not None:
        parts.append(parts[-1].item)
    return range_ != UNKNOWN and not any(part.number.empty or part.length.empty for part in parts)


def _join_arguments(domain: Domain, arguments: list[x.Expr | Range]) -> Range:
    return join_ranges(argument if isinstance(argument, Range) else domain.of(argument) for argument in arguments)


def trees(program: Program) -> Iterator[Node]:
    """Yield every expression and effect of a program that may call something."""
    for rule in program.rules.values():
        yield from rule.block
        for condition in (rule.given, *(trigger.condition for trigger in (*rule.before, *rule.after))):
            if condition is not None:
                yield condition
    yield from (function.body for function in program.functions.values())
    formulas: list[Formula | None] = [*program.formulas, *program.list_payment_conditions()]
    formulas += [kind.active for kind in program.kinds.values()]
    yield from (formula.body for formula in formulas if formula is not None)
    yield from (condition for condition, _ in program.invariants.values())
    trees = [tree for action in program.anytime for tree in (action.binder, action.when)]
    trees += [tree for waiver in program.waivers for tree in (waiver.binder, waiver.when)]
    yield from (tree for tree in trees if tree is not None)
    if program.active is not None:
        yield program.active


def _arguments(program: Program) -> Iterator[Given]:
    """Yield each variable with everything that it is given somewhere."""
    rules, functions = program.rules, program.functions
    for node in walk(*trees(program)):
        match node:
            case e.CallRule() | x.Can() | x.After():
                yield from zip(rules[node.rule].parameters, node.arguments, strict=False)
            case x.FunctionCall() if node.function in functions:
                yield from zip(functions[node.function].parameters, node.arguments, strict=False)
            case x.Binder():
                yield node.variable, x.Whole("first", node.source, type=node.variable.type, span=node.span)
            case e.Let():
                yield node.variable, node.value
    for rule in rules.values():
        for trigger in (*rule.before, *rule.after):
            own = [x.Local(variable, type=variable.type, span=rule.span) for variable in rule.parameters]
            yield from zip(rules[trigger.body].parameters, own, strict=False)
    for counter in program.counters.values():
        if counter.spend:
            yield from ((variable, Range(NATURAL)) for variable in rules[counter.spend].parameters)
    for body in [*(action.body for action in program.anytime), *(waiver.body for waiver in program.waivers)]:
        yield from ((variable, UNKNOWN) for variable in rules[body].parameters)


def _changing(program: Program) -> Iterator[x.Variable]:
    """Yield the variables that are set somewhere."""
    for rule in program.rules.values():
        for node in walk(rule.block):
            if isinstance(node, e.Set) and isinstance(node.target, x.Local):
                yield node.target.variable
