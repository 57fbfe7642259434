"""Find out what may stand in braces in what people read: names, phrases, headings, causes, words for answers.

In:     a model, and a text up to the cursor.
Out:    for each word that fits what sort of thing it is, its id, and its type; None where the cursor is in no braces.

A row of ``KNOWN`` says for a section and a key which words the checks of that text accept: ``analysis.names``,
``resolve.report_settings``, ``resolve.sayings``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from patolli.language.program import types as ty
from patolli.language.resolve.model import Model
from patolli.language.resolve.report_settings import NTH
from patolli.language.resolve.stateless import functions_of
from patolli.serve.lsp import scopes
from patolli.serve.lsp.spot import Spot

_OPEN = re.compile(r"\{\s*(?P<path>(?:[a-z_]\w*\.)*)[a-z_]?\w*$")
_AS = re.compile(r"\bas\s+\"[^\"]*$")
_ASKED = re.compile(r'\bchoose\b(?:[^"\n]|"[^"\n]*")*"[^"\n]*$')
_VARIABLE = re.compile(r"\b([a-z_]\w*) in\b")


@dataclass(frozen=True, slots=True)
class Word:
    """What a word in braces stands for: the sort of thing, its id, and its type where more may follow a dot."""

    sort: str
    id: str
    type: ty.AnyType | None = None


Words = dict[str, Word]


def words_at(model: Model, spot: Spot, kind: str) -> Words | None:
    """Return what may stand in open braces at the cursor; behind a dot, the members of what stands before it."""
    found = _OPEN.search(spot.before)
    if found is None or spot.key:
        return None
    known = _find_words(model, spot, kind)
    if known is None:
        return None
    for name in found["path"].split(".")[:-1]:
        word = known.get(name)
        inner = ty.strip(word.type) if word is not None and word.type is not None else None
        known = _of_kind(model, inner.kind) if isinstance(inner, ty.Ref) else {}
    return known


def _find_words(model: Model, spot: Spot, kind: str) -> Words | None:
    section, key = spot.path[0] if spot.path else "", spot.path[-1] if spot.path else ""
    answer = _AS.search(spot.before)
    if answer is not None:
        return _answer(model, spot, spot.before[: answer.start()])
    if _ASKED.search(spot.before) is not None:
        return _parameters(model, Spot(spot.path, spot.before[: spot.before.rindex("choose")], False))
    if section == "pieces" and len(spot.path) == 3 and key == "name":
        return _of_kind(model, kind)
    if len(spot.path) == 5 and spot.path[2:] == ("fields", spot.path[3], "told"):
        return _plain("piece", "old", "new", "me")
    look = KNOWN.get((section, key)) if len(spot.path) >= 3 else None
    return look(model, spot) if look is not None else None


def _of_kind(model: Model, kind: str) -> Words:
    """Return what is always known of a piece of a kind."""
    declared = model.kinds.get(kind)
    if declared is None:
        return {}
    attributes = (*declared.facts.values(), *declared.fields.values())
    found = {one.name: Word("fact", f"{kind}.{one.name}", one.type) for one in attributes}
    return found | {name: Word("function", name, model.functions[name].type) for name in functions_of(model, kind)}


def _answer(model: Model, spot: Spot, before: str) -> Words:
    """Return the variables of the question whose answers are called so: those of its last line."""
    types = scopes.variables(model, Spot(spot.path, before, False))
    line = before.rpartition("\n")[2].rpartition("choose")[2]
    return {name: Word("variable", name, types[name]) for name in _VARIABLE.findall(line) if name in types}


def _kinds(model: Model, spot: Spot) -> Words:
    """Return the kinds that a place is for."""
    place = model.places.get(spot.path[1])
    return {kind: Word("kind", kind, ty.Ref(kind)) for kind in place.dims} if place is not None else {}


def _parameters(model: Model, spot: Spot) -> Words:
    """Return the parameters of a rule or function, or the variables at a question."""
    named = {name: type_ for name, type_ in scopes.variables(model, spot).items() if name != "me"}
    return {name: Word("variable", name, type_) for name, type_ in named.items()}


def _heading(model: Model, spot: Spot) -> Words:
    """Return what a heading or cause may name: parameters, counters, functions of nothing."""
    variables = scopes.variables(model, Spot(spot.path, "", False))
    found = {name: Word("variable", name) for name in variables}
    found[NTH] = Word("builtin", NTH)
    found |= {
        one.name: Word("counter", one.name)
        for one in model.counters.values()
        if one.dims in ((), ("player",)) and one.visible == "all"
    }
    return found | {one.name: Word("function", one.name) for one in model.functions.values() if not one.parameters}


def _change_words(model: Model, spot: Spot) -> Words:
    counter = model.counters.get(spot.path[1])
    return _plain("old", "new", "change", *(counter.dims if counter is not None else ()))


def _plain(*names: str) -> Words:
    return {name: Word("builtin", name) for name in names}


KNOWN: dict[tuple[str, str], Callable[[Model, Spot], Words]] = {
    ("kinds", "name"): lambda model, spot: _of_kind(model, spot.path[1]),
    ("grids", "name"): lambda model, spot: _of_kind(model, spot.path[1]),
    ("records", "name"): lambda model, spot: _of_kind(model, spot.path[1]),
    ("kinds", "cause"): lambda model, spot: _plain("piece"),
    ("places", "name"): _kinds,
    ("places", "phrase"): _kinds,
    ("rules", "phrase"): _parameters,
    ("functions", "phrase"): _parameters,
    ("counters", "told"): _change_words,
    **{(section, key): _heading for section in ("rules", "triggers", "anytime") for key in ("heading", "cause")},
}
