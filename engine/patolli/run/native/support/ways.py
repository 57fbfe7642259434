"""One simulation on its way, and what is learned from it: see ``players.search.search``. See the package."""

from __future__ import annotations

from patolli.run.native.intrinsics import (
    copy,
    difference64,
    fail,
    float64,
    load32,
    load64,
    product64,
    ratio64,
    root64,
    store64,
    sum64,
)
from patolli.run.native.memory import (
    CALLED,
    EXPLORATION,
    LAST_SEAT,
    LATE_AT,
    LATE_MADE,
    LONGEST,
    MOVES_AT,
    MOVES_MADE,
    NODES,
    PAYOFFS,
    PLAYERS,
    ROOTS,
    SCALE,
    SEEN,
    SIMULATIONS,
    SPREAD,
    STEPS_AT,
    STEPS_MADE,
    TREES,
    TURNS,
    TURNS_TAKEN,
)
from patolli.run.native.support.answer_choice import both_hashed, entry_record, kept_record
from patolli.run.native.support.arena import lasting
from patolli.run.native.support.objects import hash_word
from patolli.run.native.support.trees import ASKED, ENTRIES, MEAN, RARE, SCORES, ask_of, entry_of, new_node, node_at
from patolli.run.native.support.worth import WHOLE_

LEAST = 0x3FA999999999999A
"""Results lie at least so far apart, in floating point: 0.05."""


def set_out() -> int:
    """Begin a simulation at the roots."""
    store64(STEPS_MADE, 0)
    store64(MOVES_MADE, 0)
    store64(LATE_MADE, 0)
    store64(LAST_SEAT, -1)
    store64(TURNS_TAKEN, 0)
    copy(load64(NODES), load64(ROOTS), load64(TREES) * 8)
    return 0


def called_upon(seat: int) -> int:
    """Note that the rules call upon a seat."""
    store64(CALLED, load64(CALLED) | 1 << (seat & 63))
    return 0


def was_called(seat: int) -> int:
    """Return whether the rules have called upon a seat since the last answer."""
    return load64(CALLED) >> (seat & 63) & 1


def cut_off(seat: int) -> int:
    """Note who is asked; return whether that begins a turn, and one more than are looked at.

    A turn begins where another seat was asked before, or where the rules have called upon this one since.
    """
    if seat == load64(LAST_SEAT) and not was_called(seat):
        return 0
    store64(LAST_SEAT, seat)
    taken = load64(TURNS_TAKEN) + 1
    store64(TURNS_TAKEN, taken)
    return taken > load64(TURNS)


def node_of(seat: int) -> int:
    """Return the node in which a seat is, in a tree of its own or in that of all."""
    if load64(TREES) > 1:
        return load64(load64(NODES) + seat * 8)
    return load64(load64(NODES))


def descend_edge(ask: int, index: int, key: int, seat: int) -> int:
    """Go down to the node behind an answer, and write that down; return the node."""
    made = load64(STEPS_MADE)
    if made >= LONGEST:
        fail()
    node = node_at(ask, index)
    at = load64(STEPS_AT) + made * 24
    store64(at, ask)
    store64(at + 8, node)
    store64(at + 16, seat)
    store64(STEPS_MADE, made + 1)
    record_move(entry_record(key, load64(load64(ask + ENTRIES) + index * 8)), seat)
    return node


def went(node: int, seat: int) -> int:
    """Write down in which node the seat is now that has answered."""
    if load64(TREES) > 1:
        store64(load64(NODES) + seat * 8, node)
    else:
        store64(load64(NODES), node)
    return 0


def record_move(record_: int, seat: int) -> int:
    """Write down that an answer was given, by its record."""
    made = load64(MOVES_MADE)
    if made >= LONGEST:
        fail()
    store64(load64(MOVES_AT) + made * 16, record_)
    store64(load64(MOVES_AT) + made * 16 + 8, seat)
    store64(MOVES_MADE, made + 1)
    return 0


