"""A batch that is played in Python, by one table per environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.measure.environments.batch import SEEDS_KEPT, Batch, Flags, Stopped
from patolli.measure.environments.batch_tables import RowFormat
from patolli.measure.environments.table import Table
from patolli.run.runtime.errors import MatchError


class PythonBatch(Batch):
    """A batch that is played by one table per environment."""

    def __init__(self, table: Table, layout: RowFormat, num_envs: int, illegal: str, autoreset: str, why: str) -> None:
        """Make environments; *why* the native engine does not play them."""
        super().__init__(table, layout, num_envs, illegal, autoreset)
        self.why = why
        for name, (kind, shape) in self.shapes().items():
            setattr(self, name, np.zeros(shape, dtype=kind))
        self._tables = [table.copy_empty() for _ in range(num_envs)]
        self._finished: Flags = np.ones(num_envs, dtype=np.bool_)

    @property
    def end_flags(self) -> Flags:
        """Of each environment whether its match has ended, or has not begun."""
        return self._finished

    def _forget_seeds(self, number: int) -> None:
        """Do nothing: seeds are drawn one by one."""

    def _reset(self, chosen: Flags) -> None:
        for number in np.flatnonzero(chosen).tolist():
            self._begin(number)
            self._clear(number)

    def _clear(self, number: int) -> None:
        self.terminated[number] = self.truncated[number] = False
        self.reward[number] = self.rewards[number] = 0

    def _begin(self, number: int) -> None:
        table = self._tables[number]
        for _ in range(SEEDS_KEPT):
            (seed,) = self.draw_seeds(number, 1).tolist()
            self._guard(number, lambda seed=seed: table.begin(seed))
            if not table.over:
                break
        else:
            raise Stopped(f"environment {number}: no player has to decide in {SEEDS_KEPT} matches")
        self._look(number)

    def _look(self, number: int) -> None:
        table = self._tables[number]
        self._finished[number] = False
        self.actors[number], self.masks[number] = table.seat, 0
        self.masks[number, table.indices] = 1
        self.counts[number] = len(table.indices)
        listed = table.indices[: self.legal.shape[1]]
        self.legal[number, : len(listed)] = listed
        self.observations[number] = self._observe(table, table.seat)

    def _observe(self, table: Table, seat: int) -> NDArray[Any]:
        return self.layout.convert(table.observations.flat(table.match, seat))

    def _step(self) -> None:
        for number, table in enumerate(self._tables):
            ended = self.end_flags[number]
            if ended and self.autoreset == "disabled":
                raise self.refuse(number)
            if not ended and self.illegal == "raise" and int(self.actions[number]) not in table.indices:
                raise self.refuse(number)
        for number in range(self.num_envs):
            ended = self.end_flags[number]
            self._clear(number)
            if ended:
                self._begin(number)
            else:
                self._act(number)

    def _act(self, number: int) -> None:
        table, action = self._tables[number], int(self.actions[number])
        actor, legal = table.seat, action in table.indices
        if legal:
            self._guard(number, lambda: table.pick(table.indices.index(action)))
        if legal and not table.over and not table.broken_off:
            self._look(number)
            return
        self.terminated[number] = ended = not legal or table.over
        self.truncated[number] = not ended
        if not legal:
            self.rewards[number, actor] = -1
        elif ended:
            self.rewards[number] = table.rewards()
        self.reward[number] = self.rewards[number, actor]
        self._finished[number], self.masks[number], self.counts[number] = True, 0, 0
        if self.autoreset == "same_step":
            self.final_observations[number], self.final_actors[number] = self._observe(table, actor), actor
            self._begin(number)
        else:
            self.observations[number], self.actors[number] = self._observe(table, actor), actor

    def _guard(self, number: int, work: Any) -> None:
        """Do something with the match of an environment; say which one it is where that fails."""
        try:
            work()
        except MatchError as error:
            self._finished[number], self.masks[number], self.counts[number] = True, 0, 0
            raise Stopped(f"environment {number}: {error}") from error

    def close(self) -> None:
        """Forget all matches."""
        self._tables, self.num_envs, self._begun = [], 0, False
