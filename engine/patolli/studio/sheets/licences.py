"""May the content of a pack be printed? Its licence says so, and who wrote it may in any case.

A pack tells its licence in a file ``LICENSE`` or ``LICENCE`` beside ``pack.yaml``, which an archive takes along: by a
line ``SPDX-License-Identifier: ..`` (see https://spdx.dev/ids), or by the words with which a well-known licence begins.
Such a line may also stand in a comment of ``pack.yaml``. The packs that come with the program have one for all.

A pack that says nothing is the work of whoever has it as a folder: a prototype. One that came as an archive, or lies
among the installed packs, is somebody else's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from patolli.packs.discovery import MANIFEST, shipped, user_folder
from patolli.packs.manifest import Pack
from patolli.sources.archive import archive_of, names, read_bytes

FREE = frozenset(
    """
    0BSD AFL-3.0 AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0
    CC-BY-1.0 CC-BY-2.0 CC-BY-2.5 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-1.0 CC-BY-SA-2.0 CC-BY-SA-2.5 CC-BY-SA-3.0
    CC-BY-SA-4.0 CC-BY-NC-1.0 CC-BY-NC-2.0 CC-BY-NC-2.5 CC-BY-NC-3.0 CC-BY-NC-4.0 CC-BY-NC-SA-1.0 CC-BY-NC-SA-2.0
    CC-BY-NC-SA-2.5 CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0 CC0-1.0 ECL-2.0 EUPL-1.1 EUPL-1.2 GPL-2.0 GPL-2.0-only
    GPL-2.0-or-later GPL-3.0 GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0
    LGPL-3.0-only LGPL-3.0-or-later MIT MIT-0 MPL-2.0 OFL-1.1 Unlicense WTFPL Zlib
    """.split()
)
"""Licences that let anybody make copies in another form, some of them not for sale (-NC-)."""
WORDS = (
    (r"\bMIT License\b|Permission is hereby granted, free of charge, to any person", "MIT"),
    (r"CC0 1\.0 Universal", "CC0-1.0"),
    (r"Attribution-NonCommercial-NoDerivatives (\d\.\d)", "CC-BY-NC-ND-{}"),
    (r"Attribution-NonCommercial-ShareAlike (\d\.\d)", "CC-BY-NC-SA-{}"),
    (r"Attribution-NonCommercial (\d\.\d)", "CC-BY-NC-{}"),
    (r"Attribution-NoDerivatives (\d\.\d)", "CC-BY-ND-{}"),
    (r"Attribution-ShareAlike (\d\.\d)", "CC-BY-SA-{}"),
    (r"Creative Commons Attribution (\d\.\d)", "CC-BY-{}"),
    (r"Apache License\s+Version 2\.0", "Apache-2.0"),
    (r"GNU (?:AFFERO) GENERAL PUBLIC LICENSE\s+Version (\d)", "AGPL-{}.0"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version (\d)", "GPL-{}.0"),
    (r"Mozilla Public License Version 2\.0", "MPL-2.0"),
    (r"This is free and unencumbered software released into the public domain", "Unlicense"),
)
"""How well-known licences begin."""
_SPDX = re.compile(r"SPDX-License-Identifier:\s*([^\n*#<]+)")
_FILE = re.compile(r"licen[cs]e(\.(txt|md|rst))?", re.IGNORECASE)
_START = 4000


class NotAllowed(Exception):
    """A pack may not be printed; the text says which, why, and what would mend it."""


@dataclass(frozen=True, slots=True)
class Licence:
    """What is known of the licence of a pack: its SPDX expression, and the file that says so; both may be empty."""

    pack: str
    said: str
    file: str
    own: bool

    @property
    def allows(self) -> bool:
        """Whether copies on paper are allowed."""
        return _allows(self.said) if self.file else self.own

    @property
    def words(self) -> str:
        """What stands at the foot of a sheet."""
        return self.said or "prototype without a license"


def licence_of(pack: Pack) -> Licence:
    """Return what a pack says of its licence."""
    for name, text in _files(pack.folder):
        said = _named(text)
        if said or name != MANIFEST:
            return Licence(pack.id, said, name, False)
    if _below(pack.folder, shipped()):
        return Licence(pack.id, _named(_text(shipped() / "LICENSE")), "LICENSE of the shipped packs", False)
    return Licence(pack.id, "", "", _own(pack.folder))


def check_licences(packs: Iterable[Pack]) -> list[Licence]:
    """Return the licences of packs, all of which may be printed.

    Raises:
        NotAllowed: One may not.
    """
    found = [licence_of(pack) for pack in packs]
    for one in found:
        if not one.allows:
            raise NotAllowed(_refused(one))
    return found


def _refused(licence: Licence) -> str:
    pack = repr(licence.pack)
    mend = "add a license that allows copies, such as a line 'SPDX-License-Identifier: CC-BY-4.0'"
    if licence.said:
        return f"cannot print {pack}: its license {licence.said} ({licence.file}) does not allow copies"
    if licence.file:
        return f"cannot print {pack}: unknown license in {licence.file}; {mend}"
    return (
        f"cannot print {pack}: it is installed and has no license; {mend}, in a file LICENSE beside {MANIFEST}; "
        "you can print your own packs from their folders"
    )


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files that may tell a licence, with their beginnings: those that are called so first."""
    archive = archive_of(folder)
    if archive is not None:
        inside = folder.relative_to(archive).as_posix()
        start = "" if inside == "." else f"{inside}/"
        here = [name.removeprefix(start) for name in names(archive) if name.startswith(start)]
    else:
        here = [entry.name for entry in os.scandir(folder) if entry.is_file()]
    for name in (*sorted(one for one in here if _FILE.fullmatch(one)), MANIFEST):
        yield name, _text(folder / name)


def _text(path: Path) -> str:
    try:
        return read_bytes(path, _START).decode("utf-8", "replace")
    except OSError:
        return ""


def _named(text: str) -> str:
    """Return the SPDX expression of a text; nothing where none is known."""
    line = _SPDX.search(text)
    if line is not None:
        return " ".join(line[1].split())
    flat = " ".join(text.split())
    for words, said in WORDS:
        found = re.search(words.replace(r"\s+", " "), flat, re.IGNORECASE)
        if found is not None:
            return said.format(*found.groups())
    return ""


def _allows(said: str) -> bool:
    """Tell whether an SPDX expression allows copies: all that AND joins, or one of what OR joins."""
    ways = re.split(r"\bOR\b", said.replace("(", " ").replace(")", " "))
    return bool(said) and any(
        all(part.split(" WITH ")[0].strip() in FREE for part in re.split(r"\bAND\b", way)) for way in ways
    )


def _own(folder: Path) -> bool:
    """Tell whether a pack is a folder that nobody has installed."""
    user = user_folder()
    return archive_of(folder) is None and "site-packages" not in folder.parts and not (user and _below(folder, user))


def _below(folder: Path, other: Path) -> bool:
    return folder.resolve().is_relative_to(other.resolve())


__all__ = ["Licence", "NotAllowed", "check_licences", "licence_of"]
