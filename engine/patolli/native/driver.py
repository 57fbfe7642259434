"""Plays matches: what ``runtime.match``, ``runtime.meanwhile`` and ``runtime.probing`` do, over plain lists.

This is translated like the rest. A match is a list: its state, its open options, and how many of the last of them are
anytime actions. The names in capitals are tables of the program, which ``program.tables`` makes.
"""

from __future__ import annotations

from typing import Any

from patolli.kernel.budget import BLOCK, budget, tick
from patolli.kernel.faults import MatchOver, NoOption, RuleFault
from patolli.kernel.state import State
from patolli.native.intrinsics import call_block, load64, store64
from patolli.native.memory import DEPTH, DRAWN, FLOOR, HEAP, HELD, KEYS, LIMIT, MATCH, PROBING, STREAMED
from patolli.native.support import collect, random_below, random_bits, record, renew, state_told

SLOTS: Any
THENS: Any
BLOCKS: Any
FRAGILE: Any
PAYING: Any
INITIAL: Any
LISTS: Any
START: Any
PLAIN_START: Any
EFFECTS: Any
CANS: Any
FINDS: Any
UNSEEN: Any
RUNS: Any
BINDS: Any
ACTIVE: Any
SEVERAL: Any
SECRET: Any
MEASURES: Any
CONDITIONS: Any
SEATS: Any
HAS_ANYTIME: Any
ENDED: Any
"""What a block gives that has ended the match."""
Frame = list[Any]
Match = list[Any]
PROBES, DEEPEST, STEPS = 2000, 400, 50


def word_at(address: int) -> Any:
    """Read a word."""
    raise NotImplementedError


def put_word(address: int, word: Any) -> None:
    """Write a word."""
    raise NotImplementedError


def keep(s: State, touched: Any) -> Any:
    """Return what a rule may change; what it works on meanwhile are copies of the lists."""
    numbers = [s[first:last] for first, last in touched[0]]
    lists = [s[first:last] for first, last in touched[1]]
    for first, last in touched[1]:
        for slot in range(first, last):
            s[slot] = list(s[slot])
    return numbers, lists


def take_back(s: State, touched: Any, kept: Any) -> None:
    """Make a state what it was."""
    for (first, last), items in zip(touched[0], kept[0], strict=True):
        s[first:last] = items
    for (first, last), items in zip(touched[1], kept[1], strict=True):
        s[first:last] = items


def carried_through(s: State, frame: Any) -> None:
    """Carry out a rule on frames that asks nobody."""
    outer = s[0]
    frames = [frame]
    s[0] = frames
    try:
        while frames:
            tick(BLOCK)
            f: Frame = frames[-1]
            if call_block(BLOCKS[f[0]], s, f) is ENDED:
                raise MatchOver
    except MatchOver:
        s[0] = outer
        raise MatchOver
    s[0] = outer


# ---- effects of pieces, and anytime actions


def begin(work: Any, s: State, me: int, argument: int, back: int, takes: int) -> None:
    """Carry out a rule, or push its frame."""
    if isinstance(work, tuple):
        if takes:
            s[0].append([work[0], me, back, argument, *work[1]])
        else:
            s[0].append([work[0], me, back, *work[1]])
    elif takes:
        work(s, me, argument)
    else:
        work(s, me)


def do_effect(s: State, me: int, effect: int, piece: int) -> None:
    """Carry out the effect of a piece."""
    if effect >= 0:
        begin(EFFECTS[effect], s, me, piece, 0, 1)


def push_effect(s: State, me: int, effect: int, piece: int) -> None:
    """Carry out the effect of a piece, or push its frame."""
    if effect >= 0:
        begin(EFFECTS[effect], s, me, piece, 0, 1)


def can_do(s: State, me: int, effect: int, piece: int) -> int:
    """Tell whether an effect of a piece is possible."""
    if effect < 0 or CANS[effect] is None:
        return 1
    test = CANS[effect]
    return bool(test(s, me, piece))


def is_hidden(frames: Any) -> int:
    """Tell whether what goes on stays secret until all have answered."""
    for frame in frames:
        if frame[0] in SECRET:
            return 1
    return 0


def goes_on(frames: Any, action: int, value: Any, binds: int) -> int:
    """Tell whether an anytime action with this value is being carried out."""
    for frame in frames:
        if frame[2] == -1 - action and (not binds or frame[3] == value):
            return 1
    return 0


def inside_one(frames: Any) -> int:
    """Tell whether an anytime action is being carried out."""
    for frame in frames:
        if frame[2] < 0:
            return 1
    return 0


def anytime(s: State, me: int) -> Any:
    """Return what a player may do beside the open question: pairs of an action and its value."""
    found: list[Any] = []
    if ACTIVE is not None:
        active = ACTIVE
        who = active(s, me)
        if SEVERAL:
            if me not in who:
                return found
        elif who != me:
            return found
    finds = UNSEEN if SECRET and is_hidden(s[0]) else FINDS
    for action, find in finds:
        values = find(s, me)
        for value in values:
            found.append((action, value))
    if found and inside_one(s[0]):
        return [one for one in found if not goes_on(s[0], one[0], one[1], BINDS[one[0]])]
    return found


def take(s: State, me: int, action: int, value: Any) -> None:
    """Take an anytime action."""
    begin(RUNS[action], s, me, value, -1 - action, BINDS[action])


# ---- a match


def fresh() -> Any:
    """Return a match before its set-up."""
    s = list(INITIAL)
    for slot in LISTS:
        s[slot] = list(s[slot])
    s[0] = [list(frame) for frame in START]
    s[3] = list(word_at(DRAWN))
    return [s, None, 0, 0]


