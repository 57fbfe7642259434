"""Say in English what an expression computes.

In:     a typed expression.
Out:    a noun phrase (``value``), or a clause that is true or not (``condition``).

Every form of the language has its words here; built-in functions have theirs in their register, and those of a pack
in the pack.
"""

from __future__ import annotations

from patolli.analysis.sentences import calls, clauses
from patolli.analysis.sentences import words as w
from patolli.analysis.sentences.words import Speech
from patolli.language import tree as t
from patolli.program import types as ty
from patolli.program.builtins import BUILTINS

SIGNS = {"+": "plus", "-": "minus", "*": "times", "div": "divided by", "mod": "modulo"}
GATHERED = {
    "count": "the number of {things}",
    "sum": "the sum of {value} over {things}",
    "min": "the smallest {value} of {things}",
    "max": "the largest {value} of {things}",
    "first": "the first of {things}",
    "lowest": "the one of {things} with the lowest {by}",
    "highest": "the one of {things} with the highest {by}",
    "sorted": "{things} in the order of {by}",
    "distinct": "the different values of {value} for {things}",
    "list": "{things}",
}


def value(expr: t.Expr, speech: Speech) -> str:
    """Say what an expression is, as a noun phrase."""
    match expr:
        case t.Number():
            return str(expr.value)
        case t.Truth():
            return "true" if expr.value else "false"
        case t.Nobody():
            return "nothing"
        case t.Name():
            return _name(expr, speech)
        case t.Attribute():
            return _attribute(expr, speech)
        case t.Index():
            return _entry(expr, speech)
        case t.Call():
            return _call(expr, speech)
        case t.Quantifier():
            return condition(expr, speech) if expr.id in ("any", "all") else _gathered(expr, speech)
        case t.Negative():
            return f"minus {value(expr.of, speech)}"
        case t.Binary():
            return _binary(expr, speech)
        case t.IfElse():
            then, other = value(expr.then, speech), value(expr.other, speech)
            return f"{then} if {condition(expr.condition, speech)}, else {other}"
        case t.Listing():
            return w.listed([value(item, speech) for item in expr.items]) or "nothing"
        case t.SpanOf():
            return f"{value(expr.low, speech)} to {value(expr.high, speech)}"
        case t.Logic() if expr.note == "default":
            return f"{value(expr.left, speech)}, or else {value(expr.right, speech)}"
    return f"whether {condition(expr, speech)}"


def _entry(expr: t.Index, speech: Speech) -> str:
    of, at = value(expr.of, speech), _counted(expr.index, speech)
    return f"number {at} of {of}" if at else f"{of} at {value(expr.index, speech)}"


def _counted(index: t.Expr, speech: Speech) -> str:
    """Say an index, which counts from 0, as people count, where that is simple."""
    if isinstance(index, t.Number):
        return str(index.value + 1)
    if isinstance(index, t.Binary) and index.op == "-" and index.right == t.Number(1, at=index.at):
        return value(index.left, speech)
    return ""


def _name(expr: t.Name, speech: Speech) -> str:
    model = speech.model
    match t.note_of(expr):
        case ("variable", name):
            return "it" if name == speech.focus else speech.called.get(name) or w.variable(name, expr.type)
        case ("seats",):
            return "the number of players"
        case ("players",):
            return "all players"
        case ("box",):
            return "the box"
        case ("instance" | "design", kind, id_):
            return w.instance(model, kind, id_)
        case ("member", id_):
            return w.counter_nouns(model, id_)[1]
        case ("kind", kind):
            return f"all {w.plural(w.words(kind))}"
        case ("group", name):
            return f"all {w.plural(w.words(name))}"
        case ("counter", id_, *_):
            return calls.counter(id_, [], speech)
        case ("place", id_, *_):
            return calls.place(id_, [], speech)
        case ("function", id_):
            return calls.function(id_, [], speech)
    return f"the {w.words(expr.id)}" if expr.id in model.constants else w.words(expr.id)


