"""Give a thing another name, in all packs of the workspace that name it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from patolli.author.lookup.index import Index
from patolli.author.lookup.library import Library
from patolli.author.lookup.name_uses import Key, Names, may_name, pause_collector, word_of
from patolli.author.lookup.references import Reference
from patolli.author.workspace import Inspection
from patolli.language.diagnostics import Span
from patolli.language.packs.manifest import Kept
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.model import FIELDS
from patolli.language.resolve.declare import OWN
from patolli.language.syntax.words import NEWEST, words
from patolli.serve.lsp.project import Project, type_pack

_ID = re.compile(r"[a-z][a-z0-9_]*\Z")
FIXED = ("builtin", "pack", "panels", "symbols", "result", "active")
CALLED = ("setup", "match")
"""Rules that the engine calls by name."""
_WORDS = words(NEWEST)
TAKEN = frozenset({*_WORDS.fixed, *_WORDS.joining, *_WORDS.quantifiers, *_WORDS.statements, *BUILTINS, "player"})
"""What a new name may not be, whatever the pack: it shall be free in later versions of the language, too."""


class Refused(Exception):
    """A thing that cannot be renamed, or not so; the text says why."""


def find_all(project: Project, folder: Path, reference: Reference) -> list[Reference]:
    """Return all places in the workspace that name the same thing, in the order of files and lines."""
    key = (reference.sort, reference.id)
    index = project.index(folder)
    if index is None:
        return []
    files = Kept(project.library)
    with pause_collector():
        found = {one.span: one for one in index.references_and_scenarios(key)}
        for pack in project.users(_home(project, folder, reference)):
            names = project.names(pack, files) if pack != folder and may_name(project.library, pack, key) else None
            if names is not None:
                there = _variables(names, key) if reference.sort == "variable" else names.references(key)
                found.update({one.span: one for one in there})
    return [found[span] for span in sorted(found)]


def _variables(names: Names, key: Key) -> list[Reference]:
    """Return the places in the files of a pack that name a variable of a rule below it, as triggers and patches do."""
    found = Index(names.model, names.folder).references(key)
    return [one for one in found if Path(one.span.path).is_relative_to(names.folder)]


def may_rename(project: Project, folder: Path, reference: Reference) -> None:
    """Check that a thing has a name that may change. Raises Refused: it has not."""
    index = project.index(folder)
    name = reference.id.rpartition(".")[2].rpartition("'")[2]
    if reference.sort in FIXED or (reference.sort == "rule" and reference.id in CALLED):
        raise Refused(f"cannot rename {name!r}: it is a word of the language or built in")
    if reference.sort == "noun":
        raise Refused(
            f"{name!r} is the display name of {reference.id.partition('.')[0]!r}; change it in the declaration"
        )
    declared = index.declarations((reference.sort, reference.id)) if index else []
    if not declared:
        raise Refused(f"cannot rename {name!r}: no file of the workspace declares it")
    foreign = next((span for span in declared if not project.library.is_open(span.path)), None)
    if foreign is not None:
        raise Refused(f"cannot rename {name!r}: it is declared in {foreign.path}, outside of the workspace")


def rename(project: Project, folder: Path, reference: Reference, name: str) -> dict[str, list[tuple[Span, str]]]:
    """Return the edits that give a thing the new *name*, by file. Raises Refused: it cannot have that name."""
    may_rename(project, folder, reference)
    if not _ID.match(name):
        raise Refused(f"{name!r} is not a valid id; use lowercase letters, digits, and underscores")
    if name in TAKEN:
        raise Refused(f"{name!r} is a word of the language")
    if reference.sort == "fact" and name in OWN:
        raise Refused(f"{name!r} is a key of every piece")
    places = find_all(project, folder, reference)
    files = Kept(project.library)
    with pause_collector():
        for pack in {project.library.pack_of(place.span.path) or folder for place in places}:
            _sound(type_pack(pack, files), pack, reference, name)
    edits: dict[str, list[tuple[Span, str]]] = {}
    for place in places:
        if project.library.is_open(place.span.path) and not _is_original(project, place):
            edits.setdefault(place.span.path, []).append((place.span, f"{place.before}{name}{place.after}"))
    packs = project.users(_home(project, folder, reference))
    with pause_collector():
        _try_out(project, packs, places, edits, name)
    return edits


def _home(project: Project, folder: Path, reference: Reference) -> Path:
    """Return the folder of the pack that declares a thing; of several that pay with one tag, the one below."""
    index = project.index(folder)
    declared = index.declarations((reference.sort, reference.id)) if index else []
    folders = {project.library.pack_of(span.path) for span in declared}
    order = [pack.folder for pack in index.model.composition.packs] if index else []
    return next((one for one in order if one in folders), None) or next(iter(folders - {None}), None) or folder


def _try_out(
    project: Project, packs: list[Path], places: list[Reference], edits: dict[str, list[tuple[Span, str]]], name: str
) -> None:
    """Check the packs as they would be; a name may be free and still be hidden by a variable somewhere.

    They must have their types, and the new name must be found in as many places of each file as the old one.
    """
    trial = Library()
    trial.roots, trial.buffers = project.library.roots, dict(project.library.buffers)
    for path, changes in edits.items():
        trial.buffers[path] = _replace_words(project.library.lines(path), changes)
    files = Kept(trial)
    before = Counter(one.span.path for one in places)
    for pack in packs:
        found = type_pack(pack, files)
        wrong = next(iter(found.errors), None)
        if wrong is not None:
            place = f"{Path(wrong.span.path).name}, line {wrong.span.line}"
            raise Refused(f"the name {name!r} would break the packs; {place}: {wrong.message}")
        assert found.model is not None
        there = Index(found.model, pack).references_and_scenarios(_target_name(places[0], name))
        now = Counter(one.span.path for one in there)
        odd = next((path for path in now if Path(path).is_relative_to(pack) and now[path] != before[path]), None)
        if odd is not None:
            raise Refused(f"the name {name!r} would change the meaning of {Path(odd).name}")


def _target_name(place: Reference, name: str) -> tuple[str, str]:
    """Return what a thing will be known by."""
    return place.sort, f"{place.id.removesuffix(word_of((place.sort, place.id)))}{name}"


def _replace_words(lines: list[str], changes: list[tuple[Span, str]]) -> str:
    """Return the text of a file with some of its words replaced."""
    for span, new in sorted(changes, key=lambda change: (change[0].line, change[0].column), reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = f"{line[: span.column - 1]}{new}{line[span.end_column - 1 :]}"
    return "\n".join(lines)


def _sound(found: Inspection, pack: Path, reference: Reference, name: str) -> None:
    """Check that a pack is free of errors, so that no place is missed, and that the name is free in it."""
    model = found.model
    if model is None or found.errors:
        raise Refused(f"fix the errors of the pack {pack.name!r} first; otherwise the rename may miss a place")
    if reference.sort == "fact":
        kind = model.kinds.get(reference.id.partition(".")[0])
        taken = kind is not None and name in kind.attributes
        taken = taken or (kind is not None and kind.name in FIELDS and name in model.names)
    else:
        taken = reference.sort not in ("step", "tag") and name in model.names
        taken = taken or (reference.sort == "tag" and any(use.sort == "tag" and use.id == name for use in model.uses))
    if taken:
        raise Refused(f"the name {name!r} is already in use")


def _is_original(project: Project, place: Reference) -> bool:
    """Return whether a place says ``original``, which means a rule without naming it."""
    line = project.library.lines(place.span.path)[place.span.line - 1]
    return place.sort == "rule" and line[place.span.column - 1 : place.span.end_column - 1] == "original"
