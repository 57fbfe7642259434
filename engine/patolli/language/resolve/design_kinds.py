"""Designs as values: the kind `card_design`, with one instance for each entry of a `pieces` document.

What several copies of a card have in common is a value of its own: an index of places (``per: card_design``), the type
of a parameter or field, what is chosen. It has the facts of its pieces but those that distinguish copies, and effects,
which stand on a piece. The kind is there where some text names it, so that no other pack loses a name.
"""

from __future__ import annotations

import dataclasses as dc
import re

from patolli.language.packs.manifest import Pack
from patolli.language.program import types as ty
from patolli.language.resolve.entries import claim
from patolli.language.resolve.model import DESIGNS, Design, Kind, Model
from patolli.language.resolve.tables import Table
from patolli.language.sources import texts
from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import nodes

_NAMED = re.compile(rf"\b([a-z][a-z0-9_]*){DESIGNS}\b")


def named_designs(model: Model) -> None:
    """Declare the kinds of designs that some text names; the kinds of pieces are known."""
    if not any(map(_may_name, model.composition.packs)):
        return
    found: dict[str, None] = {}
    for section in model.composition.sections.values():
        for entry in section.values():
            words = [entry.key.value, *texts(entry.node)]
            found.update(dict.fromkeys(one for word in words if DESIGNS in word for one in _NAMED.findall(word)))
    for name in found:
        base = model.kinds.get(name)
        if base is None or f"{name}{DESIGNS}" in model.names or not _has_designs(base):
            continue
        kind = Kind(f"{name}{DESIGNS}", base.span, designs_of=name)
        kind.text = f"What copies of {ty.Ref(name)} have in common"
        model.kinds[kind.name] = kind
        claim(model, kind.name, "kind", kind.name, base.span)


def _may_name(pack: Pack) -> bool:
    """Return whether a file of a pack may name a kind of designs: it holds the word, or signs that may stand for it."""
    trees = [pack.manifest, *(document.tree for document in pack.documents)]
    written = [tree.source.text if tree.source is not None else None for tree in trees]
    return any(text is None or DESIGNS in text or "\\" in text for text in written)


def _has_designs(kind: Kind) -> bool:
    return kind.members is None and not kind.grid and not kind.lays and kind.name != "player"


def fill_designs(model: Model) -> None:
    """Give the kinds of designs their instances and facts, when all pieces are known."""
    for kind in model.kinds.values():
        if kind.designs_of:
            base = model.kinds[kind.designs_of]
            shared = [name for name, fact in base.facts.items() if _is_shared(fact.type, name, base)]
            kind.facts = {name: base.facts[name] for name in shared}
            kind.designs = [_design(kind, one, shared) for one in base.designs]


def _design(kind: Kind, one: Design, shared: list[str]) -> Design:
    facts = {name: value for name, value in one.facts.items() if name in shared}
    return dc.replace(one, kind=kind.name, copies=None, place=None, facts=facts)


def _is_shared(type_: ty.AnyType, name: str, base: Kind) -> bool:
    """Return whether a fact is the same of all copies, and is known without one of them."""
    inner = type_
    while isinstance(inner, ty.Seq | ty.Maybe):
        inner = inner.of
    return (
        inner != ty.EFFECT and name != "owner" and not any(_distinguishes(one.facts.get(name)) for one in base.designs)
    )


def _distinguishes(value: object) -> bool:
    match value:
        case Table():
            return any(map(_distinguishes, (value.by, *value.rows.values())))
        case list():
            return any(map(_distinguishes, value))
        case t.Expr():
            return any(isinstance(node, t.Name) and node.id == "copy" for node in nodes([value]))
    return False
