"""Find the names that stand in documents outside of effects and expressions: keys, kinds, types, targets.

In:     a model and the documents of its packs, also those that are left out.
Out:    references, see ``references``; scenarios are left to ``rehearsals``.

A section is a row of ``SECTIONS``: a function that knows which of its keys and values are names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from patolli.analysis.names import mentions
from patolli.language.parser import parse_signature
from patolli.packs.manifest import Pack
from patolli.resolve.model import Model
from patolli.resolve.uses import named
from patolli.server.references import Reference
from patolli.sources import Mapping, Node, Scalar, Sequence
from patolli.sources.documents import SECTIONS as ENTRIES
from patolli.sources.documents import SINGLE

_WORD = re.compile(r"(?<![\w.])[a-z_][a-z0-9_]*(?!\w)")
_FACT = re.compile(r"\.([a-z_][a-z0-9_]*)")
PROSE = frozenset("document text title label source when_active".split())
"""Keys whose values are for people, or name no entry."""
_NO_TYPES = frozenset("list of or none int bool text effect cost".split())
SORTS = {
    "enums": "kind", "kinds": "kind", "grids": "kind", "counters": "counter", "groups": "group",
    "places": "place", "shapes": "member", "constants": "constant", "pieces": "piece",
    "functions": "function", "rules": "rule",
}  # fmt: skip
"""The sort of what a section declares; entries of the other sections are of the sort of their section."""


def document_references(model: Model) -> Iterator[Reference]:
    """Yield the references in all documents of the packs of a model."""
    for pack in model.composition.packs:
        yield from _manifest(model, pack)
        for document in pack.documents:
            if any(document.tree is tree for tree in model.composition.left_out):
                yield from _left_out(model, document.tree)
            if document.kind == "patch":
                yield from _patches(model, document.tree)
            elif document.kind == "pieces":
                yield from _words(model, document.tree.get("kind"))
                for key, node in _items(document.tree.get("pieces")):
                    yield Reference(key.place(0, len(key.value)), "piece", key.value, True)
                    yield from _piece(model, key.value, node)
            elif document.kind != "scenarios":
                for section in ENTRIES:
                    for key, node in _items(document.tree.get(section)) if section not in SINGLE else ():
                        yield from _entry(model, section, key, node)
    for word in mentions(model):
        yield Reference(word.span, word.sort, word.id)


def _left_out(model: Model, node: Node) -> Iterator[Reference]:
    """Yield what the words of a document seem to name; nobody has parsed it, because a pack is missing."""
    if isinstance(node, Scalar):
        for found in _WORD.finditer(node.value):
            yield from _one(model, node, found[0], found.start())
        for found in _FACT.finditer(node.value):
            kinds = [kind.name for kind in model.kinds.values() if found[1] in {**kind.facts, **kind.fields}]
            if len(kinds) == 1:
                yield Reference(node.place(found.start(1), len(found[1])), "fact", f"{kinds[0]}.{found[1]}")
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _left_out(model, item)
    else:
        for key, value in _items(node):
            if key.value not in PROSE:
                yield from _left_out(model, value)


def _items(node: Node | None) -> list[tuple[Scalar, Node]]:
    return list(node.items.values()) if isinstance(node, Mapping) else []


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield all values below a node."""
    if isinstance(node, Scalar):
        yield node
    elif node is not None:
        for inner in node.items if isinstance(node, Sequence) else [value for _, value in _items(node)]:
            yield from _scalars(inner)


def _words(model: Model, node: Node | None) -> Iterator[Reference]:
    """Yield what the words of all values below a node name."""
    for text in _scalars(node):
        for found in _WORD.finditer(text.value):
            yield from _one(model, text, found[0], found.start())


def _one(model: Model, text: Scalar, word: str, offset: int) -> Iterator[Reference]:
    found = named(model, word)
    if found is not None:
        yield Reference(text.place(offset, len(found.name)), found.sort, found.id)


def _tags(node: Node | None) -> Iterator[Reference]:
    for text in _scalars(node):
        yield Reference(text.place(0, len(text.value)), "tag", text.value)


