"""The examples of the pages about the language follow the grammar."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from patolli.language.program.builtins import BUILTINS
from patolli.language.sources import Mapping, Scalar, Sequence, read_yaml
from patolli.language.syntax.parser import parse_cost, parse_effect, parse_expression, parse_signature
from patolli.language.syntax.words import NEWEST, QUANTIFIERS, STATEMENTS

DOCS = Path(__file__).parents[2] / "docs"
LANGUAGE = [page.read_text("utf-8") for page in sorted((DOCS / "language").glob("*.md"))]
BLOCKS = [block for page in LANGUAGE for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
EFFECTS = {"do", "effect", "reward", "given", "call"}
EXPRESSIONS = {"when", "is", "by", "value", "always", "score", "active", "greedy"}
COSTS = {"cost", "give"}


def _texts(node, key=""):
    """Yield every small text of a block with what it is."""
    if isinstance(node, Scalar):
        kind = "effect" if key in EFFECTS else "expression" if key in EXPRESSIONS else "cost" if key in COSTS else ""
        if kind and node.value != "none" and not node.value.startswith(("effect", "cost")):
            yield kind, node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item, key)
    elif isinstance(node, Mapping):
        for name, (word, value) in node.items.items():
            if key == "functions" and isinstance(value, Scalar):
                yield "signature", word
                yield "expression", value
            elif key == "rules" and isinstance(value, Mapping):
                yield "signature", word
                yield from _texts(value, name)
            elif key == "steps":
                yield "effect", value
            else:
                yield from _texts(value, name)


PARSERS = {"effect": parse_effect, "expression": parse_expression, "cost": parse_cost, "signature": parse_signature}


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_example_is_grammatical(number):
    tree, problems = read_yaml(BLOCKS[number], "example.yaml", language=NEWEST)
    assert not problems
    for kind, scalar in _texts(tree):
        _, problems = PARSERS[kind](scalar)
        assert not problems, f"{scalar.value}: {problems[0].message} ({problems[0].help})"


def test_there_are_short_pages():
    assert len(LANGUAGE) == 11
    assert all(len(page.split()) < 1200 for page in LANGUAGE)


def test_pages_name_all_that_the_language_has():
    page = " ".join(LANGUAGE)
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"```.*?```|`[^`]+`", page, re.DOTALL))))
    for document in ("pack", "model", "pieces", "rules"):
        schema = json.loads((DOCS.parent / "schemas" / f"{document}.json").read_text("utf-8"))
        keys = {key for part in (schema, *schema["$defs"].values()) for key in part.get("properties", ())}
        assert keys - named == set(), document
    assert {*BUILTINS, *QUANTIFIERS, *STATEMENTS} - named == set()


GUIDES = sorted(page for page in (DOCS / "how-to").glob("*.md") if page.stem != "run-in-ci")  # no content on that one


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_guide_shows_grammatical_content(page):
    for indent, block in re.findall(r"^( *)```yaml\n(.*?)^ *```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        tree, problems = read_yaml(re.sub(f"^{indent}", "", block, flags=re.MULTILINE), "example.yaml")
        assert not problems
        for kind, scalar in _texts(tree):
            _, problems = PARSERS[kind](scalar)
            assert not problems, f"{scalar.value}: {problems[0].message} ({problems[0].help})"
