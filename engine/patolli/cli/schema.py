"""``patolli schema``: the JSON Schemas as files of a project, for editors that know nothing of packs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from patolli.language.diagnostics.text import harmless
from patolli.language.sources.archive import read_bytes
from patolli.language.sources.atomic_files import write_whole

NAMES = ("schemas", ".schemas")
"""How the folder may be called in which ``patolli new`` finds the schemas of a project."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path(NAMES[0]), metavar="[DIR]")
def schema(folder: Path) -> None:
    """Write the JSON Schemas of all kinds of documents into the folder DIR (default: `schemas`).

    Editors without the language server use them for completion and checks. Commit them together with the packs, and
    write them again after you update Patolli. The files of `patolli new` name these schemas in their first line.
    """
    click.echo(f"{harmless(str(folder))}: {copy_schemas(folder)} schemas written")


def copy_schemas(folder: Path) -> int:
    """Write all schemas into a folder and return their number."""
    from patolli.language.sources.documents import KINDS
    from patolli.language.sources.schema import schema_dir

    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        write_whole(folder / f"{kind}.json", (schema_dir() / f"{kind}.json").read_text("utf-8"))
    return len(KINDS)


def schemas_near(target: Path) -> Path | None:
    """Return the folder of schemas that belongs to the project in which a pack lies.

    It is looked for beside the pack and above it, up to the root of the repository; outside of any repository only
    beside it, because nothing else is sure to be moved together with the pack.
    """
    above = list(target.resolve().parents)
    root = next((at for at, folder in enumerate(above) if os.path.exists(folder / ".git")), 0)
    candidates = (folder / name for folder in above[: root + 1] for name in NAMES)
    return next((folder for folder in candidates if _holds_schemas(folder)), None)


def _holds_schemas(folder: Path) -> bool:
    try:
        found = json.loads(read_bytes(folder / "pack.json"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and str(found.get("$id", "")).startswith("urn:patolli:schema:")
