"""What a bot is, and the table of all kinds of bots."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

from patolli.players.chance import RandomBot
from patolli.players.greedy import GreedyBot

if TYPE_CHECKING:
    from patolli.runtime import Match


class Bot(Protocol):
    """Decides for one seat. A bot changes nothing but itself; the same seed gives the same choices."""

    def decide(self, match: Match) -> int:
        """Return the index of the option to take in the open question of *match*."""


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""Every kind of bot by name: each is made from a seed."""


def make_bot(kind: str, seed: int, seat: int) -> Bot:
    """Make a bot for a seat of a match with this seed.

    Raises:
        KeyError: There is no such kind.
    """
    return BOTS[kind](seat_seed(seed, seat))


def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of the bot on a seat: a hash, so that neighbouring seeds share nothing."""
    text = f"seat {seat} of {seed}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
