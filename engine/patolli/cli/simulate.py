"""``patolli simulate``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.options import Whole, load_rules, seat_kinds, with_modules, with_seats
from patolli.cli.status import (
    CALL,
    FINE,
    INTERRUPTED,
    MATCH,
    coloured,
    in_lines,
    say,
    tell_faults,
    tell_replay,
    tell_unwritten,
)
from patolli.sources.writing import check_writable, write_whole

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

BOTS = ("random", "greedy")


@click.command()
@click.argument("pack")
@with_modules
@click.option("--players", type=Whole(1), help="How many seats; the least of the pack if left out.")
@click.option("--games", type=Whole(1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides everything that is random.")
@click.option("--bot", type=click.Choice(BOTS), default="random", show_default=True, help="Who plays.")
@with_seats("Another bot for one seat.")
@click.option("--limit", type=Whole(1, 10**9), help="Give a game up after so many choices, else after 10,000.")
@click.option("--jobs", type=Whole(1), help="Processes; as many as there are processors if left out.")
@click.option("--invariants/--no-invariants", default=True, help="Hold the invariants after every choice, or do not.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report to a file, whole or not at all.",
)
def simulate(
    pack: str,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    players: int | None,
    games: int,
    seed: int,
    bot: str,
    seats: tuple[tuple[int, str], ...],
    limit: int | None,
    jobs: int | None,
    invariants: bool,
    form: str,
    out: Path | None,
) -> None:
    """Let bots play many games of PACK and report the statistics.

    The digest is a hash of all final states: for one seed it is the same on every machine and for any --jobs.
    Ctrl-C ends early and reports the games that are finished.

    Exit status: 0 fine, 1 the content has problems, 2 the call was wrong, 3 a match could not go on,
    4 this program failed itself.
    """
    from patolli.runtime.evidence import kept
    from patolli.simulation import LIMIT, Plan
    from patolli.simulation import simulate as run

    rules = load_rules(pack, modules, settings)
    number = _allowed(rules, players)
    if out is not None:
        check_writable(out)
    plan = Plan(number, games, seed, tuple(seat_kinds(seats, number, [bot] * number, BOTS)), limit or LIMIT, invariants)
    with _progress(games) as tell:
        report = run(rules, plan, jobs or _jobs(games), tell)
    text = report.as_json() if form == "json" else report.as_text()
    delivered = _delivered(text, out)
    if report.interrupted:
        say(f"interrupted after {len(report.games)} of {games} games")
    for game in report.faults[:1] if not report.engine_faults else ():
        say(f"game {game.index} (seed {game.seed}) of {len(report.faults)} that could not go on:")
        say(in_lines(game.fault))
        if game.broken is not None:
            tell_replay(partial(kept, rules, number + rules.model.automated, game.seed, game.broken))
    if report.engine_faults:
        sys.exit(tell_faults(report.engine_faults))
    sys.exit(MATCH if report.faults else INTERRUPTED if report.interrupted else FINE if delivered else CALL)


def _delivered(text: str, out: Path | None) -> bool:
    """Write the report; where there is no room for it, it goes to the next best place: games are not played in vain."""
    try:
        if out is None:
            click.echo(text, nl=False)
        else:
            write_whole(out, text)
    except OSError as error:
        tell_unwritten(error, "the report follows")
        if out is None or not _delivered(text, None):
            say(text.removesuffix("\n"))
        return False
    return True


def _allowed(rules: Ruleset, players: int | None) -> int:
    """Return the number of players, if the pack can be played so."""
    low, high = rules.players
    number = low if players is None else players
    if not low <= number <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise click.BadParameter(f"{rules.title} is for {wanted} players, not {number}", param_hint="--players")
    return number


def _jobs(games: int) -> int:
    """Return how many processes are worth their start."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(here, games // 20))


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None] | None]:
    """Show a bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True, no_color=not coloured(sys.stderr))
    columns = (BarColumn(), MofNCompleteColumn(), "games", TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=games)
        yield lambda number: bar.advance(task, number)
