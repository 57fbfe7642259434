"""Find the installed versions with which a match was saved, where newer ones have come meanwhile.

In:     the packs that a save or a table names, its options, and the hash of its content.
Out:    the same names, or named ranges such as ``my_game==1.0.0`` of the versions that have this content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from patolli.author.workspace.pack_choice import choose
from patolli.language.diagnostics import ContentError
from patolli.language.packs.discovery import found_packs
from patolli.language.packs.manifest import Kept, read_manifest
from patolli.run.runtime.ruleset import hash_content

MOST = 200
"""Combinations of versions that are tried."""


def find_kept_versions(
    pack: str, modules: Iterable[str], options: Mapping[str, Any], content: str
) -> tuple[str, tuple[str, ...]]:
    """Return the names of the pack and its modules in the versions that have some content, else the names as given."""
    names = (pack, *modules)
    versions = _list_versions(names)
    if all(len(known) == 1 for known in versions):
        return pack, names[1:]
    files = Kept(tests=False)
    for found in islice(product(*versions), MOST):
        try:
            packs, chosen = choose(found[0], found[1:], dict(options), files)
        except ContentError:
            continue
        if hash_content(packs, chosen) == content:
            return found[0], found[1:]
    return pack, names[1:]


def _list_versions(names: tuple[str, ...]) -> list[list[str]]:
    """Return for each id the id alone, and its other versions as named ranges; a path stays alone."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for one in found_packs():
        manifest = read_manifest(one.folder) if one.id in found else None
        if manifest is not None:
            found[one.id].append(f"{one.id}=={manifest.version}")
    return [[name, *_skip_first(found[name])] for name in names]


def _skip_first(versions: list[str]) -> Iterator[str]:
    """Go through the versions that an id alone does not mean."""
    return (version for version in dict.fromkeys(versions[1:]) if version != versions[0])
