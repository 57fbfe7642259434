"""Find effects that change nothing: ``set x to x``, ``gain 0 coin``, ``repeat 0 times``, ``for i in 3..1``.

Only a number that is written out counts. A constant, an option or a table that happens to be 0 is there to be changed.
A loop variable that is set and not read afterwards changes nothing either. A call whose numbers leave the rule nothing
to choose from is such an effect, too: it is never possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of
from patolli.check.proofs.terms import key
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Rule
from patolli.language.program.node import Node, walk
from patolli.language.resolve.presence import worked_out

_REMOVE = "remove it; for an effect that does nothing, write 'nothing'"


_COPY = "set the whole list instead, as in 'set xs to [f(x) for x in xs]'"


@check("P0460")
def idle_effect(reviewed: Reviewed) -> Iterator[Problem]:
    """Find effects that change nothing."""
    for block in blocks_of(reviewed.program):
        for node in walk(block):
            why = _why_idle(node)
            if why and reviewed.written_here(node.span):
                yield Problem("P0460", f"this changes nothing: {why}", node.span, _REMOVE, (), "warning")
            if isinstance(node, e.CallRule) and reviewed.written_here(node.span):
                yield from _without_choice(node, reviewed.program.rules[node.rule])
        for effect, name in _list_lost_sets(block):
            if reviewed.written_here(effect.span):
                text = f"this changes nothing: {name!r} is a copy, and nothing reads it afterwards"
                yield Problem("P0460", text, effect.span, _COPY, (), "warning")
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
    """Return whether all that a block does is to take something and give it back."""
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


def _list_lost_sets(block: e.Block) -> Iterator[tuple[e.Set, str]]:
    """Yield where a loop variable is set that nothing reads afterwards, with its name."""
    for loop in (node for node in walk(block) if isinstance(node, e.For)):
        variables = {binder.variable for binder in loop.binders}
        sets = [node for node in walk(loop.body) if isinstance(node, e.Set) and _get_variable(node.target) in variables]
        if not sets:
            continue
        again = {id(node) for inner in walk(loop.body) if isinstance(inner, e.Looping) for node in walk(inner)}
        order = {id(node): number for number, node in enumerate(walk(loop.body))}
        for effect in sets:
            variable = _get_variable(effect.target)
            own = {id(node) for one in sets if one.target == effect.target for node in walk(one)}
            reads = [n for n in walk(loop.body) if _get_variable(n) is variable and id(n) not in own]
            if variable is not None and not any(id(effect) in again or order[id(n)] > order[id(effect)] for n in reads):
                yield effect, variable.name


def _get_variable(node: Node) -> Variable | None:
    return node.variable if isinstance(node, x.Local) else None


def _why_idle(node: Node) -> str:
    match node:
        case e.Set(target=target, value=value) if target == value:
            return "it is set to itself"
        case e.Gain(items=items) if any(map(_none_of_it, items)):
            return "the amount is 0"
        case e.Draw(amount=x.Number(value=0)):
            return "the number is 0"
        case e.Repeat(times=x.Number(value=0)) | e.UpTo(times=x.Number(value=0)):
            return "it is done 0 times"
        case e.For(binders=binders) if empty := _empty(binders, {}):
            return f"{empty} is empty, numbers go from the lower to the higher one"
        case e.Swap(first=first, second=second) if first == second:
            return "both are the same"
        case e.PassTo(variable=variable, who=x.Local(variable=who)) if who is variable:
            return "it is my turn already"
    return ""


def _none_of_it(item: e.Item) -> bool:
    amount = getattr(item, "amount", None)
    return isinstance(amount, x.Number) and amount.value == 0


def _without_choice(call: e.CallRule, rule: Rule) -> Iterator[Problem]:
    """Report numbers in a call with which a choice of the rule, that comes in any case, is out of an empty range."""
    pairs = zip(rule.parameters, call.arguments, strict=False)
    given = {variable: one.value for variable, one in pairs if isinstance(one, x.Number)}
    for effect in rule.block if given else ():
        if any(isinstance(node, e.Return | e.Break | e.EndMatch | e.Set) for node in walk(effect)):
            return  # it may not come to the rest, or the number may be another one there
        if isinstance(effect, e.Choose) and effect.decline is None and effect.otherwise is None:
            empty = _empty(effect.binders, given)
            if empty:
                text = f"with these numbers there is nothing to choose: {empty} is empty"
                also = ((effect.span, "this choice"),)
                yield Problem("P0460", text, call.span, "swap or change the numbers", also, "warning")
                return


def _empty(binders: tuple[x.Binder, ...], given: dict[Variable, int]) -> str:
    """Return the first empty range that is gone through, as far as the given numbers show."""
    for source in (binder.source for binder in binders):
        if isinstance(source, x.Range):
            low, high = _number(source.low, given), _number(source.high, given)
            if low is not None and high is not None and high < low:
                return f"{low}..{high}"
    return ""


def _number(expr: x.Expr, given: dict[Variable, int]) -> int | None:
    """Return the number that an expression is, where it is made of numbers that are written out or given."""
    match expr:
        case x.Number(value=value):
            return value
        case x.Local(variable=variable):
            return given.get(variable)
        case x.Arithmetic(op=op, left=left, right=right):
            return worked_out(op, _number(left, given), _number(right, given))
    return None
