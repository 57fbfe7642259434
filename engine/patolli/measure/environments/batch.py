"""Batches: many matches of one pack that take their steps together, as arrays with a row for each environment.

In:     a table of one match, which says what is played and how it is observed, and a number of environments.
Out:    what a batch is; ``native_batch`` and ``python_batch`` play one, and give the same rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from patolli.measure.environments.batch_tables import RowFormat
from patolli.measure.environments.table import OVER, Table, check_seed
from patolli.measure.environments.zoo import SEEDS

RESETS = ("next_step", "same_step", "disabled")
"""When the next match of an environment begins after the end of one, as gymnasium calls it."""
SEEDS_KEPT = 64
"""Seeds that are drawn at once for the matches of an environment."""
LISTED = 256
"""Legal actions that are listed at most."""
Flags = NDArray[np.bool_]
Seeds = int | Sequence[int | None] | None


class Stopped(RuntimeError):
    """A match of a batch cannot go on; the message names the environment."""


class Batch(ABC):
    """Environments that take their steps together. All arrays have a row for each, and are written in place.

    You may write into ``actions`` only.

    Attributes:
        num_envs: How many environments there are.
        engine: What plays them: ``native``, or ``python``.
        why: Why that is not the native engine; empty if it is.
        actions: Written by you: the action of each environment for the next step.
        actors: The player who decides, from 0; of a match that has ended, the one who acted last.
        observations: What that player observes.
        masks: Of each action whether that player may take it; all 0 where the match has ended.
        counts: How many legal actions there are.
        legal: Their numbers, in the order of the options: ``legal[n, : counts[n]]``. Where there are more than a row
            has columns (256 at most), the others are only in the mask.
        reward: Of the step: the reward of the player who acted.
        rewards: Of the step: the reward of each player.
        terminated: Whether the match ended in this step.
        truncated: Whether it was cut off in this step.
        final_observations: With ``same_step``, what was observed at the end of a match that ended in this step.
        final_actors: And by whom: the player who acted last.
    """

    engine = "python"
    why = ""
    actions: NDArray[np.int32]
    actors: NDArray[np.int32]
    observations: NDArray[Any]
    masks: NDArray[np.int8]
    counts: NDArray[np.int32]
    legal: NDArray[np.int32]
    reward: NDArray[np.float32]
    rewards: NDArray[np.float32]
    terminated: Flags
    truncated: Flags
    final_observations: NDArray[Any]
    final_actors: NDArray[np.int32]

    def __init__(self, table: Table, layout: RowFormat, num_envs: int, illegal: str, autoreset: str) -> None:
        """Make environments, which have no matches before they are reset."""
        self.table, self.layout, self.num_envs = table, layout, num_envs
        self.illegal, self.autoreset = illegal, autoreset
        self._random: dict[int, np.random.Generator] = {}
        self._begun = False

    def __reduce__(self) -> Any:
        """Refuse to be copied or handed to another process."""
        raise TypeError("a batch cannot be pickled or copied; make one in each process")

    @property
    @abstractmethod
    def end_flags(self) -> Flags:
        """Of each environment whether its match has ended, or has not begun."""

    def shapes(self) -> dict[str, tuple[Any, tuple[int, ...]]]:
        """Return the type and the shape of each array."""
        number, players = self.num_envs, self.table.players
        final = number if self.autoreset == "same_step" else 0
        seen, kind = self.layout.size, self.layout.kind
        return {
            "actions": (np.int32, (number,)), "actors": (np.int32, (number,)), "counts": (np.int32, (number,)),
            "reward": (np.float32, (number,)), "rewards": (np.float32, (number, players)),
            "terminated": (np.bool_, (number,)), "truncated": (np.bool_, (number,)),
            "final_actors": (np.int32, (final,)), "masks": (np.int8, (number, self.table.actions.size)),
            "legal": (np.int32, (number, min(LISTED, self.table.actions.size))),
            "observations": (kind, (number, seen)), "final_observations": (kind, (final, seen)),
        }  # fmt: skip

    def reset(self, seed: Seeds = None, selected: Flags | None = None) -> None:
        """Begin matches.

        Args:
            seed: For each environment the seed of its matches, None to go on; of a number, environment n gets seed + n.
            selected: Which environments begin a match; all if left out.

        Raises:
            TypeError: A seed is no whole number, or *selected* is no array of truth values.
            ValueError: A seed is less than 0, or there are not as many as environments.
            Stopped: A match cannot begin.
        """
        chosen = np.ones(self.num_envs, dtype=np.bool_) if selected is None else check_selected(selected, self.num_envs)
        for number, one in enumerate(spread_seed(seed, self.num_envs)):
            if chosen[number] and (one is not None or number not in self._random):
                self._random[number], _ = seeding.np_random(one)
                self._forget_seeds(number)
        if not self._begun and not chosen.all():
            raise ValueError("begin with a reset of all environments")
        self._begun = True
        self._reset(chosen)

    def step(self) -> None:
        """Take the ``actions``, one in each environment.

        Where a match had ended in the step before, its action does not count: with ``next_step`` the next match begins.

        Raises:
            ValueError: An action is illegal and is to raise, or an environment has to be reset. Nothing has happened.
            Stopped: A match cannot go on. Others have taken their step.
        """
        if not self._begun:
            raise ValueError("there are no matches yet; reset() begins them")
        self._step()

    def sample(self, random: np.random.Generator) -> None:
        """Set the ``actions`` to legal ones, drawn with equal probability; to 0 where the match has ended."""
        drawn = (random.random(self.num_envs) * self.counts).astype(np.int32)
        wide = self.legal.shape[1]
        self.actions[:] = self.legal[np.arange(self.num_envs), np.minimum(drawn, wide - 1)]
        for number in np.flatnonzero(drawn >= wide).tolist():
            self.actions[number] = np.flatnonzero(self.masks[number])[drawn[number]]
        self.actions[self.counts == 0] = 0

    def draw_seeds(self, number: int, count: int) -> NDArray[np.int64]:
        """Draw the seeds of the next matches of an environment: those that a single environment would draw."""
        return self._random[number].integers(SEEDS, size=count)

    def refuse(self, number: int) -> ValueError:
        """Return what is wrong with a step of an environment that cannot be taken."""
        if self.end_flags[number]:
            return ValueError(f"environment {number}: {OVER}, with a mask of the environments that begin")
        action, size = int(self.actions[number]), self.table.actions.size
        if not 0 <= action < size:
            return ValueError(f"environment {number}: there is no action {action}; actions are 0 to {size - 1}")
        legal = np.flatnonzero(self.masks[number])
        some = ", ".join(map(str, legal[:8])) + (" .." if len(legal) > 8 else "")
        return ValueError(
            f"environment {number}: the action {action} ({self.table.actions.name(action)}) cannot be taken now; "
            f"legal actions are {some}"
        )

    @abstractmethod
    def _forget_seeds(self, number: int) -> None:
        """Draw other seeds for an environment from now on."""

    @abstractmethod
    def _reset(self, chosen: Flags) -> None:
        """Begin matches."""

    @abstractmethod
    def _step(self) -> None:
        """Take a step."""

    @abstractmethod
    def close(self) -> None:
        """Forget all matches."""


def spread_seed(seed: Seeds, number: int) -> Iterable[int | None]:
    """Return a seed for each environment; None where it is to go on.

    Raises:
        TypeError: One is no whole number.
        ValueError: One is less than 0, or there are not as many as environments.
    """
    if seed is None:
        return [None] * number
    if isinstance(seed, Sequence | np.ndarray):
        if len(seed) != number:
            raise ValueError(f"{len(seed)} seeds for {number} environments")
        found = []
        for at, one in enumerate(seed):
            try:
                found.append(check_seed(one))
            except (TypeError, ValueError) as error:
                raise type(error)(f"environment {at}: {error}") from None
        return found
    first = check_seed(seed)
    assert first is not None
    return range(first, first + number)


def check_selected(selected: Any, number: int) -> Flags:
    """Return which environments are selected.

    Raises:
        TypeError: That is no array of truth values.
        ValueError: It has another shape, or selects none.
    """
    if not isinstance(selected, np.ndarray) or selected.dtype != np.bool_:
        raise TypeError("the mask of environments to reset is an array of truth values (numpy.bool_)")
    if selected.shape != (number,):
        raise ValueError(f"the mask of environments to reset has the shape {selected.shape}, not ({number},)")
    if not selected.any():
        raise ValueError("the mask of environments to reset selects none")
    return selected
