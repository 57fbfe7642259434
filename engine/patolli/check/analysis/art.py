"""Find the pictures that packs bring for symbols and boards, and look whether they can be shown.

In:     a model whose symbols and panels are composed.
Out:    P0507 for each that is not there, or is none; for others where the files are.
Errors: none besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from patolli.check.analysis.check import check
from patolli.language.diagnostics import Problem
from patolli.language.packs.composition import Entry
from patolli.language.program.model import Program
from patolli.language.resolve.model import Model
from patolli.language.sources import Scalar
from patolli.language.sources.pictures import read_picture

SECTIONS = ("symbols", "panels")


@dataclass(frozen=True, slots=True)
class Art:
    """A picture: the section and id of what it is for, and its file."""

    section: str
    id: str
    file: Path


@check
def check_art(model: Model) -> None:
    """Look at every picture that is named; problems go to the model."""
    flaws: dict[Path, str] = {}
    for entry, node, file in _find_pictures(model):
        if file not in flaws:
            try:
                _, flaws[file] = read_picture(file)
            except OSError as error:
                flaws[file] = f"the file cannot be read ({(error.strerror or str(error)).lower()})"
        if flaws[file]:
            text = f"the picture {node.value!r} of {entry.id!r} cannot be shown: {flaws[file]}"
            help_ = f"put an SVG or PNG at {file}, or remove 'art'"
            model.problems.append(Problem("P0507", text, node.span, help_))


def art_of(model: Model | Program) -> list[Art]:
    """Return the pictures that are named; that they can be shown was checked when the pack was loaded."""
    return [Art(entry.section, entry.id, file) for entry, _, file in _find_pictures(model)]


def _find_pictures(model: Model | Program) -> Iterator[tuple[Entry, Scalar, Path]]:
    """Yield what names a picture, where, and the file: it lies in the folder of the pack that names it."""
    for section in SECTIONS:
        for entry in model.composition.all(section):
            node = entry.get("art")
            if isinstance(node, Scalar):
                yield entry, node, _folder(model, node.span.path) / node.value


def _folder(model: Model | Program, file: str) -> Path:
    """Return the folder of the pack to which a file belongs."""
    path = Path(file)
    found = [pack.folder for pack in model.composition.packs if path.is_relative_to(pack.folder)]
    return max(found, key=lambda folder: len(folder.parts), default=path.parent)
