"""Batches: many matches that take one step each in one call, and write what comes of it into rows of memory.

``MATCH`` leads to a list of matches, each with one item more: the numbers of the actions of its options. The rows are
in ``support``: ``batch_rows``, ``batch_actions`` and ``batch_observers``.
"""

from __future__ import annotations

from typing import Any

from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.run.native.driver.match_progress import fresh, pick, start
from patolli.run.native.driver.match_runs import compared_by
from patolli.run.native.driver.tables import AMONG, SCORE, SEATS, WINS, Frame, Match
from patolli.run.native.intrinsics import item_there, load64, put_word, store64, word_at
from patolli.run.native.memory import (
    DEPTH,
    FLOOR,
    HEAP,
    LIMIT,
    MATCH,
    NOTED,
    PROBING,
    REFUSES_ILLEGAL,
    RESET_MODE,
    REWARD_KIND,
    STEP_LIMIT,
    STREAMED,
)
from patolli.run.native.support.batch_actions import number_options
from patolli.run.native.support.batch_observers import write_seen
from patolli.run.native.support.batch_rows import (
    clear_mask,
    clear_row,
    find_action,
    get_chosen,
    is_selected,
    load_keys,
    next_seed,
    note,
    put_actor,
    put_end,
    put_lead,
    put_reward,
    save_keys,
    seeds_left,
    set_status,
    status_of,
)
from patolli.run.native.support.chance import renew
from patolli.run.native.support.keys import forget_keys
from patolli.run.native.support.objects import collect

