"""Keep a match in which something went wrong, and say how to see it again."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path

from patolli.language.packs.discovery import find
from patolli.run.runtime.ruleset import Ruleset
from patolli.run.runtime.saves import write_save


def save_evidence(rules: Ruleset, players: int, seed: int, choices: Iterable[int]) -> str:
    """Write a save of a match; return the call that replays it. Raises OSError: there is no place for it."""
    handle, name = tempfile.mkstemp(".json", f"{rules.id}-")
    os.close(handle)
    write_save(rules.replay(players, seed, choices), Path(name))
    return replaying(rules, Path(name))


def replaying(rules: Ruleset, path: Path) -> str:
    """Return the call that replays a save; a pack that is not found by its id has to be named."""
    words = ["patolli", "replay", str(path)]
    folder = rules.packs[0].folder
    found = find(rules.id)
    if found is None or found.resolve() != folder.resolve():
        words += ["--pack", str(folder)]
    return shlex.join(words)
