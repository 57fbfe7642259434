"""Find effects that change nothing: ``set x to x``, ``gain 0 coin``, ``repeat 0 times``.

Only a number that is written out counts. A constant, an option or a table that happens to be 0 is there to be changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from patolli.diagnostics import Problem
from patolli.lints.check import Reviewed, check
from patolli.lints.trees import blocks_of
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program.node import Node, walk
from patolli.proofs.terms import key

_REMOVE = "remove it; where there shall be an effect that does nothing, write 'nothing'"


@check("P0460")
def idle_effect(reviewed: Reviewed) -> Iterator[Problem]:
    """Find effects that change nothing."""
    for block in blocks_of(reviewed.program):
        for node in walk(block):
            why = _why_idle(node)
            if why and reviewed.written_here(node.span):
                yield Problem("P0460", f"this changes nothing: {why}", node.span, _REMOVE, (), "warning")
    for block in _blocks(reviewed):
        if _given_back(reviewed, block) and reviewed.written_here(block[-1].span):
            text = "all of this changes nothing: what is paid comes back"
            yield Problem("P0460", text, block[-1].span, _REMOVE, ((block[0].span, "paid here"),), "warning")


def _blocks(reviewed: Reviewed) -> Iterator[e.Block]:
    """Yield what is carried out as a whole: rules, and what is behind an option."""
    for block in blocks_of(reviewed.program):
        yield block
        yield from (node.body for node in walk(block) if isinstance(node, e.Option))


def _given_back(reviewed: Reviewed, block: e.Block) -> bool:
    """Tell whether all that a block does is to take something and give it back."""
    if len(block) < 2 or not isinstance(block[0], e.Pay):
        return False
    left: Counter[Hashable] = Counter()
    for effect in block:
        if not isinstance(effect, e.Pay | e.Gain) or reviewed.summaries.asks(effect):
            return False
        if isinstance(effect, e.Pay) and (effect.tag is not None or reviewed.summaries.spends(effect)):
            return False
        for item in effect.items:
            if not isinstance(item, e.CounterItem) or not isinstance(item.amount, x.Number):
                return False
            up = isinstance(effect, e.Gain) and not effect.less
            left[item.counter, key(item.indices)] += item.amount.value if up else -item.amount.value
    return not any(left.values())


def _why_idle(node: Node) -> str:
    match node:
        case e.Set(target=target, value=value) if target == value:
            return "it is set to what it is"
        case e.Gain(items=items) if any(map(_none_of_it, items)):
            return "the amount is 0"
        case e.Draw(amount=x.Number(value=0)):
            return "the number is 0"
        case e.Repeat(times=x.Number(value=0)) | e.UpTo(times=x.Number(value=0)):
            return "it is done 0 times"
        case e.Swap(first=first, second=second) if first == second:
            return "both are the same"
        case e.PassTo(variable=variable, who=x.Local(variable=who)) if who is variable:
            return "it is my turn already"
    return ""


def _none_of_it(item: e.Item) -> bool:
    amount = getattr(item, "amount", None)
    return isinstance(amount, x.Number) and amount.value == 0
