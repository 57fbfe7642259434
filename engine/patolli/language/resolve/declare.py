"""Collect what a composed ruleset declares, and parse every text in it.

In:     a composition.
Out:    a :class:`Model`; its expressions and effects are parsed, not yet checked.
Errors: P0101.. from the parser, P0103 bad types, P0201 unknown kinds, P0203 an id declared twice, P0204 a missing
        or unknown fact, P0205 a declaration that contradicts itself.
"""

from __future__ import annotations

from patolli.language.diagnostics import Span, instead, nearest
from patolli.language.packs.composition import Composition, Entry
from patolli.language.program import types as ty
from patolli.language.program.model import Stated
from patolli.language.resolve.bounds import MOST_PLAYERS, can_be, check_counter, check_options, check_players
from patolli.language.resolve.design_kinds import fill_designs
from patolli.language.resolve.entries import claim, everyones, number_of
from patolli.language.resolve.graphs import graphs
from patolli.language.resolve.kinds import kinds
from patolli.language.resolve.model import UNKNOWN, Attribute, Constant, Counter, Design, Kind, Model, Place
from patolli.language.resolve.records import check_hidden_pieces
from patolli.language.resolve.rules import declare_rules
from patolli.language.resolve.sayings import own_words
from patolli.language.resolve.tables import Wanted, read_count, read_value
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar, Sequence, plain
from patolli.language.sources.nodes import list_texts, scalar_at, text_at


def declare(composition: Composition, options: dict[str, object]) -> Model:
    """Build the model of a composition under the chosen *options* (by name; missing ones take their default)."""
    model = Model(composition)
    model.problems.extend(composition.problems)
    reader = Reader(model)
    _manifest(model, options)
    kinds(model, reader)
    quantities(model, reader)
    places(model, reader)
    check_hidden_pieces(model, reader)
    constants(model, reader)
    designs(model, reader)
    fill_designs(model)
    graphs(model, reader)
    declare_rules(model, reader)
    return model


def _manifest(model: Model, options: dict[str, object]) -> None:
    for pack in model.composition.packs:
        for option in pack.options():
            model.options.setdefault(option.name, option)
            claim(model, option.name, "option", option.name, option.span)
            for choice in option.choices:
                if choice not in model.names:
                    claim(model, choice, "choice", option.name, option.span)
        check_options(model, pack)
    for name, option in model.options.items():
        value = options.get(name, option.default)
        if not can_be(option, value):
            value = option.choices[0] if option.choices else option.low
        model.chosen[name] = option.choices.index(str(value)) if option.choices else int(str(value))
    low, high = 1, 0
    for pack in model.composition.packs:
        seats = pack.manifest.get("players")
        low, high = number_of(seats, "min", low), number_of(seats, "max", high)
    model.players = (low, high or MOST_PLAYERS)  # a number that is refused or missing contradicts nothing else
    check_players(model)
    for pack in model.composition.packs:
        model.automated = max(model.automated, number_of(pack.manifest, "automated", 0))
    for pack in model.composition.packs:
        parts = pack.manifest.get("components")
        for key, value in parts.items.values() if isinstance(parts, Mapping) else ():
            number = plain(value)
            if isinstance(number, int):
                stated = Stated(pack.id, number, key.span, value.span)
                model.components.setdefault(key.value, []).append(stated)


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
                reader.unknown("kind", item, item.value, model.kinds)
                dims.append(UNKNOWN)
    return tuple(dims)


def quantities(model: Model, reader: Reader) -> None:
    """Declare counters and check the groups made of them."""
    for entry in model.composition.all("counters"):
        dims = _dims(model, reader, entry)
        model.counters[entry.id] = Counter(
            entry.id, entry.key.span, dims,
            number_of(entry.node, "min", 0),
            read_count(model, reader, entry, "max"),
            read_count(model, reader, entry, "start"),
            text_at(entry, "visible") or "all", text_at(entry, "text"), text_at(entry, "spend"),
            tuple(list_texts(entry.get("noun"))),
            *own_words(reader, entry.get("told"), ("old", "new", "change", *dims)),
            lasts=scalar_at(entry.node, "lasts"),
        )  # fmt: skip
        check_counter(model, model.counters[entry.id])
        _check_owner(model, reader, entry, model.counters[entry.id].dims)
        claim(model, entry.id, "counter", entry.id, entry.key.span)
    for entry in model.composition.all("groups"):
        for item in entry.node.items if isinstance(entry.node, Sequence) else ():
            if isinstance(item, Scalar) and item.value not in model.counters:
                reader.unknown("counter", item, item.value, model.counters)
            elif isinstance(item, Scalar):
                everyones(model, item.value, item.span)


