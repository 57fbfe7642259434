"""Compare phrases with the parameters that they can speak of."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.diagnostics import Problem, instead, nearest
from patolli.language.phrases import holes
from patolli.lints.check import Reviewed, check
from patolli.sources import Scalar


@check("P0445")
def unknown_hole(reviewed: Reviewed) -> Iterator[Problem]:
    """Find phrases with something in braces that is no parameter of the entry."""
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
                words = f"{hole!r} is no parameter of {entry.id!r}"
                also = ((entry.key.span, "its parameters are here"),) if section in ("rules", "functions") else ()
                yield Problem("P0445", words, span, help_, also, "warning", instead(span, near))
