"""``patolli pack``: build an archive, install one, list what is installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import NewFile, spare_others
from patolli.cli.status import CONTENT, FINE, Commands, say
from patolli.language.diagnostics.text import harmless


@click.group(cls=Commands)
def pack() -> None:
    """Build and install archives of packs, and list the installed packs."""


@pack.command()
@click.argument("pack", shell_complete=complete_pack)
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="The archive to write (default: ID-VERSION.zip).",
)
def build(pack: str, out: Path | None) -> None:
    """Build one archive file of PACK. To install it, copy it to a folder of the search path.

    The same content gives the same bytes on every machine. A pack with errors is not built, nor one with open demands:
    what cannot be proven has to be promised with `expect`, and a scenario or the smoke run has to reach each promise.

    Exit status: 0 success, 1 the content has problems, 2 usage error.
    """
    from patolli.language.packs.archive_writer import BadArchive, build_archive
    from patolli.language.sources.atomic_files import write_whole

    _refuse(pack, ("error", "open"))
    _refuse_untested(pack)
    try:
        archive = build_archive(pack)
    except BadArchive as error:
        say(harmless(f"Error: cannot build an archive of {pack}: {error.strerror}"))
        sys.exit(CONTENT)
    path = out or Path(archive.name)
    spare_others(path, "archive")
    write_whole(path, archive.data)
    click.echo(f"{harmless(str(path))}: {len(archive.files)} files, {len(archive.data):,} bytes")
    click.echo(f"content hash {archive.hash}")
    sys.exit(FINE)


@pack.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def install(file: Path) -> None:
    """Check the archive FILE and copy it to your folder of packs. It replaces other versions of the pack there.

    Install the packs that a module requires before the module. An archive with errors is not installed.

    Exit status: 0 success, 1 the content has problems, 2 usage error.
    """
    from patolli.language.packs.discovery import user_folder
    from patolli.language.packs.manifest import read_pack
    from patolli.language.sources.archive import SUFFIX, archive_of
    from patolli.language.sources.atomic_files import write_whole

    home = user_folder()
    if file.suffix != SUFFIX or home is None:
        what = (
            f"{str(file)!r} is not an archive: its name must end with {SUFFIX!r}" if home else "you have no home folder"
        )
        raise click.UsageError(what)
    _refuse(str(file), ("error",))
    new = read_pack(str(file))
    rows = [row for row in installed_rows() if row["id"] == new.id]
    archives = [archive for row in rows if (archive := archive_of(Path(row["path"]))) is not None]
    others = [archive for archive in archives if archive.parent == home]
    path = home / f"{new.id}-{new.version}{SUFFIX}"
    data = file.read_bytes()
    home.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)
    for other in others:
        if other != path:
            other.unlink()
            say(harmless(f"removed {other}"))
    click.echo(harmless(f"{path}: {new.text('title') or new.id} {new.version}"))
    first = next((row for row in installed_rows() if row["id"] == new.id), None)
    if first is not None and archive_of(Path(first["path"])) != path:
        say(harmless(f"another {new.id} hides it: {first['path']}"))
    sys.exit(FINE)


@pack.command(name="list")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Output format.")
def list_(form: str) -> None:
    """List the installed packs: what they require, where they are, and how they were found.

    Exit status: 0 success, 1 a pack cannot be read.
    """
    rows = installed_rows()
    if form == "json":
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        click.echo(_format_table(rows), nl=False)
    sys.exit(CONTENT if any(row["problem"] for row in rows) else FINE)


def installed_rows() -> list[dict[str, Any]]:
    """Return a row for each pack on the search path; one behind another of its id is marked as hidden."""
    from patolli.language.diagnostics import ContentError
    from patolli.language.packs.discovery import found_packs
    from patolli.language.packs.manifest import read_pack
    from patolli.language.sources.archive import archive_of

    rows: list[dict[str, Any]] = []
    seen: set[str] = set()
    for found in found_packs():
        row: dict[str, Any] = {"id": found.id, "version": "", "title": "", "requires": {}, "problem": ""}
        archive = archive_of(found.folder)
        try:
            read = read_pack(str(archive or found.folder))
            row |= {"version": read.version, "title": read.text("title"), "requires": read.requires}
        except ContentError as error:
            row["problem"] = error.first.message
        except (OSError, ValueError) as error:  # it was deleted, or its name is invalid
            row["problem"] = str(error)
        row |= {"from": found.origin, "form": "zip" if archive else "folder", "path": str(found.folder)}
        row["hidden"] = found.id in seen
        seen.add(found.id)
        rows.append(row)
    return sorted(rows, key=lambda row: (row["id"], row["hidden"]))


def _format_table(rows: list[dict[str, Any]]) -> str:
    lines = [["id", "version", "needs", "from", "where"]]
    for row in rows:
        note = f"  ({row['problem']})" if row["problem"] else "  (hidden by another)" if row["hidden"] else ""
        lines.append([row["id"], row["version"], ", ".join(row["requires"]), row["from"], row["path"] + note])
    lines = [[harmless(cell) for cell in line] for line in lines]
    wide = [max(len(line[i]) for line in lines) for i in range(4)]
    return "".join(
        "  ".join([*(cell.ljust(w) for cell, w in zip(line, wide, strict=False)), line[-1]]) + "\n" for line in lines
    )


def _refuse_untested(pack: str) -> None:
    """Run the tests of a pack that promises something, and end the command where they do not reach a promise."""
    from patolli.author.scenarios.suites import find_untested
    from patolli.cli.status import relative, show_problems

    if problems := relative(find_untested(pack)):
        show_problems(problems)
        sys.exit(CONTENT)


def _refuse(pack: str, severities: tuple[str, ...]) -> None:
    """Check a pack, and end the command with what is wrong where it has a problem of some severities."""
    from patolli.author.workspace import check_packs
    from patolli.cli.status import call_or_content, relative, show_problems, tell_faults

    report = check_packs((pack,))
    problems = relative(report.problems)
    if report.faults:
        sys.exit(tell_faults(report.faults))
    if any(problem.severity in severities for problem in problems):
        show_problems(problems)
        sys.exit(call_or_content(problems))
