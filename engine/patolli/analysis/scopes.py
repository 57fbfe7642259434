"""What is known at one place of a rule: the variables, and what tests have shown of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.diagnostics import Span
from patolli.language import tree as t
from patolli.program import types as ty


@dataclass(slots=True)
class Scope:
    """The variables that are visible, and what has been tested.

    ``proven`` holds the conditions that hold here; they end with the first change of the state. ``declared`` keeps the
    types that variables were named with; those in ``variables`` may say more, because of a test.
    """

    variables: dict[str, ty.AnyType] = field(default_factory=dict)
    proven: list[t.Expr] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    declared: dict[str, ty.AnyType] = field(default_factory=dict)
    outer: Scope | None = None

    def child(self, **more: ty.AnyType) -> Scope:
        """Return a scope inside this one."""
        return Scope({**self.variables, **more}, list(self.proven), self.spans, self.declared, self)

    def elsewhere(self) -> Scope:
        """Return a scope inside this one where `me` is another player: what was tested was tested for me."""
        inner = self.child()
        inner.proven = []
        return inner

    def widen(self, name: str) -> None:
        """Forget here and around what tests have shown of a variable."""
        scope: Scope | None = self
        while scope is not None and name in scope.variables:
            scope.variables[name] = self.declared.get(name, scope.variables[name])
            scope = scope.outer


def tested(condition: t.Expr, holds: bool) -> str | None:
    """Return the variable that cannot be none when *condition* holds (or fails)."""
    if holds and isinstance(condition, t.Name):
        return condition.id
    if isinstance(condition, t.Compare) and isinstance(condition.first, t.Name) and len(condition.rest) == 1:
        op, right = condition.rest[0]
        none = isinstance(right, t.Nobody)
        if none and ((op == "!=" and holds) or (op == "==" and not holds)):
            return condition.first.id
        sure = right.type is not None and not isinstance(right.type, ty.Maybe) and right.type != ty.NONE
        if not none and holds and sure and (op == "==" or (op == "in" and _solid(right.type))):
            return condition.first.id
    return None


def _solid(type_: ty.AnyType) -> bool:
    return isinstance(type_, ty.Seq) and not isinstance(type_.of, ty.Maybe)
