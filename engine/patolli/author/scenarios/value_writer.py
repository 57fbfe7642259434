"""Write recorded values back into YAML files, each in its place; everything around them stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from patolli.author.scenarios.outcome import Change
from patolli.language.diagnostics import Edit, apply_edits
from patolli.language.sources.atomic_files import write_whole

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.>()+ -]*\Z|-?[0-9]+\Z")
_WORDS = frozenset("true false null none yes no on off y n".split())


def quote_scalar(text: str) -> str:
    """Return a text as a YAML scalar that reads back as the same text, inside a list in brackets too."""
    plain = _PLAIN.match(text) and text.lower() not in _WORDS - {"none"} and not text.endswith(" ")
    return text if plain else json.dumps(text, ensure_ascii=False)


def written_list(items: list[str]) -> str:
    """Return a list of YAML scalars in brackets."""
    return f"[{', '.join(items)}]"


def apply_changes(changes: Iterable[Change]) -> dict[str, int]:
    """Write all changes into their files, whole or not at all for each file.

    Returns:
        The number of changes for each file.
    """
    files: dict[str, list[Change]] = {}
    for change in changes:
        files.setdefault(change.span.path, []).append(change)
    for path, own in files.items():
        file = Path(path)
        edits = [Edit(change.span, change.text) for change in own]
        write_whole(file, apply_edits(file.read_bytes().decode("utf-8"), edits))
    return {path: len(own) for path, own in files.items()}
