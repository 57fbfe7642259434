"""The games of our own are played as they are written a second time, in plain Python."""

from __future__ import annotations

import pytest
from oracles import compare
from promises import promises
from skerry import skerry

MATCHES = 10
GAMES = [
    ("promises", "card", promises, (3, 4)),
    ("skerry", "card", skerry, (2, 3, 4)),
]


@pytest.mark.parametrize(("pack", "kind", "rules", "players"), GAMES, ids=[game[0] for game in GAMES])
def test_plays_as_written_a_second_time(pack, kind, rules, players, record_property):
    decisions = [compare(pack, kind, rules, players[seed % len(players)], seed) for seed in range(MATCHES)]

    record_property("figure", f"{pack}, decisions compared with an oracle: {sum(decisions)}")
    assert min(decisions) > 20
