"""The register of built-in functions: one row each, read by the checker, the compiler and the reference page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from patolli.language.program import types as ty

Types = list[ty.AnyType]


@dataclass(frozen=True, slots=True)
class Builtin:
    """One built-in function.

    ``parameters`` says what each argument must be: ``int``, ``bool``, ``list``, ``player``, ``ref`` (an instance),
    ``cell``, ``cells``, ``group``, ``place``, ``grid``, ``rule``, ``cost``, ``relation`` (the name of what leads from
    one instance to a list of them). ``result`` computes the type from those of
    the arguments. ``example`` is an expression over the documentation's sample pack with its value. ``phrase`` says it in
    English, with the arguments in braces. ``gives`` says to proofs what comes back of the list that is the first
    argument: ``same`` items in some order, ``some`` of them, ``one``; nothing where it is something else. ``looks``
    says that where the pieces of its kind are is looked at, too, beside the arguments.

    ``since`` is the version of the language that brings it; in a text of an earlier one its name is any other name.

    The compiler calls the function of the kernel of the same name, unless ``compiler.builtins`` knows better.
    """

    name: str
    parameters: tuple[str, ...]
    result: Callable[[Types], ty.AnyType]
    text: str
    example: str
    phrase: str
    gives: str = ""
    looks: bool = False
    since: int = 1


def _item(types: Types) -> ty.AnyType:
    return types[0].of if isinstance(types[0], ty.Seq) else ty.ANY


_PLAYER = ty.Ref("player")

BUILTINS: dict[str, Builtin] = {
    b.name: b
    for b in (
        Builtin("abs", ("int",), lambda a: ty.INT, "The number without its sign.", "abs(2 - 5) == 3", "{0} without its sign"),
        Builtin("size", ("list",), lambda a: ty.INT, "How many items a list or place contains.", "size({1, 2, 3}) == 3", "the number of items in {0}"),
        Builtin("top", ("place",), lambda a: ty.Maybe(_item(a)), "The piece on top of a pile, or none.", "top(deck) == blue_card", "the top piece of {0}", gives="one"),
        Builtin("have", ("group",), lambda a: ty.INT, "How much I have of a counter of a group.", "have(coin) == 3", "your {0}"),
        Builtin("payable", ("cost",), lambda a: ty.BOOL, "Whether I can pay a cost now, with all substitutions.", "payable(red_card_1.cost)", "you can pay {0}"),
        Builtin("can", ("rule",), lambda a: ty.BOOL, "Whether a rule's beginning is possible now.", "can(buy(red_card_1))", "{0} is possible"),
        Builtin("after", ("rule", "any"), lambda a: a[1], "What a value would be if a rule had been carried out.", "after(earn(2), coin) == 5", "{1} after {0}", since=2),
        Builtin("number", ("ref",), lambda a: ty.INT, "The place of an instance in its kind, counted from 1.", "number(me) == 1", "the number of {0}"),
        Builtin("rotate", ("list", "int"), lambda a: a[0], "The list turned by k places: its first item comes k places later.", "rotate({1, 2, 3, 4}, 1)[0] == 4", "{0} turned by {1}", gives="same"),
        Builtin("reverse", ("list",), lambda a: a[0], "The list backwards.", "reverse({1, 2})[0] == 2", "{0} in reverse order", gives="same"),
        Builtin("take", ("list", "int"), lambda a: a[0], "The first n items, or fewer.", "size(take({1, 2, 3}, 2)) == 2", "the first {1} of {0}", gives="some"),
        Builtin("combinations", ("list", "int", "int"), lambda a: ty.Seq(a[0]), "The ways to take at least and at most that many items of a list, each in the order of the list.", "size(combinations({1, 2, 3}, 2, 2)) == 3", "the ways to take {1} to {2} of {0}", since=2),
        Builtin("position", ("list", "any"), lambda a: ty.INT, "The position of an item in a list, counted from 0; -1 if it is not there.", "position({7, 8}, 8) == 1", "the position of {1} in {0}"),
        Builtin("next", ("player",), lambda a: _PLAYER, "The player to the left.", "next(me) == players[1]", "the player after {0}"),
        Builtin("previous", ("player",), lambda a: _PLAYER, "The player to the right.", "previous(next(me)) == me", "the player before {0}"),
        Builtin("others", ("player",), lambda a: ty.Seq(_PLAYER), "All other players, in turn order from the next one.", "size(others(me)) == seats - 1", "the players other than {0}"),
        Builtin("turn_order", ("player",), lambda a: ty.Seq(_PLAYER), "All players in turn order from this one.", "turn_order(me)[0] == me", "all players in turn order from {0}"),
        Builtin("cell_at", ("grid", "int", "int"), lambda a: ty.Maybe(_item(a)), "The cell in a row and column counted from 0, or none.", "cell_at(cell, 0, 0) == a1", "the cell of {0} in row {1} and column {2}"),
        Builtin("shift", ("cell", "int", "int"), lambda a: ty.Maybe(a[0]), "The cell that many rows down and columns to the right, or none.", "shift(a1, 1, 0) == a2", "the cell {1} rows down and {2} columns right of {0}"),
        Builtin("adjacent", ("cell",), lambda a: ty.Seq(a[0]), "The cells that share an edge, from the top clockwise.", "size(adjacent(a1)) == 2", "the cells that share an edge with {0}"),
        Builtin("around", ("cell",), lambda a: ty.Seq(a[0]), "The cells that share an edge or corner, from the top clockwise.", "size(around(a1)) == 3", "the cells around {0}"),
        Builtin("lines", ("cell", "int"), lambda a: ty.Seq(ty.Seq(a[0])), "The straight lines of n cells through a cell, diagonals too.", "size(lines(a1, 3)) == 3", "the straight lines of {1} cells through {0}"),
        Builtin("ray", ("cell", "int", "int"), lambda a: ty.Seq(a[0]), "The cells from the next one on in a direction, up to the edge.", "size(ray(a1, 0, 1)) == 2", "the cells from {0} on, {1} rows down and {2} columns right each"),
        Builtin("connected", ("cells", "cell"), lambda a: a[0], "Those of the cells that hang together with one of them by edges.", "size(connected({a1, b1, c3}, a1)) == 2", "those of {0} that hang together with {1}", gives="some"),
        Builtin("reachable", ("ref", "relation"), lambda a: ty.Seq(a[0]), "One instance and all to which steps of a relation lead, nearest first. The relation is a graph, or a function, fact or field that gives a list of instances for one, or `adjacent` or `around`.", "size(reachable(a1, adjacent)) == 9", "all that can be reached from {0} by {1}", since=2),
        Builtin("distance", ("ref", "ref", "relation"), lambda a: ty.Maybe(ty.INT), "How many steps of a relation lead from one instance to another at least, or none.", "distance(a1, c2, adjacent) == 3", "the number of steps from {0} to {1} by {2}", since=2),
        Builtin("path", ("ref", "ref", "relation"), lambda a: ty.Seq(a[0]), "The shortest way from one instance to another by steps of a relation, both ends with it; empty where there is none.", "size(path(a1, c1, adjacent)) == 3", "the shortest way from {0} to {1} by {2}", since=2),
        Builtin("owned", ("kind",), lambda a: a[0], "My instances of a kind that every player has; owned(p, kind) those of another.", "size(owned(token)) == 2", "your {0}"),
        Builtin("placements", ("shape", "grid"), lambda a: ty.ANY, "All ways to lay a shape on a grid (on mine, where every player has one).", "size(placements(bar, cell)) == 12", "the ways to lay {0} on {1}"),
        Builtin("place_of", ("ref", "place"), lambda a: ty.ANY, "The index of the place that a piece is in, or none.", "place_of(red_card_2, hand) == me", "where {0} lies among {1}", looks=True),
    )
}  # fmt: skip


@cache
def builtins(language: int) -> tuple[str, ...]:
    """Return the names of the functions that a version of the language has."""
    return tuple(name for name, builtin in BUILTINS.items() if builtin.since <= language)
