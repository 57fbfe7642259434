"""Shared code of commands that play many games: number of players, progress bar, and output of the report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.status import report_unwritten, say, use_colors
from patolli.language.sources.atomic_files import check_writable, write_whole

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset


def check_report(out: Path | None, other: Path | None, what: str, option: str) -> None:
    """Check before any game is played that the report can be written, and not over another output file.

    Raises:
        click.BadParameter: Both would use the same file.
        OSError: The report cannot be written there.
    """
    if out is None:
        return
    check_writable(out)
    if other is not None and out.resolve() == other.resolve():
        raise click.BadParameter(f"the report and the {what} cannot share one file", param_hint=option)


def write_text(text: str, out: Path | None) -> None:
    """Write a text into a file, or print it. Raises OSError: there is no room for it."""
    if out is None:
        click.echo(text, nl=False)
    else:
        write_whole(out, text)


def write_report(text: str, out: Path | None) -> bool:
    """Write the report; if this fails, print it, so that the games are not lost. Return whether writing succeeded."""
    try:
        write_text(text, out)
    except OSError as error:
        report_unwritten(error, "the report follows")
        if out is None or not write_report(text, None):
            say(text.removesuffix("\n"))
        return False
    return True


def check_players(rules: Ruleset, players: int | None) -> int:
    """Return the number of players, after checking that the pack allows it."""
    low, high = rules.players
    number = low if players is None else players
    if not low <= number <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise click.BadParameter(f"{rules.title} is for {wanted} players, not {number}", param_hint="--players")
    return number


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None] | None]:
    """Show a bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True, no_color=not use_colors(sys.stderr))
    columns = (BarColumn(), MofNCompleteColumn(), "games", TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=games)
        yield lambda number: bar.advance(task, number)
