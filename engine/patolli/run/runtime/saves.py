"""Saves: written so that a crash leaves the old one or the new one, read only with the content they were made with."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patolli.kernel.values import at_rest, perhaps_at_rest
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.diagnostics.given import SEEDS
from patolli.language.sources.atomic_files import write_whole
from patolli.run.compiler.layout import DRAWS, FRAMES, OVER
from patolli.run.runtime.edits import Edit, is_edit, read_edits
from patolli.run.runtime.errors import MatchError, SaveError
from patolli.run.runtime.knowledge import knows, restore_memory
from patolli.run.runtime.match import Match
from patolli.run.runtime.match_story import Story
from patolli.run.runtime.save_matching import find_changes
from patolli.run.runtime.seals import SUMS, broken
from patolli.run.runtime.snapshots import flaw
from patolli.run.runtime.vocabulary import name_players

if TYPE_CHECKING:
    from patolli.run.runtime.ruleset import Ruleset


LARGEST = 50_000_000
"""Bytes of a save that are read."""
_ADVICE = "choose a file that a match was saved to"


def write_save(match: Match, path: Path) -> str:
    """Write a match to a file, whole or not at all; return what was written."""
    text = match.to_json()
    write_whole(path, text)
    return text


def read_text(path: Path) -> str:
    """Return the text of a file that should be a save. Raises SaveError: too large, or no text; OSError: unreadable."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # a failing disk does not say of what
    if len(data) > LARGEST:
        raise SaveError(f"{path} is not a save: it has more than {LARGEST:,} bytes; {_ADVICE}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SaveError(f"{path} is not a save: it is not text; {_ADVICE}") from None


@contextmanager
def name_save(path: Path) -> Iterator[None]:
    """Let each message about a save name its file. Raises SaveError: what the block raises, with the file."""
    try:
        yield
    except SaveError as error:
        said = str(error)
        raise SaveError(said if said.startswith(str(path)) else f"{path}: {said}") from error


def parse_save(text: str) -> dict[str, Any]:
    """Return the data of a save. Raises SaveError: the text is no save."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"it is not JSON at line {error.lineno}, column {error.colno}" if text.strip() else "it is empty"
        raise SaveError(f"this is not a save: {where}; {_ADVICE}") from None
    except (ValueError, RecursionError):
        raise SaveError(f"this is not a save: a number is too long, or it is nested too deeply; {_ADVICE}") from None
    if not isinstance(data, dict) or data.get("patolli") != 1:
        raise SaveError(f"this is not a save of this program; {_ADVICE}")
    if "seat" in data:
        raise SaveError("this file shows what one player knows; a match cannot continue from it")
    missing = [key for key in ("pack", "players", "seed", "choices", "state", "content", SUMS) if key not in data]
    if missing:
        raise SaveError(f"the save is incomplete; it lacks {', '.join(missing)}")
    for key, fits in _SHAPES.items():
        if key in data and not fits(data[key]):
            raise SaveError(f"the save is damaged: {key!r} is not what it should be")
    try:
        wrong = broken(data)
    except RecursionError:
        raise SaveError(f"this is not a save: it is nested too deeply; {_ADVICE}") from None
    if wrong:
        raise SaveError(f"the save is damaged: {wrong}")
    return data


def read_save(ruleset: Ruleset, text: str, narrate: bool = False) -> Match:
    """Restore a match; see :meth:`Ruleset.restore`."""
    data = parse_save(text)
    if data["content"] != ruleset.content_hash and (changes := find_changes(ruleset, data)):
        raise SaveError(changes)
    low, high = ruleset.players
    if not low <= data["players"] - ruleset.model.automated <= high:
        raise SaveError(f"the save is damaged: there are {data['players']} players")
    program = ruleset.program(data["players"], narrate)
    state = data["state"]
    if not _like(state, program.layout.initial):
        raise SaveError("the save is damaged: its state is not one of this game")
    state[FRAMES] = [list(at_rest(frame)) for frame in state[FRAMES]]
    for slot, initial in enumerate(program.layout.initial):
        if isinstance(initial, tuple):
            state[slot] = perhaps_at_rest(state[slot])
    match = Match(ruleset, program, state, narrate)
    match.choices, match.edits = list(data["choices"]), read_edits(data.get("edits", ()))
    try:
        match.names = name_players(data.get("names", ()), match.players)
    except ValueError as error:
        raise SaveError(f"the save is damaged: {error}") from None
    match._story = Story.of_words(match.labels, match.players, data.get("log", ()), data.get("told", ()))
    kept = copy.deepcopy(state)  # a rule that goes on changes the lists
    match.doubt = Doubt(ruleset, data["players"], data["seed"], list(data["choices"]), kept, match.edits)
    if wrong := flaw(program, match.labels, state):
        raise SaveError(f"the save is damaged: {wrong}")
    try:
        if not state[OVER]:
            match.run()
        if match.decision is not None:
            _ = [option.words for option in match.decision.options]  # they are found now, not on demand
    except (MatchError, EngineFault) as error:
        if isinstance(error, EngineFault) and not match.doubt():
            raise
        raise SaveError("the save is damaged: the match cannot go on from its state") from error
    if "memory" in data:
        match.memory = restore_memory(match, data["memory"])
        if match.memory is None:
            raise SaveError("the save is damaged: its players know what cannot be known")
    return match


@dataclass(slots=True)
class Doubt:
    """Finds out, on the first call, whether the choices of a save do not lead to its state, by playing them again."""

    ruleset: Ruleset
    players: int
    seed: int
    choices: list[int]
    state: list[Any]
    edits: tuple[Edit, ...] = ()
    known: bool | None = None

    def __call__(self) -> bool:
        if self.known is None:
            self.known = not self._genuine()
        return self.known

    def _genuine(self) -> bool:
        try:
            match = self.ruleset.replay(self.players, self.seed, self.choices, edits=self.edits)
        except (MatchError, SaveError):
            return False
        return bool(json.loads(match.to_json())["state"] == json.loads(json.dumps(self.state)))


def _like(state: Any, initial: list[Any]) -> bool:
    """Return whether a state has the form of another one: numbers, lists of numbers, frames and draws."""
    if not isinstance(state, list) or len(state) != len(initial):
        return False
    frames, draws = state[FRAMES], state[DRAWS]
    if not (isinstance(frames, list) and all(isinstance(frame, list) and frame for frame in frames)):
        return False
    if not (isinstance(draws, dict) and all(map(_number, draws.values()))):
        return False
    rest = (at for at in range(len(state)) if at not in (FRAMES, DRAWS))
    return all(_alike(state[at], initial[at]) for at in rest)


def _alike(value: Any, initial: Any) -> bool:
    """Return whether a slot holds what its kind of slot holds: a number, what lies in a place, or a list of a field."""
    if isinstance(initial, tuple):
        return isinstance(value, list) and all(_number(item) or _alike(item, initial) for item in value)
    return _numbers(value) if isinstance(initial, list) else _number(value)


def _number(value: Any) -> bool:
    return isinstance(value, int)


def _numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(_number, value))


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _table(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str | int) for item in value.values())


_SHAPES: dict[str, Callable[[Any], bool]] = {
    "pack": lambda value: isinstance(value, str),
    "content": lambda value: isinstance(value, str),
    "modules": _words,
    "options": _table,
    "files": _table,
    "entries": _table,
    "versions": _texts,
    "state": lambda value: isinstance(value, list) and len(value) > DRAWS and isinstance(value[DRAWS], dict),
    SUMS: _texts,
    "players": lambda value: type(value) is int,
    "seed": lambda value: type(value) is int and abs(value) < SEEDS,
    "choices": lambda value: isinstance(value, list) and all(type(item) is int for item in value),
    "edits": lambda value: isinstance(value, list) and all(map(is_edit, value)),
    "log": _words,
    "names": _words,
    "bots": _words,
    "told": lambda value: isinstance(value, list) and all(map(_words, value)),
    "memory": lambda value: isinstance(value, list) and all(map(knows, value)),
}
"""What each part of a save looks like."""


__all__ = ["SaveError", "parse_save", "read_save", "read_text", "write_save"]
