"""Say what may stand at a place of a document, by the schema of its kind: which keys, which sort of value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from patolli.language.sources.documents import KINDS
from patolli.language.sources.schema import load_schema

_DOCUMENT = re.compile(r"document: *([a-z]+)")
TEXTS = {
    "effect": "effect", "rule": "effect",
    "expression": "expression", "condition": "expression", "membership": "expression",
    "function": "expression", "value": "expression", "invariant": "expression",
    "cost": "cost", "side": "expression", "type": "type", "attribute": "type", "id": "id", "ids": "id",
    "id_or_ids": "id", "per": "id", "target": "target", "moment": "moment", "event": "event", "payment": "payment",
    "payments": "payment",
}  # fmt: skip
"""Definitions of the schemas that say how a text is read, and how that is."""
AMOUNTS = {"a number and counters": "cost", "a cost of one counter": "cost", "a number and counters or groups": "cost"}
"""How a text is called that names counters, and how it is read."""


@dataclass(slots=True)
class Shape:
    """What a schema says of a place. ``sort`` is how a text is read, a value of ``TEXTS``; empty for other values."""

    sort: str = ""
    keys: dict[str, str] = field(default_factory=dict)  # with what is said about each
    values: list[str] = field(default_factory=list)
    open: bool = False  # takes keys of the author's own


def kind_of(lines: list[str]) -> str:
    """Return what kind of document a file says it is; empty when it does not."""
    found = next((m for line in lines if (m := _DOCUMENT.match(line))), None)
    return found[1] if found and found[1] in KINDS else ""


def shape_at(kind: str, path: tuple[str, ...]) -> Shape:
    """Return what may stand at the end of a path of keys."""
    if not kind:
        keys = {"document": "The kind of this document; always the first key."} if not path else {}
        return Shape(keys=keys, values=list(KINDS) if path == ("document",) else [])
    root = load_schema(kind)
    name, node = "", root
    for key in path:
        name, node = _step(root, name, node, key)
        if node is None:
            return Shape()
    while isinstance(inner := node.get("items"), dict) and name not in TEXTS:
        name, node = _resolve_reference(root, name, inner)
    keys = {
        key: str(_resolve_reference(root, "", value)[1].get("description", ""))
        for key, value in node.get("properties", {}).items()
    }
    values = [str(value) for value in node.get("enum", ())] + ([str(node["const"])] if "const" in node else [])
    if "boolean" in node.get("type", ()) and name not in TEXTS:
        values += ["true", "false"]
    return Shape(
        TEXTS.get(name) or AMOUNTS.get(str(node.get("x-says")), ""),
        keys,
        values,
        node.get("additionalProperties") not in (None, False),
    )


def _step(root: dict[str, Any], name: str, node: dict[str, Any], key: str) -> tuple[str, Any]:
    """Go to the value of a key; lists on the way are passed through."""
    inner = node.get("items")
    if isinstance(inner, dict) and "properties" not in node:
        name, node = _resolve_reference(root, name, inner)
    there = node.get("properties", {}).get(key)
    if there is None:
        there = node.get("additionalProperties")
    if there is True:
        return "expression", {}  # a fact of a piece; its kind says more
    return _resolve_reference(root, "", there) if isinstance(there, dict) else ("", None)


def _resolve_reference(root: dict[str, Any], name: str, node: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Follow a reference; what stands beside it counts before what it leads to."""
    while "$ref" in node:
        name = str(node["$ref"]).rpartition("/")[2]
        there = root.get("$defs", {}).get(name, {})
        node = {**there, **{key: value for key, value in node.items() if key != "$ref"}}
    return name, node
