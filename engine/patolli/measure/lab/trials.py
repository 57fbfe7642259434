"""Trials of a panel: what a seat wins with a suspicious option, compared with seats that never choose it.

A panel plays them by itself, for the options of its findings and for lines of menus that leave no room for others.
The seeds are not those of the matches that made an option suspicious, because these would count twice. How many pairs
are played depends on the time alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from patolli.measure.lab.content import Content
from patolli.measure.lab.facts import Row
from patolli.measure.lab.paired_runs import pair_rows
from patolli.measure.lab.panel_files import keep_rows, read_rows
from patolli.measure.lab.run_data import OFTEN, Run
from patolli.measure.lab.standouts import WINS, correct_quantile
from patolli.measure.lab.statistics import estimate_pairs
from patolli.measure.lab.store import Store
from patolli.measure.lab.units import POINTS
from patolli.measure.simulation.estimates import Z, wilson
from patolli.play.players.strategies import OR, WITHOUT

FILE, FOLDER = "trials.json", "trials"
MOST = 3
"""Options that are tried at most."""
FEWEST, PAIRS = 10, 300
"""Pairs of matches that are played at least, and at most in one call."""
MATCHES = 1_000_000
"""More matches than a trial has."""
CROWDING, BESIDE = 0.9, 2
"""Part of the choices of a menu from which on a line is suspicious, and other lines that have to be offered often."""
REJECTED = ("*", OR, WITHOUT)
"""What the name of a strategy cannot contain as it is."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """An option or a piece to try, with the bot that plays; *share* is its part of the choices if it crowds others."""

    option: str
    bot: str
    share: float = 0.0

    @property
    def strategy(self) -> str:
        """What bots do without, see :mod:`patolli.play.players.strategies`."""
        return self.option.rpartition("/")[2]

    @property
    def folder(self) -> Path:
        """The folder of its runs, below that of the panel."""
        return Path(FOLDER) / re.sub(r"\W+", "_", f"{self.option} {self.bot}").strip("_")


@dataclass(frozen=True, slots=True)
class Trial:
    """By how many more of the wins a seat with an option is ahead, as the interval of so many pairs of matches."""

    option: str
    bot: str
    share: float
    pairs: int
    value: float
    low: float
    high: float

    @classmethod
    def of(cls, one: Suspect, stores: Sequence[Store]) -> Trial:
        """Read the runs in which seat 1, seat 2 and so on never choose the option.

        A seat that may choose it wins as often as the mean of all seats, where all may choose it. So no matches are
        needed in which all do. Where the option does not matter, the matches of a number are the same in all runs, and
        the mean over the seats that lack it is exactly that share.
        """
        columns = ("digest", "seat_won")
        rows = [[row for row in store.rows("base", MATCHES, columns) if row["digest"]] for store in stores]
        _, sides = pair_rows(rows)
        won = np.array([[_share_wins(row) for row in side] for side in sides]).reshape(len(sides), -1, len(sides))
        lacking = np.array([won[seat, :, seat] for seat in range(len(sides))])
        known = estimate_pairs((won.mean(axis=2) - lacking).mean(axis=0))[0]
        return cls(one.option, one.bot, one.share, known.count, known.value, known.low, known.high)

    @property
    def text(self) -> str:
        """The trial in words."""
        ends = f"{100 * self.low:+.1f} to {100 * self.high:+.1f}"
        often = f"{100 * abs(self.value):.1f} {POINTS} {'more' if self.value > 0 else 'less'} often"
        return f"with it, a seat wins {often} ({ends}) than without it, in {self.pairs} matches per seat of {self.bot}"

    def is_decisive(self, trials: int, rate: float) -> bool:
        """Return whether it surely wins more, and by as much as a designer would care about."""
        error = (self.high - self.low) / (2 * Z)
        sure = (self.high + self.low) / 2 > correct_quantile(trials, rate) * error
        return sure and self.value >= WINS


def _share_wins(row: Row) -> list[float]:
    """Return by seat its share of the win of a match."""
    won = row["seat_won"]
    return [one / max(1, sum(won)) for one in won]


def list_crowding(run: Run) -> list[tuple[str, float]]:
    """Return lines of menus that are chosen in nearly all choices although others are offered, each with its share."""
    content, found = run.content, list[tuple[str, float]]()
    for rule in dict.fromkeys(content.menus.values()):
        chosen: dict[str, int] = {}
        offered: dict[str, int] = {}
        for one in run.options:
            if one.group == rule:
                line = content.line_of(one.name) or one.name
                chosen[line] = chosen.get(line, 0) + one.chosen
                offered[line] = offered.get(line, 0) + one.offered
        total = sum(chosen.values())
        z = correct_quantile(max(1, len(content.menus)), run.rate)
        for line, times in chosen.items():
            beside = sum(2 * often >= total for other, often in offered.items() if other != line)
            if total >= OFTEN and beside >= BESIDE and wilson(times, total, z)[0] > CROWDING:
                found.append((line, times / total))
    return found


def count_chosen(run: Run, option: str) -> int:
    """Return how often an option, a line of a menu or a piece was chosen."""
    if "/" in option:
        return sum(one.chosen for one in run.pieces if one.name == option)
    return sum(one.chosen for one in run.options if option in (one.name, run.content.line_of(one.name)))


def choose_suspects(
    runs: Sequence[tuple[str, Run]], options: Sequence[str], seconds: float, jobs: int
) -> list[Suspect]:
    """Return what to try in so many seconds.

    Args:
        runs: The bots that can play without an option, the weakest first, each with its run on all seats.
        options: The options and pieces of findings, the most important first.
        seconds: The time for all.
        jobs: Processes that play.
    """
    crowding = {line: (bot, share) for bot, run in runs for line, share in list_crowding(run)}
    wanted = [one for one in dict.fromkeys([*crowding, *options]) if not any(part in one for part in REJECTED)][:MOST]
    found = []
    for option in wanted:
        only, share = crowding.get(option, ("", 0.0))  # what crowds others with one bot is tried with that bot
        for bot, run in reversed(runs):
            lasts = FEWEST * run.frame.seats * float(run.frame.column("seconds").mean()) / jobs
            if lasts <= seconds and only in ("", bot) and count_chosen(run, option):
                seconds -= lasts
                found.append(Suspect(option, bot, share))
                break
    return found


def keep_trials(folder: Path, found: Sequence[Trial]) -> None:
    """Write the trials into the folder of a panel. Raises OSError: it cannot be written."""
    keep_rows(folder / FILE, found)


def read_trials(folder: Path) -> list[Trial]:
    """Read the trials of a panel; empty without any. Raises StoreError: the file is invalid."""
    return read_rows(folder / FILE, Trial)


def is_about(one: Trial, name: str, content: Content) -> bool:
    """Return whether a trial is about what a finding names."""
    return one.option in (name, content.line_of(name) if "/" not in name else name)
