"""The score sheet: its parts add up to the score, come from what is declared, and show nothing that is hidden."""

from __future__ import annotations

from random import Random

import pytest
from tellingpack import started
from tiers import few

from patolli.author.workspace import load

MAIN = [
    "tic_tac_toe", "connect_four", "breakthrough", "patolli", "founders", "city_of_gods", "founders+founders_solo",
    "city_of_gods+obsidian+mansion+altars+empire", "city_of_gods+solo+obsidian+empire",
]  # fmt: skip

DIGGING = """
day():
  do: |
    for p in players: as p: turn()
turn():
  do: |
    choose one "What?":
      "dig": dig()
      "trade": trade()
      "rest": rest()
dig(): {category: Mining, do: deep(2)}
deep(int n): gain n bead
trade(): gain 1 bead and 1 sand
rest(): lose 1 bead
"""


FUNCTIONS = """}
functions:
  luck(): {is: sand * (sand + 1), text: A bit of luck.}
  all_of_it(): {is: bead + luck()"""


def scored(tmp_path, score: str, setup: str = "gain 1 moon"):
    """Start a match in which two players dig, trade and rest, with a score of one's own."""
    return started(tmp_path, DIGGING, setup, score=score)


@pytest.mark.parametrize("packs", few(MAIN, 0, 1, 2))
def test_parts_add_up_to_the_score(packs):
    """At decisions of random matches, and at their ends; after a save, too."""
    pack, *modules = packs.split("+")
    rules = load(pack, modules=modules)
    draw = Random(packs)
    seats = rules.players[1]
    match = rules.start(seats, draw.randrange(1000), narrate=True)
    count = 0
    while match.pending is not None and count < 400:
        if draw.random() < 0.1:
            assert list(match.score_sheet().totals) == match.scores
        match.pick(draw.randrange(len(match.pending)))
        count += 1

    sheet = match.score_sheet()
    assert list(sheet.totals) == match.scores
    assert [sum(row) for row in sheet.points] == match.scores
    assert "Other" not in sheet.categories, "everything that scores has a name for people"
    assert rules.restore(match.to_json()).score_sheet() == sheet
    for seat in range(match.players):
        assert match.over is False or match.score_sheet(seat).totals == sheet.totals


@pytest.mark.parametrize(
    ("score", "parts"),
    [
        pytest.param("bead", {"Mining": 2, "Trade": 1}, id="counter"),
        pytest.param("bead + sand", {"Mining": 2, "Trade": 2}, id="two counters"),
        pytest.param("2 * bead - sand", {"Mining": 4, "Trade": 1}, id="factor"),
        pytest.param("3 + bead", {"Mining": 2, "Trade": 1, "Other": 3}, id="number"),
        pytest.param("bead + luck()", {"Mining": 2, "Trade": 1, "A bit of luck": 2}, id="function with a text"),
        pytest.param("all_of_it()", {"Mining": 2, "Trade": 1, "A bit of luck": 2}, id="function that is a sum"),
        pytest.param("bead if bead > 9 else 7", {"Other": 7}, id="no sum"),
        pytest.param("-bead", {"Mining": -2, "Trade": -1}, id="negative"),
    ],
)
def test_score_is_taken_apart(tmp_path, score, parts):
    match = started(tmp_path, DIGGING, "gain 1 moon", score=score + FUNCTIONS)
    for answer in ("dig", "rest", "trade"):
        match.choose(answer)

    assert match.score_sheet().of(0) == parts


def test_functions_that_call_each_other_twice_are_taken_apart_so_far(tmp_path):
    """Each level doubled the parts, so 20 of them took minutes."""
    functions = "".join(f"  f{i}(): {{is: f{i - 1}() + f{i - 1}()}}\n" for i in range(2, 20))
    score = "f19()}\nfunctions:\n  f1(): {is: bead + sand}\n" + functions + "  last(): {is: f1()"
    match = started(tmp_path, DIGGING, "gain 1 moon", score=score)
    match.choose("dig")

    assert match.score_sheet().totals == (2**19, 0)


def test_points_are_put_down_to_pieces(tmp_path):
    match = scored(tmp_path, "sand", "|\n      for c in deck where c.number == 1: move c to shelf(player_1)")
    match.choose("dig")

    assert match.score_sheet().of(0) == {"Lucky charms": 1}


def test_start_of_a_counter_is_a_category(tmp_path):
    match = scored(tmp_path, "bead")
    model = tmp_path / "small" / "model.yaml"
    model.write_text(model.read_text().replace("bead: {per: player,", "bead: {per: player, start: 5,"))
    match = load(str(tmp_path / "small")).start(2, 1)
    match.choose("rest")

    assert match.score_sheet().of(0) == {"Rest": -1, "At the start": 5}


def test_hidden_points_are_shown_to_their_owner_alone(tmp_path):
    match = scored(tmp_path, "bead + bid", "|\n      for p in players: gain 3 bid for p")
    match.choose("dig")

    mine, theirs = match.score_sheet(0), match.score_sheet(1)

    assert (mine.totals, theirs.totals) == ((5, None), (None, 3))
    assert theirs.of(0) == {"Mining": 2, "A bid": None}
    assert match.score_sheet().totals == (5, 3)


def test_state_that_no_choices_lead_to_has_a_sheet_all_the_same(tmp_path):
    match = scored(tmp_path, "bead")
    match.choose("dig")
    other = match.clone()
    slot = next(slot for slot, (name, _) in other.labels.counters.items() if name == "bead")
    other.state[slot] += 4

    assert other.score_sheet().of(0) == {"Mining": 2, "Other": 4}
    assert other.determinize(0, 1).score_sheet().totals[0] == other.scores[0]


def test_seat_that_is_none_is_refused(tmp_path):
    match = scored(tmp_path, "bead")

    with pytest.raises(ValueError, match="there is no seat 2"):
        match.score_sheet(2)
    with pytest.raises(ValueError, match="there is no seat -1"):
        match.telling(-1)
