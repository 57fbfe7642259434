"""Find loops that step over the number at which they end: from 0 by 3, 10 is never reached.

Only what is certain is reported: a variable or counter that is set to a number right before the loop, changed by one
number in each pass, and compared by ``==`` with a number in the only way out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of
from patolli.check.proofs.terms import key
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import declaration, walk


@check("P0476")
def stepped_over(reviewed: Reviewed) -> Iterator[Problem]:
    """Find loops whose end is never reached."""
    for block in blocks_of(reviewed.program):
        for inner in (block, *_inner(block)):
            for position, effect in enumerate(inner):
                if isinstance(effect, e.Loop):
                    problem = _looked_at(reviewed, inner[:position], effect)
                    if problem is not None and reviewed.written_here(problem.span):
                        yield problem


def _inner(block: e.Block) -> Iterator[e.Block]:
    """Yield the blocks inside a block."""
    for node in walk(block):
        for name in ("body", "then", "other", "otherwise"):
            inner = getattr(node, name, None)
            if isinstance(inner, tuple) and inner and isinstance(inner[0], e.Effect):
                yield inner


def _looked_at(reviewed: Reviewed, before: e.Block, loop: e.Loop) -> Problem | None:
    end = _end(reviewed, loop.body)
    if end is None or not isinstance(end.right, x.Number):
        return None
    start, step = _start(reviewed, before, end.left), _step(reviewed, loop.body, end.left)
    if start is None or not step or _is_clamped(reviewed.program, end.left, step):
        return None
    way = end.right.value - start
    if not way or (way % step == 0 and way // step > 0):
        return None
    words = f"the loop never ends: it goes from {start} in steps of {step} and never reaches {end.right.value}"
    help_ = f"compare with '{'>=' if step > 0 else '<='}'"
    return Problem("P0476", words, end.span, help_, (), "warning")


def _end(reviewed: Reviewed, body: e.Block) -> x.Compare | None:
    """Return the only condition under which a loop is left, where it compares something with a number."""
    exits = [
        node
        for node in walk(body)
        if declaration(node).leaves != "never"
        or (isinstance(node, e.Effect) and declaration(node).runs and reviewed.summaries.of((node,)).ends)
    ]
    for effect in body:
        if isinstance(effect, e.If) and not effect.other and exits and list(effect.then[-1:]) == exits:
            condition = effect.condition
            if isinstance(condition, x.Compare) and condition.op == "==":
                return condition
    return None


def _start(reviewed: Reviewed, before: e.Block, what: x.Expr) -> int | None:
    """Return the number to which something was set last."""
    for effect in reversed(before):
        match effect:
            case e.Let(variable=variable, value=x.Number(value=start)):
                if isinstance(what, x.Local) and what.variable is variable:
                    return start
            case e.Set(target=target, value=x.Number(value=start)) if key(target) == key(what):
                return start
        if _changes(reviewed, (effect,), what):
            return None
    return None


def _changes(reviewed: Reviewed, effects: Iterable[e.Effect], what: x.Expr) -> bool:
    return bool(reviewed.summaries.of(tuple(effects)).writes & reviewed.summaries.read_by(what))


def _step(reviewed: Reviewed, body: e.Block, what: x.Expr) -> int | None:
    """Return by how much each pass changes something; None where that is not one number, in one place."""
    changing = [effect for effect in body if _changes(reviewed, (effect,), what)]
    match changing:
        case [e.Set(target=target, value=x.Arithmetic(op="+" | "-" as op, left=left, right=x.Number(value=by)))]:
            same = key(target) == key(what) == key(left)
            return (by if op == "+" else -by) if same else None
        case [e.Gain(items=(e.CounterItem(amount=x.Number(value=by)) as item,)) as gain]:
            same = isinstance(what, x.CounterAt) and (what.counter, key(what.indices)) == (
                item.counter,
                key(item.indices),
            )
            return (-by if gain.less else by) if same else None
    return None


def _is_clamped(program: Program, what: x.Expr, step: int) -> bool:
    """Return whether a counter stops at a bound on its way."""
    return isinstance(what, x.CounterAt) and (step < 0 or program.counters[what.counter].high is not None)
