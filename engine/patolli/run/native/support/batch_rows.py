"""The rows of a batch: what stands in memory of each environment, and how it is written from a state.

What depends on the pack are tables of 32-bit numbers, which ``measure.environments.batch_tables`` makes. So the same
few functions serve every pack, and observations follow from the same declarations as those of single environments.

An *observer* is the table of one seat::

    0  stretches in the state, their number       8  stretches in the extended state, their number
   16  stretches that may be hidden, their number, bytes of each
   28  kinds of pieces that may be hidden, their number      36  which slots are open, their number
   44  whether what is written must be 0 before       48  a column of 1, as it is written; 0 where columns are bytes

A *stretch* is a part of an observation whose sources follow each other: first source, number, table, form, first
target, distance of targets. One of numbers that may be hidden has: first source, whether it is in the extended state,
number, table, form, first target, distance of targets, first flag, and of each condition the first one and their
distance, 0 or 1.

An *encoder* gives the options of a question numbers; it begins with its kind, see ``number_options``.
"""

from __future__ import annotations

from patolli.run.native.heap import LIST
from patolli.run.native.intrinsics import (
    copy,
    fail,
    less_unsigned,
    load8,
    load32,
    load64,
    store8,
    store32,
    store64,
    store_float,
)
from patolli.run.native.memory import (
    ACTIONS_AT,
    ACTORS_AT,
    ASTRAY_AT,
    BLOCK_NUMBER,
    CHOSEN_AT,
    COUNTS_AT,
    ENCODERS,
    EXTRA_AT,
    EXTRAS,
    FINAL_ACTORS_AT,
    FINAL_SEEN_AT,
    HOLDS_AT,
    KEYS,
    LEGAL_AT,
    LEGAL_SIZE,
    MASK_SIZE,
    MASKS_AT,
    NOTED,
    OBSERVERS,
    OPEN_AT,
    REWARD_AT,
    REWARD_WORDS,
    REWARDED_SEATS,
    REWARDS_AT,
    SEEDS_AT,
    SEEDS_KEPT,
    SEEDS_USED_AT,
    SEEN_AT,
    SEEN_SIZE,
    SELECTED_AT,
    STATUS_AT,
    STREAM_KEYS_AT,
    TERMINATED_AT,
    TRUNCATED_AT,
    ZEROS,
)
from patolli.run.native.support.objects import new

NUMBER_8, NUMBER_32, NUMBER_FLOAT, TABLE_8, TABLE_32, COLUMN_8, COLUMN_FLOAT = range(7)
"""How a number is written: as it is, by a table, or as a column of its own for each of its values."""
RANKED, ONE, SEVERAL, CONSTANT, MARKED, MENU, FIRST = range(7)
"""Kinds of encoders: options in their order; by one value; by a tuple of values; a single number; a pair of whether it
is one and the value; a menu of lines; the first of some values."""
NOTHING, FLOAT_ONE = 0xFFFFFFFF, 0x3F800000
HALF = 1 << 31
LARGEST, SMALLEST = HALF - 1, -HALF + 1
FEW = 256
"""Bytes that are cleared without a call at most."""


def note(bits: int) -> int:
    """Note what happened in a call, as bits."""
    store64(NOTED, load64(NOTED) | bits)
    return 0


def status_of(row: int) -> int:
    """Return how the match of an environment stands."""
    return load8(load64(STATUS_AT) + row)


def set_status(row: int, status: int) -> int:
    """Note how the match of an environment stands."""
    store8(load64(STATUS_AT) + row, status)
    return 0


def put_end(row: int, terminated: int, truncated: int) -> int:
    """Write whether a match of an environment ended in this step: by its rules, or as it was cut off."""
    store8(load64(TERMINATED_AT) + row, terminated)
    store8(load64(TRUNCATED_AT) + row, truncated)
    return 0


def is_selected(row: int) -> int:
    """Tell whether an environment is to be reset."""
    return load8(load64(SELECTED_AT) + row)


def next_seed(row: int) -> int:
    """Return the seed of the next match of an environment, which is used then."""
    used = load32(load64(SEEDS_USED_AT) + row * 4)
    kept = load64(SEEDS_KEPT)
    if used >= kept:
        fail()
    store32(load64(SEEDS_USED_AT) + row * 4, used + 1)
    return load64(load64(SEEDS_AT) + (row * kept + used) * 8)


