"""Recognise what tests have shown: that something can be paid, chosen or carried out.

In:     an effect, and the conditions that hold where it stands.
Out:    whether one of them makes sure that the effect is possible. A condition is recognised by its form only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.analysis.walking import calls_rule, children, nodes, sort_of
from patolli.language import tree as t

if TYPE_CHECKING:
    from patolli.analysis.model import Model


Part = tuple[t.Expr, str, t.Expr | None]
"""A list of which something is taken, the variable for it, and the condition on it."""

TAKEN = ("first", "lowest", "highest")
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def payment_proven(effect: t.Pay, proven: list[t.Expr], model: Model) -> bool:
    """Tell whether a whole cost is there."""
    items = _added_up(effect.items)
    return items is not None and all(_item_proven(item, proven, model) for item in items)


def _item_proven(item: t.Item, proven: list[t.Expr], model: Model) -> bool:
    """Tell whether one part of a cost is there."""
    if item.thing is None:
        paid = [p for p in proven if isinstance(p, t.Call) and p.id == "payable" and p.arguments == [item.amount]]
        return bool(paid) or item.amount == t.Number(0, at=item.at)
    counter = model.counters.get(item.thing)
    held = _held(item, proven, natural=counter is not None and counter.low >= 0)
    most = _not_above(item.amount, proven)
    return any(_is_of(b, item) or (isinstance(b, t.Number) and b.value <= held) for b in most)


def _held(item: t.Item, proven: list[t.Expr], *, natural: bool) -> int:
    """Return how many there are at least of what *item* takes."""
    held = 0
    for left, op, right in (c for proof in proven for c in comparisons(proof)):
        if not _is_of(left, item) or not isinstance(right, t.Number):
            continue
        if op in (">", ">=", "=="):
            held = max(held, right.value + (op == ">"))
        elif op == "!=" and right.value == 0 and natural:
            held = max(held, 1)
    return held


def _is_of(value: t.Expr, item: t.Item) -> bool:
    """Tell whether a value is the number of what *item* takes."""
    if isinstance(value, t.Call) and value.id == "have" and len(value.arguments) == 1:
        return isinstance(value.arguments[0], t.Name) and value.arguments[0].id == item.thing
    if isinstance(value, t.Call) and value.id == item.thing and item.arguments:
        return value.arguments == item.arguments
    return isinstance(value, t.Name) and value.id == item.thing and not item.arguments


def _not_above(amount: t.Expr, proven: list[t.Expr]) -> list[t.Expr]:
    """Return an amount, and all that it is shown to be no more than."""
    found = _least_of(amount)
    for bound in found:  # grows while it is read
        for left, op, right in (c for proof in proven for c in comparisons(proof)):
            if left == bound and op in ("<", "<=", "=="):
                found += [b for b in _least_of(right) if b not in found]
    return found


def _least_of(value: t.Expr) -> list[t.Expr]:
    """Return a value, and those of which it is the least."""
    inner = value.arguments if isinstance(value, t.Call) and value.id == "min" and len(value.arguments) > 1 else []
    return [value, *(bound for argument in inner for bound in _least_of(argument))]


def learnt(effect: t.Effect) -> list[t.Expr]:
    """Return what holds behind an effect because of it alone."""
    match effect:
        case t.Return() if effect.condition is not None:
            return conjuncts(effect.condition) if effect.negated else negated(effect.condition)
        case t.Let():
            if calls_rule(effect.value):
                return []
            return [t.Compare(t.Name(effect.id, at=effect.at), [("==", effect.value)], at=effect.at)]
        case t.Choose(otherwise=None, decline=None):
            spans = [(t.Name(b.id, at=b.at), b.source) for b in effect.binders]
            high = [t.Compare(x, [("<=", s.high)], at=s.at) for x, s in spans if isinstance(s, t.SpanOf)]
            return [*high, *(conjuncts(effect.where) if effect.where is not None else [])]
    return []


def comparisons(proof: t.Expr) -> list[tuple[t.Expr, str, t.Expr]]:
    """Return a comparison read from the left and from the right."""
    if not isinstance(proof, t.Compare) or len(proof.rest) != 1 or proof.rest[0][0] not in MIRRORED:
        return []
    op, right = proof.rest[0]
    return [(proof.first, op, right), (right, MIRRORED[op], proof.first)]


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
    if effect.where is None:
        return filled(binder.source, proven)
    return _part_filled((binder.source, binder.id, effect.where), proven)


def filled(source: t.Expr, proven: list[t.Expr]) -> bool:
    """Tell whether a list has something in it."""
    return _part_filled(_part(source), proven)


def there(expr: t.Expr, proven: list[t.Expr]) -> bool:
    """Tell whether what is taken from a list, as by ``top`` and ``first``, is not none."""
    if isinstance(expr, t.Call) and expr.id in ("top", *TAKEN) and len(expr.arguments) == 1:
        return filled(expr.arguments[0], proven)
    if isinstance(expr, t.Quantifier) and expr.id in TAKEN and len(expr.binders) == 1:
        return _part_filled((expr.binders[0].source, expr.binders[0].id, expr.where), proven)
    return False


def _part_filled(wanted: Part, proven: list[t.Expr]) -> bool:
    source, name, where = wanted
    for proof in proven:
        for shown, variable, which in _shown(proof):
            if shown == source and (where is None or same(which, where, {variable: name})):
                return True
    return False


def _shown(proof: t.Expr) -> list[Part]:
    """Return the lists of which *proof* shows that they are not empty."""
    if isinstance(proof, t.Quantifier) and proof.id == "any" and len(proof.binders) == 1:
        binder = proof.binders[0]
        if proof.value is None or proof.where is None:
            return [(binder.source, binder.id, proof.where if proof.value is None else proof.value)]
        return []
    parts = [_counted(left) for left, op, right in comparisons(proof) if _above_zero(op, right)]
    return [part for part in parts if part is not None] or [_part(proof)]


def _above_zero(op: str, right: t.Expr) -> bool:
    """Tell whether a number of things that compares so is above 0."""
    least = {">": 0, ">=": 1, "==": 1}.get(op)
    if not isinstance(right, t.Number):
        return False
    return right.value == 0 if op == "!=" else least is not None and right.value >= least


def _counted(left: t.Expr) -> Part | None:
    """Recognise ``size(S)``, ``count(S)`` and ``count(x in S where P)``."""
    if isinstance(left, t.Call) and left.id in ("size", "count") and len(left.arguments) == 1:
        return _part(left.arguments[0])
    if isinstance(left, t.Quantifier) and left.id == "count" and len(left.binders) == 1:
        return left.binders[0].source, left.binders[0].id, left.where
    return None


def _part(source: t.Expr) -> Part:
    """Return what a list is taken from: whether it is empty depends on that and on the condition alone."""
    lists = ("list", "sorted", "distinct")
    if isinstance(source, t.Quantifier) and source.id in lists and len(source.binders) == 1:
        return source.binders[0].source, source.binders[0].id, source.where
    return source, "", None


def call_proven(effect: t.Effect, proven: list[t.Expr]) -> bool:
    """Tell whether the very call has been found possible."""
    call = effect.call if isinstance(effect, t.CallRule) else getattr(effect, "value", None)
    return any(isinstance(p, t.Call) and p.id == "can" and p.arguments == [call] for p in proven)


def still_proven(effect: t.Effect, proven: list[t.Expr]) -> list[t.Expr]:
    """Drop what was shown of a variable that an effect sets, or of another with the same name."""
    names: set[str] = set()
    match effect:
        case t.SetTo(target=t.Name(id=name)) | t.Let(id=name) | t.Random(id=name):
            names = {name}
        case t.Choose():
            names = {binder.id for binder in effect.binders}
    if not names:
        return proven
    return [p for p in proven if not any(isinstance(n, t.Name) and n.id in names for n in nodes(p))]


def conjuncts(condition: t.Expr) -> list[t.Expr]:
    """Return the parts that all hold when *condition* does."""
    if isinstance(condition, t.Logic) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    if isinstance(condition, t.Not):
        return negated(condition.of)
    if isinstance(condition, t.Compare) and len(condition.rest) > 1:
        firsts = [condition.first, *(right for _, right in condition.rest)]
        return [t.Compare(first, [pair], at=condition.at) for first, pair in zip(firsts, condition.rest, strict=False)]
    return [condition]


def disjuncts(condition: t.Expr) -> list[t.Expr]:
    """Return the parts of which one holds when *condition* does."""
    if isinstance(condition, t.Logic) and condition.op == "or":
        return [*disjuncts(condition.left), *disjuncts(condition.right)]
    return [condition]


def negated(condition: t.Expr) -> list[t.Expr]:
    """Return the parts that hold when *condition* does not."""
    if isinstance(condition, t.Logic) and condition.op == "or":
        return [*negated(condition.left), *negated(condition.right)]
    if isinstance(condition, t.Not):
        return conjuncts(condition.of)
    if isinstance(condition, t.Compare) and len(condition.rest) == 1:
        op, right = condition.rest[0]
        if op in NEGATED:
            return [t.Compare(condition.first, [(NEGATED[op], right)], at=condition.at)]
    return []


def same(left: object, right: object, names: dict[str, str]) -> bool:
    """Compare two trees, where variables of the left one may have other names."""
    if isinstance(left, t.Name) and isinstance(right, t.Name):
        return names.get(left.id, left.id) == right.id and (left.id in names or right.id not in names.values())
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        assert isinstance(right, list | tuple)
        return len(left) == len(right) and all(same(a, b, names) for a, b in zip(left, right, strict=True))
    if isinstance(left, t.Node):
        return all(same(a, b, names) for a, b in zip(children(left), children(right), strict=True))
    return left == right
