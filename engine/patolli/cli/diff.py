"""``patolli diff``: what changed in the rules, in sentences and values."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import load_rules

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset

DIFFERENT = 1
NARROW, WIDE = 60, 120
"""Columns that a page takes at least and at most."""


@click.command()
@click.argument("old", shell_complete=complete_pack, metavar="OLD")
@click.argument("new", shell_complete=complete_pack, metavar="NEW")
@click.option("--words", is_flag=True, help="Also show texts, names, sources and looks.")
@click.option("--exit-code", is_flag=True, help="Exit with status 1 if something differs.")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="Output format."
)
def diff(old: str, new: str, words: bool, exit_code: bool, form: str) -> None:
    """Show what differs between two packs, entry by entry: the changelog of a game.

    OLD and NEW are each the name, folder or archive of a pack. Add modules and options after plus signs:
    my_game+my_module or my_game+size=9. A name may have a version: my_game==1.0.0. A module is compared together with
    its pack. Effects are shown as sentences, other values as written in the pack.

    Exit status: 0 success, 1 a pack has problems or, with --exit-code, something differs, 2 usage error.
    """
    from patolli.author.lookup.changes import changes
    from patolli.cli import changelog

    data = changes(_load_argument(old, "OLD"), _load_argument(new, "NEW"))
    if form == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    elif form == "markdown":
        click.echo(changelog.markdown(data, words))
    else:
        width = min(max(shutil.get_terminal_size().columns, NARROW), WIDE)
        click.echo(changelog.text(data, words, width))
        hidden = sum(bool(one["words"]) for one in data["entries"])
        if hidden and not words:
            whose = "one entry" if hidden == 1 else f"{hidden} entries"
            click.echo(f"\nTexts or looks of {whose} differ; --words shows how.")
    sys.exit(DIFFERENT if exit_code and _has_changes(data) else 0)


def _has_changes(data: dict[str, object]) -> bool:
    return any(data[key] for key in ("players", "options", "components", "entries"))


def _load_argument(said: str, param: str) -> Ruleset:
    """Load a pack, with modules and options behind plus signs. Raises click.BadParameter: unknown; ContentError."""
    from patolli.author.workspace import requirements
    from patolli.language.packs.version_ranges import split_named

    first, *more = [said] if os.path.exists(said) else said.split("+")
    if not first or not all(more):
        words = f"{said!r} is not of the form PACK or PACK+MODULE+NAME=VALUE"
        raise click.BadParameter(words, param_hint=param)
    needs = requirements(first)
    modules = list(needs.modules)
    settings = []
    for one in more:
        name, sign, value = one.partition("=")
        if sign and value[:1] != "=" and name[-1:] not in "<>!~":  # else it is a range of versions
            settings.append((name, value))
            continue
        wanted = requirements(one)
        bases = [split_named(base)[0] or base for base in (wanted.base, needs.base)]
        if len({*bases}) > 1 and wanted.base != one:
            words = f"{one!r} builds on {wanted.base!r}, and not on {needs.base!r}"
            raise click.BadParameter(words, param_hint=param)
        modules += wanted.modules or [one]
    return load_rules(needs.base, tuple(dict.fromkeys(modules)), tuple(settings))
