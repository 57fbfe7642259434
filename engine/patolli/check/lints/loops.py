"""Find variables that are taken from a list and then not looked at.

``for p in players: gain 1 coin`` gives one player all the coins: who acts in a loop is still me. So a loop over players
whose body does not look at them is reported, and so is a condition or value that is computed for each item and is the
same for all. What only counts is left alone: ``for c in hand(me): gain 1 coin`` is a coin for each card, a loop over
numbers says how often, and ``sum(2 for x in S)`` how much; but to set the same thing for each item does not count
anything. A name that begins with ``_`` says that it is not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of, expressions_of, read_by
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.expressions import Variable
from patolli.language.program.node import declaration, walk


@check("P0450")
def unread_item(reviewed: Reviewed) -> Iterator[Problem]:
    """Find loops and quantifiers that do not look at what they go over."""
    for block in blocks_of(reviewed.program):
        for node in walk(block):
            if isinstance(node, e.For):
                yield from _loop(reviewed, node)
    for tree in expressions_of(reviewed.program):
        for node in walk(tree):
            if isinstance(node, x.Quantifier):
                yield from _quantifier(reviewed, node)


def unread(binders: tuple[x.Binder, ...], read: set[Variable]) -> list[x.Binder]:
    """Return the binders whose variables neither are among those that are read nor lead to a later binder."""
    read = read | read_by(*(binder.source for binder in binders))
    return [one for one in binders if one.variable not in read and one.variable.name[:1] not in ("", "_")]


def _loop(reviewed: Reviewed, loop: e.For) -> Iterator[Problem]:
    for binder in unread(loop.binders, read_by(loop.where, loop.body)):
        if isinstance(binder.source, x.Range) or not reviewed.written_here(binder.variable.span):
            continue
        name = binder.variable.name
        if ty.strip(binder.variable.type) != ty.Ref("player") and not _idle_again(loop.body):
            continue
        if ty.strip(binder.variable.type) == ty.Ref("player"):
            help_ = f"`me` is still the acting player; write 'as {name}:' for each of them, or name {name!r} inside"
        else:
            help_ = f"name {name!r} inside, or leave the loop out"
        text = f"the loop does not use its variable {name!r}"
        yield Problem("P0450", text, binder.variable.span, help_, (), "warning")


def _idle_again(body: e.Block) -> bool:
    """Return whether doing a block a second time makes no difference."""
    return all(isinstance(effect, e.Set) and not _builds_on_itself(effect) for effect in body)


def _builds_on_itself(effect: e.Set) -> bool:
    written = set(declaration(effect).writes(effect))
    return any(written & set(declaration(node).reads(node)) for node in walk(effect.value))


def _quantifier(reviewed: Reviewed, node: x.Quantifier) -> Iterator[Problem]:
    parts = [part for part in (node.where, node.value, node.by) if part is not None]
    if all(_same_always(part) for part in parts):
        return
    for binder in unread(node.binders, read_by(*parts)):
        if not reviewed.written_here(binder.variable.span):
            continue
        name = binder.variable.name
        mine = ty.strip(binder.variable.type) == ty.Ref("player")
        help_ = (
            f"without {name!r}, it belongs to the acting player; name {name!r} in it"
            if mine
            else f"name {name!r} in it"
        )
        text = f"this is the same for every {name!r}"
        yield Problem("P0450", text, parts[0].span, help_, ((binder.variable.span, "named here"),), "warning")


def _same_always(part: x.Expr) -> bool:
    """Return whether a value looks at nothing that changes, as a number or a constant does."""
    return not any(list(declaration(node).reads(node)) for node in walk(part))
