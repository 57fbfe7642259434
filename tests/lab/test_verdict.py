"""The verdict answers the first questions, and says what is not known."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from synthetic import OPTIONS, row

from patolli import load
from patolli.cli.main import main
from patolli.language.program.targets import name_measures
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Run, findings
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.measures import measures
from patolli.measure.lab.page import page
from patolli.measure.lab.report import nothing, report
from patolli.measure.lab.run_data import Finding
from patolli.measure.lab.store import Store
from patolli.measure.lab.verdict import _answer_fair


@pytest.fixture(scope="module")
def content():
    return Content(load("content/gallery/pig"), 2)


@pytest.fixture
def made_up(content, tmp_path):
    def make(matches=400, seats=2, bots=None, name="run", seed=1, targets=(), **more):
        head = {"variants": [{"name": "base", "pack": "made_up", "modules": [], "options": {}, "vary": {}}]}
        head |= {"players": seats, "bots": bots or ["random"] * seats, "seed": seed, "limit": 100, "content": "none"}
        head |= {"targets": list(targets)}
        store, random = Store(tmp_path / name, head), Random(seed)
        for number in range(matches):
            store.add("base", row(number, random, seats=seats, **more))
        store.close()
        return Run.of(Frame(store, "base"), content)

    return make


def answers(run):
    return {one["question"]: one for one in report(run)["verdict"]["answers"]}


def test_what_few_matches_would_not_show_is_not_said_to_be_absent(made_up):
    """With 120 matches only half of all wins would be seen; with 1,500 a tenth."""
    few, many = (answers(made_up(matches=number, name=str(number)))["Too strong"] for number in (120, 1500))

    assert few["verdict"] == "not known"
    assert "too few matches: only effects of at least" in few["text"]
    assert many["verdict"] == "nothing"


def test_fair_is_not_known_of_few_matches_and_says_how_many_tell(made_up):
    fair = answers(made_up())["Fair"]

    assert fair["verdict"] == "not known"
    assert fair["known"]["low"] < 0.5 < fair["known"]["high"]
    assert "about 1,350 matches in all would decide whether it is fair to 2.5 percentage points" in fair["text"]


@pytest.mark.parametrize(
    ("first", "second", "kinds", "verdict"),
    [
        pytest.param(2000, 2000, (), "yes", id="fair"),
        pytest.param(2050, 1950, (), "not known", id="may be unfair"),
        pytest.param(2100, 1900, (), "not known", id="unfair by the interval alone"),
        pytest.param(2100, 1900, ("seat",), "nearly", id="a little unfair"),
        pytest.param(2300, 1700, ("seat",), "no", id="unfair"),
    ],
)
def test_fair_is_known_of_many(first, second, kinds, verdict):
    wins = np.array([[1.0, 0.0]] * first + [[0.0, 1.0]] * second)
    frame = SimpleNamespace(seats=2, plan={"bots": ["random"] * 2}, wins=wins)

    assert _answer_fair(frame, [Finding(kind, "seat 1", "") for kind in kinds]).verdict == verdict


def test_a_few_matches_do_not_promise_what_they_did_not_bring():
    """Seats are tested from 100 matches on, so fewer never decide, however far the shares are apart."""
    wins = np.array([[1.0, 0.0]] * 40 + [[0.0, 1.0]] * 20)
    frame = SimpleNamespace(seats=2, plan={"bots": ["random"] * 2}, wins=wins)

    assert "about 100 matches in all would decide" in _answer_fair(frame, []).text


def test_other_questions(made_up):
    found = answers(made_up(matches=800, worth={OPTIONS[3]: 6}))

    assert list(found) == [
        "Fair", "Length", "Skill", "Too strong", "Too weak", "Unused", "Decided when", "Runaway leader", "Real choices",
    ]  # fmt: skip
    assert OPTIONS[3] in found["Too strong"]["text"]
    assert found["Too weak"]["verdict"] == found["Unused"]["verdict"] == "nothing"
    assert found["Skill"]["verdict"] == "not known"
    assert "chance: 50 %, runaway: 75 %" in found["Runaway leader"]["text"]
    assert found["Length"]["text"].startswith("3.0 (3.0 to 3.0) turns")


@pytest.mark.parametrize(
    ("target", "verdict", "words"),
    [
        pytest.param("turns 2 to 4", "reached", "3.0 (3.0 to 3.0)", id="reached"),
        pytest.param("choices at most 30", "missed", "40.0 (40.0 to 40.0)", id="missed"),
        pytest.param("first player 45 to 51.5 %", "probably missed", "matches would decide", id="needs more matches"),
        pytest.param("first player 50 +- 40 %", "reached", "%", id="share"),
    ],
)
def test_targets_come_first_in_the_verdict(made_up, target, verdict, words):
    found = report(made_up(targets=[target]))["verdict"]["answers"][0]

    assert (found["question"], found["verdict"]) == (f"Target: {target}", verdict)
    assert words in found["text"]


def test_run_keeps_its_targets(tmp_path):
    def lab(*words):
        return CliRunner().invoke(main, ["lab", *map(str, words)])

    plan, out = tmp_path / "plan.yaml", tmp_path / "run"
    plan.write_text("pack: content/gallery/pig\ngames: 20\ntargets: [turns at least 2, turns at most 900]\n")
    first = lab("run", plan, "--out", out, "--jobs", 1)
    assert first.exit_code == 0, first.output
    assert "Target: turns at most 900 reached " in lab("report", out, "--out", tmp_path / "one.html").output
    words = ("run", "content/gallery/pig", "--games", 20, "--out", out, "--jobs", 1, "--target")

    assert "0 matches played now" in lab(*words, "turns at most 1").output
    assert "Target: turns at most 1 missed " in lab("report", out, "--out", tmp_path / "two.html").output
    wrong = lab(*words, "turn at most 1")
    assert (wrong.exit_code, "did you mean 'turns'?" in wrong.stderr) == (2, True)
    plan.write_text("pack: content/gallery/pig\ntargets: {turns: 3}\n")
    assert f"{plan}: 'targets' must be a list of goals" in lab("run", plan, "--out", out).stderr


def test_skill_is_what_the_better_bot_wins(made_up):
    found = answers(made_up(bots=["greedy", "random"], advantage=3.0))

    assert found["Skill"]["verdict"] == "yes"
    assert found["Fair"]["verdict"] == "not known"
    assert "different bots" in found["Fair"]["text"]


def test_page_begins_with_the_verdict(made_up):
    data = report(made_up(matches=800, worth={OPTIONS[3]: 6}))
    text = page(data, [])

    assert data["verdict"]["headline"] == "1 thing stands out: dominant"
    assert text.index("id=verdict") < text.index("id=findings")
    assert "1 thing stands out: dominant." in text


def test_nothing_stands_out_says_what_would_have_been_seen(made_up):
    said = nothing(report(made_up()))

    assert said.startswith("nothing stands out: 8 of 10 such runs would have found a seat that wins ")
    assert "points and " in said
    assert "of the wins more or less than the next of its kind" in said


@pytest.mark.deep
def test_smallest_effect_is_seen_in_8_of_10_runs(made_up):
    """An effect of the stated size is found; the statement is about points and wins, and both must be there."""
    from patolli.measure.lab.standouts import find_smallest
    from patolli.measure.lab.verdict import CERTAINTY

    points, wins = find_smallest(made_up(name="plain"), CERTAINTY)
    seen = 0
    for seed in range(20):
        run = made_up(name=f"run {seed}", seed=seed, worth={OPTIONS[3]: max(points, 30 * wins)})
        seen += ("dominant", OPTIONS[3]) in [(one.kind, one.name) for one in findings(run)]

    assert seen >= 14


def test_targets_of_the_pack_are_answered_and_names_are_those_of_the_lab(made_up, content, monkeypatch):
    monkeypatch.setattr(Content, "targets", ["turns 2 to 4"])
    assert answers(made_up(matches=60))["Target: turns 2 to 4"]["verdict"] == "reached"
    assert "Target: turns 2 to 4" not in answers(made_up(matches=60, name="own", targets=["choices at most 50"]))

    known = {one.name: one.share for one in measures(3).values()}
    assert dict(name_measures(3)) == known
