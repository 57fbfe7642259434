"""What was meant where things are looked up as in other languages: what to write here, in the words of the pack.

In:     what stands in the text, and what its parts were found to be.
Out:    a way to write it, or None where nothing is known. What needs no types is in ``language.slips``.
"""

from __future__ import annotations

from typing import NamedTuple

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.resolve.model import Model
from patolli.language.resolve.scopes import PLAYER
from patolli.language.syntax import tree as t
from patolli.language.syntax.inline_printer import NOT, spell

SIZES = frozenset("size count length len number amount total".split())
EMPTY = frozenset("empty is_empty isempty".split())
OF_LISTS = frozenset("first sum min max reverse".split())
"""What stands behind a list elsewhere, and is a call here."""
SEVERAL = {
    **dict.fromkeys(("others", "opponents", "other_players"), "others(me)"),
    **dict.fromkeys(("all", "everyone", "everybody", "all_players"), "players"),
}
"""Names of several players, and what is called so here."""


class Meant(NamedTuple):
    """What to say, and what can be written instead of the whole."""

    help: str
    text: str | None = None


def _suggest_text(text: str) -> Meant:
    return Meant(f"write '{text}'", text)


def behind_a_point(model: Model, expr: t.Attribute, of: x.Expr) -> Meant | None:
    """Look at ``hand.size`` and ``me.hand``: what stands behind a point is a call of the thing before it."""
    name, before = expr.name, spell(expr.of)
    if isinstance(of.type, ty.Seq):
        kind = model.kinds.get(of.type.of.kind) if isinstance(of.type.of, ty.Ref) else None
        if kind is not None and name in kind.attributes:
            return None  # that of its items is meant
        if name in EMPTY:
            return without(expr.of)
        call = "size" if name in SIZES else name if name in OF_LISTS else ""
        return _suggest_text(f"{call}({before})") if call else None
    if not isinstance(of.type, ty.Ref):
        return None
    dims = _takes(model, name)
    if dims == () and of.type == PLAYER:
        return Meant(f"{name!r} is the same for everybody: write {name!r}", name)
    if dims == (of.type.kind,):
        return _suggest_text(f"{name}({before})")
    if dims and dims[0] == of.type.kind:
        return Meant(f"write {name}({', '.join((before, *dims[1:]))})")
    return None


def by_index(model: Model, expr: t.Index, index: x.Expr) -> Meant | None:
    """Look at ``coin[me]``: what there is of each has it in round brackets."""
    of = expr.of
    dims = _takes(model, of.id) if isinstance(of, t.Name) else None
    if not isinstance(of, t.Name) or not dims or not isinstance(index.type, ty.Ref) or dims[0] != index.type.kind:
        return None
    inside = spell(expr.index)
    return (
        _suggest_text(f"{of.id}({inside})")
        if len(dims) == 1
        else Meant(f"write {of.id}({', '.join((inside, *dims[1:]))})")
    )


def recognize_call(expr: t.Call, given: tuple[x.Expr, ...]) -> Meant | None:
    """Look at ``empty(deck)``."""
    if expr.id in EMPTY and len(given) == 1 and isinstance(given[0].type, ty.Seq | ty.Maybe):
        return without(expr.arguments[0])
    return None


def recognize_comparison(expr: t.Compare, left: x.Expr) -> Meant | None:
    """Look at ``deck == empty``: a list stands for whether there is anything in it."""
    if len(expr.rest) != 1 or not isinstance(left.type, ty.Seq):
        return None
    ((op, right),) = expr.rest
    if not isinstance(right, t.Name) or right.id not in EMPTY or op not in ("==", "!="):
        return None
    return without(expr.first) if op == "==" else _suggest_text(spell(expr.first))


def without(of: t.Expr) -> Meant:
    """Say how it is asked whether there is nothing."""
    return _suggest_text(f"not {spell(of, NOT)}")


def all_of(item: t.Item, verb: str, of_another: bool) -> str:
    """Say how all of something is lost or paid; nothing where that is not what is written."""
    if not isinstance(item.amount, t.Name) or item.amount.id not in ("all", "everything") or not item.thing or item.mix:
        return ""
    thing = item.thing + (f"({', '.join(map(spell, item.arguments))})" if item.arguments else "")
    if verb == "lose":
        return f"write 'set {thing}{'(..)' if of_another and not item.arguments else ''} to 0'"
    return f"the amount comes first: 'pay {thing} {thing}' pays all of it" if verb == "pay" else ""


def for_each(who: t.Expr, verb: str, items: list[t.Item]) -> str:
    """Say how several players gain or lose something."""
    parts = [(spell(item.amount), "any " if item.mix else "", item.thing) for item in items if item.thing]
    amounts = " and ".join(f"{amount} {mix}{thing}" for amount, mix, thing in parts)
    group = SEVERAL.get(who.id, who.id) if isinstance(who, t.Name) else spell(who)
    return f"one after the other: 'for p in {group}: {verb} {amounts} for p'" if amounts else ""


def _takes(model: Model, name: str) -> tuple[str, ...] | None:
    """Return of what kinds there is one of a thing each, or what a function takes; None where it is none of these."""
    if name in model.counters:
        return model.counters[name].dims
    if name in model.places:
        return model.places[name].dims
    function = model.functions.get(name)
    if function is None or "'" in name:
        return None
    kinds = [type_.kind if isinstance(type_, ty.Ref) else "" for _, type_ in function.parameters]
    return tuple(kinds) if all(kinds) else None