def seeds_left(row: int) -> int:
    """Return how many seeds an environment has for matches to come."""
    return load64(SEEDS_KEPT) - load32(load64(SEEDS_USED_AT) + row * 4)


def find_action(numbers: int, row: int) -> int:
    """Keep the index of the option that has the number of the action of an environment; tell whether there is one."""
    wanted = load32(load64(ACTIONS_AT) + row * 4) * 2
    at = load32(numbers + 11)
    left = load32(numbers + 7)
    index = 0
    while index < left:
        if load64(at) == wanted:
            store32(load64(CHOSEN_AT) + row * 4, index)
            return 1
        at += 8
        index += 1
    store32(load64(CHOSEN_AT) + row * 4, NOTHING)
    return 0


def get_chosen(row: int) -> int:
    """Return the index of the option that is taken; -1 for an illegal action."""
    return read_signed(load32(load64(CHOSEN_AT) + row * 4))


def clear_row(numbers: int, row: int) -> int:
    """Set the rewards of an environment to 0, and its mask, in which the actions with *numbers* are set."""
    seats = load64(REWARDED_SEATS)
    store32(load64(REWARD_AT) + row * 4, 0)
    at = load64(REWARDS_AT) + row * seats * 4
    while seats:
        store32(at, 0)
        at += 4
        seats -= 1
    mask = load64(MASKS_AT) + row * load64(MASK_SIZE)
    left = load32(numbers + 7)
    at = load32(numbers + 11)
    while left:
        store8(mask + (load64(at) >> 1), 0)
        at += 8
        left -= 1
    store32(load64(COUNTS_AT) + row * 4, 0)
    return 0


def clear_mask(row: int) -> int:
    """Set all of the mask of an environment to 0."""
    return clear_bytes(load64(MASKS_AT) + row * load64(MASK_SIZE), load64(MASK_SIZE))


def load_keys(row: int, streams: int) -> int:
    """Let chance draw from the streams of the match of an environment."""
    left = load32(streams + 7)
    name = load32(streams + 11)
    at = load64(STREAM_KEYS_AT) + row * left * 8
    while left:
        store64(KEYS + (load64(name) >> 1) * 8, load64(at))
        name += 8
        at += 8
        left -= 1
    return 0


def save_keys(row: int, streams: int) -> int:
    """Keep the keys of the streams of the match of an environment."""
    left = load32(streams + 7)
    name = load32(streams + 11)
    at = load64(STREAM_KEYS_AT) + row * left * 8
    while left:
        store64(at, load64(KEYS + (load64(name) >> 1) * 8))
        name += 8
        at += 8
        left -= 1
    return 0


def put_actor(row: int, seat: int, final: int) -> int:
    """Write which seat decides, or who acted last in a match that ended and has a row of its own."""
    if final:
        store32(load64(FINAL_ACTORS_AT) + row * 4, seat)
        return 0
    store32(load64(ACTORS_AT) + row * 4, seat)
    return 0


def put_reward(row: int, seat: int, number: int, actor: int) -> int:
    """Write the reward of a seat, which is a row of the table of rewards."""
    return put_reward_word(row, seat, load32(load64(REWARD_WORDS) + number * 4), actor)


def put_reward_word(row: int, seat: int, word: int, actor: int) -> int:
    """Write the reward of a seat as its 32 bits, and again if the seat acted."""
    seats = load64(REWARDED_SEATS)
    if seat < seats:
        store32(load64(REWARDS_AT) + (row * seats + seat) * 4, word)
        if seat == actor:
            store32(load64(REWARD_AT) + row * 4, word)
    return 0


def put_lead(row: int, seat: int, lead: int, actor: int) -> int:
    """Write as the reward of a seat how far it is ahead."""
    at = load64(REWARDS_AT) + (row * load64(REWARDED_SEATS) + seat) * 4
    if seat < load64(REWARDED_SEATS):
        store_float(at, lead)
        put_reward_word(row, seat, load32(at), actor)
    return 0


# -- the numbers of actions


