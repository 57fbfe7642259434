"""Rulesets that tables play, loaded once for all that play the same; and what has become of their files since."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from patolli.diagnostics import ContentError, Problem
from patolli.sources.archive import archive_of
from patolli.workspace import inspect, load
from patolli.workspace.watching import Watch

if TYPE_CHECKING:
    from patolli.runtime import Ruleset
    from patolli.studio.acts import Setup

Name = tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]]


@dataclass(slots=True)
class Loaded:
    """A ruleset, the last sound one; what watches its files; and what is wrong with them now, if anything is."""

    rules: Ruleset
    watch: Watch
    error: ContentError | None = None


def name_of(setup: Setup) -> Name:
    """Return what is the same for all tables that play the same content."""
    return (setup.pack, setup.modules, tuple(sorted(setup.options.items())))


class Shelf:
    """Rulesets by what was asked for. Different ones may be loaded in different threads at the same time."""

    def __init__(self) -> None:
        self._loaded: dict[Name, Loaded] = {}
        self._locks: defaultdict[Name, Lock] = defaultdict(Lock)

    def get(self, setup: Setup) -> Ruleset:
        """Return what a table plays, as its files are now, compiled for its players.

        Raises:
            ContentError: It has problems.
        """
        found = self.now(name_of(setup))
        if found.error is not None:
            raise found.error
        rules, (low, high) = found.rules, found.rules.players
        if low <= setup.players <= high:
            rules.program(setup.players + rules.model.automated, narrate=True)
        return rules

    def now(self, name: Name) -> Loaded:
        """Return what is loaded under a name, anew where files have changed.

        Raises:
            ContentError: It has problems, and had them from the beginning.
        """
        with self._locks[name]:
            found = self._loaded.get(name)
            if found is None:
                rules = load(name[0], name[1], dict(name[2]))
                found = self._loaded[name] = Loaded(rules, watched(rules))
            elif found.watch.changed():
                try:
                    found.rules, found.error = load(name[0], name[1], dict(name[2])), None
                    found.watch.follow(watched(found.rules).folders)
                except ContentError as error:
                    found.error = error
            return found


def findings(name: Name) -> list[Problem]:
    """Return all that a check says of content, warnings included; that takes longer than loading it."""
    return inspect(name[0], name[1], dict(name[2])).problems


def thoroughly(rules: Ruleset, players: int) -> None:
    """Compile what undo needs, which looks at worlds that do not narrate, before somebody waits for it."""
    program = rules.program(players + rules.model.automated)
    if rules.lookout(program).hides:
        rules.plain(program)


def watched(rules: Ruleset) -> Watch:
    """Return what tells when a file of a ruleset changes."""
    return Watch(archive_of(pack.folder) or pack.folder for pack in rules.packs)
