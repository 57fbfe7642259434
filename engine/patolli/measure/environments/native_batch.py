"""A batch that the native engine plays: one call takes a step in all environments, and writes all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.measure.environments import rewards
from patolli.measure.environments.batch import RESETS, SEEDS_KEPT, Batch, Flags, Stopped
from patolli.measure.environments.batch_tables import BatchTables, RowFormat
from patolli.measure.environments.table import Table
from patolli.run.native import memory
from patolli.run.native.batches import SEEDS_NEEDED, STOPS, BatchMachine, TablePacker
from patolli.run.native.driver import batch_steps
from patolli.run.native.machines import prepare_batches

CELLS = {
    "actions": memory.ACTIONS_AT, "actors": memory.ACTORS_AT, "counts": memory.COUNTS_AT, "reward": memory.REWARD_AT,
    "rewards": memory.REWARDS_AT, "terminated": memory.TERMINATED_AT, "truncated": memory.TRUNCATED_AT,
    "final_actors": memory.FINAL_ACTORS_AT, "masks": memory.MASKS_AT, "legal": memory.LEGAL_AT,
    "observations": memory.SEEN_AT,
    "final_observations": memory.FINAL_SEEN_AT,
}  # fmt: skip
"""Where it is said where each array lies."""
FOREVER = 1 << 40
"""More steps than a match can have."""


class NativeBatch(Batch):
    """A batch in the memory of a module; its arrays look into that memory."""

    engine = "native"

    def __init__(self, table: Table, layout: RowFormat, num_envs: int, illegal: str, autoreset: str) -> None:
        """Make environments. Raises ModuleNotFoundError: no runtime; Unsupported: the native engine cannot play it."""
        super().__init__(table, layout, num_envs, illegal, autoreset)
        import wasmtime  # noqa: F401 - its absence is noticed first

        seats = table.actions.program.layout.seats
        machine = self._machine = BatchMachine(prepare_batches(table.rules, seats))
        packer = TablePacker(machine.base)
        cells = BatchTables(packer, table.actions, layout).cells
        cells |= {
            memory.REWARD_WORDS: packer.put_numbers(list_rewards(seats)), memory.SEEDS_KEPT: SEEDS_KEPT,
            memory.REWARDED_SEATS: table.players, memory.STEP_LIMIT: min(table.limit, FOREVER),
            memory.LEGAL_SIZE: self.shapes()["legal"][1][1],
            memory.RESET_MODE: RESETS.index(autoreset), memory.REFUSES_ILLEGAL: int(illegal == "raise"),
            memory.REWARD_KIND: choose_rewards(table, seats),
        }  # fmt: skip
        arrays = {CELLS[name]: one for name, one in self.shapes().items()}
        arrays |= {
            memory.STATUS_AT: (np.uint8, (num_envs,)), memory.SELECTED_AT: (np.bool_, (num_envs,)),
            memory.SEEDS_AT: (np.int64, (num_envs, SEEDS_KEPT)), memory.SEEDS_USED_AT: (np.int32, (num_envs,)),
            memory.CHOSEN_AT: (np.int32, (num_envs,)), memory.STREAM_KEYS_AT: (np.int64, (num_envs, machine.streams)),
        }  # fmt: skip
        machine.lay_out(num_envs, packer, cells, arrays)
        for name, cell in CELLS.items():
            array = machine.arrays[cell]
            array.setflags(write=name == "actions")
            setattr(self, name, array)
        self._status: NDArray[np.uint8] = machine.arrays[memory.STATUS_AT]
        self._selected, self._seeds = machine.arrays[memory.SELECTED_AT], machine.arrays[memory.SEEDS_AT]
        self._used = machine.arrays[memory.SEEDS_USED_AT]
        self._used[:] = SEEDS_KEPT

    @property
    def end_flags(self) -> Flags:
        """Of each environment whether its match has ended, or has not begun."""
        found: Flags = self._status != batch_steps.RUNNING
        return found

    def _forget_seeds(self, number: int) -> None:
        self._used[number] = SEEDS_KEPT

    def _draw_more(self) -> None:
        """Draw seeds for the environments that may need some in the next call."""
        for number in np.flatnonzero(self._used > SEEDS_KEPT - batch_steps.LEAST_SEEDS).tolist():
            used = int(self._used[number])
            left = self._seeds[number, used:].copy()
            self._seeds[number] = np.concatenate([left, self.draw_seeds(number, used)])
            self._used[number] = 0

    def _reset(self, chosen: Flags) -> None:
        self._draw_more()
        self._selected[:] = chosen
        self._finish(self._machine.reset())

    def _step(self) -> None:
        self._finish(self._machine.step())

    def _finish(self, noted: int) -> None:
        if noted < 0:
            raise self.refuse(-1 - noted)
        if noted & SEEDS_NEEDED:
            self._draw_more()
        if noted & STOPS:
            (number, *more) = np.flatnonzero(self._status == batch_steps.STOPPED).tolist()
            others = f" (and {len(more)} more)" if more else ""
            raise Stopped(
                f"environment {number}{others}: the native engine cannot go on with the match of the seed "
                f"{self._seeds[number, self._used[number] - 1]}; engine='python' says why"
            )

    def close(self) -> None:
        """Forget all matches; the arrays keep their memory."""
        self._begun = False


def list_rewards(seats: int) -> NDArray[Any]:
    """Return the table of rewards: -1, 0, 1, and those of ranks by how many others are behind, equals counting half."""
    others = max(1, seats - 1)
    ranked = [2 * (behind / 2 / others) - 1 for behind in range(2 * others + 1)]
    return np.array([-1.0, 0.0, 1.0, *ranked], dtype=np.float32).view(np.int32)


def choose_rewards(table: Table, seats: int) -> int:
    """Return which rewards the native engine gives; see ``rewards``."""
    if table.reward == "margin":
        return batch_steps.MARGIN
    if table.reward == "rank":
        if table.rules.resolved_program.wins is None and seats > 1:
            return batch_steps.RANK
        if rewards.are_rivals(table.rules, seats):
            return batch_steps.RIVALS
    return batch_steps.WIN
