"""``patolli tournament``."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli import status
from patolli.cli.completion_words import complete_bot, complete_pack
from patolli.cli.options import NewFile, Seed, Whole, bot_kind, load_rules, with_format, with_modules
from patolli.cli.report_output import check_players, check_report, progress, write_report
from patolli.cli.simulate import KIND

if TYPE_CHECKING:
    from patolli.measure.tournaments import Standings
    from patolli.measure.tournaments.contests import Contest


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@with_modules
@click.option(
    "--bot",
    "bots",
    shell_complete=complete_bot,
    multiple=True,
    required=True,
    metavar="KIND",
    help=f"A bot that takes part; use it twice or more: {KIND}.",
)
@click.option("--players", type=Whole(1), help="Number of seats (default: the game's minimum).")
@click.option(
    "--games",
    type=Whole(1),
    default=400,
    show_default=True,
    help="Maximum number of games. Rounded down, so that each bot plays each seat equally often.",
)
@click.option("--all-games", is_flag=True, help="Play all games, even if the order is certain earlier.")
@click.option("--seed", type=Seed(), default=0, show_default=True, help="Random seed.")
@click.option("--limit", type=Whole(1, 10**9), help="Abandon a game after N choices (default 10,000).")
@click.option("--jobs", type=Whole(1), help="Number of processes (default: one per processor).")
@click.option("--save", type=NewFile(), help="Save finished games to a file. If the file exists, continue it.")
@with_format
@click.option("--out", type=NewFile(), help="Write the report to a file. If that fails, the file does not change.")
def tournament(
    pack: str,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    bots: tuple[str, ...],
    players: int | None,
    games: int,
    all_games: bool,
    seed: int,
    limit: int | None,
    jobs: int | None,
    save: Path | None,
    form: str,
    out: Path | None,
) -> None:
    """Let bots play PACK against each other and report how strong they are.

    Every bot plays every seat equally often with the same seeds. The tournament ends when the order of the bots is
    certain, or when all games are played. With --save, you can stop it at any time. Run the same command again to
    continue; the result is the same. A game in which a bot fails does not count.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 a match could not go on, 4 internal error.
    """
    from patolli.author.workspace.processes import count_processors
    from patolli.language.diagnostics.text import harmless
    from patolli.measure.tournaments import LedgerError
    from patolli.measure.tournaments import tournament as run
    from patolli.measure.tournaments.tournament_run import terms_of
    from patolli.run.runtime.errors import LIMIT

    rules = load_rules(pack, modules, settings)
    number = check_players(rules, players)
    check_report(out, save, "games", "--save")
    kinds = [bot_kind(one, "--bot") for one in bots]
    try:
        terms_of(rules, kinds, games, number, seed, limit or LIMIT)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--bot") from None
    quiet = redirect_stdout(sys.stderr)  # keep the output of bots out of the report
    try:
        with progress(games) as report_progress, quiet:
            reported = report_progress or (lambda played: None)
            found = run(
                rules, kinds, games, number, seed, jobs or count_processors(), limit or LIMIT, save, all_games, reported
            )
    except LedgerError as error:
        raise click.BadParameter(str(error), param_hint="--save") from None
    written = write_report(found.to_json() if form == "json" else found.as_text(), out)
    if found.interrupted and save is not None and found.unwritten is None:
        status.say(harmless(f"interrupted; {save} contains the finished games; run the same command again to continue"))
    sys.exit(_report_failures(found, written))


def _report_failures(found: Standings, written: bool) -> int:
    """Return what went wrong, and return the exit status."""
    if found.unwritten is not None:
        status.report_unwritten(found.unwritten, "later games are only in the report")
    engine = [one.game.engine for one in found.faults if one.game.engine is not None]
    for one in found.faults[:1] if not engine else ():
        _report_failed_game(found, one)
    if engine:
        return status.report_faults(engine)
    if found.faults:
        return status.MATCH
    return (
        status.INTERRUPTED if found.interrupted else status.FINE if written and found.unwritten is None else status.CALL
    )


def _report_failed_game(found: Standings, one: Contest) -> None:
    """Report a game that could not go on, and how to see it again."""
    from patolli.run.runtime.evidence import save_evidence

    status.say(f"game {one.number + 1} of unit {one.unit + 1} (seed {one.game.seed}) could not go on:")
    status.say(status.in_lines(one.game.fault))
    if one.game.broken is not None:
        rules = found.terms.rules
        seats = found.terms.players + rules.model.automated
        status.show_replay(partial(save_evidence, rules, seats, one.game.seed, one.game.broken))
