"""The games of our own, each with the rules that were written a second time, and how they are played against them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from allotments import allotments
from apiaries import apiaries
from curios import curios
from drystone import drystone
from high_water import high_water
from millstream import millstream
from oracles import Rules, compare
from packways import packways
from promises import promises
from skerry import skerry


@dataclass(frozen=True, slots=True)
class Own:
    """A game of our own.

    ``players`` and ``options`` are taken in turn, match by match. An answer that begins with ``eager`` is given whenever
    it can be, where chance alone would rarely come to it.
    """

    pack: str
    rules: Callable[..., Rules]
    players: Sequence[int]
    options: Sequence[Mapping[str, int]]
    eager: str = ""

    def play(self, seed: int) -> int:
        """Play a match in both; return how many decisions were the same.

        Raises:
            AssertionError: The two are not the same.
        """
        players, options = self.players[seed % len(self.players)], self.options[seed % len(self.options)]
        return compare(self.pack, self.rules, players, seed, self.eager, **options)


GAMES = (
    Own("curios", curios, (3, 4, 5), [{"lots": 12}]),
    Own("promises", promises, (3, 4), [{"rounds": 1}, {"rounds": 3}]),
    Own("skerry", skerry, (2, 3, 4), [{"years": 30}, {"years": 60}]),
    Own("high_water", high_water, (2, 3, 4), [{"floods": 10}, {"floods": 40, "storms": 2}], "build"),
    Own("apiaries", apiaries, (2, 3, 4), [{"seasons": 12}, {"seasons": 22}], "swarm"),
    Own("packways", packways, (2, 3, 4), [{"weeks": 10}, {"weeks": 30}], "open"),
    Own("allotments", allotments, (2, 3, 4), [{"seasons": 1}, {"seasons": 2}], "rabbit"),
    Own("millstream", millstream, (2, 3, 4), [{"rounds": 4}, {"rounds": 12}], "build"),
    Own("drystone", drystone, (2, 3, 4), [{"fells": 12}, {"fells": 36}]),
)
