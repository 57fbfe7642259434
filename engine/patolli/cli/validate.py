"""``patolli validate``."""

from __future__ import annotations

import sys

import click

from patolli.cli.options import with_modules
from patolli.cli.status import CONTENT, FINE, call_or_content, coloured, relative

FORMATS = ("text", "json", "sarif", "github")


@click.command()
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@with_modules
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help="How problems are written."
)
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.option("--no-cache", is_flag=True, help="Look at everything, even where nothing has changed.")
def validate(
    packs: tuple[str, ...],
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    form: str,
    strict: bool,
    no_cache: bool,
) -> None:
    """Check packs and print every problem.

    PACK is the id of an installed pack, or the path of a folder; a module is checked together with what it
    requires. Without a PACK everything that is installed is checked.

    Exit status: 0 fine, 1 the content has problems, 2 the call was wrong.
    """
    from patolli.cli.checking import check_all
    from patolli.diagnostics.order import summary
    from patolli.diagnostics.render import render

    if modules and not packs:
        raise click.UsageError("--with needs a PACK to which the modules are added")
    checked = check_all(packs, modules, dict(settings), not no_cache)
    problems = relative(checked.problems)
    if problems or form != "text":
        click.echo(render(problems, form, colour=coloured(sys.stdout)), nl=False)
    else:
        click.echo(f"{checked.summary}: {summary(problems)}")
    errors = any(problem.severity == "error" for problem in problems)
    if errors:
        status = call_or_content(problems) if packs else CONTENT
    else:
        status = CONTENT if problems and strict else FINE
    sys.exit(status)
