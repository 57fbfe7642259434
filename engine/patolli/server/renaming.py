"""Give a thing another name, in all packs of the workspace that name it."""

from __future__ import annotations

import re
from pathlib import Path

from patolli.analysis.builtins import BUILTINS
from patolli.analysis.entries import RESERVED
from patolli.analysis.references import Reference
from patolli.diagnostics import Span
from patolli.language.parser import QUANTIFIERS, STATEMENTS
from patolli.server.desk import Desk

_ID = re.compile(r"[a-z][a-z0-9_]*\Z")
FIXED = ("builtin", "pack", "panels", "symbols", "result", "active")
CALLED = ("setup", "match")
"""Rules that the engine calls by name."""
TAKEN = frozenset({*RESERVED, *BUILTINS, *QUANTIFIERS, *STATEMENTS, "and", "or", "in", "div", "mod", "where", "player"})


class Refused(Exception):
    """A thing that cannot be renamed, or not so; the text says why."""


def find_all(desk: Desk, folder: Path, reference: Reference) -> list[Reference]:
    """Return all places in the workspace that name the same thing, in the order of files and lines."""
    key = (reference.sort, reference.id)
    index = desk.index(folder)
    declared = index.declarations(key) if index else []
    home = desk.library.pack_of(declared[0].path) if declared else folder
    found: dict[Span, Reference] = {}
    for pack in dict.fromkeys([folder, *desk.users(home or folder)]):
        index = desk.index(pack)
        if index is not None:
            if reference.sort != "variable":
                index.rehearse()
            found.update({one.span: one for one in index.references(key)})
    return [found[span] for span in sorted(found)]


def may_rename(desk: Desk, folder: Path, reference: Reference) -> None:
    """Check that a thing has a name that may change.

    Raises:
        Refused: It has not.
    """
    index = desk.index(folder)
    name = reference.id.rpartition(".")[2].rpartition("'")[2]
    if reference.sort in FIXED or (reference.sort == "rule" and reference.id in CALLED):
        raise Refused(f"{name!r} is a word of the language or fixed by the engine")
    declared = index.declarations((reference.sort, reference.id)) if index else []
    if not declared:
        raise Refused(f"nothing that can be changed declares {name!r}")
    foreign = next((span for span in declared if not desk.library.is_open(span.path)), None)
    if foreign is not None:
        raise Refused(f"{name!r} is declared in {foreign.path}, which is not open here")


def rename(desk: Desk, folder: Path, reference: Reference, name: str) -> dict[str, list[tuple[Span, str]]]:
    """Return the edits that give a thing the new *name*, by file.

    Raises:
        Refused: It cannot have that name.
    """
    may_rename(desk, folder, reference)
    if not _ID.match(name):
        raise Refused(f"{name!r} is no id; use small letters, digits and underscores")
    if name in TAKEN:
        raise Refused(f"{name!r} is a word of the language")
    places = find_all(desk, folder, reference)
    for pack in {desk.library.pack_of(place.span.path) for place in places}:
        _sound(desk, pack or folder, reference, name)
    edits: dict[str, list[tuple[Span, str]]] = {}
    for place in places:
        if desk.library.is_open(place.span.path) and not _is_original(desk, place):
            edits.setdefault(place.span.path, []).append((place.span, f"{place.before}{name}{place.after}"))
    return edits


def _sound(desk: Desk, pack: Path, reference: Reference, name: str) -> None:
    """Check that a pack is free of errors, so that no place is missed, and that the name is free in it."""
    checked = desk.checked(pack)
    if not checked.sound or checked.model is None:
        raise Refused(f"the pack {pack.name!r} has errors; mend them first, so that no place is missed")
    model = checked.model
    if reference.sort == "fact":
        kind = model.kinds.get(reference.id.partition(".")[0])
        taken = kind is not None and (name in kind.facts or name in kind.fields)
    else:
        taken = reference.sort != "step" and name in model.names
    if taken:
        raise Refused(f"{name!r} is already the name of something else")


def _is_original(desk: Desk, place: Reference) -> bool:
    """Tell whether a place says ``original``, which means a rule without naming it."""
    line = desk.library.lines(place.span.path)[place.span.line - 1]
    return place.sort == "rule" and line[place.span.column - 1 : place.span.end_column - 1] == "original"
