"""What differs between two variants is reported, surely and pair by pair; what does not is not."""

from __future__ import annotations

import json
from math import inf
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
from click.testing import CliRunner
from synthetic import OPTIONS, row

from patolli.cli.labcompare import _line
from patolli.cli.main import main
from patolli.measure.lab.comparison import compare, difference
from patolli.measure.lab.frame import Frame, open_run
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.lab.units import between

PACK, VARY = "content/gallery/curios", "pieces/mask/family=shells"


def made_up(
    folder, seed, matches=300, noise=0, always="", measures=MappingProxyType({}), counters=MappingProxyType({}), **more
):
    """Return made-up matches; those of one seed have the same luck, and *noise* gives each a little of its own."""
    head = {"variants": [{"name": "base", "pack": "made_up", "modules": [], "options": {}, "vary": {}}]}
    head |= {"players": 2, "bots": ["random"] * 2, "seed": 1, "limit": 100, "content": str(more), "noise": noise}
    store, own = Store(folder, head), Random(noise)
    for number in range(matches):
        one = row(number, Random(f"{seed} {number}"), **more)
        if noise:
            one["seat_score"] = [score + own.choice((-2, -1, 0, 1, 2)) for score in one["seat_score"]]
        if always:
            one["option_chosen"] = [
                int(n or id_ == always) for id_, n in zip(*(one[f"option_{w}"] for w in ("id", "chosen")), strict=True)
            ]
        for name, value in counters.items():
            one["digest"] = f"with {name} {value}"
            for column, said in zip(("id", "seat", "value"), (name, -1, value), strict=True):
                one[f"counter_{column}"].append(said)
        for name, value in measures.items():
            for nth in (1, 2):
                for column, said in zip(("id", "nth", "seat", "value"), (name, nth, -1, value + nth - 1), strict=True):
                    one[f"measure_{column}"].append(said)
        store.add("base", one)
    store.close()
    return Frame(open_run(folder), "base")


def test_change_that_is_never_met_leaves_all_pairs_the_same(tmp_path):
    found = compare(made_up(tmp_path / "a", 1), made_up(tmp_path / "b", 1))

    assert (found.pairs, found.same) == (300, 300)
    assert not any(one.sure for one in found.differences)


def test_change_is_found_with_a_fraction_of_the_matches(tmp_path):
    before = made_up(tmp_path / "a", 1)
    after = made_up(tmp_path / "b", 1, noise=5, worth={OPTIONS[2]: 3})
    found = {one.name: one for one in compare(before, after).differences}
    score = found["score of seat 1"]

    assert score.sure
    assert score.change.low < 1.5 < score.change.high
    assert score.correlation > 0.9
    assert score.unpaired > 2
    assert score.words.startswith("score of seat 1 1.")
    assert not found["turns"].sure


def test_option_that_is_no_longer_chosen_is_named(tmp_path):
    before = made_up(tmp_path / "a", 1)
    after = made_up(tmp_path / "b", 1, never=(OPTIONS[4],))
    first, *rest = compare(before, after).taken

    assert (first.name, first.after) == (OPTIONS[4], 0)
    assert first.believed < 1e-6
    assert all(one.believed > 0.05 for one in rest)


def test_option_that_came_into_all_matches_is_named_first(tmp_path):
    """Pairs that all differ alike have no spread, and are no less sure for that."""
    before = made_up(tmp_path / "a", 1, never=(OPTIONS[4],))
    after = made_up(tmp_path / "b", 1, always=OPTIONS[4])
    first, *rest = compare(before, after).taken

    assert (first.name, first.before, first.after) == (OPTIONS[4], 0, 300)
    assert first.believed < 1e-6
    assert 0.95 < first.change.low < first.change.high <= 1
    assert all(one.believed > 0.05 for one in rest)


def test_counter_that_nothing_reads_changes_no_match(tmp_path):
    found = compare(made_up(tmp_path / "a", 1), made_up(tmp_path / "b", 1, counters={"spare": 3}))
    other = compare(made_up(tmp_path / "c", 1, counters={"old": 1}), made_up(tmp_path / "d", 1, counters={"old": 2}))

    assert (found.pairs, found.same) == (300, 300)
    assert other.same == 0


def test_measures_of_the_pack_are_compared(tmp_path):
    before = made_up(tmp_path / "a", 1, measures={"coins_left": 3, "turns": 5, "gone": 1})
    after = made_up(tmp_path / "b", 1, noise=2, measures={"coins_left": 4, "turns": 5})
    found = {one.name: one for one in compare(before, after).differences}

    assert (found["coins left"].before.value, found["coins left"].after.value) == (4, 5)  # the last time counts
    assert found["coins left"].words == "coins left 1.00 more (in every pair): 5.00 instead of 4.00"
    assert not found["measures/turns"].sure
    assert "turns" in found
    assert "gone" not in found


