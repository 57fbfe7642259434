"""``patolli pack``: build an archive, list what is installed; installing is in ``pack_install``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from patolli.cli import pack_install
from patolli.cli.completion_words import complete_pack
from patolli.cli.options import NewFile, spare_others, with_format
from patolli.cli.status import CONTENT, FINE, Commands, say
from patolli.language.diagnostics.text import harmless

if TYPE_CHECKING:
    from patolli.author.distribution.public_names import Verdict
    from patolli.language.packs.manifest import Pack
    from patolli.run.runtime import Ruleset


@click.group(cls=Commands)
def pack() -> None:
    """Build, release and install archives of packs, and list the installed packs."""


for command in (pack_install.install, pack_install.remove, pack_install.search, pack_install.update):
    pack.add_command(command)


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

    The same content gives the same bytes on every machine. A pack with errors is not built. A pack with open demands is
    not built either: promise each of them with `expect`. A scenario or the smoke run must reach each promise.

    Exit status: 0 success, 1 the content has problems, 2 usage error.
    """
    click.echo(_describe_archive(_write_archive(pack, out)))
    sys.exit(FINE)


def _write_archive(pack: str, out: Path | None) -> dict[str, Any]:
    """Check a pack and build its archive; return what was written. End the command if the pack has problems."""
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
    return {"file": str(path), "files": len(archive.files), "bytes": len(archive.data), "hash": archive.hash}


def _describe_archive(archive: dict[str, Any]) -> str:
    written = f"{harmless(archive['file'])}: {archive['files']} files, {archive['bytes']:,} bytes"
    return f"{written}\ncontent hash {archive['hash']}"


@pack.command()
@click.argument("pack", shell_complete=complete_pack)
@click.option(
    "--since",
    metavar="OLD",
    help="The version to compare with: a folder, an archive or a name (default: the newest in the index or installed).",
)
@pack_install.with_index
@click.option("--out", type=NewFile(), metavar="FILE", help="The archive to write (default: ID-VERSION.zip).")
@with_format
def release(pack: str, since: str | None, index: str, out: Path | None, form: str) -> None:
    """Build the archive of PACK if its version number was raised enough for what has changed.

    The first of the three numbers must be raised if a name that modules may use was removed or renamed, or has another
    type. 'patolli show PACK --seams' lists most of these names. The second number must be raised for new names, the
    third for everything else. Below 1.0.0, raise the second number instead of the first.

    Exit status: 0 the archive is written, 1 the version number is too small or the content has problems, 2 usage error.
    """
    pack_install.ending(lambda: _release(pack, since, index, out, form == "json"))


def _release(pack: str, since: str | None, index: str, out: Path | None, as_json: bool) -> None:
    from patolli.author.distribution.public_names import judge_release
    from patolli.language.packs.manifest import read_pack

    _refuse(pack, ("error",))
    new = read_pack(pack)
    with TemporaryDirectory(prefix="patolli-") as folder:
        old = since or _find_last_release(new.id, new.version, index, Path(folder))
        verdict = judge_release(_load_alone(old), _load_alone(pack), new.id) if old is not None else None
    if not as_json:
        _explain_verdict(verdict, new)
    is_enough = verdict is None or verdict.is_enough
    archive = _write_archive(pack, out) if is_enough else None
    if as_json:
        data = _describe_release(verdict, new) | {"archive": archive}
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    elif archive is not None:
        click.echo(_describe_archive(archive))
    if not is_enough:
        sys.exit(CONTENT)


def _explain_verdict(verdict: Verdict | None, pack: Pack) -> None:
    """Say what has changed since the last release, and which version number is due."""
    from patolli.author.distribution.public_names import WORDS, find_undeclared

    if verdict is None:
        say(f"no earlier version of {pack.id!r} was found, so nothing is compared; --since names one")
        return
    click.echo(f"{pack.id} {verdict.old} -> {verdict.new}: {WORDS[verdict.level]}")
    for one in verdict.differences:
        click.echo(harmless(f"  {WORDS[one.level]}: {one.words}"))
    if undeclared := find_undeclared(verdict, pack):
        say("say so in pack.yaml, so that modules learn the new names and saves follow:")
        for key, rows in undeclared.items():
            say(f"  {key}:")
            for address, row in rows.items():
                say(harmless(f"    {address}: {{{', '.join(f'{name}: {value}' for name, value in row.items())}}}"))
    if not verdict.is_enough:
        say(f"Error: version {verdict.due} is due, and pack.yaml says {verdict.new}; raise it")


