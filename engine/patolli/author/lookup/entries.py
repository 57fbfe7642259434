"""What there is to know of one entry, as all packs together have made it: what it is and does, layers, who names it."""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from pathlib import Path
from typing import Any

from patolli.author.lookup.composed import format_entry
from patolli.author.lookup.places import text_of, where
from patolli.language.diagnostics import Span, nearest
from patolli.language.packs.composition import Entry
from patolli.language.program.model import FIELDS
from patolli.language.sources import Scalar
from patolli.language.sources.nodes import text_at
from patolli.language.sources.read import read_file
from patolli.run.runtime import Ruleset

Data = dict[str, Any]
SORTS = {
    "rules": "rule", "functions": "function", "counters": "counter", "places": "place", "pieces": "piece",
    "kinds": "kind", "grids": "kind", "enums": "kind", "groups": "group", "constants": "constant",
    "graphs": "function", "records": "kind", "table": "fact", "player": "fact",
}  # fmt: skip
"""What the index calls the things of a section, where it has a word of its own."""


def find_entry(rules: Ruleset, id_: str) -> Entry | None:
    """Return the first entry of an id, see :func:`find_entries`."""
    return next(iter(find_entries(rules, id_)), None)


def find_entries(rules: Ruleset, id_: str) -> list[Entry]:
    """Return the entries of an id in all sections, of ``section/id``, or of a copy or a member of an enumeration."""
    sections = rules.model.composition.sections
    section, slash, rest = id_.partition("/")
    if slash:
        return [entries[rest] for name, entries in sections.items() if name == section and rest in entries]
    found = [entries[id_] for entries in sections.values() if id_ in entries]
    design, _, copy = id_.rpartition("_")
    if not found and copy.isdigit() and design in sections["pieces"]:
        return [sections["pieces"][design]]
    what, owner = rules.model.names.get(id_, ("", ""))
    return found or [sections[s][owner] for s in ("enums", "grids") if what == "member" and owner in sections[s]]


def unknown(rules: Ruleset, id_: str) -> str:
    """Return the words for an id that nothing declares."""
    known = [name for entries in rules.model.composition.sections.values() for name in entries]
    near = nearest(id_, known)
    return f"nothing is called {id_!r}" + (f"; did you mean {near!r}?" if near else "")


def entry_data(rules: Ruleset, entry: Entry) -> Data:
    """Return one entry: what it is, where it stands, what it does, who names it, and its layers."""
    from patolli.author.lookup.descriptions import description
    from patolli.check import prose

    model = rules.model
    reported = prose.describe_entry(model.program, entry.section, entry.id) if model.program is not None else []
    return {
        "id": entry.id,
        "section": entry.section,
        "kind": entry.kind,
        "pack": entry.pack,
        "called": (called := _entry_name(rules, entry)),
        "examples": _list_examples(rules, entry) if "{" in called else [],
        "where": where(entry.key.span),
        "text": text_of(entry),
        "is": description(model, SORTS.get(entry.section, ""), _find_indexed(entry)),
        "does": [{"part": part, "sentence": said} for part, said in reported],
        "triggers_on": [
            {"rule": trigger.moment, "where": where(trigger.span)}
            for trigger in model.triggers
            if (trigger.design is not None and trigger.design.id == entry.id and entry.section == "pieces")
            or (entry.section == "triggers" and trigger.name == entry.id)
        ],
        "followed_by": _list_followers(rules, entry),
        "named_by": named_by(rules, entry),
        "changed": _list_changes(entry),
        "written": format_entry(rules, entry),
    }


def _find_indexed(entry: Entry) -> str:
    """Return what the index calls an entry: a field of the table or of players as a field of a kind."""
    return f"{entry.section}.{entry.id}" if entry.section in FIELDS else entry.id


def _entry_name(rules: Ruleset, entry: Entry) -> str:
    """Return what people call it, as it is written: by a name of its own, or by that of its kind."""
    from patolli.check.analysis.names import wording

    said = wording(rules.model.composition)
    own = {
        "pieces": said.pieces,
        "kinds": said.kinds,
        "grids": said.kinds,
        "records": said.kinds,
        "places": said.places,
    }
    return own.get(entry.section, {}).get(entry.id, "") or said.kinds.get(entry.kind, "")


def _list_examples(rules: Ruleset, entry: Entry) -> list[str]:
    """Return what those are called that an entry declares, when a match begins: each name once."""
    from patolli.run.runtime.errors import MatchError

    try:
        names = rules.start(rules.players[0], 0, narrate=True).naming()  # so several threads can do this at once
    except MatchError:
        return []
    found: dict[str, None] = {}
    for kind, instances in names.layout.instances.items():
        for number, one in enumerate(instances):
            design = one.design.id if one.design is not None and entry.section == "pieces" else ""
            if entry.id in (kind, design):
                found[names.about(one.owner).piece(kind, number, shown=True)] = None
    return list(found)


def _list_changes(entry: Entry) -> list[Data]:
    return [
        {"pack": pack, "how": how, "what": text_at(node, how), "where": where(node.span)}
        for pack, how, node in entry.changed
    ]


