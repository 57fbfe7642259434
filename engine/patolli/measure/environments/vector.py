"""Gymnasium's vector API: many matches of one pack, and in each the player who decides takes an action.

See https://gymnasium.farama.org/api/vector/. Below it is a :class:`Batch`, whose arrays may be used without this door.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from patolli.language.diagnostics.given import whole
from patolli.measure.environments.actions import ACTION
from patolli.measure.environments.batch import Batch, Flags, Seeds, check_selected

Observed = NDArray[Any]


class Vector(VectorEnv[Any, Any, Any]):
    """Many matches, which take their steps together.

    Attributes:
        batch: What plays them; its arrays may be read and written directly.
    """

    def __init__(self, batch: Batch, copy: bool = True) -> None:
        """Open a batch; without *copy*, the arrays of the batch are returned, which the next step overwrites."""
        super().__init__()
        self.batch, self.num_envs, self._copy = batch, batch.num_envs, copy
        mode = AutoresetMode[batch.autoreset.upper()]
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        layout = batch.layout
        low: Any = layout.low
        high: Any = layout.high
        self.single_observation_space = spaces.Box(low, high, dtype=layout.kind)
        self.single_action_space = spaces.Discrete(batch.table.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def engine(self) -> str:
        """What plays the matches: ``native``, or ``python``; ``batch.why`` says why it is not native."""
        return self.batch.engine

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Observed, dict[str, Any]]:
        """Begin matches, in all environments or in those of ``options["reset_mask"]``.

        Args:
            seed: A number (environment n gets seed + n), or one for each environment, None to go on. The matches of an
                environment are those of a single environment with that seed.
            options: ``reset_mask``: an array of truth values, which environments begin a match.

        Raises:
            TypeError: A seed is no whole number, or the mask is no array of truth values.
            ValueError: A seed is less than 0, or something has another length than there are environments.
            Stopped: A match cannot begin.
        """
        selected = (options or {}).get("reset_mask")
        if selected is not None:
            check_selected(selected, self.num_envs)
        self.batch.reset(seed, selected)
        begun = np.ones(self.num_envs, dtype=np.bool_) if selected is None else selected.copy()
        return self._give(self.batch.observations), self._info(begun)

    def step(self, actions: Any) -> tuple[Observed, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Take an action in each environment.

        Where a match ended in the step before, its action does not count: with ``NEXT_STEP`` the next match begins.

        Returns:
            What is observed by who decides now; the reward of the player who acted; whether the match ended by its
            rules; whether it was cut off; and for each environment ``action_mask``, ``seat`` (who decides) and
            ``rewards`` (of all players). With ``SAME_STEP`` also ``final_obs`` and ``final_info`` of those that ended.

        Raises:
            TypeError: An action is no whole number.
            ValueError: There are not as many actions as environments; one cannot be taken, and is to raise; or a match
                has ended and the mode is ``DISABLED``. Nothing has happened then.
            Stopped: A match cannot go on. The others have taken their step.
        """
        batch = self.batch
        batch.actions[:] = self._check_actions(actions)
        batch.step()
        infos = self._info(np.ones(self.num_envs, dtype=np.bool_))
        if len(batch.final_actors) and (ended := batch.terminated | batch.truncated).any():
            infos["rewards"] = np.where(ended[:, None], np.float32(0), batch.rewards)  # the next match has begun
            infos |= self._final(ended)
        reward = batch.reward.astype(np.float64)
        return self._give(batch.observations), reward, batch.terminated.copy(), batch.truncated.copy(), infos

    def close_extras(self, **kwargs: Any) -> None:
        """Forget all matches."""
        self.batch.close()

    def _give(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _info(self, known: Flags) -> dict[str, Any]:
        batch = self.batch
        found: dict[str, NDArray[Any]] = {"action_mask": batch.masks, "seat": batch.actors, "rewards": batch.rewards}
        infos: dict[str, Any] = {name: self._give(array) for name, array in found.items()}
        return infos | {f"_{name}": known for name in found}

    def _final(self, ended: Flags) -> dict[str, Any]:
        batch = self.batch
        seen = np.full(self.num_envs, None, dtype=object)
        for number in np.flatnonzero(ended).tolist():
            seen[number] = batch.final_observations[number].copy()
        nothing = np.broadcast_to(np.int8(0), batch.masks.shape)
        found = {"action_mask": nothing, "seat": batch.final_actors.copy(), "rewards": batch.rewards.copy()}
        info = found | {f"_{name}": ended for name in found}
        return {"final_obs": seen, "_final_obs": ended, "final_info": info, "_final_info": ended}

    def _check_actions(self, actions: Any) -> NDArray[Any]:
        """Return one action for each environment; -1 for one that there is not, where that loses."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions have the shape {given.shape}, not ({self.num_envs},): one for each environment")
        if given.dtype.kind == "f" and (whole_ones := given == np.floor(given)).all():
            raise TypeError(f"actions are whole numbers of a type such as int64, not {given.dtype}")
        if given.dtype.kind not in "iu":
            for number, one in enumerate(given.tolist()):
                if given.dtype.kind != "f" or not whole_ones[number]:
                    check_action(number, one)
        size = self.batch.table.actions.size
        beyond = (given < 0) | (given >= size)
        if beyond.any():
            if self.batch.illegal == "raise" and (wrong := beyond & ~self.batch.end_flags).any():
                number = int(np.flatnonzero(wrong)[0])
                action = given[number]
                raise ValueError(f"environment {number}: there is no action {action}; actions are 0 to {size - 1}")
            given = np.where(beyond, -1, given)
        return given


def check_action(number: int, action: Any) -> None:
    """See that the action of an environment is a whole number. Raises TypeError: it is not."""
    try:
        whole(action, ACTION)
    except TypeError as error:
        raise TypeError(f"environment {number}: {error}") from None


def name_autoreset(mode: Any) -> Any:
    """Return the name of a mode of Gymnasium in lower case."""
    if isinstance(mode, AutoresetMode):
        return mode.name.lower()
    known = {one.value: one.name.lower() for one in AutoresetMode}
    return known.get(mode, mode) if isinstance(mode, str) else mode