def places(model: Model, reader: Reader) -> None:
    """Declare places."""
    for entry in model.composition.all("places"):
        of = text_at(entry, "of")
        if of not in model.kinds:
            reader.unknown("kind", entry.get("of") or entry.key, of, model.kinds)
            of = UNKNOWN
        else:
            model.kinds[of].placed = True
        model.places[entry.id] = Place(
            entry.id, entry.key.span, of, text_at(entry, "type") or "area", _dims(model, reader, entry),
            read_count(model, reader, entry, "size"),
            text_at(entry, "visible") or "all", text_at(entry, "text"), text_at(entry, "told") != "false",
        )  # fmt: skip
        _check_owner(model, reader, entry, model.places[entry.id].dims)
        size = entry.get("size")
        if isinstance(size, Scalar) and isinstance(plain(size), int) and int(size.value) < 1:
            reader.problem("P0054", f"the row {entry.id!r} has no spot", size.span, "write a number from 1")
        claim(model, entry.id, "place", entry.id, entry.key.span)


def _check_owner(model: Model, reader: Reader, entry: Entry, dims: tuple[str, ...]) -> None:
    """Report a place for its owner, or for all others, that has none; cells of a grid per player have owners."""
    visible = entry.get("visible")
    if not isinstance(visible, Scalar) or visible.value not in ("owner", "others"):
        return
    first = model.kinds.get(dims[0]) if dims else None
    grid = first is not None and first.per_player and first.members is not None
    if dims[:1] not in (("player",), (UNKNOWN,)) and not grid:
        help_ = "add 'per: player', or write 'none' for what no player sees"
        whom = "who could see it" if visible.value == "owner" else "from whom it could be hidden"
        reader.problem("P0205", f"{entry.id!r} has no owner {whom}", visible.span, help_)


def constants(model: Model, reader: Reader) -> None:
    """Declare constants; a value that depends on an option or on the seats is kept as a table."""
    for entry in model.composition.all("constants"):
        attribute = reader.attribute(entry.id, entry.node, False)
        value = entry.get("value")
        if attribute is not None and value is not None:
            wanted = Wanted(f"`{entry.id}`", (attribute.span, "the type is declared here"))
            read = read_value(reader, value, attribute.type, wanted)
            model.constants[entry.id] = Constant(
                entry.id, entry.key.span, attribute.type, read, text_at(entry, "source")
            )
        claim(model, entry.id, "constant", entry.id, entry.key.span)


# ---- pieces

OWN = frozenset({"copies", "name", "text", "source", "triggers", "place", "per", "like"})
"""Keys that every piece has, besides the facts of its kind."""
_ELSEWHERE = {
    **dict.fromkeys(("category", "cause"), "write it in the kind {kind!r}, for all its pieces, or in a trigger"),
    "heading": "only rules have headings; call a rule in the effect",
}
"""Where keys stand that pieces have not."""


def designs(model: Model, reader: Reader) -> None:
    """Declare pieces; effects in their facts become rules of their own later."""
    lacking: dict[tuple[str, str], list[Design]] = {}
    for entry in model.composition.all("pieces"):
        kind = model.kinds.get(entry.kind)
        if kind is None or kind.members is not None:
            known = [k for k, v in model.kinds.items() if v.members is None]
            reader.unknown("kind", entry.of or entry.key, entry.kind, known)
            model.names.setdefault(entry.id, (UNKNOWN, entry.kind))
            model.spans.setdefault(entry.id, entry.key.span)
            continue
        many = entry.get("copies")
        one = isinstance(many, Scalar) and str(many.value).strip() == "1"  # written or not: its id has no number
        design = Design(
            entry.id, entry.kind, entry.key.span, None if one else read_count(model, reader, entry, "copies"),
            text=text_at(entry, "text"), source=text_at(entry, "source"), pack=entry.pack,
        )  # fmt: skip
        place = entry.get("place") or entry.place
        design.place = reader.expression(place if isinstance(place, Scalar) else None)
        for name in _facts(reader, kind, design, entry):
            lacking.setdefault((kind.name, name), []).append(design)
        kind.designs.append(design)
        model.designs[entry.id] = design
        if entry.id != entry.kind:
            claim(model, entry.id, "piece", entry.kind, entry.key.span)
    for kind in model.kinds.values():
        if kind.members is not None:
            continue
        if kind.per_player and not any("owner" in design.facts for design in kind.designs):
            kind.facts["owner"].type = ty.Ref("player")
        if (kind.per_player or kind.copies is not None) and not kind.designs:
            kind.designs.append(Design(kind.name, kind.name, kind.span, kind.copies, text=kind.text))
            model.designs.setdefault(kind.name, kind.designs[0])
    for (of, name), without in lacking.items():
        _lacking(reader, model.kinds[of], name, without)


