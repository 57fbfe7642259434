"""The nodes of expressions: what computes, changes nothing and asks no question.

Every name is resolved and every implied index written out: a counter of mine is that of a certain variable ``me``. A
condition always has the type ``bool``: what may be none or empty stands inside ``Present`` or ``Filled``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from patolli.language.diagnostics import Span
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.node import Ahead, Bounds, Division, Index, Length, Location, Node, Single, kind, nothing
from patolli.language.program.types import AnyType


@dataclass(eq=False, slots=True)
class Variable:
    """One variable of a rule, function or quantifier; two of the same name are two.

    ``type`` is the one that it was declared with. A variable without a name holds what a rule returned until the next
    effect uses it.
    """

    name: str
    type: AnyType
    span: Span
    bounds: tuple[int, int] | None = None  # of a parameter: every call gives it a number from one to the other

    def __repr__(self) -> str:
        return self.name or "_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr(Node):
    """A computation with its type."""

    type: AnyType = field(compare=False, repr=False)


def _variable(node: Any) -> Iterable[Location]:
    return (("variable", node.variable),)


def _pieces(node: Any) -> Iterable[Location]:
    return (("pieces", node.kind),)


def _built_in(node: Any) -> Iterable[Location]:
    builtin = BUILTINS.get(node.builtin)
    return (("pieces", node.kind),) if builtin is not None and builtin.looks else ()


# ---- what is known when a match is made


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Number(Expr):
    """A whole number."""

    value: int


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Truth(Expr):
    """``true`` or ``false``."""

    value: bool


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class NoValue(Expr):
    """``none``."""


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Unknown(Expr):
    """What could not be resolved, which has been reported, with those of its parts that could.

    A program with such a node has errors; it is looked at for more of them, and never handed on.
    """

    parts: tuple[Expr, ...]


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Seats(Expr):
    """How many players there are, those too that the rules play."""


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Instances(Expr):
    """All instances of a kind, in order; the players are those of the kind ``player``."""

    kind: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Instance(Expr):
    """One instance by its id, or ``player_2.id`` for that of a certain player; none where a match has no such one."""

    kind: str
    id: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class DesignNamed(Expr):
    """What several copies of a piece have in common."""

    kind: str
    id: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class OptionValue(Expr):
    """What was chosen for an option of the pack."""

    option: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Choice(Expr):
    """One choice of an option."""

    option: str
    choice: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class ConstantNamed(Expr):
    """A declared constant."""

    name: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class CounterNamed(Expr):
    """A counter itself, as a value of a group, not how much there is of it."""

    counter: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class GroupNamed(Expr):
    """All counters of a group, in order."""

    group: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class CopyNumber(Expr):
    """In a fact of a piece: the number of its copy, from 1."""


# ---- what is read


@kind(reads=_variable, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Local(Expr):
    """A variable; the type may say more than that of the variable, because of a test."""

    variable: Variable


@kind(
    reads=lambda n: (("counter", n.counter),), writes=nothing, asks="never", draws=False, leaves="never", faults=(),
    runs=False,
)  # fmt: skip
class CounterAt(Expr):
    """How much there is of a counter, with all its indices."""

    counter: str
    indices: tuple[Expr, ...]


@kind(
    reads=lambda n: (("field", n.kind, n.field),), writes=nothing, asks="never", draws=False, leaves="never", faults=(),
    runs=False,
)  # fmt: skip
class FieldOf(Expr):
    """A field of an instance."""

    kind: str
    field: str
    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class FactOf(Expr):
    """A fact of an instance."""

    kind: str
    fact: str
    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class RecordOf(Expr):
    """``bid(2, 5)``: the record with these values, in the order of its fields; values with bounds are ``Ranged``."""

    kind: str
    fields: tuple[str, ...]
    values: tuple[Expr, ...]

    def get_value(self, field: str) -> Expr:
        """Return what a field of it holds."""
        return self.values[self.fields.index(field)]


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class DesignOf(Expr):
    """The design of a piece."""

    kind: str
    of: Expr


@kind(reads=_pieces, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Held(Expr):
    """What lies in a place, with all its indices: a list of pieces, of a spot one piece or none."""

    place: str
    kind: str
    indices: tuple[Expr, ...]


@kind(reads=_pieces, writes=nothing, asks="never", draws=False, leaves="never", faults=(Index("spot"),), runs=False)
class RowSpot(Expr):
    """What lies in one spot of a row, counted from 0: a piece or none."""

    place: str
    kind: str
    indices: tuple[Expr, ...]
    spot: Expr


@kind(
    reads=lambda n: (("counter", c) for c in n.counters), writes=nothing, asks="never", draws=False, leaves="never",
    faults=(), runs=False,
)  # fmt: skip
class Have(Expr):
    """How much a player has of a counter that is known only now, one of ``counters``."""

    member: Expr
    counters: tuple[str, ...]
    who: Expr


# ---- questions about rules and payments


@kind(
    reads=lambda n: (("beginning", n.rule),), writes=nothing, asks="never", draws=False, leaves="never", faults=(),
    runs=False,
)  # fmt: skip
class Can(Expr):
    """Whether the beginning of a rule is possible now."""

    rule: str
    me: Expr
    arguments: tuple[Expr, ...]


@kind(
    reads=lambda n: (("beginning", n.rule),), writes=nothing, asks="never", draws=False, leaves="never",
    faults=(Ahead("rule"),), runs=False,
)  # fmt: skip
class After(Expr):
    """``after(rule(a, b), value)``: a value as it would be if a rule had been carried out.

    ``value`` is computed behind the rule, everything else before it. What it takes along from there has names of its
    own (``given``), so whatever is put in the place of an outer variable is computed before as well.
    """

    rule: str
    me: Expr
    arguments: tuple[Expr, ...]
    given: tuple[Given, ...]
    value: Expr


@kind(reads=lambda n: (("purse",),), writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Payable(Expr):
    """Whether a player can pay a cost now, with everything that may stand for it."""

    cost: Expr
    who: Expr


@kind(
    reads=lambda n: (("function", n.function),), writes=nothing, asks="never", draws=False, leaves="never", faults=(),
    runs=False,
)  # fmt: skip
class FunctionCall(Expr):
    """A call of a declared function, with who is me there."""

    function: str
    me: Expr
    arguments: tuple[Expr, ...]


@kind(reads=_built_in, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class BuiltinCall(Expr):
    """A call of a built-in function.

    ``name`` is what an argument names that is no value: the place of ``place_of``, the grid of ``cell_at`` and
    ``placements``, the kind of ``owned``; ``kind`` is that of the pieces or cells it is about. Those that depend on who
    is me have that as their first argument.
    """

    builtin: str
    arguments: tuple[Expr, ...]
    name: str = ""
    kind: str = ""

    def find_source_list(self, *ways: str) -> Expr | None:
        """Return the list that gives what comes back, if in one of the ways that a row of ``BUILTINS`` names."""
        builtin = BUILTINS.get(self.builtin)
        return self.arguments[0] if builtin is not None and builtin.gives in ways else None

    @property
    def among(self) -> Expr | None:
        """The list whose items, or whose item, come back."""
        return self.find_source_list("same", "some", "one")

    @property
    def reordered_source(self) -> Expr | None:
        """The list whose items come back in another order."""
        return self.find_source_list("same")


# ---- what is computed


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Index("index"),), runs=False)
class ItemAt(Expr):
    """``xs[i]``, counted from 0."""

    of: Expr
    index: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Binder(Node):
    """``x in S``."""

    variable: Variable
    source: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Given(Node):
    """A variable that names a value for the expression behind it."""

    variable: Variable
    source: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Naming(Expr):
    """An expression in which values have names; each is computed once, before it and in order."""

    given: tuple[Given, ...]
    value: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Promised(Expr):
    """An expression before which something is promised, which each match checks."""

    condition: Expr
    reason: str
    value: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Quantifier(Expr):
    """``count(x in S where P)`` and its relatives; ``op`` is ``list`` for ``[x in S]``.

    ``value`` is what is collected; None stands for the last variable. ``by`` is what is compared.
    """

    op: str
    binders: tuple[Binder, ...]
    where: Expr | None
    value: Expr | None
    by: Expr | None


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Single("of"),), runs=False)
class Whole(Expr):
    """A quantifier over the items of one list: ``count(S)``, ``sum(S)``, ``first(S)``.

    ``only(S)`` alone may fail: it gives the single item of a list.
    """

    op: str
    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Cut(Expr):
    """``until(x in S where P)``: the items before the first one that fits, and with it where ``through``."""

    binder: Binder
    where: Expr
    through: bool


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Joined(Expr):
    """``xs + ys``: the items of one list and then those of another."""

    left: Expr
    right: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Division("right"),), runs=False)
class Arithmetic(Expr):
    """``+ - * div mod`` on numbers; ``div`` and ``mod`` round down."""

    op: str
    left: Expr
    right: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Negative(Expr):
    """``-x``."""

    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Bounds("of"),), runs=False)
class Ranged(Expr):
    """An argument for a parameter ``name`` that takes numbers from ``low`` to ``high``."""

    of: Expr
    low: int
    high: int
    name: str


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Compare(Expr):
    """One comparison: ``== != < <= > >=``, or ``in`` and ``not in`` a list."""

    op: str
    left: Expr
    right: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Present(Expr):
    """Whether something is not none."""

    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Filled(Expr):
    """Whether a list is not empty."""

    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Not(Expr):
    """The opposite of a condition."""

    of: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Logic(Expr):
    """``and`` or ``or`` of two conditions; the second is looked at only where the first does not decide."""

    op: str
    left: Expr
    right: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class Default(Expr):
    """The first value, or the second where the first is none."""

    left: Expr
    right: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class IfElse(Expr):
    """``a if c else b``."""

    condition: Expr
    then: Expr
    other: Expr


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(), runs=False)
class ListOf(Expr):
    """``{a, b}``."""

    items: tuple[Expr, ...]


@kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=(Length("high"),), runs=False)
class Range(Expr):
    """``low..high``, both included; empty where high is below low."""

    low: Expr
    high: Expr
