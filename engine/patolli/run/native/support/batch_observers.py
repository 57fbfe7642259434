"""What seats observe in a batch, written by tables that follow from the same declarations as for single environments.

An *observer* is the table of one seat::

    0  stretches in the state, their number       8  stretches in the extended state, their number
   16  stretches that may be hidden, their number, bytes of each
   28  kinds of pieces that may be hidden, their number      36  which slots are open, their number
   44  whether what is written must be 0 before       48  a column of 1, as it is written; 0 where columns are bytes

A *stretch* is a part of an observation whose sources follow each other: first source, number, table, form, first
target, distance of targets. One of numbers that may be hidden has: first source, whether it is in the extended state,
number, table, form, first target, distance of targets, first flag, and of each condition the first one and their
distance, 0 or 1.
"""

from __future__ import annotations

from patolli.run.native.intrinsics import copy, fail, load8, load32, load64, store8, store32, store64, store_float
from patolli.run.native.memory import (
    ASTRAY_AT,
    EXTRA_AT,
    EXTRAS,
    FINAL_SEEN_AT,
    HOLDS_AT,
    OBSERVERS,
    OPEN_AT,
    SEEN_AT,
    SEEN_SIZE,
)
from patolli.run.native.support.batch_rows import clear_bytes

NUMBER_8, NUMBER_32, NUMBER_FLOAT, TABLE_8, TABLE_32, COLUMN_8, COLUMN_FLOAT = range(7)
"""How a number is written: as it is, by a table, or as a column of its own for each of its values."""
FLOAT_ONE = 0x3F800000
HALF = 1 << 31
LARGEST, SMALLEST = HALF - 1, -HALF + 1


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


def write_stretches(stretch: int, number: int, base: int, to: int) -> int:
    """Write numbers that are seen by all.

    A column of 1 is written without a branch, as a processor cannot foresee what lies on a board; for a 0, it goes
    to memory that is not read.
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
    """Return whether the conditions of one number of a stretch hold."""
    while condition < end:
        if not load8(holds + load32(condition) + load32(condition + 4) * count):
            return 0
        condition += 8
    return 1


def find_seen(state: int, observer: int) -> int:
    """Work out which pieces a seat sees, as the function of ``compiler.seat_view`` does, and what is opened by a field.

    A kind of pieces has: the slot that says where its first piece lies, the number of pieces, where its conditions
    begin, the piles that show only their top and their number, and for each piece which slots stand for it, 0 if
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
