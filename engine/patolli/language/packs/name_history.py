"""Know which names a pack has given up: what is called otherwise since some version, and what is gone.

In:     the keys ``renamed`` and ``removed`` of manifests, and problems that were found.
Out:    the same problems; one that an old name causes says so instead, with the version, and with a fix that is safe.
Errors: P0135 a name that is renamed, P0136 a name that is removed, P0137 a history that is not true.

An *address* is written ``section/id``, with ``steps/NAME``, ``fields/NAME``, ``facts/NAME`` or ``parameters/NAME``
behind it for a part, ``enums/NAME/MEMBER`` for a member, or ``options/NAME`` for an option of the manifest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from patolli.language.diagnostics import Problem, Span, instead
from patolli.language.packs.composition import Composition
from patolli.language.packs.manifest import Pack
from patolli.language.sources import Mapping as YamlMapping
from patolli.language.sources import Scalar, Sequence, plain
from patolli.language.syntax.signatures import parse_signature

UNKNOWN = frozenset({"P0050", "P0121", "P0130", "P0201", "P0204", "P0613"})
"""Codes of problems that an old name may cause, besides those that say which name is missing."""
_LACKS = re.compile(r"lacks the fact '(\w+)'$")
_ENDINGS = {"pieces": r"(?:_\d+)?", "kinds": "(?:_design)?", "grids": "(?:_placement)?"}
"""What may stand behind an id: the number of a copy, or the kind that follows from another one."""
TYPES = ("kinds", "enums", "grids", "groups", "records")
"""Sections whose ids are types."""
PARTS = ("steps", "fields", "facts", "parameters")


@dataclass(frozen=True, slots=True)
class OldName:
    """A name that a pack has given up, and the address that it has now; an empty one if the thing is gone."""

    pack: str
    address: str
    new: str
    since: str
    text: str
    key: Scalar

    @property
    def section(self) -> str:
        """The section of the thing itself; nothing for a part of one."""
        return self.address.partition("/")[0] if self.address.count("/") == 1 else ""

    @property
    def name(self) -> str:
        """The last word of the old address."""
        return self.address.rpartition("/")[2]

    @property
    def new_name(self) -> str:
        """The last word of the new address."""
        return self.new.rpartition("/")[2]

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """The old and the new form as texts write it, the longest first; the new one is empty if the thing is gone."""
        pairs = [(self.address, self.new), (_drop_parts(self.address), _drop_parts(self.new))]
        pairs.append((_drop_section(self.address), _drop_section(self.new)))
        if self.new == "" or self.address.rpartition("/")[0] == self.new.rpartition("/")[0]:
            pairs.append((self.name, self.new_name))
        return tuple(dict.fromkeys(pairs))


def _drop_parts(address: str) -> str:
    """Return an address as statements write it: ``rules/r/steps/s`` is ``rules/r/s``."""
    return re.sub(rf"^(\w+/\w+)/({'|'.join(PARTS)})/", r"\1/", address)


def _drop_section(address: str) -> str:
    return _drop_parts(address).partition("/")[2]


def list_old_names(pack: Pack) -> list[OldName]:
    """Return the names that a pack says that it has given up; one that was renamed again has the newest address."""
    found: list[OldName] = []
    for what in ("renamed", "removed"):
        node = pack.manifest.get(what)
        for key, value in node.items.values() if isinstance(node, YamlMapping) else ():
            said = {name: value.get(name) for name in ("to", "since", "text")} if isinstance(value, YamlMapping) else {}
            words = {name: one.value if isinstance(one, Scalar) else "" for name, one in said.items()}
            if words:
                found.append(OldName(pack.id, key.value, words["to"], words["since"], words["text"], key))
    later = {old.address: old for old in found}
    return [_follow(old, later) for old in found]


def _follow(old: OldName, later: Mapping[str, OldName]) -> OldName:
    """Return an old name with its newest address; what was renamed and then removed is gone."""
    seen, new, since, text = {old.address}, old.new, old.since, old.text
    while new in later and new not in seen:
        seen.add(new)
        last = later[new]
        new, since, text = last.new, since if last.new else last.since, last.text
    return replace(old, new=new, since=since, text=text)


def explain_old_names(
    problems: Iterable[Problem], packs: Iterable[Pack], read: Callable[[str], str | None]
) -> list[Problem]:
    """Return problems; those that an old name causes say so.

    Args:
        problems: What was found.
        packs: The active packs.
        read: Returns the text of a file.
    """
    history = [old for pack in packs for old in list_old_names(pack)]
    if not history:
        return list(problems)
    explained = [_explain_problem(problem, history, read) for problem in problems]
    written = {(one.span.path, edit.text) for one in explained if one.code == "P0135" for edit in one.fixes[0].edits}
    lacking = ((one, _LACKS.search(one.message)) for one in explained)
    return [one for one, found in lacking if found is None or (one.span.path, found[1]) not in written]


def _explain_problem(problem: Problem, history: list[OldName], read: Callable[[str], str | None]) -> Problem:
    edits = [edit for fix in problem.fixes for edit in fix.edits]
    for old in (old for old in history if edits and "/parameters/" in old.address):
        for edit in edits:
            if edit.text == old.new_name and _text_at(edit.span, read) == old.name:  # named after its kind before
                return _report_old_name(problem, old, edit.span, old.new_name)
    if problem.code not in UNKNOWN and not problem.missing:
        return problem
    span, here = problem.span, _text_at(problem.span, read)
    named = {*re.findall(r"\w+", " ".join(re.findall(r"'([^']*)'", problem.message)))}
    for old in history:
        for word, new in old.words if old.name in here and _concerns(problem, old) else ():
            found = re.search(rf"(?<!\w){re.escape(word)}({_ENDINGS.get(old.section, '')})(?!\w)", here)
            if found is not None and named.intersection(old.address.split("/") if "/" in word else [found[0]]):
                start, end = (span.column + at for at in found.span())
                return _report_old_name(problem, old, Span(span.path, span.line, start, span.line, end), new, found[1])
    return problem


def _concerns(problem: Problem, old: OldName) -> bool:
    """Return whether a problem is about a thing of the sort that an old name had."""
    section, _, *part = old.address.split("/")
    if old.new == old.address:
        return False
    found = re.match(r"unknown (\w+) '", problem.message)
    sort = found[1] if found is not None else "name"
    if sort == "relation":  # a graph, a function, or a fact or field that lists neighbors
        return section in ("graphs", "functions") or part[:1] in (["facts"], ["fields"])
    if part and part[0] in PARTS and part[0] != "parameters":
        return "has no" in problem.message or problem.code in ("P0121", "P0501")
    if sort in ("type", "kind") and not part:
        return section in TYPES
    is_group = section == "groups" and sort == "counter"  # where a counter may stand, a group may
    return sort == "name" or (not part and (is_group or sort in ("function", section.removesuffix("s"))))


def _text_at(span: Span, read: Callable[[str], str | None]) -> str:
    """Return the text of a place on one line; nothing for a longer one."""
    text = read(span.path) if span.line == span.end_line else None
    lines = text.split("\n") if text is not None else []
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""


def _report_old_name(problem: Problem, old: OldName, place: Span, new: str, ending: str = "") -> Problem:
    also = ((old.key.span, f"{old.pack!r} says so here"),)
    before, after, new = (f"{name}{ending}" if name else "" for name in (*old.words[-1], new))
    if not old.new:
        words = f"{before!r} was removed in {old.pack} {old.since}"
        return Problem("P0136", words, place, old.text or "do without it", also, problem.severity)
    words = f"{before!r} was renamed to {after!r} in {old.pack} {old.since}"
    return Problem("P0135", words, place, f"write {new!r}", also, problem.severity, instead(place, new, sure=True))


def check_history(composition: Composition) -> Iterator[Problem]:
    """Find old names that are still there, and new ones that are not."""
    for pack in composition.packs:
        for old in list_old_names(pack):
            if _is_declared(composition, old.address, pack.id):
                words, help_ = f"{old.address!r} is still declared", "leave it out of the history, or rename it"
            elif old.new and not _is_declared(composition, old.new) and not _is_removed(composition, old.new):
                words, help_ = f"{old.new!r} is declared nowhere", "write the address that it has now"
            elif old.new and old.new.partition("/")[0] != old.address.partition("/")[0]:
                words, help_ = f"{old.new!r} is in another section than {old.address!r}", "say 'removed' instead"
            else:
                continue
            yield Problem("P0137", words, old.key.span, help_, severity="warning")


def _is_removed(composition: Composition, address: str) -> bool:
    section, id_ = address.split("/")[:2]
    entry = composition.sections.get(section, {}).get(id_)
    return (section, id_) in composition.removed or (entry is not None and bool(entry.changed))


def _is_declared(composition: Composition, address: str, pack: str = "") -> bool:
    """Return whether something has an address, in a pack or in any."""
    section, id_, *rest = address.split("/")
    if section == "options":
        return any(option.name == id_ for pack in composition.packs for option in pack.options())
    entry = composition.sections.get(section, {}).get(id_)
    if entry is None or (pack and entry.pack != pack):  # another module may have taken the old id
        return False
    if not rest:
        return True
    if rest[0] == "parameters":
        signature, _ = parse_signature(entry.key)
        return signature is not None and rest[-1] in [one.name for one in signature.parameters]
    if section == "enums":
        return isinstance(entry.declared, Sequence) and any(plain(item) == rest[-1] for item in entry.declared.items)
    node = entry.declared
    for part in rest:
        inner = node.get(part) if isinstance(node, YamlMapping) else None
        if inner is None:
            return False
        node = inner
    return True


def rename_options(packs: Iterable[Pack], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options by the names that they have now."""
    new = {old.name: old.new_name for pack in packs for old in list_old_names(pack) if old.address[:8] == "options/"}
    return {new.get(name) or name: value for name, value in options.items()}
