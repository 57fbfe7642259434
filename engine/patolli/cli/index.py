"""``patolli index``: make the index of a folder of archives."""

from __future__ import annotations

from pathlib import Path

import click

from patolli.cli.options import NewFile, format_count
from patolli.cli.pack_install import ending
from patolli.cli.status import Commands
from patolli.language.diagnostics.text import harmless


@click.group(cls=Commands)
def index() -> None:
    """Make an index: a folder of archives that others install packs from."""


@index.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--key",
    type=NewFile(),
    metavar="FILE",
    help="Sign the files with this secret key, in the format of minisign. If there is no such file, it is made.",
)
def build(folder: Path, key: Path | None) -> None:
    """Write the index of all archives in FOLDER: index.json, and a file for each pack in packs/.

    After that, others can install packs from FOLDER. You may copy it to any web server. A version that is already in
    the index must not have changed. With --key, the last line is the public key. A user who adds it to the address,
    after '#', installs only what you have signed.

    Exit status: 0 success, 1 an archive is refused, 2 usage error.
    """

    def run() -> None:
        from patolli.author.distribution.pack_index import build_index
        from patolli.author.distribution.signatures import Signer

        signer = Signer(key) if key is not None else None
        releases = build_index(folder, signer)
        packs = format_count(len({release.id for release in releases}), "pack")
        click.echo(harmless(f"{folder}: {packs} in {format_count(len(releases), 'version')}"))
        if signer is not None:
            click.echo(signer.public)

    ending(run)