def _attribute(expr: t.Attribute, speech: Speech) -> str:
    note = t.note_of(expr)
    if note[0] == "instance":
        return w.instance(speech.model, note[1], note[2])
    if note[0] == "counter":
        return calls.counter(note[1], [value(expr.of, speech)], speech)
    if note[0] == "design_of":
        return f"the design of {value(expr.of, speech)}"
    if lone(expr.of, speech):
        return f"the {w.words(expr.name)}"
    return w.belongs(value(expr.of, speech), w.words(expr.name))


def lone(name: t.Expr, speech: Speech) -> bool:
    """Tell whether a name is the only piece of its kind, which holds what is going on."""
    note = t.note_of(name)
    if not isinstance(name, t.Name) or note[0] != "instance" or note[1] not in speech.model.kinds:
        return False
    designs = speech.model.kinds[note[1]].designs
    return len(designs) == 1 and designs[0].copies is None


def _call(expr: t.Call, speech: Speech) -> str:
    match t.note_of(expr):
        case ("counter", id_, *_):
            return calls.counter(id_, _given(expr, speech), speech)
        case ("place", id_, *_):
            return _place(id_, expr.arguments, speech)
        case ("function", id_):
            return calls.function(id_, _given(expr, speech), speech)
        case ("rule", id_):
            return f"the result of '{calls.rule(id_, _given(expr, speech), speech)}'"
    builtin = BUILTINS.get(expr.id)
    if expr.id in ("min", "max"):
        least = "smaller" if expr.id == "min" else "larger"
        return f"the {least} of {w.listed([value(one, speech) for one in expr.arguments])}"
    if builtin is None:
        return calls.plainly(expr.id, _given(expr, speech))
    if expr.id == "can" and isinstance(expr.arguments[0], t.Call):
        return f"'{calls.rule(expr.arguments[0].id, _given(expr.arguments[0], speech), speech)}' is possible"
    given = [_argument(one, builtin.parameters[-1:] == ("kind",), speech) for one in expr.arguments]
    parameters = len(builtin.parameters)
    if len(given) > parameters:  # somebody else's, with the player first
        return f"{w.filled(builtin.phrase, {str(n): one for n, one in enumerate(given[1:])})} for {given[0]}"
    return w.filled(builtin.phrase, {str(n): one for n, one in enumerate(given)})


def _given(call: t.Call, speech: Speech) -> list[str]:
    return [value(one, speech) for one in call.arguments]


def _place(id_: str, arguments: list[t.Expr], speech: Speech) -> str:
    there = speech.model.places[id_]
    width = len(there.dims)
    if there.type != "row" or len(arguments) <= width:
        return calls.place(id_, [value(one, speech) for one in arguments], speech)
    said = calls.place(id_, [value(one, speech) for one in arguments[:width]], speech)
    spot = arguments[width]
    return f"spot {_counted(spot, speech) or value(spot, speech)} of {said}"


def _argument(expr: t.Expr, of_kind: bool, speech: Speech) -> str:
    said = value(expr, speech)
    return said.removeprefix("all ") if of_kind else said


def _binary(expr: t.Binary, speech: Speech) -> str:
    product = expr.op not in ("+", "-")
    left, right = value(expr.left, speech), value(expr.right, speech)
    if isinstance(expr.left, t.IfElse) or (product and isinstance(expr.left, t.Binary) and expr.left.op in ("+", "-")):
        left = f"({left})"
    sums = isinstance(expr.right, t.Binary) and expr.right.op in ("+", "-")
    if isinstance(expr.right, t.IfElse) or sums or (product and isinstance(expr.right, t.Binary)):
        right = f"({right})"
    return f"{left} {SIGNS[expr.op]} {right}"


# ---- several things


def things(source: t.Expr, where: t.Expr | None, name: str, speech: Speech) -> str:
    """Say those of a list for which a condition holds."""
    note = t.note_of(source)
    said = value(source, speech)
    if note[0] in ("kind", "group"):
        said = w.plural(w.words(note[1]))
    elif note[0] == "place" and note[3] != "spot":
        said = f"the {w.plural(w.words(speech.model.places[note[1]].of))} in {said}"
    if where is None:
        return said
    inner = speech.with_variable(name, _item(source)).about(name)
    return said + clauses.narrowed(condition(where, inner), "are")


