"""Declare enumerations, kinds of pieces, grids, shapes and groups.

Errors: P0201 an unknown grid, P0203 an id or attribute declared twice, P0205 a shape without a cell, P0206 a map that
        does not fit its grid.
"""

from __future__ import annotations

from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.program.model import FIELDS, TABLE
from patolli.language.resolve.design_kinds import named_designs
from patolli.language.resolve.entries import claim, comes_later, number_of
from patolli.language.resolve.hidden import check_all_hidden, check_hidden
from patolli.language.resolve.model import Attribute, Kind, Model
from patolli.language.resolve.records import fill_records, name_records
from patolli.language.resolve.sayings import own_words
from patolli.language.resolve.shapes import cell_name, grid_facts, parse_shape
from patolli.language.resolve.sizes import Sizes
from patolli.language.resolve.tables import read_count
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar, Sequence, plain
from patolli.language.sources.nodes import list_texts, text_at
from patolli.language.syntax import tree as t

TURNS, COVERED = 8, 2_000_000
"""In how many ways a shape may be turned, and how many cells may be covered by all ways to lay shapes on a grid."""
CELLS = 100_000
"""How many cells all grids may have: no match has room for more pieces."""


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
                claim(model, item.value, "member", entry.id, item.span)
    for entry in composition.all("kinds"):
        kind = _kind(model, entry)
        kind.text, kind.source, kind.category = (
            text_at(entry, "text"),
            text_at(entry, "source"),
            text_at(entry, "category"),
        )
        caused, said = own_words(reader, entry.get("cause"), ("piece",))
        kind.cause = (said or "for {piece}") if caused else ""
        kind.per_player = text_at(entry, "per") == "player"
        kind.copies = read_count(model, reader, entry, "copies")
        kind.active = reader.expression(reader.scalar(entry.get("active"), "active"))
    named_designs(model)
    _shapes(model)
    sizes = Sizes(model, reader)
    for entry in composition.all("grids"):
        _grid(model, sizes, entry)
    _table(model, reader)
    name_records(model)
    for entry in composition.all("groups"):
        model.groups[entry.id] = tuple(
            item.value
            for item in (entry.node.items if isinstance(entry.node, Sequence) else ())
            if isinstance(item, Scalar)
        )
        claim(model, entry.id, "group", entry.id, entry.key.span)
    for entry in (*composition.all("kinds"), *composition.all("grids")):
        kind = model.kinds[entry.id]
        _attributes(reader, kind, entry.get("facts"), kind.facts, False)
        _attributes(reader, kind, entry.get("fields"), kind.fields, True)
        if kind.per_player and "owner" not in kind.facts:
            kind.facts["owner"] = Attribute("owner", ty.Maybe(ty.Ref("player")), kind.span, False)
        for part, mutable in (("facts", False), ("fields", True)):
            check_all_hidden(reader, kind, entry.get(part), mutable)
    _named_fields(model, reader)
    fill_records(model, reader)


def _kind(model: Model, entry: Entry) -> Kind:
    kind = Kind(entry.id, entry.key.span)
    model.kinds[entry.id] = kind
    claim(model, entry.id, "kind", entry.id, entry.key.span)
    return kind


def _attributes(reader: Reader, kind: Kind, node: Node | None, into: dict[str, Attribute], mutable: bool) -> None:
    for key, value in node.items.values() if isinstance(node, Mapping) else ():
        if key.value in kind.attributes:
            first = kind.attributes[key.value].span
            reader.problem(
                "P0203", f"{key.value!r} is declared twice in {kind.name!r}", key.span, "", (first, "first here")
            )
        of_pieces = not mutable and kind.name in reader.model.composition.sections["kinds"]
        formula = reader.formula(key.value, value) if of_pieces else None
        if formula is not None:
            comes_later(reader.model, "a formula", formula.span, 3)
            kind.formulas[key.value] = formula
            continue
        attribute = reader.attribute(key.value, value, mutable)
        if isinstance(value, Mapping) and "map" in value and attribute is not None:
            _map(reader, kind, attribute, value)
        if attribute is not None:
            into[key.value] = attribute


def _table(model: Model, reader: Reader) -> None:
    """Declare what the whole table has as fields of a kind with one instance, which have names of their own."""
    for entry in model.composition.all("player")[:1]:
        comes_later(model, "'player'", entry.key.span, 3)
    entries = model.composition.all("table")
    if not entries:
        return
    comes_later(model, "'table'", entries[0].key.span)
    kind = Kind(TABLE, entries[0].key.span, members=[TABLE])
    claim(model, TABLE, "kind", TABLE, kind.span)
    model.kinds[TABLE] = kind


