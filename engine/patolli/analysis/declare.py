"""Collect what a composed ruleset declares, and parse every text in it.

In:     a composition.
Out:    a :class:`Model`; its expressions and effects are parsed, not yet checked.
Errors: P0101.. from the parser, P0103 bad types, P0201 unknown kinds, P0203 an id declared twice, P0204 a missing
        or unknown fact, P0205 a declaration that contradicts itself.
"""

from __future__ import annotations

from patolli.analysis import types as ty
from patolli.analysis.model import Attribute, Constant, Counter, Design, Kind, Model, Place
from patolli.analysis.rules import declare_rules
from patolli.analysis.shapes import grid_facts, parse_shape
from patolli.analysis.texts import Reader
from patolli.diagnostics import Problem, Span, nearest
from patolli.language import tree as t
from patolli.packs.compose import Composition, Entry
from patolli.sources import Mapping, Node, Scalar, Sequence, plain

RESERVED = frozenset("me it seats copy box players original none true false".split())


def declare(composition: Composition, options: dict[str, object]) -> Model:
    """Build the model of a composition under the chosen *options* (by name; missing ones take their default)."""
    model = Model(composition)
    model.problems.extend(composition.problems)
    reader = Reader(model)
    _manifest(model, options)
    kinds(model, reader)
    quantities(model, reader)
    places(model, reader)
    constants(model, reader)
    designs(model, reader)
    declare_rules(model, reader)
    for entry in composition.all("panels"):
        model.panels[entry.id] = entry.node
    return model


def _name(model: Model, id_: str, what: str, owner: str, span: Span) -> None:
    """Claim an id in the one namespace of the ruleset."""
    if id_ in RESERVED:
        model.problems.append(Problem("P0203", f"{id_!r} is a word of the language", span, "choose another id"))
    elif id_ in model.names:
        before = model.names[id_][0]
        also = ((model.spans[id_], f"declared here as a {before}"),)
        model.problems.append(Problem("P0203", f"{id_!r} is already the name of a {before}", span, "rename one", also))
    else:
        model.names[id_] = (what, owner)
        model.spans[id_] = span


def _manifest(model: Model, options: dict[str, object]) -> None:
    for pack in model.composition.packs:
        for option in pack.options():
            model.options.setdefault(option.name, option)
            _name(model, option.name, "option", option.name, option.span)
            for choice in option.choices:
                if choice not in model.names:
                    _name(model, choice, "choice", option.name, option.span)
    for name, option in model.options.items():
        value = options.get(name, option.default)
        model.chosen[name] = option.choices.index(str(value)) if option.choices else int(str(value))
    low, high = 1, 1
    for pack in model.composition.packs:
        seats = pack.manifest.get("players")
        low, high = _number(seats, "min", low), _number(seats, "max", high)
    model.players = (low, high)
    for pack in model.composition.packs:
        model.automated = max(model.automated, _number(pack.manifest, "automated", 0))
    for pack in model.composition.packs:
        parts = pack.manifest.get("components")
        for key, value in parts.items.values() if isinstance(parts, Mapping) else ():
            number = plain(value)
            if isinstance(number, int):
                model.components[key.value] = (number, value.span)


def _number(node: Node | None, key: str, other: int) -> int:
    """Return a number of a mapping, or *other* where there is none."""
    found = node.get(key) if isinstance(node, Mapping) else None
    value = plain(found) if found is not None else other
    return value if isinstance(value, int) else other


def text_of(entry: Entry, key: str = "text") -> str:
    """Return a text of an entry, or nothing."""
    node = entry.get(key)
    return node.value if isinstance(node, Scalar) else ""


# ---- kinds


def kinds(model: Model, reader: Reader) -> None:
    """Declare enumerations, kinds and grids; facts and fields after all names are known."""
    composition = model.composition
    model.kinds["player"] = Kind("player", Span("", 1, 1, 1, 1))
    for entry in composition.all("enums"):
        kind = _kind(model, entry)
        kind.members = []
        for item in entry.node.items if isinstance(entry.node, Sequence) else ():
            if isinstance(item, Scalar):
                kind.members.append(item.value)
                _name(model, item.value, "member", entry.id, item.span)
    for entry in composition.all("kinds"):
        kind = _kind(model, entry)
        kind.text, kind.source = text_of(entry), text_of(entry, "source")
        kind.per_player = text_of(entry, "per") == "player"
        kind.copies = reader.expression(reader.scalar(entry.get("copies"), "copies"))
        kind.active = reader.expression(reader.scalar(entry.get("active"), "active"))
    _shapes(model)
    for entry in composition.all("grids"):
        _grid(model, entry)
    for entry in composition.all("groups"):
        model.groups[entry.id] = tuple(
            item.value
            for item in (entry.node.items if isinstance(entry.node, Sequence) else ())
            if isinstance(item, Scalar)
        )
        _name(model, entry.id, "group", entry.id, entry.key.span)
    for entry in (*composition.all("kinds"), *composition.all("grids")):
        kind = model.kinds[entry.id]
        _attributes(reader, kind, entry.get("facts"), kind.facts, False)
        _attributes(reader, kind, entry.get("fields"), kind.fields, True)
        if kind.per_player and "owner" not in kind.facts:
            kind.facts["owner"] = Attribute("owner", ty.Maybe(ty.Ref("player")), kind.span, False)


