"""Declare graphs: which things of a kind lie side by side, as lines between them.

Out:    for each graph a fact of its kind, with what each thing is joined to, and a function of one thing that gives it.
Errors: P0201 an unknown kind, P0205 a graph of what every player has, a line from a thing to itself, or one that is
        there already.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from patolli.language.diagnostics import Span
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.resolve.entries import claim, comes_later
from patolli.language.resolve.model import Attribute, Function, Model
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Scalar, Sequence
from patolli.language.sources.nodes import list_scalars, text_at
from patolli.language.syntax import tree as t


def graphs(model: Model, reader: Reader) -> None:
    """Declare all graphs."""
    for entry in model.composition.all("graphs"):
        comes_later(model, "a graph", entry.key.span)
        claim(model, entry.id, "function", entry.id, entry.key.span)
        of = entry.get("of")
        if isinstance(of, Scalar) and of.value in model.kinds:
            _graph(model, reader, entry, of)
        elif isinstance(of, Scalar):
            reader.unknown("kind", of, of.value, model.kinds)
            model.broken.add(entry.id)
            model.functions[entry.id] = Function(entry.id, entry.key.span, [], None, declared=ty.ANY)


def _graph(model: Model, reader: Reader, entry: Entry, of: Scalar) -> None:
    kind, at = model.kinds[of.value], t.At(t.FixedText(entry.key.span), 0, 0)
    several = ty.Seq(ty.Ref(kind.name))
    if kind.per_player:
        message = f"a graph joins what lies on the table, and every player has a {kind.name!r}"
        reader.problem(
            "P0205", message, of.span, "write a function that gives those beside one", (kind.span, "the kind")
        )
    elif entry.id in kind.facts or entry.id in kind.fields:
        first = (kind.facts.get(entry.id) or kind.fields[entry.id]).span
        message = f"{kind.name!r} has a fact or field called {entry.id!r}"
        reader.problem("P0203", message, entry.key.span, "rename one", (first, "declared here"))
    else:
        kind.facts[entry.id] = Attribute(entry.id, several, entry.key.span, False, has_default=True)
        kind.lines[entry.id] = list(_lines(reader, entry))
    body = t.Attribute(t.Name(kind.name, at=at), entry.id, at=at)
    parameters = [(kind.name, ty.Ref(kind.name))]
    model.functions[entry.id] = Function(
        entry.id, entry.key.span, list[tuple[str, ty.AnyType]](parameters), body if entry.id in kind.lines else None,
        declared=several, text=text_at(entry, "text"),
    )  # fmt: skip


def _lines(reader: Reader, entry: Entry) -> Iterator[list[t.Expr]]:
    """Read the lines of a graph, and report those that join nothing new."""
    edges = entry.get("edges")
    seen: dict[frozenset[str], Span] = {}
    for node in edges.items if isinstance(edges, Sequence) else ():
        texts = list_scalars(node)
        for one, two in pairwise(texts):
            both = frozenset((one.value, two.value))
            if one.value == two.value:
                reader.problem(
                    "P0205", f"{one.value!r} is joined to itself", two.span, "write another one, or leave it out"
                )
            elif both in seen:
                message = f"{one.value!r} and {two.value!r} are joined already"
                reader.problem("P0205", message, two.span, "leave it out", (seen[both], "the line is here"))
            seen.setdefault(both, two.span)
        read = [reader.expression(text) for text in texts]
        yield [expr for expr in read if expr is not None]
