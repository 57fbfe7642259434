"""Find the names in panels and symbols, and in what people read: names, phrases, headings, words for answers.

In:     a model, and the documents of its packs.
Out:    references, see ``references``.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.author.lookup.nodes import scalars, words
from patolli.author.lookup.references import Reference
from patolli.language.program import types as ty
from patolli.language.resolve.model import Model
from patolli.language.sources import Node, Scalar
from patolli.language.sources.nodes import list_entries, value_at
from patolli.language.syntax.node import Text
from patolli.language.syntax.phrases import HOLE, gaps

PLAIN = frozenset(
    ("title", "note", "main", "asked", "means", "sign", "colour", "shows", "shape", "empty", "beside", "up", "text")
)
"""Keys of panels and symbols in which nothing is named that is declared."""
OF_PIECES = frozenset("show behind parts lines step facts by only".split())
"""Keys of panels and symbols whose values may be facts and fields."""


def panel_references(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    """Yield the names in a panel or symbol."""
    kind = _kind_of_panel(model, id_, node)
    for key, value in list_entries(node):
        if key.value == "picture":
            yield from _find_shown(model, kind, value_at(value, "of") or value)
        elif key.value == "behind":
            for layer, sign in list_entries(value):
                yield from _find_shown(model, kind, layer)
                yield from _find_shown(model, kind, sign)
        elif key.value not in PLAIN:
            yield from _find_shown(model, kind if key.value in OF_PIECES else "", value)


def _kind_of_panel(model: Model, id_: str, node: Node) -> str:
    """Return the kind whose facts a panel or symbol shows; a patch writes parts of a panel that says it elsewhere."""
    entry = model.composition.sections["panels"].get(id_)
    for key in ("of", "marks"):
        name = value_at(node, key) or (entry.get(key) if entry is not None else None)
        if isinstance(name, Scalar):
            id_ = name.value
            place = model.places.get(id_)
            if place is not None:
                return place.dims[0] if key == "marks" and place.dims else place.of
    design = model.designs.get(id_)
    return design.kind if design is not None and id_ not in model.kinds else id_


def _find_shown(model: Model, owner: str, node: Node) -> Iterator[Reference]:
    """Yield the names in a value of a panel; facts of its owner come first."""
    kind = model.kinds.get(owner)
    for text in scalars(node):
        if kind and (text.value in kind.facts or text.value in kind.fields):
            yield Reference(text.place(0, len(text.value)), "fact", f"{owner}.{text.value}")
        else:
            yield from words(model, text)


# ---- what stands in braces


def template_references(model: Model) -> Iterator[Reference]:
    """Yield the names in braces in what things are called; headings and causes are typed as expressions are."""
    for section in ("kinds", "grids", "records", "pieces"):
        for entry in model.composition.all(section):
            kind = entry.kind if section == "pieces" else entry.id
            text = entry.get("name")
            if isinstance(text, Scalar) and kind in model.kinds:
                yield from _find_gaps(model, text, ty.Ref(kind))
    for entry in model.composition.all("places"):
        text, place = entry.get("name"), model.places.get(entry.id)
        for gap in gaps(text.value) if isinstance(text, Scalar) and place is not None else ():
            if isinstance(text, Scalar) and gap.path[0] in model.kinds:
                yield Reference(text.place(gap.at, len(gap.path[0])), "kind", gap.path[0])
                yield from _path_of(model, text, gap.path[1:], gap.at + len(gap.path[0]) + 1, ty.Ref(gap.path[0]))
    for worded in model.worded:
        for gap in gaps(worded.text.value):
            first = gap.path[0]
            if first in worded.variables:
                yield Reference(worded.text.place(gap.at, len(first)), "variable", f"{worded.owner}'{first}")
                yield from _path_of(model, worded.text, gap.path[1:], gap.at + len(first) + 1, worded.variables[first])
    yield from _find_phrases(model)


def _find_phrases(model: Model) -> Iterator[Reference]:
    """Yield the parameters in the phrases of rules and functions, and the kinds in those of places."""
    for section in ("rules", "functions", "places"):
        for entry in model.composition.all(section):
            text = entry.get("phrase")
            for hole in HOLE.finditer(text.value) if isinstance(text, Scalar) else ():
                if not isinstance(text, Scalar):
                    continue
                place, word = text.place(hole.start(1), len(hole[1])), hole[1]
                if section != "places":
                    yield Reference(place, "variable", f"{entry.id}'{word}")
                elif word in model.kinds and word != "player":
                    yield Reference(place, "kind", word)


def _find_gaps(model: Model, text: Text, type_: ty.AnyType) -> Iterator[Reference]:
    for gap in gaps(text.value):
        yield from _path_of(model, text, gap.path, gap.at, type_)


def _path_of(model: Model, text: Text, path: tuple[str, ...], at: int, type_: ty.AnyType) -> Iterator[Reference]:
    """Yield the facts, fields and functions that a word leads along, from a thing of a type."""
    for name in path:
        inner = ty.strip(type_)
        kind = model.kinds.get(inner.kind) if isinstance(inner, ty.Ref) else None
        if kind is None:
            return
        attribute = kind.facts.get(name) or kind.fields.get(name)
        if attribute is not None:
            yield Reference(text.place(at, len(name)), "fact", f"{kind.name}.{name}")
            type_ = attribute.type
        elif name in model.functions:
            yield Reference(text.place(at, len(name)), "function", name)
            type_ = model.functions[name].type or ty.ANY
        else:
            return
        at += len(name) + 1