def _kind(model: Model, entry: Entry) -> Kind:
    kind = Kind(entry.id, entry.key.span)
    model.kinds[entry.id] = kind
    _name(model, entry.id, "kind", entry.id, entry.key.span)
    return kind


def _attributes(reader: Reader, kind: Kind, node: Node | None, into: dict[str, Attribute], mutable: bool) -> None:
    for key, value in node.items.values() if isinstance(node, Mapping) else ():
        if key.value in kind.facts or key.value in kind.fields:
            first = (kind.facts.get(key.value) or kind.fields[key.value]).span
            reader.problem(
                "P0203", f"{key.value!r} is declared twice in {kind.name!r}", key.span, "", (first, "first here")
            )
        attribute = reader.attribute(key.value, value, mutable)
        if isinstance(value, Mapping) and "map" in value and attribute is not None:
            _map(reader, kind, attribute, value)
        if attribute is not None:
            into[key.value] = attribute


def _grid(model: Model, entry: Entry) -> None:
    kind = _kind(model, entry)
    kind.text = text_of(entry)
    shape = (
        {key: plain(value) for key, (_, value) in entry.node.items.items()} if isinstance(entry.node, Mapping) else {}
    )
    kind.over = str(shape.get("over", ""))
    if kind.over and kind.over not in model.kinds:
        near = nearest(kind.over, model.kinds)
        node = entry.get("over")
        help_ = f"did you mean {near!r}?" if near else "declare that grid first"
        model.problems.append(Problem("P0201", f"unknown grid {kind.over!r}", node.span if node else kind.span, help_))
        kind.members = []
        return
    base = model.kinds.get(kind.over)
    names, facts = grid_facts(shape, base)
    kind.members = names
    kind.per_player = shape.get("per") == "player" or (base is not None and base.per_player)
    kind.grid = (_number(entry.node, "rows", 0), _number(entry.node, "columns", 0), _number(entry.node, "levels", 1))
    for name, (type_name, values) in facts.items():
        kind.data[name] = values
        kind.facts[name] = Attribute(name, _grid_type(type_name, kind), kind.span, False)
    if kind.per_player:
        kind.facts["owner"] = Attribute("owner", ty.Ref("player"), kind.span, False)
    else:
        for name in names:
            _name(model, name, "member", entry.id, entry.key.span)
    if model.shapes and not kind.over:
        _placements(model, entry, kind)


def _shapes(model: Model) -> None:
    """Declare the kind ``shape`` when shapes are drawn."""
    entries = model.composition.all("shapes")
    if not entries:
        return
    kind = model.kinds["shape"] = Kind("shape", entries[0].key.span, members=[])
    kind.facts["size"] = Attribute("size", ty.INT, kind.span, False)
    kind.data["size"] = []
    assert kind.members is not None
    for entry in entries:
        drawn = plain(entry.node)
        cells = parse_shape([str(row) for row in drawn]) if isinstance(drawn, list) else ()
        if not cells:
            help_ = "draw it as rows of text in which # stands for a cell"
            model.problems.append(Problem("P0205", f"the shape {entry.id!r} has no cell", entry.key.span, help_))
            continue
        model.shapes[entry.id] = cells
        kind.members.append(entry.id)
        kind.data["size"].append(len(cells))
        _name(model, entry.id, "member", "shape", entry.key.span)


def _placements(model: Model, entry: Entry, grid: Kind) -> None:
    """Declare all ways to lay a shape on a grid as a kind of their own."""
    name = f"{entry.id}_placement"
    kind = model.kinds[name] = Kind(name, entry.key.span, members=[], per_player=grid.per_player, lays=grid.name)
    cells, cell = ty.Seq(ty.Ref(grid.name)), ty.Ref(grid.name)
    facts: dict[str, ty.AnyType] = {
        "shape": ty.Ref("shape"),
        "turn": ty.INT,
        "corner": cell,
        "cells": cells,
        "border": cells,
    }
    for fact, type_ in facts.items():
        kind.facts[fact] = Attribute(fact, type_, kind.span, False)
    if grid.per_player:
        kind.facts["owner"] = Attribute("owner", ty.Ref("player"), kind.span, False)
    _name(model, name, "kind", name, entry.key.span)


