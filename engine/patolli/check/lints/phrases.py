"""Compare phrases with the parameters that they can speak of, and find braces that stand for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, instead, nearest
from patolli.language.sources import Scalar
from patolli.language.syntax.phrases import HOLE, holes

_BRACE = re.compile(r"[{}]")


@check("P0445")
def unknown_hole(reviewed: Reviewed) -> Iterator[Problem]:
    """Find phrases with something in braces that is not a parameter of the entry."""
    program = reviewed.program
    known = {
        **{("rules", rule.name): [v.name for v in rule.parameters] for rule in program.rules.values()},
        **{("functions", one.name): [v.name for v in one.parameters] for one in program.functions.values()},
        **{("places", one.name): list(one.dims) for one in program.places.values()},
    }
    for section in ("rules", "functions", "places"):
        for entry in program.composition.all(section):
            phrase = entry.get("phrase")
            names = known.get((section, entry.id), [])
            for hole in holes(phrase.value) if isinstance(phrase, Scalar) else ():
                if hole in names:
                    continue
                near = nearest(hole, names)
                there = f"there are: {', '.join(names)}" if names else "there are none"
                help_ = f"did you mean {near!r}?" if near else there
                assert isinstance(phrase, Scalar)
                span = phrase.place(phrase.value.index(f"{{{hole}") + 1, len(hole))
                words = f"{hole!r} is not a parameter of {entry.id!r}"
                also = ((entry.key.span, "its parameters are here"),) if section in ("rules", "functions") else ()
                yield Problem("P0445", words, span, help_, also, "warning", instead(span, near))
            yield from _stray(phrase) if isinstance(phrase, Scalar) else ()


def _stray(phrase: Scalar) -> Iterator[Problem]:
    """Report the first brace of a phrase that has no partner, or has more than one word behind it."""
    found = _BRACE.search(HOLE.sub(lambda hole: "x" * len(hole[0]), phrase.value))
    if found is not None:
        words = f"the brace {found[0]!r} of this phrase has no partner, so players would read it"
        help_ = "write a parameter between two braces: `{name}`"
        yield Problem("P0445", words, phrase.place(found.start(), 1), help_, (), "warning")
