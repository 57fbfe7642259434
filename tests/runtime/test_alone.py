"""What an option itself brings about: everything until the next question, or until another player has the turn."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.run.runtime.option_probe import pick_alone

PACK = "document: pack\nid: part\nversion: 1.0.0\nlanguage: 1\ntitle: Part\nplayers: {min: 2, max: 2}\n"
MODEL = "document: model\ncounters:\n  coin: {per: player, max: 90, text: Coins}\n  day: {max: 90, text: Days}\n"
TURNS = {
    "passed on": "loop:\n  turn()\n  pass to next(me)\n",
    "in a round": "loop:\n  for p in players: as p: turn()\n",
}
AFTER = {
    "nothing": "nothing",
    "coins for all": "for p in players: gain 2 coin for p",
    "as another": "for p in players: as p: gain 2 coin",
    "a call": "collect()",
}


def started(folder, turns: str, after: str):
    body = "".join(f"      {line}\n" for line in turns.splitlines())
    rules = (
        f"document: rules\nrules:\n  match:\n    do: |\n{body}"
        "  turn:\n    do: |\n      if me == player_1:\n        choose n in 1..2\n        gain n coin\n"
        f"        {after}\n      else:\n        gain 1 day\n        if day > 9: end match\n"
        '  collect: {do: "for p in players: as p: gain 2 coin"}\n'
        "result: {score: coin}\n"
    )
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder)).start(2, 1)


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("after", AFTER)
def test_option_does_what_its_player_has_begun(tmp_path, turns, after):
    """The other seat plays without being asked; its day is not what the option has brought about."""
    match = started(tmp_path, TURNS[turns], AFTER[after])
    alone, on = match.clone(), match.clone()
    pick_alone(alone, 0)
    on.pick(0)
    more = 0 if after == "nothing" else 2

    assert [alone.view(0)["counters"][name] for name in ("coin", "day")] == [
        {"player_1": 1 + more, "player_2": more},
        0,
    ]
    assert on.view(0)["counters"]["day"] == 1
    assert alone.choices == [0]
    assert alone.program is match.program


def test_option_that_leads_to_a_question_is_followed_so_far(tmp_path):
    match = started(tmp_path, TURNS["passed on"], "choose m in 1..2")
    alone, on = match.clone(), match.clone()
    pick_alone(alone, 1)
    on.pick(1)

    assert alone == on
    assert alone.pending == on.pending