def _type(model: Model, node: Node | None) -> Iterator[Reference]:
    """Yield the kinds and groups in a type such as ``list of card = {}``; the default is a tree."""
    text = node if isinstance(node, Scalar) else _get(node, "type")
    if isinstance(text, Scalar):
        for found in _WORD.finditer(text.value.partition("=")[0]):
            if found[0] not in _NO_TYPES:
                yield from _one(model, text, found[0], found.start())


# ---- manifest and patches


def _manifest(model: Model, pack: Pack) -> Iterator[Reference]:
    tree = pack.manifest
    id_ = tree.get("id")
    if isinstance(id_, Scalar):
        yield Reference(id_.place(0, len(id_.value)), "pack", id_.value, True)
    for key, node in _items(tree.get("options")):
        yield Reference(key.place(0, len(key.value)), "option", key.value, True)
        for choice in _scalars(_get(node, "choices")):
            # A choice with the name of something else, or of an earlier choice, declares nothing.
            first = model.names.get(choice.value) == ("choice", key.value)
            yield Reference(choice.place(0, len(choice.value)), "choice", choice.value, first)
        default = _get(node, "default")
        if isinstance(default, Scalar) and model.names.get(default.value, ("",))[0] == "choice":
            yield from _words(model, default)
    for key, _ in _items(tree.get("components")):
        yield from _one(model, key, key.value, 0)
    for key, _ in _items(tree.get("requires")):
        yield Reference(key.place(0, len(key.value)), "pack", key.value)


def _patches(model: Model, tree: Mapping) -> Iterator[Reference]:
    change = tree.get("change")
    for operation in change.items if isinstance(change, Sequence) else ():
        target = next((value for _, value in _items(operation) if _is_target(value)), None)
        if isinstance(target, Scalar):
            section, id_, *inner = target.value.split("/")
            offset = len(section) + 1
            yield Reference(target.place(offset, len(id_)), _sort(section, id_, model), id_)
            yield from _inner(section, id_, inner, target, offset + len(id_) + 1)
            value = _get(operation, "with")
            if value is not None:
                yield from _value(model, section, id_, inner, value)