def played_on(key: int, seat: int, options: int, index: int) -> int:
    """Write down an answer beyond the tree."""
    value = load64(load32(options + 11) + index * 8)
    return record_move(kept_record(key, value, both_hashed(key, hash_word(value))), seat)


def advance_others(key: int, seat: int, shown: int) -> int:
    """Let all seats but the one that has answered go on by what they see of it."""
    other = load64(TREES)
    while other:
        other -= 1
        if other != seat:
            at = load64(NODES) + other * 8
            entry = entry_of(ask_of(load64(at), key, 1), shown)
            if not load64(entry + 16):
                store64(entry + 16, new_node())
            store64(at, load64(entry + 16))
    return 0


def defer_view(key: int, seat: int, shown: int) -> int:
    """Keep what others will see of an answer when all have given theirs."""
    made = load64(LATE_MADE)
    if made >= LONGEST:
        fail()
    at = load64(LATE_AT) + made * 24
    store64(at, key)
    store64(at + 8, seat)
    store64(at + 16, lasting(shown))
    store64(LATE_MADE, made + 1)
    return 0


def reveal_deferred() -> int:
    """Let all see what was answered by everybody."""
    at = load64(LATE_AT)
    left = load64(LATE_MADE)
    while left:
        advance_others(load64(at), load64(at + 8), load64(at + 16))
        at += 24
        left -= 1
    store64(LATE_MADE, 0)
    return 0


def taught() -> int:
    """Let everything on the way know what came of it."""
    payoffs = load64(PAYOFFS)
    at = load64(STEPS_AT)
    left = load64(STEPS_MADE)
    while left:
        ask = load64(at)
        node = load64(at + 8)
        store64(ask + ASKED, load64(ask + ASKED) + 1)
        visits = load64(node) + 1
        times_ = float64(visits)
        total = sum64(load64(node + 8), load64(payoffs + load64(at + 16) * 8))
        store64(node, visits)
        store64(node + 8, total)
        store64(node + MEAN, ratio64(total, times_))
        store64(node + RARE, ratio64(WHOLE_, root64(times_)))
        at += 24
        left -= 1
    at = load64(MOVES_AT)
    left = load64(MOVES_MADE)
    while left:
        record_ = load64(at)
        store64(record_ + 24, load64(record_ + 24) + 1)
        store64(record_ + 32, sum64(load64(record_ + 32), load64(payoffs + load64(at + 8) * 8)))
        at += 16
        left -= 1
    store64(SIMULATIONS, load64(SIMULATIONS) + 1)
    return update_spread(payoffs)


def add_score(score: int) -> int:
    """Add the score where a simulation ended to that of its first answer."""
    if load64(STEPS_MADE):
        node = load64(load64(STEPS_AT) + 8)
        store64(node + SCORES, load64(node + SCORES) + score)
    return 0


def update_spread(payoffs: int) -> int:
    """Follow how far apart the results of each seat lie; see ``Search._measure``."""
    number = float64(load64(SIMULATIONS))
    seat = load64(PLAYERS)
    while seat:
        seat -= 1
        payoff = load64(payoffs + seat * 8)
        seen = load64(SEEN) + seat * 8
        spread_ = load64(SPREAD) + seat * 8
        away = difference64(payoff, load64(seen))
        store64(seen, sum64(load64(seen), ratio64(away, number)))
        store64(spread_, sum64(load64(spread_), product64(away, difference64(payoff, load64(seen)))))
        if load64(SIMULATIONS) > 8:
            wide = root64(ratio64(load64(spread_), number))
            if wide < LEAST:
                wide = LEAST
            store64(load64(SCALE) + seat * 8, product64(load64(EXPLORATION), wide))
    return 0


def count_simulation() -> int:
    """Count a simulation from which nothing is learned."""
    store64(SIMULATIONS, load64(SIMULATIONS) + 1)
    return 0
