"""``patolli new``: create a small working pack or module."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import click

from patolli.cli.schema import NAMES, copy_schemas, schemas_near
from patolli.cli.status import FINE, Commands
from patolli.language.diagnostics.text import harmless
from patolli.language.sources.atomic_files import write_whole

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"


@click.group(cls=Commands)
def new() -> None:
    """Create a small pack or module that validates, passes its tests and can be played."""


def _check_id(ctx: click.Context, param: click.Parameter, name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        hint = re.sub(r"\W+", "_", name.lower()).strip("_")
        hint = f"; what about {hint!r}?" if re.fullmatch(r"[a-z][a-z0-9_]*", hint) else ""
        raise click.BadParameter(f"an id consists of lower-case letters, digits and underscores{hint}")
    return name


_name = click.argument("name", callback=_check_id)
_folder = click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where to create the folder.",
)
_schemas = click.option(
    "--schemas/--no-schemas", default=True, help="Also write the schemas for editors beside the folder."
)


@new.command()
@_name
@_folder
@_schemas
def pack(name: str, folder: Path, schemas: bool) -> None:
    """Create the pack NAME: a small card game."""
    target = folder / name
    _write_template("pack", target, {"NAME": name, "TITLE": _make_title(name)}, schemas)
    _print_next_steps(target, f"patolli play {target}")


@new.command()
@_name
@click.option("--for", "base", required=True, metavar="BASE", help="The pack to change: an id or a path.")
@_folder
@_schemas
def module(name: str, base: str, folder: Path, schemas: bool) -> None:
    """Create the module NAME for the pack BASE."""
    from patolli.language.packs.discovery import find
    from patolli.language.packs.manifest import read_pack

    below = read_pack(base)
    if find(below.id) is None:
        click.echo(f"{below.id!r} is not on the search path; set PATOLLI_PATH to the folder that holds it", err=True)
    target = folder / name
    words = {"NAME": name, "TITLE": _make_title(name), "BASE": below.id, "RANGE": version_range(below.version)}
    _write_template("module", target, words, schemas)
    _print_next_steps(target, f"patolli play {base} --with {target}")


def version_range(version: str) -> str:
    """Return the range of versions that promise to be like one: up to the next major, below 1.0.0 the next minor."""
    from patolli.language.packs.version_ranges import parse_version

    first, then, _ = parse_version(version)
    return f">={first}.{then},<{first + 1}.0" if first else f">=0.{then},<0.{then + 1}"


def _make_title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _write_template(kind: str, target: Path, words: dict[str, str], schemas: bool) -> None:
    """Copy a template with the names put in; each YAML file names its schema, which is written where there is none.

    Raises:
        click.BadParameter: The folder is there already.
    """
    if target.exists() and (target.is_file() or any(target.iterdir())):
        raise click.BadParameter(f"{target} already exists", param_hint="NAME")
    near = schemas_near(target)
    made = _find_free_folder(target.parent) if schemas and near is None else None
    words = {**words, "PATH": str(target)}
    written: list[Path] = []
    try:
        _fill_template(kind, target, words, near or made, written)
        if made is not None:
            copy_schemas(made)
    except BaseException:
        for path in written:  # do not leave half of a pack behind
            path.unlink(missing_ok=True)
        raise


def _find_free_folder(folder: Path) -> Path | None:
    """Return where schemas can be written in a folder; None where something else lies under each of their names."""
    return next((path for name in NAMES if not os.path.lexists(path := folder / name)), None)


def _fill_template(kind: str, target: Path, words: dict[str, str], near: Path | None, written: list[Path]) -> None:
    for source in sorted(path for path in (TEMPLATES / kind).rglob("*") if path.suffix in (".yaml", ".md")):
        text = source.read_text("utf-8")
        for word, value in words.items():
            text = re.sub(rf"\b{word}(?![A-Z])", value.replace("\\", r"\\"), text)
        path = target / source.relative_to(TEMPLATES / kind)
        if source.suffix == ".yaml" and near is not None:
            schema = os.path.relpath(near.resolve() / f"{_read_document_kind(text)}.json", path.parent.resolve())
            text = f"# yaml-language-server: $schema={Path(schema).as_posix()}\n{text}"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        written.append(path)


def _read_document_kind(text: str) -> str:
    return text.partition("\n")[0].removeprefix("document:").strip()


def _print_next_steps(target: Path, play: str) -> None:
    click.echo(harmless(f"created {target}; try"))
    for command in (f"patolli validate {target}", f"patolli test {target}", play):
        click.echo(f"    {harmless(command)}")
    sys.exit(FINE)
