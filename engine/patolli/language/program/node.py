"""What a kind of node declares of itself, once, and the consequences for every pass.

A kind is a frozen dataclass behind ``@expression(..)``, ``@effect(..)`` or ``@part(..)``. What stands inside it is
given by the types of its fields; what it reads, writes, asks, draws, whether it may leave a block and how it may fail
is given by the decorator, in which nothing has a default: a kind that forgets one of them cannot be imported. ``seal``
refuses kinds without a declaration at all.

Passes ask ``children``, ``reads_of``, ``writes_of`` and their relatives; none lists kinds of nodes to find these out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

from patolli.language.diagnostics import Span

Location = tuple[Any, ...]
"""What can be read or written: ``("counter", name)``, ``("field", kind, name)``, ``("pieces", kind)`` (where the pieces
of a kind are, and in which order), ``("variable", v)``, ``("chance",)`` (how often was drawn), ``("over",)``. Others
stand for what a whole program has to say, and are expanded by ``summaries``: ``("function", name)`` what a function
reads, ``("beginning", rule)`` what the beginning of a rule looks at, ``("purse",)`` whatever may count when something
is paid, ``("paying", tag, counters)`` what such a payment may change besides."""

Locations = Callable[[Any], Iterable[Location]]
ASKS = ("never", "always", "payment", "gain", "anytime", "order")
"""When a node asks a player: a payment or a gain where its counters leave a choice, a pause where there are anytime
actions, a loop where its order is free."""
LEAVES = ("never", "rule", "loop", "match")
"""What a node leaves in any case: its rule, the loop around it, the match."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A way in which a node may fail while a match runs; ``part`` is the field of the node that makes it fail.

    ``proofs.faults`` has a proof for each kind and fault, and cannot be imported without one.
    """

    part: str

    def __str__(self) -> str:
        return type(self).__name__.lower()


class Division(Fault):
    """A division by a number that may be 0."""

    __slots__ = ()


class Index(Fault):
    """An index that may lie beyond a list or a row."""

    __slots__ = ()


class Spot(Fault):
    """A spot that may be taken."""

    __slots__ = ()


class Bounds(Fault):
    """A number that may lie beyond the bounds of its field."""

    __slots__ = ()


class Empty(Fault):
    """A random draw from what may be empty."""

    __slots__ = ()


class Single(Fault):
    """A list whose only item is taken, and that may have more or fewer."""

    __slots__ = ()


class Length(Fault):
    """A list or a loop that may be too long."""

    __slots__ = ()


class Ahead(Fault):
    """A rule that may be impossible, so that what is after it cannot be computed."""

    __slots__ = ()


def nothing(_: Any) -> Iterable[Location]:
    """Read or write nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a kind of node says of itself, apart from what stands inside it.

    Attributes:
        reads: What of the state it looks at by itself.
        writes: What of the state it may change by itself.
        asks: One of ``ASKS``.
        draws: Whether it draws at random.
        leaves: One of ``LEAVES``.
        faults: How it may fail.
        runs: Whether it carries out a rule, which ``Program.called`` names.
    """

    reads: Locations
    writes: Locations
    asks: str
    draws: bool
    leaves: str
    faults: tuple[Fault, ...]
    runs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What all nodes have: the place in a file that they stem from, which equality ignores."""

    span: Span = field(compare=False, repr=False)


DECLARED: dict[type[Node], Declaration] = {}
"""All kinds of nodes, in the order in which they are declared."""
_PARTS: dict[type[Node], dict[str, str]] = {}
"""The fields of each kind in which nodes stand, with their types as they are written."""
_INSIDE: dict[type[Node], Callable[[Any], Sequence[Node]] | None] = {}
"""How the nodes inside one are found, by its kind; None where there is never any."""
_BLOCK = "Block"
"""How the tuple of effects is called in the types of fields."""
_PLAIN = frozenset(
    {"int", "bool", "str", "str | None", "tuple[str, ...]", "object", "AnyType", "Span", "Variable", "Variable | None"}
)
T = TypeVar("T", bound=Node)


@dataclass_transform(frozen_default=True, kw_only_default=False)
def kind(
    *, reads: Locations, writes: Locations, asks: str, draws: bool, leaves: str, faults: tuple[Fault, ...], runs: bool
) -> Callable[[type[T]], type[T]]:
    """Declare a kind of node. Raises TypeError: a word is unknown to the declaration, or a fault names no field."""
    if asks not in ASKS or leaves not in LEAVES:
        raise TypeError(f"no such declaration: {asks!r}, {leaves!r}")

    def declare_node(cls: type[T]) -> type[T]:
        made: type[T] = dataclass(frozen=True, slots=True)(cls)
        wrong = [fault for fault in faults if fault.part not in {f.name for f in fields(made)}]
        if wrong:
            raise TypeError(f"{made.__qualname__} has no part {wrong[0].part!r} that could fail")
        DECLARED[made] = Declaration(reads, writes, asks, draws, leaves, faults, runs)
        _PARTS[made] = {f.name: str(f.type) for f in fields(made) if str(f.type) not in _PLAIN}
        _INSIDE[made] = _reader(_PARTS[made])
        return made

    return declare_node


def seal(*families: type[Node]) -> None:
    """See that every kind of the families is declared, by name: slots make classes twice. Raises TypeError."""
    declared = {cls.__qualname__ for cls in DECLARED}
    for family in families:
        for cls in family.__subclasses__():
            if cls.__qualname__ not in declared:
                raise TypeError(f"{cls.__qualname__} declares nothing: what it reads, writes, asks, and so on")


def declaration(node: Node) -> Declaration:
    """Return what the kind of a node declares."""
    return DECLARED[type(node)]


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly inside one, in the order of its fields."""
    inside = _INSIDE[node.__class__]
    return iter(inside(node) if inside is not None else ())


def _reader(parts: dict[str, str]) -> Callable[[Any], Sequence[Node]] | None:
    """Return what finds the nodes in the fields of a kind, given their types as they are written.

    Most kinds have fields with one node each, or one field with several; these are found in a single step, as every
    pass comes by here.
    """
    if not parts:
        return None
    get: Callable[[Any], Any] = attrgetter(*parts)
    several = [type_ == _BLOCK or type_.startswith("tuple[") for type_ in parts.values()]
    if any("None" in type_ for type_ in parts.values()) or (any(several) and len(parts) > 1):
        return partial(_gather_nodes, tuple(parts))
    return get if several[0] or len(parts) > 1 else lambda node: (get(node),)


def _gather_nodes(names: tuple[str, ...], node: Node) -> list[Node]:
    found: list[Node] = []
    for name in names:
        value = getattr(node, name)
        if value.__class__ is tuple:
            found += value
        elif value is not None:
            found.append(value)
    return found


def walk(*roots: Node | Iterable[Node] | None) -> Iterator[Node]:
    """Yield every node of some trees, outer ones first, in order."""
    open_: list[Node] = []
    for root in reversed(roots):
        open_.extend([root] if isinstance(root, Node) else reversed(list(root or ())))
    while open_:
        here = open_.pop()
        yield here
        inside = _INSIDE[here.__class__]
        if inside is not None:  # every second node is a leaf
            open_ += inside(here)[::-1]
