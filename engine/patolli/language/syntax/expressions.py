"""The nodes of expressions: what computes and never changes anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from patolli.language.syntax.node import Node


@dataclass(slots=True, kw_only=True)
class Expr(Node):
    """A computation."""


@dataclass(slots=True)
class Number(Expr):
    """A whole number."""

    value: int


@dataclass(slots=True)
class Truth(Expr):
    """``true`` or ``false``."""

    value: bool


@dataclass(slots=True)
class NoValue(Expr):
    """``none``."""


@dataclass(slots=True)
class Name(Expr):
    """A variable or a declared id."""

    id: str


@dataclass(slots=True)
class Attribute(Expr):
    """``x.name``."""

    of: Expr
    name: str


@dataclass(slots=True)
class Index(Expr):
    """``xs[i]``, counted from 0."""

    of: Expr
    index: Expr


@dataclass(slots=True)
class Call(Expr):
    """``f(a, b)``: a function, a rule, a counter or a place."""

    id: str
    arguments: list[Expr]


@dataclass(slots=True)
class Binder(Node):
    """``x in S``."""

    id: str
    source: Expr


@dataclass(slots=True)
class Quantifier(Expr):
    """``count(x in S where P)`` and its relatives; ``id`` is ``list`` for ``[x in S]``.

    ``value`` is what is collected; None stands for the variable itself.
    """

    id: str
    value: Expr | None
    binders: list[Binder]
    where: Expr | None
    by: Expr | None


@dataclass(slots=True)
class Binary(Expr):
    """``+ - * div mod`` on numbers."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Negative(Expr):
    """``-x``."""

    of: Expr


@dataclass(slots=True)
class Compare(Expr):
    """A chain of comparisons, each pair in order."""

    first: Expr
    rest: list[tuple[str, Expr]]


@dataclass(slots=True)
class Not(Expr):
    """``not x``."""

    of: Expr


@dataclass(slots=True)
class Logic(Expr):
    """``and`` and ``or``; ``or`` also gives the second value where the first is none."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class IfElse(Expr):
    """``a if c else b``."""

    condition: Expr
    then: Expr
    other: Expr


@dataclass(slots=True)
class Listing(Expr):
    """``[a, b]``, or ``{a, b}``."""

    items: list[Expr]
    square: bool = field(default=False, compare=False)


@dataclass(slots=True)
class SpanOf(Expr):
    """``low..high``, both included."""

    low: Expr
    high: Expr


@dataclass(slots=True)
class Given(Node):
    """``let x = E`` before an expression."""

    id: str
    value: Expr


@dataclass(slots=True)
class Promise(Node):
    """``expect c "reason"`` before an expression."""

    condition: Expr
    reason: str | None


@dataclass(slots=True)
class Naming(Expr):
    """An expression with lines before it that name values, or promise something; it is the whole of its text."""

    given: list[Given | Promise]
    value: Expr


AnyExpr = (
    Number | Truth | NoValue | Name | Attribute | Index | Call | Quantifier | Binary | Negative | Compare | Not | Logic
    | IfElse | Listing | SpanOf | Naming
)  # fmt: skip
"""All kinds of expressions."""


def any_expr(expr: Expr) -> AnyExpr:
    """Return an expression as one of all kinds that there are, so that a match over them can be seen to be complete."""
    return cast(AnyExpr, expr)
