"""Whole matches in which all choose at random, and matches that are played step by step from outside."""

from __future__ import annotations

from typing import Any

from patolli.kernel.faults import MatchOver, RuleFault
from patolli.kernel.state import State
from patolli.run.compiler.affected import EVERY
from patolli.run.native.driver.invariant_check import check
from patolli.run.native.driver.match_progress import copy_match, fresh, going_on, mark_match_over, pick, start
from patolli.run.native.driver.tables import (
    BLOCKS,
    CRITERIA,
    ENDED,
    HAS_ANYTIME,
    INVARIANTS,
    MEASURES,
    SEATS,
    SLOTS,
    STEPS,
    THENS,
    VALUE,
    WINS,
    Frame,
    Match,
)
from patolli.run.native.intrinsics import call_block, item_there, load64, put_word, store64, word_at
from patolli.run.native.memory import DEPTH, DUE, FLOOR, HEAP, KEYS, LIMIT, MATCH, STREAMED
from patolli.run.native.support.chance import random_below, random_bits, renew
from patolli.run.native.support.objects import collect
from patolli.run.native.support.state_writer import record, write_state_json, write_value_json


def play(seed: int, limit: int) -> Any:
    """Play a match in which all choose at random; return it, and how many choices there were."""
    m: Match = fresh()
    m[0][1] = seed
    start(m)
    if INVARIANTS:
        store64(DUE, EVERY)
        check(m[0])
    m[3] = 0
    while m[1] is not None and m[3] < limit:
        if load64(HEAP) - load64(FLOOR) >= load64(LIMIT):
            m = collect(m)
        if not HAS_ANYTIME:
            play_random_choices(m, limit)
        else:
            pick(m, random_below(len(m[1])))
            m[3] += 1
        if INVARIANTS and load64(DUE):
            check(m[0])
    return m, m[3]


def play_random_choices(m: Match, limit: int) -> None:
    """Choose at random until the match is over, or there is much to forget; like ``pick``, without a look aside."""
    s: State = m[0]
    frames, options, made = s[0], m[1], m[3]
    most: int = load64(FLOOR) + load64(LIMIT)
    try:
        while made < limit and load64(HEAP) < most:
            if INVARIANTS and load64(DUE):
                check(s)
            made += 1
            f: Frame = frames[-1]
            number: int = f[0]
            f[SLOTS[number]] = item_there(options, random_below(len(options)))
            number = THENS[number]
            f[0] = number
            store64(DEPTH, 0)
            renew()
            options = call_block(BLOCKS[number], s, f)
            if options is None:
                m[3] = made
                if not going_on(m, s, STEPS - 1):
                    mark_match_over(m, s)
                    return
                options = m[1]
            elif options is ENDED:
                m[3] = made
                mark_match_over(m, s)
                return
    except MatchOver:
        m[3] = made
        mark_match_over(m, s)
        return
    m[1] = options
    m[3] = made


def measure_result(s: State) -> Any:
    """Return what scores, tie-breaks and conditions of the result are for each seat."""
    found: list[Any] = []
    for measure in MEASURES:
        for seat in range(SEATS):
            renew()
            found.append(int(measure(s, seat)))
    return found


def match(seed: int, limit: int) -> None:
    """Play a match and write down behind everything what came of it: see ``host.Played``."""
    try:
        m, made = play(seed, limit)
        over = m[1] is None
        found = measure_result(m[0]) if over else []
        record(1 if over else 0, made, found, m[0])
    except RuleFault:
        record(2, 0, [], None)


def rolled_out(seed: int, number: int, limit: int) -> int:
    """Play matches one after another; write down the sums of choices and of measures, and return where.

    They draw on one generator, and so do the keys of their streams; *seed* was used to begin with.
    """
    totals = [0] * (SEATS * len(MEASURES))
    made = 0
    store64(FLOOR, load64(HEAP))
    for _ in range(number):
        store64(HEAP, load64(FLOOR))
        for name in word_at(STREAMED):
            store64(KEYS + 8 * name, random_bits())
        m, choices = play(seed, limit)
        made += choices
        found = measure_result(m[0])
        for at, value in enumerate(found):
            totals[at] += value
    where = load64(FLOOR)
    store64(HEAP, where)
    record(1, made, totals, None)
    return where


