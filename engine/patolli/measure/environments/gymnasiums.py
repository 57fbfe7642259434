"""Gymnasium: one seat of a match, with bots on the others.

See https://gymnasium.farama.org/api/env/. ``info["action_mask"]`` and ``action_masks()`` say which actions there are;
the latter is what MaskablePPO of sb3-contrib asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from patolli.language.diagnostics.given import whole
from patolli.measure.environments.actions import ACTION
from patolli.measure.environments.table import NONE_YET, OVER, Observed, Table, check_illegal, check_mode, check_seed
from patolli.measure.environments.zoo import SEEDS, box
from patolli.measure.simulation.playout import seats_of
from patolli.play.players.bots import Kind, check_kinds, kind_of

if TYPE_CHECKING:
    from patolli.measure.environments.actions import Mask
    from patolli.play.players import Bot, BotKind, Player

    Bots = Sequence[BotKind | Bot | Player] | BotKind | Bot | Player

TRIED = 100
"""How many matches may end one after the other before the seat has to decide."""


class Seat(gymnasium.Env[Any, Any]):
    """One seat of a match; a step goes on until the seat has to decide again, or the match is over."""

    def __init__(
        self, table: Table, seat: int | None, bots: Bots, illegal: str = "lose", render_mode: str | None = None
    ) -> None:
        """Sit down.

        Raises:
            TypeError: That is no kind of bot, or no number of a seat.
            ValueError: There is no such seat, bot or mode, there are not as many bots as other seats, or one has not
                what it needs.
        """
        check_mode(render_mode)
        seat = None if seat is None else whole(seat, "a seat")
        if seat is not None and not 0 <= seat < table.players:
            raise ValueError(f"there is no seat {seat!r}; seats are numbers from 0 to {table.players - 1}, or None")
        check_illegal(illegal)
        self.table, self.illegal, self.render_mode = table, illegal, render_mode
        self.metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}
        self.observation_space = box(table)
        self.action_space = spaces.Discrete(table.actions.size)
        self._wanted, self._bots = seat, bots
        self.seat = seat or 0
        self._others = self._make_bots(0)
        if table.players > 1:
            given: Any = bots if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
            check_kinds([kind_of(one) for one in given if isinstance(one, str | Kind)], table.rules, table.players)
        self._begun = self._lost = False

    def _make_bots(self, seed: int) -> list[Player]:
        """Return a bot for every seat; the one on the own seat is never asked."""
        others: Any = self._bots
        if isinstance(others, Sequence) and not isinstance(others, str):
            if len(others) != self.table.players - 1:
                raise ValueError(f"{len(others)} bots for {self.table.players - 1} other seats")
            others = [*others[: self.seat], "random", *others[self.seat :]]
        return seats_of(others, self.table.players, seed)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a match, and return what the seat observes when it first has to decide.

        A match that ends before is not counted, and another one begins.

        Args:
            seed: The same one begins the same match, against the same bots, and so do all that follow.
            options: Not used.

        Raises:
            TypeError: The seed is no whole number.
            ValueError: It is less than 0, or the seat is never asked anything.
        """
        super().reset(seed=check_seed(seed))
        for _ in range(TRIED):
            self._begin()
            if not self.table.over and not self.table.broken_off:
                return self._observe_table(), self._info()
        raise ValueError(f"seat {self.seat} of {self.table.rules.title} had no decision in {TRIED} matches")

    def _begin(self) -> None:
        if self._wanted is None:
            self.seat = int(self.np_random.integers(self.table.players))
        number = int(self.np_random.integers(SEEDS))
        self._others, self._begun, self._lost = self._make_bots(number), True, False
        self.table.begin(number)
        self._others_play()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the others go on.

        An action that cannot be taken now loses: the match ends, with a reward of -1.

        Returns:
            What the seat observes; its reward, 0 before the end; whether the match is over; whether it was broken off
            because there were too many steps; and which actions there are.

        Raises:
            TypeError: An action is a whole number.
            ValueError: There is no match; or the action cannot be taken, and is to raise.
        """
        table, number = self.table, whole(action, ACTION)
        if not self._begun or table.over or table.broken_off or self._lost:
            raise ValueError(OVER if self._begun else NONE_YET)
        try:
            index = table.option(number)
        except ValueError:
            if self.illegal == "raise":
                raise
            self._lost = True
            return self._observe_table(), -1.0, True, False, self._info()
        table.pick(index)
        self._others_play()
        reward = table.rewards()[self.seat] if table.over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observe_table(), reward, table.over, table.broken_off, self._info()

    def action_masks(self) -> Mask:
        """Return of every action whether it can be taken now."""
        table = self.table
        if table.over or table.broken_off or table.seat != self.seat:
            return np.zeros(table.actions.size, dtype=np.int8)
        return table.mask()

    def render(self) -> str | None:
        """Draw the table as the seat sees it: a text (``ansi``), or on the screen (``human``)."""
        return self.table.show(self.render_mode, self.seat)

    def _others_play(self) -> None:
        table = self.table
        while not table.over and not table.broken_off and table.seat != self.seat:
            table.pick(self._others[table.seat].decide(table.match))

    def _observe_table(self) -> Observed:
        return self.table.observe_seat(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}


def make_spec(arguments: dict[str, Any]) -> EnvSpec:
    """Return what Gymnasium wants to know of an environment, to make another one like it."""
    return EnvSpec("patolli/Seat-v0", entry_point="patolli.environments:gym", kwargs=arguments)
