"""``patolli simulate``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.options import Seed, Whole, bot_kind, load_rules, seat_kinds, with_bot, with_modules, with_seats
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
    from patolli.simulation.gamesfile import GamesFile

KIND = "random, greedy, an installed one, or MODULE:CLASS with NAME= before it or without"


@click.command()
@click.argument("pack")
@with_modules
@click.option("--players", type=Whole(1), help="How many seats; the least of the pack if left out.")
@click.option("--games", type=Whole(1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=Seed(), default=0, show_default=True, help="Decides everything that is random.")
@with_bot("random", f"Who plays: {KIND}.")
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
@click.option(
    "--games-out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a row for each game and seat, as games finish: .csv, .jsonl or .parquet.",
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
    games_out: Path | None,
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
    number = allowed(rules, players)
    if out is not None:
        check_writable(out)
    if out is not None and games_out is not None and out.resolve() == games_out.resolve():
        raise click.BadParameter("the report and the rows cannot stand in one file", param_hint="--games-out")
    bots = seat_kinds(seats, number, [bot_kind(bot, "--bot")] * number)
    plan = Plan(number, games, seed, tuple(bots), limit or LIMIT, invariants)
    seated = [*bots, *["rules"] * rules.model.automated]
    quiet = redirect_stdout(sys.stderr)  # what bots print is no part of the report
    with _rows(games_out, seated) as rows, progress(games) as tell, quiet:
        report = run(rules, plan, jobs or worth(games), tell, rows.add if rows is not None else None)
    text = report.as_json() if form == "json" else report.as_text()
    delivered = _delivered(text, out) and _kept(rows)
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


@contextmanager
def _rows(path: Path | None, bots: list[str]) -> Iterator[GamesFile | None]:
    """Open the file for the rows of games, if there is to be one, and finish it, whatever happens meanwhile."""
    if path is None:
        yield None
        return
    from patolli.simulation.gamesfile import GamesFile

    check_writable(path)
    try:
        rows = GamesFile(path, bots)
    except (ImportError, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="--games-out") from None
    try:
        yield rows
    finally:
        rows.close()


def _kept(rows: GamesFile | None) -> bool:
    """Say what of the rows could not be written."""
    if rows is None or rows.failed is None:
        return True
    left = f"; they are in {rows.path}" if rows.path != rows.wanted else ""
    tell_unwritten(rows.failed, f"{rows.written} games of the rows are written{left}")
    return False


def allowed(rules: Ruleset, players: int | None) -> int:
    """Return the number of players, if the pack can be played so."""
    low, high = rules.players
    number = low if players is None else players
    if not low <= number <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise click.BadParameter(f"{rules.title} is for {wanted} players, not {number}", param_hint="--players")
    return number


def worth(games: int) -> int:
    """Return how many processes are worth their start."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(here, games // 20))


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None] | None]:
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
