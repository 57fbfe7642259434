"""Who has won: the player who is ahead, or those that the result names: all, some or none; reported so everywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import patolli
from patolli.cli import main
from patolli.play.terminal.sheet import verdict

PAGE = (Path(__file__).parents[2] / "docs/how-to/say-who-wins.md").read_text()
WRITTEN = re.findall(r"```yaml\nresult: (.*)\n```", PAGE)
POINTS, BEACON, TOGETHER, ALONE, RIVAL, TEAMS, TEAM_GOAL, HUNT, LAST, LEFT, FIRST = WRITTEN

PACK = "document: pack\nid: isle\nversion: 1.0.0\nlanguage: 1\ntitle: The isle\nplayers: {{min: {0}, max: {0}}}\n"
MODEL = """\
document: model
counters:
  beacon: {}
  point: {per: player}
  shell: {per: player}
  life: {per: player}
"""
RULES = """\
document: rules
functions:
  rival(): players[seats - 1]
  fugitive(): players[0]
  team(player p): number(p) mod 2
rules:
  setup: nothing
  match:
    do: |
      choose one:
        "light": gain 1 beacon
        "leave": nothing
"""


def written(folder: Path, result: str, players: int = 3, automated: int = 0) -> Path:
    folder.mkdir(exist_ok=True)
    more = f"automated: {automated}\n" if automated else ""
    (folder / "pack.yaml").write_text(PACK.format(players) + more)
    (folder / "model.yaml").write_text(MODEL)
    (folder / "rules.yaml").write_text(f"{RULES}values: {{greedy: point + shell + life + beacon}}\nresult: {result}\n")
    return folder


OUTCOMES = [
    (POINTS, {"point": [3, 5, 5], "shell": [9, 1, 1]}, [1], "Player 2 wins."),
    (POINTS, {"point": [3, 5, 5], "shell": [9, 1, 2]}, [2], "Player 3 wins."),
    (BEACON, {"beacon": [1]}, [0, 1, 2], "All players win."),
    (BEACON, {"beacon": [0]}, [], "No player wins."),
    (TOGETHER, {"beacon": [1], "point": [3, 5, 5]}, [0, 1, 2], "All players win."),
    (TOGETHER, {"point": [3, 5, 5]}, [], "No player wins."),
    (TEAMS, {"point": [3, 5, 1]}, [1], "Player 2 wins."),
    (TEAMS, {"point": [3, 3, 1]}, [0, 2], "Player 1 and player 3 share the win."),
    (TEAM_GOAL, {"point": [30, 3, 1]}, [0, 2], "Player 1 and player 3 win."),
    (TEAM_GOAL, {"point": [30, 30, 1]}, [0, 1, 2], "All players win."),
    (HUNT, {"beacon": [1]}, [0], "Player 1 wins."),
    (HUNT, {"beacon": [0]}, [1, 2], "Player 2 and player 3 win."),
    (LAST, {"life": [0, 2, 0]}, [1], "Player 2 wins."),
    (LAST, {"life": [0, 0, 0]}, [], "No player wins."),
    (LEFT, {"life": [1, 1, 0], "point": [3, 3, 9], "shell": [1, 2, 0]}, [1], "Player 2 wins."),
    (LEFT, {"life": [1, 1, 0], "point": [3, 3, 9]}, [0, 1], "Player 1 and player 2 share the win."),
    (LEFT, {"point": [3, 3, 9]}, [], "No player wins."),
    (FIRST, {"point": [31, 30, 4]}, [0], "Player 1 wins."),
    (FIRST, {"point": [9, 8, 4]}, [], "No player wins."),
]


def ended(rules: patolli.Ruleset, counters: dict[str, list[int]]) -> patolli.Match:
    """Return a match that is over, with some counters."""
    match = rules.start()
    match.choose("leave")
    for name, values in counters.items():
        first, _ = match.program.layout.counters[name]
        match.state[first : first + len(values)] = values
    return match


@pytest.mark.parametrize(("result", "counters", "winners", "said"), OUTCOMES)
def test_every_way_that_is_written_down(tmp_path, result, counters, winners, said):
    rules = patolli.load(str(written(tmp_path / "isle", result)))
    match = ended(rules, counters)

    assert match.winners == winners
    assert verdict(match) == said
    assert match.view(0)["winners"] == winners
    assert rules.restore(match.to_json()).winners == winners
    assert match.clone().winners == winners


@pytest.mark.parametrize(
    ("result", "points", "winners", "said"),
    [
        (ALONE, [29], [], "Player 1 loses."),
        (ALONE, [30], [0], "Player 1 wins."),
        ("{score: point}", [7], [0], "Player 1 has 7 points."),
        ("{score: point}", [1], [0], "Player 1 has 1 point."),
    ],
)
def test_alone(tmp_path, result, points, winners, said):
    match = ended(patolli.load(str(written(tmp_path / "isle", result, 1))), {"point": points})

    assert (match.winners, verdict(match)) == (winners, said)


@pytest.mark.parametrize(
    ("points", "winners", "said"),
    [([8, 7], [0], "Player 1 wins."), ([8, 8], [1], "Player 2 wins."), ([7, 8], [1], "Player 2 wins.")],
)
def test_alone_against_a_seat_that_rules_play(tmp_path, points, winners, said):
    match = ended(patolli.load(str(written(tmp_path / "isle", RIVAL, 1, 1))), {"point": points})

    assert (match.winners, verdict(match)) == (winners, said)


def test_nothing_is_reported_winners_before_the_end(tmp_path):
    match = patolli.load(str(written(tmp_path / "isle", BEACON))).start()

    assert match.view(0)["winners"] is None
    assert match.winners == []


# ---- commands


@pytest.fixture
def isle(tmp_path):
    return written(tmp_path / "isle", TOGETHER)


def run(*arguments: object, input: str | None = None):
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=input, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_play_and_replay(isle, tmp_path):
    save = tmp_path / "save.json"
    lost = run("play", isle, "--seat", "all=human", "--save", save, input="leave\n")
    won = run("play", isle, "--seat", "all=human", input="light\n")

    assert lost.rstrip().endswith("No player wins.")
    assert "wins" not in lost.split("Scores")[1].split("\n", 1)[1].replace("No player wins", "")
    assert won.rstrip().endswith("All players win.")
    assert run("replay", save, "--pack", isle).rstrip().endswith("No player wins.")


def test_simulate(isle):
    report = json.loads(run("simulate", isle, "--games", "40", "--format", "json"))

    assert report["won_by_all"] + report["lost"] == 40
    assert report["wins"] == [report["won_by_all"]] * 3
    assert 0 < report["lost"] < 40
    text = run("simulate", isle, "--games", "40")
    assert re.search(rf"all players won +{report['won_by_all']} ", text)
    assert re.search(rf"all players lost +{report['lost']} ", text)


def test_simulate_alone(tmp_path):
    text = run("simulate", written(tmp_path / "isle", ALONE, 1), "--games", "4")

    assert re.search(r"\nlost +4  100.0%", text)


def test_show(isle):
    text = run("show", isle, "result")

    assert "wins: You win, if the beacon is 1." in text


SCENARIOS = """\
document: scenarios
scenarios:
  lost: {choose: [leave], start: set_up, then: {beacon: 0}, over: true, winners: []}
  won: {choose: [light], start: set_up, then: {beacon: 1}, over: true, winners: [player_1, player_2, player_3]}