def _map(reader: Reader, kind: Kind, attribute: Attribute, node: Mapping) -> None:
    """Read a fact that is drawn as a map of the grid, a sign for each cell."""
    drawn, legend = node.get("map"), node.get("legend")
    rows = [item.value for item in drawn.items if isinstance(item, Scalar)] if isinstance(drawn, Sequence) else []
    meaning: dict[str, t.Expr] = {}
    for sign, (_, value) in legend.items.items() if isinstance(legend, Mapping) else ():
        expr = reader.expression(value if isinstance(value, Scalar) else None)
        if expr is not None:
            meaning[sign] = expr
    span = drawn.span if drawn is not None else node.span
    if (len(rows), *{len(row) for row in rows}) != kind.grid[:2]:
        reader.problem("P0206", f"the map must have {kind.grid[0]} rows of {kind.grid[1]} signs", span)
        return
    strange = sorted({sign for row in rows for sign in row} - set(meaning))
    if strange:
        reader.problem("P0206", f"the legend does not say what {strange[0]!r} means", span)
        return
    attribute.has_default = True
    kind.maps[attribute.name] = (rows, meaning)


def _grid_type(name: str, kind: Kind) -> ty.AnyType:
    table: dict[str, ty.AnyType] = {
        "int": ty.INT, "cells": ty.Seq(ty.Ref(kind.over or kind.name)), "supports": ty.Seq(ty.Ref(kind.name)),
    }  # fmt: skip
    return table[name]


# ---- counters, places, constants


def _dims(model: Model, reader: Reader, entry: Entry) -> tuple[str, ...]:
    node = entry.get("per")
    items = node.items if isinstance(node, Sequence) else [node] if node is not None else []
    dims = []
    for item in items:
        if isinstance(item, Scalar):
            if item.value in model.kinds:
                dims.append(item.value)
            else:
                near = nearest(item.value, model.kinds)
                help_ = f"did you mean {near!r}?" if near else ""
                reader.problem("P0201", f"unknown kind {item.value!r}", item.span, help_)
    return tuple(dims)


def quantities(model: Model, reader: Reader) -> None:
    """Declare counters and check the groups made of them."""
    for entry in model.composition.all("counters"):
        model.counters[entry.id] = Counter(
            entry.id, entry.key.span, _dims(model, reader, entry),
            _number(entry.node, "min", 0),
            reader.expression(reader.scalar(entry.get("max"), "max")),
            reader.expression(reader.scalar(entry.get("start"), "start")),
            text_of(entry, "visible") or "all", text_of(entry), text_of(entry, "spend"),
        )  # fmt: skip
        _name(model, entry.id, "counter", entry.id, entry.key.span)
    for entry in model.composition.all("groups"):
        for item in entry.node.items if isinstance(entry.node, Sequence) else ():
            if isinstance(item, Scalar) and item.value not in model.counters:
                near = nearest(item.value, model.counters)
                help_ = f"did you mean {near!r}?" if near else ""
                reader.problem("P0201", f"unknown counter {item.value!r}", item.span, help_)


def places(model: Model, reader: Reader) -> None:
    """Declare places."""
    for entry in model.composition.all("places"):
        of = text_of(entry, "of")
        if of not in model.kinds:
            node = entry.get("of")
            near = nearest(of, model.kinds)
            help_ = f"did you mean {near!r}?" if near else ""
            reader.problem("P0201", f"unknown kind {of!r}", node.span if node else entry.key.span, help_)
            of = "player"
        model.kinds[of].placed = True
        model.places[entry.id] = Place(
            entry.id, entry.key.span, of, text_of(entry, "type") or "area", _dims(model, reader, entry),
            reader.expression(reader.scalar(entry.get("size"), "size")),
            text_of(entry, "visible") or "all", text_of(entry),
        )  # fmt: skip
        _name(model, entry.id, "place", entry.id, entry.key.span)


def constants(model: Model, reader: Reader) -> None:
    """Declare constants; a value that depends on an option or on the seats is kept as a table."""
    for entry in model.composition.all("constants"):
        attribute = reader.attribute(entry.id, entry.node, False)
        value = entry.get("value")
        if attribute is not None and value is not None:
            read = read_value(reader, value, attribute.type)
            model.constants[entry.id] = Constant(
                entry.id, entry.key.span, attribute.type, read, text_of(entry, "source")
            )
        _name(model, entry.id, "constant", entry.id, entry.key.span)


