"""``patolli simulate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli import options
from patolli.cli.completion_words import complete_pack
from patolli.cli.report_output import check_players, check_report, progress, write_report
from patolli.cli.status import (
    CALL,
    FINE,
    INTERRUPTED,
    MATCH,
    in_lines,
    report_faults,
    report_unwritten,
    say,
    show_replay,
)
from patolli.language.sources.atomic_files import check_writable

if TYPE_CHECKING:
    from patolli.measure.simulation.gamesfile import GamesFile

KIND = (
    "random, greedy, learned, mcts:BUDGET, easy, medium, hard, an installed bot, MODULE:CLASS, or NAME=MODULE:CLASS "
    "to name it"
)


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@options.with_modules
@click.option("--players", type=options.Whole(1), help="Number of seats (default: the game's minimum).")
@click.option("--games", type=options.Whole(1), default=100, show_default=True, help="Number of games.")
@click.option("--seed", type=options.Seed(), default=0, show_default=True, help="Random seed.")
@options.with_bot("random", f"The bot for all seats: {KIND}.")
@options.with_seats("A different bot for one seat.")
@click.option("--limit", type=options.Whole(1, 10**9), help="Abandon a game after N choices (default 10,000).")
@click.option("--jobs", type=options.Whole(1), help="Number of processes (default: one per processor).")
@click.option(
    "--invariants/--no-invariants",
    default=True,
    help="Check after every choice that the invariants of the pack are true (default: yes).",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "python", "native"]),
    default="auto",
    show_default=True,
    help="The engine; games are the same. native: WebAssembly, for random bots only. auto: native if it saves time.",
)
@options.with_format
@click.option(
    "--out", type=options.NewFile(), help="Write the report to a file. If that fails, the file does not change."
)
@click.option(
    "--games-out",
    type=options.NewFile(),
    help="Write a row for each game and seat as games finish: .csv, .jsonl or .parquet.",
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
    engine: str,
    form: str,
    out: Path | None,
    games_out: Path | None,
) -> None:
    """Let bots play many games of PACK and report the statistics.

    The digest in the last line is a short code for the results of all games. For the same seed, it is the same on every
    machine and for any --jobs. Press Ctrl-C to stop early and report the games that are finished.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 a match could not go on, 4 internal error.
    """
    from patolli.measure.simulation import LIMIT, Plan
    from patolli.measure.simulation import simulate as run
    from patolli.measure.simulation.natively import CannotPlay
    from patolli.play.players.bots import check_kinds, kind_of
    from patolli.run.runtime.evidence import save_evidence

    rules = options.load_rules(pack, modules, settings)
    number = check_players(rules, players)
    check_report(out, games_out, "rows", "--games-out")
    bots = options.seat_kinds(seats, number, [options.bot_kind(bot, "--bot")] * number)
    try:
        check_kinds(map(kind_of, bots), rules, number)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--bot") from None
    plan = Plan(number, games, seed, tuple(bots), limit or LIMIT, invariants)
    seated = [*bots, *["rules"] * rules.model.automated]
    quiet = redirect_stdout(sys.stderr)  # keep the output of bots out of the report
    with _open_rows(games_out, seated) as rows, progress(games) as report_progress, quiet:
        try:
            each = rows.add if rows is not None else None
            report = run(rules, plan, jobs or worth(games), report_progress, each, engine, keep=False)
        except CannotPlay as error:
            raise click.BadParameter(str(error), param_hint="--engine native") from None
    text = report.as_json() if form == "json" else report.as_text()
    written = write_report(text, out) and _report_unwritten_rows(rows)
    if report.interrupted:
        say(f"interrupted after {report.tally.played} of {games} games")
    for game in report.faults[:1] if not report.engine_faults else ():
        say(f"game {game.index} (seed {game.seed}) of {len(report.faults)} that failed:")
        say(in_lines(game.fault))
        if game.broken is not None:
            show_replay(partial(save_evidence, rules, number + rules.model.automated, game.seed, game.broken))
    if report.engine_faults:
        sys.exit(report_faults(report.engine_faults))
    sys.exit(MATCH if report.faults else INTERRUPTED if report.interrupted else FINE if written else CALL)


@contextmanager
def _open_rows(path: Path | None, bots: list[str]) -> Iterator[GamesFile | None]:
    """Open the file for the rows of games, if there is to be one, and finish it, whatever happens meanwhile."""
    if path is None:
        yield None
        return
    from patolli.measure.simulation.gamesfile import GamesFile

    check_writable(path)
    try:
        rows = GamesFile(path, bots)
    except (ImportError, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="--games-out") from None
    try:
        yield rows
    finally:
        rows.close()


def _report_unwritten_rows(rows: GamesFile | None) -> bool:
    """Say what of the rows could not be written."""
    if rows is None or rows.failed is None:
        return True
    left = f"; they are in {rows.path}" if rows.path != rows.wanted else ""
    report_unwritten(rows.failed, f"{rows.written} games are written as rows{left}")
    return False


def worth(games: int) -> int:
    """Return how many processes are worth their start."""
    from patolli.author.workspace.processes import count_processors

    return max(1, min(count_processors(), games // 20))