def _describe_release(verdict: Verdict | None, pack: Pack) -> dict[str, Any]:
    """Return the same as data; without an earlier version nothing is compared."""
    from patolli.author.distribution.public_names import WORDS, find_undeclared

    data: dict[str, Any] = {"version": 1, "pack": pack.id, "old": None, "new": pack.version}
    if verdict is None:
        return data | {"level": None, "due": pack.version, "enough": True, "differences": [], "undeclared": {}}
    keys = ("change", "name", "old", "new")
    rows = [{"level": WORDS[one.level]} | {key: getattr(one, key) for key in keys} for one in verdict.differences]
    data |= {"old": verdict.old, "level": WORDS[verdict.level], "due": verdict.due, "enough": verdict.is_enough}
    return data | {"differences": rows, "undeclared": find_undeclared(verdict, pack)}


def _load_alone(name: str) -> Ruleset:
    """Load a pack with what it requires."""
    from patolli.author.workspace import load, requirements

    needs = requirements(name)
    return load(needs.base, needs.modules)


def _find_last_release(id_: str, version: str, index: str, folder: Path) -> str | None:
    """Return the newest release that is not newer than a version, or else the newest one; it may be fetched."""
    from patolli.author.distribution.pack_store import collect_candidates, find_home, list_installed
    from patolli.author.distribution.resolution import Wish
    from patolli.language.packs.version_ranges import parse_version
    from patolli.language.sources.atomic_files import write_whole

    source = pack_install.open_index(index)
    archives = [one for one in list_installed(find_home()) if one.archive is not None]
    there = collect_candidates(archives, (), pack_install.releases_of(source), [Wish(id_, "*")])(id_)
    older = (one for one in there if parse_version(one.version) <= parse_version(version))
    last = next(older, there[0] if there else None)
    if last is None or last.path is not None:
        return str(last.path) if last is not None else None
    assert source is not None
    assert last.release is not None
    path = folder / last.release.file
    write_whole(path, source.fetch(last.release))
    return str(path)


@pack.command(name="list")
@click.option("--outdated", is_flag=True, help="List only packs that have a newer version in the index.")
@pack_install.with_index
@with_format
def list_(outdated: bool, index: str, form: str) -> None:
    """List the installed packs: what they require, where they are, and how they were found.

    Only --outdated reads the index.

    Exit status: 0 success, 1 a pack or the index cannot be read, 2 usage error.
    """
    if outdated:
        pack_install.require_index(index)
    rows = installed_rows()
    if outdated:
        pack_install.ending(lambda: _keep_outdated(rows, index))
    if form == "json":
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        click.echo(_format_table(rows), nl=False)
    sys.exit(CONTENT if any(row["problem"] for row in rows) else FINE)


def _keep_outdated(rows: list[dict[str, Any]], index: str) -> None:
    """Keep the packs that are older than the newest version of an index, and note that version."""
    from patolli.author.distribution.index_source import IndexSource
    from patolli.language.packs.version_ranges import parse_version

    newest = {id_: row["version"] for id_, row in IndexSource(index).list_packs().items()}
    rows[:] = [
        row | {"newest": newest[row["id"]], "note": f"the index has {newest[row['id']]}"}
        for row in rows
        if not row["hidden"] and parse_version(newest.get(row["id"], "")) > parse_version(row["version"])
    ]


def installed_rows() -> list[dict[str, Any]]:
    """Return a row for each pack on the search path; one behind another of its id is marked as hidden."""
    from patolli.language.diagnostics import ContentError
    from patolli.language.packs.discovery import found_packs
    from patolli.language.packs.manifest import read_pack
    from patolli.language.sources.archive import archive_of

    rows: list[dict[str, Any]] = []
    seen: dict[str, str] = {}
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
        is_other = row["hidden"] and row["version"] != seen[found.id]
        words = "for packs that require it" if is_other else "hidden by another"
        row["note"] = words if row["hidden"] else ""
        seen.setdefault(found.id, row["version"])
        rows.append(row)
    return sorted(rows, key=lambda row: (row["id"], row["hidden"]))


def _format_table(rows: list[dict[str, Any]]) -> str:
    lines = [["id", "version", "needs", "from", "where"]]
    for row in rows:
        note = f"  ({row['problem']})" if row["problem"] else f"  ({row['note']})" if row["note"] else ""
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
    from patolli.cli.status import call_or_content, relative, report_faults, show_problems

    report = check_packs((pack,))
    problems = relative(report.problems)
    if report.faults:
        sys.exit(report_faults(report.faults))
    if any(problem.severity in severities for problem in problems):
        show_problems(problems)
        sys.exit(call_or_content(problems))
