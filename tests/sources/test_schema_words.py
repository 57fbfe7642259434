"""A document that does not fit its schema is reported once, in words of its author."""

from __future__ import annotations

from typing import Any

import pytest

from patolli.language.sources.documents import KINDS
from patolli.language.sources.nodes import Node
from patolli.language.sources.read import read_yaml
from patolli.language.sources.schema import check_schema, check_with, document_kind, make_validator, schema_dir

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["document"],
    "additionalProperties": False,
    "dependentRequired": {"last": ["first"]},
    "properties": {
        "document": {"const": "pieces"},
        "kind": {
            "type": "string",
            "pattern": "^[a-z_]+$",
            "x-says": "an id",
            "description": "The kind of all pieces. More of it.",
            "examples": ["card"],
        },
        "title": {"type": "string", "maxLength": 10, "minLength": 1},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$", "examples": ["1.0.0"]},
        "tags": {
            "type": "array",
            "items": {"type": "string"},
            "uniqueItems": True,
            "minItems": 1,
            "maxItems": 3,
        },
        "first": {"type": "integer"},
        "last": {"type": "integer"},
        "either": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "string"}]},
        "gone": False,
        "hidden": {"type": "boolean"},
        "level": {"type": "integer", "maximum": 9, "exclusiveMinimum": 0, "multipleOf": 3},
        "pieces": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$", "x-says": "an id in small letters"},
            "additionalProperties": {"$ref": "#/$defs/piece"},
        },
    },
    "$defs": {
        "piece": {
            "type": "object",
            "x-says": "a piece",
            "additionalProperties": False,
            "required": ["effect"],
            "properties": {
                "copies": {"type": "integer", "minimum": 1},
                "effect": {"type": ["string", "array"], "description": "What it does."},
                "cost": {"type": "string", "x-says": "a cost", "examples": ["1 coin"]},
                "size": {"$ref": "#/$defs/number", "description": "How large it is.", "examples": [4]},
                "type": {"enum": ["pile", "row", "area"]},
            },
            "if": {"properties": {"type": {"const": "row"}}, "required": ["type"]},
            "then": {"required": ["cost"], "properties": {"cost": {"maxLength": 6}}},
        },
        "number": {"type": "integer", "x-says": "a number", "description": "Any.", "examples": [1]},
    },
}
VALIDATOR = make_validator(SCHEMA)
HEAD = "document: pieces\n"
PIECE = HEAD + "pieces:\n  mask: "


