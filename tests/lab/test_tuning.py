"""Settings that reach goals are found, and found again after whatever ended the search."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from patolli import load
from patolli.author.workspace.inspection import inspect
from patolli.cli.labplans import Wanted, from_plan
from patolli.cli.labregress import read_allowed
from patolli.cli.labtune import read_tuning
from patolli.cli.main import main
from patolli.measure.lab import proposals, tuning_search, variant_modules
from patolli.measure.lab.content import Content
from patolli.measure.lab.goals import asked_of, wish
from patolli.measure.lab.paired_runs import MatchPool
from patolli.measure.lab.parameters import space_of
from patolli.measure.lab.plans import PlanError, read_plan
from patolli.measure.lab.proposals import find_neighbor, propose_setting
from patolli.measure.lab.tuning_search import Search
from patolli.measure.lab.variant_modules import load_variant, write_module
from patolli.measure.simulation.estimates import Interrupted

pytestmark = pytest.mark.deep

PIG = """
pack: content/gallery/pig
players: 2
seed: 3
games: 60
trials: 6
check: 200
parameters:
  goal: 20 to 120 by 10
  rules/keep/do: ["gain pot point; set pot to 0", "gain pot + 1 point; set pot to 0"]
goals:
  - turns 18 to 32
"""

NUMBER = """
pack: content/gallery/promises
games: 8
trials: 2
check: 8
parameters:
  constants/tricks/value: 7 to 8
goals:
  - choices at most 70
