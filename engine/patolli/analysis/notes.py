"""Write into the syntax tree what its nodes were resolved to, for the passes that still read it there."""

from __future__ import annotations

from patolli.analysis.model import Model
from patolli.language import tree as t
from patolli.program import expressions as x


def note(model: Model, expr: t.Expr, found: x.Expr) -> None:
    """Note at an expression what it was found to be, and its type."""
    expr.type = found.type
    noted = _note(model, expr, found)
    if noted is not None:
        expr.note = noted


def _note(model: Model, expr: t.Expr, found: x.Expr) -> object:
    name = expr.id if isinstance(expr, t.Name | t.Call) else ""
    given = expr.arguments if isinstance(expr, t.Call) else []
    if name == "seats" and isinstance(found, x.Seats):
        return ("seats",)
    if name == "players" and isinstance(found, x.Instances):
        return ("players",)
    if isinstance(expr, t.Call) and isinstance(found, x.Whole | x.Quantifier):
        return ("whole", name)
    if isinstance(expr, t.Call) and isinstance(found, x.BuiltinCall | x.Payable | x.Have):
        return ("builtin", name)
    if (name, type(found)) in (("can", x.Can), ("have", x.CounterAt)):
        return ("builtin", name)
    match found:
        case x.Local() | x.CopyNumber():
            return ("variable", name)
        case x.Instance(kind=kind, id=id_):
            return ("instance", kind, id_)
        case x.Instances(kind=kind):
            return ("kind", kind)
        case x.DesignNamed(kind=kind, id=id_):
            return ("design", kind, id_)
        case x.OptionValue(option=id_):
            return ("option", id_)
        case x.Choice(choice=id_):
            return ("choice", id_)
        case x.ConstantNamed(name=id_):
            return ("constant", id_)
        case x.GroupNamed(group=id_):
            return ("group", id_)
        case x.CounterNamed(counter=id_):
            return ("member", id_)
        case x.CounterAt(counter=id_) if isinstance(expr, t.Attribute):
            return ("counter", id_)
        case x.CounterAt(counter=id_):
            return ("counter", id_, _implied(model.counters[id_].dims, len(given)))
        case x.RowSpot(place=id_):
            return ("place", id_, _implied((*model.places[id_].dims, "#"), len(given)), "spot")
        case x.Held(place=id_):
            return ("place", id_, _implied(model.places[id_].dims, len(given)), model.places[id_].type)
        case x.FunctionCall(function=id_):
            return ("function", id_)
        case x.Can(rule=id_):
            return ("rule", id_)
        case x.DesignOf(kind=kind):
            return ("design_of", kind)
        case x.FieldOf(kind=kind, field=id_):
            return ("field", kind, id_)
        case x.FactOf(kind=kind, fact=id_):
            return ("fact", kind, id_)
        case x.Default():
            return "default"
    return None


def _implied(dims: tuple[str, ...], given: int) -> bool:
    return given == len(dims) - 1 and bool(dims) and dims[0] == "player"
