"""Claim ids in the one namespace of a ruleset, and read the small facts of its entries.

Errors: P0202 a counter that not every player has one of, P0203 an id that is taken, or a word of the language.
"""

from __future__ import annotations

from patolli.language.diagnostics import Problem, Span
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE
from patolli.language.resolve.model import UNKNOWN, Model
from patolli.language.sources import Mapping, Node, Scalar, plain
from patolli.language.sources.nodes import list_scalars
from patolli.language.syntax.words import help_with_later, words


def claim(model: Model, id_: str, what: str, owner: str, span: Span) -> None:
    """Claim an id in the one namespace of the ruleset.

    A word of the language is reported, and claimed all the same: what uses the id is right as soon as it is renamed.
    """
    if report_word(model, id_, span, "choose another id", what == "rule"):
        model.names.setdefault(id_, (what, owner))
        model.spans.setdefault(id_, span)
    elif id_ == TABLE and what != "kind" and TABLE in model.kinds:
        also = ((model.spans[id_], "this belongs to the table"),)
        words_ = f"{id_!r} is what fields of the whole table belong to"
        model.problems.append(Problem("P0203", words_, span, f"give this {what} another name", also))
    elif id_ in model.names:
        before = ty.article(model.names[id_][0])
        also = ((model.spans[id_], f"declared here as {before}"),)
        packs = [model.composition.find_pack(one.path) for one in (model.spans[id_], span)]
        help_ = model.composition.advise_rename(id_, *packs) or "rename one"
        model.problems.append(Problem("P0203", f"{id_!r} is already the name of {before}", span, help_, also))
        if "kind" not in (what, model.names[id_][0]):
            model.names[id_] = (UNKNOWN, owner)  # a text may mean either of the two
    else:
        model.names[id_] = (what, owner)
        model.spans[id_] = span


def report_word(model: Model, id_: str, span: Span, help_: str, is_rule: bool = False) -> bool:
    """Report an id or a parameter that is a word of the language; return whether it is one."""
    known = words(model.composition.language_of(span.path))
    found = id_ in known.fixed or id_ in known.joining or (is_rule and id_ in known.statements)
    if found:
        model.problems.append(Problem("P0203", f"{id_!r} is a word of the language", span, help_))
    return found


def comes_later(model: Model, what: str, span: Span, since: int = 2) -> None:
    """Report what comes with a later version of the language than that in which a pack is written."""
    if model.composition.language_of(span.path) < since:
        message = f"{what} comes with a later version of the language"
        model.problems.append(Problem("P0201", message, span, help_with_later(since)))


def everyones(model: Model, name: str, span: Span) -> None:
    """Report a counter that stands where one of each player is needed."""
    counter = model.counters.get(name)
    if counter is not None and counter.dims != ("player",) and UNKNOWN not in counter.dims:
        what = f"{name!r} is not one number for each player"
        help_ = "groups, costs of pieces and other ways to pay name counters with 'per: player'"
        model.problems.append(Problem("P0202", what, span, help_, ((counter.span, "declared here"),)))


def number_of(node: Node | None, key: str, other: int) -> int:
    """Return a number of a mapping, or *other* where there is none."""
    found = node.get(key) if isinstance(node, Mapping) else None
    value = plain(found) if found is not None else other
    return value if isinstance(value, int) else other


def scalars(node: Node | None) -> list[Scalar]:
    """Return the scalars of a list; one alone counts as a list of one."""
    if isinstance(node, Scalar):
        return [node]
    return list_scalars(node)
