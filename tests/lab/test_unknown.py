"""What is not known is not reported as a number, and findings say no more than their intervals."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from synthetic import row

from patolli import load
from patolli.measure.lab import run_differences, seats
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Run, findings
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.numbers import numbers
from patolli.measure.lab.page import page
from patolli.measure.lab.report import report
from patolli.measure.lab.store import Store


@pytest.fixture(scope="module")
def content():
    return Content(load("content/gallery/pig"), 2)


@pytest.fixture
def made_up(content, tmp_path):
    """Return what makes a run of made-up matches; *change* changes each row."""

    def make(name, change=lambda row: None, matches=120, players=2, **more):
        head = {"variants": [{"name": "base", "pack": "made_up", "modules": [], "options": {}, "vary": {}}]}
        head |= {"players": players, "bots": ["random"] * players, "seed": 1, "limit": 100, "content": "none"}
        store, random = Store(tmp_path / name, head), Random(1)
        for number in range(matches):
            change(one := row(number, random, seats=players, **more))
            store.add("base", one)
        store.close()
        return Run.of(Frame(store, "base"), content)

    return make


def by_name(run):
    return {one.name: one for one in numbers(run)}


def test_kingmaking_is_not_known_where_points_are_not_attributed(made_up):
    known = made_up("known", players=3, gift=9)
    unknown = made_up("unknown", lambda row: row.update(option_points=None), players=3)

    assert by_name(known)["kingmaking"].known.value > 0.1
    assert np.isnan(by_name(unknown)["kingmaking"].known.value)
    (one,) = (one for one in report(unknown)["numbers"] if one["name"] == "kingmaking")
    assert np.isnan(one["value"])
    text = page(report(unknown), [])
    assert "<p class=name>kingmaking</p><p><span class=value>not known</span>" in text
    assert "nan" not in text


def test_numbers_that_may_be_anything_are_left_out(made_up):
    """If scores are 0 until the end, no player is ever ahead."""

    def hide(row):
        row["course_score"] = [0] * len(row["course_score"])

    found = by_name(made_up("hidden", hide))

    assert not {"lead changes", "winner not ahead", "decided after", "ahead at 50% wins"} & found.keys()
    assert {"seat 1 wins", "kingmaking"} & by_name(made_up("open")).keys() == {"seat 1 wins"}
    assert "ahead at 50% wins" in by_name(made_up("open again"))


def test_mean_of_one_match_has_no_interval(made_up):
    text = page(report(made_up("one", matches=1)), [])

    assert "too few matches for an interval" in text
    assert "unknown to unknown" not in text
    assert "0.00 to 100.0 %" not in text


def test_seat_is_not_said_to_win_more_than_it_may(made_up, content, monkeypatch):
    """The points are surely more, the wins are not."""
    run = made_up("seats")
    monkeypatch.setattr(run.frame, "ahead", np.tile([2.0, -2.0], (120, 1)) + run.frame.ahead * 1e-3)
    monkeypatch.setattr(run.frame, "wins", np.tile([[1.0, 0.0], [0.0, 1.0]], (60, 1)))
    (found,) = seats.seats(run.frame, content)

    assert "(41.2 to 58.8), which may be its share of 50.0 %" in found.text
    assert "is +2.00 points ahead" in found.text or "is -2.00 points ahead" in found.text


def test_more_turns_and_fewer_choices_are_two_findings(made_up):
    then = made_up("then", lambda row: row.update(turns=row["match"] % 3 + 10, choices=row["match"] % 5 + 40))
    now = made_up("now", lambda row: row.update(turns=row["match"] % 4 + 20, choices=row["match"] % 7 + 20))
    found = {one.kind: one.text for one in run_differences.lengths(now, then)}

    assert " more than before" in found["longer"]
    assert "fewer" not in found["longer"]
    assert " fewer than before" in found["shorter"]
    assert "more" not in found["shorter"]


@pytest.mark.parametrize(("direct", "kind"), [(False, "changed"), (True, "consequence")])
def test_the_only_finding_of_a_change_is_no_consequence(direct, kind):
    thing = SimpleNamespace(name="turn: buy", score=None, examples=[1])
    changes = SimpleNamespace(describe_changes=lambda: ("price", "rules.yaml:7"))
    found = run_differences._follows([(thing, 0.2, 0.1)], changes, direct)

    assert (found.kind, found.where) == (kind, "rules.yaml:7")
    assert found.name == ("turn: buy" if direct else "price")


def test_made_up_matches_have_no_findings(made_up):
    assert findings(made_up("plain")) == []


def test_points_that_seem_to_come_from_the_last_of_secret_choices_make_no_kingmaker(made_up):
    """Players choose secretly, and all points come after the last choice: the other seats seem to give nothing."""

    def only_last(row):
        kept = [at for at, seat in enumerate(row["gift_seat"]) if seat == 2]
        row.update({name: [row[name][at] for at in kept] for name in row if name.startswith("gift_")})

    assert "kingmaker" in {one.kind for one in findings(made_up("each", players=3, gift=9))}
    last = made_up("last", only_last, players=3, gift=9)
    assert findings(last) == []
    assert by_name(last)["kingmaking"].known.value == 0


def test_kingmaking_is_estimated_from_the_matches_that_say_who_gave_points(made_up):
    """Of slow scores only some matches have them; the others count neither for nor against it."""
    unscored = {"course_turn": None, "course_score": None, "option_points": None}
    unscored |= {f"gift_{name}": [] for name in ("option", "seat", "to", "times", "points")}
    full = made_up("full", players=3, gift=9, matches=500)
    some = made_up("some", lambda row: row.update(unscored if row["match"] % 2 else {}), players=3, gift=9, matches=500)
    names = ("kingmaking", "lead changes", "decided after", "winner behind by", "winner not ahead")

    for name in names:
        all_, half = (by_name(run)[name].known for run in (full, some))
        assert half.count <= all_.count / 2 + 25
        assert half.value == pytest.approx(all_.value, abs=3 * half.error), name
    assert "Based on the 250 matches" in by_name(some)["kingmaking"].limits
    assert "kingmaker" in {one.kind for one in findings(some)}
