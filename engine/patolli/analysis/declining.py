"""Follow what stands behind a choice when nothing was chosen.

In:     the effects behind the choice, and the variables that are none then.
Out:    the effects that remain when the tests of these variables are decided.
"""

from __future__ import annotations

from collections.abc import Collection

from patolli.analysis.effects import leaves
from patolli.analysis.traits import walk
from patolli.language import tree as t


def without(block: t.Block, names: Collection[str]) -> t.Block:
    """Return what is left of a block when the variables *names* are none."""
    remaining: t.Block = []
    for position, effect in enumerate(block):
        if any(_names_anew(inner, names) for inner in walk([effect])):
            return [*remaining, *block[position:]]
        if isinstance(effect, t.Return) and effect.condition is not None:
            holds = _decided(effect.condition, names)
            if holds is None:
                remaining.append(effect)
            elif holds != effect.negated:
                return [*remaining, t.Return(None, at=effect.at)]
        elif isinstance(effect, t.If):
            holds = _decided(effect.condition, names)
            if holds is None:
                then, other = without(effect.then, names), without(effect.other, names)
                remaining.append(t.If(effect.condition, then, other, at=effect.at))
                continue
            taken = effect.then if holds else effect.other
            remaining += without(taken, names)
            if leaves(taken):
                return remaining
        else:
            remaining.append(effect)
    return remaining


def _names_anew(effect: t.Effect, names: Collection[str]) -> bool:
    if isinstance(effect, t.SetTo):
        return isinstance(effect.target, t.Name) and effect.target.id in names
    return isinstance(effect, t.Let) and effect.id in names


def _decided(condition: t.Expr, names: Collection[str]) -> bool | None:
    """Return what a condition is when *names* are none; None where that is not known."""
    match condition:
        case t.Name():
            return False if condition.id in names else None
        case t.Not():
            inner = _decided(condition.of, names)
            return None if inner is None else not inner
        case t.Logic():
            sides = [_decided(condition.left, names), _decided(condition.right, names)]
            deciding = condition.op == "or"
            if deciding in sides:
                return deciding
            return None if None in sides else not deciding
        case t.Compare(t.Name(name), [(op, t.Nobody())]) if name in names:
            return {"==": True, "!=": False}.get(op)
    return None