"""


@pytest.fixture(scope="module")
def rules():
    return load("content/gallery/curios")


@pytest.fixture(scope="module")
def content(rules):
    return Content(rules, 2)


@pytest.mark.parametrize(
    ("text", "name", "low", "high"),
    [
        pytest.param("first player wins 50 +- 1 %", "first player", 0.49, 0.51, id="middle"),
        pytest.param("mask taken in 10 to 30 % of games", "mask taken", 0.1, 0.3, id="piece"),
        pytest.param("turns at least 20", "turns", 20, float("inf"), id="no end"),
        pytest.param("seat 2 wins at most 55 % of the matches", "seat 2 wins", float("-inf"), 0.55, id="no beginning"),
        pytest.param("score of seat 1 is -5 to 5.5", "score of seat 1", -5, 5.5, id="below nothing"),
    ],
)
def test_goal_is_read(content, text, name, low, high):
    found = wish(text, 2, content)

    assert (found.measure.name, found.low, found.high) == (name, pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("nice", "is not a goal; write", id="form"),
        pytest.param("frist player 50 +- 1 %", "did you mean 'first player'", id="measure"),
        pytest.param("first player 50 +- 1", "write %", id="a share"),
        pytest.param("turns 5 to 7 %", "remove the %", id="no share"),
        pytest.param("turns 7 to 5", "the lower bound comes first", id="order"),
        pytest.param("first player 101 to 120 %", "no share reaches", id="beyond"),
        pytest.param("masks taken in 1 to 2 %", "did you mean 'mask'", id="a piece"),
        pytest.param("nothing: at all chosen in 1 to 2 %", "unknown option", id="an option"),
    ],
)
def test_wrong_goal_is_reported(content, text, words):
    with pytest.raises(PlanError, match=words):
        wish(text, 2, content)


def test_miss_is_counted_in_widths(content):
    goal = wish("first player 50 +- 2 %", 2, content)

    assert goal.miss(0.51) == 0
    assert goal.miss(0.56) == pytest.approx(2)
    assert goal.least_miss(0.56, 0.03) == pytest.approx(0.5)
    assert [goal.verdict(*known) for known in ((0.5, 0.01), (0.5, 0.1), (0.56, 0.1), (0.6, 0.01))] == [
        "reached", "probably reached", "probably missed", "missed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        pytest.param({}, "'parameters' is empty", id="none"),
        pytest.param({"size": "1 to 3"}, "unknown option 'size'", id="option"),
        pytest.param({"pieces/nobody/family": ["a", "b"]}, "unknown entry 'pieces/nobody'", id="piece"),
        pytest.param({"pieces/mask/weight": "1 to 3"}, "has no 'weight'", id="key"),
        pytest.param({"pieces/mask/family": "shells"}, "needs 'LOW to HIGH'", id="form"),
        pytest.param({"pieces/mask/family": ["shells"]}, "needs at least two values", id="one value"),
        pytest.param({"pieces/mask/family": ["shells", "shells"]}, "twice", id="twice"),
    ],
)
def test_wrong_parameter_is_reported(rules, parameters, words):
    with pytest.raises(PlanError, match=words):
        space_of(parameters, rules)


def test_every_setting_of_a_small_space_is_tried_once():
    space = space_of({"goal": "20 to 120 by 50"}, load("content/gallery/pig"))
    tried = []
    while (setting := propose_setting(space, tried, 9, 1)) is not None:
        tried.append((setting, (1.0, space.measure_distance(setting))))

    assert [space.parameters[0].values[at] for (at,), _ in tried] == [120, 70, 20]


def test_optimiser_finds_the_best_with_fewer_trials_than_settings():
    space = space_of({"goal": "20 to 420 by 2"}, load("content/gallery/pig"))
    tried = []
    for _ in range(30):
        setting = propose_setting(space, tried, 30, 4)
        goal = space.parameters[0].values[setting[0]]
        tried.append((setting, (abs(goal - 300) / 10, space.measure_distance(setting))))

    assert len({setting for setting, _ in tried}) == 30
    assert min(miss for _, (miss, _) in tried) <= 1.0


def test_neighbors_of_the_best_setting_are_tried():
    space = space_of({"goal": "20 to 420 by 2"}, load("content/gallery/pig"))
    tried = [((at,), (abs(at - 70), 0.0)) for at in range(0, 200, 20)] + [((71,), None)]

    assert find_neighbor(space, tried) == (59,)
    assert find_neighbor(space, [*tried, ((59,), (11.0, 0.0))]) == (61,)
    assert find_neighbor(space, [*tried, ((70,), (0.0, 0.0))]) == (69,)
    assert propose_setting(space, tried, 30, 4) == (59,)
    assert find_neighbor(space, [((0,), None)]) is None
    assert find_neighbor(space, [((0,), (0.0, 0.0)), ((1,), (1.0, 0.0))]) is None


def searched(plan, out, fails=None):
    """Search; *fails* is how many calls to play there are before one is interrupted."""
    wanted, rules = read_tuning(plan, out)
    calls, real = [], MatchPool(lambda matches: 1).play

    def play(*given):
        calls.append(given)
        if fails is not None and len(calls) > fails:
            raise Interrupted
        real(*given)

    search, done = Search(wanted, out, rules, play), False
    with suppress(Interrupted):
        search.run(lambda trial: None)
        done = True
    return search, done, calls


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(PIG)
    return path


def test_search_that_is_ended_goes_on_to_the_same_end(plan, tmp_path):
    whole, done, calls = searched(plan, tmp_path / "whole")
    ended, early, _ = searched(plan, tmp_path / "parts", 7)
    after, late, more = searched(plan, tmp_path / "parts")

    assert (done, early, late) == (True, False, True)
    assert 0 < len(ended.trials) < len(whole.trials)
    assert len(more) < len(calls)
    assert after.trials == whole.trials


def test_trial_that_is_surely_worse_is_left_early(plan, tmp_path):
    plan.write_text(PIG.replace("turns 18 to 32", "turns 60 to 84"))  # as it is
    search, _, _ = searched(plan, tmp_path / "out")
    left = [one for one in search.trials if one.left]

    assert left
    assert all(one.matches < 60 and "is closer to the goals" in one.left for one in left)
    assert not any(one.left for one in search.front())


def test_result_is_a_module_that_validates(plan, tmp_path):
    before = {path: path.read_bytes() for path in Path("content/gallery/pig").glob("*.yaml")}
    plan.write_text(PIG.replace("turns 18 to 32", "turns 18 to 60").replace("  goal: 20 to 120 by 10\n", ""))
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out"), "--jobs", "1"])

    assert done.exit_code == 0, done.output
    assert "turns 18 to 60: reached" in done.stdout
    home = tmp_path / "out" / "pig_tuned"
    told = CliRunner().invoke(main, ["validate", str(home), "--strict"])
    assert told.exit_code == 0, told.output
    assert {path: path.read_bytes() for path in Path("content/gallery/pig").glob("*.yaml")} == before


@pytest.mark.parametrize(
    ("pack", "parameter", "given"),
    [
        pytest.param("promises", "constants/tricks/value", "5 to 8", id="number"),
        pytest.param("high_water", "constants/dealt/value/2", "3 to 5", id="number of some"),
        pytest.param("curios", "constants/family_points/value", [[0, 1, 3, 6, 10, 15, 20], [0, 1, 3]], id="list"),
        pytest.param("curios", "pieces/mask/family", ["shells", "masks"], id="name"),
        pytest.param("high_water", "kinds/village/fields/water/told", [True, False], id="yes or no"),
    ],
)
def test_value_of_any_kind_is_expected_as_it_stands_there(pack, parameter, given, tmp_path):
    pack = f"content/gallery/{pack}"
    base = load(pack)
    space = space_of({parameter: given}, base)
    one = space.parameters[0]
    other = next(at for at in range(len(one.values)) if one.measure_distance(at))
    write_module(tmp_path / "tuned", base, {parameter: one.values[other]}, "Tuned", "Tuned.", {parameter: one.before})

    found = inspect(pack, [tmp_path / "tuned"])

    assert [problem.message for problem in found.errors if problem.code == "P0122"] == []
    assert found.ruleset is not None


def test_whole_number_is_written_into_the_module_as_one(plan, tmp_path):
    plan.write_text(NUMBER)
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out"), "--jobs", "1"])
    told = CliRunner().invoke(
        main, ["validate", "content/gallery/promises", "--with", str(tmp_path / "out" / "promises_tuned")]
    )

    assert (done.exit_code, done.stderr) == (0, "")
    assert told.exit_code == 0, told.output


def test_plans_of_the_guides_can_be_played(tmp_path):
    """The pack that is anybody's own stands for one that is there."""
    text = "".join(Path(f"docs/how-to/{name}-a-game.md").read_text() for name in ("measure", "tune"))
    plans = [one for one in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if one.startswith("pack:")]
    for number, one in enumerate(plans):
        path = tmp_path / f"{number}.yaml"
        path.write_text(one.replace("my_game", "city_of_gods").replace("card_7", "tech_5"))
        if "parameters:" in one:
            read_tuning(path, tmp_path)
        elif "allow:" in one:
            read_allowed(path, tmp_path)
        else:
            what = Wanted.from_options(from_plan(path, read_plan(path)))
            assert [load_variant(variant, tmp_path) for variant in what.variants]

    assert len(plans) == 3


