"""The nodes of effects: what changes the state or asks a player."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from patolli.language.expressions import Binder, Call, Expr
from patolli.language.node import Node


@dataclass(slots=True, kw_only=True)
class Effect(Node):
    """A change or a question."""


Block = list[Effect]


@dataclass(slots=True)
class Item(Node):
    """One part of a cost or gain.

    ``mix`` names a group for ``2 any resource``; ``thing`` a counter or a variable of a group; with neither, ``amount``
    is an expression of type cost.
    """

    amount: Expr
    thing: str | None = None
    arguments: list[Expr] = field(default_factory=list)
    mix: bool = False


@dataclass(slots=True)
class Cost(Node):
    """A cost as it stands in a fact."""

    items: list[Item]


@dataclass(slots=True)
class Gain(Effect):
    """``gain``; ``lose`` when ``less``."""

    items: list[Item]
    who: Expr | None
    less: bool


@dataclass(slots=True)
class Pay(Effect):
    """``pay``; ``tag`` is what discounts and waivers name."""

    items: list[Item]
    tag: str | None


@dataclass(slots=True)
class SetTo(Effect):
    """``set target to value``."""

    target: Expr
    value: Expr


@dataclass(slots=True)
class Move(Effect):
    """``move what to place``."""

    what: Expr
    to: Expr
    bottom: bool


@dataclass(slots=True)
class Swap(Effect):
    """``swap a with b``."""

    first: Expr
    second: Expr


@dataclass(slots=True)
class Shuffle(Effect):
    """``shuffle place``."""

    place: Expr


@dataclass(slots=True)
class Draw(Effect):
    """``draw n from place to place``."""

    amount: Expr
    source: Expr
    to: Expr


@dataclass(slots=True)
class Refill(Effect):
    """``refill row from place``."""

    row: Expr
    source: Expr


@dataclass(slots=True)
class Slide(Effect):
    """``slide row``."""

    row: Expr


@dataclass(slots=True)
class Random(Effect):
    """``random x in S``."""

    id: str
    source: Expr


@dataclass(slots=True)
class Let(Effect):
    """``let x = E``."""

    id: str
    value: Expr


@dataclass(slots=True)
class CallRule(Effect):
    """``rule(a, b)``."""

    call: Call


@dataclass(slots=True)
class Do(Effect):
    """``do x.effect``."""

    value: Expr


@dataclass(slots=True)
class Return(Effect):
    """``return E``; ``stop`` without a value, under a condition when there is one."""

    value: Expr | None
    condition: Expr | None = None
    negated: bool = False


@dataclass(slots=True)
class Break(Effect):
    """``break``."""


@dataclass(slots=True)
class EndMatch(Effect):
    """``end match``."""


@dataclass(slots=True)
class PassTo(Effect):
    """``pass to p``."""

    who: Expr


@dataclass(slots=True)
class Require(Effect):
    """``require c``."""

    condition: Expr


@dataclass(slots=True)
class Pause(Effect):
    """``pause "label"``."""

    label: str


@dataclass(slots=True)
class Say(Effect):
    """``say "text" a, b``: told to people, without any effect."""

    text: str
    values: list[Expr]


@dataclass(slots=True)
class Nothing(Effect):
    """``nothing``."""


@dataclass(slots=True)
class Mark(Effect):
    """A point that notes when it is reached; only measuring puts it into a tree, no text stands for it."""

    reached: Any


@dataclass(slots=True)
class If(Effect):
    """``if``; ``elif`` is an ``if`` inside ``other``."""

    condition: Expr
    then: Block
    other: Block


@dataclass(slots=True)
class For(Effect):
    """``for x in S where P``; the prompt is that of ``in any order``."""

    binders: list[Binder]
    where: Expr | None
    any_order: bool
    prompt: str | None
    body: Block


@dataclass(slots=True)
class Repeat(Effect):
    """``repeat n times``."""

    times: Expr
    body: Block


@dataclass(slots=True)
class Loop(Effect):
    """``loop``."""

    body: Block


@dataclass(slots=True)
class As(Effect):
    """``as p``."""

    who: Expr
    body: Block


@dataclass(slots=True)
class Choose(Effect):
    """``choose x in S where P``; ``decline`` is the label of the way out, ``otherwise`` None where none is written."""

    binders: list[Binder]
    where: Expr | None
    decline: str | None
    prompt: str | None
    otherwise: Block | None


@dataclass(slots=True)
class Option(Node):
    """One line of a menu; with binders it stands for one option per value."""

    label: str | None
    condition: Expr | None
    binders: list[Binder]
    body: Block


@dataclass(slots=True)
class Menu(Effect):
    """``choose one``; ``may`` is a menu of its effect and ``no``."""

    prompt: str | None
    options: list[Option]
    otherwise: Block | None
    may: bool = False


@dataclass(slots=True)
class UpTo(Effect):
    """``up to n times``."""

    times: Expr
    label: str | None
    body: Block


@dataclass(slots=True)
class Simultaneously(Effect):
    """``simultaneously for p in S``."""

    binder: Binder
    body: Block


AnyEffect = (
    Gain | Pay | SetTo | Move | Swap | Shuffle | Draw | Refill | Slide | Random | Let | CallRule | Do | Return | Break
    | EndMatch | PassTo | Require | Pause | Say | Nothing | Mark | If | For | Repeat | Loop | As | Choose | Menu | UpTo
    | Simultaneously
)  # fmt: skip
"""All kinds of effects."""


def any_effect(effect: Effect) -> AnyEffect:
    """Return an effect as one of all kinds that there are, so that a match over them can be seen to be complete."""
    return cast(AnyEffect, effect)
