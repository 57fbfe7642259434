"""The syntax tree of expressions and effects.

Nodes are plain data. Each knows where it stands (``at``), which equality ignores. The checker writes the type of
an expression into ``type``; nothing else in the tree changes after parsing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from patolli.diagnostics import Span


class Text(Protocol):
    """A piece of content that knows its place in a file (a YAML scalar)."""

    value: str

    def place(self, offset: int, length: int) -> Span:
        """Map *length* characters from *offset* of the value to the file."""
        ...


class FixedText:
    """A text that stands at one fixed place: for nodes that no author wrote."""

    __slots__ = ("_span", "value")

    def __init__(self, span: Span) -> None:
        """Place it."""
        self.value, self._span = "", span

    def place(self, offset: int, length: int) -> Span:
        """Return the place."""
        return self._span


@dataclass(slots=True)
class At:
    """A stretch of a text: ``start`` and ``end`` are offsets into its value."""

    text: Text
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The place in the file."""
        return self.text.place(self.start, max(1, self.end - self.start))


@dataclass(slots=True, kw_only=True)
class Node:
    """What every node has."""

    at: At = field(compare=False, repr=False)

    @property
    def span(self) -> Span:
        """The place in the file."""
        return self.at.span


@dataclass(slots=True, kw_only=True)
class Expr(Node):
    """A computation. ``type`` is filled in by the checker."""

    type: Any = field(default=None, compare=False, repr=False)
    note: Any = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class Number(Expr):
    """A whole number."""

    value: int


@dataclass(slots=True)
class Truth(Expr):
    """``true`` or ``false``."""

    value: bool


@dataclass(slots=True)
class Nobody(Expr):
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
    """``{a, b}``."""

    items: list[Expr]


@dataclass(slots=True)
class SpanOf(Expr):
    """``low..high``, both included."""

    low: Expr
    high: Expr


def note_of(node: object) -> tuple[Any, ...]:
    """Return what the checker noted at a node: a word for the sort of thing, then its name; ``("",)`` for nothing."""
    note = getattr(node, "note", None)
    return note if isinstance(note, tuple) and note else ("",)


# ---- effects


@dataclass(slots=True, kw_only=True)
class Effect(Node):
    """A change or a question."""

    note: Any = field(default=None, compare=False, repr=False)


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
    note: Any = field(default=None, compare=False, repr=False)


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
    """``for x in S where P``."""

    binders: list[Binder]
    where: Expr | None
    any_order: bool
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
    """``choose one``."""

    prompt: str | None
    options: list[Option]
    otherwise: Block | None


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
