"""What of the language a pack uses, and all that there is to use: nodes, variants of nodes, built-ins, keys.

Nothing here is listed by hand but what has no name of its own: both lists are taken from the tree, the register of
built-ins and the schemas, so that what is added to the language is missing here until it is generated.
"""

from __future__ import annotations

import dataclasses
import json
import re
import types
import typing
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from patolli.language.diagnostics import Span
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import QUANTIFIERS, parse_cost, parse_effect, parse_expression
from patolli.language.syntax.words import NEWEST
from randompacks.engine import builtin_names
from randompacks.packs import Pack

SCHEMAS = Path(__file__).resolve().parent.parent.parent / "schemas"
OPERATORS = {
    "Binary": ("+", "-", "*", "div", "mod"),
    "Logic": ("and", "or"),
    "Compare": ("==", "!=", "<", "<=", ">", ">=", "in", "not in"),
}
PROSE = frozenset(
    "document text source title authors phrase noun told id version language label conflicts optional provides switch "
    "components when_active name heading cause category homepage license changelog order renamed removed to since "
    "targets minutes weight cover panel moves".split()
)
"""Keys that change nothing in what the rules do, or in how packs are put together."""
PARTS = frozenset({"at", "type", "note"})
EFFECTS, COSTS = frozenset({"do", "act", "acts"}), frozenset({"give", "price"})
WORDS = frozenset(
    "type for less on of per visible kind document label id version language title default range text spend "
    "replace remove extend adjust before after instead offer requires map".split()
)
"""Keys whose texts are neither effects nor expressions."""


# ---- all that there is


@cache
def wanted() -> frozenset[str]:
    """Return everything that some pack has to use."""
    found = {feature for cls in _classes() for feature in _variants(cls)}
    found |= {f"{name} {op}" for name, ops in OPERATORS.items() for op in ops}
    found |= {f"built-in {name}" for name in builtin_names()}
    found |= {f"quantifier {name}" for name in QUANTIFIERS - {"only"}}  # few lists made at random surely have one item
    found |= {feature for name in ("pack", "model", "pieces", "rules", "patch") for feature in _keys(name)}
    return frozenset(found | {*ODD_NODES, *ODD_TEXTS})


def _classes() -> list[type]:
    found = [value for value in vars(t).values() if isinstance(value, type) and issubclass(value, t.Node)]
    return [c for c in found if c not in (t.Node, t.Expr, t.Effect, t.Mark)]


@cache
def _variants(cls: type) -> tuple[str, ...]:
    """Return the class, and both ways of each of its parts that may be left out, or is true or false."""
    hints = typing.get_type_hints(cls)
    found = [cls.__name__]
    for field in dataclasses.fields(cls):
        if field.name not in PARTS and _two(hints[field.name]):
            found += [f"{cls.__name__}.{field.name}", f"{cls.__name__} without {field.name}"]
    return tuple(found)


def _two(hint: object) -> bool:
    """Return whether a value may be there or not."""
    return hint is bool or (isinstance(hint, types.UnionType) and type(None) in typing.get_args(hint))


@cache
def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    return found


def _keys(name: str) -> Iterator[str]:
    """Yield the keys of a kind of document, and the words that a key may have."""
    schema = _schema(name)
    for where, part in ((name, schema), *schema["$defs"].items()):
        for key, value in part.get("properties", {}).items():
            if key not in PROSE:
                yield f"{where}: {key}"
                yield from (f"{where}: {key} {word}" for word in value.get("enum", ()))


# ---- what no name stands for

ODD_NODES: dict[str, Callable[[t.Node], bool]] = {
    "lists put together": lambda one: (
        isinstance(one, t.Binary) and one.op == "+" and _list(one.left) and _list(one.right)
    ),
    "empty list": lambda one: isinstance(one, t.Listing) and not one.items,
    "several variables without for": lambda one: (
        isinstance(one, t.Quantifier) and len(one.binders) > 1 and one.value is None
    ),
    "or behind a number": lambda one: (
        isinstance(one, t.Logic)
        and one.op == "or"
        and _number(one.left)
        and isinstance(one.right, t.Number | t.Negative)
    ),
    "step that is called": lambda one: isinstance(one, t.CallRule) and "/" in one.call.id,
    "set to what a rule returns": lambda one: (
        isinstance(one, t.SetTo) and isinstance(one.value, t.Call) and one.value.id.startswith("rule_")
    ),
    "noun of a counter": lambda one: isinstance(one, t.Item) and one.thing in ("point", "points"),
}
"""Uses of a node that are constructs of their own."""
ODD_TEXTS = {
    "list of list": r"list of list of",
    "grid rows by an expression": r"rows: [a-z]",
    "designs": r"card_design",
    "facts that are formulas": r"type: formula",
    "after gain": r"after: gain ",
    "after move": r"after: move \w+ to ",
    "after move from": r"after: move \w+ from ",
    "payment by its number": r"on: \[?\w+/[0-9]",
    "payment by its step": r"on: \[?\w+/[a-z]",
    "several active": r"(?m)^active: (players|others|\[)",
    "lines that go on": r"(?m)^ *[^\n#\"']*\([^()\n\"']*\n",
}
"""Constructs that stand in a document, and how they look there."""


