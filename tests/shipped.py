"""The packs that come with Patolli: which of them are games, which are modules, and how a module is loaded."""

from __future__ import annotations

from functools import cache

from patolli.author.workspace import load
from patolli.language.packs.discovery import list_bundled
from patolli.language.packs.manifest import read_manifest
from patolli.run.runtime import Ruleset

_REQUIRED = {name: list(read_manifest(folder).requires) for name, folder in list_bundled().items()}
BASES = [name for name, required in _REQUIRED.items() if not required]
MODULES = [name for name, required in _REQUIRED.items() if required]
FEW_MODULES = ["altars", "draft", "founders_solo", "solo"]
"""One that adds actions, one that replaces the set-up, and two that play for a seat; all modules together are played in
``test_combinations``."""


@cache
def load_shipped(name: str) -> Ruleset:
    """Load a pack (also one of the tests, by its path), or a module with its base and the other modules that it requires."""
    required = _REQUIRED.get(name, [])
    base = next((other for other in required if other in BASES), None)
    return load(base, [*(other for other in required if other != base), name]) if base else load(name)
