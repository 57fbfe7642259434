"""Hovers explain every word of the language, and the type of what a name stands for."""

from __future__ import annotations

import pytest
from packmaker import loaded

from patolli.language.diagnostics import Span
from patolli.language.resolve.model import Model
from patolli.language.syntax.words import NEWEST, words
from patolli.serve.lsp.completion import keyword_at, variable_type
from patolli.serve.lsp.keywords import WORDS

RULES = """\
document: rules
rules:
  one_more:
    text: gain is for people
    do: |
      let n = size(hand(me))
      let c = first(x in shop)
      let owed = owed_by(me)
      choose w in shop "gain which?" or none
      for p in others(me): gain n coin
      gain owed coin
      if w: pay w.cost as gain
  owed_by(player p): return coin(p)
"""


def test_every_word_of_the_language_is_explained():
    known = words(NEWEST)

    assert {*known.statements, *known.quantifiers, *known.joining, *known.fixed, *known.inner} == {*WORDS}
    for form, text in WORDS.values():
        assert form
        assert text.endswith(".")


def at(word: str, plus: int = 0) -> tuple[int, int]:
    before = RULES[: RULES.index(word) + plus]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize(
    ("place", "plus", "word"),
    [
        ("gain n coin", 0, "gain"),
        ("gain n coin", 3, "gain"),
        ("let n", 1, "let"),
        ("others(me): gain", 8, "me"),
        ("as gain", 1, "as"),
        ("gain is for people", 1, None),
        ("gain which?", 1, None),
        ("n coin", 0, None),
        ("do: |", 1, None),
    ],
)
def test_word_at_a_place(place, plus, word):
    found = keyword_at(RULES.split("\n"), *at(place, plus))

    assert (found and found[0]) == word


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return loaded(tmp_path_factory.mktemp("words"), "").model


@pytest.mark.parametrize(
    ("place", "name", "type_"),
    [
        ("n = size", "n", "int"),
        ("n coin", "n", "int"),
        ("c = first", "c", "card or none"),
        ("w in shop", "w", "card"),
        ("p in others", "p", "player"),
        ("w.cost", "w", "card"),
        ("player p)", "player", ""),
    ],
)
def test_type_of_a_variable(model, place, name, type_):
    line, column = at(place)

    assert variable_type(model, RULES.split("\n"), Span("", line, column, line, column + len(name))) == type_


def test_type_of_what_a_rule_returns(tmp_path):
    rules = (
        "  owed_by(player p): return coin(p)\n",
        "  more: let x = owed_by(me); gain x coin\n",
    )
    model = loaded(tmp_path, f"# more.yaml\ndocument: rules\nrules:\n{''.join(rules)}").model
    line, column = at("owed = owed_by")

    assert variable_type(model, RULES.split("\n"), Span("", line, column, line, column + 4)) == "int"
