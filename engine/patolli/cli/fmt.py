"""``patolli fmt``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from patolli.cli.status import CONTENT, FINE, say
from patolli.language.diagnostics.text import harmless
from patolli.language.sources.archive import read_bytes
from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.folders import beginning, leads_out, yaml_below


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="[PATH]...")
@click.option("--check", is_flag=True, help="Change nothing; list the files that would change.")
def fmt(paths: tuple[Path, ...], check: bool) -> None:
    """Write content files in canonical style; comments, order and quotes do not change.

    PATH is a file, or a folder with all YAML files below it (default: the current folder). The first key of a content
    file is `document`; comments may come before it. Other files do not change. A file that cannot be read does not
    change either; 'patolli validate' shows why.

    Exit status: 0 success, 1 a file cannot be read or, with --check, would change, 2 usage error.
    """
    from patolli.language.diagnostics.fault import EngineFault
    from patolli.language.packs.manifest import language_of
    from patolli.language.sources.read import LIMITS
    from patolli.language.syntax.formatter import NotYaml, format_text

    changed = broken = 0
    for path in files(paths or (Path(),)):
        try:
            data = read_bytes(path, LIMITS.bytes + 1)
            if len(data) > LIMITS.bytes:
                raise NotYaml
            text = data.decode("utf-8")
            new = format_text(text, str(path), language_of(path))
        except (NotYaml, UnicodeDecodeError, OSError):
            say(harmless(f"{path}: cannot be read; see 'patolli validate'"))
            broken += 1
            continue
        except Exception as error:
            raise EngineFault.of(error, file=str(path)) from error
        if new.encode() != data:
            changed += 1
            click.echo(harmless(str(path)))
            if not check:
                write_whole(path, new)
    _report_summary(changed, check)
    sys.exit(CONTENT if broken or (check and changed) else FINE)


def files(paths: Iterable[Path]) -> list[Path]:
    """Return the content files among *paths* and in the folders among them, each once, in order."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = (file for file in yaml_below(path) if not leads_out(file, path))
            found.update((file, None) for file in inside if _is_content(file))
        else:
            found[path] = None
    return list(found)


def _is_content(path: Path) -> bool:
    """Return whether a file says what document it is."""
    lines = (line.strip() for line in beginning(path, 400).removeprefix(b"\xef\xbb\xbf").splitlines())
    return next((line for line in lines if line and not line.startswith(b"#")), b"").startswith(b"document:")


def _report_summary(changed: int, check: bool) -> None:
    if changed:
        word = "file" if changed == 1 else "files"
        say(f"{changed} {word} {'would be' if check else ''} formatted".replace("  ", " "))