def renewed() -> None:
    """Begin with a whole budget, or note that an answer is forced."""
    store64(DEPTH, 0)
    if load64(PROBING):
        budget[2] = 1
    else:
        renew()


def start(m: Match) -> None:
    """Run the set-up and go on to the first question."""
    s: State = m[0]
    renewed()
    try:
        for rule in PLAIN_START:
            rule(s, 0)
    except MatchOver:
        s[0].clear()
    run(m, 0)


def run(m: Match, again: int) -> None:
    """Go on until somebody has to decide, or the match is over."""
    s: State = m[0]
    if not again or load64(PROBING):
        renewed()
    try:
        if going_on(m, s, STEPS - again):
            return
    except MatchOver:
        pass
    ended(m, s)


def going_on(m: Match, s: State, left: int) -> int:
    """Carry out blocks; tell whether somebody has to decide."""
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
    """Take an option and go on."""
    s: State = m[0]
    options, extra = m[1], m[2]
    value = options[index]
    f: Frame = s[0][-1]
    if extra and index >= len(options) - extra:
        if not load64(PROBING):
            renewed()
        try:
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
    renewed()
    if not first_block(m, s, f):
        run(m, 1)


def first_block(m: Match, s: State, f: Frame) -> int:
    """Carry out the block behind an answer; tell whether somebody has to decide."""
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
        at = 0
        for waiting in frames:
            if waiting[0] in FRAGILE:
                lowest = at
                break
            at += 1
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


# ---- trying


def copied(m: Match) -> Any:
    """Return a copy of a match."""
    s = list(m[0])
    for slot in LISTS:
        s[slot] = list(s[slot])
    s[0] = [list(frame) for frame in s[0]]
    s[3] = list(s[3])
    return [s, m[1], m[2], 0]


def leads_back(m: Match, index: int, lowest: int) -> int:
    """Tell whether after an option the questions that wait can be answered; see ``runtime.probing``."""
    before = load64(PROBING)
    depth = load64(DEPTH)
    store64(PROBING, 1)
    found = led_back(m, index, lowest)
    store64(PROBING, before)
    store64(DEPTH, depth)
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
    other: Match = copied(m)
    try:
        pick(other, option)
    except NoOption:
        return None
    return other


# ---- whole matches


def held(s: State) -> None:
    """Look whether all invariants hold; where one does not, Python tells which."""
    for test in CONDITIONS:
        renew()
        if not test(s, 0):
            raise RuleFault("an invariant", "")


def play(seed: int, limit: int) -> Any:
    """Play a match in which all choose at random; return it, and how many choices there were."""
    m: Match = fresh()
    m[0][1] = seed
    start(m)
    if load64(HELD):
        held(m[0])
    m[3] = 0
    while m[1] is not None and m[3] < limit:
        if load64(HEAP) - load64(FLOOR) > load64(LIMIT):
            m = collect(m)
        if not HAS_ANYTIME and not load64(HELD):
            chosen(m, limit)
        else:
            pick(m, random_below(len(m[1])))
            m[3] += 1
            if load64(HELD):
                held(m[0])
    return m, m[3]


def chosen(m: Match, limit: int) -> None:
    """Choose at random until the match is over, or there is much to forget: what ``pick`` does, without a look aside."""
    s: State = m[0]
    frames, options, made = s[0], m[1], m[3]
    most: int = load64(FLOOR) + load64(LIMIT)
    try:
        while made < limit and load64(HEAP) < most:
            made += 1
            f: Frame = frames[-1]
            number: int = f[0]
            f[SLOTS[number]] = options[random_below(len(options))]
            number = THENS[number]
            f[0] = number
            store64(DEPTH, 0)
            renew()
            options = call_block(BLOCKS[number], s, f)
            if options is None:
                m[3] = made
                if not going_on(m, s, STEPS - 1):
                    ended(m, s)
                    return
                options = m[1]
            elif options is ENDED:
                m[3] = made
                ended(m, s)
                return
    except MatchOver:
        m[3] = made
        ended(m, s)
        return
    m[1] = options
    m[3] = made


def ended(m: Match, s: State) -> None:
    """Note that a match is over."""
    s[0].clear()
    s[2] = 1
    m[1] = None
    m[2] = 0


def measured(s: State) -> Any:
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
        found = measured(m[0]) if over else []
        record(1 if over else 0, made, found, m[0])
    except RuleFault:
        record(2, 0, [], None)



# ---- many matches from one generator


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
        found = measured(m[0])
        at = 0
        for value in found:
            totals[at] += value
            at += 1
    where = load64(FLOOR)
    store64(HEAP, where)
    record(1, made, totals, None)
    return where


# ---- a match step by step


def opened(seed: int) -> int:
    """Begin a match; return how many options there are, -1 when it is over."""
    m: Match = fresh()
    m[0][1] = seed
    start(m)
    return standing(m)


def answered(index: int) -> int:
    """Take an option of the match that was begun; return how many there are then, -1 when it is over."""
    m: Match = word_at(MATCH)
    pick(m, index)
    if load64(HEAP) - load64(FLOOR) > load64(LIMIT):
        m = collect(m)
    return standing(m)


def standing(m: Match) -> int:
    """Keep a match for what comes next; return how many options there are, -1 when it is over."""
    put_word(MATCH, m)
    return -1 if m[1] is None else len(m[1])


def told() -> int:
    """Write the state of the match behind everything; return how long that is."""
    m: Match = word_at(MATCH)
    return state_told(m[0])
