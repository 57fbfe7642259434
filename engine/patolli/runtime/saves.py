"""Saves: written so that a crash leaves the old one or the new one, read only with the content they were made with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patolli.runtime.match import Match

if TYPE_CHECKING:
    from patolli.runtime.ruleset import Ruleset


class SaveError(Exception):
    """A save cannot be used; the message says why."""


def write_save(match: Match, path: Path) -> None:
    """Write a match to a file, through a temporary file beside it."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(match.to_json())
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def parse_save(text: str) -> dict[str, Any]:
    """Return the data of a save.

    Raises:
        SaveError: The text is no save.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise SaveError(f"this is not a save: {error}") from None
    if not isinstance(data, dict) or data.get("patolli") != 1:
        raise SaveError("this is not a save of this program")
    missing = [key for key in ("pack", "players", "seed", "choices", "state", "content") if key not in data]
    if missing:
        raise SaveError(f"the save is incomplete; it lacks {', '.join(missing)}")
    return data


def read_save(ruleset: Ruleset, text: str, narrate: bool = False) -> Match:
    """Restore a match; see :meth:`Ruleset.restore`."""
    data = parse_save(text)
    if data["content"] != ruleset.content_hash:
        raise SaveError(_difference(ruleset, data))
    program = ruleset.program(data["players"], narrate)
    state = [_thawed(value) for value in data["state"]]
    state[0] = [[_frozen(value) for value in frame] for frame in data["state"][0]]
    match = Match(ruleset, program, state, narrate)
    match.choices = list(data["choices"])
    match._log = list(data.get("log", ()))
    if not state[2]:
        match.run()
    return match


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


def _thawed(value: Any) -> Any:
    return value


def _difference(ruleset: Ruleset, data: dict[str, Any]) -> str:
    if data["pack"] != ruleset.id:
        return f"the save is of {data['pack']!r}, this is {ruleset.id!r}"
    if data.get("modules") != ruleset.module_ids:
        return f"the save was made with the modules {data.get('modules')}, this is {ruleset.module_ids}"
    if data.get("options") != ruleset.chosen:
        return f"the save was made with the options {data.get('options')}, this is {ruleset.chosen}"
    old, new = data.get("files", {}), ruleset.file_hashes
    changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return f"the content has changed since the save: {', '.join(changed) or 'unknown files'}"
