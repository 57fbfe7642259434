"""The words in which values, and places in a document, are spoken of."""

from __future__ import annotations

import re
from typing import Any

from patolli.language.sources.nodes import Node, Sequence, plain

_WITHIN = re.compile(r"^\w+ in |\bfor \w+ in ")
_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def describe_expected(schema: Any) -> str:
    """Say what a schema asks for: its own words, or its types; empty if it says nothing."""
    if not isinstance(schema, dict):
        return ""
    examples = ", ".join(f"`{format_value(example)}`" for example in schema.get("examples", ())[:2])
    such = f" such as {examples}" if examples else ""
    if schema.get("x-says"):
        return f"{schema['x-says']}{such}"
    if schema.get("enum"):
        return "one of " + ", ".join(format_value(value) for value in schema["enum"])
    types = schema.get("type") or ()
    names = [_TYPES[name] for name in ([types] if isinstance(types, str) else types)]
    if names:
        return " or ".join(names) + such
    return f"written{such.replace('such as', 'like')}" if such else ""


def format_value(value: Any) -> str:
    """Write a value as it is written in YAML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(format_value, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {format_value(item)}" for key, item in value.items()) + "}"
    return "null" if value is None else str(value)


def describe_value(value: Any) -> str:
    """Say what kind of value was found, or the value itself when it is short."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, str):
        if "\n" in value:
            return f"a text of {len(value.splitlines())} lines" if "\n" in value.strip() else "a text with a line break"
        return repr(value) if len(value) <= 40 else "a longer text"
    return "a list" if isinstance(value, list) else "a mapping"


def hint(schema: Any, *, examples: bool = True) -> str:
    """Give the first sentence of what a schema says of itself, for a help line."""
    if not isinstance(schema, dict):
        return ""
    about = str(schema.get("description", "")).split(". ")[0].rstrip(". ")
    said = not examples or schema.get("x-says") or schema.get("type")
    given = () if said else schema.get("examples", ())
    such = f"such as `{format_value(given[0])}`" if given else ""
    return "; ".join(part for part in (about, such) if part)


def on_one_line(value: str) -> str:
    """Say what to write in place of a text that may have no line break; empty where one line does not say it."""
    line = " ".join(value.split())
    return f"write it on one line, without a line break: {line!r}" if 0 < len(line) <= 60 else "write it on one line"


def find_unquoted_expression(node: Node) -> str:
    """Recognize an expression such as ``[x in hand(me)]``, which YAML takes for a list of its own."""
    if isinstance(node, Sequence) and node.flow and any(_WITHIN.search(str(plain(item))) for item in node.items[:1]):
        return "a value that begins with [ is a list for YAML; put the whole value in quotes"
    return ""


def describe_path(path: tuple[str | int, ...]) -> str:
    """Name the value at *path*: ``copies`` of ``red_card``, entry 2 of ``cost``, or the document."""
    if not path:
        return "the document"
    last, before = path[-1], path[:-1]
    name = f"`{last}`" if isinstance(last, str) else f"entry {last + 1}"
    names = [step for step in before if isinstance(step, str)]
    if isinstance(last, str) and len(path) == 1:
        return name
    return f"{name} of `{names[-1]}`" if names else name


def place(path: tuple[str | int, ...]) -> str:
    """Name a collection at *path* as a place to stand in."""
    return describe_path(path[-1:]) if path and isinstance(path[-1], str) else describe_path(path)


def owner(path: tuple[str | int, ...], schema: dict[str, Any]) -> str:
    """Name a mapping by what its schema calls it, else by its place."""
    return str(schema.get("x-says") or place(path))
