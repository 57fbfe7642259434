"""The schemas are sound, explain themselves, and fit the shipped content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from patolli.language.sources import read_yaml
from patolli.language.sources.documents import KINDS
from patolli.language.sources.schema import check_schema, document_kind

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = {kind: json.loads((ROOT / "schemas" / f"{kind}.json").read_text(encoding="utf-8")) for kind in KINDS}
FILES = sorted((ROOT / "content").rglob("*.yaml"))


def nodes(schema, path=()) -> Iterator[tuple[str, dict]]:
    """Every schema that describes a value: the definitions, and what stands under ``properties``."""
    for key in ("properties", "$defs"):
        for name, inner in schema.get(key, {}).items():
            if isinstance(inner, dict):
                yield "/".join((*path, name)), inner
                yield from nodes(inner, (*path, name))


CASES = [(kind, name, node) for kind, schema in SCHEMAS.items() for name, node in nodes(schema)]


@pytest.mark.parametrize("kind", KINDS)
def test_schema_stands_alone(kind):
    schema = SCHEMAS[kind]
    Draft202012Validator.check_schema(schema)

    assert schema["$id"].endswith(f":{kind}")
    assert schema["properties"]["document"]["const"] == kind
    assert schema["title"]
    assert schema["description"]
    assert '"$ref": "http' not in json.dumps(schema)


@pytest.mark.parametrize("kind", KINDS)
def test_every_property_is_explained(kind):
    bare = [name for k, name, node in CASES if k == kind and not (node.get("description") and node.get("examples"))]

    assert bare == []


@pytest.mark.parametrize("kind", KINDS)
def test_examples_fit(kind):
    wrong = []
    for k, name, node in CASES:
        validator = Draft202012Validator({**node, "$defs": SCHEMAS[kind].get("$defs", {})})
        for example in node["examples"] if k == kind else ():
            # Keys are texts in YAML, as the engine reads it.
            wrong += [f"{name}: {error.message}" for error in validator.iter_errors(json.loads(json.dumps(example)))]

    assert wrong == []


def test_content_fits(subtests):
    for path in FILES:
        with subtests.test(str(path)):
            tree, problems = read_yaml(path.read_text(encoding="utf-8"), str(path))
            kind, more = document_kind(tree)

            assert [*problems, *more, *check_schema(tree, kind)] == []


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param(
            "document: pack\nid: Demo\nversion: 1.0.0\nlanguage: 1\ntitle: Demo\n",
            "P0055",
            2,
            id="id in capitals",
        ),
        pytest.param("document: pack\nid: demo\nlanguage: 1\ntitle: Demo\n", "P0051", 1, id="version missing"),
        pytest.param(
            "document: pack\nid: demo\nversion: 1.0.0\nlanguage: 4\ntitle: Demo\n",
            "P0053",
            4,
            id="unknown language",
        ),
        pytest.param("document: model\ncounters:\n  coin: {pre: player}\n", "P0050", 3, id="misspelt key"),
        pytest.param(
            "document: model\nplaces:\n  hand: {of: card, type: bag}\n",
            "P0053",
            3,
            id="unknown type of place",
        ),
        pytest.param("document: model\nplaces:\n  offer: {of: card, type: row}\n", "P0051", 3, id="row without size"),
        pytest.param("document: model\ngrids:\n  cell: {rows: 3}\n", "P0051", 3, id="grid without columns"),
        pytest.param("document: pieces\nkind: card\npieces: [red]\n", "P0052", 3, id="pieces in a list"),
        pytest.param("document: rules\nrules:\n  earn(): {text: Earn.}\n", "P0051", 3, id="rule without effect"),
        pytest.param(
            "document: rules\nrules:\n  earn(): {do: nothing, steps: {a: nothing}}\n",
            "P0058",
            3,
            id="do and steps",
        ),
        pytest.param(
            "document: rules\ntriggers:\n  t: {after: a, before: b, do: nothing}\n",
            "P0058",
            3,
            id="after and before",
        ),
        pytest.param("document: patch\nchange:\n  - {replace: rules/earn}\n", "P0051", 3, id="replace without with"),
        pytest.param(
            "document: patch\nchange:\n  - {replace: earn, with: 1}\n",
            "P0055",
            3,
            id="target without section",
        ),
    ],
)
def test_mistake_is_found(text, code, line):
    tree, problems = read_yaml(text, "x.yaml")
    kind, _ = document_kind(tree)
    found = [*problems, *check_schema(tree, kind)]

    assert [(problem.code, problem.span.line) for problem in found] == [(code, line)]


def test_words_for_what_is_expected_leave_examples_to_the_examples():
    assert [f"{kind}: {name}" for kind, name, node in CASES if "such as" in node.get("x-says", "")] == []
