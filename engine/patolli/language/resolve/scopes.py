"""What is known at one place of a rule: the variables, and what tests have shown of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import comparisons
from patolli.language.program.node import Location, declaration, walk

PLAYER = ty.Ref("player")
ANYTHING: Location = ("anything",)
"""What a rule may change."""
SHOWN = 20
"""So many conditions are remembered that have ended."""
_WIDE = frozenset({"function", "beginning", "purse"})
"""First parts of locations that stand for what only a whole program says."""


@dataclass(slots=True)
class Scope:
    """The variables that are visible, and what has been tested.

    ``types`` says of each variable what is known here: it may be more than the type of the variable, because of a test.
    ``proven`` holds the conditions that hold here; they end when something that they read may change. ``ended``
    holds the last that did. ``named`` says where effects have named variables. ``reads`` has by identity the conditions
    that were asked what they read, and the answers: each effect asks it of all conditions that hold before it.
    """

    variables: dict[str, x.Variable] = field(default_factory=dict)
    types: dict[str, ty.AnyType] = field(default_factory=dict)
    proven: list[x.Expr] = field(default_factory=list)
    ended: list[x.Expr] = field(default_factory=list)
    named: dict[x.Variable, Span] = field(default_factory=dict)
    outer: Scope | None = None
    reads: dict[int, tuple[x.Expr, frozenset[Location]]] = field(default_factory=dict)

    @classmethod
    def of(cls, span: Span, /, **types: ty.AnyType) -> Scope:
        """Return a scope with some variables, which stand for the whole of what is at a place."""
        scope = cls()
        for name, type_ in types.items():
            scope.add(x.Variable(name, type_, span))
        return scope

    def add(self, variable: x.Variable, type_: ty.AnyType | None = None) -> x.Variable:
        """Make a variable visible; with a type, more is known of it than its own type says."""
        self.variables[variable.name] = variable
        self.types[variable.name] = variable.type if type_ is None else type_
        return variable

    def child(self) -> Scope:
        """Return a scope inside this one."""
        return Scope(
            dict(self.variables), dict(self.types), list(self.proven), list(self.ended), self.named, self, self.reads
        )

    def set_bounds(self, bounds: Mapping[str, tuple[int, int]]) -> list[x.Variable]:
        """Note the bounds of some variables, and return all."""
        for name, one in self.variables.items():
            one.bounds = bounds.get(name)
        return list(self.variables.values())

    def holding(self, name: str, type_: ty.AnyType, but: Collection[str] = ()) -> str:
        """Return the variable that was likely meant where something of a type is missing; nothing when there is none.

        Args:
            name: What it is called where it is declared.
            type_: What is needed.
            but: Variables that stand for something else already.
        """
        fitting = [known for known, has in self.types.items() if ty.fits(has, type_) and known not in but]
        if name in fitting or not isinstance(type_, ty.Ref):
            return name if name in fitting else ""
        return fitting[-1] if fitting else ""

    def forget(self, changed: Collection[Location] = (ANYTHING,)) -> None:
        """Let end what was tested of something that may have changed; a location may be given by its first part."""
        kept: list[x.Expr] = []
        for proof in self.proven:
            known = self.reads.get(id(proof))
            if known is None:
                known = self.reads[id(proof)] = proof, find_reads(proof)
            (self.ended if may_differ(known[1], changed) else kept).append(proof)
        self.proven, self.ended = kept, self.ended[-SHOWN:]

    def widen(self, name: str) -> None:
        """Forget here and around what tests have shown of a variable."""
        variable = self.variables.get(name)
        scope: Scope | None = self
        while variable is not None and scope is not None and scope.variables.get(name) is variable:
            scope.types[name] = variable.type
            scope = scope.outer

    def narrow(self, variable: x.Variable) -> None:
        """Note that a variable is not none here."""
        if self.variables.get(variable.name) is variable:
            self.types[variable.name] = ty.strip(self.types[variable.name])


def find_reads(expr: x.Expr) -> frozenset[Location]:
    """Return what an expression reads."""
    return frozenset(location for node in walk(expr) for location in declaration(node).reads(node))


def may_differ(reads: Collection[Location], changed: Collection[Location]) -> bool:
    """Return whether what is read is something that may have changed."""
    return bool(changed) and any(
        location in changed or location[:1] in changed or location[0] in _WIDE or ANYTHING in changed
        for location in reads
    )


def find_tested_variable(condition: x.Expr, holds: bool) -> x.Variable | None:
    """Return the variable that cannot be none when *condition* holds (or fails)."""
    match condition:
        case x.Present(of=x.Local(variable=variable)):
            return variable if holds else None
        case x.Compare(op="in", left=x.Local(variable=variable), right=x.Expr(type=ty.Seq(of=item))):
            return variable if holds and not isinstance(item, ty.Maybe) else None
    for left, op, right in comparisons(condition):
        sure = not isinstance(right.type, ty.Maybe) and right.type != ty.NONE
        if isinstance(left, x.Local) and sure and (op == "==") == holds and op in ("==", "!="):
            return left.variable
    return None
