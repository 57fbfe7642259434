"""What strategies are worth: seats that do without one against the same seats with it, on the same seeds.

Everybody plays freely in one run. In each of the others one seat does without a strategy, and all else is the same:
what that seat gets less than in the free match of the same number is what the strategy is worth to it there. The mean
over the seats of a number is one value, so that values of different numbers are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from patolli.measure.lab.comparison import RISK, Difference, difference
from patolli.measure.lab.facts import Row
from patolli.measure.lab.paired_runs import pair_rows
from patolli.measure.lab.statistics import LEAST
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.simulation.estimates import plan_looks, points_ahead
from patolli.measure.simulation.games import Plan
from patolli.play.players.bots import kind_of
from patolli.play.players.strategies import NOTHING, WITHOUT

FREE = "free"
"""The folder of the run in which all play freely."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a strategy is worth to who has it: wins, and points ahead of the others (None without scores).

    ``same`` of the ``pairs`` of matches are the same with and without it: it did not come up, or made no difference.
    """

    strategy: str
    wins: Difference
    points: Difference | None
    pairs: int
    same: int

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return {
            "strategy": self.strategy, "wins": self.wins.data(),
            "points": self.points.data() if self.points is not None else None, "pairs": self.pairs, "same": self.same,
        }  # fmt: skip


def folder_of(number: int, seat: int) -> Path:
    """Return the folder, below that of the whole, in which a seat (from 0) does without a strategy (from 0)."""
    return Path(f"without_{number + 1}") / f"seat_{seat + 1}"


def plans(plan: Plan, strategies: Sequence[str]) -> dict[Path, Plan]:
    """Return what to play, by folder: all free, then each seat without each strategy. Raises ValueError."""
    free = plan
    if plan.at_random:  # so that all but the one who does without something choose alike
        bots = [kind_of(f"{bot}{WITHOUT}{NOTHING}") for bot in plan.kinds()]
        free = Plan(plan.players, plan.games, plan.seed, tuple(bots), plan.limit)
    found = {Path(FREE): free}
    for number, strategy in enumerate(strategies):
        for seat in range(plan.players):
            bots = list(plan.kinds())
            bots[seat] = kind_of(f"{bots[seat]}{WITHOUT}{strategy}")
            found[folder_of(number, seat)] = Plan(plan.players, plan.games, plan.seed, tuple(bots), plan.limit)
    return found


def stages(games: int) -> list[int]:
    """Return after how many matches to look whether all is sure. The intervals hold at every look."""
    return plan_looks(2 * LEAST, 2, games)


def select_folders(folders: Iterable[Path], found: Sequence[Worth]) -> list[Path]:
    """Return the folders in which to play on: not those of a strategy that surely wins more or less already."""
    known = {f"without_{number + 1}" for number, one in enumerate(found) if one.wins.sure}
    return [folder for folder in folders if folder.parts[0] not in known]


def worths(open_: Callable[[Path], Store], variant: str, plan: Plan, strategies: Sequence[str]) -> list[Worth]:
    """Say what each strategy is worth, from all the runs. Raises StoreError: too few matches reached their end."""
    free = list(_read_ended(open_(Path(FREE)), variant, plan.games))
    found = []
    for number, strategy in enumerate(strategies):
        sides = [_read_ended(open_(folder_of(number, seat)), variant, plan.games) for seat in range(plan.players)]
        both, (having, *lacking) = pair_rows([free, *sides])
        if len(both) < LEAST:
            raise StoreError(f"too few matches: {len(both)} ended in all runs, and at least {LEAST} are needed")
        found.append(_worth(strategy, having, lacking, strategies))
    return found


def _read_ended(store: Store, variant: str, matches: int) -> Iterator[Row]:
    return (row for row in store.rows(variant, matches, ("digest", "seat_won", "seat_score")) if row["digest"])


def _worth(strategy: str, free: list[Row], sides: list[list[Row]], strategies: Sequence[str]) -> Worth:
    risk = RISK / (2 * len(strategies))

    def both(of: Callable[[Row, int], float], name: str, share: bool) -> Difference:
        having = np.array([[of(row, seat) for seat in range(len(sides))] for row in free]).mean(axis=1)
        lacking = np.array([[of(row, seat) for row in side] for seat, side in enumerate(sides)]).mean(axis=0)
        return difference(name, lacking, having, share, risk)

    scored = any(len(set(row["seat_score"])) > 1 for row in free)
    same = sum(row["digest"] == other["digest"] for side in sides for row, other in zip(free, side, strict=True))
    return Worth(
        strategy, both(_win_share, "wins", True), both(_ahead, "points ahead", False) if scored else None,
        len(free) * len(sides), same,
    )  # fmt: skip


def _win_share(row: Row, seat: int) -> float:
    won = row["seat_won"]
    return float(won[seat] / max(1, sum(won)))


def _ahead(row: Row, seat: int) -> float:
    return points_ahead(row["seat_score"], seat)
