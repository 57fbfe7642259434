"""What games teach: positions at which a player's turn has ended, and what each was worth in the end.

A bot compares positions in which its own turn is over, so these are what is learned: whenever another seat is asked, or
the same one again. What a position is worth is a mean of what came of it and of what the positions after it seem worth
now, which is less a matter of luck (a lambda return).

Source:
    R. S. Sutton, A. G. Barto, "Reinforcement Learning", 2nd ed. (2018), section 12.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patolli.kernel.budget import meter
from patolli.measure.training.selfplay import Played
from patolli.measure.training.sums import Taught
from patolli.play.learning.features import SCORE, Features, features_of
from patolli.play.learning.network import Network
from patolli.play.learning.outcomes import Yardstick, outcomes
from patolli.play.players.greedy import DEPTH
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.errors import MatchError

LAMBDA = 0.8
"""How much of what came of a position in the end is in what it is worth; 1 is all."""
Array = NDArray[np.float64]
Halves = NDArray[np.float16]


class Astray(ValueError):
    """The choices of a game do not lead to its end: they are not those that were made."""


@dataclass(slots=True)
class GameRecord:
    """What is seen of one game: by seat the features of every position, of shape (positions, features), and its end."""

    seen: list[Array]
    end: Match


@dataclass(slots=True)
class Lesson:
    """What one game teaches a network.

    Attributes:
        inputs: By seat every position as the network takes it, in order; of shape (positions, inputs).
        final: What came of it in the end, by seat that plays to learn.
    """

    inputs: list[Halves]
    final: list[float]

    @classmethod
    def of(cls, reported: GameRecord, network: Network, measured: Yardstick) -> Lesson:
        """Return what a game teaches a network that takes some features."""
        inputs = [network.inputs(seen).astype(np.float16) for seen in reported.seen]
        return cls(inputs, outcomes(reported.end, measured)[: len(inputs)])

    def taught(self, network: Network | None) -> Taught:
        """Return all positions with what they are to be worth; without a *network* that is what came of them."""
        wanted = []
        for inputs, final in zip(self.inputs, self.final, strict=True):
            worth = np.full(len(inputs), final)
            if network is not None:
                after = np.append(network.evaluate_inputs(inputs.astype(np.float64))[1:], final)
                going = final
                for position in range(len(inputs) - 1, -1, -1):
                    going = LAMBDA * going + (1 - LAMBDA) * after[position]
                    worth[position] = going
            wanted.append(worth)
        over = [np.arange(1, len(inputs) + 1) / len(inputs) for inputs in self.inputs]
        return Taught(np.concatenate(self.inputs), np.concatenate(wanted), np.concatenate(over))


def gone_through(rules: Ruleset, players: int, played: Played) -> Iterator[Match]:
    """Go through a finished game; yield its match after every choice. Raises Astray: it leads to another end."""
    match = rules.start(players, played.seed)
    yield match
    for choice in played.choices:
        if match.pending is None or not 0 <= choice < len(match.pending):
            raise Astray
        try:
            match.pick(choice)
        except MatchError as error:
            raise Astray from error
        yield match
    if not match.over:
        raise Astray


def make_lesson(rules: Ruleset, players: int, played: Played) -> GameRecord | None:
    """Go through a game again and keep what is seen; None where it is unfinished or shows nothing. Raises Astray."""
    if not played.over:
        return None
    matches = gone_through(rules, players, played)
    match, kept = next(matches), []
    asked, called, since = _asked_seat(match), meter.turns.copy(), 0
    for match in matches:
        since += 1
        if match.over:
            continue
        now = _asked_seat(match)
        if now != asked or meter.turns[asked] != called[asked] or since >= DEPTH:
            kept.append(match.clone())
            asked, called, since = now, meter.turns.copy(), 0
    if not kept:
        return None
    features = features_of(match)
    columns = features.columns(kept)
    return GameRecord([features.extract_features(columns, seat) for seat in range(players)], match)


def _asked_seat(match: Match) -> int:
    return match.decider if match.pending is not None else -1


def known_weights(features: Features, network: Network, measured: Yardstick) -> Array:
    """Return the weights of a sum that takes scores as they stand for those of the end."""
    weights = np.zeros(len(network.used))
    at = {features.names[feature]: number for number, feature in enumerate(network.used)}
    for name, sign in ((f"{SCORE}, mine", 1.0), (f"{SCORE}, of others", -1.0)):
        if name in at:
            weights[at[name]] = sign * network.spread[at[name]] / measured.scale
    return weights
