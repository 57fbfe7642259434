"""The quick answer whether a document is valid is never yes where jsonschema finds something."""

from __future__ import annotations

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tiers import few

from patolli.language.sources import plain, read_yaml
from patolli.language.sources.schema import KINDS, _valid, _validator
from patolli.language.sources.validity import validity

CONTENT = Path(__file__).parents[2] / "content"
ODD: tuple[Any, ...] = ("", "x", "Two Words", 0, 1, -1, 10**6, True, None, [], ["a", "a"], [1], {}, {"a": 1}, [[], {}])


SELECTIONS: tuple[dict[str, Any], ...] = (
    {"document": "selection", "pack": "game"},
    {"document": "selection", "pack": "game==1.2.0", "modules": ["one", "two<2"], "order": ["two", "one"]},
    {"document": "selection", "pack": "game", "modules": ["one"], "options": {"length": "long", "bonus": 2}},
)
"""Files of players; no pack has one."""


def documents() -> list[tuple[str, Any]]:
    trees = [read_yaml(path.read_text(), str(path))[0] for path in sorted(CONTENT.rglob("*.yaml"))]
    found = [plain(tree) for tree in trees if tree is not None]
    return [(data["document"], data) for data in (*found, *SELECTIONS) if isinstance(data, dict)]


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container of some data with a key in it."""
    found: list[tuple[Any, Any]] = []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, inner in items:
        found += [(data, key), *places(inner)]
    return found


def damaged(data: Any, chance: random.Random) -> Any:
    """Return data with one or two values changed, left out, or put under another key."""
    made = deepcopy(data)
    for _ in range(chance.randint(1, 2)):
        holder, key = chance.choice(places(made))
        match chance.randrange(4):
            case 0:
                holder[key] = deepcopy(chance.choice(ODD))
            case 1:
                del holder[key]
            case 2:
                holder[key] = deepcopy(chance.choice(places(data))[0])
            case 3 if isinstance(holder, dict):
                other = chance.choice(places(data))
                holder[str(other[1])] = deepcopy(other[0][other[1]])
        if not places(made):
            return made
    return made


def test_all_content_is_valid_at_a_glance() -> None:
    found = documents()
    assert {kind for kind, _ in found} == set(KINDS)
    assert [kind for kind, data in found if not _valid(kind)(data)] == []


@pytest.mark.parametrize("kind", few(KINDS, 0))
def test_both_say_the_same_of_damaged_documents(kind: str) -> None:
    chance = random.Random(kind)
    all_ = [data for own, data in documents() if own == kind]
    small = sorted(all_, key=lambda data: len(str(data)))[: max(3, len(all_) // 2)]
    yes = no = 0
    for _ in range(150):
        data = damaged(chance.choice(small), chance)
        quick, slow = _valid(kind)(data), _validator(kind).is_valid(data)
        assert not quick or slow, data
        yes, no = yes + quick, no + (not slow)
    assert yes > 10
    assert no > 10


@pytest.mark.parametrize(
    ("schema", "data", "answer"),
    [
        pytest.param({"enum": [1]}, True, False, id="one is not true"),
        pytest.param({"type": "integer"}, True, False, id="true is no number"),
        pytest.param({"minimum": 3}, "x", True, id="a bound of numbers is none of texts"),
        pytest.param({"format": "email"}, "x", False, id="what is not known is left open"),
        pytest.param({"if": {"format": "email"}, "else": False}, "x", False, id="in a condition, too"),
        pytest.param({"allOf": [{"format": "email"}]}, "x", False, id="and in a part"),
        pytest.param({"uniqueItems": True}, [[1], [1]], False, id="lists in a list are left open"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}, "maxItems": 1}}}, [[[]]], True, id="a part that holds itself"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}, "maxItems": 1}}}, [[[], []]], False, id="a part that holds itself, wrong inside"),
        pytest.param({"properties": {"a": True}, "allOf": [{"properties": {"b": True}}], "unevaluatedProperties": False}, {"a": 1, "b": 2}, True, id="looked at in a part"),
        pytest.param({"properties": {"a": True}, "unevaluatedProperties": False}, {"b": 2}, False, id="looked at nowhere"),
        pytest.param({"additionalProperties": True, "unevaluatedProperties": False}, {"b": 2}, False, id="looked at by others is left open"),
    ],
)  # fmt: skip
def test_one_keyword(schema: dict[str, Any], data: Any, answer: bool) -> None:
    assert validity(schema)(data) is answer