def begin_match(seed: int) -> int:
    """Begin a match; return how many options there are, -1 when it is over."""
    m: Match = fresh()
    m[0][1] = seed
    start(m)
    return standing(m)


def take_option(index: int) -> int:
    """Take an option of the match that was begun; return how many there are then, -1 when it is over."""
    m: Match = word_at(MATCH)
    pick(m, there(m, index))
    if load64(HEAP) - load64(FLOOR) >= load64(LIMIT):
        m = collect(m)
    return standing(m)


def there(m: Match, index: int) -> int:
    """Return the index of an option that a caller outside names, if there is one."""
    if m[1] is None or not 0 <= index < len(m[1]):
        raise RuleFault("no such option", "P0803")
    return index


def standing(m: Match) -> int:
    """Keep a match for what comes next; return how many options there are, -1 when it is over."""
    put_word(MATCH, m)
    return -1 if m[1] is None else len(m[1])


def write_state() -> int:
    """Write the state of the match behind everything; return how long that is."""
    m: Match = word_at(MATCH)
    return write_state_json(m[0])


def write_options() -> int:
    """Write the values of the options behind everything; return how long that is, 0 when the match is over."""
    m: Match = word_at(MATCH)
    return 0 if m[1] is None else write_value_json(m[1])


def write_measures() -> int:
    """Write what is measured of the match behind everything, see ``measured``; return how long that is."""
    m: Match = word_at(MATCH)
    return write_value_json(measure_result(m[0]))


def sample_rollouts(index: int, number: int, limit: int) -> int:
    """Take an option in copies of the match and let all choose at random from there, so many choices at most.

    Chance has other keys in them than the match has, so nothing is learned of what will come; the caller gives the
    keys of the match back. What each seat got is written behind everything, summed up: see ``credited``.

    Returns:
        How long that is; 0 where a match could not go on.
    """
    m: Match = word_at(MATCH)
    totals = [0] * SEATS
    floor = load64(FLOOR)
    store64(FLOOR, load64(HEAP))
    length = 0
    try:
        for _ in range(number):
            store64(HEAP, load64(FLOOR))
            for name in word_at(STREAMED):
                store64(KEYS + 8 * name, random_bits())
            credit_totals(played_from(copy_match(m), there(m, index), limit), totals)
        store64(HEAP, load64(FLOOR))
        length = write_value_json(totals)
    except RuleFault:
        store64(HEAP, load64(FLOOR))
    store64(FLOOR, floor)
    return length


def played_from(m: Match, index: int, limit: int) -> Any:
    """Take an option of a match, and so many at random; return the match, which may have moved."""
    pick(m, index)
    made = 0
    while m[1] is not None and made < limit:
        if load64(HEAP) - load64(FLOOR) >= load64(LIMIT):
            m = collect(m)
        pick(m, random_below(len(m[1])))
        made += 1
    return m


def credit_totals(m: Match, totals: Any) -> None:
    """Add to what each seat got: two for every other seat that it is ahead of, one for each that is as far."""
    s: State = m[0]
    keys = [standing_at(s, seat, m[1] is None) for seat in range(SEATS)]
    for seat in range(SEATS):
        for other in range(SEATS):
            if keys[other] < keys[seat]:
                totals[seat] += 2
            elif keys[other] == keys[seat]:
                totals[seat] += 1


def standing_at(s: State, seat: int, over: int) -> Any:
    """Return what a seat is compared by at the end, or by what the pack says a match is worth in its middle."""
    renew()
    if over:
        if WINS is not None:
            wins = WINS
            return [int(bool(wins(s, seat)))]
        return compared_by(s, seat)
    if VALUE is not None:
        value = VALUE
        return [int(value(s, seat))]
    return [0]


def compared_by(s: State, seat: int) -> Any:
    """Return what a seat is compared by with others: whether it can win, its score, what tie-breaks count."""
    found: list[Any] = []
    for criterion in CRITERIA:
        renew()
        found.append(int(criterion(s, seat)))
    return found
