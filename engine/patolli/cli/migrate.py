"""``patolli migrate``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.status import CONTENT, FINE, say
from patolli.language.diagnostics.text import harmless

if TYPE_CHECKING:
    from patolli.serve.lsp.migration import Migration


@click.command()
@click.argument("packs", shell_complete=complete_pack, nargs=-1, required=True, metavar="PACK...")
@click.option("--write", is_flag=True, help="Write the files; without this option, changes are only shown.")
def migrate(packs: tuple[str, ...], write: bool) -> None:
    """Migrate packs to the newest version of the language, and show what changes.

    PACK is the name or the folder of a pack. If the new version reserves a word that a pack uses as a name, the name
    changes in the pack and in the packs beside it that use the name. Comments and order do not change. A pack that is
    not migrated still loads, together with packs of the new version.

    Exit status: 0 success, 1 a pack has errors or cannot be migrated, 2 usage error.
    """
    from patolli.language.packs.discovery import find
    from patolli.language.sources.atomic_files import write_whole
    from patolli.language.syntax.words import NEWEST
    from patolli.serve.lsp.migration import Migration
    from patolli.serve.lsp.symbol_rename import Refused

    failed = False
    for name in packs:
        folder = find(name)
        if folder is None or not folder.is_dir():
            raise click.UsageError(f"there is no folder of a pack {harmless(name)!r}; unpack an archive first")
        migration = Migration(Path(folder), NEWEST)
        try:
            migration.work_out()
        except Refused as refused:
            say(harmless(str(refused)))
            failed = True
            continue
        for line in migration.difference():
            click.echo(harmless(line.rstrip("\n")))
        for path, text in migration.files.items() if write else ():
            write_whole(path, text)
        say(harmless(_format_summary(folder.name, migration, write)))
    sys.exit(CONTENT if failed else FINE)


def _format_summary(name: str, migration: Migration, write: bool) -> str:
    count = len(migration.files)
    if not count:
        return f"{name} already uses language {migration.written_version}"
    files = f"{count} file{'' if count == 1 else 's'}"
    if write:
        done = f"{name} now uses language {migration.language}, {files} written"
    else:
        done = f"{name} can be migrated to language {migration.language}, {files} would change; --write writes them"
    return "; ".join([done, *(f"{old} is {new} now" for old, new in migration.renamed.items())])
