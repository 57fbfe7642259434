"""Searches a match: what ``players.search.search`` does, step by step, with the same numbers.

Trees and what is learned lie where no collection moves them (``support.arena``); a match lies among the objects and is
forgotten when its simulation ends.
"""

from __future__ import annotations

from typing import Any

from patolli.kernel.faults import NoOption, RuleFault
from patolli.kernel.state import State
from patolli.run.native.driver.match_progress import copy_match, pick
from patolli.run.native.driver.payoff_rules import (
    get_visible_choice,
    holding,
    is_sealed,
    outcome,
    payoff,
    score_of,
    seems_worth,
)
from patolli.run.native.driver.tables import SEATS, Frame, Match
from patolli.run.native.intrinsics import load64, store64, word_at
from patolli.run.native.memory import (
    ARENA,
    ARENA_END,
    BASE,
    CALLED,
    CERTAIN,
    DEPTH,
    DONE,
    FLOOR,
    HEAP,
    IS_NEW,
    LATE_MADE,
    LIMIT,
    PROBING,
    SCORING,
    SEARCHER,
    STEPS_AT,
    STEPS_MADE,
    STREAMED,
    TREES,
)
from patolli.run.native.support.answer_choice import guess_index, select_index
from patolli.run.native.support.keys import forget_keys
from patolli.run.native.support.objects import LEAST, collect
from patolli.run.native.support.outcome_proof import is_proved, set_outcome_bounds, spread_proof, surely
from patolli.run.native.support.trees import ask_of, grown, update_offered, visits_of
from patolli.run.native.support.ways import (
    add_score,
    advance_others,
    count_simulation,
    cut_off,
    defer_view,
    descend_edge,
    node_of,
    played_on,
    reveal_deferred,
    set_out,
    taught,
    went,
)
from patolli.run.native.support.worth import half_each

LONG = 4000
"""As in ``players.search.search``."""
SPARE = 1 << 20
"""How much room a simulation is sure to find for what it adds to the trees."""


def run_simulations(at: int, number: int) -> int:
    """Run so many simulations; of each there is given from which world it begins, and with which seed.

    Returns:
        How many there were: fewer where the outcome is proved, or room runs out.
    """
    store64(DONE, 0)
    while load64(DONE) < number and not is_proved():
        if load64(ARENA_END) - load64(ARENA) < SPARE:
            break
        simulation(at + 16 * load64(DONE))
        store64(DONE, load64(DONE) + 1)
    return load64(DONE)


def simulation(at: int) -> None:
    """Run one simulation; of one that fails nothing is learned."""
    store64(HEAP, load64(FLOOR))
    store64(LIMIT, LEAST)
    store64(PROBING, 0)
    store64(DEPTH, 0)
    set_out()
    try:
        if simulate_match(at):
            taught()
        else:
            count_simulation()
    except RuleFault:
        count_simulation()


def simulate_match(at: int) -> int:
    """Play a match from a world; return whether that could be done."""
    m: Match = world(word_at(at), load64(at + 8))
    try:
        m = descend_trees(m)
    except NoOption:
        return 0
    if load64(SCORING):
        add_score(score_of(m, load64(SEARCHER)))
    return 1


def world(changes: Any, seed: int) -> Any:
    """Return the match from which the search begins, with what is otherwise in a world, if anything is."""
    m: Match = copy_match(word_at(BASE))
    s: State = m[0]
    if changes is not None:
        for slot, number in changes[0]:
            s[slot] = number
        for slot, items in changes[1]:
            s[slot] = list(items)
        if changes[2] is not None:
            s[0] = [list(frame) for frame in changes[2]]
    if not load64(CERTAIN):
        s[1] = seed
        forget_keys(word_at(STREAMED))
    return m


def descend_trees(m: Match) -> Any:
    """Go down the trees, add a node and play on, and work out what the seats get; return the match as it is then."""
    while m[1] is not None:
        if load64(HEAP) - load64(FLOOR) >= load64(LIMIT):
            m = collect(m)
        f: Frame = m[0][0][-1]
        seat: int = f[1]
        key = f[0] * SEATS + seat
        if cut_off(seat) and seems_worth(m):
            return m
        if len(m[1]) == 1:
            store64(CALLED, 0)
            pick(m, 0)
            continue
        node = gone_down(m, key, seat)
        if not node:
            return m
        if surely(node):
            return m
        if load64(IS_NEW):
            break
    return finish_playout(m)


def gone_down(m: Match, key: int, seat: int) -> int:
    """Give one answer within the trees; return the node behind it, 0 where the outcome is proved before."""
    many: int = load64(TREES) > 1
    held = None
    if many:
        if load64(LATE_MADE) and not is_sealed(m):
            reveal_deferred()
        held = holding(m[0], seat)
    ask: int = ask_of(node_of(seat), key, held)
    update_offered(ask, m[1])
    if load64(CERTAIN) and not visits_of(ask) and looked_ahead(m, ask):
        spread_proof(ask, seat, load64(STEPS_MADE))
        if surely(node_of(0)):
            return 0
    index: int = select_index(ask, key, seat)
    node: int = descend_edge(ask, index, key, seat)
    if many:
        descend_watchers(m, key, seat, index)
    went(node, seat)
    store64(CALLED, 0)
    pick(m, index)
    return node


def descend_watchers(m: Match, key: int, seat: int, index: int) -> None:
    """Go down the trees of those who only watch: now, or when all have answered."""
    seen = get_visible_choice(m, index)
    if is_sealed(m):
        defer_view(key, seat, seen)
    else:
        advance_others(key, seat, seen)


def finish_playout(m: Match) -> Any:
    """Play on at random until the match is over or cut off; see :func:`descend_trees`."""
    if m[1] is None:
        over_inside(m)
        return m
    played = 0
    while m[1] is not None:
        if load64(HEAP) - load64(FLOOR) >= load64(LIMIT):
            m = collect(m)
        f: Frame = m[0][0][-1]
        seat: int = f[1]
        if cut_off(seat) and seems_worth(m):
            return m
        index = 0
        if len(m[1]) > 1:
            key = f[0] * SEATS + seat
            index = guess_index(key, m[1])
            played_on(key, seat, m[1], index)
        store64(CALLED, 0)
        pick(m, index)
        played += 1
        if played >= LONG:
            if not seems_worth(m):
                half_each()
            return m
    outcome(m)
    payoff(m)
    return m


def over_inside(m: Match) -> None:
    """Work out what the seats get where a match ended within the trees, and what that proves."""
    outcome(m)
    depth: int = load64(STEPS_MADE)
    if load64(CERTAIN) and depth:
        last: int = load64(STEPS_AT) + 24 * depth - 24
        set_outcome_bounds(load64(last + 8))
        spread_proof(load64(last), load64(last + 16), depth - 1)
    payoff(m)


def looked_ahead(m: Match, ask: int) -> int:
    """Try every answer to a new question, and write down which end the match, and how; return whether any does."""
    found = 0
    for index in range(len(m[1])):
        before: int = load64(HEAP)
        trial: Match = copy_match(m)
        pick(trial, index)
        if trial[1] is None:
            outcome(trial)
            set_outcome_bounds(grown(ask, index))
            found = 1
        store64(HEAP, before)
    return found
