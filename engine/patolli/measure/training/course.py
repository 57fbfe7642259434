"""The course of a training: rounds of games; after each, the network is fitted and everything is written.

A round depends on the seed, how many games there were, and what was learned before it, and on nothing else. So a
course that was ended from outside goes on from the last round that was written and the games that were over since, and
comes to the same; what is lost are the games in hand. Games of earlier rounds are kept as their choices and gone
through again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from patolli.author.workspace.processes import Lost, Pool
from patolli.language.sources.atomic_files import write_whole
from patolli.measure.simulation.games import game_seed
from patolli.measure.simulation.parallel import own_context, recipe, unpack
from patolli.measure.training.lessons import Astray, GameRecord, Lesson, gone_through, known_weights, make_lesson
from patolli.measure.training.network_fit import LAYER, Adam, fit
from patolli.measure.training.rounds import RoundFile, beside
from patolli.measure.training.selfplay import Played, self_play
from patolli.play.learning.features import features_of
from patolli.play.learning.files import Arrays, ModelError, judge_of, pack_file, read_arrays, stamp
from patolli.play.learning.judge import Judge
from patolli.play.learning.network import Network
from patolli.play.learning.outcomes import yardstick
from patolli.run.runtime import Ruleset

ROUND = 40
"""Games of a round; later rounds have more."""
SHARE, MOST = 10, 10
"""A round is this part of what was played before it, and has at most so many times the games of the first."""
FIRST = 6
"""Rounds that are played by greedy bots."""
ANOTHER, DELETE = "name another --out", "delete it, or name another --out"
WINDOW = 60
"""How many times the games of a round are learned from."""
LIMIT = 4_000
"""Choices after which a game is given up."""


@dataclass(slots=True)
class Course:
    """A training: what is played, and what has come of it so far. ``games`` are those of the last rounds."""

    rules: Ruleset
    players: int
    seed: int = 0
    round_games: int = ROUND
    played: int = 0
    judge: Judge | None = None
    adam: Adam = field(default_factory=Adam)
    games: list[Played] = field(default_factory=list)
    loss: float = 0.0
    _lessons: dict[int, Lesson | None] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """How many rounds there would be, were they all like the first."""
        return self.played // self.round_games

    def go_on(self, jobs: int, stopped: Callable[[], bool], path: Path | None = None) -> bool:
        """Play and learn from one more round; return whether it was finished.

        Args:
            jobs: Processes.
            stopped: Returns whether no further game is to be begun.
            path: Where the course will be written; games of a round that is not finished are kept beside it.

        Raises:
            OSError: They cannot be.
        """
        size = min(MOST, max(1, self.rounds // SHARE)) * self.round_games
        pieces = range(self.played, self.played + size)
        kept = RoundFile(beside(path), self._words()) if path is not None else None
        found = {n: one for n, one in kept.games.items() if n in pieces and self._goes(n, one)} if kept else {}
        try:
            for index, one in self._play_games([index for index in pieces if index not in found], jobs, stopped):
                found[index] = one
                if kept is not None:
                    kept.add(index, one)
        finally:
            if kept is not None:
                kept.close()
        if len(found) < size:
            return False
        self.games = [*self.games, *(found[index] for index in pieces)][-WINDOW * self.round_games :]
        self.played += size
        self._learn()
        return True

    def _goes(self, index: int, game: Played) -> bool:
        """Return whether a game that was kept can be gone through."""
        try:
            for _ in gone_through(self.rules, self.players, game) if game.over else ():
                pass
        except Astray:
            return False
        return game.seed == game_seed(self.seed, index)

    def _play_games(self, pieces: list[int], jobs: int, stopped: Callable[[], bool]) -> Iterator[tuple[int, Played]]:
        given = self.players, self.seed, self.judge if self.rounds >= FIRST else None
        if jobs <= 1:
            for index in pieces:
                if stopped():
                    return
                yield index, _self_play(index, self.rules, *given)
            return
        context = own_context()
        with Pool(context, jobs, _self_play, unpack, (recipe(self.rules, context), *given)) as pool:
            for index, one in pool.run_pieces(pieces, stopped):
                yield index, Played(game_seed(self.seed, index), (), over=False) if isinstance(one, Lost) else one

    def _learn(self) -> None:
        """Fit the network to the games of the window."""
        teacher = self.judge.network if self.judge is not None else None
        if self.judge is None:
            self.judge = _first([one for game in self.games if (one := self._make_lesson(game)) is not None], self.seed)
        if self.judge is None:
            return
        judge, known = self.judge, self._lessons
        self._lessons = {game.seed: known.get(game.seed) or self._lesson(game, judge) for game in self.games}
        games = [one.taught(teacher) for one in self._lessons.values() if one is not None]
        if games:
            features = features_of(self.rules.start(self.players))
            scores = known_weights(features, judge.network, judge.measured)
            self.loss = fit(judge.network, self.adam, games, scores, self.seed * 1_000_003 + self.rounds)

    def recall(self, path: Path) -> None:
        """Go through the games of a course that goes on, before anything is played.

        Args:
            path: The file that they come from.

        Raises:
            ModelError: Some of them cannot be gone through.
        """
        if self.judge is None:
            return
        for number, game in enumerate(self.games):
            try:
                self._lessons[game.seed] = self._lesson(game, self.judge)
            except Astray:
                words = f"{path} is damaged: the choices of game {number + 1} do not lead to its end"
                raise ModelError(words, DELETE, damaged=True) from None

    def _make_lesson(self, game: Played) -> GameRecord | None:
        return make_lesson(self.rules, self.players, game)

    def _lesson(self, game: Played, judge: Judge) -> Lesson | None:
        seen = self._make_lesson(game)
        return Lesson.of(seen, judge.network, judge.measured) if seen is not None else None

    # ---- files

    def write(self, path: Path) -> None:
        """Write what was learned and what it takes to go on, whole or not at all. Raises OSError: writing fails."""
        assert self.judge is not None
        words = {**self._words(), "steps": self.adam.steps, "loss": self.loss}
        more: dict[str, Any] = {f"first_{name}": self._moment(self.adam.first, name) for name in LAYER}
        more.update((f"second_{name}", self._moment(self.adam.second, name)) for name in LAYER)
        more["seeds"] = np.array([game.seed for game in self.games], dtype=np.int64)
        more["over"] = np.array([game.over for game in self.games], dtype=bool)
        more["lengths"] = np.array([len(game.choices) for game in self.games], dtype=np.int64)
        more["choices"] = np.array([choice for game in self.games for choice in game.choices], dtype=np.int64)
        names = features_of(self.rules.start(self.players)).names
        write_whole(path, pack_file(self.judge, names, words, more))
        beside(path).unlink(missing_ok=True)

    def _words(self) -> dict[str, Any]:
        course = {"seed": self.seed, "played": self.played, "round": self.round_games}
        return {**stamp(self.rules, self.players), **course}

    def _moment(self, moments: dict[str, Any], name: str) -> Any:
        assert self.judge is not None
        return moments.get(name, np.zeros_like(getattr(self.judge.network, name)))


def _first(games: list[GameRecord], seed: int) -> Judge | None:
    """Return what has learned nothing yet, with the features that change in some games; None where there are none."""
    if not games:
        return None
    rows = np.concatenate([seen for one in games for seen in one.seen])
    return Judge(Network.initialize(rows, seed), yardstick([one.end for one in games]))


def read_course(path: Path, rules: Ruleset, players: int, seed: int, round_games: int = ROUND) -> Course:
    """Return the course that a file holds, to go on with it. Raises ModelError: it is unreadable, or another course."""
    arrays = read_arrays(path)
    judge, words = judge_of(arrays, rules, players, path), arrays["words"]
    for name, value in (("seed", seed), ("round", round_games)):
        if words.get(name) != value:
            raise ModelError(f"{path} was trained with the {name} {words.get(name)}, not {value}", ANOTHER)
    try:
        played, loss = int(words["played"]), float(words["loss"])
        games = _games(arrays, seed, played)
        moments = [_moments(arrays, which, judge.network) for which in ("first", "second")]
        adam = Adam(int(words["steps"]), *moments)
        return Course(rules, players, seed, round_games, played, judge, adam, games, loss)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise ModelError(
            f"{path} has a model, but not the state to continue training", ANOTHER, damaged=True
        ) from error


def _games(arrays: Arrays, seed: int, played: int) -> list[Played]:
    """Return the last games of a course. Raises KeyError, TypeError or ValueError: they are missing or not its own."""
    ends = np.cumsum(arrays["lengths"])
    parts = np.split(arrays["choices"], ends[:-1])
    games = [
        Played(int(one), tuple(map(int, part)), bool(over))
        for one, part, over in zip(arrays["seeds"], parts, arrays["over"], strict=True)
    ]
    own = [game_seed(seed, index) for index in range(played - len(games), played)]
    if [game.seed for game in games] != own or [len(game.choices) for game in games] != arrays["lengths"].tolist():
        raise ValueError
    return games


def _moments(arrays: Arrays, which: str, network: Network) -> Arrays:
    """Return the first or second moments of the weights. Raises KeyError: none; ValueError: of another network."""
    found = {name: arrays[f"{which}_{name}"] for name in LAYER}
    for name, moment in found.items():
        if moment.shape != getattr(network, name).shape or not np.isfinite(moment).all():
            raise ValueError(name)
    return found


def _self_play(index: int, rules: Ruleset, players: int, seed: int, teacher: Judge | None) -> Played:
    return self_play(rules, players, seed, index, teacher, LIMIT)
