"""Make functions of the facts that are formulas: ``points: {type: formula}``.

In:     a model whose pieces are declared.
Out:    a function ``card.points`` for all pieces of the kind, which asks for the design of ``it``, and a function
        ``card.points.farm`` for each piece that says more than a number. Reading ``c.points`` calls the first one.

Later stages know functions only: a formula reads what a function reads, is tabled, covered and proved as one.
"""

from __future__ import annotations

from patolli.language.program import types as ty
from patolli.language.resolve.model import Attribute, Design, Function, Kind, Model
from patolli.language.syntax import tree as t


def formula_name(kind: str, fact: str, piece: str = "") -> str:
    """Return the name of the function that a formula is for one piece, or for all of a kind."""
    return f"{kind}.{fact}.{piece}" if piece else f"{kind}.{fact}"


def declare_formulas(model: Model) -> None:
    """Declare the functions of all formulas."""
    for kind in model.kinds.values():
        for fact in kind.formulas.values():
            _declare_formula(model, kind, fact)


def _declare_formula(model: Model, kind: Kind, fact: Attribute) -> None:
    at = t.At(t.FixedText(fact.span), 0, 1)
    default: t.Expr = fact.default if fact.default is not None else t.Number(0, at=at)
    rows: dict[
        int | str, tuple[list[str], t.Expr]
    ] = {}  # the designs that have the same number, or one with a function
    for design in kind.designs:
        value = design.formulas.get(fact.name, default)
        key = value.value if isinstance(value, t.Number) else "" if value is default else design.id
        if isinstance(key, str) and key:
            value = _declare_own(model, kind, fact, design, value)
        rows.setdefault(key, ([], value))[0].append(design.id)
    _declare(model, formula_name(kind.name, fact.name), kind, fact, _choose([*rows.values()] or [([], default)], at))


def _declare_own(model: Model, kind: Kind, fact: Attribute, design: Design, value: t.Expr) -> t.Expr:
    """Declare the formula of one piece, and return a call of it."""
    name = formula_name(kind.name, fact.name, design.id)
    _declare(model, name, kind, fact, value)
    at = t.At(t.FixedText(value.span), 0, 1)
    return t.Call(name, [t.Name("it", at=at)], at=at)


def _declare(model: Model, name: str, kind: Kind, fact: Attribute, body: t.Expr) -> None:
    model.functions[name] = Function(
        name, body.span, [("it", ty.Ref(kind.name))], body, declared=ty.INT, text=fact.text
    )


def _choose(rows: list[tuple[list[str], t.Expr]], at: t.At) -> t.Expr:
    """Write what chooses among values by the design of ``it``; halves, so that many designs nest only a few times."""
    if len(rows) == 1:
        return rows[0][1]
    half = len(rows) // 2
    first: list[t.Expr] = [t.Name(id_, at=at) for ids, _ in rows[:half] for id_ in ids]
    design = t.Attribute(t.Name("it", at=at), "design", at=at)
    test = t.Compare(design, [("==", first[0]) if len(first) == 1 else ("in", t.Listing(first, at=at))], at=at)
    return t.IfElse(test, _choose(rows[:half], at), _choose(rows[half:], at), at=at)
