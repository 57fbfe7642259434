"""``patolli show``: what a pack holds, as a page or as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import load_rules, with_format, with_modules
from patolli.cli.status import CONTENT, FINE

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@click.argument("id", required=False)
@with_modules
@click.option("--layers", is_flag=True, help="Show which pack declared and which packs changed each entry.")
@click.option(
    "--assumptions",
    is_flag=True,
    help="List the assumptions: entries without a source in a rulebook, with their places.",
)
@click.option(
    "--promises", is_flag=True, help="List the promises: each condition after 'expect', with its reason and place."
)
@click.option("--matrix", is_flag=True, help="Show the modules, and which of them can be combined.")
@click.option("--seams", is_flag=True, help="List what a module can change: steps, menus, payments, functions.")
@click.option(
    "--code", type=click.Choice(["python", "wat"]), help="Print the compiled code of the rule or function ID."
)
@with_format
def show(
    pack: str,
    id: str | None,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    layers: bool,
    assumptions: bool,
    promises: bool,
    matrix: bool,
    seams: bool,
    code: str | None,
    form: str,
) -> None:
    """Show what PACK contains, or the entry ID. A module is shown together with the packs that it requires.

    Exit status: 0 success, 1 the content has problems, 2 usage error.
    """
    from patolli.author.workspace import requirements
    from patolli.cli import entries, pages

    _check_one_page(
        layers=layers, assumptions=assumptions, promises=promises, matrix=matrix, seams=seams, code=code is not None
    )
    if matrix:
        from patolli.cli import matrix as combined

        base = requirements(pack).base
        if base != pack:
            words = f"{pack!r} is a module; 'patolli show {base} --matrix' shows which modules can be combined"
            raise click.BadParameter(words, param_hint="PACK")
        data = combined.matrix(pack)
        click.echo(json.dumps(data, indent=2) if form == "json" else combined.matrix_text(data))
        sys.exit(CONTENT if data["refused"] else FINE)
    needs = requirements(pack)
    rules = load_rules(needs.base, (*needs.modules, *modules), settings)
    if code is not None:
        if id is None:
            raise click.BadParameter("which code? Name a rule or function after the pack.", param_hint="--code")
        text = _print_code(rules, id, code)
        if not text:
            raise click.BadParameter(f"there is no rule or function {id!r}", param_hint="ID")
        data = {"code": text}
    elif assumptions:
        data = pages.assumptions(rules)
        text = pages.assumptions_text(data)
    elif promises:
        data = pages.promises(rules)
        text = pages.promises_text(data)
    elif seams:
        from patolli.cli import seams as page

        data = page.seams(rules)
        text = page.seams_text(data)
    elif id is not None:
        several = entries.find_entries(rules, id)
        if not several:
            raise click.BadParameter(entries.unknown(rules, id), param_hint="ID")
        found = [entries.layers_data(rules, one) if layers else entries.entry_data(rules, one) for one in several]
        text = "\n\n".join((entries.layers_text if layers else entries.entry_text)(one) for one in found)
        data = found[0] if len(found) == 1 else {"entries": found}
    elif layers:
        data = pages.layers(rules)
        text = pages.layers_text(data)
    else:
        data = pages.overview(rules)
        text = pages.overview_text(data)
    click.echo(json.dumps(data, indent=2, ensure_ascii=False) if form == "json" else text)


def _check_one_page(**wanted: bool) -> None:
    """Refuse several pages at once."""
    names = [f"--{name}" for name, given in wanted.items() if given]
    if len(names) > 1:
        raise click.UsageError(f"{' and '.join(names)} are separate pages; choose one of them")


def _print_code(rules: Ruleset, id: str, form: str) -> str:
    from patolli.cli import pages
    from patolli.run.native import Unsupported

    try:
        return pages.code(rules, id, form)
    except Unsupported as error:
        raise click.UsageError(f"this pack cannot run natively: {error}") from error
