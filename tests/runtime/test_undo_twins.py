"""Whether what another has chosen may be undone tells nothing of what one cannot see."""

from __future__ import annotations

from random import Random

import pytest
from tiers import few
from twins import seen_by, twin

import patolli
from patolli.run.runtime import Match, MatchError
from patolli.run.runtime.undo_limits import standing

GAMES = ["battleship", "curios", "goofspiel", "high_water", "promises", "skerry"]
SHARE = 0.3
"""Of the choices, how many are looked at."""


def other_world(before: Match, index: int, who: int, draw: Random) -> tuple[Match, Match, int] | None:
    """The same choice where all is different that one seat cannot see: before, after, and its index; if there is one."""
    other = twin(before, who, draw)
    if other.state == before.state:
        return None
    try:
        other.run()
        if other.pending is None or before.pending[index] not in other.pending:
            return None
        after, at = other.clone(), list(other.pending).index(before.pending[index])
        after.pick(at)
    except MatchError:
        return None  # such a world there cannot be
    return other, after, at


def compared(pack: str, seeds: range) -> tuple[int, list[str]]:
    """Hold what is reported in two worlds against each other; return how often, and where it differs."""
    rules, number, found = patolli.load(pack), 0, []
    for seed in seeds:
        draw, match = Random(seed), rules.start(None, seed)
        while not match.over:
            before, index = match.clone(), draw.randrange(len(match.pending))
            match.pick(index)
            if draw.random() > SHARE or match.over:
                continue
            for who in set(range(match.players)) - {before.decision.player}:
                world = other_world(before, index, who, draw)
                if world is None or world[1].over or seen_by(world[1], who) != seen_by(match, who):
                    continue
                number += 1
                said = [standing(before, match, index, own=False), standing(*world, own=False)]
                if said[0] != said[1]:
                    found.append(f"seed {seed}, choice {len(before.choices)}, seat {who}: {said}")
    return number, found


@pytest.mark.parametrize("pack", few(GAMES, 1))
def test_same_in_all_worlds(pack):
    number, differing = compared(f"content/gallery/{pack}", range(2))

    assert number > 3
    assert differing == []
