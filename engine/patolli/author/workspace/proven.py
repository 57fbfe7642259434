"""Remember which rulesets were found to be without errors, so that who plays need not have them proved again.

What a note says stands in its name, a hash of everything that the answer follows from: the program itself, with its
schemas and the version of Python; every file that was read and decides how a match goes, as it was read (and not as it
may lie there later), with its place in its pack; which packs these are, in the order in which they apply; the options.

What is left out where there is a note are the proofs, the checks of good content that find errors, and the layout of
the state. They look at a program, which follows from nothing else: scenarios and panels are no part of it, and what
else is wrong in files is found by the stages before, which are never left out. So a note can be lost, and not be wrong.

Only ``load`` and ``patolli test`` ask here. ``validate`` has notes of its own (see ``cache``), and with ``--no-cache``
it has none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from patolli.author.workspace.cache import cache_dir, delete_oldest
from patolli.language.packs.manifest import Pack
from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.hashes import program_hash


class Proven:
    """The note of one ruleset."""

    def __init__(self, packs: Sequence[Pack], options: Mapping[str, Any]) -> None:
        """Take the packs as they were read, the base first, and the options that are chosen."""
        self._folder = cache_dir()
        self._name = _hash_of(packs, options) if self._folder is not None else ""

    def is_proven(self) -> bool:
        """Return whether it was proven before. A note that is anything but an ordinary file counts for nothing."""
        return self._folder is not None and os.path.isfile(self._folder / self._name)

    def note(self) -> None:
        """Note that there are no errors; where nothing can be written nothing is noted."""
        if self._folder is None:
            return
        file = self._folder / self._name
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not os.path.exists(file):
                write_whole(file, "")
                delete_oldest(self._folder, "*.proven")
        except OSError:
            return


def _hash_of(packs: Sequence[Pack], options: Mapping[str, Any]) -> str:
    read = [[pack.id, sorted(pack.hashes.items())] for pack in packs]
    chosen = sorted((name, type(value).__name__, str(value)) for name, value in options.items())
    text = json.dumps([program_hash(), read, chosen])
    return f"{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}.proven"