def _named_fields(model: Model, reader: Reader) -> None:
    """Declare the fields of the table and of each player, when all types are known."""
    for section in FIELDS:
        for entry in model.composition.all(section):
            kind = model.kinds[section]
            attribute = reader.attribute(entry.id, entry.node, True, owned=section != TABLE)
            claim(model, entry.id, "field", section, entry.key.span)
            if attribute is not None:
                kind.fields[entry.id] = attribute
                check_hidden(reader, kind, attribute, entry.node, True)


def _measure_grid(sizes: Sizes, entry: Entry, kind: Kind, base: Kind | None) -> None:
    """Find out how large a grid is, with the options that were chosen and with any."""
    levels, form = number_of(entry.node, "levels", 1), int(text_at(entry, "form") == "hex")
    said = entry.get("form")
    if form and said is not None:
        comes_later(sizes.model, "a grid of hexagons", said.span)
    kind.sides = sizes.sides(entry)
    if base is not None or not kind.sides:
        kind.grid = (0, 0, levels, form)
        over = entry.get("over")
        if base is not None and over is not None and (len(base.sizes) > 1 or base.grid[3:] == (1,)):
            message = f"a stack needs a grid of squares that always has the same size, and {base.name!r} is not one"
            sizes.model.problems.append(Problem("P0205", message, over.span, "", ((base.span, "the grid"),)))
        return
    kind.grid = (*sizes.compute_size(kind.sides), levels, form)
    kind.sizes = sizes.all_of(kind.sides)
    kind.unsized = tuple(side for side in kind.sides if not sizes.is_known(side))


def _grid(model: Model, sizes: Sizes, entry: Entry) -> None:
    kind = _kind(model, entry)
    kind.text = text_at(entry, "text")
    shape = (
        {key: plain(value) for key, (_, value) in entry.node.items.items()} if isinstance(entry.node, Mapping) else {}
    )
    kind.over = str(shape.get("over", ""))
    if kind.over and kind.over not in model.kinds:
        near = nearest(kind.over, model.kinds)
        node = entry.get("over")
        help_ = f"did you mean {near!r}?" if near else "declare that grid first"
        span = node.span if node else kind.span
        fixes = instead(span, near) if node else ()
        message = f"unknown grid {kind.over!r}"
        model.problems.append(Problem("P0201", message, span, help_, fixes=fixes, missing=kind.over))
        grids = [name for name, other in model.kinds.items() if other.grid and not other.over]
        kind.over = near if near in grids else next(iter(grids), "")  # go on as if that were meant
    base = model.kinds.get(kind.over)
    _too_high(model, entry, base)
    _measure_grid(sizes, entry, kind, base)
    kind.members = []
    if _too_many_cells(model, kind, base):
        return
    prefix = str(shape.get("prefix", ""))
    for rows, columns in kind.sizes if base is None else ():
        kind.cells.update((cell_name(prefix, r, c), (r, c)) for r in range(rows) for c in range(columns))
    names, facts = grid_facts(kind.grid, prefix, base)
    kind.members = names
    kind.per_player = shape.get("per") == "player" or (base is not None and base.per_player)
    for name, (type_name, values) in facts.items():
        kind.data[name] = values
        kind.facts[name] = Attribute(name, _grid_type(type_name, kind), kind.span, False)
    if kind.per_player:
        kind.facts["owner"] = Attribute("owner", ty.Ref("player"), kind.span, False)
    else:
        every = [*kind.cells] or names
        taken = [name for name in every if name in model.names]
        for name in [*taken[:1], *(name for name in every if name not in model.names)]:  # one clash stands for all
            claim(model, name, "member", entry.id, entry.key.span)
    if model.shapes and not kind.over:
        _placements(model, entry, kind)


def _too_high(model: Model, entry: Entry, base: Kind | None) -> None:
    """Report more levels of a stack than fit over its grid."""
    levels = entry.get("levels")
    most = min(base.grid[:2]) // 2 if base is not None and base.grid else 0
    if levels is not None and most and number_of(entry.node, "levels", 1) > most:
        message = f"a stack over {base.name!r} has at most {most} levels" if base is not None else ""
        model.problems.append(Problem("P0054", message, levels.span, f"write a number up to {most}"))


