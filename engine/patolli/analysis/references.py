"""Find every place that names something: where it is declared, and where it is used.

In:     a typed model; names in its trees have been looked up.
Out:    references, each with its span, what sort of thing is meant, and its id.

Names in effects and expressions are taken from the trees, where the checker noted what each stands for. Names
that stand in the documents themselves, such as the kind in ``of: card``, come from ``mentions``; those in
scenarios, which are no part of a model, from ``rehearsals``.

What the checker could not understand is not in the trees: the result is complete only without errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from patolli.analysis.declare import Table
from patolli.analysis.model import Model
from patolli.analysis.walking import nodes
from patolli.diagnostics import Span
from patolli.language import tree as t


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that names something.

    ``sort`` is what it is: a word of ``Model.names``, or ``fact``, ``variable``, ``builtin``, ``step``,
    ``tag``, ``pack``, or the section of an entry that has no name in expressions. The id of a fact is
    ``kind.fact``, of a step ``rule/step``, of a variable ``owner'variable``. In ``buy(card)`` a word names a
    kind and a variable; when one gets a new name, ``before`` and ``after`` are written around it to keep the
    other.
    """

    span: Span
    sort: str
    id: str
    declares: bool = False
    before: str = ""
    after: str = ""


def tree_references(model: Model) -> Iterator[Reference]:
    """Yield the references in all effects and expressions of a model."""
    for owner, tree in trees(model):
        yield from references_in(model, owner, tree)


def references_in(model: Model, owner: str, tree: object) -> Iterator[Reference]:
    """Yield the references in one typed tree; variables in it belong to *owner*."""
    for node in nodes(tree):
        for name, offset, sort, id_, declares in _named(model, owner, node):
            value = node.at.text.value
            end = offset + len(name)
            # Adjustments and replaced rules put nodes into the trees that nobody wrote; the text tells.
            if value[offset:end] == name and not value[end : end + 1].isidentifier():
                yield Reference(node.at.text.place(offset, len(name)), sort, id_, declares)


Found = tuple[str, int, str, str, bool]
"""What stands in the text, where, what is meant, its id, and whether this declares it."""


def _named(model: Model, owner: str, node: t.Node) -> Iterator[Found]:
    start = node.at.start
    match node:
        case t.Name():
            yield from _noted(model, owner, node.id, start, node.note)
        case t.Call():
            shown = "original" if "'" in node.id else node.id
            yield from _noted(model, owner, shown, start, node.note)
        case t.Quantifier() if node.id != "list":
            yield node.id, start, "builtin", node.id, False
        case t.Attribute():
            yield from _attribute(model, node)
        case t.Item() if node.thing is not None:
            offset = _after(node.at.text.value, node.amount.at.end, node.thing)
            yield from _noted(model, owner, node.thing, offset, node.note)
        case t.Pay() if node.tag is not None:
            # The tag ends the line of the payment, but not the payment, which may have a block.
            offset = _after(node.at.text.value, node.items[-1].at.end, node.tag)
            yield node.tag, offset, "tag", node.tag, False
        case t.Let() | t.Random():
            offset = _after(node.at.text.value, start + len(type(node).__name__), node.id)
            yield node.id, offset, "variable", f"{owner}'{node.id}", True
        case t.Binder():
            yield node.id, start, "variable", f"{owner}'{node.id}", True


def _after(value: str, offset: int, word: str) -> int:
    """Find a whole word at or behind an offset; the end of the text when it is not there."""
    while (found := value.find(word, offset)) >= 0:
        end = found + len(word)
        if not _letter(value[found - 1 : found]) and not _letter(value[end : end + 1]):
            return found
        offset = end
    return len(value)


def _letter(text: str) -> bool:
    return text.isalnum() or text == "_"


def _attribute(model: Model, node: t.Attribute) -> Iterator[Found]:
    offset = node.at.end - len(node.name)
    note = t.note_of(node)
    match note[0]:
        case "fact" | "field":
            yield node.name, offset, "fact", f"{note[1]}.{node.name}", False
        case "counter":
            yield node.name, offset, "counter", note[1], False
        case "design_of":
            yield node.name, offset, "builtin", "design", False
        case "instance":
            yield from named(model, node.name, offset)