def number_options(options: int, extra: int, block: int, seat: int, row: int) -> int:
    """Return the numbers of the actions of all options, and write them as the mask and the legal actions of a row.

    The last *extra* options are anytime actions.
    """
    number = load32(options + 7)
    made = new(LIST, number)
    regular = number - extra
    stride = load64(BLOCK_NUMBER) + 1
    encoder = load32(load64(ENCODERS) + (seat * stride + block) * 4)
    if not encoder:
        fail()
    at = load32(options + 11)
    kind = load32(encoder)
    if kind == ONE:
        number_ones(encoder, at, regular, made + 15)
    elif kind == SEVERAL and load32(encoder + 8) == NOTHING and load32(encoder + 12) == 2:
        number_pairs(encoder, at, regular, made + 15)
    else:
        number_others(encoder, at, regular, made + 15)
    if extra:
        anytime = load32(load64(ENCODERS) + (seat * stride + stride - 1) * 4)
        number_others(anytime, at + regular * 8, extra, made + 15 + regular * 8)
    write_mask(made + 15, number, row)
    return made


def write_mask(at: int, number: int, row: int) -> int:
    """Write the mask and the legal actions of a row, from the numbers of actions, which are words."""
    size = load64(MASK_SIZE)
    mask = load64(MASKS_AT) + row * size
    room = load64(LEGAL_SIZE)
    legal = load64(LEGAL_AT) + row * room * 4
    listed = legal + room * 4
    store32(load64(COUNTS_AT) + row * 4, number)
    while number:
        found = load64(at) >> 1
        if not less_unsigned(found, size):
            fail()
        store8(mask + found, 1)
        if legal < listed:
            store32(legal, found)
            legal += 4
        at += 8
        number -= 1
    return 0


def number_ones(encoder: int, at: int, number: int, to: int) -> int:
    """Number options that are one value each; see ``number_value``."""
    start = load32(encoder + 4)
    least = read_signed(load32(encoder + 8))
    many = load32(encoder + 12)
    table = load32(encoder + 16)
    beyond = load32(encoder + 20)
    while number:
        word = load64(at)
        value = (word >> 1) - least
        found = beyond
        if word != -2 or beyond == NOTHING:
            if word & 1 or not less_unsigned(value, many):
                fail()
            found = start + load32(table + value * 4)
        store64(to, found * 2)
        at += 8
        to += 8
        number -= 1
    return 0


def number_pairs(encoder: int, at: int, number: int, to: int) -> int:
    """Number options that are two values each, none of which stands for no answer; see ``number_values``."""
    start = load32(encoder + 4)
    least = read_signed(load32(encoder + 16))
    many = load32(encoder + 20)
    table = load32(encoder + 24)
    second_least = read_signed(load32(encoder + 28))
    second_many = load32(encoder + 32)
    second_table = load32(encoder + 36)
    while number:
        values = load32(load64(at) + 11)
        value = (load64(values) >> 1) - least
        second = (load64(values + 8) >> 1) - second_least
        if not less_unsigned(value, many) or not less_unsigned(second, second_many):
            fail()
        store64(to, (start + load32(table + value * 4) + load32(second_table + second * 4)) * 2)
        at += 8
        to += 8
        number -= 1
    return 0


def number_others(encoder: int, at: int, number: int, to: int) -> int:
    """Number options by any kind of encoder."""
    kind = load32(encoder)
    rank = 0
    if kind == MENU:
        clear_ranks(encoder)
    while rank < number:
        found = 0
        if kind == RANKED:
            found = load32(encoder + 4) + rank
            if rank >= load32(encoder + 8):
                fail()
        elif kind == MENU:
            found = number_line(encoder, load64(at))
        elif kind == MARKED:
            pair = load32(load64(at) + 11)
            chosen = -2
            if load64(pair):
                chosen = load64(pair + 8)
            found = number_value(encoder + 4, chosen)
        elif kind == FIRST:
            found = number_value(encoder + 4, load64(load32(load64(at) + 11)))
        else:
            found = number_value(encoder, load64(at))
        store64(to, found * 2)
        at += 8
        to += 8
        rank += 1
    return 0


def clear_ranks(encoder: int) -> int:
    """Begin to count the lines of a menu whose options are numbered in their order."""
    left = load32(encoder + 4)
    at = encoder + 8
    while left:
        line = load32(at)
        if load32(line) == RANKED:
            store32(line + 12, 0)
        at += 4
        left -= 1
    return 0


