"""Resolve conditions about what is paid for: ``it`` in the ``when`` of discounts, substitutions and waivers.

In:     a model whose rules are resolved, so that it is known what the payments with each tag are for.
Out:    the conditions, over ``me`` and ``it``, in the program.
Errors: P0205 nothing says what ``it`` is in a condition, P0301 payments for pieces of different kinds.
"""

from __future__ import annotations

import dataclasses as dc
from collections import Counter

from patolli.language.diagnostics import Problem, Span
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.resolve import model as m
from patolli.language.resolve.conjuncts import read_names, reads_it
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.expressions import PLAYER, Scope
from patolli.language.syntax import tree as t

Offer = m.Discount | m.Substitution | m.Waiver
MOST = 5
"""How many conditions may look at what the payments with one tag are for: each doubles the tags that are compiled."""


def resolve_subjects(effects: Effects) -> None:
    """Resolve all conditions about what is paid for."""
    model, made = effects.model, effects.program
    count: Counter[str] = Counter()
    for number, waiver in enumerate(model.waivers):
        if waiver.subject is not None:
            _check_apart(effects, waiver, waiver.subject)
            subject = _resolve_when(effects, waiver, waiver.subject, waiver.body, count)
            made.waivers[number] = dc.replace(made.waivers[number], subject=subject)
    for number, discount in enumerate(model.discounts):
        if discount.when is not None and reads_it(discount.when):
            when = _resolve_when(effects, discount, discount.when, f"discount {discount.name}", count)
            made.discounts[number] = dc.replace(made.discounts[number], when=when)
    for number, substitution in enumerate(model.substitutions):
        if substitution.when is not None and reads_it(substitution.when):
            when = _resolve_when(effects, substitution, substitution.when, f"substitution {substitution.name}", count)
            made.substitutions[number] = dc.replace(made.substitutions[number], when=when)


def _resolve_when(effects: Effects, one: Offer, when: t.Expr, owner: str, count: Counter[str]) -> pm.Formula:
    """Resolve a condition about what is paid for; *count* says how many there are for each tag."""
    count.update(one.on)
    crowded = next((tag for tag in one.on if count[tag] == MOST + 1), None)
    if crowded is not None:
        words = f"more than {MOST} discounts, substitutions and waivers test what payments as {crowded!r} are for"
        effects.problem("P0205", words, when, "put several conditions into one, or give payments other tags")
    scope = Scope.of(when.span, me=PLAYER, it=_find_type(effects, one, when))
    me, it = scope.variables.values()
    with effects.uses.of(owner):
        return pm.Formula(me, (it,), effects.condition(when, scope))


def _check_apart(effects: Effects, waiver: m.Waiver, subject: t.Expr) -> None:
    """Report a condition that looks both at what is paid for and at what a waiver takes."""
    if waiver.binder is not None and waiver.binder.id in read_names(subject):
        words = f"a condition of a waiver uses either 'it', which is paid for, or {waiver.binder.id!r}, not both"
        effects.problem("P0205", words, subject, "join two conditions with 'and', one for each")


def _find_type(effects: Effects, one: Offer, when: t.Expr) -> ty.AnyType:
    """Return the type of what all payments that something is for are for."""
    if not one.on:
        effects.problem(
            "P0205", "nothing says which payments 'it' is of", when, "add 'on:' with the tags of the payments"
        )
        return ty.ANY
    found: dict[ty.AnyType, Span] = {}
    for tag in one.on:
        for type_, span in effects.model.paid_for.get(tag, ()):
            if type_ is None:
                words, help_ = (
                    f"'it' is what is paid for, and a payment as {tag!r} does not say that",
                    "add 'for x' to it",
                )
                _report_once(effects, Problem("P0205", words, when.span, help_, ((span, "this payment"),)))
                return ty.ANY
            if type_ != ty.ANY:
                found.setdefault(type_, span)
    if len(found) > 1:
        kinds = " and ".join(map(str, found))
        also = tuple((span, f"for {type_}") for type_, span in found.items())
        help_ = "give these payments different tags"
        _report_once(effects, Problem("P0301", f"'it' would be {kinds}", when.span, help_, also))
    return next(iter(found)) if len(found) == 1 else ty.ANY


def _report_once(effects: Effects, problem: Problem) -> None:
    """Report what is wrong with payments at the first condition about them."""
    if all(other.message != problem.message for other in effects.model.problems):
        effects.model.problems.append(problem)
