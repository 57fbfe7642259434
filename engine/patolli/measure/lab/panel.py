"""A panel: a game that several bots play, from one that chooses at random to one that searches.

A panel is a folder of runs (see :mod:`patolli.measure.lab.store`). Each bot plays a run on all seats. Each bot but the
first also plays on one seat against the bot before it on all others: a run for each seat, with the same number of
matches. The file ``panel.json`` lists the bots. All else follows from it, so runs are added, read and copied as others.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.bounded import read_bounded
from patolli.measure.lab.store import PANEL, StoreError
from patolli.measure.simulation.playout import playout
from patolli.run.runtime import Ruleset
from patolli.run.runtime.errors import MatchError

FORM, VERSION = "patolli lab panel", 1
SIMPLE = ("random", "greedy")
"""The bots of each panel that names none: random choices show effects, and greedy ones what looks best at once."""
BUDGETS = (10, 20, 50, 100, 200, 500, 1000)
"""Simulations of the weaker of two searching bots. The other one has twice as many."""
WANTED, FEWEST = 200, 30
"""Matches of the stronger searching bot that a budget should leave, and those below which no bot searches."""
MOST, MOST_OF_STEP, MOST_AT_RANDOM = 5000, 400, 2000
"""The most matches of a bot in one call, those of them against the bot before it, and the most of random bots: more
show little more, and the time is for others."""
MOST_SEATS = 1000
"""Seats that a panel may have; more are a damaged file."""
CHOICES = 40
"""Choices that are timed to find out how long a search takes."""
LONG = 1.0
"""Seconds of the first timed search, from which on a longer one is not timed."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """A run of a panel: its folder, and the bot of each seat; *better* is the seat of the stronger bot, -1 for none."""

    folder: str
    bots: tuple[str, ...]
    better: int = -1

    @property
    def most(self) -> int:
        """The matches that it plays at most in one call."""
        if self.better >= 0:
            return MOST_OF_STEP // len(self.bots)
        return MOST_AT_RANDOM if set(self.bots) == {SIMPLE[0]} else MOST


@dataclass(frozen=True, slots=True)
class Panel:
    """Bots, from the weakest to the strongest, and the number of seats on which they play."""

    bots: tuple[str, ...]
    seats: int

    def list_groups(self) -> list[tuple[float, list[Lineup]]]:
        """Return groups of runs that have the same number of matches, each with its share of the time.

        Stronger bots take longer for a match, so they get more of the time. Steps come first, as they need few matches:
        what they leave is for the members, and in the end for the strongest bot.
        """
        members, steps = _weigh(len(self.bots), self.seats)
        groups = [(weight, self.step(at)) for at, weight in enumerate(steps, 1)]
        groups += [(weight, [self.member(at)]) for at, weight in enumerate(members)]
        return [(weight / (sum(members) + sum(steps)), group) for weight, group in groups]

    def member(self, at: int) -> Lineup:
        """Return the run of a bot on all seats."""
        return Lineup(self._slug(at), (self.bots[at],) * self.seats)

    def step(self, at: int) -> list[Lineup]:
        """Return the runs of a bot against the one before it: one for each seat of the stronger bot."""
        weak, strong = self.bots[at - 1], self.bots[at]
        folder = f"{self._slug(at)}_against_{self._slug(at - 1)}_seat"
        return [
            Lineup(f"{folder}_{seat + 1}", (weak,) * seat + (strong,) + (weak,) * (self.seats - seat - 1), seat)
            for seat in range(self.seats)
        ]

    def _slug(self, at: int) -> str:
        slugs = [re.sub(r"\W+", "_", bot).strip("_") for bot in self.bots]
        return slugs[at] if slugs.count(slugs[at]) == 1 else f"{slugs[at]}_{at + 1}"

    def keep(self, folder: Path) -> None:
        """Write the list of bots. Raises OSError: the folder cannot be written."""
        folder.mkdir(parents=True, exist_ok=True)
        data = {FORM: VERSION, "bots": list(self.bots), "seats": self.seats}
        write_whole(folder / PANEL, json.dumps(data, indent=2) + "\n")


def _weigh(bots: int, seats: int) -> tuple[list[float], list[float]]:
    """Return how much of the time each member gets, and each step, as weights."""
    return [float(at + 1) for at in range(bots)], [at / 2 for at in range(1, bots) if seats > 1]


def read_panel(folder: Path) -> Panel | None:
    """Return the panel in a folder; None if there is none. Raises StoreError: the file is invalid; OSError."""
    path = folder / PANEL
    if not path.is_file():
        return None
    try:
        found = json.loads(read_bounded(path))
        version, panel = found[FORM], Panel(tuple(map(str, found["bots"])), int(found["seats"]))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        version, panel = VERSION, Panel((), 0)
    if version != VERSION:
        raise StoreError(f"{path} has the format of another version of Patolli")
    if not panel.bots or not 1 <= panel.seats <= MOST_SEATS:
        raise StoreError(f"{path} is not a list of bots; use another folder")
    return panel


def open_panel(folder: Path, wanted: Sequence[str], seats: int) -> Panel | None:
    """Return the panel that a folder has already; None if it is to begin one.

    Args:
        folder: The folder.
        wanted: The bots that are asked for; empty for any.
        seats: The number of seats that is asked for.

    Raises:
        StoreError: The folder has another panel, or something else.
        OSError: It cannot be read.
    """
    found = read_panel(folder)
    if found is None:
        if folder.exists() and any(folder.iterdir()):
            raise StoreError(f"{folder} is not empty and has no panel of bots; use another folder, or name its bot")
        return None
    if found.seats != seats or (wanted and tuple(wanted) != found.bots):
        raise StoreError(f"{folder} has a panel of other bots or seats: {', '.join(found.bots)}; use another folder")
    return found


def choose_bots(rules: Ruleset, players: int, seconds: float, jobs: int, limit: int) -> tuple[str, ...]:
    """Return the bots of a panel for this time: those of :data:`SIMPLE`, and two that search, if matches are short."""
    try:
        length = max(1, len(playout(rules, players, 0, limit=limit).choices))
        base, each = _time_search(rules, players, min(limit, CHOICES))
    except MatchError:  # the run of the first bot reports it
        return SIMPLE
    members, steps = _weigh(len(SIMPLE) + 2, players)
    share = members[-1] / (sum(members) + sum(steps))

    def count_matches(budget: int) -> float:
        return jobs * share * seconds / (length * max(1e-6, base + 2 * budget * each))

    if count_matches(BUDGETS[0]) < FEWEST:
        return SIMPLE
    budget = max([one for one in BUDGETS if count_matches(one) >= WANTED], default=BUDGETS[0])
    return (*SIMPLE, f"mcts:{budget}", f"mcts:{2 * budget}")


def _time_search(rules: Ruleset, players: int, choices: int) -> tuple[float, float]:
    """Return the seconds of a decision without its simulations, and those of one simulation."""
    few, many = BUDGETS[0], 10 * BUDGETS[0]

    def measure_choice(budget: int) -> float:
        began = time.perf_counter()
        match = playout(rules, players, 0, f"mcts:{budget}", choices)
        return (time.perf_counter() - began) / max(1, len(match.choices))

    began = time.perf_counter()
    measure_choice(few)  # the first search compiles the rules
    if time.perf_counter() - began > LONG:
        return 0.0, measure_choice(few) / few
    low, high = measure_choice(few), measure_choice(many)
    each = max(0.0, high - low) / (many - few)
    return max(0.0, low - few * each), each


def split_time(panel: Panel, seconds: float) -> Iterator[tuple[float, list[Lineup]]]:
    """Yield each group with the seconds that it may take; what one group leaves is for the next ones."""
    end = time.perf_counter() + seconds
    left = 1.0
    for share, group in panel.list_groups():
        yield max(0.0, end - time.perf_counter()) * share / max(share, left), group
        left -= share
