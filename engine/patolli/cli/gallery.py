"""``patolli gallery``: every piece of a pack as a card, on one page."""

from __future__ import annotations

from pathlib import Path

import click

from patolli.cli.options import counted, load_rules, with_modules


@click.command()
@click.argument("pack")
@with_modules
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="FILE.html", help="Where to."
)
def gallery(pack: str, modules: tuple[str, ...], settings: tuple[tuple[str, str], ...], out: Path) -> None:
    """Write every piece and board of PACK as one page of HTML that needs no other file.

    Of each piece it shows the card, facts, effects in sentences, text, source, and who names it; with modules also
    what they change, the piece before beside it.

    Exit status: 0 fine, 1 the content has problems, 2 the call was wrong.
    """
    from patolli.sources.writing import write_whole
    from patolli.studio.gallery.compared import base_of
    from patolli.studio.gallery.page import gallery_of, page
    from patolli.workspace import requirements

    needs = requirements(pack)
    rules = load_rules(needs.base, (*needs.modules, *modules), settings)
    found = gallery_of(rules, base_of(rules))
    write_whole(out, page(found))
    click.echo(f"{out}: {counted(len(found.cards), 'card')} and {counted(len(found.boards), 'board')}")
