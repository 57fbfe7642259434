"""Check what attributes say about who sees them.

Errors: P0205 a fact, or what has no owner, that only some may see, a field that is a list or none; P0201 and P0205 what
        cannot open a field.
"""

from __future__ import annotations

from patolli.language.program import types as ty
from patolli.language.program.model import TABLE
from patolli.language.resolve.model import Attribute, Kind
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar


def check_all_hidden(reader: Reader, kind: Kind, node: Node | None, mutable: bool) -> None:
    """Report what is wrong with ``visible`` and ``unless`` in the facts, or the fields, of a kind."""
    for key, value in node.items.values() if isinstance(node, Mapping) else ():
        attribute = (kind.fields if mutable else kind.facts).get(key.value)
        if attribute is not None:
            check_hidden(reader, kind, attribute, value, mutable)


def check_hidden(reader: Reader, kind: Kind, attribute: Attribute, node: Node, mutable: bool) -> None:
    """Report what is wrong with ``visible`` and ``unless`` in one fact or field, and a list that may be none."""
    if mutable and isinstance(attribute.type, ty.Maybe) and isinstance(attribute.type.of, ty.Seq):
        message = f"the list {attribute.name!r} may be empty, but is never none"
        reader.problem("P0205", message, attribute.span, "remove 'or none', and test 'size(..) > 0'")
        attribute.type = attribute.type.of
    if isinstance(node, Mapping):
        _visible(reader, kind, attribute, node.get("visible"), mutable)
        _unless(reader, kind, attribute, node.get("unless"))


def _visible(reader: Reader, kind: Kind, attribute: Attribute, node: Node | None, mutable: bool) -> None:
    if not isinstance(node, Scalar) or node.value == "all":
        return
    if not mutable:
        message = f"{attribute.name!r} is a fact: a player who knows which piece it is knows it"
        reader.problem("P0205", message, node.span, "make it a field, or let the piece lie where it is hidden")
    elif node.value == "owner" and not kind.per_player and kind.name != "player":
        help_ = "add 'per: player' to the kind, or write 'none' for what no player sees"
        help_ = "write 'none' for what no player sees" if kind.name == TABLE else help_
        whose = "the table" if kind.name == TABLE else f"a {kind.name!r}"
        reader.problem("P0205", f"{whose} has no owner who could see {attribute.name!r}", node.span, help_)


def _unless(reader: Reader, kind: Kind, attribute: Attribute, node: Node | None) -> None:
    """Report a field that should open another one and cannot."""
    if not isinstance(node, Scalar):
        return
    opener = kind.fields.get(node.value)
    truths = [field.name for field in kind.fields.values() if field.type == ty.BOOL and field.visible == "all"]
    if opener is None:
        reader.unknown("field", node, node.value, truths)
    elif opener.name not in truths:
        message = f"{opener.name!r} cannot open another field: all must see it, and it must be true or false"
        reader.problem("P0205", message, node.span, "", (opener.span, "declared here"))
    elif attribute.visible == "all":
        reader.problem("P0205", f"everybody sees {attribute.name!r} in any case", node.span, "add 'visible: none'")
    if opener is None or opener.name not in truths:
        attribute.unless = ""