LEAST_SEEDS = 32
"""An environment with fewer seeds than these needs more."""
FIRST_RANK = 3
"""Where rewards begin that are given by rank, in their table; before them stand -1, 0 and 1."""
RUNNING, ENDED_BY_RULES, CUT_OFF, ENDED_BY_ILLEGAL_ACTION, STOPPED = range(5)
"""How the match of an environment stands; one that is stopped cannot go on natively."""
ENDS, SEEDS_NEEDED, STOPS = 1, 2, 4
"""What is noted in a call, as bits: matches ended, environments have used all seeds, matches stopped."""
NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When the next match begins after the end of one: with the next step, in the same step, or not by itself."""
RANK, WIN, RIVALS, MARGIN = range(4)
"""Kinds of rewards; ``RIVALS``: of two who play against each other, both have 0 where both have won, or none."""


def open_batch(number: int) -> int:
    """Make room for so many environments without a match."""
    rows: list[Any] = []
    for row in range(number):
        set_status(row, STOPPED)
        rows.append([None, None, 0, 0, []])
    put_word(MATCH, rows)
    return 0


def reset_batch(number: int) -> int:
    """Begin a match in each environment that is selected; return what was noted."""
    store64(NOTED, 0)
    for row in range(number):
        if is_selected(row):
            begin_row(row, 0)
    return load64(NOTED)


def step_batch(number: int) -> int:
    """Take a step in each environment; return what was noted.

    Where an illegal action is an error, or a step of a match that has ended, nothing happens at all then: -1 - n is
    returned, where n is the number of the environment.
    """
    refused = refused_row(number)
    if refused >= 0:
        return -1 - refused
    store64(NOTED, 0)
    for row in range(number):
        if status_of(row):
            begin_row(row, 0)
        else:
            step_row(row)
    return load64(NOTED)


def refused_row(number: int) -> int:
    """Find the option of each environment; return the first environment that cannot take a step, -1 where all can."""
    rows: list[Any] = word_at(MATCH)
    refuses: int = load64(REFUSES_ILLEGAL)
    disabled: int = load64(RESET_MODE) == DISABLED
    for row in range(number):
        if status_of(row):
            if disabled:
                return row
        else:
            m: Match = item_there(rows, row)
            if not find_action(m[4], row) and refuses:
                return row
    return -1


def match_of(row: int) -> Any:
    """Return the match of an environment; forget first what no match needs."""
    if load64(HEAP) - load64(FLOOR) >= load64(LIMIT):
        put_word(MATCH, collect(word_at(MATCH)))
    return item_there(word_at(MATCH), row)


def begin_row(row: int, keep: int) -> None:
    """Begin a match in an environment.

    A match that ends before anybody has to decide is not counted, and another one begins. What stands of the match
    before is kept where it ended in the same step.
    """
    m: Match = match_of(row)
    if not keep:
        clear_row(m[4], row)
        put_end(row, 0, 0)
    m[4] = []
    while seeds_left(row) > 0:
        m = match_of(row)
        try:
            begin_match_of(m, row)
            if m[1] is not None:
                report(m, row, RUNNING, 0, 0)
                if seeds_left(row) < LEAST_SEEDS:
                    note(SEEDS_NEEDED)
                return
        except RuleFault:
            stop_row(m, row)
            return
    stop_row(m, row)


def begin_match_of(m: Match, row: int) -> None:
    """Put the next match of an environment in the place of the last one."""
    forget_keys(word_at(STREAMED))
    begun: Match = fresh()
    s: State = begun[0]
    s[1] = next_seed(row)
    m[0] = s
    m[1] = None
    m[2] = 0
    m[3] = 0
    start(m)
    answer_alone(m)
    save_keys(row, word_at(STREAMED))


def step_row(row: int) -> None:
    """Take the action of an environment in its match."""
    m: Match = match_of(row)
    s: State = m[0]
    f: Frame = s[0][-1]
    actor: int = f[1]
    index: int = get_chosen(row)
    clear_row(m[4], row)
    m[4] = []
    try:
        status: int = ENDED_BY_ILLEGAL_ACTION
        if index >= 0:
            load_keys(row, word_at(STREAMED))
            status = advance(m, index)
            save_keys(row, word_at(STREAMED))
        report(m, row, status, actor, load64(RESET_MODE) == SAME_STEP)
    except RuleFault:
        stop_row(m, row)
        return
    put_end(row, status in (ENDED_BY_RULES, ENDED_BY_ILLEGAL_ACTION), status == CUT_OFF)
    if status != RUNNING:
        note(ENDS)
        if load64(RESET_MODE) == SAME_STEP:
            begin_row(row, 1)


def stop_row(m: Match, row: int) -> None:
    """Note that a match cannot go on natively."""
    store64(PROBING, 0)
    store64(DEPTH, 0)
    m[4] = []
    clear_mask(row)
    set_status(row, STOPPED)
    put_end(row, 0, 0)
    note(STOPS)


def advance(m: Match, index: int) -> int:
    """Take an option; return how the match stands then."""
    pick(m, index)
    answer_alone(m)
    m[3] += 1
    if m[1] is None:
        return ENDED_BY_RULES
    if m[3] >= load64(STEP_LIMIT):
        return CUT_OFF
    return RUNNING


def answer_alone(m: Match) -> None:
    """Give the only answers that there are; see ``environments.table.answered_alone``."""
    left: int = load64(STEP_LIMIT)
    while left > 0 and m[1] is not None and len(m[1]) == 1:
        pick(m, 0)
        left -= 1


def report(m: Match, row: int, status: int, actor: int, final: int) -> None:
    """Write the row of a match: of one that goes on as its next player sees it, else as the one does who acted last."""
    s: Any = m[0]
    set_status(row, status)
    if status == RUNNING:
        f: Frame = s[0][-1]
        put_actor(row, f[1], 0)
        m[4] = number_options(m[1], m[2], f[0], f[1], row)
        write_seen(s, f[1], row, 0)
        return
    put_actor(row, actor, final)
    write_seen(s, actor, row, final)
    if status == ENDED_BY_RULES:
        write_rewards(s, row, actor)
    elif status == ENDED_BY_ILLEGAL_ACTION:
        put_reward(row, actor, 0, actor)


def write_rewards(s: State, row: int, actor: int) -> None:
    """Write what a match is worth to each player that is over; see ``environments.rewards``."""
    kind: int = load64(REWARD_KIND)
    if kind == MARGIN:
        write_leads(s, row, actor)
    elif kind == RANK:
        keys: Any = [compared_by(s, seat) for seat in range(SEATS)]
        for seat in range(SEATS):
            ahead_of = FIRST_RANK
            for other in range(SEATS):
                if other != seat:
                    if keys[other] < keys[seat]:
                        ahead_of += 2
                    elif keys[other] == keys[seat]:
                        ahead_of += 1
            put_reward(row, seat, ahead_of, actor)
    else:
        won: Any = list_winners(s)
        for seat in range(SEATS):
            mine: int = won[seat]
            if kind == RIVALS:
                theirs: int = won[1 - seat]
                put_reward(row, seat, 1 + mine - theirs, actor)
            else:
                put_reward(row, seat, 2 * mine, actor)


def write_leads(s: State, row: int, actor: int) -> None:
    """Write how far the score of each player is ahead of the best other one, or behind it."""
    if SCORE is None:
        return
    score = SCORE
    scores: list[Any] = []
    for seat in range(SEATS):
        renew()
        scores.append(int(score(s, seat)))
    for seat in range(SEATS):
        best = 0
        known = 0
        for other in range(SEATS):
            if other != seat:
                points: int = scores[other]
                if not known or points > best:
                    best = points
                known = 1
        own: int = scores[seat]
        put_lead(row, seat, own - best, actor)


def list_winners(s: State) -> Any:
    """Return for each seat whether it has won: 1, or 0."""
    found: list[Any] = []
    if WINS is not None:
        wins = WINS
        for seat in range(SEATS):
            renew()
            found.append(int(bool(wins(s, seat))))
        return found
    keys: Any = [compared_by(s, seat) for seat in range(SEATS)]
    best = keys[0]
    for key in keys:
        if best < key:
            best = key
    for seat in range(SEATS):
        won = int(keys[seat] == best)
        if AMONG is not None:
            among = AMONG
            renew()
            won = won * int(bool(among(s, seat)))
        found.append(won)
    return found
