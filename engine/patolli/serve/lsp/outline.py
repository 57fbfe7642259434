"""List what a file declares, by section, for outlines and for the search in the workspace."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.diagnostics import Span
from patolli.language.packs.manifest import understand
from patolli.language.packs.operations import OPERATIONS
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.documents import SECTIONS

INNER = ("facts", "fields", "steps")
"""Parts of entries that an outline shows."""


@dataclass(slots=True)
class Symbol:
    """One thing that a file declares. ``whole`` is all of it, ``name_span`` the name alone."""

    name: str
    section: str
    whole: Span
    name_span: Span
    inner: list[Symbol] = field(default_factory=list)


def outline(text: str, path: str) -> list[Symbol]:
    """Return the symbols of a file; none while it is not YAML."""
    tree, kind, _ = understand(text, path)
    if not isinstance(tree, Mapping):
        return []
    if kind == "patch":
        return _changes(tree)
    sections = ("options", "components") if kind == "pack" else SECTIONS
    found = []
    for section in sections:
        node = tree.get(section)
        if node is not None:
            key = tree.key(section)
            inner = _entries(section, node)
            if section in ("pieces", "scenarios") and kind == section:
                found.extend(inner)
            else:
                found.append(Symbol(section, "section", key.span.to(node.span), key.span, inner))
    return found


def _entries(section: str, node: Node) -> list[Symbol]:
    found = []
    for key, value in node.items.values() if isinstance(node, Mapping) else ():
        symbol = Symbol(key.value, section, key.span.to(value.span), key.span)
        for part in INNER if isinstance(value, Mapping) else ():
            inner = value.get(part) if isinstance(value, Mapping) else None
            symbol.inner.extend(_entries(part, inner) if inner is not None else ())
        found.append(symbol)
    return found


def _changes(tree: Mapping) -> list[Symbol]:
    found = []
    changes = tree.get("change")
    for change in changes.items if isinstance(changes, Sequence) else ():
        for key, value in change.items.values() if isinstance(change, Mapping) else ():
            if key.value in OPERATIONS and isinstance(value, Scalar):
                found.append(Symbol(f"{key.value} {value.value}", "patch", change.span, value.span))
    return found
