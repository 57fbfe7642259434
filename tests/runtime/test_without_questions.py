"""A game in which no player decides anything: the set-up comes first all the same, and the match ends by itself."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load

MODEL = "document: model\ncounters:\n  coin: {per: player}\n  day: {}\n"
SETUPS = {
    "plain": "gain 5 coin",
    "asking": 'may "take": gain 5 coin',
    "with a forced answer": "choose n in 5..5\ngain n coin",
    "called": "begin()",
}
ENDS = {"running out": "", "ended": "end match", "ended in a rule": "finish()"}


def match_of(folder, language: int, setup: str, end: str, more: str = ""):
    def block(text: str) -> str:
        return "".join(f"      {line}\n" for line in text.splitlines())

    rules = (
        f"document: rules\nrules:\n  setup:\n    do: |\n{block(setup)}"
        f"  match:\n    do: |\n      gain coin + 1 coin for player_2\n      gain coin day\n{block(end)}"
        "  begin: gain 5 coin\n  finish: end match\n"
        f"{more}result: {{score: coin}}\n"
    )
    pack = f"document: pack\nid: bare\nversion: 1.0.0\nlanguage: {language}\ntitle: Bare\nplayers: {{min: 2, max: 2}}\n"
    for name, text in (("pack", pack), ("model", MODEL), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder)).start(2, 1)


@pytest.mark.parametrize("language", [1, 2])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("setup", SETUPS)
def test_set_up_comes_before_a_match_without_questions(tmp_path, language, setup, end):
    match = match_of(tmp_path, language, SETUPS[setup], ENDS[end])
    if setup == "asking":
        match.choose("take")

    assert match.over
    counters = match.view(0)["counters"]
    assert (counters["coin"], counters["day"]) == ({"player_1": 5, "player_2": 6}, 5)


def test_trigger_before_such_a_match_follows_the_set_up(tmp_path):
    more = "triggers:\n  doubled: {before: match, do: gain coin coin}\n"
    match = match_of(tmp_path, 2, SETUPS["plain"], "", more)

    assert match.view(0)["counters"]["coin"] == {"player_1": 10, "player_2": 11}


def test_match_that_the_set_up_ends_does_not_begin(tmp_path):
    match = match_of(tmp_path, 2, "gain 5 coin\nend match", "")

    assert match.over
    assert match.view(0)["counters"]["coin"] == {"player_1": 5, "player_2": 0}
