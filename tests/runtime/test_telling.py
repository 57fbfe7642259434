"""The story of a match: headings, causes, silence, what stands where, and what each player reads."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from tellingpack import MODEL, started
from tiers import few

from patolli import load
from patolli.cli.main import main
from patolli.measure.simulation import playout
from patolli.run.runtime.match_story import attribute_points
from patolli.run.runtime.score_sheet import score_sheet


def told(match, seat=None) -> list[str]:
    """What is reported, indented by level; headings with a colon."""
    return [
        f"{'  ' * (line.level - (line.kind == 'heading'))}{line.words}{':' * (line.kind == 'heading')}"
        for line in match.telling(seat)
    ]


TURNS = """
day():
  heading: Day {nth}
  do: |
    for p in players: as p: turn()
turn():
  heading: "{me}'s turn"
  do: |
    choose one "What?":
      "dig": dig()
      "rest": nothing
      "fetch": fetch()
dig(): gain 2 bead
fetch(): |
  for c in take(deck, 1): move c to shelf(me)
"""


def test_headings_stand_above_what_is_reported_in_their_rules(tmp_path):
    match = started(tmp_path, TURNS)
    for answer in ("dig", "rest", "dig"):
        match.choose(answer)

    assert told(match) == [
        "Day 1:",
        "  Player 1's turn:",
        "    Player 1: dig",
        "    Player 1 gains 2 beads",
        "  Player 2's turn:",
        "    Player 2: rest",
        "Day 2:",
        "  Player 1's turn:",
        "    Player 1: dig",
        "    Player 1 gains 2 beads",
    ]


def test_heading_without_anything_below_it_is_not_told(tmp_path):
    more = "day():\n  do: |\n    quiet()\n    choose n in 1..2\n    set moon to n\nquiet():\n  heading: Quiet\n  do: set moon to 3"
    match = started(tmp_path, more)

    match.choose("1")

    assert told(match) == ["Player 1: 1"]


def test_lines_say_which_answer_they_belong_to(tmp_path):
    match = started(tmp_path, TURNS)
    match.choose("dig")
    match.choose("rest")

    answers = [(line.kind, line.at, line.seat) for line in match.telling() if line.kind != "heading"]

    assert answers == [("answer", 1, 0), ("change", 1, 0), ("answer", 2, 1)]


def test_words_of_a_field_say_who_acts(tmp_path):
    model = MODEL.replace("{piece} rises to rank {new}", "{me} polishes {piece} to rank {new}")
    more = "day():\n  do: |\n    for p in players: as p: rub()\nrub():\n  do: |\n    choose n in 1..2\n    set two.rank to n"
    match = started(tmp_path, more, "|\n      move two to shelf(player_1)", files={"model": model})
    match.choose("2")
    match.choose("1")

    assert told(match)[1::2] == ["Player 1 polishes the 2. charm to rank 2", "Player 2 polishes the 2. charm to rank 1"]
    assert [line.seat for line in match.telling() if line.kind == "change"] == [0, 1]


def test_what_a_piece_brings_about_ends_with_its_name(tmp_path):
    match = started(tmp_path, TURNS, "|\n      for c in deck where c.number == 1: move c to shelf(player_1)")
    match.choose("dig")

    assert told(match)[-2:] == ["    Player 1 gains 2 beads", "    Player 1 gains 1 sand for the 1. charm"]


def test_what_a_hidden_piece_brings_about_is_reported_without_it(tmp_path):
    match = started(tmp_path, TURNS, "|\n      for c in spy: move c to cloak(player_1)")
    match.choose("dig")

    assert told(match)[-1] == "    Player 1 gains 2 beads and 1 sand"
    assert told(match, 1) == told(match)
    assert told(match, 0)[-1] == "    Player 1 gains 1 sand for agent"


def test_cause_is_not_said_when_the_answer_has_named_it(tmp_path):
    more = "day():\n  do: |\n    choose c in charm where c.number == 1 or c.number == 2\n    otherwise: stop\n    do c.effect\n    gain 1 sand"
    match = started(tmp_path, more, "|\n      for c in deck: move c to shelf(player_1)")
    match.choose("one")

    assert told(match)[:2] == ["Player 1: the 1. charm", "Player 1 gains 2 sand"]


def test_rule_says_the_cause_for_all_that_happens_in_it(tmp_path):
    more = "day():\n  do: |\n    choose n in 1..2\n    feast(n)\nfeast(int n):\n  cause: for feast {n}\n  do: gain n bead and 1 sand"
    match = started(tmp_path, more)
    match.choose("2")

    assert told(match)[-1] == "Player 1 gains 2 beads and 1 sand for feast 2"


@pytest.mark.parametrize(
    ("effect", "line"),
    [
        pytest.param("gain 2 bead; gain 1 sand; gain 1 bead", "Player 1 gains 3 beads and 1 sand", id="one player"),
        pytest.param("for p in players: gain 2 bead for p", "Player 1, player 2 and player 3 each gain 2 beads", id="all the same"),
        pytest.param("for p in players: gain number(p) bead for p", "Player 1 gains 1 bead, player 2 2 and player 3 3", id="different"),
        pytest.param("for p in players: set bead(p) to 0", "Player 1, player 2 and player 3 now have no beads", id="set"),
        pytest.param("hand_on(player_1, player_2)", "Player 1 gives 1 bead to player 2", id="handed on"),
        pytest.param("gain 3 sun; gain 1 sun", "The sun moves from 0 to 4", id="words of a counter"),
        pytest.param("move two to shelf(me); gain 2 step(two)", "Player 1 takes 2 steps with the 2. charm", id="words with an index"),
        pytest.param("gain 2 moon", None, id="silent counter"),
        pytest.param("set two.rank to 2", None, id="words of a field of a hidden piece"),
        pytest.param("move two to lap(me)", None, id="silent place"),
        pytest.param("hush()", None, id="silent rule"),
        pytest.param("move two to shelf(me); set two.rank to 2", "The 2. charm rises to rank 2", id="words of a field"),
    ],
)  # fmt: skip
def test_one_line_for_one_thing(tmp_path, effect, line):
    body = effect.replace("; ", "\n    ")
    more = (
        f"day():\n  do: |\n    choose n in 1..2\n    {body}\n"
        "hand_on(player a, player b):\n  do: |\n    lose 1 bead for a\n    gain 1 bead for b\n"
        "hush():\n  told: false\n  do: gain 2 bead\n"
    )
    match = started(tmp_path, more, "|\n      for p in players: gain 1 bead for p", 3)
    match.choose("1")

    lines = [one for one in told(match)[1:] if "takes the 2. charm" not in one]
    assert lines == ([line] if line else [])


def test_set_up_is_silent_but_for_answers_and_what_is_said(tmp_path):
    setup = '|\n      choose n in 1..2\n      gain n bead\n      say "is ready"'
    match = started(tmp_path, TURNS, setup)
    match.choose("2")

    assert told(match) == ["Player 1: 2", "Player 1 is ready"]


@pytest.mark.parametrize(
    ("head", "lines"), [("told: false", ["Player 1: 1"]), ("told: true", ["Player 1 gains 1 bead"])]
)
def test_what_is_chosen_by_force_is_reported_where_nothing_that_comes_of_it_is(tmp_path, head, lines):
    setup = f"\n    {head}\n    do: |\n      choose n in 1..1\n      gain n bead"

    assert told(started(tmp_path, TURNS, setup)) == lines


def test_set_up_that_wants_to_be_told_is_reported(tmp_path):
    match = started(tmp_path, TURNS, "{told: true, heading: The set-up, do: gain 2 bead}")

    assert told(match) == ["The set-up:", "  Player 1 gains 2 beads"]


def test_secret_answer_opens_no_heading_to_which_another_one_has_led(tmp_path):
    """Whether the second question is that of a heading, only a secret answer has decided."""
    more = (
        'day():\n  do: |\n    choose one "Bid?":\n      "high": trap()\n      "low": set bid to 1\n'
        "trap():\n  heading: A trap\n  do: |\n    choose n in 2..3\n    set bid to n\n"
    )
    match = started(tmp_path, more)
    match.choose("high")
    match.choose("2")

    assert told(match) == ["Player 1 has decided"]
    assert told(match, 1) == ["Player 1 has decided"]
    assert told(match, 0)[:4] == ["Player 1: high", "A trap:", "  Player 1: 2", "  Player 1 now has 2 bid"]


def test_undo_takes_the_telling_back(tmp_path):
    match = started(tmp_path, TURNS)
    match.choose("dig")
    before = told(match)
    match.choose("rest")

    assert match.undo()

    assert told(match) == before
    match.choose("dig")
    assert told(match)[-1] == "    Player 2 gains 2 beads"


def test_copy_tells_by_itself(tmp_path):
    match = started(tmp_path, TURNS)
    match.choose("dig")
    before, copy = told(match), match.clone()
    copy.choose("rest")

    assert told(match) == before
    assert told(copy) == [*before, "  Player 2's turn:", "    Player 2: rest"]


def test_copies_part_only_when_something_is_reported(tmp_path):
    match = started(tmp_path, TURNS)
    match.choose("dig")
    said, copies = match.log, [match.clone() for _ in range(3)]
    copies.append(copies[0].clone())

    copies[0].remark("Only here.")
    match.remark("And only there.")
    said.append("A list that was handed out.")

    assert match.log == [*said[:-1], "And only there."]
    assert copies[0].log == [*said[:-1], "Only here."]
    assert [copy.log for copy in copies[1:]] == [said[:-1]] * 3
    copies[0].remark("Again.")
    assert copies[0].log == [*said[:-1], "Only here.", "Again."]


@pytest.mark.parametrize("seed", few(range(3), 0))
def test_books_are_kept_where_copies_are_made_on_the_way(seed):
    """Whether a payment leads back is tried in copies of the match that keeps the books."""
    match = playout(load("city_of_gods"), 2, seed)
    told, books = match.score_sheet(), attribute_points(match)

    kept = score_sheet(match, books, None)

    assert list(kept.totals) == match.scores
    assert [kept.of(seat) for seat in range(2)] == [told.of(seat) for seat in range(2)]


@pytest.mark.parametrize("narrate", [False, True])
def test_telling_of_a_save_begins_at_the_start(tmp_path, narrate):
    match = started(tmp_path, TURNS)
    match.choose("dig")

    again = match.ruleset.restore(match.to_json(), narrate=narrate)

    assert again.telling() == match.telling()
    match.choose("rest")
    again.choose("rest")
    assert again.telling() == match.telling()


def test_telling_of_a_match_that_does_not_narrate_is_found_by_its_choices(tmp_path):
    match = started(tmp_path, TURNS)
    quiet = match.ruleset.start(2, 1)
    for one in (match, quiet):
        one.choose("dig")
        one.choose("fetch")

    assert quiet.log == []
    assert quiet.telling(1) == match.telling(1)


def test_rule_with_triggers_tells_them_below_its_heading(tmp_path):
    more = TURNS.replace("dig(): gain 2 bead", "dig():\n  heading: Digging\n  do: gain 2 bead")
    match = started(tmp_path, more, "|\n      for c in deck where c.number == 1: move c to shelf(player_1)")
    match.choose("dig")

    assert told(match)[-3:] == [
        "    Digging:",
        "      Player 1 gains 2 beads",
        "      Player 1 gains 1 sand for the 1. charm",
    ]


def test_narrating_passes_the_same_points_of_the_rules(tmp_path):
    """Headings must not change where a match stands: its digest is that of a match without them."""
    loud = started(tmp_path, TURNS)
    quiet = loud.ruleset.start(2, 1)

    for answer in ("dig", "fetch", "rest", "fetch"):
        assert loud.digest() == quiet.digest()
        loud.choose(answer)
        quiet.choose(answer)
    assert loud.digest() == quiet.digest()


def test_what_a_heading_reads_is_used(tmp_path):
    """A counter and a function that only a heading reads are not said to be of no use."""
    more = (
        "day():\n  heading: Day {which} on tide {tide}\n"
        "  do: |\n    gain 1 tide\n    choose n in 1..2\n    gain n bead\n"
    )
    files = {
        "tide": "document: model\ncounters: {tide: {text: The tide}}\n",
        "days": "document: rules\nfunctions: {which(): {is: 7, text: Which day it is.}}\n",
    }

    match = started(tmp_path, more, files=files)

    assert told(match)[0] == "Day 7 on tide 0:"
    done = CliRunner().invoke(main, ["validate", str(tmp_path / "small")])
    assert "tide" not in done.output
    assert "which" not in done.output
