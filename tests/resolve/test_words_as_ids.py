"""An id that is a word of the language is reported as that, and what uses it does not fail."""

from __future__ import annotations

import re

import pytest
from littlepacks import lay

from patolli.author.workspace import inspect
from patolli.language.syntax.words import NEWEST, words

DECLARED = {
    "counter": "counters:\n  W: {per: player, text: W}\n",
    "counter of a kind": "counters:\n  W: {per: sort, text: W}\n",
    "place": "places:\n  W: {of: tile, per: player, type: area}\n",
    "field": "player:\n  W: int\n",
    "enumeration": "enums:\n  W: [up_hill, down_hill]\n",
    "tile": "pieces:\n  W: {number: 2}\n",
    "function": "functions:\n  W(player p): 3\n",
    "rule": "rules:\n  W(player p): gain 1 coin\n",
    "parameter": "rules:\n  other(player W): gain 1 coin for W\n",
}
USES = (
    "let v = W",
    "let v = W(p)",
    "let v = p.W",
    "let v = W(p)[0]",
    "let v = name(W)",
    "let v = count(x in W where x == W)",
    "set W to 2",
    "set W(p) to 2",
    "set p.W to 2",
    "gain 1 W",
    "gain 1 W(p)",
    "gain 1 W for p",
    "pay 1 W",
    "move top(deck) to W(p)",
    "W(p)",
    "other(p)",
)
MODEL = """\
counters:
  coin: {per: player, text: Coins}
kinds:
  tile: {copies: 4, facts: {number: int = 0}}
enums:
  sort: [left, right]
places:
  deck: {of: tile, type: pile}
"""
RULES = """\
rules:
  match: |
    go(player_1)
    end match
  go(player p): |
    USE
functions:
  two: 2
result: {score: coin}
"""
LISTED = ("copy", "players", "me", "it", "box", "seats", "original")


def lay_pack(folder, declared, use, word, language=NEWEST):
    """Write a pack that declares a word of the language, and uses it."""
    section, entry = re.sub(r"\bW\b", word, declared).split("\n", 1)
    documents = {"model": MODEL, "rules": RULES.replace("USE", re.sub(r"\bW\b", word, use))}
    of = next((name for name, text in documents.items() if section in text), "model")
    if section == "pieces:":
        return lay(folder, *documents.values(), language, pieces=f"document: pieces\nkind: tile\npieces:\n{entry}")
    text = documents[of] if section in documents[of] else f"{documents[of]}{section}\n"
    documents[of] = text.replace(f"{section}\n", f"{section}\n{entry}")
    return lay(folder, *documents.values(), language)


@pytest.mark.parametrize("declared", DECLARED)
def test_word_is_reported_whatever_uses_it(tmp_path, declared):
    for number, use in enumerate(USES):
        word = LISTED[number % len(LISTED)]
        found = inspect(lay_pack(tmp_path, DECLARED[declared], use, word)).problems

        codes = [problem.code for problem in found]
        assert "P0203" in codes, (use, word)
        assert "P0900" not in codes, (use, word)


@pytest.mark.parametrize("declared", ["counter", "place", "function"])
def test_word_is_one_slip(tmp_path, declared):
    """What uses it is right as soon as it has another name, so nothing else is reported."""
    use = {"counter": "set p.W to 2", "place": "move tile_1 to W(p)", "function": "let v = W(p)"}[declared]
    found = inspect(lay_pack(tmp_path, DECLARED[declared], use, "copy")).problems

    assert [problem.code for problem in found if problem.severity == "error"] == ["P0203"]


@pytest.mark.parametrize("word", sorted(words(NEWEST).fixed))
def test_parameter_has_no_word_for_a_name(tmp_path, word):
    found = inspect(lay_pack(tmp_path, DECLARED["parameter"], "other(p)", word)).problems

    (problem,) = [one for one in found if one.code == "P0203"]
    assert problem.message == f"{word!r} is a word of the language"
    assert problem.span.column == len("  other(player ") + 1


@pytest.mark.parametrize("name", ["span", "cls", "self"])
def test_parameter_may_have_any_other_name(tmp_path, name):
    found = inspect(lay_pack(tmp_path, DECLARED["parameter"], "other(p)", name)).problems

    assert not [problem for problem in found if problem.severity == "error"]


@pytest.mark.parametrize(
    "declared", ["rules:\n  W(player p, int p): gain p coin\n", "functions:\n  W(player p, int p): p\n"]
)
def test_two_parameters_of_one_name(tmp_path, declared):
    found = inspect(lay_pack(tmp_path, declared, "let _v = 3", "other")).problems

    messages = [problem.message for problem in found if problem.code == "P0203"]
    assert messages == ["two parameters are called 'p'"]
