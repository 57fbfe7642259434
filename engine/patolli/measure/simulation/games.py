"""The games of a simulation: the plan of what to play, and the record of each game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

from patolli.language.diagnostics import given
from patolli.language.diagnostics.fault import NOT_THE_CONTENT, EngineFault
from patolli.language.diagnostics.given import whole
from patolli.measure.simulation.playout import playout
from patolli.play.players.bot_seats import BotError
from patolli.play.players.bots import BotKind, Kind, kind_of
from patolli.play.players.chance import RandomBot
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.errors import LIMIT, MatchError, endless
from patolli.run.runtime.invariants import BrokenInvariant


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of games: how many, from which base seed, with which kind of bot on each seat.

    Attributes:
        players: The number of seats that rules do not play.
        games: The number of games, at least 1.
        seed: The base seed; the seed of each game is derived from it.
        bots: A kind of bot for all seats, or a kind for each: a name such as ``"greedy"``, ``"module:Class"``, or a
            subclass of :class:`Bot`. By default, all seats choose at random.
        limit: The number of choices after which a game is abandoned.
        invariants: Whether the declared invariants are checked after every choice.

    Raises:
        TypeError: A value has the wrong type.
        ValueError: A number is too small, the number of bots differs from the number of seats, or there is no such bot.
    """

    players: int
    games: int
    seed: int = 0
    bots: Sequence[BotKind] | BotKind = ()
    limit: int = LIMIT
    invariants: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", given.check_seed(self.seed))
        words = {"players": "the number of players", "games": "the number of games", "limit": "the limit of choices"}
        for name, what in words.items():
            number = whole(getattr(self, name), what)
            object.__setattr__(self, name, number)
            if number < 1:
                raise ValueError(f"{what} must be at least 1, not {number}")
        object.__setattr__(self, "bots", self._resolve_kinds())

    def _resolve_kinds(self) -> tuple[Kind, ...]:
        bots: Any = self.bots
        alone = isinstance(bots, str) or not isinstance(bots, Sequence)
        kinds = [bots] * self.players if alone else list(bots) or ["random"] * self.players
        if len(kinds) != self.players:
            raise ValueError(f"{len(kinds)} bots for {self.players} seats")
        return tuple(map(kind_of, kinds))

    @property
    def at_random(self) -> bool:
        """Whether all seats choose at random."""
        return all(kind.make is RandomBot for kind in self.kinds())

    def kinds(self) -> tuple[Kind, ...]:
        """Return the kind of bot on each seat, as the text of its name."""
        found: Any = self.bots
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Game:
    """The record of one game.

    Attributes:
        index: The number of the game, from 0.
        seed: Its own seed: ``rules.start(players, seed)`` starts the same game.
        scores: The score of each seat.
        ranks: 1 for the best seat and so on; equal seats have equal ranks. Empty if the pack declares winners but no
            order.
        winners: The seats that won.
        decisions: The number of choices.
        digest: A hash of the final state; empty if the game did not end.
        fault: Why the game did not end; empty otherwise.
        engine: Whether the fault is an internal error and not an error of the content.
        broken: The choices that lead to a failed bot or a broken invariant.
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
    """Compile what playing in Python needs, before time is measured or a process is forked; see :func:`playout`.

    Raises:
        ValueError: The pack does not allow this number of players.
    """
    first = rules.start(plan.players, plan.seed, watched=watched)
    if plan.invariants:
        rules.reads(first.program)


def play_games(rules: Ruleset, plan: Plan, first: int, last: int, stopped: Callable[[], bool]) -> Iterator[Game]:
    """Play the games from *first* up to, but not including, *last*; call *stopped* before each game."""
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
    """Return the record of a game that *play* plays, also if the game fails."""
    try:
        match = play()
        ends = _read_result(match) if match.over else None
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


def _read_result(match: Match) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], str]:
    """Return scores, winners, ranks and digest of a match that is over."""
    return tuple(match.scores), tuple(match.winners), tuple(match.ranks), match.digest()
