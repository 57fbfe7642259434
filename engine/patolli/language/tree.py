"""The syntax tree: the nodes of effects, and beside them those of expressions.

Nodes are plain data. Each knows where it stands (``at``), which equality ignores. A statement that has one form says it
here; what a node means is told by those of the program that it is resolved to.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from patolli.diagnostics.records import dataclass
from patolli.language.expressions import (
    AnyExpr,
    Attribute,
    Binary,
    Binder,
    Call,
    Compare,
    Expr,
    Given,
    IfElse,
    Index,
    Listing,
    Logic,
    Name,
    Naming,
    Negative,
    Nobody,
    Not,
    Number,
    Quantifier,
    SpanOf,
    Truth,
    any_expr,
)
from patolli.language.forms import statement
from patolli.language.node import At, FixedText, Node, Text

__all__ = [  # what comes from elsewhere; the nodes of effects stand below
    "AnyExpr", "At", "Attribute", "Binary", "Binder", "Call", "Compare", "Expr", "FixedText", "Given", "IfElse",
    "Index", "Listing", "Logic", "Name", "Naming", "Negative", "Nobody", "Node", "Not", "Number", "Quantifier",
    "SpanOf", "Text", "Truth", "any_expr",
]  # fmt: skip


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


@statement("pay {items:items} [as {tag:NAME}]")
class Pay(Effect):
    """``pay``; ``tag`` is what discounts and waivers name."""

    items: list[Item]
    tag: str | None


@statement("set {target:postfix} to {value:expr}")
class SetTo(Effect):
    """``set target to value``."""

    target: Expr
    value: Expr


@statement("move {what:expr_in} to {to:postfix} [bottom]")
class Move(Effect):
    """``move what to place``."""

    what: Expr
    to: Expr
    bottom: bool


@statement("swap {first:expr_in} with {second:expr_in}")
class Swap(Effect):
    """``swap a with b``."""

    first: Expr
    second: Expr


@statement("shuffle {place:postfix}")
class Shuffle(Effect):
    """``shuffle place``."""

    place: Expr


@statement("draw {amount:sum} from {source:postfix} to {to:postfix}")
class Draw(Effect):
    """``draw n from place to place``."""

    amount: Expr
    source: Expr
    to: Expr


@statement("refill {row:postfix} from {source:postfix}")
class Refill(Effect):
    """``refill row from place``."""

    row: Expr
    source: Expr


@statement("slide {row:postfix}")
class Slide(Effect):
    """``slide row``."""

    row: Expr


@statement("random {id:NAME} in {source:range}")
class Random(Effect):
    """``random x in S``."""

    id: str
    source: Expr


@statement("let {id:NAME} = {value:expr}")
class Let(Effect):
    """``let x = E``."""

    id: str
    value: Expr


@dataclass(slots=True)
class CallRule(Effect):
    """``rule(a, b)``."""

    call: Call


@statement("do {value:postfix}")
class Do(Effect):
    """``do x.effect``."""

    value: Expr


@dataclass(slots=True)
class Return(Effect):
    """``return E``; ``stop`` without a value, under a condition when there is one."""

    value: Expr | None
    condition: Expr | None = None
    negated: bool = False


@statement("break")
class Break(Effect):
    """``break``."""


@statement("end match")
class EndMatch(Effect):
    """``end match``."""


@statement("pass to {who:expr}")
class PassTo(Effect):
    """``pass to p``."""

    who: Expr


@statement("require {condition:expr}")
class Require(Effect):
    """``require c``."""

    condition: Expr


@statement("pause {label:STRING}")
class Pause(Effect):
    """``pause "label"``."""

    label: str


@statement("say {text:STRING} [{values:arguments}]")
class Say(Effect):
    """``say "text" a, b``: told to people, without any effect."""

    text: str
    values: list[Expr]


@statement("nothing")
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


@statement("repeat {times:sum} times:")
class Repeat(Effect):
    """``repeat n times``."""

    times: Expr
    body: Block


@statement("loop:")
class Loop(Effect):
    """``loop``."""

    body: Block


@statement("as {who:expr}:")
class As(Effect):
    """``as p``."""

    who: Expr
    body: Block


@statement("choose {binders:binders} [{where:where}] [{decline:decline}] [{prompt:STRING}] [as {words:STRING}]")
class Choose(Effect):
    """``choose x in S where P``; ``decline`` is the label of the way out, ``otherwise`` None where none is written.

    ``words`` say what an answer is called, with its variables in braces.
    """

    binders: list[Binder]
    where: Expr | None
    decline: str | None
    prompt: str | None
    words: str | None
    otherwise: Block | None = None


@dataclass(slots=True)
class HowMany(Node):
    """How many are chosen: ``least`` to ``most``; without ``most`` just so many, with neither any number."""

    least: Expr | None
    most: Expr | None


@statement(
    "choose {amount:how_many} of {binder:binder} [{where:where}] as {id:NAME} [{prompt:STRING}] [as {words:STRING}]",
    since=2,
)
class ChooseSome(Effect):
    """``choose 2 of x in S where P as xs``: several at once; ``xs`` is the list of those that were chosen."""

    amount: HowMany
    binder: Binder
    where: Expr | None
    id: str
    prompt: str | None
    words: str | None
    otherwise: Block | None = None


@dataclass(slots=True)
class Option(Node):
    """One line of a menu; with binders it stands for one option per value, and ``words`` say what that is called."""

    label: str | None
    condition: Expr | None
    binders: list[Binder]
    body: Block
    words: str | None = None


@dataclass(slots=True)
class Menu(Effect):
    """``choose one``; ``may`` is a menu of its effect and ``no``."""

    prompt: str | None
    options: list[Option]
    otherwise: Block | None
    may: bool = False


@statement("up~to {times:sum} times [{label:STRING}]:")
class UpTo(Effect):
    """``up to n times``."""

    times: Expr
    label: str | None
    body: Block


@statement("simultaneously for {binder:binder}:")
class Simultaneously(Effect):
    """``simultaneously for p in S``."""

    binder: Binder
    body: Block
