"""Declare records: kinds whose instances are all combinations of the values of their fields.

In:     the section ``records`` of models, when the names of all kinds are known.
Out:    kinds that have each field as a fact. A record is one number, so it is stored, compared, hashed, saved and
        compiled as a member of an enumeration is.
Errors: P0201 records in an older version of the language, P0205 a field that does not have a known list of values, a
        record inside itself, a piece that may be hidden.
"""

from __future__ import annotations

from patolli.language.program import types as ty
from patolli.language.program.model import TABLE, find_hidden_kinds
from patolli.language.resolve.entries import claim, comes_later
from patolli.language.resolve.model import Attribute, Kind, Model
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node
from patolli.language.sources.nodes import text_at

_OTHERWISE = "a field of a record is a number with bounds, true or false, a player, a member, a piece or another record"


def name_records(model: Model) -> None:
    """Declare all records by name, without their fields."""
    for entry in model.composition.all("records"):
        comes_later(model, "a record", entry.key.span, 3)
        kind = Kind(entry.id, entry.key.span, members=[], is_record=True)
        kind.text, kind.source = text_at(entry, "text"), text_at(entry, "source")
        model.kinds[entry.id] = kind
        claim(model, entry.id, "kind", entry.id, entry.key.span)


def fill_records(model: Model, reader: Reader) -> None:
    """Read the fields of all records, and put each record behind those that are in it."""
    entries = {entry.id: entry for entry in model.composition.all("records")}
    for entry in entries.values():
        kind, fields = model.kinds[entry.id], entry.get("fields")
        for key, value in fields.items.values() if isinstance(fields, Mapping) else ():
            attribute = reader.attribute(key.value, value, False)
            if attribute is not None:
                _check_keys(reader, key.value, value)
                _check_field(reader, attribute)
                kind.facts[key.value] = attribute
    placed: set[str] = set()
    for name in entries:
        _place_behind(model, reader, name, placed)


def _check_keys(reader: Reader, name: str, field: Node) -> None:
    """Report keys that are for fields of things: a record is a value, which is never seen in part and never changes."""
    for key in ("visible", "unless", "told", "lasts"):
        if isinstance(field, Mapping) and key in field.items:
            help_ = f"leave {key!r} out; write it at a field, counter or place of the record"
            reader.problem(
                "P0205", f"{name!r} is in a record, where {key!r} has no meaning", field.key(key).span, help_
            )


def _check_field(reader: Reader, attribute: Attribute) -> None:
    """Report a field whose values cannot be counted; it then has any type, so nothing more is reported of it."""
    inner, help_ = ty.strip(attribute.type), _OTHERWISE
    if attribute.type == ty.INT and attribute.low is None:
        help_ = f"write its bounds, as in '{attribute.name}: int 0..9'"
    elif attribute.has_default and attribute.type != ty.ANY:
        message = f"{attribute.name!r} has a default, and a record is made with all its values"
        reader.problem("P0205", message, attribute.span, "leave '= ..' out")
        attribute.default, attribute.has_default = None, False
        return
    elif attribute.type in (ty.INT, ty.BOOL, ty.ANY) or (isinstance(inner, ty.Ref) and inner.kind != TABLE):
        return
    message = f"the values of {attribute.name!r} cannot be counted: it is {attribute.type}"
    reader.problem("P0205", message, attribute.span, help_)
    attribute.type = ty.ANY


def _place_behind(model: Model, reader: Reader, name: str, placed: set[str], around: tuple[str, ...] = ()) -> None:
    """Move a record behind all records in it, so that their values are known when its own are counted."""
    if name in placed:
        return
    for attribute in model.kinds[name].facts.values():
        inner = ty.strip(attribute.type)
        if not isinstance(inner, ty.Ref) or not model.kinds[inner.kind].is_record:
            continue
        if inner.kind in (name, *around):
            message = f"{ty.article(inner.kind)} would be in itself, by {attribute.name!r}"
            reader.problem("P0205", message, attribute.span, "a record is made of things that are known before it")
            attribute.type = ty.ANY
        else:
            _place_behind(model, reader, inner.kind, placed, (*around, name))
    placed.add(name)
    model.kinds[name] = model.kinds.pop(name)


def check_hidden_pieces(model: Model, reader: Reader) -> None:
    """Report pieces in records that may lie where not everybody sees them, when all places are known."""
    hidden = find_hidden_kinds(model.places.values())
    for kind in model.kinds.values():
        for attribute in kind.facts.values() if kind.is_record else ():
            inner = ty.strip(attribute.type)
            if isinstance(inner, ty.Ref) and inner.kind in hidden:
                where = next(p.span for p in model.places.values() if p.of == inner.kind)
                message = f"{inner} may be hidden, and everybody sees what is in a record"
                help_ = "keep the piece in another variable or field"
                reader.problem("P0205", message, attribute.span, help_, (where, "it may lie here"))
