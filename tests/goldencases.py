"""Read golden cases: one text file each, over the little packs in ``diagnostics/bases``.

A case says what it stands on, then file by file what is different, and last what is printed::

    pack: orchard
    -- rules.yaml: changed --
    -  pick(int n): gain n apple
    +  pick(int n): gain n aple
    -- notes.yaml --
    document: model
    -- baskets.yaml: gone --
    -- expected --
    $ patolli validate .
    ...

``pack: NAME`` puts the files of a base at the top, ``packs: ONE, TWO`` each into a folder of its name; without either
there is nothing but the files of the case. A file is written out, or ``changed``: lines with ``-`` go and lines with
``+`` come, as in a diff; lines with a blank before them only tell the place, and ``@@`` stands between two changes. What
a text file cannot keep is said after the name, too: see ``WAYS``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BASES = Path(__file__).parent / "diagnostics" / "bases"
HEAD = re.compile(r"^-- (\S+?)(?:: (.+))? --\n", re.M)
EXPECTED = "-- expected --\n"
WAYS: dict[str, Callable[[str], bytes]] = {
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "latin-1": lambda text: text.encode("latin-1"),
    "windows line ends": lambda text: text.replace("\n", "\r\n").encode(),
}
"""How the bytes of a file are made of its text, where that is not simply UTF-8."""


@dataclass(frozen=True)
class Case:
    """A golden case: the bytes of its files, and what is printed about them."""

    files: dict[str, bytes]
    expected: str

    @property
    def call(self) -> str:
        """The command, which is the first line of what is expected."""
        return self.expected.partition("\n")[0].removeprefix("$ patolli ")

    def lay(self, folder: Path) -> None:
        """Write the files of the case into a new folder."""
        folder.mkdir(parents=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def read(path: Path) -> Case:
    """Read a case."""
    given, found, expected = path.read_bytes().decode().partition(EXPECTED)
    assert found, f"{path.name} has no line '{EXPECTED.strip()}'"
    base, *rest = HEAD.split(given)
    files = _base(base.strip())
    for name, ways, text in zip(rest[0::3], rest[1::3], rest[2::3], strict=True):
        _apply(files, name, [way for way in (ways or "").split(", ") if way], text)
    return Case(files, expected)


def write(path: Path, expected: str) -> None:
    """Write a case again with what is printed now; its files stay as they are."""
    given = path.read_bytes().partition(EXPECTED.encode())[0]
    path.write_bytes(given + EXPECTED.encode() + expected.encode())


def _base(line: str) -> dict[str, bytes]:
    """Give the files that a case stands on."""
    if not line:
        return {}
    key, _, names = line.partition(": ")
    tops = {"pack": lambda name: BASES / name, "packs": lambda name: BASES}
    folders = [(BASES / name, tops[key](name)) for name in names.split(", ")]
    paths = [(path, top) for folder, top in folders for path in sorted(folder.iterdir())]
    return {path.relative_to(top).as_posix(): path.read_bytes() for path, top in paths}


def _apply(files: dict[str, bytes], name: str, ways: list[str], text: str) -> None:
    """Add, change or remove one file, as the case says."""
    if ways == ["gone"]:
        assert not text, f"{name} is gone, so nothing may stand below it"
        del files[name]
        return
    if ways[:1] == ["changed"]:
        text = changed(files[name].decode(), text)
        ways = ways[1:]
    (make,) = [WAYS[way] for way in ways] or [str.encode]
    files[name] = make(text)


def changed(text: str, changes: str) -> str:
    """Apply the changes of a file; each must fit exactly one place.

    Raises:
        ValueError: there is no such place or more than one, or a line does not begin with a sign.
    """
    lines = text.split("\n")
    for change in changes.removesuffix("\n").split("\n@@\n"):
        signed = change.split("\n")
        if any(line[:1] not in (" ", "-", "+") for line in signed):
            raise ValueError(f"a line of a change begins with '-', '+' or a blank:\n{change}")
        old, new = ([line[1:] for line in signed if line[:1] in (" ", sign)] for sign in "-+")
        places = [at for at in range(len(lines)) if lines[at : at + len(old)] == old]
        if len(places) != 1:
            raise ValueError(f"this does not stand in exactly one place:\n{change}")
        lines[places[0] : places[0] + len(old)] = new
    return "\n".join(lines)