def number_line(encoder: int, word: int) -> int:
    """Return the number of an option of a menu: a line and values. An anytime action is one, too."""
    line = load32(encoder + 8 + (load64(load32(word + 11)) >> 1) * 4)
    if load32(line) == RANKED:
        rank = load32(line + 12)
        store32(line + 12, rank + 1)
        if rank >= load32(line + 8):
            fail()
        return load32(line + 4) + rank
    if load32(line) == ONE:
        return number_value(line, load64(load32(word + 11) + 8))
    if load32(line) == SEVERAL:
        return number_values(line, load32(word + 11) + 8)
    return load32(line + 4)


def number_value(encoder: int, word: int) -> int:
    """Return the number of a value: kind, first number, least value, number of values, their table, number of none."""
    kind = load32(encoder)
    if kind == SEVERAL:
        return number_values(encoder, load32(word + 11))
    if kind == CONSTANT:
        return load32(encoder + 4)
    if word == -2:
        beyond = load32(encoder + 20)
        if beyond != NOTHING:
            return beyond
    value = (word >> 1) - read_signed(load32(encoder + 8))
    if word & 1 or not less_unsigned(value, load32(encoder + 12)):
        fail()
    return load32(encoder + 4) + load32(load32(encoder + 16) + value * 4)


def number_values(encoder: int, at: int) -> int:
    """Return the number of values that follow each other.

    The encoder has: kind, first number, number of none, how many values there are; and of each value
    the least one, the number of values, and the table of what each adds.
    """
    left = load32(encoder + 12)
    digit = encoder + 16
    found = 0
    some = 0
    while left:
        word = load64(at)
        some |= word != -2
        value = (word >> 1) - read_signed(load32(digit))
        if word & 1 or not less_unsigned(value, load32(digit + 4)):
            fail()
        found += load32(load32(digit + 8) + value * 4)
        at += 8
        digit += 12
        left -= 1
    if not some and load32(encoder + 8) != NOTHING:
        return load32(encoder + 8)
    return load32(encoder + 4) + found


def read_signed(value: int) -> int:
    """Return a number of 32 bits with its sign."""
    return (value ^ 0x80000000) - 0x80000000


# -- observations


def write_seen(state: int, seat: int, row: int, final: int) -> int:
    """Write what a seat observes, in the row of an environment, or of matches that have ended."""
    at = load64(SEEN_AT)
    if final:
        at = load64(FINAL_SEEN_AT)
    at += row * load64(SEEN_SIZE)
    observer = load32(load64(OBSERVERS) + seat * 4)
    if load32(observer + 44):
        clear_bytes(at, load64(SEEN_SIZE))
    if load32(observer + 20):
        find_seen(state, observer)
    write_extras(state, seat)
    write_stretches(load32(observer), load32(observer + 4), state + 15, at)
    write_stretches(load32(observer + 8), load32(observer + 12), load64(EXTRA_AT), at)
    write_hidden(observer, state + 15, at)
    return 0


def clear_bytes(at: int, size: int) -> int:
    """Set bytes to 0; few of them one by one, as a call would take longer."""
    if size > FEW:
        copy(at, load64(ZEROS), size)
        return 0
    while size >= 8:
        store64(at, 0)
        at += 8
        size -= 8
    while size:
        store8(at, 0)
        at += 1
        size -= 1
    return 0


def write_stretches(stretch: int, number: int, base: int, to: int) -> int:
    """Write numbers that are seen by all.

    A column of 1 is written without a branch, as a processor cannot foresee what lies on a board; for a 0, it goes
    where nobody reads.
    """
    astray = load64(ASTRAY_AT)
    while number:
        source = base + load32(stretch)
        end = source + load32(stretch + 4) * 8
        table = load32(stretch + 8)
        form = load32(stretch + 12)
        at = to + load32(stretch + 16)
        step = load32(stretch + 20)
        if form == COLUMN_8:
            at -= 1 + astray
            while source < end:
                value = load32(table + load64(source) * 2)
                store8(astray + (at + value & 0 - (value > 0)), 1)
                source += 8
                at += step
        elif form == TABLE_8:
            while source < end:
                store8(at, load32(table + load64(source) * 2))
                source += 8
                at += step
        elif form == COLUMN_FLOAT:
            at -= 4 + astray
            while source < end:
                value = load32(table + load64(source) * 2)
                store32(astray + (at + value * 4 & 0 - (value > 0)), FLOAT_ONE)
                source += 8
                at += step
        elif form == TABLE_32:
            while source < end:
                store32(at, load32(table + load64(source) * 2))
                source += 8
                at += step
        elif form == NUMBER_8:
            while source < end:
                value = load64(source) >> 1
                if value + 128 & -256:
                    fail()
                store8(at, value)
                source += 8
                at += step
        elif form == NUMBER_32:
            while source < end:
                store32(at, limit_number(load64(source) >> 1))
                source += 8
                at += step
        else:
            while source < end:
                value = load64(source) >> 1
                if value + HALF & -2 * HALF:
                    value = limit_number(value)
                store_float(at, value)
                source += 8
                at += step
        stretch += 24
        number -= 1
    return 0


