"""Work out the numbers and conditions of a program of ``programs`` in a state."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from proofs.programs import LADDER, Expr, State

COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "div": operator.floordiv, "mod": operator.mod,
    "min": min, "max": max,
}  # fmt: skip


class Fault(Exception):
    """Something that must not happen while a match runs."""


def number(expr: Expr, state: State, me: int) -> int:
    """Work out a number."""
    match expr:
        case ("number", value):
            return int(value)
        case ("counter", name, who):
            return state.counters[slot_of(name, who, state, me)]
        case ("variable", name):
            return int(state.variables[name])
        case ("size", place):
            return len(state.places["deck", 0] if place == "deck" else state.places["hand", me])
        case ("charge", name):
            return state.charges[state.variables[name]]
        case ("ladder", index):
            found = number(index, state, me)
            if not 0 <= found < len(LADDER):
                raise Fault("no such item")
            return LADDER[found]
        case ("over", word, name):
            return {"sum": sum, "min": min, "max": max}[word]([state.counters[name, p] for p in (0, 1)])
        case ("either", condition, one, two):
            return number(one if holds(condition, state, me) else two, state, me)
    op, one, two = expr
    left, right = number(one, state, me), number(two, state, me)
    if op in ("div", "mod") and right == 0:
        raise Fault("a division by 0")
    return COMPUTED[op](left, right)


def holds(condition: Expr, state: State, me: int) -> bool:
    """Work out a condition."""
    match condition:
        case ("not", of):
            return not holds(of, state, me)
        case ("and", one, two):
            return holds(one, state, me) and holds(two, state, me)
        case ("or", one, two):
            return holds(one, state, me) or holds(two, state, me)
        case ("hand",):
            return bool(state.places["hand", me])
        case ("throne",):
            return bool(state.places["throne", 0])
        case ("some", op, name, than):
            return any(COMPARED[op](state.counters[name, p], number(than, state, me)) for p in (0, 1))
    op, left, right = condition
    return COMPARED[op](number(left, state, me), number(right, state, me))


def slot_of(name: str, who: str, state: State, me: int) -> tuple[str, int]:
    """Return the counter that is meant; one of the table is kept as the first player's."""
    if name == "pot":
        return name, 0
    return name, me if who == "me" else 1 - me if who == "next" else int(state.variables[who])


def counted(state: State, slot: tuple[str, int], value: int) -> State:
    """Return a state in which a counter is something else."""
    return state.but(counters={**state.counters, slot: value})


def named(state: State, name: str, value: int) -> State:
    """Return a state in which a variable is something else."""
    return state.but(variables={**state.variables, name: value})


def moved(state: State, source: tuple[str, int], to: tuple[str, int], cards: tuple[int, ...]) -> State:
    """Return a state in which some cards lie elsewhere."""
    left = tuple(card for card in state.places[source] if card not in cards)
    places = {**state.places, source: left}
    return state.but(places={**places, to: (*places[to], *cards)})