def test_difference_of_shares_is_reported_in_percentage_points():
    random = np.random.default_rng(5)
    before = (random.random(4000) < 0.3).astype(float)
    after = np.where(random.random(4000) < 0.2, 1.0, before)
    one = difference("seat 1 wins", before, after, True)
    low, high = 100 * one.low, 100 * one.high

    assert one.words == (
        f"seat 1 wins {100 * one.change.value:.2f} percentage points more often ({low:.2f} to {high:.2f}): "
        f"{100 * one.after.value:.2f} % instead of {100 * one.before.value:.2f} %"
    )
    assert one.low < one.change.low  # what is reported holds for all numbers and at any time


def test_few_pairs_have_no_interval():
    one = difference("wins", np.zeros(30), np.ones(30), True)

    assert one.words == "wins: too few pairs"
    assert between(one.low, one.high, True) == "too few matches for an interval"


def test_pairs_that_all_differ_alike_leave_some_doubt():
    for value in (0.0, 0.5, 1.0):
        one = difference("wins", np.zeros(300), np.full(300, value), True)
        assert one.change.low < one.change.high <= 1
        assert one.low < one.high <= 1
        assert one.sure == (value > 0)
        assert not one.varies


@pytest.mark.parametrize("value", [0.0, 3.0])
def test_pairs_that_all_differ_alike_have_no_interval_where_values_have_no_reach(value):
    """An interval from 0 to 0 says that the next pair cannot differ, which is unknown."""
    one = difference("turns", np.arange(300.0), np.arange(300.0) + value, False)

    assert (one.change.low, one.change.high) == (-inf, inf)
    assert "equal in all pairs" in _line(one)


def test_differences_of_nothing_are_reported_at_most_1_time_in_20():
    """A thousand comparisons of pairs without a difference, looked at after each of 600 pairs."""
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(1000):
        before = random.normal(20, 6, 600)
        after = np.where(random.random(600) < 0.6, before, before + random.normal(0, 4, 600))
        wrong += difference("score", before, after, False).sure

    assert wrong <= 50


def test_unpaired_runs_are_refused(tmp_path):
    one = made_up(tmp_path / "a", 1)
    few = made_up(tmp_path / "b", 1, matches=10)
    with pytest.raises(StoreError, match="at least 30 are needed"):
        compare(one, few)
    other = made_up(tmp_path / "c", 1)
    other.plan["seed"] = 2
    with pytest.raises(StoreError, match="different seed: 1 and 2"):
        compare(one, other)


def call(*words):
    return CliRunner().invoke(main, ["lab", *map(str, words)])


def test_variants_of_a_run_are_compared(tmp_path):
    """The folder of a variant is named behind a colon."""
    plan = ("run", PACK, "--vary", VARY, "--games", 40, "--jobs", 1, "--out", tmp_path / "runs")
    done = call(*plan)
    assert done.exit_code == 0, done.output
    told = call("compare", f"{tmp_path}/runs:base", f"{tmp_path}/runs:v1")
    plain = call("compare", f"{tmp_path}/runs", f"{tmp_path}/runs:v1", "--format", "json")

    assert told.exit_code == 0, told.output
    assert "40 pairs of matches with the same seeds" in told.stdout
    data = json.loads(plain.stdout)
    assert data["pairs"] == 40
    assert data["same"] < 40
    assert {"seat 1 wins", "turns"} <= {one["name"] for one in data["differences"]}
    assert [line for line in told.stdout.splitlines()[1:] if len(line) > 96] == []
    assert call("compare", f"{tmp_path}/runs:base", f"{tmp_path}/runs:base").stdout.count("40 pairs are the same") == 1


def test_wrong_variant_is_reported(tmp_path):
    call("run", "tic_tac_toe", "--games", 2, "--jobs", 1, "--out", tmp_path / "runs")
    done = call("compare", f"{tmp_path}/runs:base", f"{tmp_path}/runs:v7")

    assert done.exit_code == 2
    assert "has no variant 'v7'; variants: base" in done.stderr


def test_variant_is_not_compared_with_itself_unnoticed(tmp_path):
    call("run", "tic_tac_toe", "--games", 2, "--jobs", 1, "--out", tmp_path / "runs")
    done = call("compare", f"{tmp_path}/runs:base", f"{tmp_path}/runs")

    assert done.exit_code == 2
    assert "both are the variant 'base'" in done.stderr
