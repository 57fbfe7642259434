"""``patolli replay``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "last", type=click.IntRange(0), metavar="N", help="Stop after N choices.")
@click.option("--pack", help="Where the pack is, when it is not an installed one.")
def replay(file: Path, last: int | None, pack: str | None) -> None:
    """Tell what happened in the match that is saved in FILE, and show how it stands then.

    Exit status: 0 fine, 1 the content has problems, 2 the call was wrong or the save does not fit, 3 a match
    could not go on, 4 this program failed itself.
    """
    from patolli.runtime import parse_save, read_text
    from patolli.terminal.screen import Screen, make_console
    from patolli.terminal.sheet import score_sheet
    from patolli.workspace import load

    text = read_text(file)
    data = parse_save(text)
    rules = load(pack or data["pack"], data.get("modules", ()), data.get("options", {}))
    choices = rules.restore(text).choices
    upto = len(choices) if last is None else min(last, len(choices))
    match = rules.replay(data["players"], data["seed"], choices[:upto], narrate=True)
    for line in match.log:
        click.echo(line)
    console = make_console()
    Screen(rules.model, console).draw(match, 0)
    if match.over:
        console.print(score_sheet(match, [""] * match.players))
    else:
        console.print(f"after {upto} of {len(choices)} choices")
