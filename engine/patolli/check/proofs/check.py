"""Prove a ruleset: every rule followed, everything beside the rules looked at.

In:     a program without errors, and its summaries.
Out:    the prover, which the compiler asks for preconditions, and problems.
Errors: those of ``flow``, ``faults``, ``offered``, ``duration`` and ``openness``; P0404 what comes with a payment may
        be impossible, P0408 a question in the middle of a payment.
"""

from __future__ import annotations

from patolli.check.proofs.ahead import ahead_of_questions
from patolli.check.proofs.demands import open_problem, report_open, require_proof
from patolli.check.proofs.duration import endless
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.faults import Faults
from patolli.check.proofs.flow import Flow
from patolli.check.proofs.offered import find_endangering_rules
from patolli.check.proofs.openness import betraying
from patolli.check.proofs.prover import Prover
from patolli.check.proofs.unchanged_values import written_out
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Formula, Program, Rule
from patolli.language.program.node import Node, walk
from patolli.language.program.setup_values import SetupValue, setup_values
from patolli.language.program.summaries import Summaries
from patolli.language.program.tree_rewriter import rebuilt

STARTS = ("setup", "match")
"""The rules that the engine begins with: they are never offered."""
COPIES = 100
"""A fact that depends on the number of the copy is looked at for each copy, up to so many."""


def prove(program: Program, summaries: Summaries) -> tuple[Prover, list[Problem]]:
    """Check everything that can go wrong while a match runs.

    Where something may, all is checked again with what never changes written out; what is found then counts. The
    prover is that of the program as it is written, with all demands that were met.
    """
    prover, found = _prove_program(program, summaries)
    if any(problem.severity != "warning" for problem in found):
        other = written_out(program, summaries, prover.domain)
        if other is not None:
            again, found = _prove_program(other, Summaries(other))
            prover.demands = again.demands
    return prover, [*map(report_open if program.composition.is_open else require_proof, found)]


def _prove_program(program: Program, summaries: Summaries) -> tuple[Prover, list[Problem]]:
    prover = Prover(program, summaries)
    found: list[Problem] = []
    flow = Flow(prover, found.append)
    unasked = _find_unoffered_rules(program)
    for rule in program.rules.values():
        flow.rule(rule, rule.name not in unasked)
    found += flow.causes.problems()
    found += _sides(prover)
    found += find_endangering_rules(prover)
    found += endless(prover)
    found += betraying(program, prover.preconditions)
    found += ahead_of_questions(program, summaries)
    _outside(flow, program)
    return prover, list(dict.fromkeys(found))


def _find_unoffered_rules(program: Program) -> set[str]:
    """Return the rules that run without having been offered: no one looked at their beginning."""
    spends = {counter.spend for counter in program.counters.values() if counter.spend}
    return {*STARTS, *(trigger.body for trigger in program.triggers), *spends}


def _outside(flow: Flow, program: Program) -> None:
    """Look at the expressions that stand outside rules."""
    prover, facts = flow.prover, flow.prover.facts()
    before = Faults(prover, lambda problem: flow.report(require_proof(problem)))  # no match can check these
    for value in setup_values(program):
        _before_match(before, prover, value)
    for function in program.functions.values():
        flow.faults.expression(function.body, facts)
    formulas: list[Formula | None] = [*program.formulas, *program.list_payment_conditions()]
    formulas += [kind.active for kind in program.kinds.values()]
    for formula in formulas:
        if formula is not None:
            flow.faults.expression(formula.body, facts)
    for condition, _ in program.invariants.values():
        flow.faults.expression(condition, facts)
    if program.active is not None:
        flow.faults.expression(program.active, facts)
    for waiver in program.waivers:
        inner: Facts = prover.bind_facts((waiver.binder,), facts) if waiver.binder is not None else facts
        if waiver.when is not None:
            flow.faults.expression(waiver.when, inner)


def _before_match(faults: Faults, prover: Prover, value: SetupValue) -> None:
    """Look at an expression that is computed before a match, at a fact that counts copies for each of them."""
    if not faults.may_fail(value.expr):
        return
    facts = prover.facts()
    for condition in value.given:
        facts.learn(condition)
    copies = value.design.copies if value.design is not None else None
    most = prover.domain.number(copies, facts).high if copies is not None else 1
    counted = any(isinstance(node, x.CopyNumber) for node in walk(value.expr))
    numbers = range(1, most + 1) if counted and most is not None and most <= COPIES else ()
    for number in numbers:
        faults.expression(_of_copy(value.expr, number), facts)
    if not numbers:
        faults.expression(value.expr, facts)


def _of_copy(expr: x.Expr, number: int) -> x.Expr:
    """Return a fact as it is for one copy of its piece."""

    def replace_copy_number(node: Node) -> Node:
        return x.Number(number, type=ty.INT, span=node.span) if isinstance(node, x.CopyNumber) else node

    return rebuilt((expr,), replace_copy_number)[0]


def _sides(prover: Prover) -> list[Problem]:
    """Check that what comes with a payment asks no question, and that a discount's part is always possible."""
    program, found = prover.program, []
    discounts = [(d.name, d.body) for d in program.discounts if d.body]
    for entry, name in [*discounts, *((w.name, w.body) for w in program.waivers)]:
        rule = program.rules[name]
        if prover.summaries.rules[name].asks:
            what = f"{entry!r} would ask a player in the middle of a payment"
            help_ = "only change something here, with 'set', 'gain' or 'move'; ask the player later in the rule"
            found.append(Problem("P0408", what, _place(rule), help_))
        elif name in prover.demanding and (entry, name) in discounts:
            what = f"what comes with {entry!r} may be impossible"
            found.append(open_problem("P0404", what, _place(rule), "put what it needs under 'when'"))
    return found


def _place(rule: Rule) -> Span:
    return rule.block[0].span if rule.block else rule.span
