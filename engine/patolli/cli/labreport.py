"""``patolli lab report`` and ``patolli lab match``: what the facts of a run say, and the matches that show it."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.labfolders import FOLDER, check_libraries, mistakes, read_run, rules_of
from patolli.cli.options import NewFile, Whole
from patolli.cli.report_output import check_report, write_text
from patolli.cli.status import FINE, MATCH, in_lines, say
from patolli.measure.lab.units import many

if TYPE_CHECKING:
    from patolli.run.runtime import Match


@click.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--variant", metavar="NAME", help="Variant of the run (default: the unchanged pack).")
@click.option("--against", metavar="DIR[:VARIANT]", help="Show only what differs from that run.")
@click.option("--out", type=NewFile(), help="The file to write. If that fails, the file does not change.")
@click.option("--format", "form", type=click.Choice(["html", "json"]), help="A page, or plain data (default: html).")
def report(folder: Path, variant: str | None, against: str | None, out: Path | None, form: str | None) -> None:
    """Report on one page what the matches of a run show about the game.

    DIR is the folder that 'lab run' has filled, with one bot or with a panel of bots. The page works without a network.
    It starts with the verdict. Then it shows every number with its interval, what it means, and matches that are
    examples of it.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 4 internal error.
    """
    as_json = form == "json"
    if out is None and not as_json:
        raise click.UsageError("a page needs a file: use --out FILE.html; --format json can be printed")
    check_report(out, None, "", "")
    with mistakes():
        check_libraries()
        from patolli.cli.labpanel import read_panel_report
        from patolli.measure.lab.page import page
        from patolli.measure.lab.panel import read_panel
        from patolli.measure.lab.plaindata import json_text
        from patolli.measure.lab.plots import library, pictures
        from patolli.measure.lab.report import report as reported

        if not as_json:
            library()
        if (panel := read_panel(folder)) is not None:
            if variant is not None or against is not None:
                raise click.UsageError(f"{folder} has a panel of bots; name one of its runs: {folder / '...'}")
            data, run = read_panel_report(folder, panel)
        else:
            run = read_run(str(folder), variant)
            data = reported(run, read_run(against) if against is not None else None)
        text = json_text(data) + "\n" if as_json else page(data, pictures(run))
    write_text(text, out)  # the same command can write it again, so it is not printed
    if out is not None:
        _print_findings(data, out)


def _print_findings(data: dict[str, Any], out: Path) -> None:
    about = data["about"]
    played = [f"{one['matches']:,} with {one['bot']}" for one in data["panel"]["bots"]] if "panel" in data else []
    click.echo(f"{about['title']}, {', '.join(played) or many(about['matches'])}: {out}")
    if data["verdict"]["headline"]:
        click.echo(data["verdict"]["headline"])
    click.echo()
    width = max(15, *(len(one["question"]) for one in data["verdict"]["answers"]))
    columns = get_terminal_size().columns if sys.stdout.isatty() else 0
    for one in data["verdict"]["answers"]:
        line = f"{one['question']:<{width}} {one['verdict']:<15} {one['text']}"
        click.echo(
            fill(line, columns, subsequent_indent=" " * (width + 17), break_on_hyphens=False) if columns else line
        )
    click.echo()
    for one in data["findings"]:
        at = f"  {one['where']}\n" if one["where"] else ""
        shown = f"  matches {', '.join(map(str, one['examples']))}" if one["examples"] else ""
        click.echo(f"{one['kind']}: {one['text']}\n{at}{shown}".rstrip("\n"))
        if "bots" in one:
            click.echo(in_lines(describe_bots(one)))
        if one["try"]:
            click.echo("  what to try next:")
        for each in one["try"]:
            click.echo(f"  - {each['text']}:\n      {each['command']}")
        click.echo()
    if not data["findings"]:
        from patolli.measure.lab.report import nothing

        click.echo(nothing(data))


def describe_bots(one: dict[str, Any]) -> str:
    """Say with which bots of a panel a finding was made, and how it does with each of them."""
    depends = f"depends on bots: the opposite with {', '.join(one['against'])}; " if one["flips"] else ""
    lines = [f"{depends}found with {', '.join(one['bots'])}", *one["each"]]
    if one.get("elsewhere", {}).get("matches"):
        lines.append(f"matches of {one['elsewhere']['folder']}: {', '.join(map(str, one['elsewhere']['matches']))}")
    return "\n".join(lines)


@click.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("number", type=Whole(0))
@click.option("--variant", metavar="NAME", help="Variant of the run (default: the unchanged pack).")
@click.option("--out", type=NewFile(), help="Save the match for 'patolli replay'.")
def match(folder: Path, number: int, variant: str | None, out: Path | None) -> None:
    """Play match NUMBER of a run again, and show what happened.

    The match is compared with the recorded facts. If it ends differently, the bots or the pack have changed, and the
    command reports that.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 the match now ends differently, 4 internal
    error.
    """
    with mistakes():
        check_libraries()
        from patolli.measure.lab.frame import chosen_variant, open_run
        from patolli.measure.lab.replays import replay_match

        store = open_run(folder)
        name = chosen_variant(store, variant)
        played, row = replay_match(store, name, rules_of(store, name), number)
    if out is not None:
        from patolli.run.runtime.evidence import replaying

        write_text(played.to_json() + "\n", out)
        click.echo(f"saved; '{replaying(played.ruleset, out)}' shows it")
    else:
        _format_story(played)
    if row is not None and row["digest"] and row["digest"] != (played.digest() if played.over else ""):
        say(f"match {number} ends differently than recorded: the pack or a bot has changed since")
        sys.exit(MATCH)
    sys.exit(FINE)


def _format_story(played: Match) -> None:
    from patolli.play.terminal.scores import sources
    from patolli.play.terminal.screen import make_console
    from patolli.play.terminal.sheet import score_sheet

    for line in played.telling():
        depth = line.level - (line.kind == "heading")
        click.echo(f"{'  ' * depth}{line.words}{':' if line.kind == 'heading' else ''}")
    if played.over:
        console = make_console()
        console.print(score_sheet(played, [""] * played.players))
        points = sources(played)
        if points is not None:
            console.print(points)
