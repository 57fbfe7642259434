"""The estimates so far, shown on the terminal while a run of the lab continues."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from patolli.cli.status import use_colors

if TYPE_CHECKING:
    from patolli.measure.lab.facts import Row
    from patolli.measure.lab.measures import Measure
    from patolli.measure.lab.run_loop import Goal
    from patolli.measure.lab.store import Store


class Known:
    """What the matches of all variants say so far of a few numbers."""

    def __init__(self, variants: Mapping[str, Any], shown: list[Measure]) -> None:
        """Know nothing yet; the numbers are those *shown*."""
        from patolli.measure.lab.measures import Estimate

        self.columns = sorted({column for one in shown for column in one.columns})
        self._shown = shown
        self.report: Callable[[], object] = lambda: None
        self._sums = {name: [Estimate() for _ in shown] for name in variants}

    def add(self, variant: str, row: Row) -> None:
        """Take one more match."""
        for one, sums in zip(self._shown, self._sums[variant], strict=True):
            sums.add(one.of(row))
        self.report()

    def words(self) -> str:
        """Say what is known, each number with its interval of 95 %."""
        return "; ".join(filter(None, (self._describe_variant(name) for name in self._sums)))

    def _describe_variant(self, variant: str) -> str:
        pairs = zip(self._shown, self._sums[variant], strict=True)
        said = [
            f"{one.name} {format_estimate(sums.mean, sums.half, one.share)}" for one, sums in pairs if sums.count > 1
        ]
        lead = f"{variant}: " if len(self._sums) > 1 and said else ""
        return lead + ", ".join(said)


def format_estimate(mean: float, half: float, share: bool) -> str:
    """Write a number with half the width of its interval."""
    return f"{100 * mean:.1f} +- {100 * half:.1f} %" if share else f"{mean:,.2f} +- {half:,.2f}"


@contextmanager
def so_far(store: Store, variants: Mapping[str, Any], goal: Goal, seats: int) -> Iterator[Known | None]:
    """Show a bar on standard error when that is a terminal, with what is known so far, kept matches included."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from patolli.measure.lab.measures import measures

    numbers = measures(seats)
    wanted = [goal.measure] if goal.measure is not None else [numbers["seat 1 wins"], numbers["winning score"]]
    found = Known(variants, wanted)
    console = Console(stderr=True, no_color=not use_colors(sys.stderr))
    shown = (BarColumn(20), MofNCompleteColumn(), "matches", TimeRemainingColumn(), TextColumn("{task.description}"))
    there = [(name, row) for name in variants for row in store.rows(name, goal.matches, found.columns)]
    for name, row in there:
        found.add(name, row)
    with Progress(*shown, console=console, transient=True) as bar:
        task = bar.add_task(found.words(), total=goal.matches * len(variants), completed=len(there))
        found.report = lambda: bar.update(task, advance=1, description=found.words())
        yield found
