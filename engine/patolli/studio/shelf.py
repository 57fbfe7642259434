"""Rulesets that tables play, loaded once for all that play the same; and whether their files have changed since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from patolli.diagnostics.records import dataclass
from patolli.sources.archive import archive_of
from patolli.workspace.watching import Watch

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

Name = tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]]


@dataclass(slots=True)
class Loaded:
    """A ruleset, and what watches its files."""

    rules: Ruleset
    watch: Watch


class Shelf:
    """Rulesets by what was asked for."""

    def __init__(self) -> None:
        self._loaded: dict[Name, Loaded] = {}
        self._lock = Lock()

    def get(self, pack: str, modules: Iterable[str], options: Mapping[str, Any], players: int = 0) -> Ruleset:
        """Return a ruleset, as its files are now; with *players*, compiled for so many.

        Raises:
            ContentError: It has problems.
        """
        from patolli.workspace import load

        name = (pack, tuple(modules), tuple(sorted(options.items())))
        with self._lock:
            found = self._loaded.get(name)
            if found is None or found.watch.changed():
                rules = load(pack, name[1], dict(options))
                found = self._loaded[name] = Loaded(rules, watched(rules))
            number = players + found.rules.model.automated
            if players and found.rules.players[0] <= players <= found.rules.players[1]:
                found.rules.program(number, narrate=True)
            return found.rules


def watched(rules: Ruleset) -> Watch:
    """Return what tells when a file of a ruleset changes."""
    return Watch(archive_of(pack.folder) or pack.folder for pack in rules.packs)