def test_module_that_is_not_valid_is_no_success(plan, tmp_path, monkeypatch):
    real = variant_modules.write_module

    def write(home, base, vary, title, text, expects=None):
        real(home, base, vary, title, text, expects and dict.fromkeys(expects, "something else"))

    monkeypatch.setattr(variant_modules, "write_module", write)
    plan.write_text(NUMBER)
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out"), "--jobs", "1"])

    assert done.exit_code == 1
    assert "is not what this patch expects" in done.stderr


def test_options_are_reported_as_they_are_no_part_of_a_module(plan, tmp_path):
    plan.write_text(
        PIG.replace("turns 18 to 32", "turns 18 to 44").replace(
            '  rules/keep/do: ["gain pot point; set pot to 0", "gain pot + 1 point; set pot to 0"]\n', ""
        )
    )
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out"), "--jobs", "1"])

    assert "options are set, not patched; play it with --set goal=" in done.stdout, done.output
    assert not (tmp_path / "out" / "pig_tuned").exists()


def test_result_as_data(plan, tmp_path):
    words = ["lab", "tune", str(plan), "--out", str(tmp_path / "out"), "--jobs", "1", "--format", "json"]
    done = CliRunner().invoke(main, words)
    data = json.loads(done.stdout)

    assert len(data["trials"]) == 6
    assert data["checked"][0]["matches"] == 200
    assert data["trials"][0]["turned"] == {}
    assert {one["trial"] for one in data["checked"]} >= {0, data["best"]}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        pytest.param("goals:", "gaols:", ":11: unknown key 'gaols'", id="key"),
        pytest.param("  - turns 18 to 32", "  - turn 18 to 32", "did you mean 'turns'", id="measure"),
        pytest.param("trials: 6", "trials: many", "'trials' must be a whole number, 1 or more", id="number"),
        pytest.param("  goal:", "  gaol:", "unknown option 'gaol'", id="parameter"),
        pytest.param("to 32", "to 32\n  - turns at least 40", "no value of turns reaches both", id="both"),
        pytest.param(
            "  - turns 18 to 32",
            "  - turn: hold chosen in 20 to 45 %",
            "put a goal with a colon in quotes: 'turn: hold chosen in 20 to 45 %'",
            id="quotes",
        ),
        pytest.param("goals:\n  - turns 18 to 32", "goals: turns", "'goals' must be a list of goals", id="form"),
    ],
)
def test_wrong_plan_is_reported_in_one_line(plan, tmp_path, old, new, words):
    assert old in PIG
    plan.write_text(PIG.replace(old, new))
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out")])

    assert done.exit_code == 2
    assert str(plan) in done.stderr
    assert words in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_setting_that_breaks_the_pack_is_reported_and_left(plan, tmp_path):
    plan.write_text(PIG.replace("gain pot + 1 point; set pot to 0", "gain pot piont"))
    search, done, _ = searched(plan, tmp_path / "out")

    assert done
    broken = [one for one in search.trials if one.broken]
    assert broken
    assert all("piont" in one.left for one in broken)


