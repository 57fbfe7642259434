"""Go on with a match until a player has to decide: what ``runtime.match`` and ``runtime.meanwhile`` do."""

from __future__ import annotations

from typing import Any

from patolli.kernel.budget import BLOCK, DEEPEST, tick
from patolli.kernel.faults import MatchOver, NoOption, RuleFault
from patolli.kernel.state import State
from patolli.run.compiler.affected import EVERY
from patolli.run.native.driver.piece_effects import anytime, take
from patolli.run.native.driver.tables import (
    BLOCKS,
    ENDED,
    FRAGILE,
    HAS_ANYTIME,
    INITIAL,
    LISTS,
    PAYING,
    PLAIN_START,
    PROBES,
    SLOTS,
    START,
    STEPS,
    THENS,
    Frame,
    Match,
)
from patolli.run.native.intrinsics import budget, call_block, item_there, load64, store64, word_at
from patolli.run.native.memory import CALLED, DEPTH, DRAWN, DUE, PROBING
from patolli.run.native.support.chance import renew


def fresh() -> Any:
    """Return a match before its set-up."""
    s: State = list(INITIAL)
    for slot in LISTS:
        s[slot] = list(s[slot])
    s[0] = [list(frame) for frame in START]
    s[3] = list(word_at(DRAWN))
    return [s, None, 0, 0]


def renew_budget() -> None:
    """Begin with a whole budget, or note that an answer is forced."""
    store64(DEPTH, 0)
    if load64(PROBING):
        budget[2] = 1
    else:
        renew()


def start(m: Match) -> None:
    """Run the set-up and go on to the first question."""
    s: State = m[0]
    renew_budget()
    try:
        for rule in PLAIN_START:
            rule(s, 0)
    except MatchOver:
        s[0].clear()
    run(m, 0)


def run(m: Match, again: int) -> None:
    """Go on until a player has to decide, or the match is over."""
    s: State = m[0]
    if not again or load64(PROBING):
        renew_budget()
    try:
        if going_on(m, s, STEPS - again):
            return
    except MatchOver:
        pass
    mark_match_over(m, s)


def going_on(m: Match, s: State, left: int) -> int:
    """Carry out blocks; return whether a player has to decide."""
    frames = s[0]
    while frames:
        f: Frame = frames[-1]
        options = call_block(BLOCKS[f[0]], s, f)
        if options is ENDED:
            break
        if options is not None:
            m[1] = options
            m[2] = 0
            if not HAS_ANYTIME or load64(PROBING) or meanwhile(m, f):
                return 1
            budget[2] = 1
            continue
        left -= 1
        if left < 0:
            left = STEPS
            tick(STEPS * BLOCK)
        if len(frames) > DEEPEST:
            raise RuleFault("deep", "P0803")
    return 0


def pick(m: Match, index: int) -> None:
    """Take an option, which there is, and go on."""
    s: State = m[0]
    options, extra = m[1], m[2]
    value = item_there(options, index)
    f: Frame = s[0][-1]
    if extra and index >= len(options) - extra:
        if not load64(PROBING):
            renew_budget()
        try:
            store64(DUE, EVERY)
            take(s, f[1], value[0], value[1])
        except MatchOver:
            s[0].clear()
        run(m, 0)
        return
    number: int = f[0]
    f[SLOTS[number]] = value
    f[0] = THENS[number]
    if load64(PROBING):
        run(m, 0)
        return
    renew_budget()
    if not first_block(m, s, f):
        run(m, 1)


def first_block(m: Match, s: State, f: Frame) -> int:
    """Carry out the block behind an answer; return whether a player has to decide."""
    try:
        options = call_block(BLOCKS[f[0]], s, f)
        if options is ENDED:
            s[0].clear()
        elif options is not None:
            m[1] = options
            m[2] = 0
            if not HAS_ANYTIME or meanwhile(m, s[0][-1]):
                return 1
            budget[2] = 1
    except MatchOver:
        s[0].clear()
    return 0


def meanwhile(m: Match, f: Frame) -> int:
    """Add anytime actions to the open question; see ``runtime.meanwhile``."""
    s: State = m[0]
    pending, frames, number = m[1], s[0], f[0]
    lowest = -1
    if FRAGILE:
        for at, waiting in enumerate(frames):
            if waiting[0] in FRAGILE:
                lowest = at
                break
    if 0 <= lowest < len(frames) - 1:
        kept = [pending[i] for i in range(len(pending)) if leads_back(m, i, lowest)]
        if kept:
            pending = kept
        m[1] = pending
    more = anytime(s, f[1]) if number not in PAYING else []
    if more:
        first = len(pending)
        m[2] = len(more)
        m[1] = [*pending, *more]
        if lowest >= 0:
            more = [more[i] for i in range(len(more)) if leads_back(m, first + i, lowest)]
            m[2] = len(more)
            m[1] = [*pending, *more]
        pending = m[1]
    if len(pending) > 1:
        return 1
    f[SLOTS[number]] = pending[0]
    f[0] = THENS[number]
    return 0


def mark_match_over(m: Match, s: State) -> None:
    """Note that a match is over."""
    s[0].clear()
    s[2] = 1
    m[1] = None
    m[2] = 0


def copy_match(m: Match) -> Any:
    """Return a copy of a match."""
    s: State = list(m[0])
    for slot in LISTS:
        s[slot] = list(s[slot])
    s[0] = [list(frame) for frame in s[0]]
    s[3] = list(s[3])
    return [s, m[1], m[2], 0]


def leads_back(m: Match, index: int, lowest: int) -> int:
    """Return whether after an option the questions that wait can be answered; see ``runtime.option_probe``."""
    before = load64(PROBING)
    depth = load64(DEPTH)
    called = load64(CALLED)
    store64(PROBING, 1)
    found = led_back(m, index, lowest)
    store64(PROBING, before)
    store64(DEPTH, depth)
    store64(CALLED, called)
    return found


def led_back(m: Match, index: int, lowest: int) -> int:
    """Search for answers that lead back; what has the fewest rules open is gone on with first."""
    question = m[0][0][lowest][0]
    waiting: list[Any] = []
    seen: list[Any] = []
    here, first, last, tried = m, index, index + 1, 0
    while tried <= PROBES:
        for option in range(first, last):
            tried += 1
            there = after(here, option)
            if there is None:
                continue
            frames = there[0][0]
            if there[1] is None or len(frames) <= lowest + 1 or frames[lowest][0] != question:
                return 1
            if there[0] not in seen:
                seen.append(there[0])
                waiting.append((len(frames), tried, there))
        if not waiting:
            return 0
        least = 0
        for at in range(1, len(waiting)):
            if waiting[at][0] < waiting[least][0]:
                least = at
        here = waiting.pop(least)[2]
        first, last = 0, len(here[1]) if here[1] is not None else 0
    return 0


def after(m: Match, option: int) -> Any:
    """Return a copy in which an option was taken; None where that leaves a question without an answer."""
    other: Match = copy_match(m)
    try:
        pick(other, option)
    except NoOption:
        return None
    return other