def limit_number(value: int) -> int:
    """Return a number, or instead of one that is too large for 32 bits the largest."""
    if value > LARGEST:
        return LARGEST
    if value < SMALLEST:
        return SMALLEST
    return value


def write_number(value: int, form: int, at: int) -> int:
    """Write a number as it is."""
    if form == NUMBER_8:
        if value + 128 & -256:
            fail()
        store8(at, value)
    elif form == NUMBER_32:
        store32(at, limit_number(value))
    else:
        store_float(at, limit_number(value))
    return 0


def write_hidden(observer: int, state: int, to: int) -> int:
    """Write numbers that may be hidden, and whether they are seen."""
    stretch = load32(observer + 16)
    left = load32(observer + 20)
    size = load32(observer + 24)
    unit = load32(observer + 48)
    holds = load64(HOLDS_AT)
    width = 4
    if not unit:
        width = 1
    while left:
        source = state + load32(stretch)
        if load32(stretch + 4):
            source = load64(EXTRA_AT) + load32(stretch)
        end = source + load32(stretch + 8) * 8
        table = load32(stretch + 12)
        form = load32(stretch + 16)
        at = to + load32(stretch + 20)
        step = load32(stretch + 24)
        flag = to + load32(stretch + 28)
        condition = holds + load32(stretch + 32)
        further = load32(stretch + 36)
        more = stretch + 40
        count = 0
        while source < end:
            seen = load8(condition)
            if size > 40:
                seen &= all_hold(holds, more, stretch + size, count)
            condition += further
            count += 1
            if seen:
                if unit:
                    store32(flag, unit)
                else:
                    store8(flag, 1)
                if form < TABLE_8:
                    write_number(load64(source) >> 1, form, at)
                else:
                    value = load32(table + load64(source) * 2)
                    if form == TABLE_32:
                        store32(at, value)
                    elif form == TABLE_8:
                        store8(at, value)
                    elif value:
                        if form == COLUMN_8:
                            store8(at + value - 1, 1)
                        else:
                            store32(at + value * 4 - 4, FLOAT_ONE)
            source += 8
            at += step
            flag += width
        stretch += size
        left -= 1
    return 0


def all_hold(holds: int, condition: int, end: int, count: int) -> int:
    """Tell whether the conditions of one number of a stretch hold."""
    while condition < end:
        if not load8(holds + load32(condition) + load32(condition + 4) * count):
            return 0
        condition += 8
    return 1


def find_seen(state: int, observer: int) -> int:
    """Work out which pieces a seat sees, as the function of ``compiler.seat_view`` does, and what is opened by a field.

    A kind of pieces has: the slot that says where its first piece lies, the number of pieces, where its conditions
    begin, the piles of which only the top is seen and their number, and for each piece which slots stand for it, 0 if
    none does.
    """
    holds = load64(HOLDS_AT)
    open_ = load32(observer + 36)
    kind = load32(observer + 28)
    left = load32(observer + 32)
    if left:
        copy(load64(OPEN_AT), open_, load32(observer + 40))
        open_ = load64(OPEN_AT)
    while left:
        slot = state + 15 + load32(kind) * 8
        number = load32(kind + 4)
        at = holds + load32(kind + 8)
        n = 0
        while n < number:
            store8(at + n, load8(open_ + (load64(slot + n * 8) >> 1)))
            n += 1
        pile = load32(kind + 12)
        piles = load32(kind + 16)
        while piles:
            bury(load64(state + 15 + load32(pile) * 8), at)
            pile += 4
            piles -= 1
        standing = load32(kind + 20)
        n = 0
        while standing and n < number:
            if not load8(at + n):
                shut(open_, load32(standing + n * 8), load32(standing + n * 8 + 4))
            n += 1
        kind += 24
        left -= 1
    return 0


