"""The games of our own are played as they are written a second time, in plain Python."""

from __future__ import annotations

import pytest
from curios import WORTH, curios
from oracles import compare
from own import GAMES
from tiers import few

MATCHES = 10


@pytest.mark.parametrize("game", few(GAMES, 0, 2), ids=lambda game: game.pack)
def test_plays_as_written_a_second_time(game, record_property):
    decisions = [game.play(seed) for seed in range(MATCHES)]

    record_property("figure", f"{game.pack}, decisions compared with an oracle: {sum(decisions)}")
    assert sum(decisions) > 100


def test_other_rules_are_noticed(monkeypatch):
    monkeypatch.setitem(WORTH, 1, 2)

    with pytest.raises(AssertionError, match=r"after .* decisions it is|it ends with"):
        compare("curios", curios, 3, 1, "", lots=12)