def _noted(model: Model, owner: str, name: str, offset: int, note: object) -> Iterator[Found]:
    """Say what a name stands for, by what the checker noted."""
    match note:
        case ("variable", _):
            builtin = name in ("me", "it", "copy")
            yield (
                name,
                offset,
                "builtin" if builtin else "variable",
                name if builtin else f"{owner}'{name}",
                False,
            )
        case ("seats",) | ("players",) | ("box",):
            yield name, offset, "builtin", name, False
        case ("builtin" | "whole", str(id_)):
            yield name, offset, "builtin", id_, False
        case ("rule" | "function" as sort, str(id_)):
            yield name, offset, sort, id_.partition("'")[0], False
        case ("member", str(id_)) | ("counter", str(id_), *_):
            yield name, offset, "counter", id_, False
        case ("mix", str(id_)):
            yield name, offset, "group", id_, False
        case _:
            yield from named(model, name, offset)


def named(model: Model, name: str, offset: int = 0) -> Iterator[Found]:
    """Say what an id stands for by itself; a copy such as ``card_2`` counts as its piece."""
    kind = model.kinds.get(name)
    if kind is not None and kind.lays:
        name = kind.lays  # the kind of its placements is named after a grid
    if name in model.names:
        yield name, offset, model.names[name][0], name, False
        return
    if name == "player":
        yield name, offset, "builtin", name, False
        return
    stem, _, number = name.rpartition("_")
    if number.isdigit() and stem in model.designs:
        sort = "piece" if model.names.get(stem, ("piece",))[0] == "piece" else model.names[stem][0]
        yield stem, offset, sort, stem, False
    elif number.isdigit() and stem == "player":
        yield name, offset, "builtin", name, False


def owners(model: Model) -> dict[str, str]:
    """Say for triggers and replaced rules whose variables they see: those of the rule that they belong to."""
    found = {name: name.partition("'")[0] for name in model.rules if "'" in name}
    for name, rule in model.rules.items():
        for trigger in (*rule.before, *rule.after):
            found[trigger.body] = name.partition("'")[0]
    return found


# ---- all trees


def trees(model: Model) -> Iterator[tuple[str, object]]:
    """Yield every tree of a model, each with the name of what it belongs to."""
    for name, rule in model.rules.items():
        for step in rule.steps:
            yield name, step.block
        for trigger in (*rule.before, *rule.after):
            yield trigger.body, trigger.when
    for name, function in model.functions.items():
        yield name.partition("'")[0], function.body
    for anytime in model.anytime:
        yield anytime.body, [anytime.binder, anytime.when]
    for waiver in model.waivers:
        yield waiver.body, [waiver.binder, waiver.when]
    for discount in model.discounts:
        yield f"discount {discount.name}", discount.when
    for substitution in model.substitutions:
        yield f"substitution {substitution.name}", [substitution.give, substitution.when]
    yield "active", model.active
    yield "result", [model.score, *model.ties]
    for name, (always, _) in model.invariants.items():
        yield f"invariant {name}", always
    for name, value in model.values.items():
        yield f"value {name}", value
    yield from _declared_trees(model)


def _declared_trees(model: Model) -> Iterator[tuple[str, object]]:
    for kind in model.kinds.values():
        yield kind.name, [kind.active, kind.copies]
        for _, legend in kind.maps.values():
            yield kind.name, list(legend.values())
        for attribute in (*kind.facts.values(), *kind.fields.values()):
            yield kind.name, attribute.default
        for design in kind.designs:
            yield design.id, [design.copies, design.place]
            for fact in design.facts.values():
                yield design.id, _flat(fact)
    for counter in model.counters.values():
        yield counter.name, [counter.high, counter.start]
    for place in model.places.values():
        yield place.name, place.size
    for constant in model.constants.values():
        yield constant.name, _flat(constant.value)


def _flat(value: object) -> list[object]:
    """Return the trees in the value of a fact or constant: nested lists, and tables by a constant."""
    if isinstance(value, Table):
        return [value.by, *(tree for row in value.rows.values() for tree in _flat(row))]
    if isinstance(value, list):
        return [tree for item in value for tree in _flat(item)]
    return [value] if isinstance(value, t.Node) else []