def layers_data(rules: Ruleset, entry: Entry) -> Data:
    """Return who wrote an entry and who changed it, in order of composition, with their words, and the result."""
    first = {"pack": entry.pack, "how": "wrote", "what": f"{entry.section}/{entry.id}", "where": where(entry.key.span)}
    written = [_written_text(entry.key.span), *(_written_text(node.span) for _, _, node in entry.changed)]
    layers = [{**one, "words": words} for one, words in zip([first, *_list_changes(entry)], written, strict=True)]
    layers += _list_triggers(rules, entry)
    order = [pack.id for pack in (rules.model.composition.base, *rules.model.composition.packs)]
    layers[1:] = sorted(layers[1:], key=lambda one: order.index(one["pack"]))
    return {"id": entry.id, "section": entry.section, "layers": layers, "composed": format_entry(rules, entry)}


HOW = {"before": "comes before it with", "after": "follows it with", "instead": "may take its place with"}
"""What a trigger of another pack does, by the key that says when."""


def _list_triggers(rules: Ruleset, entry: Entry) -> list[Data]:
    """Return the triggers by which other packs join a rule."""
    joined = []
    for trigger in rules.model.composition.all("triggers") if entry.section == "rules" else []:
        for word, how in HOW.items():
            rule = trigger.get(word)
            if isinstance(rule, Scalar) and rule.value.split("/")[0] == entry.id and trigger.pack != entry.pack:
                span, what = trigger.key.span, f"triggers/{trigger.id}"
                joined.append(
                    {"pack": trigger.pack, "how": how, "what": what, "where": where(span), "words": _written_text(span)}
                )
    return joined + _piece_triggers(rules, entry)


def _piece_triggers(rules: Ruleset, entry: Entry) -> list[Data]:
    """Return the triggers of pieces of other packs that join a rule."""
    rule = rules.model.rules.get(entry.id) if entry.section == "rules" else None
    both = [(one, HOW[when]) for when, _, one in rules.model.joining(rule.name)] if rule is not None else []
    return [
        {
            "pack": trigger.design.pack, "how": how, "what": f"pieces/{trigger.design.id}",
            "where": where(trigger.span), "words": _written_text(trigger.span),
        }
        for trigger, how in both
        if trigger.design is not None and trigger.design.pack != entry.pack
    ]  # fmt: skip


def _written_text(span: Span) -> str:
    """Return the line of a file at which something begins, and the lines below that are further in."""
    text, _ = read_file(Path(span.path))
    lines = (text or "").replace("\r\n", "\n").split("\n")[span.line - 1 :]
    depth = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    end = 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
        end += 1
    return textwrap.dedent("\n".join(lines[:end])).rstrip()


def _list_followers(rules: Ruleset, entry: Entry) -> list[Data]:
    """Return what happens before and after a rule because others say so."""
    rule = rules.model.rules.get(entry.id) if entry.section == "rules" else None
    found = [(f"{when} {step}".rstrip(), one) for when, step, one in rules.model.joining(rule.name)] if rule else []
    return [
        {"when": when, "by": one.design.id if one.design else author(one.name), "where": where(one.span)}
        for when, one in found
    ]


def author(trigger: str) -> str:
    """Return the name of a trigger, or the module that puts it there with a patch."""
    name, _, rest = trigger.partition("'")
    return rest.partition("'")[0] or name


def named_by(rules: Ruleset, entry: Entry) -> list[Data]:
    """Return the entries that name an entry, each with the places."""
    return Mentions(rules).of(entry)


class Mentions:
    """Knows who names the entries of a ruleset; worth keeping where that is asked of many."""

    def __init__(self, rules: Ruleset) -> None:
        from patolli.author.lookup.index import Index

        self._index = Index(rules.model, rules.packs[0].folder)
        self._owners = Owners(rules)

    def of(self, entry: Entry) -> list[Data]:
        """Return the entries that name an entry, each with the places."""
        found: dict[str, list[str]] = {}
        for reference in self._index.references((SORTS.get(entry.section, entry.section), _find_indexed(entry))):
            owner = self._owners.of(reference.span)
            if reference.declares or owner in ("", f"{entry.section}/{entry.id}"):
                continue
            found.setdefault(owner, []).append(where(reference.span))
        return [{"entry": owner, "where": sorted(set(places))} for owner, places in sorted(found.items())]


class Owners:
    """Knows which entry a place in a file belongs to."""

    def __init__(self, rules: Ruleset) -> None:
        """Note where each entry, and each operation that changes one, stands."""
        self._starts: dict[str, list[tuple[int, int, str]]] = {}
        for part in rules.model.composition.sections.values():
            for entry in part.values():
                name = f"{entry.section}/{entry.id}"
                self._add_mention(entry.key.span, entry.node.span, name)
                for _, _, node in entry.changed:
                    self._add_mention(node.span, node.span, name)
        for places in self._starts.values():
            places.sort()

    def _add_mention(self, start: Span, end: Span, name: str) -> None:
        last = end.end_line if end.path == start.path else start.line
        self._starts.setdefault(start.path, []).append((start.line, last, name))

    def of(self, span: Span) -> str:
        """Return ``section/id`` of the entry that holds a place, or nothing."""
        places = self._starts.get(span.path, [])
        at = bisect_right(places, (span.line, 1 << 30, "")) - 1
        return places[at][2] if at >= 0 and places[at][1] >= span.line else ""
