"""The nodes of effects: what changes the state or asks a player.

What an author wrote in several ways and means one thing is one node: ``stop if c`` is an ``If`` with a ``Return``, and
what a rule returns goes into a variable of the ``CallRule``, which whatever uses it then reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from patolli.language.program.expressions import (
    Binder,
    BuiltinCall,
    CounterAt,
    Expr,
    FactOf,
    FieldOf,
    ItemAt,
    Local,
    Quantifier,
    Unknown,
    Variable,
)
from patolli.language.program.node import Bounds, Empty, Index, Length, Location, Node, Spot, kind, nothing, seal

DECIDED_BY = "decided by"
"""The field of a player that says who decides for that player; only ``as p by q`` writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Node):
    """A change or a question."""


Block = tuple[Effect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Node):
    """One part of a cost or gain; its counters are all that it may take or give."""


def _counters(items: Iterable[Any]) -> Iterable[Location]:
    return (("counter", counter) for item in items for counter in item.counters)


def _locate_gain(node: Any) -> Iterable[Location]:
    return _counters(node.items)


def _locate_payment(node: Any) -> Iterable[Location]:
    counters = tuple(dict.fromkeys(counter for item in node.items for counter in item.counters))
    return (*(("counter", counter) for counter in counters), ("paying", node.tag, counters))


def _purse(node: Any) -> Iterable[Location]:
    return (*_counters(node.items), ("purse",))


def _pieces(node: Any) -> Iterable[Location]:
    return (("pieces", node.kind),)


def _locate_shuffle(node: Any) -> Iterable[Location]:
    return (("pieces", node.kind), ("chance",))


def _locate_let(node: Any) -> Iterable[Location]:
    return (("variable", node.variable),)


def _locate_as(node: Any) -> Iterable[Location]:
    return (("variable", node.variable), *([("field", "player", DECIDED_BY)] if node.by is not None else []))


def _locate_random(node: Any) -> Iterable[Location]:
    return (("variable", node.variable), ("chance",))


def _locate_binders(node: Any) -> Iterable[Location]:
    return (("variable", binder.variable) for binder in node.binders)


def _locate_return(node: Any) -> Iterable[Location]:
    return (("variable", node.into),) if node.into is not None else ()


def _target(node: Any) -> Iterable[Location]:
    match node.target:
        case CounterAt(counter=name):
            return (("counter", name),)
        case FieldOf(kind=of, field=name):
            return (("field", of, name),)
        case Local(variable=variable):
            return (("variable", variable),)
        case Unknown():
            return ()
    raise TypeError(node.target)


# ---- parts of costs and gains


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class CounterItem(Item):
    """So much of a counter, with all its indices."""

    counter: str
    indices: tuple[Expr, ...]
    amount: Expr

    @property
    def counters(self) -> tuple[str, ...]:
        """The counter."""
        return (self.counter,)


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class MemberItem(Item):
    """So much of a counter of a player that is known only now, one of ``counters``."""

    member: Expr
    counters: tuple[str, ...]
    who: Expr
    amount: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class MixItem(Item):
    """So much of any mix of a group, whose members are ``counters``."""

    group: str
    counters: tuple[str, ...]
    who: Expr
    amount: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class CostItem(Item):
    """A cost that something holds; ``counters`` are all that a cost may name."""

    cost: Expr
    counters: tuple[str, ...]
    who: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class CostOf(Expr):
    """A cost that is written in a fact; ``payer`` is who pays it one day."""

    items: tuple[Item, ...]
    payer: Variable


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Index("indices"),), runs=False)
class PlaceAt(Node):
    """A place with all its indices, as the target of a move; the box is the place without a name.

    ``sort`` is that of the place, or ``spot`` for one of a row, whose number is then the last index.
    """

    place: str
    kind: str
    sort: str
    indices: tuple[Expr, ...]


# ---- counters, fields and variables


@kind(reads=nothing, writes=_locate_gain, asks="gain", draws=False, leaves="never", faults=(), runs=False)
class Gain(Effect):
    """``gain``; ``lose`` when ``less``. Less than nothing is gained by losing, and the other way round."""

    items: tuple[Item, ...]
    less: bool
    who: Expr


