"""Which answers a simulation gives beyond the tree, where nothing is remembered of single positions.

Where nothing is hidden nor left to chance, victories are looked for: one that is there is taken, and what gives one
away is not done. Elsewhere answers are those that did well in other simulations.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Generic

from patolli.play.players.search.game import Asked, Game, Position
from patolli.play.players.search.history import History
from patolli.play.players.search.settings import Settings

FEW, MANY = 12, 48
"""Of so few answers each is tried for a victory, of up to so many those which have ended a match before.

No more than those few are tried, and among more none: it takes longer than it is worth.
"""
GUESSES = 2
"""Answers that are looked at more closely, before one is given in any case."""


class Beyond(Generic[Position]):
    """Gives the answers of one search beyond its tree."""

    def __init__(self, game: Game[Position], random: Random, history: History, settings: Settings, ahead: bool) -> None:
        """Answer by chance and by history; *ahead* says whether victories are looked for."""
        self.game, self._random, self._history = game, random, history
        self._near = settings.near if ahead else 0
        self._cautious = settings.careful
        self._notes = ahead and settings.history
        self._among = settings.among
        self.guided = settings.history and settings.guided and not ahead

    def answer(self, position: Position, asked: Asked, played: int, quiet: bool) -> tuple[int, bool]:
        """Return the index of an answer, and whether it is certain that the next seat cannot win at once.

        Args:
            position: Where it is given.
            asked: What is asked there, with at least two answers.
            played: How many answers were given beyond the tree before.
            quiet: Whether it is certain that this seat cannot win at once.
        """
        close = played < self._near
        index = self._winning(position, asked) if close and not quiet else -1
        if index >= 0:
            return index, False
        index = self._guess(asked)
        return self._careful(position, asked, index) if close and self._cautious else (index, False)

    def note_win(self, key: int, answer: Any) -> None:
        """Note that an answer to a question has won a match at once."""
        if self._notes:
            self._history.endings.add((key, answer))

    def _guess(self, asked: Asked) -> int:
        draw, number = self._random.random, len(asked.options)
        if not self.guided:
            return int(draw() * number)
        return self._history.guess(asked.key, asked.options, draw, self._among)

    def _careful(self, position: Position, asked: Asked, index: int) -> tuple[int, bool]:
        """Return an answer that does not let the next seat win at once, if one of a few guesses is such, else any.

        The first guess stands at an index. Whether it is certain that the next seat cannot win at once is told, too.
        """
        game = self.game
        for _ in range(GUESSES):
            trial = game.copy(position)
            game.pick(trial, index)
            reply = game.open_question(trial)
            if reply is None or reply.seat == asked.seat or len(reply.options) > MANY:
                return index, False
            if self._winning(trial, reply) < 0:
                return index, True
            index = self._guess(asked)
        return index, False

    def _winning(self, position: Position, asked: Asked) -> int:
        """Return the index of an answer with which the seat that is asked wins at once; -1 where none is found."""
        game, (key, seat, options) = self.game, asked
        among: Sequence[int] = range(len(options))
        if len(options) > MANY:
            return -1
        if len(options) > FEW:
            endings = self._history.endings
            among = [index for index in among if (key, options[index]) in endings][:FEW]
        for index in among:
            trial = game.copy(position)
            game.pick(trial, index)
            if game.open_question(trial) is None and game.outcome(trial)[seat] >= 1:
                return index
        return -1
