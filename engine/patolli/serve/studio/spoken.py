"""Names and sentence templates from which an offline page builds the words of options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from patolli.language.program import effects as e
from patolli.language.program import types as ty
from patolli.run.compiler.asked import Question
from patolli.run.runtime import Match

Parts = list[str | int]
_BEHIND = re.compile(r"\s*(?:of|on|for|to|in|at|and|or|with|from|by|as)\b")
"""Words after a number that need no plural. Other words after a number would need one."""


def list_names(match: Match) -> dict[str, list[str]]:
    """Return the names of things by kind, without kinds whose names change in a match."""
    names, vocabulary = match.naming(0), match.labels.vocabulary
    return {
        kind: [names.value(ty.Ref(kind), number, shown=True) for number in range(len(instances))]
        for kind, instances in match.program.layout.instances.items()
        if kind == "player" or vocabulary.is_fixed(kind)
    }


def sentences(match: Match, question: Question) -> list[Parts | None]:
    """Return a sentence template for each line of a question: texts, and numbers of the values between them.

    None stands for a line without its own words, or with words that only the rules can compute.
    """
    if question.kind == "choose":
        return [_parts(match, question.effect, question.types)]
    if isinstance(question.effect, e.Menu):
        lines = zip(question.effect.options, question.labels, strict=False)
        return [_parts(match, line, types) for line, (_, types) in lines]
    return []


def _parts(match: Match, asks: Any, types: Sequence[ty.AnyType]) -> Parts | None:
    if not isinstance(asks, e.Choose | e.Option) or asks.words is None:
        return None
    chosen = asks.word_variables if isinstance(asks, e.Choose) else [binder.variable for binder in asks.binders]
    places = {variable.name: number for number, variable in enumerate(chosen)}
    template, found = match.labels.vocabulary.template(asks.words), Parts()
    for number, part in enumerate(template):
        if isinstance(part, str):
            found.append(part)
            continue
        behind = template[number + 1] if number + 1 < len(template) else None
        at = places.get(part.path[0], -1)
        counts = at >= 0 and ty.strip(types[at]) == ty.INT and isinstance(behind, str) and not _BEHIND.match(behind)
        if at < 0 or len(part.path) > 1 or part.whose or counts or ty.strip(types[at]) == ty.BOOL:
            return None
        found.append(at)
    return found
