"""Read what a pack says that its things are called: words for people, which no rule can see.

In:     a composed ruleset.
Out:    :class:`Wording`: the names that the entries declare, as they are written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.packs.compose import Composition, Entry
from patolli.sources import Mapping, Scalar, Sequence


@dataclass(slots=True)
class Wording:
    """What is called how, by id; what says nothing is not in it."""

    pieces: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)


def wording(composition: Composition) -> Wording:
    """Return what the entries of a ruleset are called."""
    found = Wording()
    for section, into in (("kinds", found.kinds), ("grids", found.kinds), ("places", found.places)):
        for entry in composition.all(section):
            if name := _text(entry, "name") or (_text(entry, "phrase") if section == "places" else ""):
                into[entry.id] = name
    for entry in composition.all("kinds"):
        node = entry.get("noun")
        if isinstance(node, Sequence):
            found.nouns[entry.id] = tuple(" ".join(x.value.split()) for x in node.items if isinstance(x, Scalar))
    for entry in composition.all("pieces"):
        if name := _text(entry, "name"):
            found.pieces[entry.id] = name
    for entry in composition.all("enums"):
        for id_, (_, value) in entry.node.items.items() if isinstance(entry.node, Mapping) else ():
            if isinstance(value, Scalar):
                found.members[id_] = " ".join(value.value.split())
    return found


def _text(entry: Entry, key: str) -> str:
    """Return a text of an entry on one line, or nothing."""
    node = entry.get(key)
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""