def tree(text: str) -> Node:
    root, problems = read_yaml(text, "x.yaml")
    assert problems == []
    assert root is not None
    return root


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD + "kind: card\ntitle: Cards\nversion: 1.0.0\ntags: [a, b]\nfirst: 1\nlast: 2\neither: x\nlevel: 3\n",
        PIECE + "{effect: x, copies: 2, cost: 1 coin, type: pile}\n",
        PIECE + "{effect: [], cost: 1 card, type: row}\n",
    ],
)
def test_accepted(text: str) -> None:
    assert check_with(tree(text), VALIDATOR) == []


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message", "help"),
    [
        pytest.param(
            PIECE + "{effect: x, copies: [1]}",
            *("P0052", 3, 29, "`copies` of `mask` must be a whole number, found a list", ""),
            id="list for a number",
        ),
        pytest.param(
            PIECE + "{effect: x, copies: many}",
            *("P0052", 3, 29, "`copies` of `mask` must be a whole number, found 'many'", ""),
            id="text for a number",
        ),
        pytest.param(
            PIECE + "{efect: x}",
            *("P0050", 3, 10, "unknown key 'efect' in a piece", "did you mean 'effect'?"),
            id="misspelt key is not missing too",
        ),
        pytest.param(
            PIECE + "{effect: x, xyz: 1}",
            *("P0050", 3, 21, "unknown key 'xyz' in a piece", "known here: copies, cost, size, type"),
            id="unknown key",
        ),
        pytest.param(
            PIECE + "{}",
            *("P0051", 3, 3, "the key 'effect' is missing in a piece", "What it does"),
            id="missing key",
        ),
        pytest.param(
            PIECE + "{effect: x, cost: 5}",
            *("P0052", 3, 27, "`cost` of `mask` must be a cost such as `1 coin`, found the number 5", ""),
            id="words of the schema",
        ),
        pytest.param(
            PIECE + "{effect: x, type: pil}",
            *("P0053", 3, 27, "`type` of `mask` must be one of pile, row, area, found 'pil'"),
            "did you mean 'pile'?",
            id="misspelt choice",
        ),
        pytest.param(
            PIECE + "{effect: x, type: [pile]}",
            *("P0053", 3, 27, "`type` of `mask` must be one of pile, row, area, found a list", ""),
            id="list for a choice",
        ),
        pytest.param(
            PIECE + "{effect: x, copies: 0}",
            *("P0054", 3, 29, "`copies` of `mask` must be at least 1, found 0", ""),
            id="small number",
        ),
        pytest.param(
            PIECE + "{effect: x, type: row, cost: 100 coin}",
            *("P0055", 3, 38, "`cost` of `mask` may have 6 characters at most, has 8", ""),
            id="branch of a schema",
        ),
        pytest.param(
            PIECE + "{effect: x, type: row}",
            *("P0051", 3, 3, "the key 'cost' is missing in a piece", ""),
            id="missing key of a branch",
        ),
        pytest.param(
            PIECE + "{effect: x, size: big}",
            *(
                "P0052",
                3,
                27,
                "`size` of `mask` must be a number such as `4`, found 'big'",
                "How large it is",
            ),
            id="words beside a reference",
        ),
        pytest.param(
            PIECE + "5",
            *("P0052", 3, 9, "`mask` of `pieces` must be a piece, found the number 5", ""),
            id="no piece",
        ),
        pytest.param(
            HEAD + "pieces:\n  Red Mask: {effect: x}",
            *("P0057", 3, 3, "the key 'Red Mask' must be an id in small letters", "write 'red_mask'"),
            id="form of a key",
        ),
        pytest.param(
            HEAD + "kind: Card",
            *("P0055", 2, 7, "`kind` must be an id such as `card`, found 'Card'", "The kind of all pieces"),
            id="form with words of the schema",
        ),
        pytest.param(
            HEAD + "version: one",
            *("P0055", 2, 10, "`version` must be written like `1.0.0`, found 'one'", ""),
            id="form with an example",
        ),
        pytest.param(
            HEAD + "title: 1848",
            *(
                "P0052",
                2,
                8,
                "`title` must be text, found the number 1848",
                "if text is meant, put it in quotes",
            ),
            id="number for text",
        ),
        pytest.param(HEAD + "title: ''", "P0055", 2, 8, "`title` may not be empty", "", id="empty text"),
        pytest.param(
            HEAD + "title: abcdefghijk",
            *("P0055", 2, 8, "`title` may have 10 characters at most, has 11", ""),
            id="long text",
        ),
        pytest.param(
            HEAD + "title:",
            *("P0052", 2, 7, "`title` must be text, found nothing", ""),
            id="nothing for text",
        ),
        pytest.param(HEAD + "tags: []", "P0056", 2, 7, "`tags` may not be empty", "", id="empty list"),
        pytest.param(
            HEAD + "tags: [a, b, c, d]",
            *("P0056", 2, 7, "`tags` may have at most 3 entries, has 4", ""),
            id="long list",
        ),
        pytest.param(HEAD + "tags: [a, b, a]", "P0056", 2, 14, "`tags` has 'a' twice", "keep one of them", id="twice"),
        pytest.param(
            HEAD + "tags: [a, 1]",
            *("P0052", 2, 11, "entry 2 of `tags` must be text, found the number 1"),
            "if text is meant, put it in quotes",
            id="entry of a list",
        ),
        pytest.param(
            HEAD + "last: 1",
            "P0051",
            2,
            1,
            "the key 'last' needs the key 'first' beside it",
            "",
            id="companion",
        ),
        pytest.param(
            HEAD + "either: 1",
            "P0054",
            2,
            9,
            "`either` must be at least 3, found 1",
            "",
            id="branch that fits",
        ),
        pytest.param(
            HEAD + "either: []",
            *("P0052", 2, 9, "`either` must be a whole number or text, found a list", ""),
            id="no branch fits",
        ),
        pytest.param(HEAD + "level: 12", "P0054", 2, 8, "`level` must be at most 9, found 12", "", id="large number"),
        pytest.param(HEAD + "level: 0", "P0054", 2, 8, "`level` must be more than 0, found 0", "", id="too small"),
        pytest.param(HEAD + "level: 4", "P0054", 2, 8, "`level` must be a multiple of 3, found 4", "", id="multiple"),
        pytest.param(
            HEAD + "hidden: 1",
            "P0052",
            2,
            9,
            "`hidden` must be true or false, found the number 1",
            "",
            id="truth",
        ),
        pytest.param(
            HEAD + "gone: 1",
            "P0058",
            2,
            1,
            "the key 'gone' is not allowed in the document",
            "",
            id="forbidden",
        ),
        pytest.param("kind: card", "P0051", 1, 1, "the key 'document' is missing in the document", "", id="at the top"),
        pytest.param("[1]", "P0052", 1, 1, "the document must be a mapping, found a list", "", id="no mapping"),
    ],
)
def test_refused(text: str, code: str, line: int, column: int, message: str, help: str) -> None:
    (problem,) = check_with(tree(text + "\n"), VALIDATOR)

    assert (problem.code, problem.message, problem.help) == (code, message, help)
    assert (problem.span.line, problem.span.column) == (line, column)


