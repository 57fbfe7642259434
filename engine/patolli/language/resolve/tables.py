"""Read values of declarations: expressions, lists of them, and tables that are looked up when a match is made.

Errors: P0204 a row that no value asks for, or a table by nothing; P0301 a list where none can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from patolli.language.diagnostics import Span, instead, nearest
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.resolve.model import Constant, Items, Model
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.syntax import tree as t

_SUCH: dict[ty.AnyType, str] = {ty.COST: " such as `2 coin and 1 card`", ty.INT: " such as `3`"}

_REST = ("default", "otherwise", "other", "others", "rest")


def _row_names(reader: Reader, table: Mapping, rows: dict[str, object]) -> None:
    """Report rows of a table that no value can ask for; one stands in for those that are then missing."""
    words = {choice for option in reader.model.options.values() for choice in option.choices}
    for name in [name for name in rows if name != "else" and name not in words and not name.lstrip("-").isdigit()]:
        near = "else" if name in _REST else nearest(name, ["else", *words])
        help_ = f"did you mean {near!r}?" if near else "a row is a number, a choice of an option, or 'else'"
        span = table.key(name).span
        reader.problem("P0204", f"the row {name!r} matches no value", span, help_, fixes=instead(span, near))
        rows.setdefault("else", rows.pop(name))


class Table:
    """A value that is looked up by a constant when a match is made: ``{by: seats, 2: .., 3: ..}``."""

    def __init__(self, by: t.Expr, rows: dict[str, object], span: Span) -> None:
        self.by, self.rows, self.span = by, rows, span


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a value is called, and the place that says what it must be."""

    name: str
    place: tuple[Span, str]


def read_value(reader: Reader, node: Node, type_: ty.AnyType, wanted: Wanted) -> object:
    """Read a fact or constant: nested lists follow the type, leaves are expressions or costs."""
    if ty.strip(type_) == ty.ANY:  # what its type was meant to be is reported where it is declared
        return t.NoValue(at=t.At(Scalar("none", node.span), 0, 4))
    if isinstance(node, Mapping):
        key = node.get("by")
        by = reader.expression(key) if isinstance(key, Scalar) else None
        if by is None:
            help_ = "write {by: seats, 2: .., 3: ..}"
            if ty.strip(type_) == ty.COST and node.items:
                pairs = [(name, value) for name, (_, value) in node.items.items() if isinstance(value, Scalar)]
                help_ = f"a cost is one text: `{' and '.join(f'{value.value} {name}' for name, value in pairs)}`"
            reader.problem("P0204", "a table needs the key 'by'", node.span, help_)
            return t.NoValue(at=t.At(Scalar("none", node.span), 0, 4))
        rows = {k: read_value(reader, v, type_, wanted) for k, (_, v) in node.items.items() if k != "by"}
        if not (isinstance(by, t.Name) and by.id in reader.model.composition.lost_words):
            _row_names(reader, node, rows)
        return Table(by, rows, node.span)
    if isinstance(node, Sequence):
        if not isinstance(type_, ty.Seq):
            such = _SUCH.get(type_, "")
            help_ = ""
            if type_ == ty.COST and all(isinstance(item, Scalar) for item in node.items):
                joined = " and ".join(item.value for item in node.items if isinstance(item, Scalar))
                help_ = f"a cost of several things is one text: `{joined}`"
            message = f"{wanted.name} must be {type_}{such}, found a list"
            reader.problem("P0301", message, node.span, help_, wanted.place)
            return []
        inner = replace(wanted, name=f"an entry of {wanted.name.removeprefix('an entry of ')}")
        return Items([read_value(reader, item, type_.of, inner) for item in node.items], node.span)
    assert isinstance(node, Scalar)
    if ty.strip(type_) == ty.TEXT and (type_ == ty.TEXT or node.value != "none"):
        reader.one_line(node.value, wanted.name, node.span)
        return node.value
    if type_ == ty.COST and node.value != "none":
        return reader.cost(node)
    return reader.expression(node)


def read_count(model: Model, reader: Reader, entry: Entry, key: str) -> t.Expr | None:
    """Read how many there are of something; a table by a constant becomes a constant that has no name for authors."""
    node = entry.get(key)
    if not isinstance(node, Mapping):
        return reader.expression(reader.scalar(node, key))
    name = f"{key} of {entry.id}"
    value = read_value(reader, node, ty.INT, Wanted(f"`{key}`", (entry.key.span, "it is declared here")))
    if not isinstance(node.get("by"), Scalar):  # reported by now
        return None
    model.constants[name] = Constant(name, node.span, ty.INT, value)
    model.names[name] = ("constant", name)
    return t.Name(name, at=t.At(Scalar(name, node.span), 0, len(name)))
