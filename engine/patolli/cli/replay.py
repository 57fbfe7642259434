"""``patolli replay``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.options import Whole

if TYPE_CHECKING:
    from patolli.run.runtime import Match, MatchError
    from patolli.run.runtime.invariants import Watch


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "last", type=Whole(0), metavar="N", help="Stop after N choices.")
@click.option(
    "--why",
    "asked",
    metavar="TEXT",
    help="Explain why an option is not offered at that point. TEXT is its words, or a rule with values: 'buy(card_7)'.",
)
@click.option(
    "--advice",
    metavar="BOT",
    is_flag=False,
    flag_value="medium",
    help="Show how a bot rates every option at that point: a level, or mcts:BUDGET (default: medium).",
)
@click.option("--seat", type=Whole(1), metavar="N", help="Show what this player sees, including their secrets.")
@click.option("--pack", help="The path of the pack, if it is not installed.")
def replay(
    file: Path, last: int | None, asked: str | None, advice: str | None, seat: int | None, pack: str | None
) -> None:
    """Show what happened in the match that is saved in FILE, and the position at the end.

    If players have secrets, you see what a spectator sees; with --seat 1, you see what the first player saw.

    With --why, only the explanation is shown: every condition of the option, whether it is true, what it reads, and
    where it is written. With --advice, only the advice is shown: how a search rates every option, using only what the
    acting player knows, and what is likely to follow. With --why and --advice, --seat may name only the acting player.

    Exit status: 0 success, 1 the content has problems, 2 usage error or the save does not fit, 3 a match could not go
    on, 4 internal error.
    """
    from patolli.author.workspace import load
    from patolli.author.workspace.kept_versions import find_kept_versions
    from patolli.play.terminal.scores import sources
    from patolli.play.terminal.screen import Screen, make_console
    from patolli.play.terminal.sheet import score_sheet
    from patolli.play.terminal.short_log import shorten_lines
    from patolli.run.runtime import name_save, parse_save, read_text
    from patolli.run.runtime.seat_visibility import EVERYBODY

    text = read_text(file)
    with name_save(file):
        data = parse_save(text)
        options = data.get("options", {})
        name, modules = find_kept_versions(pack or data["pack"], data.get("modules", ()), options, data["content"])
        rules = load(name, modules, options)
        kept = rules.restore(text)
    choices = kept.choices
    upto = len(choices) if last is None else min(last, len(choices))
    broken: list[MatchError] = []
    with name_save(file):
        match = rules.replay(
            data["players"], data["seed"], choices[:upto], True, _watch_invariants(broken), edits=kept.edits
        )
    eye = _choose_viewer(match, seat)
    if seat is not None and (asked is not None or advice is not None):
        _check_seat_decides(match, seat, "--why" if asked is not None else "--advice")
    if asked is not None:
        try:
            click.echo(match.why(asked))
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--why'") from None
        return
    if advice is not None:
        click.echo(_format_advice(match, advice))
        return
    for line in shorten_lines(match.telling(None if eye == EVERYBODY else eye), match.names):
        depth = line.level - (line.kind == "heading")
        click.echo(f"{'  ' * depth}{line.words}{':' if line.kind == 'heading' else ''}")
    console = make_console()
    Screen(rules.model, console).draw(match, eye)
    if match.over:
        console.print(score_sheet(match, [""] * match.players))
        points = sources(match)
        if points is not None:
            console.print(points)
    else:
        console.print(f"after {upto} of {len(choices)} choices")
    if broken:
        raise broken[0]


def _choose_viewer(match: Match, seat: int | None) -> int:
    """Return the named viewer, or a spectator if players have secrets. Raises click.BadParameter: no such player."""
    from patolli.run.runtime.seat_visibility import EVERYBODY

    if seat is not None and seat > match.players:
        raise click.BadParameter(f"there is no seat {seat}; the match has {match.players} seats", param_hint="'--seat'")
    if seat is None:
        return EVERYBODY if match.program.layout.model.hidden_locations and match.players > 1 else 0
    return seat - 1


def _check_seat_decides(match: Match, seat: int, option: str) -> None:
    """Check that a player decides: only that one may read options. Raises click.BadParameter: another one does."""
    decision = match.decision
    if decision is not None and decision.player != seat - 1:
        words = f"player {decision.player + 1} decides at that point, and {option} shows secrets of that player"
        raise click.BadParameter(f"{words}; change --seat or --to", param_hint="'--seat'")


def _format_advice(match: Match, kind: str) -> str:
    """Return the advice of a bot as text. Raises click.BadParameter: no such bot, no advice, or no open decision."""
    from patolli.play.players import adviser

    try:
        reported = match.advice(adviser(kind, match.state[1]))
    except (TypeError, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="'--advice'") from None
    decision = match.decision
    assert decision is not None
    return f"{match.names[reported.seat]}: {decision.prompt}\n{reported}" if decision.prompt else str(reported)


def _watch_invariants(broken: list[MatchError]) -> Callable[[Match], None]:
    """Return a function that checks the invariants and stores the first error, so that the log is shown first."""
    watches: list[Watch] = []

    def look(match: Match) -> None:
        from patolli.run.runtime.invariants import BrokenInvariant, Watch

        if not watches:
            watches.append(Watch(match))
        try:
            if not broken:
                watches[0].check(match)
        except BrokenInvariant as error:
            broken.append(error)

    return look