def bury(pile: int, flags: int) -> int:
    """Note that all pieces of a pile but the top are hidden."""
    left = load32(pile + 7)
    at = load32(pile + 11)
    while left > 1:
        store8(flags + (load64(at) >> 1), 0)
        at += 8
        left -= 1
    return 0


def shut(open_: int, slot: int, number: int) -> int:
    """Note that what lies in some slots is hidden."""
    while number:
        store8(open_ + load32(slot), 0)
        slot += 4
        number -= 1
    return 0


def write_extras(state: int, seat: int) -> int:
    """Work out the part of the extended state that is not in the state.

    The table has, each with its number: lengths of places (slot, target), lists (slot, target, things, target of the
    length), piles (slot, target of the first piece), fields that open others (slot, condition). Then the target of the
    turn, the bytes to clear, where the conditions of variables begin and their number. At last, for each block its
    question and variables: slot in the frame, target, condition, condition of the first piece of a kind that may be
    hidden or 0, and whether it is a list.
    """
    extras = load64(EXTRAS)
    extra = load64(EXTRA_AT)
    holds = load64(HOLDS_AT)
    items = state + 15
    clear_bytes(extra, load32(extras + 36))
    clear_bytes(holds + load32(extras + 40), load32(extras + 44))
    at = load32(extras)
    left = load32(extras + 4)
    while left:
        store64(extra + load32(at + 4), load32(load64(items + load32(at)) + 7) * 2)
        at += 8
        left -= 1
    at = load32(extras + 8)
    left = load32(extras + 12)
    while left:
        word = load64(items + load32(at))
        store64(extra + load32(at + 12), load32(word + 7) * 2)
        if load32(at + 8):
            count_items(word, extra + load32(at + 4), 0)
        at += 16
        left -= 1
    at = load32(extras + 16)
    left = load32(extras + 20)
    while left:
        note_positions(load64(items + load32(at)), extra + load32(at + 4))
        at += 8
        left -= 1
    at = load32(extras + 24)
    left = load32(extras + 28)
    while left:
        store8(holds + load32(at + 4), load64(items + load32(at)) != 0)
        at += 8
        left -= 1
    turn = extra + load32(extras + 32)
    store64(turn, -2)
    store64(turn + 8, seat * 2)
    store64(turn + 16, -2)
    frames = load64(items)
    depth = load32(frames + 7)
    if depth:
        frame = load64(load32(frames + 11) + depth * 8 - 8)
        values = load32(frame + 11)
        actor = load64(values + 8)
        store64(turn, actor)
        if actor >> 1 == seat:
            block = load32(extras + 48) + (load64(values) >> 1) * 12
            store64(turn + 16, load32(block) * 2)
            write_variables(values, load32(block + 4), load32(block + 8), extra, holds)
    return 0


def write_variables(values: int, variable: int, number: int, extra: int, holds: int) -> int:
    """Write the variables of the rule that asks; a piece that the seat does not see now is left out."""
    while number:
        word = load64(values + load32(variable) * 8)
        target = extra + load32(variable + 4)
        flags = load32(variable + 12)
        if flags:
            flags += holds
        if load32(variable + 16):
            if word & 1 and word != 1:
                store8(holds + load32(variable + 8), 1)
                count_items(word, target, flags)
        elif not word & 1:
            shown = 1
            if flags and word >= 0:
                shown = load8(flags + (word >> 1))
            if shown:
                store8(holds + load32(variable + 8), 1)
                store64(target, word)
        variable += 20
        number -= 1
    return 0


def count_items(word: int, to: int, flags: int) -> int:
    """Count how often each thing stands in a list; with *flags*, only those that are seen."""
    at = load32(word + 11)
    left = load32(word + 7)
    while left:
        item = load64(at)
        if item >= 0:
            shown = 1
            if flags:
                shown = load8(flags + (item >> 1))
            if shown:
                store64(to + item * 4, load64(to + item * 4) + 2)
        at += 8
        left -= 1
    return 0


def note_positions(pile: int, to: int) -> int:
    """Write at which position of a pile each of its pieces lies, from 1 on top."""
    at = load32(pile + 11)
    left = load32(pile + 7)
    while left:
        store64(to + load64(at) * 4, left * 2)
        at += 8
        left -= 1
    return 0