def _list(expr: t.Expr) -> bool:
    """Return by its form whether an expression is a list."""
    return (
        isinstance(expr, t.Listing | t.SpanOf)
        or (isinstance(expr, t.Quantifier) and expr.id in ("list", "sorted", "distinct", "until", "through"))
        or (isinstance(expr, t.Call) and expr.id in ("others", "turn_order", "take", "reverse", "rotate", "hand"))
        or (isinstance(expr, t.Name) and expr.id in ("players", "deck"))
    )


def _number(expr: t.Expr) -> bool:
    """Return by its form whether an expression is a number that may be none, or one of a list that may be empty."""
    return isinstance(expr, t.Call | t.Quantifier) and expr.id in ("distance", "max", "min", "sum", "first")


# ---- what a pack uses


def used(pack: Pack) -> set[str]:
    """Return what a pack uses."""
    found: set[str] = set()
    for path, text in pack.files.items():
        found.update(name for name, form in ODD_TEXTS.items() if re.search(form, text))
        document = YAML(typ="safe", pure=True).load(text)
        schema = _schema(document["document"])
        found.update(_of_keys(document["document"], schema, document, schema))
        for node in _nodes(document, path):
            found.update(_of_node(node))
    return found


def _of_keys(where: str, part: dict[str, Any], value: Any, schema: dict[str, Any]) -> Iterator[str]:
    if "$ref" in part:
        where = part["$ref"].rpartition("/")[2]
        part = {**schema["$defs"][where], **{k: v for k, v in part.items() if k != "$ref"}}
    if isinstance(value, dict):
        for key, inner in value.items():
            below = part.get("properties", {}).get(str(key))
            if below is not None:
                yield f"{where}: {key}"
                yield from [f"{where}: {key} {inner}"] if isinstance(inner, str) and "enum" in below else []
                yield from _of_keys(where, below, inner, schema)
            elif isinstance(part.get("additionalProperties"), dict):
                yield from _of_keys(where, part["additionalProperties"], inner, schema)
    for item in value if isinstance(value, list) else ():
        yield from _of_keys(where, part.get("items", {}), item, schema)


def _nodes(document: Any, path: str) -> Iterator[t.Node]:
    """Yield the trees of all small texts of a document."""
    for key, text in _texts(document, ""):
        place = t.FixedText(Span(path, 1, 1, 1, 1), text, NEWEST)
        parse: Any = parse_effect if key in EFFECTS else parse_cost if key in COSTS else parse_expression
        tree = parse(place)[0]
        yield from _inside(tree)


def _texts(value: Any, key: str, above: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            effect = (key == "rules" and isinstance(inner, str)) or key == "steps"
            yield from _texts(inner, "do" if effect else str(name), key)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, key, above)
    elif isinstance(value, str) and key not in WORDS and above not in ("fields", "enums", "shapes"):
        yield key, value


def _inside(value: Any) -> Iterator[t.Node]:
    if isinstance(value, t.Node):
        yield value
        for field in dataclasses.fields(value):
            if field.name not in PARTS:
                yield from _inside(getattr(value, field.name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _inside(item)


def _of_node(node: t.Node) -> Iterator[str]:
    name = type(node).__name__
    yield name
    yield from (odd for odd, is_so in ODD_NODES.items() if is_so(node))
    for feature in _variants(type(node))[1:]:
        part = feature.rpartition(" ")[2].rpartition(".")[2]
        there = getattr(node, part) is not None and getattr(node, part) is not False
        if there == ("." in feature):
            yield feature
    if isinstance(node, t.Binary | t.Logic):
        yield f"{name} {node.op}"
    elif isinstance(node, t.Compare):
        yield from (f"{name} {op}" for op, _ in node.rest)
    elif isinstance(node, t.Quantifier):
        yield f"quantifier {node.id}"
    elif isinstance(node, t.Call) and node.id in builtin_names():
        yield f"built-in {node.id}"
