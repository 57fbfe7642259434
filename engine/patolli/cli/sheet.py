"""``patolli sheet``: print and play."""

from __future__ import annotations

import re
from pathlib import Path

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import NewFile, format_count, load_rules, spare_others, with_modules


def _parse_size(ctx: click.Context, param: click.Parameter, text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d{1,9}(?:\.\d+)?)x(\d{1,9}(?:\.\d+)?)", text.strip())
    if found is None:
        raise click.BadParameter(f"{text!r} is not of the form WIDTHxHEIGHT in millimeters, such as 63x88")
    return float(found[1]), float(found[2])


def _split_names(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Split names at commas; an option may come again as well."""
    return tuple(name.strip() for text in given for name in text.split(",") if name.strip())


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@with_modules
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    callback=_split_names,
    metavar="KINDS",
    help="Print only these kinds, such as a,b.",
)
@click.option(
    "--pieces", multiple=True, callback=_split_names, metavar="IDS", help="Print only these pieces, such as a,b."
)
@click.option(
    "--of",
    "packs",
    multiple=True,
    callback=_split_names,
    metavar="PACKS",
    help="Print only what these packs or modules add.",
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The size of the paper."
)
@click.option(
    "--card", callback=_parse_size, default="63x88", show_default=True, metavar="WxH", help="The size of a card in mm."
)
@click.option("--boards/--no-boards", default=True, help="Print boards, too (default: yes, unless pieces are named).")
@click.option("--once", is_flag=True, help="Print each card once, regardless of its copies.")
@click.option("--out", type=NewFile(), metavar="FILE.pdf", help="The PDF to write.")
@click.option(
    "--tabletop-simulator",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a saved object of Tabletop Simulator and its pictures instead.",
)
def sheet(
    pack: str,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    kinds: tuple[str, ...],
    pieces: tuple[str, ...],
    packs: tuple[str, ...],
    paper: str,
    card: tuple[float, float],
    boards: bool,
    once: bool,
    out: Path | None,
    folder: Path | None,
) -> None:
    """Print the cards and boards of PACK as a PDF, with crop marks, or write them for Tabletop Simulator.

    Each piece is printed with all its copies in a match with the most players. Patolli prints only what the
    license of the pack allows; the license is in the file LICENSE beside pack.yaml. A folder without a license counts
    as your own prototype.

    Exit status: 0 success, 1 the content has problems, 2 usage error.
    """
    from patolli.author.workspace import requirements
    from patolli.language.sources.atomic_files import write_whole
    from patolli.serve.studio.drawing.pdf import NoPrinter
    from patolli.serve.studio.sheets.licenses import NotAllowed
    from patolli.serve.studio.sheets.sheet import SheetError, Sheets, Wanted, sheets_of
    from patolli.serve.studio.sheets.tabletop import Tabletop, write_tabletop

    if (out is None) == (folder is None):
        raise click.UsageError("name either the PDF with --out or the folder with --tabletop-simulator")
    if out is not None:
        spare_others(out, "PDF")
    needs = requirements(pack)
    rules = load_rules(needs.base, (*needs.modules, *modules), settings)
    wanted = Wanted(kinds, pieces, packs, paper, card, boards, once)
    made: Sheets | Tabletop
    try:
        made = write_tabletop(rules, folder, wanted) if folder is not None else sheets_of(rules, wanted)
    except (NotAllowed, NoPrinter, SheetError) as error:
        raise click.UsageError(str(error)) from None
    if isinstance(made, Tabletop):
        click.echo(f"{made.files[0]}: a saved object with {format_count(len(made.files) - 1, 'picture')}")
    elif out is not None:
        write_whole(out, made.data)
        sizes = format_count(made.pages, "page"), format_count(made.cards, "card"), format_count(made.boards, "board")
        click.echo("{}: {} with {} and {}".format(out, *sizes))
    if made.short:
        names = ", ".join(made.short[:5]) + (f" and {len(made.short) - 5} more" if len(made.short) > 5 else "")
        click.echo(f"The text of {names} is cut off. Use larger cards, such as --card 70x120.", err=True)
