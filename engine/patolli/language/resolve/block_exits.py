"""Find out whether blocks go on, what may be different behind them, and whether they return something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.node import Location, Node, declaration, walk
from patolli.language.resolve.model import Model, Rule
from patolli.language.resolve.scopes import ANYTHING
from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import nodes


def list_changes(block: Iterable[e.Effect], anytime: bool) -> Iterator[Location]:
    """Yield what may be different behind effects that go on; *anytime* says that a question may bring other actions."""
    for effect in block:
        nodes_: Iterable[Node] = walk(effect)
        if isinstance(effect, e.If | e.Choose):
            nodes_ = (effect,)
            branches = (effect.then, effect.other) if isinstance(effect, e.If) else (effect.otherwise or (),)
            for branch in branches:
                if not is_terminal(branch):
                    yield from list_changes(branch, anytime)
        for node in nodes_:
            declared = declaration(node)
            if declared.runs or (anytime and _may_ask(node)):
                yield ANYTHING
            sets = isinstance(node, e.Set | e.PassTo)  # others name new variables
            yield from (location for location in declared.writes(node) if sets or location[0] != "variable")


def _may_ask(node: Node) -> bool:
    match node:
        case e.Gain():
            return any(isinstance(item, e.MixItem) for item in node.items)
        case e.For():
            return node.any_order
    return declaration(node).asks != "never"


_STRUCTURE = (
    t.If, t.For, t.Repeat, t.Loop, t.As, t.Option, t.Return, t.Break, t.EndMatch, t.Let, t.Random, t.Say, t.Nothing,
)  # fmt: skip
"""What changes nothing by itself; what stands inside it is looked at, too."""
_QUESTIONS = (t.Choose, t.ChooseSome, t.Menu, t.UpTo)
_MOVES = (t.Move, t.Swap, t.Draw, t.Shuffle, t.Refill, t.Slide)


def is_question(effect: t.Node) -> bool:
    """Return whether an effect as it is written may ask by itself, so that a player may take an anytime action."""
    match effect:
        case t.For():
            return effect.any_order
        case t.Gain():
            return any(item.mix for item in effect.items)
    return isinstance(effect, (*_QUESTIONS, t.Pay))


def list_loop_changes(loop: t.Loop | t.For | t.Repeat | t.UpTo, model: Model) -> Iterator[Location]:
    """Yield what a loop may change before its body runs again, by the first parts of locations."""
    for node in (loop, *nodes(loop.body)):
        match node:
            case t.Effect() if model.anytime and is_question(node):
                yield ANYTHING
            case t.SetTo():
                yield from (("counter",), ("field",), ("variable",))
            case t.PassTo():
                yield ("variable",)
            case t.Gain() if not model.happenings:
                yield ("counter",)
            case _ if isinstance(node, _MOVES) and not model.happenings:
                yield ("pieces",)
            case t.Call() if node.id in model.rules:
                yield ANYTHING
            case t.Effect() if not isinstance(node, (*_STRUCTURE, *_QUESTIONS)):
                yield ANYTHING


def is_terminal(block: e.Block) -> bool:
    """Return whether a block never goes on to the part after it."""
    match block[-1] if block else None:
        case None:
            return False
        case e.If() as last:
            return is_terminal(last.then) and is_terminal(last.other)
        case last:
            return declaration(last).leaves != "never"


def leaves(block: t.Block) -> bool:
    """Find it out for a block as it is written."""
    last = block[-1] if block else None
    if isinstance(last, t.If):
        return leaves(last.then) and leaves(last.other)
    return last is not None and jumps(last)


def jumps(effect: t.Effect) -> bool:
    """Return whether an effect by itself never goes on to the next one."""
    return (isinstance(effect, t.Return) and effect.condition is None) or isinstance(effect, t.Break | t.EndMatch)


def gives(rule: Rule) -> bool:
    """Return whether a rule returns a value anywhere."""
    return any(isinstance(node, t.Return) and node.value is not None for node in nodes(rule.block))


def always_returns(block: e.Block) -> bool:
    """Return whether a rule never ends without a value."""
    returned = [effect for effect in walk(block) if isinstance(effect, e.Return)]
    return _returns(block) and all(effect.value is not None for effect in returned)


def _returns(block: e.Block) -> bool:
    match block[-1] if block else None:
        case e.If() as last:
            return _returns(last.then) and _returns(last.other)
        case e.As() as last:
            return _returns(last.body)
        case e.Menu() as last:
            lines = [option.body for option in last.options]
            return all(map(_returns, lines if last.otherwise is None else [*lines, last.otherwise]))
        case e.Return() | e.EndMatch():
            return True
    return False


def sets_any(block: Iterable[e.Effect]) -> bool:
    """Return whether a variable is set in a block."""
    return any(isinstance(node, e.Set) and isinstance(node.target, x.Local) for node in walk(block))
