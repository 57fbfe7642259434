"""Checks whether the license of a pack allows printing. Authors can always print their own packs.

The license of a pack is in a file ``LICENSE`` or ``LICENCE`` beside ``pack.yaml``, which archives include: a line
``SPDX-License-Identifier: ..`` (see https://spdx.dev/ids), or the first words of a well-known license. The line may
also be in a comment of ``pack.yaml``. The packs of the program share one license.

A folder without a license is a prototype of its owner. An archive or an installed pack without a license belongs to
another author.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from patolli.language.packs.discovery import MANIFEST, find_content_folder, user_folder
from patolli.language.packs.manifest import Pack
from patolli.language.sources.archive import archive_of, names, read_bytes

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
"""Licenses that allow copies in another form, some of them only for non-commercial use (-NC-)."""
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
"""First words of well-known licenses."""
_SPDX = re.compile(r"SPDX-License-Identifier:\s*([^\n*#<]+)")
_FILE = re.compile(r"licen[cs]e(\.(txt|md|rst))?", re.IGNORECASE)
_START = 4000


class NotAllowed(Exception):
    """A pack whose license does not allow printing; the message has the reason and the fix."""


@dataclass(frozen=True, slots=True)
class License:
    """The license of a pack: its SPDX expression and its file; both may be empty."""

    pack: str
    said: str
    file: str
    own: bool

    @property
    def allows(self) -> bool:
        """Whether printed copies are allowed."""
        return _allows(self.said) if self.file else self.own

    @property
    def words(self) -> str:
        """The text at the foot of a sheet."""
        return self.said or "prototype without a license"


def license_of(pack: Pack) -> License:
    """Return the license of a pack."""
    for name, text in _files(pack.folder):
        said = _find_license(text)
        if said or name != MANIFEST:
            return License(pack.id, said, name, False)
    if _below(pack.folder, find_content_folder()):
        return License(
            pack.id, _find_license(_text(find_content_folder() / "LICENSE")), "LICENSE of the shipped packs", False
        )
    return License(pack.id, "", "", _own(pack.folder))


def check_licenses(packs: Iterable[Pack]) -> list[License]:
    """Return the licenses of packs, if all allow printing. Raises NotAllowed: a license does not allow printing."""
    found = [license_of(pack) for pack in packs]
    for one in found:
        if not one.allows:
            raise NotAllowed(_refusal(one))
    return found


def _refusal(license: License) -> str:
    pack = repr(license.pack)
    mend = "add a license that allows copies, such as a line 'SPDX-License-Identifier: CC-BY-4.0'"
    if license.said:
        return f"cannot print {pack}: its license {license.said} ({license.file}) does not allow copies"
    if license.file:
        return f"cannot print {pack}: unknown license in {license.file}; {mend}"
    return (
        f"cannot print {pack}: it is installed and has no license; {mend}, in a file LICENSE beside {MANIFEST}; "
        "you can print your own packs from their folders"
    )


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files that may have a license, with their first bytes; license files come first."""
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


def _find_license(text: str) -> str:
    """Return the SPDX expression of a text; empty if none is known."""
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
    """Return whether an SPDX expression allows copies: all parts of AND, or one part of OR."""
    ways = re.split(r"\bOR\b", said.replace("(", " ").replace(")", " "))
    return bool(said) and any(
        all(part.split(" WITH ")[0].strip() in FREE for part in re.split(r"\bAND\b", way)) for way in ways
    )


def _own(folder: Path) -> bool:
    """Return whether a pack is a folder outside of the installed packs."""
    user = user_folder()
    return archive_of(folder) is None and "site-packages" not in folder.parts and not (user and _below(folder, user))


def _below(folder: Path, other: Path) -> bool:
    return folder.resolve().is_relative_to(other.resolve())