def _is_target(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value.partition("/")[0] in ENTRIES and node.value.count("/") > 0


def _inner(section: str, id_: str, inner: list[str], target: Scalar, offset: int) -> Iterator[Reference]:
    """Yield what the third part of a target names: a step of a rule, a fact of a piece."""
    if section == "rules" and inner:
        step = inner[1] if inner[0] == "steps" and len(inner) > 1 else inner[0]
        offset += len("steps/") if step != inner[0] else 0
        yield Reference(target.place(offset, len(step)), "step", f"{id_}/{step}")


def _value(model: Model, section: str, id_: str, inner: list[str], value: Node) -> Iterator[Reference]:
    """Yield the names in the new value of a patch, as if it stood where it will be put."""
    inside = value
    for part in reversed(inner):
        inside = Mapping({part: (Scalar(part, value.span), inside)}, value.span)
    if section == "pieces":
        yield from _piece(model, id_, inside)
    elif section in DETAILS:
        yield from DETAILS[section](model, id_, inside)
    elif section in ("enums", "groups"):
        yield from _words(model, value)


def _sort(section: str, id_: str, model: Model) -> str:
    return "member" if section == "shapes" else SORTS.get(section, section)


# ---- sections


def _entry(model: Model, section: str, key: Scalar, node: Node) -> Iterator[Reference]:
    id_ = key.value.partition("(")[0].strip()
    if section in ("panels", "symbols"):
        yield from _one(model, key, id_, 0)
    else:
        yield Reference(key.place(0, len(id_)), _sort(section, id_, model), id_, True)
    if section in ("rules", "functions"):
        yield from _signature(model, id_, key)
    if section in DETAILS:
        yield from DETAILS[section](model, id_, node)


def _signature(model: Model, id_: str, key: Scalar) -> Iterator[Reference]:
    """Yield the types and variables of a signature; a variable may be named by its type alone."""
    signature, _ = parse_signature(key)
    for parameter in signature.parameters if signature else ():
        word = parameter.type.removeprefix("list of ").rstrip("?")
        offset = key.value.index(word, parameter.start)
        alone = not re.match(r"\??\s+[a-z_]", key.value[offset + len(word) :])
        if word not in _NO_TYPES:
            found = named(model, word)
            if found is not None:
                place = key.place(offset, len(found.name))
                yield Reference(place, found.sort, found.id, after=f" {word}" if alone else "")
        lead = f"{parameter.type} " if alone else ""
        at = offset if alone else key.value.index(parameter.name, offset + len(word))
        yield Reference(key.place(at, len(parameter.name)), "variable", f"{id_}'{parameter.name}", True, lead)


def _enum(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for member in _scalars(node):
        yield Reference(member.place(0, len(member.value)), "member", member.value, True)


def _kind(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _words(model, _get(node, "over"))
    for part in ("facts", "fields"):
        for key, value in _items(_get(node, part)):
            yield Reference(key.place(0, len(key.value)), "fact", f"{id_}.{key.value}", True)
            yield from _type(model, value)
            opener = _get(value, "unless")
            if isinstance(opener, Scalar):
                yield Reference(opener.place(0, len(opener.value)), "fact", f"{id_}.{opener.value}")


def _counter(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _words(model, _get(node, "per"))
    yield from _words(model, _get(node, "spend"))


def _place(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _words(model, _get(node, "of"))
    yield from _words(model, _get(node, "per"))


def _typed(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _type(model, _get(node, "type"))


def _rule(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for key, _ in _items(_get(node, "steps")):
        yield Reference(key.place(0, len(key.value)), "step", f"{id_}/{key.value}", True)


def _trigger(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for moment in ("after", "before"):
        text = _get(node, moment)
        if isinstance(text, Scalar):
            rule, _, step = text.value.partition("/")
            yield from _one(model, text, rule, 0)
            if step:
                yield Reference(text.place(len(rule) + 1, len(step)), "step", text.value)


def _payment(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    yield from _tags(_get(node, "on"))
    for key in ("for", "less", "of"):
        yield from _words(model, _get(node, key))


def _piece(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    design = model.designs.get(id_)
    kind = model.kinds.get(design.kind) if design else None
    for key, _ in _items(node):
        if kind and (key.value in kind.facts or key.value in kind.fields) and key.source is not None:
            yield Reference(key.place(0, len(key.value)), "fact", f"{kind.name}.{key.value}")
    triggers = _get(node, "triggers")
    for trigger in triggers.items if isinstance(triggers, Sequence) else ():
        yield from _trigger(model, id_, trigger)


_PLAIN = frozenset(
    ("title", "note", "main", "asked", "means", "sign", "colour", "shows", "shape", "empty", "beside", "up", "text")
)
"""Keys of panels and symbols in which nothing is named that is declared."""


def _panel(model: Model, id_: str, node: Node) -> Iterator[Reference]:
    for key, value in _items(node):
        if key.value == "picture":
            yield from _shown(model, id_, _get(value, "of") or value)
        elif key.value not in _PLAIN:
            yield from _shown(model, id_ if key.value == "show" else "", value)


def _shown(model: Model, owner: str, node: Node) -> Iterator[Reference]:
    """Yield the names in a value of a panel; facts of its owner come first."""
    kind = model.kinds.get(owner)
    for text in _scalars(node):
        if kind and (text.value in kind.facts or text.value in kind.fields):
            yield Reference(text.place(0, len(text.value)), "fact", f"{owner}.{text.value}")
        else:
            yield from _words(model, text)


Section = Callable[[Model, str, Node], Iterator[Reference]]
DETAILS: dict[str, Section] = {
    "enums": _enum,
    "kinds": _kind,
    "grids": _kind,
    "counters": _counter,
    "groups": lambda model, id_, node: _words(model, node),
    "places": _place,
    "constants": _typed,
    "functions": _typed,
    "rules": _rule,
    "triggers": _trigger,
    "substitutions": _payment,
    "discounts": _payment,
    "waivers": _payment,
    "symbols": _panel,
    "panels": _panel,
}
