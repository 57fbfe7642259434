"""``patolli explain``."""

from __future__ import annotations

import click

from patolli.cli.completion_words import complete_code

MOST = 12
"""How many problems are listed that have the words."""


@click.command()
@click.argument("words", shell_complete=complete_code, nargs=-1, required=True, metavar="CODE")
def explain(words: tuple[str, ...]) -> None:
    """Explain the CODE of a problem: what it means, why it matters, and how to fix it.

    With words instead of a code, list the problems whose pages contain these words. If there is only one, explain it.
    """
    from patolli.language.diagnostics import nearest
    from patolli.language.diagnostics.codes import CODES, find_codes
    from patolli.language.diagnostics.codes import explain as page

    said = " ".join(words)
    found = [said.upper()] if said.upper() in CODES else find_codes(said)
    if not found:
        near = nearest(said.upper(), CODES)
        hint = f"; did you mean {near}?" if near else ""
        raise click.BadParameter(f"there is no code {said!r}, and no problem page contains it{hint}", param_hint="CODE")
    if len(found) == 1:
        click.echo(page(found[0]), nl=False)
        return
    for code in found[:MOST]:
        click.echo(f"{code}  {CODES[code].title}")
    more = f", and {len(found) - MOST} more, for which you need more words" if len(found) > MOST else ""
    click.echo(f"'patolli explain CODE' explains each{more}")
