"""The fast way through lark's tables makes the trees that lark makes, and refuses what lark refuses."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from lark.exceptions import LarkError
from lark.tree import Tree

from patolli.language.sources import Mapping, Scalar, Sequence, read_yaml
from patolli.language.sources.nodes import Node
from patolli.language.syntax.driver import Branch, Driver
from patolli.language.syntax.parser import _grammar

CONTENT = Path(__file__).parents[2] / "content"
STARTS = ("effect", "expression", "cost")


def texts_of(node: Node | None) -> list[str]:
    match node:
        case Scalar():
            return [node.value]
        case Sequence():
            return [text for item in node.items for text in texts_of(item)]
        case Mapping():
            return [text for key, value in node.items.values() for text in (key.value, *texts_of(value))]
    return []


def all_texts() -> list[str]:
    """Every text of the shipped content, those that are no effects and expressions too."""
    files = sorted(CONTENT.rglob("*.yaml"))
    found = {text.strip(" ").rstrip() for path in files for text in texts_of(read_yaml(path.read_text(), str(path))[0])}
    return sorted(found)


def by_lark(tree: object) -> object:
    """What lark has found, in a form that can be compared."""
    if not isinstance(tree, Tree):
        return None if tree is None else str(tree)
    return (str(tree.data), tree.meta.start_pos, tree.meta.end_pos, [by_lark(child) for child in tree.children])


def by_driver(tree: object) -> object:
    if not isinstance(tree, Branch):
        return tree
    return (tree.data, tree.start, tree.end, [by_driver(child) for child in tree.children])


def parsed_by_lark(text: str, start: str) -> object:
    try:
        return by_lark(_grammar(1).parse(text, start=start))
    except (LarkError, AssertionError):
        return None


def damaged(text: str, chance: random.Random) -> str:
    """Return a text with a token or two left out, doubled, or put elsewhere."""
    parts = re.findall(r"\w+|\s+|.", text)
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(parts))
        parts[at : at + 1] = chance.choice(([], [parts[at]] * 2, [chance.choice(parts)], [parts[at], "\n  "]))
        if not parts:
            return "x"
    return "".join(parts)


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver(_grammar(1))


@pytest.mark.deep
def test_every_text_of_the_content_is_read_as_lark_reads_it(driver: Driver) -> None:
    texts = random.Random(7).sample(all_texts(), 700)
    trees = [(text, start, parsed_by_lark(text + "\n", start)) for text in texts for start in STARTS]
    assert sum(tree is not None for _, _, tree in trees) > 300
    for text, start, tree in trees:
        assert by_driver(driver.parse(text + "\n", start)) == tree, text


def test_damaged_texts_are_read_or_refused_as_lark_does(driver: Driver) -> None:
    chance = random.Random(11)
    texts = [damaged(text, chance) for text in chance.sample(all_texts(), 700) if text]
    refused = 0
    for text in texts:
        tree = parsed_by_lark(text + "\n", "effect")
        refused += tree is None
        assert by_driver(driver.parse(text + "\n", "effect")) == tree, text
    assert refused > 100


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("gain (1 + 2) wood", id="brackets belong to what stands around them"),
        pytest.param("if a:\n    gain 1 wood\n    if b: nothing\nelse:\n  stop", id="blocks"),
        pytest.param("if a:\n    nothing\n  nothing", id="a step back to no block"),
        pytest.param("let x = [a,\n   b] # why\nnothing", id="lines inside brackets, and a comment"),
        pytest.param("let x = a)", id="a bracket too many"),
        pytest.param("choose x in xs or none", id="words of two parts"),
        pytest.param("let x = count(y in ys where y.z in {1, 2} by y)", id="a quantifier"),
        pytest.param("$", id="no token at all"),
        pytest.param("", id="nothing"),
    ],
)
def test_one_text(driver: Driver, text: str) -> None:
    assert by_driver(driver.parse(text + "\n", "effect")) == parsed_by_lark(text + "\n", "effect")
