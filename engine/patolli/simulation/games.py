"""The games of a simulation: what is to be played, and what is kept of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from patolli.diagnostics.fault import NOT_THE_CONTENT, EngineFault
from patolli.runtime.errors import LIMIT, MatchError, endless
from patolli.runtime.invariants import BrokenInvariant
from patolli.simulation.playout import playout

if TYPE_CHECKING:
    from patolli.runtime import Ruleset


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: so many games from a base seed, with a kind of bot on each seat."""

    players: int
    games: int
    seed: int = 0
    bots: tuple[str, ...] = ()  # of the seats that are not played by rules
    limit: int = LIMIT  # choices after which a game is given up
    invariants: bool = True  # whether they are held against every choice

    def kinds(self) -> tuple[str, ...]:
        """Return the kind of bot on each seat."""
        return self.bots or ("random",) * self.players


@dataclass(frozen=True, slots=True)
class Game:
    """What is kept of one game. ``digest`` is empty when it did not reach its end; ``fault`` tells why.

    ``engine`` is there when that is no fault of the content, but one of the program. ``broken``
    holds the choices that lead to an invariant that does not hold.
    """

    index: int
    seed: int
    decisions: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    digest: str = ""
    fault: str = ""
    engine: EngineFault | None = None
    broken: tuple[int, ...] | None = None


def game_seed(seed: int, index: int) -> int:
    """Return the seed of the game at *index* (from 0) of a simulation: a hash of both, below 2 to the 62."""
    text = f"game {index} of {seed}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 2


def play_games(rules: Ruleset, plan: Plan, first: int, last: int, stopped: Callable[[], bool]) -> Iterator[Game]:
    """Play the games from *first* up to, without, *last*; ask *stopped* before each."""
    bots = plan.kinds()
    simple = all(kind == "random" for kind in bots)
    for index in range(first, last):
        if stopped():
            return
        seed = game_seed(plan.seed, index)
        try:
            match = playout(rules, plan.players, seed, None if simple else bots, plan.limit, plan.invariants)
            ends = (tuple(match.scores), tuple(match.winners), match.digest()) if match.over else None
        except BrokenInvariant as error:
            yield Game(index, seed, len(error.choices), fault=error.text(), broken=error.choices)
            continue
        except MatchError as error:
            yield Game(index, seed, 0, fault=error.text())
            continue
        except Exception as error:
            broken = EngineFault.of(error, game=str(index), seed=str(seed))
            yield Game(index, seed, 0, fault=f"{NOT_THE_CONTENT}: {broken.what}", engine=broken)
            continue
        if ends is not None:
            yield Game(index, seed, len(match.choices), *ends)
        else:
            yield Game(index, seed, len(match.choices), fault=endless(match, plan.limit).text())
