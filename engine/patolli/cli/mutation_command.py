"""``patolli test --mutate``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from patolli.cli.status import CONTENT, FINE, use_colors

INTERRUPTED = 130


SAMPLE = "100"
"""How many mutants are drawn if no number is given."""
ALL = "all"


class Number(click.types.IntParamType):
    """A number of mutants, or ``all``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, 0 for all."""
        if str(value) == ALL:
            return 0
        if str(value).isdigit():
            return int(value)
        self.fail(f"{value!r} is not a number of mutants; write the packs before --mutate", param, ctx)


def mutate(
    packs: tuple[str, ...],
    modules: tuple[str, ...],
    select: str,
    number: int,
    seed: int,
    jobs: int,
    form: str,
    most: float | None,
) -> None:
    """Try mutants of packs, report, and leave with the status that fits."""
    from patolli.author.scenarios.mutation.mutation_report import as_json, as_text
    from patolli.author.scenarios.mutation.mutation_run import Plan, run_mutants

    plan = Plan(packs, number or None, seed, jobs, modules, select)
    with _show_progress() as report_progress:
        done = run_mutants(plan, report_progress)
    click.echo(as_json(done) if form == "json" else as_text(done), nl=False)
    if any(mutation.interrupted for mutation in done):
        sys.exit(INTERRUPTED)
    wrong = any(mutation.problems or mutation.failed for mutation in done)
    many = most is not None and any(not one.scenarios or 100 * one.share > most for one in done)
    sys.exit(CONTENT if wrong or many else FINE)


@contextmanager
def _show_progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """Show a bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, no_color=not use_colors(sys.stderr))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, Any] = {}

        def report_progress(pack: str, done: int, of: int) -> None:
            if pack not in tasks:
                tasks[pack] = bar.add_task(pack, total=of)
            bar.update(tasks[pack], completed=done)

        yield report_progress