def _too_many_cells(model: Model, kind: Kind, base: Kind | None) -> bool:
    """Return whether all grids have too many cells with one more, which may be a stack; report it."""
    rows, columns, levels, _ = (*(base or kind).grid[:2], *kind.grid[2:])
    before = sum(len(other.members or ()) for other in model.kinds.values() if other.grid)
    if before + rows * columns * max(levels, 1) <= CELLS:
        return False
    message = f"there are more than {CELLS:,} cells, with these"
    model.problems.append(Problem("P0054", message, kind.span, "make the grids fewer or smaller"))
    return True


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
            help_ = "draw it as rows of text, with # for each cell"
            model.problems.append(Problem("P0205", f"the shape {entry.id!r} has no cell", entry.key.span, help_))
            continue
        model.shapes[entry.id] = cells
        kind.members.append(entry.id)
        kind.data["size"].append(len(cells))
        claim(model, entry.id, "member", "shape", entry.key.span)


def _placements(model: Model, entry: Entry, grid: Kind) -> None:
    """Declare all ways to lay a shape on a grid as a kind of their own."""
    rows, columns = max(grid.sizes, default=grid.grid[:2] or (1, 1))
    if sum(map(len, model.shapes.values())) * rows * columns * TURNS > COVERED:
        message = f"the ways to lay the shapes on {entry.id!r} may take more than {COVERED:,} cells in all"
        help_ = "make the grid smaller, or the shapes fewer or smaller"
        model.problems.append(Problem("P0054", message, entry.key.span, help_))
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
    claim(model, name, "kind", name, entry.key.span)


def _map(reader: Reader, kind: Kind, attribute: Attribute, node: Mapping) -> None:
    """Read a fact that is drawn as a map of the grid, a sign for each cell."""
    drawn, legend = node.get("map"), node.get("legend")
    rows = list_texts(drawn)
    meaning: dict[str, t.Expr] = {}
    for sign, (_, value) in legend.items.items() if isinstance(legend, Mapping) else ():
        expr = reader.expression(value if isinstance(value, Scalar) else None)
        if expr is not None:
            meaning[sign] = expr
    attribute.has_default = True
    if _drawn_wrong(reader, kind, drawn if isinstance(drawn, Sequence) else None, node, set(meaning)):
        return
    kind.maps[attribute.name] = (rows, meaning)


def _drawn_wrong(reader: Reader, kind: Kind, drawn: Sequence | None, node: Mapping, known: set[str]) -> bool:
    """Report rows of a map that are too many, too long or too short, and signs that mean nothing."""
    high, wide = kind.grid[:2]
    rows = [item for item in drawn.items if isinstance(item, Scalar)] if drawn is not None else []
    grid = (kind.span, "the grid")
    if len(kind.sizes) > 1:
        help_ = "give a function that says it of a cell by its row and column"
        span = drawn.span if drawn is not None else node.span
        reader.problem("P0206", "a map needs a grid that always has the same size", span, help_, grid)
        return True
    before = len(reader.model.problems)
    if len(rows) != high:
        span = drawn.span if drawn is not None else node.span
        message = f"the map has {number(len(rows), 'row')}, the grid {high}"
        reader.problem("P0206", message, span, f"draw {number(high, 'row')} of {number(wide, 'sign')}", grid)
    legend = node.key("legend").span if "legend" in node else node.span
    reported: set[str] = set()
    for at, row in enumerate(rows, 1):
        if len(row.value) != wide:
            signs = number(len(row.value), "sign")
            reader.problem(
                "P0206", f"row {at} of the map has {signs}, the grid {number(wide, 'column')}", row.span, "", grid
            )
        for place, sign in enumerate(row.value):
            if sign not in known and sign not in reported:
                reported.add(sign)
                message = f"the legend does not say what {sign!r} means"
                reader.problem("P0206", message, row.place(place, 1), f"add {sign!r} to it", (legend, "the legend"))
    return len(reader.model.problems) > before


def number(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _grid_type(name: str, kind: Kind) -> ty.AnyType:
    table: dict[str, ty.AnyType] = {
        "int": ty.INT, "cells": ty.Seq(ty.Ref(kind.over or kind.name)), "supports": ty.Seq(ty.Ref(kind.name)),
    }  # fmt: skip
    return table[name]
