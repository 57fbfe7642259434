"""Find every place that names something: where it is declared, and where it is used.

In:     a resolved model.
Out:    references, each with its span, what sort of thing is meant, and its id.

Names in effects and expressions were noted when they were resolved, see ``uses``. Names that stand in the documents
themselves, such as the kind in ``of: card``, come from ``mentions``; those in scenarios, which are no part of a model,
from ``rehearsals``.

What could not be resolved is not among them: the result is complete only without errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from patolli.language.diagnostics import Span
from patolli.language.resolve.model import Model, Use


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that names something.

    ``sort`` is what it is: a word of ``Model.names``, or ``fact``, ``variable``, ``builtin``, ``step``, ``tag``,
    ``pack``, or the section of an entry that has no name in expressions. The id of a fact is ``kind.fact``, of a
    step ``rule/step``, of a variable ``owner'variable``; a ``noun`` is ``counter.noun``. In ``buy(card)`` a word
    names a kind and a variable; when one gets a new name, ``before`` and ``after`` are written around it to keep
    the other.
    """

    span: Span
    sort: str
    id: str
    declares: bool = False
    before: str = ""
    after: str = ""


def references_of(uses: Iterable[Use]) -> Iterator[Reference]:
    """Yield the references that were found when texts were resolved."""
    for use in uses:
        yield Reference(use.text.place(use.offset, len(use.name)), use.sort, use.id, use.declares)


def owners(model: Model) -> dict[str, str]:
    """Say for triggers and replaced rules whose variables they see: those of the rule that they belong to."""
    found = {name: name.partition("'")[0] for name in model.rules if "'" in name}
    for name, rule in model.rules.items():
        for trigger in (*rule.instead, *rule.before, *rule.after, *rule.ordered):
            found[trigger.body] = name.partition("'")[0]
    return found
