"""OpenSpiel: a game in Python, for its algorithms.

See https://github.com/google-deepmind/open_spiel. A match is played up to the next draw of chance, such as a
shuffle. There a chance node stands, whose outcome is the seed with which the match goes on: code that copies a state
before a draw does not learn what comes. With a number of outcomes these are listed, equally likely, and a history can
be played again. Without, the outcome is sampled from random numbers of the game.

``information_state_string`` has what a player observed at each of its questions, what it answered, and what it observes
now; ``observation_tensor`` what it observes now.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from random import Random
from typing import Any

import numpy as np
import pyspiel

from patolli.language.program.node import declaration, walk
from patolli.measure.environments.rewards import rewards, sums_to_zero
from patolli.measure.environments.table import Table, answered_alone
from patolli.run.compiler.layout import DRAWS, SEED
from patolli.run.runtime import Match

SEEDS = 2**62
LONGEST = 2**31 - 1
"""The longest match that OpenSpiel can speak of."""
_GAMES: dict[str, tuple[Any, Fixed]] = {}
"""The games that were made here, by their names: the class of each, and what its states share."""


class Fixed:
    """What all states of a game share; a copy of a state takes it along as it is, and a pickle its name."""

    def __init__(self, name: str, table: Table, outcomes: int) -> None:
        """Share a table; its own match is not used."""
        self.name, self.table, self.outcomes, self.random = name, table, outcomes, Random(0)
        begun = table.rules.start(table.players, 0)
        self.draws_first = bool(begun.state[DRAWS])
        self.begun = answered_alone(begun)
        rules = table.rules.resolved_program.rules.values()
        self.hides = bool(table.rules.resolved_program.hidden_locations or table.match.program.secret)
        self.chance = self.draws_first or any(declaration(n).draws for rule in rules for n in walk(rule.block))

    def __deepcopy__(self, memo: object) -> Fixed:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _share_fixed, (self.name,)

    def draw_seed(self, outcome: int) -> int:
        """Return the seed with which a match goes on."""
        return outcome if self.outcomes else self.random.randrange(SEEDS)


def _share_fixed(name: str) -> Fixed:
    """Return what the states of a game share. Raises ValueError: the game was not made here."""
    if name not in _GAMES:
        raise ValueError(f"unknown game {name}; create it with patolli.measure.environments.open_spiel()")
    return _GAMES[name][1]


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a match: at a question, at a draw of chance, or at the end."""

    def __init__(self, game: Any, fixed: Fixed) -> None:
        super().__init__(game)
        self.fixed, self.steps = fixed, 0
        self.match: Match | None = None if fixed.draws_first else fixed.begun.clone()
        self.waiting = -1  # the option that has been taken, and leads to a draw
        self.past: list[list[str]] = [[] for _ in range(fixed.table.players)]

    # The methods below are named by OpenSpiel.

    def current_player(self) -> int:
        """Return who moves, or that chance does, or that the match is over."""
        if self.match is None or self.waiting >= 0:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.match.decider

    def is_terminal(self) -> bool:
        """Return whether the match is over, or was broken off."""
        if self.match is None or self.waiting >= 0:
            return False
        return self.match.pending is None or self.steps >= self.fixed.table.limit

    def returns(self) -> list[float]:
        """Return what the match is worth to each player at its end; 0 before."""
        table = self.fixed.table
        if self.match is None or not self.is_terminal():
            return [0.0] * table.players
        return rewards(self.match, table.reward)[: table.players]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.match is not None
        return sorted(self.fixed.table.actions.indices(self.match))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a draw, all as likely."""
        number = self.fixed.outcomes or 1
        return [(outcome, 1 / number) for outcome in range(number)]

    def _apply_action(self, action: int) -> None:
        fixed = self.fixed
        if self.match is None:
            table = fixed.table
            self.match = answered_alone(table.rules.start(table.players, fixed.draw_seed(action)))
            return
        if self.waiting >= 0:
            self.match.state[SEED] = fixed.draw_seed(action)
            self._pick(self.match, self.waiting)
            self.waiting = -1
            return
        index = fixed.table.actions.option(self.match, action)
        seat = self.current_player()
        # Where nothing is hidden, what is observed now says all but the way that led there.
        self.past[seat].append(f"{self.digest(seat)}:{action}" if fixed.hides else str(action))
        self.steps += 1
        if not fixed.chance:
            self._pick(self.match, index)
            return
        ahead = self.match.clone()
        self._pick(ahead, index)
        if ahead.state[DRAWS] == self.match.state[DRAWS]:
            self.match = ahead
        else:
            self.waiting = index

    def _pick(self, match: Match, index: int) -> None:
        match.pick(index)
        answered_alone(match)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self.fixed.table.actions.name(action)

    def __str__(self) -> str:
        if self.match is None:
            return "before the set-up"
        return f"{self.match.digest()}{f' and option {self.waiting}' if self.waiting >= 0 else ''}"

    # What a player knows.

    def observe_seat(self, seat: int) -> Any:
        """Return what a player observes; nothing but zeros before the set-up."""
        if self.match is None:
            return np.zeros(self.fixed.table.observations.feature_count, dtype=np.float32)
        return self.fixed.table.observations.features(self.match, seat)

    def observation_text(self, seat: int) -> str:
        """Return what a player observes as a text."""
        if self.match is None:
            return "before the set-up"
        observations = self.fixed.table.observations
        return "\n".join(f"{n}: {v.tolist()}" for n, v in observations.named(self.match, seat).items())

    def digest(self, seat: int) -> str:
        """Return a short text that stands for what a player observes."""
        if self.match is None:
            return "-"
        flat = self.fixed.table.observations.flat(self.match, seat)
        return blake2b(flat.tobytes(), digest_size=8).hexdigest()

    def history_text(self, seat: int) -> str:
        """Return what a player observed at its questions and answered, and what it observes now."""
        return "\n".join([*self.past[seat], self.observation_text(seat)])


class Observer:
    """What a player observes, as OpenSpiel asks for it; with perfect recall there is a text alone."""

    def __init__(self, size: int, recall: bool) -> None:
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}
        self.recall = recall

    def set_from(self, state: State, player: int) -> None:
        """Take in what a player observes."""
        self.tensor[:] = state.observe_seat(player)

    def string_from(self, state: State, player: int) -> str:
        """Return what a player observes as a text."""
        return state.history_text(player) if self.recall else state.observation_text(player)


def game(table: Table, outcomes: int = 0) -> Any:
    """Return the game of a table, and register it.

    Raises:
        ValueError: The rewards have no bounds, or the number of outcomes is none.
    """
    if table.reward == "margin":
        raise ValueError("OpenSpiel needs a bound for rewards, which a margin does not have; use 'rank'")
    if type(outcomes) is not int or outcomes < 0:
        raise ValueError(f"the number of outcomes must be a whole number from 0, not {outcomes!r}")
    if table.limit > LONGEST:
        raise ValueError(f"OpenSpiel allows at most {LONGEST:,} steps; the limit is {table.limit:,}")
    name = _short_name(table, outcomes)
    if name not in _GAMES:
        fixed = Fixed(name, table, outcomes)
        made = _make_game_type(name, table, fixed)
        pyspiel.register_game(*made)
        _GAMES[name] = made[1], fixed
    return pyspiel.load_game(name)


def _short_name(table: Table, outcomes: int) -> str:
    """Return a name that says all that decides how a game goes."""
    rules = table.rules
    rest = (rules.content_hash, table.players, table.reward, table.limit, outcomes)
    return f"patolli_{rules.id}_{table.players}p_{blake2b(repr(rest).encode(), digest_size=4).hexdigest()}"


def _make_game_type(name: str, table: Table, fixed: Fixed) -> tuple[Any, Any]:
    """Return the type of a game, and the class that makes it."""
    modes, kinds, utilities = (
        pyspiel.GameType.ChanceMode, pyspiel.GameType.Information, pyspiel.GameType.Utility,
    )  # fmt: skip
    chance = modes.DETERMINISTIC
    if fixed.chance:
        chance = modes.EXPLICIT_STOCHASTIC if fixed.outcomes else modes.SAMPLED_STOCHASTIC
    zero = sums_to_zero(table.rules, table.players, table.reward)
    type_ = pyspiel.GameType(
        short_name=name, long_name=f"{table.rules.title} (Patolli)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL, chance_mode=chance,
        information=kinds.IMPERFECT_INFORMATION if fixed.hides else kinds.PERFECT_INFORMATION,
        utility=utilities.ZERO_SUM if zero else utilities.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=table.players, min_num_players=table.players,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
    )  # fmt: skip
    info = {
        "num_distinct_actions": table.actions.size, "max_chance_outcomes": (fixed.outcomes or 1) if fixed.chance else 0,
        "num_players": table.players, "min_utility": -1.0, "max_utility": 1.0, "max_game_length": table.limit,
    }  # fmt: skip
    if zero:
        info["utility_sum"] = 0.0

    class Game(pyspiel.Game):  # type: ignore[misc]
        """A ruleset for a number of players."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(type_, pyspiel.GameInfo(**info), dict(params or {}))
            self.actions, self.observations = table.actions, table.observations

        def new_initial_state(self) -> State:
            """Return the beginning of a match."""
            return State(self, fixed)

        def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
            """Return the observer of a player."""
            recall = iig_obs_type is not None and iig_obs_type.perfect_recall
            return Observer(table.observations.feature_count, recall)

    return type_, Game
