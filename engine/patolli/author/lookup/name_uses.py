"""Find who names a thing in a pack, without proving anything about the pack.

In:     a typed model, and the folder of the pack whose own files count.
Out:    references, see ``references``; those of one thing at a time, so that a text which cannot name it is not read.

An index knows every place of the packs that are open in an editor; this is for the packs that
depend on them, which may be many.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patolli.author.lookup.library import Library
from patolli.author.lookup.mentions import document_references
from patolli.author.lookup.references import Reference, references_of
from patolli.author.lookup.rehearsals import scenario_references
from patolli.language.resolve.model import Model

Key = tuple[str, str]


def word_of(key: Key) -> str:
    """Return the word that stands wherever a thing is named."""
    return re.split(r"[./']", key[1])[-1]


def may_name(library: Library, folder: Path, key: Key) -> bool:
    """Return whether a file of a pack holds the word for a thing; what replaces a rule or a step says ``original``."""
    words = [word_of(key), *(["original"] if key[0] in ("rule", "step") else [])]
    return any(word in (library.text(str(file))[0] or "") for file in folder.rglob("*.yaml") for word in words)


@contextmanager
def pause_collector() -> Iterator[None]:
    """Make models of many packs without looking for garbage in between; almost nothing that is made is garbage."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


class Names:
    """The names in the files of one pack, as its model has them."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.model = model
        self.folder = folder
        self._documents: list[Reference] | None = None
        self._uses = list(model.uses)
        self._found: dict[Key, list[Reference]] = {}

    def references(self, key: Key) -> list[Reference]:
        """Return all places in the files of the pack that name something."""
        if key not in self._found:
            if self._documents is None:
                self._documents = list(document_references(self.model, self.folder))
            named = references_of(use for use in self._uses if (use.sort, use.id) == key)
            places = {one.span: one for one in self._documents if (one.sort, one.id) == key}
            places.update({one.span: one for one in named if Path(one.span.path).is_relative_to(self.folder)})
            places.update({one.span: one for one in in_scenarios(self.model, self.folder, key)})
            self._found[key] = [places[span] for span in sorted(places)]
        return self._found[key]


def in_scenarios(model: Model, folder: Path, key: Key) -> list[Reference]:
    """Return the places in the scenarios of a pack that name something."""
    return [one for one in scenario_references(model, folder, word_of(key)) if (one.sort, one.id) == key]