def each_of(binder: t.Binder, where: t.Expr | None, speech: Speech) -> str:
    """Say every thing of a list for which a condition holds."""
    note = t.note_of(binder.source)
    if note[0] not in ("kind", "group", "players"):
        return f"each of {things(binder.source, where, binder.id, speech)}"
    said = f"each {w.words(note[1]) if note[0] != 'players' else 'player'}"
    if where is None:
        return said
    return said + clauses.narrowed(condition(where, bound([binder], speech).about(binder.id)))


def one_of(binder: t.Binder, where: t.Expr | None, speech: Speech) -> str:
    """Say one thing of a list for which a condition holds."""
    note = t.note_of(binder.source)
    if isinstance(binder.source, t.SpanOf):
        said = f"a number from {value(binder.source, speech)}"
    elif note[0] in ("kind", "group"):
        said = ty.article(w.words(note[1]))
    else:
        return f"one of {things(binder.source, where, binder.id, speech)}"
    if where is None:
        return said
    inner = bound([binder], speech).about(binder.id)
    return said + clauses.narrowed(condition(where, inner))


def _item(source: t.Expr) -> ty.AnyType | None:
    return source.type.of if isinstance(source.type, ty.Seq) else None


def bound(binders: list[t.Binder], speech: Speech) -> Speech:
    """Return the same with the variables of some binders."""
    for binder in binders:
        speech = speech.with_variable(binder.id, _item(binder.source))
    return speech


def _gathered(expr: t.Quantifier, speech: Speech) -> str:
    pattern = GATHERED[expr.id]
    inner = bound(expr.binders, speech)
    if len(expr.binders) == 1:
        name = expr.binders[0].id
        said = things(expr.binders[0].source, expr.where, name, speech)
        inner = inner if expr.value is None or expr.id in ("sum", "min", "max", "list") else inner.about(name)
    else:
        said = _pairs(expr.binders, expr.where, speech)
    what = value(expr.value, inner) if expr.value is not None else ""
    if expr.id in ("distinct", "list") and expr.value is None:
        pattern = "the different ones of {things}" if expr.id == "distinct" else pattern
    elif expr.id == "list":
        pattern = "{value} for {things}"
    elif expr.id == "count" and expr.value is not None:
        pattern = "the number of {value} for {things}"
    what = what if expr.id == "sum" else what.removeprefix("the ")
    by = value(expr.by, inner.about(expr.binders[0].id)) if expr.by is not None else "number"
    said = said.removeprefix("the ") if pattern.startswith("the number") else said
    return w.filled(pattern, {"things": said, "value": what, "by": by.removeprefix("its ")})


def _pairs(binders: list[t.Binder], where: t.Expr | None, speech: Speech) -> str:
    parts = []
    for binder in binders:
        parts.append(f"{things(binder.source, None, binder.id, speech)}")
        speech = bound([binder], speech)
    said = f"all pairs of {w.listed(parts)}"
    return said if where is None else f"{said} where {condition(where, speech)}"


# ---- conditions


def condition(expr: t.Expr, speech: Speech) -> str:
    """Say when an expression is true, as a clause."""
    match expr:
        case t.Truth():
            return "always" if expr.value else "never"
        case t.Not():
            return negated(expr.of, speech)
        case t.Logic():
            return f" {expr.op} ".join(_part(one, expr.op, speech) for one in _flat(expr, expr.op))
        case t.Compare():
            return _compared(expr, speech)
        case t.Quantifier() if expr.id in ("any", "all"):
            return _each(expr, speech)
        case t.IfElse():
            return value(expr, speech)
    said = value(expr, speech)
    if isinstance(expr.type, ty.Seq):
        return f"there is anything in {said}"
    if isinstance(expr.type, ty.Maybe):
        return clauses.there(said)
    if isinstance(expr, t.Attribute) and expr.type == ty.BOOL:
        attribute = speech.model.kinds[t.note_of(expr)[1]].fields.get(expr.name)
        if attribute is not None and attribute.text and lone(expr.of, speech):
            return w.small(attribute.text.rstrip("."))
        return (
            f"'{w.words(expr.name)}' holds"
            if lone(expr.of, speech)
            else f"{value(expr.of, speech)} is {w.words(expr.name)}"
        )
    return said