def test_full_disk_loses_no_trial(plan, tmp_path, monkeypatch):
    words = ["lab", "tune", str(plan), "--out", str(tmp_path / "out"), "--jobs", "1"]
    real, calls = tuning_search.write_whole, []

    def write(path, text):
        calls.append(path)
        if len(calls) == 3:
            raise OSError(28, "No space left on device", str(path))
        real(path, text)

    monkeypatch.setattr(tuning_search, "write_whole", write)
    full = CliRunner().invoke(main, words)
    monkeypatch.setattr(tuning_search, "write_whole", real)
    again = CliRunner().invoke(main, words)

    assert (full.exit_code, again.exit_code) == (2, 0)
    assert full.stderr.count("\n") == 1
    assert "earlier results are saved" in full.stderr
    assert "2 of 6 trials done" in again.stdout


def test_folder_of_another_search_is_refused(plan, tmp_path):
    searched(plan, tmp_path / "out", 1)
    searched(plan, tmp_path / "out", 5)
    plan.write_text(PIG.replace("seed: 3", "seed: 4"))
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out")])

    assert done.exit_code == 2
    assert "has another search" in done.stderr


def test_missing_optimiser_is_reported(plan, tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(proposals, "import_module", missing)
    done = CliRunner().invoke(main, ["lab", "tune", str(plan), "--out", str(tmp_path / "out")])

    assert done.exit_code == 2
    assert "pip install 'patolli[lab,tune]'" in done.stderr


def test_what_becomes_of_things_is_measured():
    content = Content(load("content/gallery/pig"), 2)
    row = {
        "option_id": ["turn: roll", "turn: stop"], "option_chosen": [3, 0], "option_offered": [5, 5],
        "taken_piece": ["card/mask"], "seen_piece": [],
    }  # fmt: skip
    found = {
        text: asked_of(text, 2, content).of(row)
        for text in ("turn: roll chosen", "turn: stop chosen", "turn: stop offered", "turn chosen")
    }

    assert found == {"turn: roll chosen": 1, "turn: stop chosen": 0, "turn: stop offered": 1, "turn chosen": 1}
    pieces = Content(load("content/gallery/curios"), 2)
    kind = pieces.designs["mask"]
    row |= {"taken_piece": [f"{kind}/mask"]}
    assert [asked_of(f"mask {word}", 2, pieces).of(row) for word in ("taken", "seen")] == [1, 0]


def test_measure_of_the_pack_is_meant_by_its_section(tmp_path):
    """Every game has turns; the pack may count others."""
    shutil.copytree("content/gallery/pig", tmp_path / "pig")
    (tmp_path / "pig" / "more.yaml").write_text("document: rules\nmeasures:\n  turns: {is: '7', text: Others.}\n")
    content = Content(load(tmp_path / "pig"), 2)
    row = {"turns": 30, "digest": "d", "measure_id": ["turns"], "measure_nth": [1], "measure_value": [7]}

    assert [asked_of(name, 2, content).of(row) for name in ("turns", "measures/turns")] == [30, 7]
    with pytest.raises(PlanError, match="has no 'measures/rounds'"):
        asked_of("measures/rounds", 2, content)


def test_measure_of_the_pack_is_a_measure():
    content = Content(load("city_of_gods"), 2)
    row = {
        "measure_id": ["power", "power", "power", "power", "topped"], "measure_nth": [1, 1, 2, 2, 1],
        "measure_value": [3, 5, 8, 9, 1],
    }  # fmt: skip
    nothing = dict.fromkeys(row, ())

    assert [asked_of(text, 2, content).of(row) for text in ("power", "power, time 1", "power, time 3")] == [
        8.5,
        4,
        None,
    ]
    assert wish("topped at most 60 %", 2, content).measure.of(row) == 1
    assert asked_of("temple steps", 2, content).of(nothing) is None
    with pytest.raises(PlanError, match="unknown measure 'power, time x'"):
        asked_of("power, time x", 2, content)


def test_piece_in_common_is_taken_when_an_option_that_names_it_is_chosen():
    content = Content(load("city_of_gods"), 2)
    name = next(name for name in ("learn: tech_5", "learn: learn tech_5") if content.named_pieces(name))
    row = {"taken_piece": [], "option_id": [name], "option_chosen": [1], "option_offered": [2]}

    assert [asked_of(f"tech_5 {word}", 2, content).of(row) for word in ("taken", "chosen", "offered")] == [1, 1, 1]
    assert asked_of("tech_3 taken", 2, content).of(row) == 0
    row["option_chosen"] = [0]
    assert [asked_of(f"tech_5 {word}", 2, content).of(row) for word in ("taken", "chosen", "offered")] == [0, 0, 1]