@kind(reads=_purse, writes=_locate_payment, asks="payment", draws=False, leaves="never", faults=(), runs=True)
class Pay(Effect):
    """``pay``; ``tag`` is what discounts and waivers name, ``of`` what is ``it`` there; nothing is below nothing."""

    items: tuple[Item, ...]
    tag: str | None
    who: Expr
    of: Expr | None


@kind(reads=nothing, writes=_target, asks="never", draws=False, leaves="never", faults=(Bounds("value"),), runs=False)
class Set(Effect):
    """``set target to value``: a counter, a field or a variable."""

    target: Expr
    value: Expr


@kind(reads=nothing, writes=_locate_let, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Let(Effect):
    """``let x = E``."""

    variable: Variable
    value: Expr


@kind(
    reads=nothing,
    writes=_locate_random,
    asks="never",
    draws=True,
    leaves="never",
    faults=(Empty("source"),),
    runs=False,
)
class Random(Effect):
    """``random x in S``."""

    variable: Variable
    source: Expr


# ---- pieces


@kind(reads=_pieces, writes=_pieces, asks="never", draws=False, leaves="never", faults=(Spot("to"),), runs=False)
class Move(Effect):
    """``move what to place``."""

    what: Expr
    kind: str
    to: PlaceAt
    bottom: bool


@kind(reads=_pieces, writes=_pieces, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Swap(Effect):
    """``swap a with b``."""

    first: Expr
    second: Expr
    kind: str


@kind(reads=_pieces, writes=_locate_shuffle, asks="never", draws=True, leaves="never", faults=(), runs=False)
class Shuffle(Effect):
    """``shuffle place``."""

    place: PlaceAt
    kind: str


@kind(reads=_pieces, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Reveal(Effect):
    """``reveal what to who``: a player, or a list of players, learns which piece it is; the state stays as it is."""

    what: Expr
    kind: str
    who: Expr


@kind(reads=_pieces, writes=_pieces, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Draw(Effect):
    """``draw n from place to place``."""

    amount: Expr
    source: PlaceAt
    to: PlaceAt
    kind: str


@kind(reads=_pieces, writes=_pieces, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Refill(Effect):
    """``refill row from place``."""

    row: PlaceAt
    source: PlaceAt
    kind: str


@kind(reads=_pieces, writes=_pieces, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Slide(Effect):
    """``slide row``."""

    row: PlaceAt
    kind: str


# ---- rules and control


@kind(reads=nothing, writes=_locate_return, asks="never", draws=False, leaves="never", faults=(), runs=True)
class CallRule(Effect):
    """``rule(a, b)``; what it returns goes into a variable where one is named."""

    rule: str
    me: Expr
    arguments: tuple[Expr, ...]
    into: Variable | None


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=True)
class Do(Effect):
    """``do x.effect``: the effect that the fact of an instance holds, with that instance as ``it``, or another one."""

    kind: str
    fact: str
    value: Expr
    it: Expr
    me: Expr

    @property
    def is_copy(self) -> bool:
        """Whether ``it`` is another instance than the one whose effect it is."""
        holder = self.value
        while isinstance(holder, ItemAt):
            holder = holder.of
        return isinstance(holder, FactOf) and holder.of != self.it


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="rule", faults=(), runs=False)
class Return(Effect):
    """``return E``; ``stop`` without a value."""

    value: Expr | None


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="loop", faults=(), runs=False)
class Break(Effect):
    """``break``."""


@kind(reads=nothing, writes=lambda n: (("over",),), asks="never", draws=False, leaves="match", faults=(), runs=False)
class EndMatch(Effect):
    """``end match``."""


@kind(reads=nothing, writes=_locate_let, asks="never", draws=False, leaves="never", faults=(), runs=False)
class PassTo(Effect):
    """``pass to p``: the variable ``me`` changes."""

    variable: Variable
    who: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Require(Effect):
    """``require c``."""

    condition: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Expect(Effect):
    """``expect c "reason"``: a promise, which each match checks."""

    condition: Expr
    reason: str


@kind(reads=nothing, writes=nothing, asks="anytime", draws=False, leaves="never", faults=(), runs=False)
class Pause(Effect):
    """``pause "label"``."""

    label: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Say(Effect):
    """``say "text" a, b``: shown to people, without any other effect."""

    text: str
    values: tuple[Expr, ...]


REPORTS = frozenset({Say, Reveal})
"""The effects that change nothing and that other players notice all the same."""


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Nothing(Effect):
    """``nothing``."""


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Mark(Effect):
    """A point that notes when it is reached; only measuring puts it into a program."""

    reached: object


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class If(Effect):
    """``if``; ``elif`` is an ``if`` inside ``other``."""

    condition: Expr
    then: Block
    other: Block


@kind(reads=nothing, writes=_locate_binders, asks="order", draws=False, leaves="never", faults=(), runs=False)
class For(Effect):
    """``for x in S where P``; the prompt is that of ``in any order``."""

    binders: tuple[Binder, ...]
    where: Expr | None
    any_order: bool
    prompt: str | None
    body: Block


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Length("times"),), runs=False)
class Repeat(Effect):
    """``repeat n times``."""

    times: Expr
    body: Block


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Loop(Effect):
    """``loop``."""

    body: Block


@kind(reads=nothing, writes=_locate_as, asks="never", draws=False, leaves="never", faults=(), runs=False)
class As(Effect):
    """``as p by q``: in the body, ``variable`` is me, and the decisions of that player are those of ``by``, if any."""

    variable: Variable
    who: Expr
    by: Expr | None
    body: Block


# ---- questions


@kind(reads=nothing, writes=_locate_binders, asks="always", draws=False, leaves="never", faults=(), runs=False)
class Choose(Effect):
    """``choose x in S where P``; ``decline`` is the label of the way out, ``otherwise`` None where none is written.

    ``words`` say what an answer is called; they are for people, and change nothing. ``several`` is a choice of a list
    out of all combinations of some items (``choose 2 of x in S as xs``): its one binder takes from a call of
    ``combinations``, whose first argument collects the items, and it is asked item by item. ``named`` are the variables
    that the prompt names.
    """

    binders: tuple[Binder, ...]
    where: Expr | None
    decline: str | None
    prompt: str | None
    words: str | None
    otherwise: Block | None
    several: bool
    named: tuple[Expr, ...]

    @property
    def amount(self) -> tuple[Expr, Expr, Expr]:
        """Of several at once: the list of the items, and how many are chosen at least and at most."""
        source = self.binders[0].source
        assert self.several
        assert isinstance(source, BuiltinCall)
        items, least, most = source.arguments
        return items, least, most

    @property
    def word_variables(self) -> tuple[Variable, ...]:
        """The variables that ``words`` may name: of several at once that of a single item."""
        if not self.several:
            return tuple(binder.variable for binder in self.binders)
        items = self.amount[0]
        assert isinstance(items, Quantifier)
        return (items.binders[0].variable,)


@kind(reads=nothing, writes=_locate_binders, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Option(Node):
    """One line of a menu; with binders it stands for one option per value, and ``words`` say what that is called."""

    label: str | None
    words: str | None
    condition: Expr | None
    binders: tuple[Binder, ...]
    body: Block


@kind(reads=nothing, writes=nothing, asks="always", draws=False, leaves="never", faults=(), runs=False)
class Menu(Effect):
    """``choose one``; ``may`` is one that is not asked where it is impossible; ``named`` as for ``Choose``."""

    prompt: str | None
    options: tuple[Option, ...]
    otherwise: Block | None
    may: bool
    named: tuple[Expr, ...]


@kind(reads=nothing, writes=nothing, asks="always", draws=False, leaves="never", faults=(), runs=False)
class UpTo(Effect):
    """``up to n times``."""

    times: Expr
    label: str | None
    body: Block


@kind(
    reads=nothing, writes=lambda n: (("variable", n.variable), ("variable", n.me)), asks="never", draws=False,
    leaves="never", faults=(), runs=False,
)  # fmt: skip
class Simultaneously(Effect):
    """``simultaneously for p in S``: in the body, both ``variable`` and ``me`` are the player who answers."""

    variable: Variable
    me: Variable
    source: Expr
    body: Block


Looping = For | Repeat | Loop | UpTo
"""What carries out its ``body`` some number of times, perhaps not once; ``break`` leaves it."""
Elsewhere = As | Simultaneously
"""What carries out its ``body`` with another player as `me`."""

seal(Expr, Effect, Item)
