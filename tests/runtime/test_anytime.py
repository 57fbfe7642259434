"""Anytime actions that ask something, while a question waits."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from patolli.author.workspace import inspect, load
from patolli.language.diagnostics import ContentError
from patolli.run.runtime import Match

PACK = "document: pack\nid: now\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Now\nplayers: {min: 1, max: 2}\n"
MODEL = "document: model\ncounters:\n  coin: {per: player, start: 3}\n  turn: {}\n"


def started(
    tmp_path, actions: str, match: str = "'choose n in 1..2 \"Which?\"'", seats: int = 1, language: int = 1
) -> Match:
    lines = "".join(f"  {line}\n" for line in actions.strip("\n").split("\n"))
    rules = f"document: rules\nrules:\n  match: {match}\nanytime:\n{lines}"
    pack = PACK.replace("language: 1", f"language: {language}")
    for name, text in (("pack", pack), ("model", MODEL), ("rules", rules)):
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(tmp_path)).start(seats, 1)


def offered(match: Match) -> list[str]:
    return [option.label for option in match.decision.options]


LOOK = """look: {label: look, do: 'choose k in 1..2 "What for?"'}"""
LOOKS = """look: {each: p in 1..2, label: look, do: 'choose k in 1..2 "What for?"'}"""
OTHER = """ask: {label: ask, do: 'choose k in 3..4 "Whom?"'}"""


def test_action_is_not_offered_inside_itself(tmp_path):
    match = started(tmp_path, LOOK)
    assert offered(match) == ["1", "2", "look"]
    match.choose("look")
    assert offered(match) == ["1", "2"]
    match.choose("1")
    assert offered(match) == ["1", "2", "look"]


def test_other_actions_and_values_are_offered_inside_one(tmp_path):
    match = started(tmp_path, f"{LOOKS}\n{OTHER}")
    match.choose("look 1")
    assert offered(match) == ["1", "2", "look 2", "ask"]
    match.choose("look 2")
    assert offered(match) == ["1", "2", "ask"]
    match.choose("ask")
    assert offered(match) == ["3", "4"]
    match.choose("3")
    assert offered(match) == ["1", "2", "ask"]


def test_only_action_in_an_only_answer_is_no_question(tmp_path):
    match = started(tmp_path, "look: {label: look, do: 'choose k in 1..1 \"What for?\"; gain 1 coin'}")
    match.choose("look")
    assert match.decision.question.prompt == "Which?"


BURN = "burn: {when: coin > 0, label: burn, do: lose 1 coin}"
SEVERAL = [
    pytest.param("choose any number of n in 1..3 as ns; pay size(ns) coin", "1", 2, id="what is demanded behind"),
    pytest.param("choose any number of n in 1..coin as ns; gain size(ns) turn", "2", 1, id="what was chosen"),
]


@pytest.mark.parametrize(("ask", "answer", "spared"), SEVERAL)
def test_action_between_two_answers_leaves_what_was_chosen_possible(tmp_path, ask, answer, spared):
    match = started(tmp_path, BURN, f"'{ask}'", language=2)
    match.choose(answer)
    burnt = 0
    while match.decision and "burn" in offered(match):
        match.choose("burn")
        burnt += 1

    assert burnt == spared


def test_otherwise_may_follow_when_several_were_chosen_already(tmp_path):
    ask = "|\n    choose any number of n in 1..coin as ns\n    otherwise: pay 1 turn"

    with pytest.raises(ContentError, match="P0401"):
        started(tmp_path, BURN, ask, language=2)


def test_saved_match_knows_what_goes_on(tmp_path):
    match = started(tmp_path, LOOKS)
    match.choose("look 2")
    again = match.ruleset.restore(match.to_json())
    assert offered(again) == offered(match) == ["1", "2", "look 1"]


def test_why_says_that_it_goes_on(tmp_path):
    match = started(tmp_path, LOOKS)
    match.choose("look 2")
    refused = [reason.what for reason in match.why("look 2").reasons if reason.holds is False]
    assert refused == ["it does not continue already"]
    assert match.why("look 1").offered


def test_actions_of_any_match_come_to_an_end(tmp_path):
    """Each may stand once in those below it, so a player who takes nothing else runs out of them."""
    match = started(tmp_path, f"{LOOKS}\n{OTHER}")
    taken = 0
    while match.extra:
        match.pick(len(match.pending) - 1)
        taken += 1
    assert taken == 3


AGAIN = """
drift:
  label: drift
  do: |
    loop:
      choose one "More?":
        "more": {more}
        "enough": break
"""


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("nothing", id="nothing changes"),
        pytest.param("gain 1 turn", id="something else changes"),
        pytest.param('choose k in 1..9 "How?"', id="another question each time"),
    ],
)
def test_way_out_of_an_action_is_found_beside_ways_round(tmp_path, more):
    """Whether the question below can be decided afterwards is tried, and this action may go on for ever."""
    menu = '\n    choose one "Which?":\n      "a" when coin > 0: pay 1 coin\n      "b" when coin > 1: pay 2 coin\n'
    match = started(tmp_path, AGAIN.format(more=more), "|\n    set coin to 3" + menu)
    match.choose("drift") if "drift" in offered(match) else match.pick(2)
    assert offered(match)[:2] == ["more", "enough"]
    draw = Random(1)
    for _ in islice(iter(int, 1), 20):
        if match.pending is None:
            return
        match.pick(draw.randrange(len(match.pending)))


def test_words_of_an_action_name_what_it_is_for(tmp_path):
    match = started(tmp_path, "look: {each: p in 1..2, label: look, as: 'have a look at {p} coins', do: gain p coin}")

    assert [option.words for option in match.decision.options] == [
        "1", "2", "have a look at 1 coin", "have a look at 2 coins",
    ]  # fmt: skip
    assert offered(match) == ["1", "2", "look 1", "look 2"]
    match.choose("look 2")
    assert "have a look at 2 coins" in "".join(line.words for line in match.telling(0))


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("each: p in 1..2, as: 'look at {q}'", "P0469"),
        ("as: 'look at {p}'", "P0469"),
        ("each: p in 1..2, as: 'look around'", "P0478"),
    ],
)
def test_words_of_an_action_are_checked(tmp_path, more, code):
    started(tmp_path, "look: {do: gain 1 coin}")
    rules = tmp_path / "rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("look: {do", f"look: {{{more}, do"), "utf-8")

    assert code in [problem.code for problem in inspect(str(tmp_path)).problems]
