"""One match between bots, as fast as possible."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from patolli.compiler.layout import FRAMES

if TYPE_CHECKING:
    from patolli.players import Bot
    from patolli.runtime import Match, Ruleset


def playout(
    rules: Ruleset, players: int | None = None, seed: int = 0, bots: Sequence[str | Bot] | str | None = None
) -> Match:
    """Play one match to its end and return it.

    Args:
        rules: What is played.
        players: The number of seats; the least allowed one when left out.
        seed: Decides everything, together with the bots.
        bots: A kind of bot for all seats, or a kind or a bot for each; left out, all choose at random.

    Raises:
        ValueError: The pack cannot be played with so many players, or there is no such kind of bot.
        MatchError: The content fails.
    """
    match = rules.start(players, seed)
    if bots is not None and bots != "random":
        return _play_out(match, seed, bots)
    draw = Random(seed).random
    pick = match.pick
    pending = match.pending
    while pending is not None:
        pick(int(draw() * len(pending)))
        pending = match.pending
    return match


def _play_out(match: Match, seed: int, bots: Sequence[str | Bot] | str) -> Match:
    from patolli.players import BOTS, make_bot

    kinds = [bots] * match.players if isinstance(bots, str) else list(bots)
    if len(kinds) != match.players:
        raise ValueError(f"{len(kinds)} bots for {match.players} seats")
    unknown = [kind for kind in kinds if isinstance(kind, str) and kind not in BOTS]
    if unknown:
        raise ValueError(f"there is no bot {unknown[0]!r}; there are {', '.join(BOTS)}")
    seats = [make_bot(kind, seed, seat) if isinstance(kind, str) else kind for seat, kind in enumerate(kinds)]
    frames = match.state[FRAMES]
    while match.pending is not None:
        match.pick(seats[frames[-1][1]].decide(match))
    return match
