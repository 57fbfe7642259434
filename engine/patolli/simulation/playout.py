"""One match between bots, as fast as possible."""

from __future__ import annotations

from random import Random

from patolli.runtime import Match, Ruleset


def playout(rules: Ruleset, players: int | None = None, seed: int = 0) -> Match:
    """Play one match of uniformly random choices to its end and return it."""
    match = rules.start(players, seed)
    draw = Random(seed).random
    pick = match.pick
    pending = match.pending
    while pending is not None:
        pick(int(draw() * len(pending)))
        pending = match.pending
    return match
