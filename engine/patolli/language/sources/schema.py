"""Check a document against the JSON Schema of its kind.

In:     the tree of a file; schemas from ``schemas/``, one per kind.
Out:    problems, one per mistake, each at the node that is wrong.
Errors: P0050 to P0059, see ``patolli explain``.

The schemas are the same that editors use for completion. What jsonschema
finds is said again in the author's words by ``failures``.

Not done here: what the texts inside a document mean, and whether the names in
it exist.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import patolli
from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Problem
from patolli.language.diagnostics.suggest import nearest
from patolli.language.sources.documents import KINDS
from patolli.language.sources.folders import IGNORE
from patolli.language.sources.nodes import Mapping, Node, Scalar, plain
from patolli.language.sources.words import DOUBTS

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MOST = 1_000
"""Errors of one document that are looked at; who makes more has a larger problem."""


def schema_dir() -> Path:
    """Find the folder of the schemas: inside the installed package, or beside ``engine/`` in a checkout."""
    package = Path(patolli.__file__).parent
    installed = package / "_schemas"
    return installed if installed.is_dir() else package.parents[1] / "schemas"


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Read the schema of a kind; treat it as frozen. Raises OSError: there is no such schema."""
    schema: dict[str, Any] = json.loads((schema_dir() / f"{name}.json").read_text("utf-8"))
    return schema


def make_validator(schema: dict[str, Any]) -> Validator:
    """Make a validator for *schema*; one it refers to is found in ``schema_dir()`` by name."""
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    def retrieve(uri: str) -> Resource[Any]:
        return Resource.from_contents(load_schema(uri.rsplit("/", 1)[-1].removesuffix(".json")))

    return Draft202012Validator(_spread(schema), registry=Registry(retrieve=retrieve))  # type: ignore[call-arg]


def _spread(schema: dict[str, Any]) -> dict[str, Any]:
    """Put in the place of each reference into the schema itself what it refers to.

    jsonschema looks a reference up each time that it meets it; that was a third of a check. What stands beside a
    reference (a description of its own) wins over what it refers to. A part that holds itself keeps that reference.

    A pattern ends where the text ends, as JSON Schema says; for Python, ``$`` also stands before a last line break.
    """
    defs: dict[str, Any] = schema.get("$defs", {})
    done: dict[str, Any] = {}

    def definition(name: str) -> dict[str, Any]:
        if name not in done:
            done[name] = {"$ref": f"#/$defs/{name}"}
            done[name] = spread(defs[name])
        found: dict[str, Any] = done[name]
        return found

    def spread(node: Any) -> Any:
        if isinstance(node, list):
            return [spread(item) for item in node]
        if not isinstance(node, dict):
            return node
        name = str(node.get("$ref", "")).removeprefix("#/$defs/")
        if name in defs:
            return {**definition(name), **{key: value for key, value in node.items() if key != "$ref"}}
        return {key: anchor_pattern(value) if key == "pattern" else spread(value) for key, value in node.items()}

    def anchor_pattern(pattern: Any) -> Any:
        if not isinstance(pattern, str):  # a key of this name
            return spread(pattern)
        return pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern

    result: dict[str, Any] = spread(schema)
    return result


@cache
def _validator(name: str) -> Validator:
    return make_validator(load_schema(name))


@cache
def prose_keys() -> frozenset[str]:
    """Return the keys whose values are words for people in every document, as the schemas declare them."""
    prose = {"#/$defs/text", "#/$defs/line", "#/$defs/source"}
    found: set[str] = set()
    open_: list[Any] = [load_schema(file.stem) for file in schema_dir().glob("*.json")]
    while open_:
        node = open_.pop()
        if isinstance(node, dict):
            keys = node.get("properties", {})
            found |= {key for key, value in keys.items() if isinstance(value, dict) and value.get("$ref") in prose}
            open_ += node.values()
        elif isinstance(node, list):
            open_ += node
    return frozenset(found)


UNRELATED = f"a file that is not part of the pack is listed in {IGNORE!r}"


def document_kind(node: Node) -> tuple[str | None, list[Problem]]:
    """Find out what a document says it is.

    Returns:
        One of ``KINDS``, or ``None`` with a problem P0059.
    """
    help = f"begin with the kind of document: {', '.join(f'`{kind}`' for kind in KINDS)}"
    if not isinstance(node, Mapping):
        message = "the file must begin with the key `document`"
        return None, [Problem("P0059", message, node.span, f"{help}; {UNRELATED}")]
    kind = node.get("document")
    if kind is None:
        keys = {key.value: key for key, _ in node.items.values()}
        near = nearest("document", keys)
        key = keys[near] if near else next(iter(keys.values()), node)
        help = "did you mean 'document'?" if near else f"{help}; {UNRELATED}"
        fixes = instead(key.span, "document") if near else ()
        return None, [Problem("P0059", "the key `document` is missing", key.span, help, fixes=fixes)]
    if not isinstance(kind, Scalar) or kind.value not in KINDS:
        name = kind.value if isinstance(kind, Scalar) else ""
        message = f"there is no kind of document {name!r}" if name else "`document` must name a kind of document"
        near = nearest(name, KINDS)
        help = f"did you mean {near!r}?" if near else help
        return None, [Problem("P0059", message, kind.span, help, fixes=instead(kind.span, near))]
    return kind.value, []


def check_schema(node: Node, schema_name: str) -> list[Problem]:
    """Check a tree against the schema of a kind.

    Args:
        node: The root of a document.
        schema_name: One of ``KINDS``.

    Returns:
        One problem per mistake, in the order of the file; empty when all is well.
    """
    return check_with(node, _validator(schema_name))


def without_repetition(read: list[Problem], shapes: list[Problem]) -> tuple[list[Problem], list[Problem]]:
    """Join what reading and a schema say of one and the same value: what it must be is the help for what is odd."""
    at = {(p.span.line, p.span.column): p.message.partition(", found")[0] for p in shapes}
    joined = []
    for problem in read:
        must = at.get((problem.span.line, problem.span.column))
        clear = problem.code in {doubt.code for doubt in DOUBTS}
        if must and clear:  # it shall be no text, so quotes would not help
            fixes = tuple(fix for fix in problem.fixes if not fix.edits[0].text.startswith('"'))
            problem = replace(problem, help=must, fixes=fixes)
        joined.append(problem)
    reported = {(p.span.line, p.span.column) for p in read}
    return joined, [p for p in shapes if (p.span.line, p.span.column) not in reported]


def check_with(node: Node, validator: Validator) -> list[Problem]:
    """Check a tree with a validator; otherwise like ``check_schema``."""
    errors = list(islice(validator.iter_errors(plain(node)), MOST))
    if not errors:
        return []
    from patolli.language.sources.failures import explain_failures

    rules = validator.schema
    return explain_failures(errors, node, {} if isinstance(rules, bool) else dict(rules))
