"""How much each source of chance decides is known of games that are made for it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from patolli import load
from patolli.cli.main import main
from patolli.kernel.chance import draw_again, stream_key
from patolli.measure.lab.frame import open_run
from patolli.measure.lab.luck import BOTS, FEWEST, replay_luck, shares

pytestmark = pytest.mark.deep

PACK = "document: pack\nid: dice\nversion: 1.0.0\nlanguage: 2\ntitle: Dice\nplayers: {min: 2, max: 2}\n"
MODEL = "document: model\ncounters: {coin: {per: player, text: Coins}}\n"
RULES = """document: rules
rules:
  match: |
    for p in players:
      as p: turn()
  turn: |
    choose one:
      "one": say "one"
      "another": say "another"
    random great in 1..6
    random small in 1..2
    gain 10 * great coin
    gain small coin
result: {score: coin}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A game in which a large die decides nearly all, a small one next to nothing, and players nothing."""
    pack, folder = tmp_path_factory.mktemp("dice"), tmp_path_factory.mktemp("run") / "dice"
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", RULES)):
        (pack / f"{name}.yaml").write_text(text)
    done = call("run", pack, "--games", 120, "--jobs", 1, "--out", folder)
    assert done.exit_code == 0, done.output
    return pack, folder


def call(*words):
    return CliRunner().invoke(main, ["lab", *map(str, words)])


def test_source_that_decides_is_distinguished_from_those_that_do_not(run):
    pack, folder = run
    known = shares(replay_luck(open_run(folder), load(str(pack)), 120))
    great, small = known["random.great"], known["random.small"]

    assert next(iter(known)) == "random.great"
    assert great.low < 0.99 < great.high
    assert small.high < 0.02
    assert (known[BOTS].low, known[BOTS].high) == (0, 0)


def test_parts_of_a_sum_are_those_of_its_variance():
    """Of two normal numbers that are added, with spreads of 3 and 4, one has 9 and the other 16 parts of 25."""
    random, missed, values = np.random.default_rng(3), 0, []
    for _ in range(200):
        one, two = random.normal(0, 3, (2, 300)), random.normal(0, 4, (2, 300))
        moved = {"one": (one[1] - one[0]).tolist(), "two": (two[1] - two[0]).tolist()}
        known = shares({"results": (one[0] + two[0]).tolist(), "moved": moved})
        missed += not known["two"].low < 0.64 < known["two"].high
        values.append(known["one"].value)

    assert missed <= 20  # 10 are expected, with a spread of 3
    assert np.mean(values) == pytest.approx(0.36, abs=0.01)


def test_no_part_is_more_than_the_whole():
    """What alone decides moves the result by twice its variance; at random it is a bit more."""
    random = np.random.default_rng(5)
    found = [
        shares({"results": one.tolist(), "moved": {"all": (other - one).tolist()}})["all"]
        for one, other in (random.normal(0, 3, (2, FEWEST)) for _ in range(50))
    ]
    assert all(0 <= known.low <= known.value <= known.high <= 1 for known in found)


def test_of_few_matches_and_of_such_as_end_alike_nothing_is_reported():
    few = {"results": [1.0, 2.0], "moved": {"a": [1.0, 1.0]}}
    alike = {"results": [1.0] * FEWEST, "moved": {"a": [0.0] * FEWEST}}

    assert (shares(few), shares(alike)) == ({}, {})


def test_other_streams_stay_as_they_were():
    before = stream_key(5, "a"), stream_key(5, "b")
    with draw_again("a"):
        assert stream_key(5, "a") != before[0]
        assert stream_key(5, "b") == before[1]

    assert (stream_key(5, "a"), stream_key(5, "b")) == before


def test_report_shows_what_was_found(run):
    _, folder = run
    done = call("luck", folder, "--games", 40)
    data = json.loads(call("report", folder, "--format", "json").stdout)
    told = [one["name"] for one in data["numbers"] if one["group"] == "Luck and skill"]

    assert done.exit_code == 0, done.output
    assert "random.great" in done.output
    assert told[0] == "random.great"


def test_what_belongs_to_another_run_is_refused(run, tmp_path):
    _, folder = run
    call("luck", folder, "--games", 20)
    path = folder / "luck" / "base.json"
    path.write_text(path.read_text().replace('"plan": "', '"plan": "x'))
    done = call("report", folder, "--format", "json")

    assert done.exit_code == 2
    assert "belongs to another run" in done.output
    path.unlink()
