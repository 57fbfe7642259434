"""``patolli migrate``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.completing import complete_pack
from patolli.cli.status import CONTENT, FINE, say
from patolli.diagnostics.text import harmless

if TYPE_CHECKING:
    from patolli.server.migration import Migration


@click.command()
@click.argument("packs", shell_complete=complete_pack, nargs=-1, required=True, metavar="PACK...")
@click.option("--write", is_flag=True, help="Write the files; without it the change is only shown.")
def migrate(packs: tuple[str, ...], write: bool) -> None:
    """Lift packs to the newest version of the language, and show what changes.

    PACK is the name or the folder of a pack. What the new version takes as a word gets another name, in the pack and in
    those beside it that name it; comments and order stay. A pack that is not lifted goes on loading as it is, beside
    packs of the new version.

    Exit status: 0 fine, 1 a pack has errors or cannot be lifted, 2 the call was wrong.
    """
    from patolli.language.words import NEWEST
    from patolli.packs.discovery import find
    from patolli.server.migration import Migration
    from patolli.server.renaming import Refused
    from patolli.sources.writing import write_whole

    failed = False
    for name in packs:
        folder = find(name)
        if folder is None or not folder.is_dir():
            raise click.UsageError(f"there is no folder of a pack {harmless(name)!r}; an archive is unpacked first")
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
        say(harmless(_summary(folder.name, migration, write)))
    sys.exit(CONTENT if failed else FINE)


def _summary(name: str, migration: Migration, write: bool) -> str:
    count = len(migration.files)
    if not count:
        return f"{name} is in language {migration.known} already"
    files = f"{count} file{'' if count == 1 else 's'}"
    if write:
        done = f"{name} is in language {migration.language} now, {files} written"
    else:
        done = f"{name} can be lifted to language {migration.language}, {files} would change; --write writes"
    return "; ".join([done, *(f"{old} is {new} now" for old, new in migration.renamed.items())])
