"""Find out whether blocks go on, what they leave unchanged, and whether they return something."""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.node import declaration, walk
from patolli.language.resolve.model import Rule
from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import nodes

HARMLESS = (e.Let, e.Require, e.Expect, e.Return, e.Nothing, e.Say)
"""What changes nothing that a test has looked at."""


def harmless(effect: e.Effect) -> bool:
    """Return whether what was tested before an effect holds behind it, too."""
    match effect:
        case e.If():
            return all(map(harmless, (one for b in (effect.then, effect.other) if not is_terminal(b) for one in b)))
        case e.Choose():
            return effect.otherwise is None or is_terminal(effect.otherwise) or all(map(harmless, effect.otherwise))
    return isinstance(effect, HARMLESS)


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
