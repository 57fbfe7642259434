"""``patolli compat``: whether modules work with a version of a pack."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from patolli.cli.completion_words import complete_module, complete_pack
from patolli.cli.options import format_count, with_format
from patolli.cli.pack_install import ending
from patolli.cli.status import CONTENT, relative, report_faults, show_problems
from patolli.language.diagnostics.text import harmless


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@click.argument("modules", nargs=-1, required=True, shell_complete=complete_module, metavar="MODULE...")
@with_format
def compat(pack: str, modules: tuple[str, ...], form: str) -> None:
    """Check whether each MODULE works with PACK, such as a new version that is not installed.

    Each module is validated with PACK in place of the installed version. Then its scenarios are run, and random matches
    are played with every number of players. If a module requires other modules that are not installed, name these, too.

    Exit status: 0 all modules work, 1 a module breaks, 2 usage error, 4 internal error.
    """
    ending(lambda: _try(pack, modules, form == "json"))


def _try(pack: str, modules: tuple[str, ...], as_json: bool) -> None:
    from patolli.author.distribution.compatibility import try_modules
    from patolli.language.diagnostics.machine import describe_problems

    rows: list[dict[str, Any]] = []
    for trial in try_modules(pack, modules):
        if trial.faults:
            sys.exit(report_faults(trial.faults))
        problems = relative(trial.problems)
        row = {"id": trial.module, "version": trial.version, "works": not problems}
        rows.append(row | {"scenarios": trial.tests, "matches": trial.matches, "problems": describe_problems(problems)})
        if as_json:
            continue
        played = f"{format_count(trial.tests, 'scenario')}, {format_count(trial.matches, 'match', 'matches')}"
        words = "breaks" if problems else f"works ({played})"
        click.echo(harmless(f"{trial.module} {trial.version} {words}"))
        if problems:
            show_problems(problems)
    broken = sum(not row["works"] for row in rows)
    if as_json:
        click.echo(json.dumps({"version": 1, "modules": rows}, indent=2, ensure_ascii=False))
    elif broken:
        click.echo(f"{broken} of {format_count(len(modules), 'module')} would break")
    if broken:
        sys.exit(CONTENT)
