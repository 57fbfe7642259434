"""Whether the leader at half time runs away, and why."""

from __future__ import annotations

from random import Random

import pytest
from littlepacks import lay
from synthetic import row

from patolli import load
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Run, findings
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.runaway import RUNAWAY
from patolli.measure.lab.store import Store

HEAD = {
    "variants": [{"name": "base", "pack": "made_up", "modules": [], "options": {}, "vary": {}}],
    "players": 2, "bots": ["random"] * 2, "seed": 1, "limit": 100, "content": "none", "targets": [],
}  # fmt: skip
MODEL = "counters:\n  point: {per: player, noun: [point, points], text: Points}\n"
RULES = """rules:
  match:
    do: |
      repeat 20 times:
        for p in players: as p: earn()
  earn():
    do: |
      choose one "How many?":
        "one": gain 1 point
        "two": gain 2 point
      BONUS
result: {score: point}
"""


@pytest.fixture(scope="module")
def content():
    return Content(load("content/gallery/pig"), 2)


def runaways(folder, content, matches=300, seed=5, **more):
    """Return the findings about leaders in a made-up game."""
    store, random = Store(folder, HEAD), Random(seed)
    for number in range(matches):
        store.add("base", row(number, random, **more))
    store.close()
    return [one for one in findings(Run.of(Frame(store, "base"), content)) if one.kind == RUNAWAY]


def test_half_of_the_points_at_half_time_is_no_runaway_leader(tmp_path, content):
    """Three points are what half of a sum of two equal halves differs by, if the sum differs by six."""
    assert not runaways(tmp_path, content, half=3.0)


def test_leader_that_is_rarely_caught_is_found(tmp_path, content):
    (one,) = runaways(tmp_path, content, half=1.0)

    assert one.text.startswith("the leader at half time wins 9")
    assert "what has put it ahead brings more points" in one.text
    assert len(one.matches) == 3


@pytest.mark.deep
def test_equal_halves_raise_few_alarms(tmp_path, content):
    """At most 1 of 100 reports; 5 of 100 would happen in 4 of 1,000 such tests."""
    found = sum(bool(runaways(tmp_path / str(seed), content, 150, seed, half=3.0)) for seed in range(100))

    assert found < 5


@pytest.mark.parametrize(
    ("bonus", "rules"),
    [
        ("if point > 9: gain 1 point", ["earn"]),
        ("gain point div 4 point", ["earn"]),
        ("if point > 9: lose 1 point", []),
        ("if point > 40: end match", []),
    ],
)
def test_rules_in_which_the_score_decides_what_is_gained(tmp_path, bonus, rules):
    folder = lay(tmp_path, MODEL, RULES.replace("BONUS", bonus))

    assert [rule for rule, _ in Content(load(folder), 2).score_effects] == rules
