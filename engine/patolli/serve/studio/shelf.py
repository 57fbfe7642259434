"""A cache of rulesets, shared by all tables with the same content, which follows changes of their files."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from patolli.author.workspace import inspect, load
from patolli.author.workspace.file_watch import Watch
from patolli.language.diagnostics import ContentError, Problem
from patolli.language.sources.archive import archive_of
from patolli.run.runtime import Ruleset
from patolli.serve.studio.acts import Setup

Name = tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]]


@dataclass(slots=True)
class Loaded:
    """The last valid ruleset, the watch of its files, and the current error of these, if there is one."""

    rules: Ruleset
    watch: Watch
    error: ContentError | None = None


def name_of(setup: Setup) -> Name:
    """Return the cache key of the content of a table."""
    return (setup.pack, setup.modules, tuple(sorted(setup.options.items())))


class Shelf:
    """A cache of rulesets. Different ones can load in different threads at the same time."""

    def __init__(self) -> None:
        self._loaded: dict[Name, Loaded] = {}
        self._locks: defaultdict[Name, Lock] = defaultdict(Lock)

    def get(self, setup: Setup) -> Ruleset:
        """Return the current rules of a table, compiled for its players.

        Raises:
            ContentError: The content has errors.
        """
        found = self.now(name_of(setup))
        if found.error is not None:
            raise found.error
        rules, (low, high) = found.rules, found.rules.players
        if low <= setup.players <= high:
            rules.program(setup.players + rules.model.automated, narrate=True)
        return rules

    def now(self, name: Name) -> Loaded:
        """Return the ruleset of a key, reloaded if its files have changed. Raises ContentError: it was never valid."""
        with self._locks[name]:
            found = self._loaded.get(name)
            if found is None:
                rules = load(name[0], name[1], dict(name[2]))
                found = self._loaded[name] = Loaded(rules, watch_files(rules))
            elif found.watch.detect_change():
                try:
                    found.rules, found.error = load(name[0], name[1], dict(name[2])), None
                    found.watch.follow(watch_files(found.rules).folders)
                except ContentError as error:
                    found.error = error
            return found


def findings(name: Name) -> list[Problem]:
    """Return all problems of content, with warnings. This takes longer than a load."""
    return inspect(name[0], name[1], dict(name[2])).problems


def compile_world_programs(rules: Ruleset, players: int) -> None:
    """Compile in advance the programs without narration that undo and previews need for sampled worlds."""
    program = rules.program(players + rules.model.automated)
    if rules.visibility(program).hides:
        rules.plain(program)


def watch_files(rules: Ruleset) -> Watch:
    """Return a watch of the files of a ruleset."""
    return Watch(archive_of(pack.folder) or pack.folder for pack in rules.packs)
