"""Check the targets of a pack: their form, and whether each names a measure that there is."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, nearest
from patolli.language.diagnostics.fix_edits import instead
from patolli.language.program.model import Program
from patolli.language.program.targets import (
    FIRST,
    OF_OPTIONS,
    OF_PIECES,
    OWN,
    describe_percent,
    name_measures,
    parse_target,
)
from patolli.language.program.types import BOOL
from patolli.language.sources import Scalar, Sequence

MOST_SEATS = 100
"""Seats for which measures are named, if a pack does not say how many may play."""


@check("P1442")
def invalid_target(reviewed: Reviewed) -> Iterator[Problem]:
    """Find targets that no run could be compared with."""
    base, *modules = reviewed.program.composition.packs
    for pack in modules or [base]:
        node = pack.manifest.get("targets")
        for one in node.items if isinstance(node, Sequence) else ():
            if isinstance(one, Scalar):
                yield from _find_mistake(one, reviewed.program)


def _find_mistake(node: Scalar, program: Program) -> Iterator[Problem]:
    """Yield what is wrong with a target."""
    text = node.value
    try:
        target = parse_target(text)
    except ValueError as error:
        message, _, help_ = str(error).partition("; ")
        yield Problem("P1442", message, node.span, help_)
        return
    name = " ".join(target.name.split())
    known = dict(name_measures(MOST_SEATS))
    own = {one.replace("_", " "): measure.formula.body.type == BOOL for one, measure in program.measures.items()}
    known = {**own, **known, **{f"{OWN}{one}": is_share for one, is_share in own.items()}}
    wanted = name.partition(", time ")[0].replace("_", " ")
    is_share = known.get(wanted.removesuffix(" wins") if wanted == f"{FIRST} wins" else wanted)
    thing, _, word = name.rpartition(" ")
    if is_share is None and word in OF_PIECES and thing.rpartition("/")[2] in program.designs:
        is_share = True
    if is_share is None and word in OF_OPTIONS:
        rules = {*program.rules, "anytime"}
        is_share = True if thing in program.designs or thing.partition(":")[0] in rules else None
    if is_share is None:
        things = [f"{design} {word}" for design in program.designs] if word in (*OF_PIECES, *OF_OPTIONS) else []
        near = nearest(name, [*known, *things])
        listed = [*own, *(one for one, _ in name_measures(1))]
        help_ = f"did you mean {near!r}?" if near else f"use {', '.join(listed)}"
        meant = text.replace(target.name, near, 1) if near else None
        yield Problem("P1442", f"unknown measure {name!r}", node.span, help_, fixes=instead(node.span, meant))
    elif is_share != target.share:
        message, _, help_ = f"{describe_percent(name, is_share)} in {text!r}".partition("; ")
        yield Problem("P1442", message, node.span, help_)
