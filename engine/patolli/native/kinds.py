"""What is known of values before code is written: whole numbers need no looking at.

A kind is ``INT``; ``ANY``; ``STATE`` for the list of a match; or a pair of ``"list"`` or ``"tuple"`` with the kind of the
items. A tuple has its items directly behind its head. None stands for what was not met yet.
"""

from __future__ import annotations

import ast
from typing import Any

INT, ANY, STATE, FRAME = "int", "any", "state", "frame"
Kind = Any
COUNTING = frozenset(
    "len abs sum int bool sized ranged product within position place_of cell_at moved_on top whole_min whole_max distance "
    "find payable tried some_of can_do drawn below random_below load64 any all isinstance".split()
)
"""Functions that give a number, or whether something holds."""
LISTING = frozenset(
    "row_pieces take reverse rotate each_once span connected".split()
)
"""Functions that give a list of whatever comes in."""

DIRECT: dict[str, tuple[str, str]] = {
    "renew": ("", "n"), "look": ("", "n"), "tick": ("n", "n"), "whole": ("wn", "w"), "below": ("wnw", "n"),
    "shuffle": ("wnw", "n"), "random_below": ("n", "n"), "seeded": ("n", "n"), "collect": ("w", "w"),
    "record": ("nnww", "n"), "state_told": ("w", "n"), "hashed": ("w", "n"), "push": ("ww", "n"), "new": ("nn", "w"),
}  # fmt: skip
"""Functions of ``support`` that are called by name: for each argument whether it is a word, and whether a word comes back."""


def join(one: Kind, other: Kind) -> Kind:
    """Return the kind of what is one or the other."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    if isinstance(one, tuple) and isinstance(other, tuple):
        return ("list", join(one[1], other[1]))
    return ANY


def of_value(value: Any, known: dict[int, Kind]) -> Kind:
    """Return the kind of what no match changes."""
    if isinstance(value, int):
        return INT
    if isinstance(value, range):
        return ("tuple", INT)
    if isinstance(value, tuple):
        found = known.get(id(value))
        if found is None:
            inner: Kind = None
            for one in value:
                inner = join(inner, of_value(one, known))
                if inner == ANY:
                    break
            found = known[id(value)] = ("tuple", inner)
        return found
    return ANY


class Slots:
    """Which slots of a state hold numbers, and which lists."""

    def __init__(self, layout: Any) -> None:
        self.first = layout.lists[0] if layout.lists else len(layout.initial)
        self.size = len(layout.initial)
        self.odd = {slot for slot in range(4, self.first) if not isinstance(layout.initial[slot], int)}

    def kind(self, slot: int) -> Kind:
        """Return the kind of a slot, or of those from it on."""
        if slot >= self.first:
            return ("list", INT)
        if slot in (1, 2):
            return INT
        return INT if slot >= 4 and not any(slot <= odd for odd in self.odd) else ANY


def constant(node: ast.expr) -> int:
    """Return the number that is always part of a sum."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int) else 0
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return constant(node.left) + constant(node.right)
    return 0
