"""``patolli gallery``: every piece of a pack as a card, on one page."""

from __future__ import annotations

from pathlib import Path

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import NewFile, format_count, load_rules, spare_others, with_modules


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@with_modules
@click.option(
    "--lab",
    "report",
    type=click.Path(path_type=Path),
    metavar="DIR|REPORT.json",
    help="A run of the lab, or its report.",
)
@click.option("--out", type=NewFile(), required=True, metavar="FILE.html", help="The file to write.")
def gallery(
    pack: str, modules: tuple[str, ...], settings: tuple[tuple[str, str], ...], report: Path | None, out: Path
) -> None:
    """Write every piece and board of PACK as one HTML page that needs no other file.

    For each piece, the page shows the card, facts, effects in sentences, text, source, and the entries that name it.
    With modules, it also shows what they change, next to the original piece. With --lab, it also shows how often
    players took the piece and how much it was worth.

    Exit status: 0 success, 1 the content has problems, 2 usage error.
    """
    from patolli.author.workspace import requirements
    from patolli.language.sources.atomic_files import write_whole
    from patolli.serve.studio.gallery.differences import base_of
    from patolli.serve.studio.gallery.page import gallery_of, page
    from patolli.serve.studio.gallery.ratings import NoReport, read_ratings

    spare_others(out, "page of HTML")
    needs = requirements(pack)
    rules = load_rules(needs.base, (*needs.modules, *modules), settings)
    try:
        ratings = read_ratings(report, rules) if report is not None else None
    except NoReport as error:
        raise click.BadParameter(str(error), param_hint="--lab") from None
    found = gallery_of(rules, base_of(rules), ratings)
    write_whole(out, page(found))
    click.echo(f"{out}: {format_count(len(found.cards), 'card')} and {format_count(len(found.boards), 'board')}")
