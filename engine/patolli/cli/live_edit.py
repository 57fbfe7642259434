"""Watching and reloading the content of a running match: ``patolli play --watch``."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable

import click

from patolli.author.workspace.file_watch import EVERY, Watch
from patolli.cli.status import relative, show_problems
from patolli.language.diagnostics import ContentError
from patolli.language.sources.archive import archive_of
from patolli.play.terminal.renewal import ContentChanged
from patolli.run.runtime import Ruleset


class ContentEdits:
    """Watches the packs of a ruleset, and loads them again."""

    def __init__(self, rules: Ruleset, load: Callable[[], Ruleset]) -> None:
        """Watch the packs of *rules*; *load* loads them as the command named them."""
        self._watch = Watch(archive_of(pack.folder) or pack.folder for pack in rules.packs)
        self._load = load

    def detect_change(self) -> bool:
        """Return whether a file changed since the last call."""
        return self._watch.detect_change()

    def load(self) -> Ruleset | None:
        """Load the content as it is now; show its problems and return None when it has errors."""
        try:
            return self._load()
        except ContentError as error:
            show_problems(relative(error.problems))
            return None

    def reader(self, read: Callable[[str], str]) -> Callable[[str], str]:
        """Return a reader of lines that stops waiting when a file changes; from a pipe it reads directly."""

        def line(prompt: str) -> str:
            if not sys.stdin.isatty():
                return read(prompt)
            click.echo(prompt, nl=False)
            while not select.select([sys.stdin], [], [], EVERY)[0]:
                if self.detect_change():
                    click.echo()
                    raise ContentChanged
            return read("")

        return line
