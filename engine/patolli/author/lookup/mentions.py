"""Find the names that stand in documents outside of effects and expressions: keys, kinds, types, targets.

In:     a model and the documents of its packs, also those that are left out.
Out:    references, see ``references``; scenarios are left to ``rehearsals``.

A section is a row of ``SECTIONS``: a function that knows which of its keys and values are names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from patolli.author.lookup import descriptions
from patolli.author.lookup.nodes import WORD, one, scalars, words
from patolli.author.lookup.references import Reference
from patolli.author.lookup.shown import panel_references, template_references
from patolli.language.packs.likeness import LIKE
from patolli.language.packs.manifest import Pack
from patolli.language.program.model import FIELDS, TABLE
from patolli.language.resolve.model import Model
from patolli.language.resolve.uses import identify_name
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.documents import SECTIONS as ENTRIES
from patolli.language.sources.documents import SINGLE
from patolli.language.sources.nodes import list_entries, value_at
from patolli.language.syntax.parser import parse_signature
from patolli.language.syntax.phrases import gaps

_FACT = re.compile(r"\.([a-z_][a-z0-9_]*)")
PROSE = frozenset("document text title label source when_active noun category note".split())
"""Keys whose values are for people, or name no entry."""
TEMPLATES = frozenset("name phrase heading cause told".split())
"""Keys whose values are for people, and name things in braces."""
_NO_TYPES = frozenset("list of or none int bool text effect cost".split())
SORTS = {
    "enums": "kind", "kinds": "kind", "grids": "kind", "counters": "counter", "groups": "group",
    "places": "place", "shapes": "member", "constants": "constant", "pieces": "piece",
    "functions": "function", "rules": "rule", "graphs": "function", "records": "kind", "table": "fact",
    "player": "fact",
}  # fmt: skip
"""The sort of what a section declares; entries of the other sections are of the sort of their section."""


def document_references(model: Model, folder: Path | None = None) -> Iterator[Reference]:
    """Yield the references in all documents of the packs of a model, or of the one in *folder*."""
    for pack in model.composition.packs:
        if folder not in (None, pack.folder):
            continue
        yield from _visit_manifest(model, pack)
        for document in pack.documents:
            if any(document.tree is tree for tree in model.composition.left_out):
                yield from _left_out(model, document.tree)
            if document.kind == "patch":
                yield from _visit_patches(model, document.tree)
            elif document.kind == "pieces":
                yield from words(model, document.tree.get("kind"))
                for key, node in list_entries(document.tree.get("pieces")):
                    yield Reference(key.place(0, len(key.value)), "piece", key.value, True)
                    yield from _visit_piece(model, key.value, node)
            elif document.kind != "scenarios":
                for section in ENTRIES:
                    for key, node in list_entries(document.tree.get(section)) if section not in SINGLE else ():
                        yield from _visit_entry(model, section, key, node)
    for found in template_references(model):
        if folder is None or Path(found.span.path).is_relative_to(folder):
            yield found


def _visit_fact(model: Model, text: Scalar, word: str, offset: int) -> Iterator[Reference]:
    """Yield the fact or field that a word means, where only one kind has such a one."""
    kinds = [kind.name for kind in model.kinds.values() if word in kind.attributes]
    if len(kinds) == 1:
        yield Reference(text.place(offset, len(word)), "fact", f"{kinds[0]}.{word}")


def _visit_braces(model: Model, node: Node) -> Iterator[Reference]:
    """Yield what the words in braces seem to name."""
    for text in scalars(node):
        for gap in gaps(text.value):
            at = gap.at
            for word in gap.path:
                yield from one(model, text, word, at) if word in model.names else _visit_fact(model, text, word, at)
                at += len(word) + 1


def _left_out(model: Model, node: Node) -> Iterator[Reference]:
    """Yield what the words of a document seem to name; it was not parsed, because a pack is missing."""
    if isinstance(node, Scalar):
        for found in WORD.finditer(node.value):
            yield from one(model, node, found[0], found.start())
        for found in _FACT.finditer(node.value):
            yield from _visit_fact(model, node, found[1], found.start(1))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _left_out(model, item)
    else:
        for key, value in list_entries(node):
            if key.value in TEMPLATES:
                yield from _visit_braces(model, value)
            elif key.value not in PROSE:
                yield from _left_out(model, value)


def _visit_tags(node: Node | None) -> Iterator[Reference]:
    for text in scalars(node):
        if "/" not in text.value:
            yield Reference(text.place(0, len(text.value)), "tag", text.value)


def _visit_on(model: Model, node: Node | None) -> Iterator[Reference]:
    """Yield the tags of payments, and the rules and steps of those that are named by their place."""
    yield from _visit_tags(node)
    for text in scalars(node):
        rule, _, step = text.value.partition("/")
        if step:
            yield from one(model, text, rule, 0)
        if step and not step.isdigit():
            yield Reference(text.place(len(rule) + 1, len(step)), "step", text.value)


def _visit_type(model: Model, node: Node | None) -> Iterator[Reference]:
    """Yield the kinds and groups in a type such as ``list of card = {}``; the default is a tree."""
    text = node if isinstance(node, Scalar) else value_at(node, "type")
    if isinstance(text, Scalar):
        for found in WORD.finditer(text.value.partition("=")[0]):
            if found[0] not in _NO_TYPES:
                yield from one(model, text, found[0], found.start())
    yield from words(model, value_at(node, "lasts"))


# ---- manifest and patches


def _visit_manifest(model: Model, pack: Pack) -> Iterator[Reference]:
    tree = pack.manifest
    id_ = tree.get("id")
    if isinstance(id_, Scalar):
        yield Reference(id_.place(0, len(id_.value)), "pack", id_.value, True)
    for key, node in list_entries(tree.get("options")):
        yield Reference(key.place(0, len(key.value)), "option", key.value, True)
        for choice in scalars(value_at(node, "choices")):
            # A choice with the name of something else, or of an earlier choice, declares nothing.
            first = model.names.get(choice.value) == ("choice", key.value)
            yield Reference(choice.place(0, len(choice.value)), "choice", choice.value, first)
        default = value_at(node, "default")
        if isinstance(default, Scalar) and model.names.get(default.value, ("",))[0] == "choice":
            yield from words(model, default)
    for key, _ in list_entries(tree.get("components")):
        yield from one(model, key, key.value, 0)
    for key, _ in list_entries(tree.get("requires")):
        yield Reference(key.place(0, len(key.value)), "pack", key.value)


def _visit_patches(model: Model, tree: Mapping) -> Iterator[Reference]:
    change = tree.get("change")
    for operation in change.items if isinstance(change, Sequence) else ():
        target = next((value for _, value in list_entries(operation) if _is_target(value)), None)
        if isinstance(target, Scalar):
            section, id_, *inner = target.value.split("/")
            offset = len(section) + 1
            thing = f"{section}.{id_}" if section in FIELDS else id_
            yield Reference(target.place(offset, len(id_)), _sort_of(section, id_, model), thing)
            yield from _visit_inner(model, section, id_, inner, target, offset + len(id_) + 1)
            for key in ("with", "expects"):
                value = value_at(operation, key)
                for found in _visit_value(model, section, id_, inner, value) if value is not None else ():
                    yield found if key == "with" else replace(found, declares=False)


def _is_target(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value.partition("/")[0] in ENTRIES and node.value.count("/") > 0


def _visit_inner(
    model: Model, section: str, id_: str, inner: list[str], target: Scalar, offset: int
) -> Iterator[Reference]:
    """Yield what the third part of a target names: a step of a rule, a fact of a piece."""
    if section == "rules" and inner:
        step = inner[1] if inner[0] == "steps" and len(inner) > 1 else inner[0]
        offset += len("steps/") if step != inner[0] else 0
        yield Reference(target.place(offset, len(step)), "step", f"{id_}/{step}")
    design = model.designs.get(id_) if section == "pieces" else None
    if section in ("kinds", "grids", "records") and len(inner) > 1 and inner[0] in ("facts", "fields"):
        yield Reference(target.place(offset + len(inner[0]) + 1, len(inner[1])), "fact", f"{id_}.{inner[1]}")
    elif design is not None and inner and descriptions.attribute_of(model, design.kind, inner[0]) is not None:
        yield Reference(target.place(offset, len(inner[0])), "fact", f"{design.kind}.{inner[0]}")


def _visit_value(model: Model, section: str, id_: str, inner: list[str], value: Node) -> Iterator[Reference]:
    """Yield the names in the new value of a patch, as if it stood where it will be put."""
    inside = value
    for part in reversed(inner):
        inside = Mapping({part: (Scalar(part, value.span), inside)}, value.span)
    if section == "pieces":
        yield from _visit_piece(model, id_, inside)
    elif section in DETAILS:
        yield from DETAILS[section](model, id_, inside)
    elif section in ("enums", "groups"):
        yield from words(model, value)


def _sort_of(section: str, id_: str, model: Model) -> str:
    return "member" if section == "shapes" else SORTS.get(section, section)


# ---- sections


def _visit_entry(model: Model, section: str, key: Scalar, node: Node) -> Iterator[Reference]:
    id_ = key.value.partition("(")[0].strip()
    if section in ("panels", "symbols"):
        yield from one(model, key, id_, 0)
    else:
        thing = f"{section}.{id_}" if section in FIELDS else id_
        yield Reference(key.place(0, len(id_)), _sort_of(section, id_, model), thing, True)
    if section in ("rules", "functions"):
        yield from _visit_signature(model, id_, key)
    if section in DETAILS:
        yield from DETAILS[section](model, id_, node)


def _visit_signature(model: Model, id_: str, key: Scalar) -> Iterator[Reference]:
    """Yield the types and variables of a signature; a variable may be named by its type alone."""
    signature, _ = parse_signature(key)
    for parameter in signature.parameters if signature else ():
        word = parameter.type.rpartition("list of ")[2].rstrip("?")
        offset = key.value.index(word, parameter.start)
        alone = not parameter.bounds and not re.match(r"\??\s+[a-z_]", key.value[offset + len(word) :])
        if word not in _NO_TYPES:
            found = identify_name(model, word)
            if found is not None:
                place = key.place(offset, len(found.name))
                yield Reference(place, found.sort, found.id, after=f" {word}" if alone else "")
        lead = f"{parameter.type} " if alone else ""
        at = offset if alone else key.value.index(parameter.name, offset + len(word))
        yield Reference(key.place(at, len(parameter.name)), "variable", f"{id_}'{parameter.name}", True, lead)


def _visit_enum(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for member in scalars(node):
        yield Reference(member.place(0, len(member.value)), "member", member.value, True)


def _visit_kind(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from words(model, value_at(node, "over"))
    for part in ("facts", "fields"):
        for key, value in list_entries(value_at(node, part)):
            if key.source is not None:  # else the target of a patch says it
                yield Reference(key.place(0, len(key.value)), "fact", f"{id_}.{key.value}", True)
            yield from _visit_type(model, value)
            opener = value_at(value, "unless")
            if isinstance(opener, Scalar):
                yield Reference(opener.place(0, len(opener.value)), "fact", f"{id_}.{opener.value}")


def _visit_graph(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from words(model, value_at(node, "of"))
    edges = value_at(node, "edges")
    for line in edges.items if isinstance(edges, Sequence) else ():
        for text in scalars(line):
            yield from one(model, text, text.value, 0)


def _visit_field(model: Model, id_: str, node: Node, kind: str = TABLE) -> Iterator[Reference]:
    yield from _visit_type(model, node)
    opener = value_at(node, "unless")
    if isinstance(opener, Scalar):
        yield Reference(opener.place(0, len(opener.value)), "fact", f"{kind}.{opener.value}")


def _visit_counter(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from words(model, value_at(node, "per"))
    yield from words(model, value_at(node, "spend"))
    yield from words(model, value_at(node, "lasts"))


def _visit_place(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from words(model, value_at(node, "of"))
    yield from words(model, value_at(node, "per"))


def _visit_typed(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _visit_type(model, value_at(node, "type"))


def _visit_rule(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for key, _ in list_entries(value_at(node, "steps")):
        yield Reference(key.place(0, len(key.value)), "step", f"{id_}/{key.value}", True)


def _visit_trigger(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for moment in ("after", "before", "instead"):
        text = value_at(node, moment)
        if isinstance(text, Scalar):
            if " " in text.value:  # what happens to a counter or to pieces
                names = [m for m in WORD.finditer(text.value) if m[0] not in ("gain", "move", "to", "from")]
                for name in names:
                    yield from one(model, text, name[0], name.start())
                continue
            rule, _, step = text.value.partition("/")
            yield from one(model, text, rule, 0)
            if step:
                yield Reference(text.place(len(rule) + 1, len(step)), "step", text.value)


def _visit_payment(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _visit_on(model, value_at(node, "on"))
    for key in ("for", "less", "more", "of"):
        yield from words(model, value_at(node, key))


def _visit_piece(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    design = model.designs.get(id_)
    kind = model.kinds.get(design.kind) if design else None
    for key, _ in list_entries(node):
        if kind and key.value in kind.attributes and key.source is not None:
            yield Reference(key.place(0, len(key.value)), "fact", f"{kind.name}.{key.value}")
    if kind and LIKE not in kind.facts:
        yield from words(model, value_at(node, LIKE))
    triggers = value_at(node, "triggers")
    for trigger in triggers.items if isinstance(triggers, Sequence) else ():
        yield from _visit_trigger(model, id_, trigger)


Section = Callable[[Model, str, Node], Iterator[Reference]]
DETAILS: dict[str, Section] = {
    "enums": _visit_enum,
    "kinds": _visit_kind,
    "grids": _visit_kind,
    "records": _visit_kind,
    "counters": _visit_counter,
    "groups": lambda model, id_, node: words(model, node),
    "places": _visit_place,
    "graphs": _visit_graph,
    "table": _visit_field,
    "player": partial(_visit_field, kind="player"),
    "constants": _visit_typed,
    "functions": _visit_typed,
    "rules": _visit_rule,
    "triggers": _visit_trigger,
    "measures": _visit_trigger,
    "substitutions": _visit_payment,
    "discounts": _visit_payment,
    "waivers": _visit_payment,
    "symbols": panel_references,
    "panels": panel_references,
}
