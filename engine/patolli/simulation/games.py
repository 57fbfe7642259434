"""The games of a simulation: what is to be played, and what is kept of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from patolli.diagnostics import given
from patolli.diagnostics.fault import NOT_THE_CONTENT, EngineFault
from patolli.diagnostics.given import whole
from patolli.players.bots import BotKind, Kind, kind_of
from patolli.players.chance import RandomBot
from patolli.players.seating import BotError
from patolli.runtime.errors import LIMIT, MatchError, endless
from patolli.runtime.invariants import BrokenInvariant
from patolli.simulation.playout import playout

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: so many games from a base seed, with a kind of bot on each seat.

    Attributes:
        players: The number of seats that are not played by rules.
        games: How many games, at least 1.
        seed: Decides everything that is random; each game gets a seed of its own from it.
        bots: A kind of bot for all seats, or a kind for each: a name such as ``"greedy"``, ``"module:Class"``, or a
            class below :class:`Bot`. Left out, all choose at random.
        limit: Choices after which a game is given up.
        invariants: Whether the declared invariants are held after every choice.

    Raises:
        TypeError: A value is of another type.
        ValueError: A number is too small, there are not as many bots as seats, or there is no such bot.
    """

    players: int
    games: int
    seed: int = 0
    bots: Sequence[BotKind] | BotKind = ()
    limit: int = LIMIT
    invariants: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", given.seed(self.seed))
        words = {"players": "the number of players", "games": "the number of games", "limit": "the limit of choices"}
        for name, what in words.items():
            number = whole(getattr(self, name), what)
            object.__setattr__(self, name, number)
            if number < 1:
                raise ValueError(f"{what} is at least 1, not {number}")
        object.__setattr__(self, "bots", self._kinds())

    def _kinds(self) -> tuple[Kind, ...]:
        bots: Any = self.bots
        alone = isinstance(bots, str) or not isinstance(bots, Sequence)
        kinds = [bots] * self.players if alone else list(bots) or ["random"] * self.players
        if len(kinds) != self.players:
            raise ValueError(f"{len(kinds)} bots for {self.players} seats")
        return tuple(map(kind_of, kinds))

    @property
    def at_random(self) -> bool:
        """Whether all choose at random."""
        return all(kind.make is RandomBot for kind in self.kinds())

    def kinds(self) -> tuple[Kind, ...]:
        """Return the kind of bot on each seat, as text its name."""
        found: Any = self.bots
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Game:
    """What is kept of one game. ``digest`` is empty when it did not reach its end; ``fault`` tells why.

    ``ranks`` is 1 for the best seat and so on, the same for equals; it is empty where the pack does not say who is
    better, but who wins. ``engine`` is there when a fault is not one of the content, but one of the program. ``broken``
    holds the choices that lead to where a bot failed, or to an invariant that does not hold.
    """

    index: int
    seed: int
    decisions: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    digest: str = ""
    fault: str = ""
    engine: EngineFault | None = None
    broken: tuple[int, ...] | None = None


def game_seed(seed: int, index: int) -> int:
    """Return the seed of the game at *index* (from 0) of a simulation: a hash of both, below 2 to the 62."""
    text = f"game {index} of {seed}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 2


def prepare(rules: Ruleset, plan: Plan, watched: bool = False) -> None:
    """Compile what playing in Python needs, before it is measured or a process is forked; see :func:`playout`.

    Raises:
        ValueError: The pack cannot be played by so many.
    """
    first = rules.start(plan.players, plan.seed, watched=watched)
    if plan.invariants:
        rules.reads(first.program)


def play_games(rules: Ruleset, plan: Plan, first: int, last: int, stopped: Callable[[], bool]) -> Iterator[Game]:
    """Play the games from *first* up to, without, *last*; ask *stopped* before each."""
    for index in range(first, last):
        if stopped():
            return
        yield play_game(rules, plan, index)


def play_game(rules: Ruleset, plan: Plan, index: int) -> Game:
    """Play the game at *index*."""
    seed = game_seed(plan.seed, index)
    bots = None if plan.at_random else plan.kinds()
    play = partial(playout, rules, plan.players, seed, bots, plan.limit, plan.invariants)
    return kept_game(index, seed, plan.limit, play)


def kept_game(index: int, seed: int, limit: int, play: Callable[[], Match]) -> Game:
    """Return what is kept of a game that *play* plays, whatever comes of it."""
    try:
        match = play()
        ends = _ends(match) if match.over else None
    except (BotError, BrokenInvariant) as error:
        return Game(index, seed, len(error.choices), fault=error.text(), broken=error.choices)
    except MatchError as error:
        return Game(index, seed, 0, fault=error.text())
    except Exception as error:
        broken = EngineFault.of(error, game=str(index), seed=str(seed))
        return Game(index, seed, 0, fault=f"{NOT_THE_CONTENT}: {broken.what}", engine=broken)
    if ends is not None:
        return Game(index, seed, len(match.choices), *ends)
    return Game(index, seed, len(match.choices), fault=endless(match, limit).text())


def _ends(match: Match) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], str]:
    """Return scores, winners, ranks and digest of a match that is over."""
    return tuple(match.scores), tuple(match.winners), tuple(match.ranks), match.digest()