def negated(expr: t.Expr, speech: Speech) -> str:
    """Say when an expression is not true."""
    if isinstance(expr, t.Not):
        return condition(expr.of, speech)
    if isinstance(expr, t.Compare) and len(expr.rest) == 1:
        (op, other) = expr.rest[0]
        return condition(t.Compare(expr.first, [(clauses.OPPOSITE[op], other)], at=expr.at), speech)
    if isinstance(expr.type, ty.Maybe) and not isinstance(expr, t.Logic):
        return clauses.there(value(expr, speech), True)
    said = condition(expr, speech)
    return clauses.doubted(said) if isinstance(expr, t.Logic) else clauses.opposite(said)


def _flat(expr: t.Expr, op: str) -> list[t.Expr]:
    if isinstance(expr, t.Logic) and expr.op == op and expr.note != "default":
        return [*_flat(expr.left, op), *_flat(expr.right, op)]
    return [expr]


def _part(expr: t.Expr, op: str, speech: Speech) -> str:
    said = condition(expr, speech)
    return f"({said})" if isinstance(expr, t.Logic) and expr.op != op else said


def _compared(expr: t.Compare, speech: Speech) -> str:
    if len(expr.rest) == 2 and all(op in ("<", "<=") for op, _ in expr.rest):
        (first, middle), (last, high) = expr.rest
        low = value(expr.first, speech)
        over = "is at least" if first == "<=" else "is more than"
        under = clauses.COMPARED[last].removeprefix("is ")
        return f"{value(middle, speech)} {over} {low} and {under} {value(high, speech)}"
    left = value(expr.first, speech)
    parts = []
    before = expr.first
    for op, other in expr.rest:
        parts.append(_pair(before, left, op, other, speech))
        before, left = other, value(other, speech)
    return " and ".join(parts)


def _pair(first: t.Expr, left: str, op: str, other: t.Expr, speech: Speech) -> str:
    if isinstance(other, t.Nobody):
        return clauses.there(left, op == "==")
    place_ = t.note_of(other)[0] == "place" and op in ("in", "not in")
    if op == ">" and other == t.Number(0, at=other.at) and isinstance(first, t.Call) and first.id == "size":
        return f"there is anything in {value(first.arguments[0], speech)}"
    if left == "you" and op in ("==", "!="):
        return f"you are {'not ' if op == '!=' else ''}{value(other, speech)}"
    if isinstance(other, t.SpanOf) and op in ("in", "not in"):
        return f"{left} is {'not ' if op == 'not in' else ''}from {value(other, speech)}"
    if isinstance(other, t.Listing) and op in ("in", "not in"):
        named = w.listed([value(item, speech) for item in other.items], "or")
        return f"{left} {clauses.agreeing('is', left)} {'not ' if op == 'not in' else ''}{named}"
    said = {"in": "is among", "not in": "is not among"}[op] if place_ else clauses.COMPARED[op]
    return f"{left} {clauses.agreeing(said, left)} {value(other, speech)}"


def _each(expr: t.Quantifier, speech: Speech) -> str:
    inner = bound(expr.binders, speech)
    if expr.id == "any":
        where = expr.where if expr.where is not None else expr.value
        if len(expr.binders) == 1:
            return f"there is {one_of(expr.binders[0], where, speech)}"
        return f"there is one of {_pairs(expr.binders, where, speech)}"
    holds = condition(expr.value, inner) if expr.value is not None else "it is there"
    parts = []
    for binder in expr.binders:
        where = expr.where if binder is expr.binders[-1] else None
        parts.append(each_of(binder, where, speech))
    return f"for {w.listed(parts)}, {holds}"
