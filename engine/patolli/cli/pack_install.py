"""``patolli pack install``, ``update``, ``remove`` and ``search``: packs from files and indexes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from patolli.cli.options import NewFile, with_format
from patolli.cli.status import CONTENT, call_or_content, in_lines, relative, say, show_problems
from patolli.language.diagnostics.text import harmless
from patolli.language.sources.archive import SUFFIX
from patolli.language.sources.atomic_files import check_writable

if TYPE_CHECKING:
    from patolli.author.distribution.index_source import IndexSource
    from patolli.author.distribution.pack_index import Release
    from patolli.author.distribution.pack_store import Installed
    from patolli.author.distribution.resolution import Candidate, Wish

F = TypeVar("F", bound=Callable[..., object])


def with_index(function: F) -> F:
    """Add ``--index``."""
    words = "The folder or the URL of an index (default: the environment variable PATOLLI_INDEX)."
    return click.option("--index", envvar="PATOLLI_INDEX", default="", metavar="URL", help=words)(function)


def ending(function: Callable[[], None]) -> None:
    """Do something; end the command if it is refused, or a pack has errors."""
    from patolli.author.distribution.refusal import Refusal
    from patolli.language.diagnostics import ContentError

    try:
        function()
    except Refusal as error:
        say(in_lines(f"Error: {error}"))
        sys.exit(CONTENT)
    except ContentError as error:
        problems = relative(error.problems)
        show_problems(problems)
        sys.exit(call_or_content(problems))


@click.command()
@click.argument("wanted", nargs=-1, metavar="[NAME|FILE]...")
@with_index
@click.option(
    "--lock",
    type=NewFile(),
    metavar="FILE",
    help="Write the chosen versions to FILE. Without names, install exactly the versions in FILE.",
)
def install(wanted: tuple[str, ...], index: str, lock: Path | None) -> None:
    """Install packs with everything that they require: archives by FILE, or packs of an index by NAME.

    A name may have a range of versions after it, such as 'my_game>=1.0,<2.0'. The newest version that works with the
    other packs is installed. FILE may also be a selection file: it names several packs.

    Everything is checked before the first file is written. Other versions stay installed: the newest one is used unless
    a module requires an older one, or you name it, such as 'my_game==1.0.0'.

    Exit status: 0 success, 1 something is refused or has errors, 2 usage error.
    """
    if not wanted and (lock is None or not lock.exists()):
        missing = f"there is no lock file {str(lock)!r}: " if lock is not None else ""
        raise click.UsageError(f"{missing}name a pack or an archive, or an existing file with --lock")
    wanted = tuple(name for one in wanted for name in _expand_selection(one))
    files = [Path(one) for one in wanted if not _is_name(one)]
    wishes = parse_wishes(one for one in wanted if _is_name(one))
    for file in files:
        if file.suffix != SUFFIX or not file.is_file():
            words = f"its name must end with {SUFFIX!r}; 'patolli pack build' makes one"
            ranged = not file.exists() and any(sign in str(file) for sign in "=<>")
            missing = "there is no such file; a pack with a version is written 'my_game==1.0.0'"
            what = words if file.exists() else missing if ranged else "there is no such file"
            raise click.UsageError(f"{str(file)!r} is not an archive: {what}")
    if lock is not None and wanted:
        check_writable(lock)
    ending(lambda: _install(wishes, files, index, lock, bool(wanted)))


def _expand_selection(text: str) -> tuple[str, ...]:
    """Return the names of the packs in a selection file, or another argument as it is."""
    from patolli.language.packs.selection_file import is_selection, read_selection

    if not is_selection(text) or not Path(text).exists():
        return (text,)
    selected = read_selection(text)
    return selected.pack.value, *selected.modules


def _is_name(text: str) -> bool:
    from patolli.language.packs.version_ranges import split_named

    return bool(split_named(text)[0])


def parse_wishes(names: Iterable[str]) -> list[Wish]:
    """Return ids and ranges of named ranges. Raises click.BadParameter: one is something else."""
    from patolli.author.distribution.resolution import Wish
    from patolli.language.packs.version_ranges import split_named

    found = [(name, Wish(*split_named(name))) for name in names]
    for name, wish in found:
        if not wish.id:
            raise click.BadParameter(f"{name!r} is not the name of a pack, such as my_game or 'my_game>=1.0,<2.0'")
    return [wish for _, wish in found]


def _install(wishes: list[Wish], files: list[Path], index: str, lock: Path | None, is_new: bool) -> None:
    from patolli.author.distribution.lock_file import choose_locked, read_lock, write_lock
    from patolli.author.distribution.pack_store import (
        INSTALLED,
        collect_candidates,
        find_home,
        hold_home,
        list_installed,
        read_files,
    )  # fmt: skip
    from patolli.author.distribution.resolution import Wish, resolve

    home, source = find_home(), open_index(index)
    with hold_home(home):
        installed = list_installed(home)
        if is_new:
            given = read_files(files)
            every = [*wishes, *(Wish(one.id, f"=={one.version}") for one in given)]
            chosen = resolve(every, collect_candidates(installed, given, releases_of(source), every))
        else:
            assert lock is not None
            chosen = choose_locked(read_lock(lock), installed, releases_of(source))
        written = _add(chosen, source, installed, home)
        _report_shadows(chosen, home)
        for one in chosen:
            if one.origin == INSTALLED and (not is_new or any(one.id == wish.id for wish in wishes)):
                click.echo(harmless(f"{one.id} {one.version} is already installed: {one.path}"))
        if lock is not None and is_new:
            there = [
                one.path if one.origin == INSTALLED else home / f"{one.id}-{one.version}{SUFFIX}" for one in chosen
            ]
            write_lock(lock, [path for path in there if path is not None])
            click.echo(harmless(f"{lock}: {len(chosen)} packs" if written or chosen else str(lock)))


def require_index(index: str) -> None:
    """Refuse a call without an index. Raises click.UsageError: none is named."""
    if not index:
        raise click.UsageError("name an index with --index, or in the environment variable PATOLLI_INDEX")


def open_index(index: str) -> IndexSource | None:
    """Return the index at an address; None for an empty address."""
    from patolli.author.distribution.index_source import IndexSource

    return IndexSource(index) if index else None


def releases_of(source: IndexSource | None) -> Callable[[str], list[Release]]:
    """Return what lists the releases of a pack; without an index there are none."""
    return source.find_releases if source is not None else lambda id_: []


def _add(
    chosen: Sequence[Candidate], source: IndexSource | None, installed: Sequence[Installed], home: Path
) -> list[Path]:
    """Install what was chosen, and say so."""
    from patolli.author.distribution.pack_store import add_packs
    from patolli.author.distribution.refusal import Refusal

    def fetch(release: Release) -> bytes:
        if source is None:
            raise Refusal("no index is named")  # releases come from an index
        return source.fetch(release)

    before = {one.archive.name: one.archive.read_bytes() for one in installed if one.archive is not None}
    written = add_packs(chosen, fetch, installed, home)
    for path in written:
        same = before.get(path.name)
        note = (
            ""
            if same is None
            else " (as before)"
            if same == path.read_bytes()
            else " (replaced; its content has changed)"
        )
        click.echo(harmless(f"{path}{note}"))
    return written


def _report_shadows(chosen: Sequence[Candidate], home: Path) -> None:
    """Say which packs are not what their id alone names."""
    from patolli.author.distribution.pack_store import INSTALLED
    from patolli.language.packs.discovery import installed as first_of

    first = first_of()
    for one in chosen:
        path = home / f"{one.id}-{one.version}{SUFFIX}"
        used = first.get(one.id)
        if one.origin != INSTALLED and used is not None and not used.is_relative_to(path):
            say(harmless(f"{one.id!r} alone means {used}; this version is '{one.id}=={one.version}'"))


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@with_index
def update(names: tuple[str, ...], index: str) -> None:
    """Install the newest versions of the packs NAME, or of all that are in your folder of packs.

    Old versions stay installed, because saves and modules may need them; 'patolli pack remove' deletes them.

    Exit status: 0 success, 1 something is refused or has errors, 2 usage error.
    """
    wishes = parse_wishes(names)
    require_index(index)
    ending(lambda: _update(wishes, index))


def _update(wishes: list[Wish], index: str) -> None:
    from patolli.author.distribution.pack_store import (
        INSTALLED,
        collect_candidates,
        find_home,
        hold_home,
        list_installed,
    )  # fmt: skip
    from patolli.author.distribution.refusal import Refusal
    from patolli.author.distribution.resolution import Wish, resolve

    home, source = find_home(), open_index(index)
    with hold_home(home):
        installed = list_installed(home)
        own = dict.fromkeys(one.found.id for one in installed if one.archive is not None)
        for wish in wishes:
            if not any(one.found.id == wish.id for one in installed):
                raise Refusal(f"{wish.id!r} is not installed; install it: patolli pack install {wish.id}")
        chosen: dict[tuple[str, str], Candidate] = {}
        for wish in wishes or [Wish(id_, "*") for id_ in own]:
            for one in resolve([wish], collect_candidates(installed, (), releases_of(source), [wish])):
                if one.origin != INSTALLED:
                    chosen.setdefault((one.id, one.version), one)
        written = _add(list(chosen.values()), source, installed, home)
        _report_shadows(list(chosen.values()), home)
        click.echo(f"{len(written)} new version{'' if len(written) == 1 else 's'}")


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def remove(names: tuple[str, ...]) -> None:
    """Delete the archives of the packs NAME from your folder of packs, all versions or those in a range.

    A version that an installed pack requires is not deleted.

    Exit status: 0 success, 1 it is refused, 2 usage error.
    """
    wishes = parse_wishes(names)

    def run() -> None:
        from patolli.author.distribution.pack_store import find_home, hold_home, remove_packs

        home = find_home()
        with hold_home(home):
            for path in remove_packs(wishes, home):
                click.echo(harmless(f"removed {path}"))

    ending(run)


@click.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@with_index
@with_format
def search(words: tuple[str, ...], index: str, form: str) -> None:
    """List the packs of an index. With WORDs, list only packs that have each WORD in their id, title or text.

    Exit status: 0 success, 1 the index is refused or has no such pack, 2 usage error.
    """
    require_index(index)

    def run() -> None:
        source = open_index(index)
        assert source is not None
        rows = [{"id": id_} | row for id_, row in sorted(source.list_packs().items())]
        texts = [" ".join([row["id"], row.get("title", ""), row.get("text", "")]).casefold() for row in rows]
        rows = [row for row, text in zip(rows, texts, strict=True) if all(word.casefold() in text for word in words)]
        if form == "json":
            click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        else:
            for row in rows:
                license_ = f"  [{row['license']}]" if row.get("license") else ""
                click.echo(harmless(f"{row['id']}  {row['version']}  {row.get('title') or row['id']}{license_}"))
        if not rows:
            say("no pack was found")
            sys.exit(CONTENT)

    ending(run)