"""


def test_scenarios(isle):
    (isle / "scenarios.yaml").write_text(SCENARIOS)
    assert "2 scenarios: all passed" in run("test", isle)


# ---- results that decide nothing

FOUND = [
    ("{score: beacon}", "rules.yaml:14:10", "all players always have the same score"),
    ("{score: beacon, ties: [seats, 3]}", "rules.yaml:14:10", "all players always have the same score"),
    ("{wins: seats > 2}", "rules.yaml:14:10", "whether a player has won is the same in every match"),
    ("{wins: beacon == 1, among: life > 0}", "rules.yaml:14:29", "'among' decides nothing beside 'wins'"),
    ("{wins: beacon == 1, ties: [life]}", "rules.yaml:14:29", "'ties' decides nothing beside 'wins'"),
    ("{ties: [point]}", "rules.yaml:14:10", "'ties' decides nothing without a score"),
    ("{among: life > 0}", "rules.yaml:14:10", "'among' decides nothing without a score"),
]


@pytest.mark.parametrize(("result", "place", "message"), FOUND)
def test_result_that_decides_nothing(tmp_path, result, place, message):
    folder = written(tmp_path / "isle", result)
    found = CliRunner().invoke(main, ["validate", str(folder)]).stdout

    assert f"{place}: warning[P0467]: {message}" in found


@pytest.mark.parametrize("result", WRITTEN)
def test_no_way_that_is_written_down_is_doubted(tmp_path, result):
    folder = written(tmp_path / "isle", result, 1 if result == ALONE else 3)

    assert "P0467" not in CliRunner().invoke(main, ["validate", str(folder)]).stdout


def test_a_score_of_a_player_alone_is_not_doubted(tmp_path):
    folder = written(tmp_path / "isle", "{score: beacon}", 1)

    assert "P0467" not in CliRunner().invoke(main, ["validate", str(folder)]).stdout
