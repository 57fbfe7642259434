"""Find out how small a number can be, and whether a list can be empty.

In:     a typed expression, and conditions that hold where it stands.
Out:    a lower bound, or that something is in the list in any case.
"""

from __future__ import annotations

from patolli.analysis.model import Kind, Model
from patolli.analysis.proofs import comparisons, disjuncts, filled
from patolli.analysis.room import instances, leaves_room
from patolli.analysis.walking import nodes
from patolli.language import tree as t
from patolli.program import types as ty


class Amounts:
    """Answers for one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.fewest = model.players[0] + model.automated

    # -- numbers

    def never_negative(self, expr: t.Expr) -> bool:
        """Tell whether a number cannot be below 0."""
        low = self.least(expr)
        return low is not None and low >= 0

    def least(self, expr: t.Expr, proven: list[t.Expr] | None = None) -> int | None:
        """Return a number below which *expr* cannot be; None when there is none to be seen."""
        lows = [self._least(expr, proven)]
        told = [(op, right) for proof in proven or () for left, op, right in comparisons(proof) if left == expr]
        for op, right in told:
            other = self._least(right, None) if op in (">", ">=", "==") else None
            lows.append(None if other is None else other + (op == ">"))
        low = max((one for one in lows if one is not None), default=None)
        if low is not None and any(op == "!=" and right == t.Number(low, at=expr.at) for op, right in told):
            return low + 1
        return low

    def _least(self, expr: t.Expr, proven: list[t.Expr] | None) -> int | None:
        match expr:
            case t.Number():
                return expr.value
            case t.Call(id="min"):
                return self._smallest(expr.arguments, proven)
            case t.Call(id="max"):
                return max((low for a in expr.arguments if (low := self.least(a, proven)) is not None), default=None)
            case t.Call(id="size" | "have" | "abs" | "number") | t.Call(id="count") | t.Quantifier(id="count"):
                return int(expr.id == "number")
            case t.IfElse():
                return self._smallest([expr.then, expr.other], proven)
            case t.Binary():
                return self._computed(expr, proven)
        note = t.note_of(expr)
        match note[0]:
            case "counter":
                return self.model.counters[note[1]].low
            case "seats":
                return self.model.players[0]
            case "field" | "fact":
                kind = self.model.kinds[note[1]]
                return {**kind.facts, **kind.fields}[note[2]].low
        return None

    def _smallest(self, parts: list[t.Expr], proven: list[t.Expr] | None) -> int | None:
        lows = [self.least(part, proven) for part in parts]
        return None if None in lows else min(low for low in lows if low is not None)

    def _computed(self, expr: t.Binary, proven: list[t.Expr] | None) -> int | None:
        left, right = self.least(expr.left, proven), self.least(expr.right, proven)
        if expr.op == "mod":
            return 0 if right is not None and right > 0 else None
        if left is None or right is None:
            return None
        fixed = expr.right.value if isinstance(expr.right, t.Number) else None
        match expr.op:
            case "+":
                return left + right
            case "*":
                return left * right if left >= 0 and right >= 0 else None
            case "-":
                return left - fixed if fixed is not None else None
        return left // fixed if fixed else None

    # -- lists

    def surely(self, effect: t.Choose, proven: list[t.Expr] | None = None) -> bool:
        """Tell whether a choice has something to choose in any case."""
        known = effect.where is None and all(self.nonempty(b.source, proven) for b in effect.binders)
        return known or leaves_room(effect, self.model) or self._names_one(effect)

    def nonempty(self, source: t.Expr, proven: list[t.Expr] | None = None) -> bool:
        """Tell whether a list cannot be empty."""
        match source:
            case t.Listing():
                return bool(source.items)
            case t.SpanOf(low=t.Number(low)):
                high = self.least(source.high, proven)
                return high is not None and low <= high
            case t.Quantifier(id="list" | "sorted" | "distinct", where=None):
                return all(self.nonempty(b.source, proven) for b in source.binders)
        note = t.note_of(source)
        match note:
            case ("builtin", "others"):
                return self.fewest > 1
            case ("builtin", "turn_order"):
                return True
            case ("builtin", "reverse" | "rotate") if isinstance(source, t.Call):
                return self.nonempty(source.arguments[0], proven)
        known = note[0] in ("players", "group") or (note[0] == "kind" and has_some(self.model.kinds[note[1]]))
        return known or filled(source, proven or [])

    def _names_one(self, effect: t.Choose) -> bool:
        """Recognise ``x in K where x == one or ..``, and ``x in K where x != one`` when K has several."""
        source = t.note_of(effect.binders[0].source)
        if len(effect.binders) != 1 or effect.where is None or source[0] not in ("players", "kind"):
            return False
        name = effect.binders[0].id
        for left, op, right in (c for part in disjuncts(effect.where) for c in comparisons(part)):
            mine = isinstance(left, t.Name) and left.id == name and not any(n == left for n in nodes(right))
            if mine and isinstance(right.type, ty.Ref) and (op == "==" or (op == "!=" and self._several(source))):
                return True
        return False

    def _several(self, source: tuple[str, ...]) -> bool:
        if source[0] == "players":
            return self.fewest > 1
        number = instances(self.model.kinds[source[1]], self.fewest)
        return number is not None and number > 1


def has_some(kind: Kind) -> bool:
    """Tell whether a kind has an instance whatever the options and the number of seats."""
    if kind.name == "player" or kind.members or kind.lays:
        return True
    copies = [design.copies for design in kind.designs]
    return any(c is None or (isinstance(c, t.Number) and c.value > 0) for c in copies)
