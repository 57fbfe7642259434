"""The course of a training: rounds of games, after each of which the network is fitted and everything is written.

A round depends on the seed, its number and what was learned before it, and on nothing else. So a course that was ended
from outside goes on from the last round that was written, and comes to the same; what is lost is the round it was in.
Games of earlier rounds are kept as their choices and gone through again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from patolli.learning.features import features_of
from patolli.learning.files import ModelError, judge_of, packed, read, stamp
from patolli.learning.judge import Judge
from patolli.learning.network import Network
from patolli.learning.outcomes import yardstick
from patolli.simulation.games import game_seed
from patolli.simulation.parallel import made, own_context, recipe
from patolli.sources.writing import write_whole
from patolli.training.fitting import LAYER, Adam, fit
from patolli.training.lessons import Lesson, examples, known_weights, lesson
from patolli.training.selfplay import Played, self_play
from patolli.workspace.processes import Lost, Pool

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

ROUND = 40
"""Games of a round."""
FIRST = 6
"""Rounds that are played by greedy bots."""
WINDOW = 24
"""Rounds that are learned from."""
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
        """How many rounds are finished."""
        return self.played // self.round_games

    def go_on(self, jobs: int, stopped: Callable[[], bool], tell: Callable[[int], None]) -> bool:
        """Play and learn from one more round; tell whether it was finished."""
        pieces = [(self.played + n) for n in range(self.round_games)]
        found: dict[int, Played] = {}
        for index, one in self._done(pieces, jobs, stopped):
            found[index] = one
            tell(1)
        if len(found) < len(pieces):
            return False
        self.games = [*self.games, *(found[index] for index in pieces)][-WINDOW * self.round_games :]
        self.played += self.round_games
        self._learn()
        return True

    def _done(self, pieces: list[int], jobs: int, stopped: Callable[[], bool]) -> Any:
        teacher = self.judge if self.rounds >= FIRST else None
        if jobs <= 1:
            for index in pieces:
                if stopped():
                    return
                yield index, self_play(self.rules, self.players, self.seed, index, teacher, LIMIT)
            return
        context = own_context()
        given = (recipe(self.rules, context), self.players, self.seed, teacher)
        with Pool(context, jobs, _one, _enter, given) as pool:
            for index, one in pool.done(pieces, stopped):
                yield index, Played(game_seed(self.seed, index), (), over=False) if isinstance(one, Lost) else one

    def _learn(self) -> None:
        """Fit the network to the games of the window."""
        lessons = [one for game in self.games if (one := self._lesson(game)) is not None and len(one.seen[0])]
        if not lessons:
            return
        features = features_of(lessons[0].end)
        if self.judge is None:
            rows = np.concatenate([seen for one in lessons for seen in one.seen])
            network = Network.begun(rows.astype(np.float64), self.seed)
            measured = yardstick([one.end for one in lessons])
        else:
            network, measured = self.judge.network, self.judge.measured
        found = examples(lessons, network, self.judge is not None, measured, self.seed + self.rounds)
        known = known_weights(features, network, measured)
        self.loss = fit(network, self.adam, found, known, self.seed * 1_000_003 + self.rounds)
        self.judge = Judge(network, measured)

    def _lesson(self, game: Played) -> Lesson | None:
        if game.seed not in self._lessons:
            self._lessons[game.seed] = lesson(self.rules, self.players, game)
            kept = {one.seed for one in self.games}
            self._lessons = {seed: one for seed, one in self._lessons.items() if seed in kept}
        return self._lessons[game.seed]

    # ---- files

    def write(self, path: Path) -> None:
        """Write what was learned, and what it takes to go on, whole or not at all.

        Raises:
            OSError: It cannot be written.
        """
        assert self.judge is not None
        words = {
            **stamp(self.rules, self.players), "seed": self.seed, "played": self.played,
            "round": self.round_games, "steps": self.adam.steps, "loss": self.loss,
        }  # fmt: skip
        more: dict[str, Any] = {f"first_{name}": self._moment(self.adam.first, name) for name in LAYER}
        more.update((f"second_{name}", self._moment(self.adam.second, name)) for name in LAYER)
        more["seeds"] = np.array([game.seed for game in self.games], dtype=np.int64)
        more["over"] = np.array([game.over for game in self.games], dtype=bool)
        more["lengths"] = np.array([len(game.choices) for game in self.games], dtype=np.int64)
        more["choices"] = np.array([choice for game in self.games for choice in game.choices], dtype=np.int64)
        names = features_of(self.rules.start(self.players)).names
        write_whole(path, packed(self.judge, names, words, more))

    def _moment(self, moments: dict[str, Any], name: str) -> Any:
        assert self.judge is not None
        return moments.get(name, np.zeros_like(getattr(self.judge.network, name)))


def resumed(path: Path, rules: Ruleset, players: int, seed: int, round_games: int = ROUND) -> Course:
    """Return the course that a file holds, to go on with it.

    Raises:
        ModelError: It cannot be read, or is of another course.
    """
    arrays = read(path)
    judge, words = judge_of(arrays, rules, players, path), arrays["words"]
    for name, value in (("seed", seed), ("round", round_games)):
        if words.get(name) != value:
            raise ModelError(f"{path} was trained with the {name} {words.get(name)}, not {value}; name another --out")
    try:
        ends = np.cumsum(arrays["lengths"])
        parts = np.split(arrays["choices"], ends[:-1])
        games = [
            Played(int(one), tuple(map(int, part)), bool(over))
            for one, part, over in zip(arrays["seeds"], parts, arrays["over"], strict=True)
        ]
        moments = [{name: arrays[f"{which}_{name}"] for name in LAYER} for which in ("first", "second")]
        adam = Adam(int(words["steps"]), *moments)
        return Course(rules, players, seed, round_games, int(words["played"]), judge, adam, games, words["loss"])
    except (KeyError, ValueError, TypeError) as error:
        raise ModelError(f"{path} holds what was learned, but not how to go on; name another --out") from error


# ---- what runs in the other processes

_HERE: dict[str, Any] = {}


def _enter(given: Any, players: int, seed: int, judge: Judge | None) -> None:
    _HERE["given"] = (made(given), players, seed)
    _HERE["judge"] = judge


def _one(index: int) -> Played:
    rules, players, seed = _HERE["given"]
    return self_play(rules, players, seed, index, _HERE["judge"], LIMIT)