def _lacking(reader: Reader, kind: Kind, name: str, without: list[Design]) -> None:
    """Report pieces without a fact that has no default; where no piece has it, where it is declared."""
    declared = kind.attributes[name]
    inner = ty.strip(declared.type)
    while isinstance(inner, ty.Seq):
        inner = ty.strip(inner.of)
    if inner == ty.ANY:  # what its type was meant to be is reported where it is declared
        return
    if len(without) > 1 and len(without) == len(kind.designs):
        help_ = f"add '{name}: ..' to each, or give the fact a default after '='"
        words = f"no {kind.name!r} has the fact {name!r}, and it has no default"
        reader.problem("P0204", words, declared.span, help_, (without[0].span, "the first one is here"))
        return
    for design in without:
        also = (declared.span, "the fact is declared here, without a default")
        help_ = f"add '{name}: ..', or give the fact a default"
        words = f"{design.id!r} lacks the fact {name!r}"
        reader.problem("P0204", words, design.span, help_, also, *_changes(reader, design.id))


def _changes(reader: Reader, id_: str) -> list[tuple[Span, str]]:
    """Return where modules replace a piece, or what stands in it."""
    entry = reader.model.composition.sections["pieces"].get(id_)
    found = []
    for pack, operation, change in entry.changed if entry is not None else ():
        target = change.get(operation) if isinstance(change, Mapping) else None
        if operation in ("replace", "remove") and isinstance(target, Scalar):
            found.append((target.span, f"{pack!r} {operation}s {target.value!r} here"))
    return found


def _facts(reader: Reader, kind: Kind, design: Design, entry: Entry) -> list[str]:
    """Read the facts of a piece; return the names of those that it should have and has not."""
    items = entry.node.items if isinstance(entry.node, Mapping) else {}
    lacking = [
        name
        for name, attribute in {**kind.facts, **kind.formulas}.items()
        if name not in items and not may_be_left_out(attribute) and name not in kind.data and name != "owner"
    ]
    for name, (key, value) in items.items():
        if name in OWN and name not in kind.facts:
            continue
        if name in kind.formulas:
            _read_formula(reader, design, kind.formulas[name], value)
            continue
        attribute = kind.facts.get(name)
        if attribute is None:
            known = [*kind.facts, *kind.formulas, *OWN]
            near = nearest(name, lacking) or nearest(name, known) or (lacking[0] if len(lacking) == 1 else None)
            if near in lacking:
                lacking.remove(near)  # one mistake, not two
            help_ = f"did you mean {near!r}?" if near else f"declare it under facts of kind {kind.name!r}"
            if name in _ELSEWHERE and near not in kind.facts:
                near, help_ = None, _ELSEWHERE[name].format(kind=kind.name)
            words, also = f"{kind.name!r} has no fact {name!r}", (kind.span, "the kind is here")
            free = None if near in items else near
            reader.problem(
                "P0204", words, key.span, help_, also, fixes=instead(key.span, free), missing=name if free else ""
            )
            continue
        if uses_effect(attribute.type):
            design.facts[name] = (
                value if _has_list_shape(reader, name, value, attribute.type) else Scalar("nothing", value.span)
            )
        else:
            wanted = Wanted(f"`{name}` of `{design.id}`", (attribute.span, "the fact is declared here"))
            design.facts[name] = read_value(reader, value, attribute.type, wanted)
    return lacking


def _read_formula(reader: Reader, design: Design, fact: Attribute, node: Node) -> None:
    if isinstance(node, Scalar):
        formula = reader.expression(node)
        if formula is not None:
            design.formulas[fact.name] = formula
    else:
        words = f"{fact.name!r} is a formula: one expression"
        reader.problem("P0301", words, node.span, "", (fact.span, "the fact is declared here"))


def may_be_left_out(fact: Attribute) -> bool:
    """Return whether pieces need not say a fact: it has a default, or is a list, which then is empty."""
    return fact.has_default or (isinstance(fact.type, ty.Seq) and not uses_effect(fact.type))


def _has_list_shape(reader: Reader, name: str, node: Node, type_: ty.AnyType) -> bool:
    """Return whether lists stand where a type of effects has lists; report where they do not."""
    wanted = ty.strip(type_)
    if isinstance(wanted, ty.Seq) and isinstance(node, Sequence):
        return all([_has_list_shape(reader, name, item, wanted.of) for item in node.items])
    if isinstance(wanted, ty.Seq) == isinstance(node, Sequence) and not isinstance(node, Mapping):
        return True
    if isinstance(type_, ty.Maybe) and isinstance(node, Scalar) and node.value == "none":
        return True
    found = "a list" if isinstance(node, Sequence) else "a table" if isinstance(node, Mapping) else "one text"
    help_ = "put it in [ ]" if isinstance(wanted, ty.Seq) else "write one text; several effects are joined by ';'"
    if isinstance(node, Mapping):
        help_ = f"write `{name}: |`, so that the lines below it are one text"
    reader.problem("P0301", f"{name!r} is {wanted}, found {found}", node.span, help_)
    return False


def uses_effect(type_: ty.AnyType) -> bool:
    """Return whether values of a type are effects, or lists of effects."""
    if isinstance(type_, ty.Seq | ty.Maybe):
        return uses_effect(type_.of)
    return type_ == ty.EFFECT
