"""What is known of numbers at one place: nothing, or what facts say."""

from __future__ import annotations

from patolli.check.proofs.intervals import ANY, UNKNOWN, Interval, Range
from patolli.language.program import expressions as x


class Known:
    """What is known of numbers at one place: nothing, where a subclass does not say more."""

    __slots__ = ()

    def bounds(self, expr: x.Expr) -> Interval:
        """Return what is known of the value of an expression because of facts alone."""
        return ANY

    def assuming(self, condition: x.Expr, holds: bool = True) -> Known:
        """Return what is known where a condition holds, or does not."""
        return self

    def decide_condition(self, condition: x.Expr) -> bool | None:
        """Return whether a condition is known to hold, or not to."""
        return None

    def stands_for(self, variable: x.Variable) -> x.Expr | None:
        """Return the expression that a variable is another name for."""
        return None

    def range_of(self, variable: x.Variable) -> Range:
        """Return what the value of a variable may be, whatever has changed since the variable got it."""
        return UNKNOWN


NO_FACTS = Known()


class Bound(Known):
    """What is known, with the range of one variable more."""

    def __init__(self, outer: Known, variable: x.Variable, range_: Range) -> None:
        self.outer, self.variable, self.range = outer, variable, range_

    def bounds(self, expr: x.Expr) -> Interval:
        """Return the bounds of the variable, or what was known before."""
        if isinstance(expr, x.Local) and expr.variable is self.variable:
            return self.range.number.meet(self.outer.bounds(expr))
        return self.outer.bounds(expr)

    def assuming(self, condition: x.Expr, holds: bool = True) -> Known:
        """Return what is known where a condition holds, or does not."""
        return Bound(self.outer.assuming(condition, holds), self.variable, self.range)

    def decide_condition(self, condition: x.Expr) -> bool | None:
        """Return what was known before."""
        return self.outer.decide_condition(condition)

    def stands_for(self, variable: x.Variable) -> x.Expr | None:
        """Return what was known before."""
        return self.outer.stands_for(variable)

    def range_of(self, variable: x.Variable) -> Range:
        """Return the range of the variable, or what was known before."""
        return self.range if variable is self.variable else self.outer.range_of(variable)
