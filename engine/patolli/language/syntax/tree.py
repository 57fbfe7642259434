"""The syntax tree: the nodes of effects, and beside them those of expressions.

Nodes are plain data. Each knows where it stands (``at``), which equality ignores. A statement that has one form says it
here; what a node means is defined by those of the program that it is resolved to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from patolli.language.syntax.expressions import (
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
    Not,
    NoValue,
    Number,
    Promise,
    Quantifier,
    SpanOf,
    Truth,
    any_expr,
)
from patolli.language.syntax.forms import statement
from patolli.language.syntax.node import At, FixedText, Node, Text

__all__ = [  # what comes from elsewhere; the nodes of effects stand below
    "AnyExpr", "At", "Attribute", "Binary", "Binder", "Call", "Compare", "Expr", "FixedText", "Given", "IfElse",
    "Index", "Listing", "Logic", "Name", "Naming", "Negative", "NoValue", "Node", "Not", "Number", "Promise",
    "Quantifier", "SpanOf", "Text", "Truth", "any_expr",
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
    """A cost that is written in a fact."""

    items: list[Item]


@dataclass(slots=True)
class Gain(Effect):
    """``gain``; ``lose`` when ``less``."""

    items: list[Item]
    who: Expr | None
    less: bool


@statement(
    "pay {items:items} [as {tag:NAME}] [for {of:expr}]",
    shown="pay 1 coin and n seed [as tag] [for x]",
    means="Pays a cost; `as` gives the tag that discounts and waivers name, `for` the piece that is `it` for them.",
)
class Pay(Effect):
    """``pay``; ``tag`` is what discounts and waivers name, and ``of`` what it is paid for."""

    items: list[Item]
    tag: str | None
    of: Expr | None


@statement(
    "set {target:postfix} to {value:expr}",
    shown="set x.size to 3",
    means="Gives a field or a counter another value, within its bounds.",
)
class SetTo(Effect):
    """``set target to value``."""

    target: Expr
    value: Expr


@statement(
    "move {what:expr_in} to {to:postfix} [bottom]",
    shown="move x to place [bottom]",
    means="Moves a piece, to the top or the end unless `bottom` is said.",
)
class Move(Effect):
    """``move what to place``."""

    what: Expr
    to: Expr
    bottom: bool


@statement(
    "swap {first:expr_in} with {second:expr_in}", shown="swap x with y", means="Exchanges the places of two pieces."
)
class Swap(Effect):
    """``swap a with b``."""

    first: Expr
    second: Expr


@statement("shuffle {place:postfix}", shown="shuffle deck", means="Puts the pieces of a place into a random order.")
class Shuffle(Effect):
    """``shuffle place``."""

    place: Expr


@statement(
    "reveal {what:expr_in} to {to:expr_in}",
    shown="reveal x to p",
    means="Shows a hidden piece to a player, or to several. Nothing moves.",
    since=3,
)
class Reveal(Effect):
    """``reveal x to p``."""

    what: Expr
    to: Expr


@statement(
    "draw {amount:sum} from {source:postfix} to {to:postfix}",
    shown="draw n from deck to place",
    means="Moves as many pieces as there are, up to n.",
)
class Draw(Effect):
    """``draw n from place to place``."""

    amount: Expr
    source: Expr
    to: Expr


@statement(
    "refill {row:postfix} from {source:postfix}",
    shown="refill offer from deck",
    means="Fills the empty spots of a row, in order.",
)
class Refill(Effect):
    """``refill row from place``."""

    row: Expr
    source: Expr


@statement("slide {row:postfix}", shown="slide offer", means="Closes the gaps of a row, towards spot 0.")
class Slide(Effect):
    """``slide row``."""

    row: Expr


@statement(
    "random {id:NAME} in {source:range} [{where:where}]",
    shown="random x in S [where P]",
    means="Names a random item of S; none if S is empty.",
)
class Random(Effect):
    """``random x in S where P``."""

    id: str
    source: Expr
    where: Expr | None = None


@statement("let {id:NAME} = {value:expr}", shown="let x = E", means="Names a value. `set x to ..` changes it.")
class Let(Effect):
    """``let x = E``."""

    id: str
    value: Expr


@dataclass(slots=True)
class CallRule(Effect):
    """``rule(a, b)``."""

    call: Call


@statement(
    "do {value:postfix} [as {it:postfix}]",
    shown="do x.effect [as y]",
    means="Carries out the effect in a fact; `it` is the piece, or the one after `as`.",
)
class Do(Effect):
    """``do x.effect``."""

    value: Expr
    it: Expr | None


@dataclass(slots=True)
class Return(Effect):
    """``return E``; ``stop`` without a value, under a condition when there is one."""

    value: Expr | None
    condition: Expr | None = None
    negated: bool = False


@statement("break", shown="break", means="Leaves the innermost loop.")
class Break(Effect):
    """``break``."""


@statement("end match", shown="end match", means="Ends the match.")
class EndMatch(Effect):
    """``end match``."""


@statement("pass to {who:expr}", shown="pass to p", means="For the rest of the rule p acts: `me` is p.")
class PassTo(Effect):
    """``pass to p``."""

    who: Expr


@statement(
    "require {condition:expr}", shown="require c", means="The rule, or the option, is possible only if c is true."
)
class Require(Effect):
    """``require c``."""

    condition: Expr


@statement(
    "expect {condition:expr} [{reason:STRING}]",
    shown='expect c ["reason"]',
    means="A promise: c is true here. The checker relies on it, and each match checks it.",
    since=3,
)
class Expect(Effect):
    """``expect c "reason"``."""

    condition: Expr
    reason: str | None


@statement(
    "pause {label:STRING}",
    shown='pause "label"',
    means="There is nothing to decide here, but anytime actions may be taken.",
)
class Pause(Effect):
    """``pause "label"``."""

    label: str


@statement(
    "say {text:STRING} [{values:arguments}]",
    shown='say "text" a, b',
    means="Shows people something, with values. It changes nothing.",
)
class Say(Effect):
    """``say "text" a, b``: shown to people, without any other effect."""

    text: str
    values: list[Expr]


@statement("nothing", shown="nothing", means="Does nothing.")
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


@statement("repeat {times:sum} times:", shown="repeat n times: ..", means="Does its block n times.")
class Repeat(Effect):
    """``repeat n times``."""

    times: Expr
    body: Block


@statement("loop:", shown="loop: ..", means="Does its block until `break`, `stop` or `end match`.")
class Loop(Effect):
    """``loop``."""

    body: Block


@statement(
    "as {who:expr}:",
    shown="as p: ..",
    means="In its block p acts: `me` is p. After `pay`: a tag; after a question: words for an option.",
)
class As(Effect):
    """``as p``."""

    who: Expr
    body: Block


@statement(
    "as {who:expr} by {by:expr}:",
    shown="as p by q: ..",
    means="In its block p acts, and q makes the decisions of p. Until it ends q sees what p sees.",
    since=3,
)
class AsBy(Effect):
    """``as p by q``."""

    who: Expr
    by: Expr
    body: Block


@statement(
    "choose {binders:binders} [{where:where}] [{decline:decline}] [{prompt:STRING}] [as {words:STRING}]",
    shown='choose x in S [where P] [or none] ["question"]',
    means="A player picks one of S. `choose one:` is a menu.",
)
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
    shown='choose 2 of x in S as xs ["question"]',
    means="A player picks several of S at once, and `xs` is their list.",
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


@statement(
    "up~to {times:sum} times [{label:STRING}]:",
    shown='up to n times "label": ..',
    means="Asks again and again whether to do its block, n times at most.",
)
class UpTo(Effect):
    """``up to n times``."""

    times: Expr
    label: str | None
    body: Block


@statement(
    "simultaneously for {binder:binder} [{where:where}]:",
    shown="simultaneously for p in S [where P]: ..",
    means="Everyone chooses before anything is revealed.",
)
class Simultaneously(Effect):
    """``simultaneously for p in S where P``."""

    binder: Binder
    where: Expr | None
    body: Block