class Table:
    """A value that is looked up by a constant when a match is made: ``{by: seats, 2: .., 3: ..}``."""

    def __init__(self, by: t.Expr, rows: dict[str, object], span: Span) -> None:
        self.by, self.rows, self.span = by, rows, span


def read_value(reader: Reader, node: Node, type_: ty.AnyType) -> object:
    """Read a fact or constant: nested lists follow the type, leaves are expressions or costs."""
    if isinstance(node, Mapping):
        key = node.get("by")
        by = reader.expression(key) if isinstance(key, Scalar) else None
        if by is None:
            reader.problem(
                "P0204", "a table says what it is looked up by", node.span, "write {by: seats, 2: .., 3: ..}"
            )
            return t.Nobody(at=t.At(Scalar("none", node.span), 0, 4))
        rows = {k: read_value(reader, v, type_) for k, (_, v) in node.items.items() if k != "by"}
        return Table(by, rows, node.span)
    if isinstance(node, Sequence):
        if not isinstance(type_, ty.Seq):
            reader.problem("P0301", f"expected {type_}, found a list", node.span)
            return []
        return [read_value(reader, item, type_.of) for item in node.items]
    assert isinstance(node, Scalar)
    if type_ == ty.TEXT:
        return node.value
    if type_ == ty.COST and node.value != "none":
        return reader.cost(node)
    return reader.expression(node)


# ---- pieces

_OWN = frozenset({"copies", "text", "source", "triggers", "place", "per"})


def designs(model: Model, reader: Reader) -> None:
    """Declare pieces; effects in their facts become rules of their own later."""
    for entry in model.composition.all("pieces"):
        kind = model.kinds.get(entry.kind)
        if kind is None or kind.members is not None:
            near = nearest(entry.kind, [k for k, v in model.kinds.items() if v.members is None])
            help_ = f"did you mean {near!r}?" if near else ""
            reader.problem("P0201", f"unknown kind {entry.kind!r}", entry.key.span, help_)
            continue
        design = Design(
            entry.id, entry.kind, entry.key.span, reader.expression(reader.scalar(entry.get("copies"), "copies")),
            text=text_of(entry), source=text_of(entry, "source"), pack=entry.pack,
        )  # fmt: skip
        place = entry.get("place") or entry.place
        design.place = reader.expression(place if isinstance(place, Scalar) else None)
        _facts(reader, kind, design, entry)
        kind.designs.append(design)
        model.designs[entry.id] = design
        if entry.id != entry.kind:
            _name(model, entry.id, "piece", entry.kind, entry.key.span)
    for kind in model.kinds.values():
        if kind.members is not None:
            continue
        if kind.per_player and not any("owner" in design.facts for design in kind.designs):
            kind.facts["owner"].type = ty.Ref("player")
        if kind.per_player and not kind.designs:
            kind.designs.append(Design(kind.name, kind.name, kind.span, kind.copies, text=kind.text))
            model.designs.setdefault(kind.name, kind.designs[0])


def _facts(reader: Reader, kind: Kind, design: Design, entry: Entry) -> None:
    items = entry.node.items if isinstance(entry.node, Mapping) else {}
    for name, (key, value) in items.items():
        if name in _OWN and name not in kind.facts:
            continue
        attribute = kind.facts.get(name)
        if attribute is None:
            known = [*kind.facts, *_OWN]
            near = nearest(name, known)
            help_ = f"did you mean {near!r}?" if near else f"declare it under facts of kind {kind.name!r}"
            reader.problem(
                "P0204", f"{kind.name!r} has no fact {name!r}", key.span, help_, (kind.span, "the kind is here")
            )
            continue
        if uses_effect(attribute.type):
            design.facts[name] = value
        else:
            design.facts[name] = read_value(reader, value, attribute.type)
    for name, attribute in kind.facts.items():
        if name not in items and not attribute.has_default and name not in kind.data and name != "owner":
            also = (attribute.span, "the fact is declared here, without a default")
            reader.problem("P0204", f"{design.id!r} lacks the fact {name!r}", design.span, "", also)


def uses_effect(type_: ty.AnyType) -> bool:
    """Tell whether values of a type are effects, or lists of effects."""
    if isinstance(type_, ty.Seq | ty.Maybe):
        return uses_effect(type_.of)
    return type_ == ty.EFFECT
