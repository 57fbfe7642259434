"""The games of our own are played as they are written a second time, in plain Python."""

from __future__ import annotations

import pytest
from curios import WORTH, curios
from high_water import high_water
from oracles import compare
from promises import promises
from skerry import skerry

MATCHES = 10
GAMES = [
    ("curios", curios, (3, 4, 5), "", [{"lots": 12}]),
    ("promises", promises, (3, 4), "", [{"rounds": 1}, {"rounds": 3}]),
    ("skerry", skerry, (2, 3, 4), "", [{"years": 30}, {"years": 60}]),
    ("high_water", high_water, (2, 3, 4), "build", [{"floods": 10}, {"floods": 40, "storms": 2}]),
]


@pytest.mark.parametrize(("pack", "rules", "players", "eager", "options"), GAMES, ids=[game[0] for game in GAMES])
def test_plays_as_written_a_second_time(pack, rules, players, eager, options, record_property):
    decisions = [
        compare(pack, rules, players[seed % len(players)], seed, eager, **options[seed % len(options)])
        for seed in range(MATCHES)
    ]

    record_property("figure", f"{pack}, decisions compared with an oracle: {sum(decisions)}")
    assert sum(decisions) > 100


def test_other_rules_are_noticed(monkeypatch):
    monkeypatch.setitem(WORTH, 1, 2)

    with pytest.raises(AssertionError, match=r"after .* decisions it is|it ends with"):
        compare("curios", curios, 3, 1, "", lots=12)
