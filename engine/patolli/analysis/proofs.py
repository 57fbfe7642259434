"""Recognise what tests have shown: that something can be paid, chosen or carried out.

In:     an effect, and the conditions that hold where it stands.
Out:    whether one of them makes sure that the effect is possible. A condition is recognised by its form only.
"""

from __future__ import annotations

from patolli.analysis.walking import children, nodes, sort_of
from patolli.language import tree as t


def payment_proven(effect: t.Pay, proven: list[t.Expr]) -> bool:
    """Tell whether a whole cost is there."""
    items = _added_up(effect.items)
    return items is not None and all(item_proven(item, proven) for item in items)


def item_proven(item: t.Item, proven: list[t.Expr]) -> bool:
    """Tell whether one part of a cost is there."""
    if isinstance(item.amount, t.Number) and item.amount.value == 0:
        return True
    for proof in proven:
        if (
            isinstance(proof, t.Call)
            and proof.id == "payable"
            and item.thing is None
            and proof.arguments == [item.amount]
        ):
            return True
        if isinstance(proof, t.Compare) and len(proof.rest) == 1 and _enough(proof, item):
            return True
    return False


def _enough(proof: t.Compare, item: t.Item) -> bool:
    op, right = proof.rest[0]
    left = proof.first
    same = isinstance(left, t.Name) and left.id == item.thing and not item.arguments
    if isinstance(left, t.Call) and left.id == "have" and len(left.arguments) == 1:
        same = isinstance(left.arguments[0], t.Name) and left.arguments[0].id == item.thing
    if not same or op not in (">=", ">", "=="):
        return False
    if right == item.amount:
        return True
    low = right.value + (op == ">") if isinstance(right, t.Number) else -1
    return isinstance(item.amount, t.Number) and low >= item.amount.value


def _added_up(items: list[t.Item]) -> list[t.Item] | None:
    """Join the items that take the same counter; None where it is not known whether they do."""
    if len(items) < 2:
        return items
    total: dict[str, t.Item] = {}
    for item in items:
        if item.thing is None or item.mix or item.arguments or sort_of(item) == "variable":
            return None
        before = total.get(item.thing)
        if before is None:
            total[item.thing] = item
        elif isinstance(before.amount, t.Number) and isinstance(item.amount, t.Number):
            amount = t.Number(before.amount.value + item.amount.value, at=item.amount.at)
            total[item.thing] = t.Item(amount, item.thing, at=item.at, note=item.note)
        else:
            return None
    return list(total.values())


def choice_proven(effect: t.Choose, proven: list[t.Expr]) -> bool:
    """Tell whether there is something to choose."""
    if len(effect.binders) != 1:
        return False
    binder = effect.binders[0]
    for proof in proven:
        if isinstance(proof, t.Quantifier) and proof.id == "any" and proof.value is None and len(proof.binders) == 1:
            names = {proof.binders[0].id: binder.id}
            same_source = proof.binders[0].source == binder.source
            if same_source and (effect.where is None or same(proof.where, effect.where, names)):
                return True
        if effect.where is None and proof == binder.source:
            return True
        if effect.where is None and isinstance(proof, t.Compare) and _counts(proof, binder.source):
            return True
    return False


def _counts(proof: t.Compare, source: t.Expr) -> bool:
    """Recognise ``size(S) > 0`` and ``count(S) >= 1``."""
    op, right = proof.rest[0]
    left = proof.first
    counts = isinstance(left, t.Call) and left.id in ("size", "count") and left.arguments == [source]
    least = {">": 0, ">=": 1}.get(op)
    return counts and least is not None and isinstance(right, t.Number) and right.value >= least


def call_proven(effect: t.Effect, proven: list[t.Expr]) -> bool:
    """Tell whether the very call has been found possible."""
    call = effect.call if isinstance(effect, t.CallRule) else getattr(effect, "value", None)
    return any(isinstance(p, t.Call) and p.id == "can" and p.arguments == [call] for p in proven)


def still_proven(effect: t.Effect, proven: list[t.Expr]) -> list[t.Expr]:
    """Drop what was shown of a variable that an effect sets."""
    if not isinstance(effect, t.SetTo) or not isinstance(effect.target, t.Name):
        return proven
    name = effect.target.id
    return [p for p in proven if not any(isinstance(n, t.Name) and n.id == name for n in nodes(p))]


def conjuncts(condition: t.Expr) -> list[t.Expr]:
    """Return the parts that all hold when *condition* does."""
    if isinstance(condition, t.Logic) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    if isinstance(condition, t.Not):
        return negated(condition.of)
    return [condition]


def negated(condition: t.Expr) -> list[t.Expr]:
    """Return the parts that hold when *condition* does not."""
    if isinstance(condition, t.Logic) and condition.op == "or":
        return [*negated(condition.left), *negated(condition.right)]
    if isinstance(condition, t.Not):
        return conjuncts(condition.of)
    if isinstance(condition, t.Compare) and len(condition.rest) == 1:
        op, right = condition.rest[0]
        flipped = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}.get(op)
        if flipped:
            return [t.Compare(condition.first, [(flipped, right)], at=condition.at)]
    return []


def same(left: object, right: object, names: dict[str, str]) -> bool:
    """Compare two trees, where variables of the left one may have other names."""
    if isinstance(left, t.Name) and isinstance(right, t.Name):
        return names.get(left.id, left.id) == right.id
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        assert isinstance(right, list | tuple)
        return len(left) == len(right) and all(same(a, b, names) for a, b in zip(left, right, strict=True))
    if isinstance(left, t.Node):
        return all(same(a, b, names) for a, b in zip(children(left), children(right), strict=True))
    return left == right
