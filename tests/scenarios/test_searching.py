"""Random matches are searched for one that fails at an open demand or breaks a promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from patolli.author.scenarios import Plan, run_scenarios
from patolli.cli import main

PACK = {
    "pack": "document: pack\nid: tiles\nversion: 1.0.0\nlanguage: 3\ntitle: Tiles\nplayers: {min: 1, max: 2}\n"
    "components: {tile: 9}\n",
    "model": "document: model\nkinds: {tile: {}}\ngrids: {cell: {rows: 3, columns: 3}}\nplaces:\n"
    "  bag: {of: tile, type: pile}\n  laid: {of: tile, per: cell, type: spot}\n"
    "counters: {point: {per: player}, step: {}}\n",
    "tiles": "document: pieces\nkind: tile\nplace: bag\npieces: {tile: {copies: 9}}\n",
    "rules": "document: rules\nrules:\n  match: |\n    loop:\n      let t = top(bag)\n      stop unless t\n"
    '      choose c in cell "Where?"\n      LAY\n      gain 1 step\n      pass to next(me)\nresult: {score: point}\n',
}
TAKEN = "move t to laid(c)"
PROMISE = 'expect step < 7 "a match is short"\n      if not laid(c): move t to laid(c)'
HELD = "if laid(c): stop\n      expect step <= 9\n      move t to laid(c)"
EXTREME = (
    'repeat 16 times:\n        choose one:\n          "left": gain 1 step\n          "right": nothing\n'
    "      gain 4 div (16 - step) point\n      end match"
)
"""It fails if a match goes to the left 16 times: of random matches one of 65,536."""
NEVER = "if step > 900:\n        gain 4 div (step - 901) point\n      if not laid(c): move t to laid(c)"


@pytest.fixture
def tiles(tmp_path):
    """Write a pack with a line for what is done with the tile that was chosen."""

    def written(lay: str, manifest: str = "") -> Path:
        folder = tmp_path / "tiles"
        folder.mkdir(exist_ok=True)
        for name, text in PACK.items():
            text = text.replace("LAY", lay) + (manifest if name == "pack" else "")
            (folder / f"{name}.yaml").write_text(text, "utf-8")
        return folder

    return written


def searched(folder, budget=2_000):
    """Test a pack without its smoke run; return the one search."""
    result = run_scenarios(Plan((str(folder),), search=budget))
    assert result.problems == []
    (search,) = result.searches
    return search


@pytest.mark.parametrize(("lay", "choices", "code"), [(TAKEN, 2, "P0810"), (PROMISE, 8, "P0820")])
def test_match_that_fails_is_shortened_and_becomes_a_scenario(tiles, lay, choices, code):
    folder = tiles(lay)
    search = searched(folder)

    (failure,) = search.failures
    assert [demand.words for demand in search.demands] == ["fails"]
    assert failure.problems[0].help == f"patolli explain {code} says more"
    line = next(line for line in failure.log if "choose:" in line)
    assert line.count(",") + 1 == choices
    (folder / "found.yaml").write_text(
        "document: scenarios\nscenarios:\n" + "".join(f"  {line}\n" for line in failure.log), "utf-8"
    )
    again = run_scenarios(Plan((str(folder),), select="found", search=0))
    assert [outcome.problems for outcome in again.outcomes] == [[]]
    assert searched(folder).failures[0].log == failure.log  # the same each time


def test_what_holds_and_what_is_never_reached(tiles):
    search = searched(tiles(HELD))
    assert search.failures == []
    assert [demand.held > 20 for demand in search.demands] == [True]
    assert 2_000 <= search.choices <= 2_010

    (demand,) = searched(tiles(NEVER)).demands
    assert (demand.code, demand.words) == ("P0414", "never reached")


def test_rules_that_do_much_do_not_end_the_search_early(tiles):
    """A choice takes some 2,300 steps, which count ten times as long as lines are counted."""
    busy = (
        HELD
        + "\n      let n = count(a in cell, b in cell, d in cell where laid(a) == laid(b) and not laid(d))\n      set step to min(n, step)"
    )
    search = searched(tiles(busy), 1_000)

    assert [demand.held > 0 for demand in search.demands] == [True]
    assert search.counted < search.matches
    assert search.choices > 200


def test_players_with_preferences_come_to_extremes(tiles):
    (failure,) = searched(tiles(EXTREME), 30_000).failures

    assert any(", ".join(["left"] * 16) in line for line in failure.log), failure.log


def test_invariants_are_searched_where_demands_may_be_open(tiles):
    folder = tiles("if not laid(c): move t to laid(c)")
    (folder / "always.yaml").write_text("document: rules\ninvariants: {short: {always: step < 7}}\n", "utf-8")
    search = searched(folder)

    assert [(demand.code, demand.words) for demand in search.demands] == [("P0814", "fails")]
    assert "short" in search.failures[0].log[-1]


LATE = 'if step == 900:\n        expect count(d in cell where laid(d)) < 9 "it is short"\n      if not laid(c): move t to laid(c)'
LAID = "if not laid(c): move t to laid(c)"
SCENARIO = """document: scenarios
scenarios:
  late:
    given: set step to 900
    call: match()
    choose: [a1]
    then: {step: 901}
"""


@pytest.mark.parametrize(
    ("lay", "scenario", "found"),
    [
        (LATE, "", ["no scenario and no match of the smoke run reaches this promise"]),
        (LATE, SCENARIO, []),
        (TAKEN, "", ["this could not be proven, and nothing is promised"]),
        (LAID, "", []),
    ],
)
def test_strict_wants_a_promise_and_a_test(tiles, lay, scenario, found):
    folder = tiles(lay)
    (folder / "late.yaml").write_text(scenario or "document: scenarios\nscenarios: {}\n", "utf-8")
    result = run_scenarios(Plan((str(folder),), search=0, strict=True))

    assert [(problem.code, problem.message) for problem in result.problems] == [("P0615", one) for one in found]
    if lay == LATE:
        built = CliRunner().invoke(main, ["pack", "build", str(folder), "--out", str(folder.parent / "tiles.zip")])
        assert (built.exit_code, "P0615" in built.output) == ((1, True) if found else (0, False)), built.output


def test_otherwise_that_is_never_taken_is_reported(tiles):
    lay = "if not laid(c): move t to laid(c)\n      choose d in cell {}\n      otherwise:\n        gain 2 step\n        stop"
    promise = '\n      expect step < 5000 "short"'
    (never,) = searched(tiles(lay.format("where not laid(d) or step > 0") + promise)).untaken
    assert never.line == 11
    assert searched(tiles(lay.format("where laid(d) and step == 7") + promise)).untaken == []


def test_there_is_no_search_where_all_is_proven(tiles):
    folder = tiles("if not laid(c): move t to laid(c)")

    assert run_scenarios(Plan((str(folder),))).searches == []
    assert run_scenarios(Plan((str(tiles(TAKEN)),), search=0)).searches == []


def test_command_prints_the_scenario_and_fails(tiles):
    folder = str(tiles(TAKEN))
    text = CliRunner().invoke(main, ["test", folder, "--search", "500"])
    data = json.loads(CliRunner().invoke(main, ["test", folder, "--search", "500", "--format", "json"]).stdout)

    assert text.exit_code == 1
    assert "as a scenario:" in text.stdout
    assert "1 demand to check: 0 always true, 1 fail" in text.stdout
    assert [one["fails"] for one in data["searches"][0]["demands"]] == [True]
    assert CliRunner().invoke(main, ["test", str(tiles(NEVER)), "--search", "500"]).exit_code == 0
