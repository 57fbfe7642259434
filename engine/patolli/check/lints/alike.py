"""Find what people could not distinguish, or would read in the wrong number.

A name in braces, a fact or a variable, makes words differ; what is found here reads alike whatever happens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of
from patolli.language.diagnostics import Problem, Span, instead
from patolli.language.packs.composition import Entry
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.node import walk
from patolli.language.sources import Mapping, Scalar, Sequence, plain
from patolli.language.sources.nodes import text_at


@check("P0477")
def noun_without_its_other_form(reviewed: Reviewed) -> Iterator[Problem]:
    """Find nouns of counters and kinds that lack the word for one or for several, or have them turned round.

    One word may do for both, as for sand: only where the id, the text, or an id of the model uses the other form is
    there known to be one.
    """
    known = {id_ for kind in reviewed.program.kinds.values() for id_ in (kind.name, *kind.facts, *kind.fields)}
    for section in ("counters", "kinds", "grids", "records"):
        for entry in reviewed.program.composition.all(section):
            node = entry.get("noun")
            if not isinstance(node, Sequence) or not reviewed.written_here(node.span):
                continue
            forms = [item.value for item in node.items if isinstance(item, Scalar)]
            wanted = _suggest_forms(entry, forms, known)
            if wanted:
                text = (
                    "the singular comes first"
                    if len(forms) > 1
                    else f"players would read '1 {forms[0]}' and '2 {forms[0]}'"
                )
                both = f"[{', '.join(wanted)}]"
                fixes = instead(node.span, both)
                yield Problem("P0477", text, node.span, f"write '{both}'", (), "warning", fixes=fixes)
            yield from _of_another(reviewed, section, entry, forms, node.span)


def _of_another(reviewed: Reviewed, section: str, entry: Entry, forms: list[str], span: Span) -> Iterator[Problem]:
    """Find a noun of a counter that is the id of another one: 'gain 1 coin' would not be what people read."""
    counters = reviewed.program.counters
    if reviewed.program.composition.language_of(span.path) < 2:  # where nouns are for people alone
        return
    taken = next((form for form in forms if form.replace(" ", "_") in counters.keys() - {entry.id}), None)
    if section == "counters" and taken is not None:
        other = counters[taken.replace(" ", "_")]
        text = f"{taken!r} is the id of another counter, so an effect that names it does not mean {entry.id!r}"
        also = ((other.span, f"{other.name!r} is declared here"),)
        yield Problem("P0477", text, span, "choose another noun", also, "warning")


def _suggest_forms(entry: Entry, forms: list[str], known: set[str]) -> list[str]:
    """Return the words for one and for several where those that are given cannot be both; nothing where they may."""
    if len(forms) == 2 and forms[0] == _several(forms[1]):
        return forms[::-1]
    if len(forms) != 1:
        return []
    (form,), id_ = forms, entry.id.replace("_", " ")
    text = text_at(entry, "text")
    if _several(form).lower() == id_ or re.match(rf"{re.escape(_several(form))}\b", text, re.I):
        return [form, _several(form)]
    one = form.removesuffix("s")
    return [one, form] if one != form and one.lower().replace(" ", "_") in {*known, entry.id} else []


def _several(noun: str) -> str:
    return f"{noun}s"


@check("P0478")
def report_equal_words(reviewed: Reviewed) -> Iterator[Problem]:
    """Find answers that are all called the same, and pieces of one kind with the same name."""
    for block in blocks_of(reviewed.program):
        for node in walk(block):
            if (
                isinstance(node, e.Choose | e.Option)
                and _all_alike(reviewed, node.binders, node.words)
                and reviewed.written_here(node.span)
            ):
                names = ", ".join(f"{{{binder.variable.name}}}" for binder in node.binders)
                text = f"all options are called {node.words!r}"
                yield Problem("P0478", text, node.span, f"write what differs: {names}", (), "warning")
    for action in reviewed.program.anytime:
        if action.binder is None or not reviewed.written_here(action.span):
            continue
        if _all_alike(reviewed, (action.binder,), action.words):
            text = f"all options are called {action.words!r}"
            help_ = f"write what differs: {{{action.binder.variable.name}}}"
            yield Problem("P0478", text, action.span, help_, (), "warning")
    first: dict[tuple[str, str], Entry] = {}
    for entry in reviewed.program.composition.all("pieces"):
        name, design = entry.get("name"), reviewed.program.designs.get(entry.id)
        if design is None or not isinstance(name, Scalar) or "{" in name.value or _is_fact(reviewed, design.kind):
            continue
        other = first.setdefault((design.kind, name.value), entry)
        if _does(other) != _does(entry) and reviewed.written_here(name.span):
            text = f"{entry.id!r} and {other.id!r} are both called {name.value!r}"
            also = ((other.key.span, "the other one"),)
            yield Problem("P0478", text, name.span, "players cannot tell them apart by their names", also, "warning")


def _does(entry: Entry) -> dict[str, object]:
    """Return what a piece is, without what makes no difference where two of them are offered."""
    assert isinstance(entry.node, Mapping)
    beside = ("copies", "source", "category")
    return {key: plain(value) for key, (_, value) in entry.node.items.items() if key not in beside}


def _all_alike(reviewed: Reviewed, binders: tuple[x.Binder, ...], words: str | None) -> bool:
    """Return whether answers have words without a variable; places distinguish pieces, or nothing has to."""
    if not binders or words is None or "{" in words:
        return False
    types = [ty.strip(binder.variable.type) for binder in binders]
    return not any(isinstance(type_, ty.Ref) and reviewed.program.kinds[type_.kind].placed for type_ in types)


def _is_fact(reviewed: Reviewed, kind: str) -> bool:
    """Return whether what stands behind ``name`` is a fact, which has its own meaning."""
    fact = reviewed.program.kinds[kind].facts.get("name")
    return fact is not None and ty.strip(fact.type) != ty.TEXT
