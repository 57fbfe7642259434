"""One game of a tournament, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from patolli.language.diagnostics.fault import EngineFault
from patolli.measure.simulation.games import Game, kept_game
from patolli.measure.simulation.playout import playout
from patolli.measure.tournaments.schedule import LineUp
from patolli.play.players.bot_seats import BotError, Player
from patolli.play.players.bots import Kind, make_bot
from patolli.run.runtime import Match, Ruleset

Key = tuple[int, int]
"""The number of a unit, and of a game in the unit."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The record of a game that was played.

    Attributes:
        unit: The number of its unit.
        number: Its number in the unit.
        line_up: By seat, the number of the bot.
        game: The result of the game.
        moves: By seat, how often the bot decided.
        seconds: By seat, how long the bot thought in total.
        failed: The seat of the bot that failed, or -1.
    """

    unit: int
    number: int
    line_up: LineUp
    game: Game
    moves: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    failed: int = -1

    @property
    def key(self) -> Key:
        """The number of the unit, and of the game in it."""
        return self.unit, self.number

    def data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        game = self.game
        return {
            "unit": self.unit, "game": self.number, "seed": game.seed, "bots": list(self.line_up),
            "choices": game.decisions, "scores": list(game.scores), "winners": list(game.winners),
            "ranks": list(game.ranks), "digest": game.digest, "moves": list(self.moves),
            "seconds": [round(one, 6) for one in self.seconds], "failed": self.failed, "fault": game.fault,
            "engine": game.engine is not None,
            "broken": None if game.broken is None else list(game.broken),
        }  # fmt: skip

    @classmethod
    def of(cls, data: dict[str, Any]) -> Contest:
        """Return the contest from the data of :meth:`data`. Raises KeyError, TypeError or ValueError: it is invalid."""
        broken = data["broken"]
        unit, number, failed, seed, choices = _check_whole(
            [data[name] for name in ("unit", "game", "failed", "seed", "choices")]
        )
        game = Game(
            number, seed, choices, _check_whole(data["scores"]), _check_whole(data["winners"]),
            _check_whole(data["ranks"]), str(data["digest"]), str(data["fault"]),
            EngineFault.of(RuntimeError(str(data["fault"]))) if data["engine"] else None,
            None if broken is None else _check_whole(broken),
        )  # fmt: skip
        seconds = tuple(map(float, data["seconds"]))
        return cls(unit, number, _check_whole(data["bots"]), game, _check_whole(data["moves"]), seconds, failed)


def _check_whole(numbers: Any) -> tuple[int, ...]:
    if not isinstance(numbers, list) or any(type(one) is not int for one in numbers):
        raise ValueError("these must be whole numbers")
    return tuple(numbers)


class Timed:
    """Wrap a bot and measure how long it thinks."""

    def __init__(self, bot: Player) -> None:
        self._bot = bot
        self.moves, self.seconds = 0, 0.0

    def decide(self, match: Match) -> int:
        """Return the index of the option that the bot takes."""
        self.moves += 1
        began = perf_counter()
        try:
            return self._bot.decide(match)
        finally:
            self.seconds += perf_counter() - began


def play(rules: Ruleset, kinds: Sequence[Kind], line_up: LineUp, key: Key, seed: int, limit: int) -> Contest:
    """Play one game."""
    seats: list[Timed] = []
    failed: list[int] = []

    def match() -> Match:
        try:
            seats.extend(Timed(make_bot(kinds[bot], seed, seat)) for seat, bot in enumerate(line_up))
            return playout(rules, len(line_up), seed, seats, limit)
        except BotError as error:
            failed.append(error.seat)
            raise

    unit, number = key
    game = kept_game(number, seed, limit, partial(match))
    moves, seconds = tuple(one.moves for one in seats), tuple(one.seconds for one in seats)
    return Contest(unit, number, tuple(line_up), game, moves, seconds, failed[0] if failed else -1)
