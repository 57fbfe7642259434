"""Find hidden piles, from whose top is taken, and that nothing ever shuffles.

The pieces lie there in the order in which they are declared, so every match takes the same ones: a pile is hidden
because its order shall be unknown. Where all that begins there is alike no order matters, and what is drawn into a
place that is shuffled has lost its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of
from patolli.check.lints.usage import WORD
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import walk
from patolli.language.sources import texts


@check("P1441")
def never_shuffled(reviewed: Reviewed) -> Iterator[Problem]:
    """Find hidden piles that are never shuffled."""
    program = reviewed.program
    beginning = Counter(design.place.place for design in program.designs.values() if design.place is not None)
    left_out = {word for tree in program.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    shuffled = {node.place.place for block in blocks_of(program) for node in walk(block) if isinstance(node, e.Shuffle)}
    taken = set(_taken_from_the_top(program, shuffled))
    for name, place in program.places.items():
        hidden = place.type == "pile" and place.visible == "none" and beginning[name] > 1
        if hidden and name in taken - shuffled - left_out and reviewed.may_report_unused("places", name):
            text = f"no player sees into {name!r}, and nothing shuffles it: the same pieces come up in every match"
            yield Problem("P1441", text, place.span, f"write 'shuffle {name}' in `setup`", (), "warning")


def _taken_from_the_top(program: Program, shuffled: set[str]) -> Iterator[str]:
    """Yield the places whose top piece is taken or looked at."""
    functions = (function.body for function in program.functions.values())
    for node in walk(*blocks_of(program), *functions):
        match node:
            case e.Draw(source=source, to=to) if to.place not in shuffled:
                yield source.place
            case e.Refill(source=source):
                yield source.place
            case (
                x.BuiltinCall(builtin="top", arguments=(x.Held(place=name), *_))
                | x.Whole(op="first", of=x.Held(place=name))
            ):
                yield name
