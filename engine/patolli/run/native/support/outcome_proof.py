"""What is proved of nodes: the same as in ``players.search``. See the package.

The bounds of a node are two numbers in floating point for each seat: what it gets at least, and at most.
"""

from __future__ import annotations

from patolli.run.native.intrinsics import copy, difference64, load64, store64
from patolli.run.native.memory import HIGHS, LOWS, OPPOSED, OUTCOME, PAYOFFS, PLAYERS, ROOTS, SEARCHER, STEPS_AT, TREES
from patolli.run.native.support.arena import room
from patolli.run.native.support.trees import BOUNDS, NUMBER, node_at

ONE = 0x3FF0000000000000


def set_outcome_bounds(node: int) -> int:
    """Write down that the outcome of a node is the one that was computed."""
    seat = load64(PLAYERS)
    bounds = room(seat * 16)
    while seat:
        seat -= 1
        store64(bounds + seat * 16, load64(load64(OUTCOME) + seat * 8))
        store64(bounds + seat * 16 + 8, load64(load64(OUTCOME) + seat * 8))
    store64(node + BOUNDS, bounds)
    return 0


def surely(node: int) -> int:
    """Return whether the outcome of a node is proved for all seats; it is then what they get."""
    bounds = load64(node + BOUNDS)
    if not bounds:
        return 0
    seat = load64(PLAYERS)
    while seat:
        seat -= 1
        if load64(bounds + seat * 16) != load64(bounds + seat * 16 + 8):
            return 0
    seat = load64(PLAYERS)
    while seat:
        seat -= 1
        store64(load64(PAYOFFS) + seat * 8, load64(bounds + seat * 16))
    return 1


def is_proved() -> int:
    """Return whether the outcome is proved for the seat that searches."""
    seat = load64(SEARCHER)
    root = load64(load64(ROOTS))
    if load64(TREES) > 1:
        root = load64(load64(ROOTS) + seat * 8)
    bounds = load64(root + BOUNDS)
    return bounds and load64(bounds + seat * 16) == load64(bounds + seat * 16 + 8)


def followed_bounds(ask: int, seat: int) -> int:
    """Compute the consequence for a position from what is proved of all answers to its question."""
    players = load64(PLAYERS)
    lows = load64(LOWS)
    highs = load64(HIGHS)
    other = players
    while other:
        other -= 1
        store64(lows + other * 8, 0)
        store64(highs + other * 8, ONE)
    whole_ = 1
    first = 1
    k = load64(ask + NUMBER)
    while k:
        k -= 1
        node = node_at(ask, k)
        bounds = 0
        if node:
            bounds = load64(node + BOUNDS)
        if not bounds:
            whole_ = 0
        else:
            if load64(bounds + seat * 16) > load64(lows + seat * 8):
                store64(lows + seat * 8, load64(bounds + seat * 16))
            first = 0
    if whole_ and not first:
        closed_bounds(ask, seat)
    if load64(OPPOSED) and players == 2:
        store64(lows + (1 - seat) * 8, difference64(ONE, load64(highs + seat * 8)))
        store64(highs + (1 - seat) * 8, difference64(ONE, load64(lows + seat * 8)))
    return 0


def closed_bounds(ask: int, seat: int) -> int:
    """Compute the consequence where something is proved of every answer."""
    lows = load64(LOWS)
    highs = load64(HIGHS)
    other = load64(PLAYERS)
    while other:
        other -= 1
        low = ONE
        high = 0
        k = load64(ask + NUMBER)
        while k:
            k -= 1
            bounds = load64(node_at(ask, k) + BOUNDS)
            if load64(bounds + other * 16) < low:
                low = load64(bounds + other * 16)
            if load64(bounds + other * 16 + 8) > high:
                high = load64(bounds + other * 16 + 8)
        store64(highs + other * 8, high)
        if other != seat:
            store64(lows + other * 8, low)
    return 0


def says_more(bounds: int) -> int:
    """Return whether the bounds that were computed say more than others, or than nothing at all."""
    seat = load64(PLAYERS)
    while seat:
        seat -= 1
        low = load64(load64(LOWS) + seat * 8)
        high = load64(load64(HIGHS) + seat * 8)
        if bounds:
            if low != load64(bounds + seat * 16) or high != load64(bounds + seat * 16 + 8):
                return 1
        elif low > 0 or high < ONE:
            return 1
    return 0


def spread_proof(ask: int, seat: int, depth: int) -> int:
    """Compute the consequences for the nodes above a question, so deep on the way, as long as something does."""
    more = 1
    while more:
        above = load64(load64(ROOTS))
        step = load64(STEPS_AT) + depth * 24 - 24
        if depth:
            above = load64(step + 8)
        followed_bounds(ask, seat)
        more = says_more(load64(above + BOUNDS))
        if more:
            taken_over(above)
            more = depth
        if more:
            ask = load64(step)
            seat = load64(step + 16)
            depth -= 1
    return 0


def taken_over(node: int) -> int:
    """Write down the bounds that were computed for a node."""
    bounds = load64(node + BOUNDS)
    seat = load64(PLAYERS)
    if not bounds:
        bounds = room(seat * 16)
        store64(node + BOUNDS, bounds)
    while seat:
        seat -= 1
        copy(bounds + seat * 16, load64(LOWS) + seat * 8, 8)
        copy(bounds + seat * 16 + 8, load64(HIGHS) + seat * 8, 8)
    return 0
