"""Find out what fits at the cursor: places behind ``move x to``, counters behind ``gain 2``, members of an enum.

In:     a model and the text before the cursor, which need make no sense as a whole.
Out:    :class:`Wanted`, which says of a thing whether it fits; None where nothing is known.

What is wanted is found by the form of what stands before, as ``scopes`` finds variables; only completion depends on it,
and it decides about the order of offers, never about which there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.resolve.model import Model
from patolli.serve.lsp import scopes
from patolli.serve.lsp.spot import Spot

CHAIN = r"[a-z_]\w*(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|\.[a-z_]\w*)*"
"""A name with what is called of it, looked up in it, or asked of it."""
_HERE = r"(?:[a-z_]\w*)?$"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("counter", re.compile(rf"\b(?:gain|lose|pay)\s+(?:.*\band\s+)?(?:any\s+|[\w()]+\s+(?:any\s+)?){_HERE}")),
    ("place", re.compile(rf"\b(?:move|draw|random)\b[^;\n]*\bto\s+(?:top\s+of\s+|bottom\s+of\s+)?{_HERE}")),
    ("place", re.compile(rf"\b(?:shuffle|refill|from|top\s+of|bottom\s+of)\s+{_HERE}")),
    ("set", re.compile(rf"\bset\s+(?P<left>{CHAIN})\s+to\s+{_HERE}")),
    ("changed", re.compile(rf"\bset\s+{_HERE}")),
    ("moved", re.compile(rf"\b(?:move|swap)\s+{_HERE}")),
    ("same", re.compile(rf"(?P<left>{CHAIN})\s*(?:==|!=|<=|>=|<|>)\s*{_HERE}")),
    ("list", re.compile(rf"\bin\s+{_HERE}")),
    ("truth", re.compile(rf"\b(?:where|if|elif|when|unless|and|or|not)\s+{_HERE}")),
)
"""How what stands before the cursor can end, the most specific first, and what that asks for."""
_CALL = re.compile(r"([a-z_]\w*)$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What fits: things of some ``sorts``, and values of a ``type``; with ``listed`` all that can be gone through."""

    sorts: frozenset[str] = frozenset()
    type: ty.AnyType | None = None
    listed: bool = False

    def fits(self, sort: str, type_: ty.AnyType | None) -> bool:
        """Return whether a thing of a sort and type fits, as far as is known."""
        if self.sorts:
            return sort in self.sorts
        if type_ is None or type_ == ty.ANY:
            return False
        if self.listed:
            return isinstance(type_, ty.Seq)
        return self.type is not None and ty.strip(type_) not in (ty.NONE, ty.ANY) and ty.fits(type_, self.type)


def wanted_at(model: Model, spot: Spot, before: str) -> Wanted | None:
    """Return what fits behind a text, which is all of the spot or the part before a name with a dot."""
    call = _argument(model, spot, before)
    if call is not None:
        return call
    line = before.rpartition("\n")[2].rpartition(";")[2]
    for sort, form in _FORMS:
        found = form.search(line)
        if found is None:
            continue
        match sort:
            case "counter":
                return Wanted(frozenset(("counter", "group")))
            case "place":
                return Wanted(frozenset(("place",)))
            case "changed":
                return Wanted(frozenset(("counter", "variable", "fact")))
            case "moved":
                return Wanted(frozenset(("variable", "piece", "place")))
            case "list":
                return Wanted(listed=True)
            case "truth":
                return Wanted(type=ty.BOOL)
            case _:
                type_ = scopes.type_of(model, spot, found["left"])
                return Wanted(type=type_.of if isinstance(type_, ty.Maybe) else type_) if type_ is not None else None
    return None


def _argument(model: Model, spot: Spot, before: str) -> Wanted | None:
    """Return what the argument of a call is, where the cursor stands at the beginning of one."""
    name, number = call_at(before)
    types = _parameters(model, name) if name else []
    return Wanted(type=types[number]) if number < len(types) and types[number] is not None else None


def call_at(before: str) -> tuple[str, int]:
    """Return what is called where the cursor begins an argument, and which one it is; without a name there is none."""
    depth, at, number = 0, len(before), 0
    if not re.search(r"[(,]\s*(?:[a-z_]\w*)?$", before):
        return "", 0
    while at > 0:
        at -= 1
        letter = before[at]
        depth += (letter in ")]}") - (letter in "([{")
        if depth < 0:
            break
        number += letter == "," and depth == 0
    called = _CALL.search(before[:at]) if depth < 0 and before[at] == "(" else None
    return (called[1], number) if called else ("", 0)


def related_at(before: str) -> bool:
    """Return whether the cursor begins the name of a relation."""
    name, number = call_at(before)
    taken = BUILTINS[name].parameters if name in BUILTINS else ()
    return number < len(taken) and taken[number] == "relation"


def _parameters(model: Model, name: str) -> list[ty.AnyType | None]:
    """Return the types of what a rule, function, counter, place or built-in function takes; None is unknown."""
    if name in model.rules or name in model.functions:
        thing = model.rules.get(name) or model.functions[name]
        return [type_ for _, type_ in thing.parameters]
    indexed = model.counters.get(name) or model.places.get(name)
    if indexed is not None:
        return [ty.Ref(kind) for kind in indexed.dims]
    known: dict[str, ty.AnyType] = {"int": ty.INT, "bool": ty.BOOL, "player": ty.Ref("player")}
    return [known.get(one) for one in BUILTINS[name].parameters] if name in BUILTINS else []


def type_of_name(model: Model, sort: str, name: str) -> ty.AnyType | None:
    """Return the type of what an id stands for in an expression, its arguments given; None where it has none."""
    match sort:
        case "counter" | "option" if name in model.counters or (
            name in model.options and not model.options[name].choices
        ):
            return ty.INT
        case "function" if name in model.functions:
            return model.functions[name].type
        case "constant" if name in model.constants:
            return model.constants[name].type
        case "place" if name in model.places:
            place = model.places[name]
            held = ty.Ref(place.of)
            return ty.Maybe(held) if place.type == "spot" else ty.Seq(held)
        case "member" | "piece" if name in model.names:
            return ty.Ref(model.names[name][1])
        case "kind" if name in model.kinds:
            return ty.Seq(ty.Ref(name))
        case "choice" if name in model.names:
            return ty.Choice(model.names[name][1])
        case "builtin" if name in ("players", "seats"):
            return ty.INT if name == "seats" else ty.Seq(ty.Ref("player"))
        case "builtin" if name in BUILTINS:
            try:
                return BUILTINS[name].result([ty.ANY] * max(1, len(BUILTINS[name].parameters)))
            except (AttributeError, IndexError):
                return None
    return None