def test_all_mistakes_are_found_in_order() -> None:
    text = HEAD + "knd: x\npieces:\n  a: {copies: [1], efect: y, cost: 5}\n  b: {effect: 5, type: pil}\n  Ba d: {}\n"
    found = [(problem.span.line, problem.code) for problem in check_with(tree(text), VALIDATOR)]

    assert found == [
        (2, "P0050"),
        (4, "P0052"),
        (4, "P0050"),
        (4, "P0052"),
        (5, "P0052"),
        (5, "P0053"),
        (6, "P0051"),
        (6, "P0057"),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_known(kind: str) -> None:
    assert document_kind(tree(f"document: {kind}")) == (kind, [])


@pytest.mark.parametrize(
    ("text", "line", "column", "help"),
    [
        pytest.param("document: modle", 1, 11, "did you mean 'model'?", id="misspelt kind"),
        pytest.param("documnt: model", 1, 1, "did you mean 'document'?", id="misspelt key"),
        pytest.param("a: 1", 1, 1, "begin with the kind of document", id="no kind"),
        pytest.param("[a]", 1, 1, "begin with the kind of document", id="no mapping"),
        pytest.param("document: [a]", 1, 11, "begin with the kind of document", id="kind is a list"),
    ],
)
def test_kind_is_refused(text: str, line: int, column: int, help: str) -> None:
    kind, (problem,) = document_kind(tree(text))

    assert kind is None
    assert problem.code == "P0059"
    assert (problem.span.line, problem.span.column) == (line, column)
    assert problem.help.startswith(help)


def test_schemas_are_found_in_a_checkout() -> None:
    assert schema_dir().name in ("schemas", "_schemas")
    assert schema_dir().is_dir()


TREES: dict[str, Any] = {
    "$defs": {
        "tree": {
            "type": "object",
            "description": "A tree.",
            "additionalProperties": False,
            "properties": {
                "left": {"$ref": "#/$defs/tree", "description": "The left tree."},
                "right": {"$ref": "#/$defs/pair"},
                "size": {"type": "integer"},
            },
        },
        "pair": {"type": "object", "properties": {"both": {"$ref": "#/$defs/tree"}}},
    },
    "$ref": "#/$defs/tree",
}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("size: 1\n", None),
        ("size: x\n", 1),
        ("left:\n  left:\n    left:\n      size: 2\n", None),
        ("left:\n  left:\n    left:\n      size: x\n", 4),
        ("left:\n  right:\n    both:\n      left:\n        right:\n          both: {size: x}\n", 6),
        ("right:\n  both:\n    right:\n      both:\n        sise: 1\n", 5),
    ],
)
def test_a_part_that_holds_itself_is_checked_all_the_way_down(text: str, line: int | None) -> None:
    tree, _ = read_yaml(text, "tree.yaml")
    assert tree is not None
    assert [problem.span.line for problem in check_with(tree, make_validator(TREES))] == ([line] if line else [])


def test_a_description_beside_a_reference_wins() -> None:
    tree, _ = read_yaml("left: 3\n", "tree.yaml")
    assert tree is not None
    (problem,) = check_with(tree, make_validator(TREES))
    assert "left tree" in f"{problem.message} {problem.help}".lower()


@pytest.mark.parametrize(
    ("trigger", "told"),
    [
        pytest.param("when: coin > 1", ["P0051 the key 'after' or 'before' or 'instead' is missing in a trigger"], id="none of three"),
        pytest.param("insted: match", ["P0050 unknown key 'insted' in a trigger"], id="the last one misspelt"),
        pytest.param("befor: match", ["P0050 unknown key 'befor' in a trigger"], id="the second one misspelt"),
    ],
)  # fmt: skip
def test_one_of_several_keys(trigger, told):
    root, _ = read_yaml(f"document: rules\ntriggers:\n  one:\n    {trigger}\n    do: gain 1 coin\n", "rules.yaml")

    assert root is not None
    assert [f"{problem.code} {problem.message}" for problem in check_schema(root, "rules")] == told
