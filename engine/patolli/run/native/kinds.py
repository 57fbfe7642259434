"""What is known of values before code is written: whole numbers need no looking at.

A kind is ``INT``, perhaps ``Ranged``; ``ANY``; ``STATE``, ``FRAME`` and ``MATCH`` for lists of the runtime; or a tuple
of ``"list"`` or ``"tuple"``, the kind of the items, and perhaps those of the columns of a row. A tuple has its items
directly behind its head. None stands for what was not met yet.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain
from typing import Any

INT, ANY, STATE, FRAME, MATCH = "int", "any", "state", "frame", "match"
FIXED = (STATE, FRAME, MATCH)
"""Kinds of lists that never grow, so that their items lie behind their heads."""
ANNOTATED = {"int": INT, "bool": INT, "State": STATE, "Frame": FRAME, "Match": MATCH}
"""Kinds of what is annotated in the kernel and in the driver."""
Kind = Any
COUNTING = frozenset(
    "len abs sum int bool check_size check_range product within position place_of cell_at moved_on top whole_min "
    "whole_max distance find payable may_pay some_of can_do draw_one below random_below load64 any all "
    "isinstance".split()
)
"""Functions that give a number, or whether something holds."""
LISTING = frozenset("row_pieces take reverse rotate each_once span connected".split())
"""Functions that give a list of whatever comes in."""

DIRECT: dict[str, tuple[str, str]] = {
    "is_due": ("n", "n"), "renew": ("", "n"), "look": ("", "n"), "tick": ("n", "n"), "whole": ("wn", "w"),
    "below": ("wnw", "n"),
    "shuffle": ("wnw", "n"), "random_below": ("n", "n"), "random_bits": ("", "n"), "seed_generator": ("n", "n"),
    "collect": ("w", "w"), "record": ("nnww", "n"), "write_state_json": ("w", "n"), "hash_word": ("w", "n"),
    "write_value_json": ("w", "n"),
    "forget_keys": ("w", "n"), "ask_of": ("nnw", "n"), "visits_of": ("n", "n"), "update_offered": ("nw", "n"),
    "grown": ("nn", "n"), "select_index": ("nnn", "n"), "guess_index": ("nw", "n"), "set_out": ("", "n"),
    "node_of": ("n", "n"),
    "descend_edge": ("nnnn", "n"), "went": ("nn", "n"), "played_on": ("nnwn", "n"), "advance_others": ("nnw", "n"),
    "defer_view": ("nnw", "n"), "reveal_deferred": ("", "n"), "taught": ("", "n"), "count_simulation": ("", "n"),
    "add_score": ("n", "n"), "set_outcome_bounds": ("n", "n"),
    "surely": ("n", "n"), "is_proved": ("", "n"), "spread_proof": ("nnn", "n"), "measured_as": ("nn", "n"),
    "half_each": ("", "n"), "winners_get": ("", "n"),
    "all_level": ("", "n"), "refine_levels": ("", "n"), "levels_get": ("", "n"),
    "cut_off": ("n", "n"), "plain_payoffs": ("", "n"), "teach_outcome": ("", "n"), "teach_value": ("", "n"),
    "status_of": ("n", "n"), "set_status": ("nn", "n"), "is_selected": ("n", "n"), "next_seed": ("n", "n"),
    "seeds_left": ("n", "n"), "find_action": ("wn", "n"), "get_chosen": ("n", "n"),
    "clear_row": ("wn", "n"), "load_keys": ("nw", "n"),
    "save_keys": ("nw", "n"), "number_options": ("wnnnn", "w"), "write_seen": ("wnnn", "n"),
    "put_reward": ("nnnn", "n"), "put_lead": ("nnnn", "n"), "put_actor": ("nnn", "n"),
    "put_end": ("nnn", "n"), "note": ("n", "n"), "clear_mask": ("n", "n"),
}  # fmt: skip
"""Functions of ``support`` that are called by name: for each argument whether it is a word, and for what comes back."""


class Ranged(str):
    """The kind of a whole number with known bounds."""

    low: int
    high: int

    def __new__(cls, low: int, high: int) -> Ranged:
        """Return the kind of what lies between two numbers, both included."""
        made = super().__new__(cls, INT)
        made.low, made.high = low, high
        return made


def join(one: Kind, other: Kind) -> Kind:
    """Return the kind of what is one or the other."""
    if one is None or one is other:
        return other
    if other is None:
        return one
    if one == INT and other == INT:
        if isinstance(one, Ranged) and isinstance(other, Ranged):
            return Ranged(min(one.low, other.low), max(one.high, other.high))
        return INT
    if isinstance(one, tuple) and isinstance(other, tuple):
        return _join_list_kinds(one, other)
    return one if one == other else ANY


def _join_list_kinds(one: Kind, other: Kind) -> Kind:
    """Return the kind of what is one list or another one; rows of a table have a kind for each column."""
    shape = one[0] if one[0] == other[0] else "list"
    inner = join(one[1], other[1])
    if shape == "tuple" and len(one) == len(other) == 3 and len(one[2]) == len(other[2]):
        return ("tuple", inner, tuple(map(join, one[2], other[2])))
    return (shape, inner)


def of_value(value: Any, known: dict[int, Kind]) -> Kind:
    """Return the kind of what no match changes."""
    if isinstance(value, int):
        return Ranged(int(value), int(value))
    if isinstance(value, range):
        return ("tuple", Ranged(min(value, default=0), max(value, default=0)))
    if isinstance(value, tuple):
        found = known.get(id(value))
        if found is None:
            found = known[id(value)] = _of_tuple(value, known)
        return found
    return ANY


COLUMNS = 12
"""Of rows with so many items at most each column has a kind."""


def _of_tuple(value: tuple[Any, ...], known: dict[int, Kind]) -> Kind:
    if len(value) > COLUMNS:
        return ("tuple", _of_many(value, known))
    kinds = tuple([of_value(one, known) for one in value])
    return ("tuple", _joined_all(kinds), kinds)


def _of_many(values: Sequence[Any], known: dict[int, Kind]) -> Kind:
    """Return the kind of what may be any of some values, looked at together for speed; None where there are none."""
    types = set(map(type, values))
    if types == {tuple}:
        widths = set(map(len, values))
        if len(widths) == 1 and 0 < max(widths) <= COLUMNS:
            columns = tuple([_of_many(one, known) for one in zip(*values, strict=True)])
            return ("tuple", _joined_all(columns), columns)
        return ("tuple", _of_many([*chain.from_iterable(values)], known))
    if types and types <= _NUMBERS:
        return Ranged(min(values), max(values))
    found: Kind = None
    for one in values:
        found = join(found, of_value(one, known))
        if found == ANY:
            break
    return found


def _joined_all(kinds: Sequence[Kind]) -> Kind:
    found: Kind = None
    for kind in kinds:
        found = join(found, kind)
    return found


_NUMBERS = {int, bool}


def column(kind: Kind, position: int, of: int = 0) -> Kind:
    """Return the kind of an item of a list, which has *of* items if that is known."""
    if not isinstance(kind, tuple):
        return ANY
    if len(kind) == 3 and 0 <= position < len(kind[2]) and (not of or len(kind[2]) == of):
        return kind[2][position]
    return kind[1] if kind[1] is not None else ANY


def infer_sum_kind(one: Kind, other: Kind, minus: bool = False) -> Kind:
    """Return the kind of a sum of numbers, or of a difference."""
    if not isinstance(one, Ranged) or not isinstance(other, Ranged):
        return INT
    if minus:
        return Ranged(one.low - other.high, one.high - other.low)
    return Ranged(one.low + other.low, one.high + other.high)


class Slots:
    """Which slots of a state hold numbers, and which lists."""

    def __init__(self, layout: Any) -> None:
        self.first = layout.lists[0] if layout.lists else len(layout.initial)
        self.size = len(layout.initial)
        self.odd = {slot for slot in range(4, self.first) if not isinstance(layout.initial[slot], int)}

    def between(self, low: int, high: int) -> Kind:
        """Return the kind of the slots from one to another."""
        if low >= self.first:
            return ("list", INT)
        if low >= 4 and high < self.first and not any(low <= odd <= high for odd in self.odd):
            return INT
        return ANY

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
