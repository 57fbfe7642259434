"""Find places in which no piece can ever lie, although rules look at them."""

from __future__ import annotations

from collections.abc import Iterator

from patolli.diagnostics import Problem
from patolli.lints.check import Reviewed, check
from patolli.lints.trees import blocks_of, conditions_outside
from patolli.lints.usage import WORD
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program.model import Program
from patolli.program.node import Node, children
from patolli.sources import texts


@check("P0451")
def never_filled(reviewed: Reviewed) -> Iterator[Problem]:
    """Find places where no piece begins and to which nothing moves one."""
    program = reviewed.program
    left_out = {word for tree in program.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    known, taken = set(_filled(program)) | left_out, set(_taken_from(program))
    for name, place in program.places.items():
        if name in known or name not in taken or not _in_play(reviewed, place.of):
            continue
        if reviewed.blamed("places", name):
            text = f"nothing ever lies in {name!r}"
            help_ = "move pieces there, or say 'place' where the pieces are declared"
            yield Problem("P0451", text, place.span, help_, (), "warning")


def _in_play(reviewed: Reviewed, kind: str) -> bool:
    """Tell whether some piece of a kind comes into play; where none does, that is the mistake."""
    usage = reviewed.usage
    designs = reviewed.program.kinds[kind].designs
    return any(one.place is not None or kind in usage.all or usage.uses("piece", one.id) for one in designs)


def _filled(program: Program) -> Iterator[str]:
    """Yield the places in which pieces begin, and those to which effects bring some."""
    for design in program.designs.values():
        if design.place is not None:
            yield design.place.place
    for node in _walk(*(effect for block in blocks_of(program) for effect in block)):
        match node:
            case e.Move(to=to) | e.Draw(to=to) | e.Refill(row=to):
                yield to.place


def _taken_from(program: Program) -> Iterator[str]:
    """Yield the places from which rules take pieces or at whose pieces they look; a place may be counted in vain."""
    blocks = (effect for block in blocks_of(program) for effect in block)
    functions = (function.body for function in program.functions.values())
    for node in _walk(*blocks, *functions, *conditions_outside(program)):
        match node:
            case x.Held(place=name) | x.RowSpot(place=name):
                yield name
            case e.Draw(source=source) | e.Refill(source=source):
                yield source.place


def _walk(*roots: Node) -> Iterator[Node]:
    """Yield the nodes of some trees, without places of which only the pieces are counted."""
    open_ = list(roots)
    while open_:
        here = open_.pop()
        yield here
        match here:
            case x.BuiltinCall(builtin="size", arguments=(x.Held() as held,)) | x.Filled(of=x.Held() as held):
                open_ += held.indices
            case x.Whole(op="count" | "any", of=x.Held() as held):
                open_ += held.indices
            case _:
                open_ += children(here)
