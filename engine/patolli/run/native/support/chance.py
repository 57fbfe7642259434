"""The step budget, and chance: streams of a match, and the generator of Python. See the package."""

from __future__ import annotations

from patolli.kernel.budget import PART
from patolli.run.native.heap import TUPLE
from patolli.run.native.intrinsics import (
    copy,
    fail,
    float64,
    load32,
    load64,
    product64,
    scale_fraction,
    shift_unsigned,
    store32,
    store64,
)
from patolli.run.native.memory import BUDGET, DUE, KEYS, MT, SEEDED, TWISTED, WHOLE
from patolli.run.native.support.keys import compute_stream_key
from patolli.run.native.support.lists import size_of
from patolli.run.native.support.objects import mix_bits

UPPER, LOWER, ONES = 0x8000000080000000 - (1 << 64), 0x7FFFFFFF7FFFFFFF, 0x0000000100000001
LEFT_7, LEFT_15 = 0x9D2C56809D2C5680 - (1 << 64), 0xEFC60000EFC60000 - (1 << 64)
"""Masks for two numbers of 32 bits side by side."""


def is_due(bit: int) -> int:
    """Return whether one of the invariants with a bit is to be evaluated."""
    return load64(DUE) & bit


def renew() -> int:
    """Begin with a whole budget."""
    store64(BUDGET, PART)
    store64(BUDGET + 8, load64(WHOLE))
    store64(BUDGET + 16, 0)
    store64(BUDGET + 24, 2)
    return 0


def look() -> int:
    """Go on to the next part of the budget; see ``kernel.budget.look``."""
    left = load64(BUDGET)
    used = (PART - 1 - left) // PART
    if left >= 0:
        used = 0
    store64(BUDGET, left + used * PART)
    store64(BUDGET + 8, load64(BUDGET + 8) - used)
    if load64(BUDGET + 8) < 0:
        if not load64(BUDGET + 16) or not load64(BUDGET + 24):
            fail()
        store64(BUDGET, PART)
        store64(BUDGET + 8, load64(WHOLE))
        store64(BUDGET + 16, 0)
        store64(BUDGET + 24, load64(BUDGET + 24) - 1)
    return 0


def tick(steps: int) -> int:
    """Draw on the step budget."""
    left = load64(BUDGET) - steps
    store64(BUDGET, left)
    if left < 0:
        look()
    return 0


def whole(word: int, fourths: int) -> int:
    """Draw what it takes to go through a list without a loop; see ``kernel.budget``."""
    number = load32(word + 7)
    draws: int = number > 8
    if number and not draws:
        first = load64(load32(word + 11))
        draws = first & 1 and first != 1 and load32(first - 1) == TUPLE
    if draws:
        tick(size_of(word) * fourths >> 2)
    return word


def high(left: int, right: int) -> int:
    """Return the upper half of the product of a number of 64 bits and one below 2 ** 31."""
    low = (left & 0xFFFFFFFF) * right
    return shift_unsigned(shift_unsigned(left, 32) * right + shift_unsigned(low, 32), 32)


def below(s: int, number: int, stream: int) -> int:
    """Draw a number; see ``kernel.chance.below``."""
    name = load64(stream + 15) >> 1
    draws = load64(s + 39) + 15 + name * 8
    done = load64(draws) >> 1
    if done < 0:
        done = 0
    store64(draws, done * 2 + 2)
    key = load64(KEYS + name * 8)
    if not key:
        key = compute_stream_key(load64(s + 23) >> 1, name)
    return high(mix_bits(key + done * -0x61C8864680B583EB), number)


def shuffle(s: int, slot: int, stream: int) -> int:
    """Put a place in random order; see ``kernel.chance.shuffle``."""
    pieces = load64(s + 15 + slot * 8)
    number = load32(pieces + 7)
    tick(number * 25)
    name = load64(stream + 15) >> 1
    draws = load64(s + 39) + 15 + name * 8
    if load64(draws) < 0:
        store64(draws, 0)
    at = load32(pieces + 11)
    while number > 1:
        other = at + below(s, number, stream) * 8
        number -= 1
        kept = load64(at + number * 8)
        store64(at + number * 8, load64(other))
        store64(other, kept)
    return 1


def seed_generator(seed: int) -> int:
    """Seed the generator as Python does with a whole number that is not below 0.

    Source:
        M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 1998, and their ``init_by_array`` of 2002.
    """
    copy(MT, SEEDED, 2496)
    low = seed & 0xFFFFFFFF
    upper = shift_unsigned(seed, 32)
    i = 1
    j = 0
    before = load32(MT)
    k = 624
    while k:
        key = low
        if j:
            key = upper + 1
        before = (load32(MT + i * 4) ^ (before ^ before >> 30) * 1664525) + key & 0xFFFFFFFF
        store32(MT + i * 4, before)
        i += 1
        if upper:
            j = 1 - j
        if i == 624:
            store32(MT, before)
            i = 1
        k -= 1
    k = 623
    while k:
        before = (load32(MT + i * 4) ^ (before ^ before >> 30) * 1566083941) - i & 0xFFFFFFFF
        store32(MT + i * 4, before)
        i += 1
        if i == 624:
            store32(MT, before)
            i = 1
        k -= 1
    store32(MT, 0x80000000)
    store64(TWISTED, 0)
    return 0


def two_drawn() -> int:
    """Draw twice 32 bits, the first ones below; numbers of the generator are renewed by twos, as they come next.

    Two numbers go side by side through each step; behind the last one stands the first one again.
    """
    i = load64(TWISTED)
    at = MT + i * 4
    far = at + 1588
    if i >= 227:
        far = at - 908
    y = load64(at) & UPPER | load64(at + 4) & LOWER
    y = load64(far) ^ shift_unsigned(y, 1) & LOWER ^ (y & ONES) * 0x9908B0DF
    store64(at, y)
    i += 2
    if i == 2:
        store32(MT + 2496, y)
    if i == 624:
        i = 0
    store64(TWISTED, i)
    y = y ^ shift_unsigned(y, 11) & 0x001FFFFF001FFFFF
    y = y ^ y << 7 & LEFT_7
    y = y ^ y << 15 & LEFT_15
    return y ^ shift_unsigned(y, 18) & 0x00003FFF00003FFF


def random_below(number: int) -> int:
    """Return ``int(random() * number)``."""
    y = two_drawn()
    return scale_fraction(shift_unsigned(y & 0xFFFFFFFF, 5) * 67108864 + shift_unsigned(y, 38), number)


def random_share() -> int:
    """Return ``random()``, in floating point."""
    y = two_drawn()
    return product64(float64(shift_unsigned(y & 0xFFFFFFFF, 5) * 67108864 + shift_unsigned(y, 38)), 0x3CA0000000000000)


def random_bits() -> int:
    """Return a number of 60 bits."""
    y = two_drawn()
    return (y & 0xFFFFFFFF) << 28 ^ shift_unsigned(y, 32)
