"""The numbers of actions in a batch: an encoder gives the options of a question numbers.

An *encoder* is a table of 32-bit numbers, see ``measure.environments.batch_tables``. It begins with its kind.
"""

from __future__ import annotations

from patolli.run.native.heap import LIST
from patolli.run.native.intrinsics import fail, less_unsigned, load32, load64, store8, store32, store64
from patolli.run.native.memory import BLOCK_NUMBER, COUNTS_AT, ENCODERS, LEGAL_AT, LEGAL_SIZE, MASK_SIZE, MASKS_AT
from patolli.run.native.support.batch_rows import NOTHING, read_signed
from patolli.run.native.support.objects import new

RANKED, ONE, SEVERAL, CONSTANT, MARKED, MENU, FIRST = range(7)
"""Kinds of encoders: options in their order; by one value; by a tuple of values; a single number; a pair of whether it
is one and the value; a menu of lines; the first of some values."""


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
    """Number options that are two values each, if neither stands for no choice; see ``number_values``."""
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
