"""What games teach: positions at which somebody's turn has ended, and what each was worth in the end.

A bot compares positions in which its own turn is over, so these are what is learned: whenever another seat is asked, or
the same one anew. What a position is worth is a mean of what came of it and of what the positions after it seem worth
now, which is less a matter of luck (a lambda return).

Source:
    R. S. Sutton, A. G. Barto, "Reinforcement Learning", 2nd ed. (2018), section 12.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from patolli.kernel.state import turns
from patolli.learning.features import SCORE, Features, features_of
from patolli.learning.outcomes import Yardstick, outcomes
from patolli.players.greedy import DEPTH
from patolli.training.fitting import Examples

if TYPE_CHECKING:
    from patolli.learning.network import Network
    from patolli.runtime import Match, Ruleset
    from patolli.training.selfplay import Played

LAMBDA = 0.8
"""How much of what came of a position in the end is in what it is worth; 1 is all."""
POSITIONS = 40
"""Positions of one game that are learned from, at most; the seats are counted together."""
Array = NDArray[np.float64]
Inputs = NDArray[np.float32]


@dataclass(slots=True)
class Lesson:
    """What one game teaches.

    Attributes:
        seen: By seat the features of every position, in order; of shape (positions, features).
        end: The last position, which is over.
    """

    seen: list[Inputs]
    end: Match

    def wanted(self, network: Network | None, measured: Yardstick, weight: float = LAMBDA) -> list[Array]:
        """Return what each position is to be worth, by seat; without a *network* what came of it in the end."""
        final, found = outcomes(self.end, measured), []
        for seat, rows in enumerate(self.seen):
            worth = np.full(len(rows), final[seat])
            if network is not None and len(rows):
                after = np.append(network.values(rows)[1:], final[seat])
                going = final[seat]
                for position in range(len(rows) - 1, -1, -1):
                    going = weight * going + (1 - weight) * after[position]
                    worth[position] = going
            found.append(worth)
        return found


def lesson(rules: Ruleset, players: int, played: Played) -> Lesson | None:
    """Go through a game again and keep what it teaches; None where it did not come to its end."""
    if not played.over:
        return None
    match = rules.start(players, played.seed)
    kept = []
    asked, called, since = _asked(match), list(map(turns.__getitem__, range(match.players))), 0
    for choice in played.choices:
        match.pick(choice)
        since += 1
        if match.over:
            break
        now = _asked(match)
        if now != asked or turns[asked] != called[asked] or since >= DEPTH:
            kept.append(match.clone())
            asked, called, since = now, list(map(turns.__getitem__, range(match.players))), 0
    features = features_of(match)
    columns = features.columns(kept) if kept else np.zeros((0, features.width))
    return Lesson([features.seen(columns, seat).astype(np.float32) for seat in range(players)], match)


def _asked(match: Match) -> int:
    seat: int = match.frame[1] if match.pending is not None else -1
    return seat


def known_weights(features: Features, network: Network, measured: Yardstick) -> Array:
    """Return the weights of a sum that takes scores as they stand for those of the end."""
    weights = np.zeros(len(network.used))
    at = {features.names[feature]: number for number, feature in enumerate(network.used)}
    for name, sign in ((f"{SCORE}, mine", 1.0), (f"{SCORE}, of others", -1.0)):
        if name in at:
            weights[at[name]] = sign * network.spread[at[name]] / measured.scale
    return weights


def examples(lessons: list[Lesson], network: Network, learned: bool, measured: Yardstick, seed: int) -> Examples:
    """Return what some lessons teach: of each game some positions that *seed* decides.

    Where nothing was *learned* so far, they are worth what came of them in the end.
    """
    draw = Random(seed)
    inputs, wanted, games = [], [], []
    for number, one in enumerate(lessons):
        worth = one.wanted(network if learned else None, measured)
        most = max(1, POSITIONS // max(1, len(one.seen)))
        for seen, values in zip(one.seen, worth, strict=True):
            some = sorted(draw.sample(range(len(seen)), min(most, len(seen))))
            inputs.append(network.inputs(seen[some]).astype(np.float32))
            wanted.append(values[some])
            games.append(np.full(len(some), number))
    return Examples(np.concatenate(inputs), np.concatenate(wanted), np.concatenate(games))


__all__ = ["Lesson", "examples", "known_weights", "lesson"]
