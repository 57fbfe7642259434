"""Objects in memory: to make them, to look into them, and to forget those that nothing leads to. See the package."""

from __future__ import annotations

from typing import Any

from patolli.run.native.heap import DICT, MOVED, SET
from patolli.run.native.intrinsics import (
    copy,
    fail,
    grow,
    less_unsigned,
    load32,
    load64,
    shift_unsigned,
    store32,
    store64,
)
from patolli.run.native.memory import FLOOR, HEAP, LIMIT, TOP

HALF, FACTOR, KEPT = 1 << 30, 1 << 10, 1 << 50
"""Two numbers up to the first, or one up to the second and one up to the third, have a product that is small enough."""
LEAST = 1 << 20
"""How many bytes the objects of a match may take before it is looked which of them are needed."""
MOST_UNUSED = 1 << 28
"""How many bytes more than what is needed they may take, however much that is."""


def reserve(after: int) -> int:
    """See that memory reaches up to an address."""
    top = load64(TOP)
    if after > top:
        pages = (after - top >> 16) + 16
        if grow(pages) < 0 and grow((after - top >> 16) + 1) < 0:
            fail()
        store64(TOP, top + (pages << 16))
    return 0


def new(kind: int, number: int) -> int:
    """Return an object with room for so many items, which are there, but not filled."""
    at = load64(HEAP)
    after = at + 16 + number * 8
    if after > load64(TOP):
        reserve(after)
    store64(HEAP, after)
    store64(at, kind | number << 32)
    store64(at + 8, number | (at + 16) << 32)
    return at + 1


def finish(word: int, end: int, kind: int) -> int:
    """Write the head of a list whose items were written behind all objects."""
    number = end - word - 15 >> 3
    store64(HEAP, end)
    store64(word - 1, kind | number << 32)
    store64(word + 7, number | word + 15 << 32)
    return 0


def widen(word: int) -> int:
    """Make room for more items."""
    number = load32(word + 7)
    room = number * 2
    if room < 6:
        room = 6
    at = load64(HEAP)
    reserve(at + room * 8)
    store64(HEAP, at + room * 8)
    copy(at, load32(word + 11), number * 8)
    store32(word + 11, at)
    store32(word + 3, room)
    return 0


def push(word: int, value: int) -> int:
    """Append an item."""
    number = load32(word + 7)
    if number == load32(word + 3):
        widen(word)
    store64(load32(word + 11) + number * 8, value)
    store32(word + 7, number + 1)
    return 1


def forward_object(word: int, floor: int, delta: int) -> int:
    """Return where an object is when the collection is over; copy it if that was not done."""
    if not word & 1 or word < floor:
        return word
    if load32(word - 1) == MOVED:
        return load64(word + 7)
    number = load32(word + 7)
    at = load64(HEAP)
    store64(HEAP, at + 16 + number * 8)
    store64(at, load32(word - 1) | number << 32)
    store64(at + 8, number | (at - delta + 16) << 32)
    copy(at + 16, load32(word + 11), number * 8)
    store32(word - 1, MOVED)
    store64(word + 7, at - delta + 1)
    return at - delta + 1


def collect(root: Any) -> Any:
    """Keep what can be reached from an object and forget all else; return where that object is then.

    What is kept is copied behind everything, as if it already lay where it will, and then moved there at once.

    Source:
        C. J. Cheney, "A nonrecursive list compacting algorithm", CACM 1970.
    """
    top = load64(HEAP)
    floor = load64(FLOOR)
    reserve(top + top - floor + 64)
    root = forward_object(root, floor, top - floor)
    scan = top
    while scan < load64(HEAP):
        number = load32(scan + 8)
        scan += 16
        while number:
            store64(scan, forward_object(load64(scan), floor, top - floor))
            scan += 8
            number -= 1
    used = load64(HEAP) - top
    copy(floor, top, used)
    store64(HEAP, floor + used)
    limit = used * 4
    if limit < LEAST:
        limit = LEAST
    if limit > used + MOST_UNUSED:
        limit = used + MOST_UNUSED
    store64(LIMIT, limit)
    return root


def truth(word: int) -> int:
    """Return whether an object or None counts as true: a list that is not empty does."""
    if word == 1:
        return 0
    return load32(word + 7) > 0


def equal(left: int, right: int) -> int:
    """Return whether two words are equal."""
    if left == right:
        return 1
    if not left & right & 1 or left == 1 or right == 1:
        return 0
    number = load32(left + 7)
    if number != load32(right + 7):
        return 0
    here = load32(left + 11)
    there = load32(right + 11)
    while number:
        one = load64(here)
        other = load64(there)
        if one != other:
            if not one & other & 1:
                return 0
            if not equal(one, other):
                return 0
        here += 8
        there += 8
        number -= 1
    return 1


def less(left: int, right: int) -> int:
    """Return whether a word comes before another one."""
    if not (left | right) & 1:
        return left < right
    if not left & right & 1 or left == 1 or right == 1:
        fail()
    number = load32(left + 7)
    others = load32(right + 7)
    at = 0
    while at < number and at < others:
        one = load64(load32(left + 11) + at * 8)
        other = load64(load32(right + 11) + at * 8)
        if not equal(one, other):
            return less(one, other)
        at += 1
    return number < others


def find(word: int, item: int) -> int:
    """Return where an item stands, or -1."""
    at = load32(word + 11)
    number = load32(word + 7)
    position = 0
    if item & 1 and item != 1:
        size = load32(item + 7)
        while position < number:
            one = load64(at)
            if one & 1 and one != 1 and load32(one + 7) == size and equal(one, item):
                return position
            at += 8
            position += 1
        return -1
    while position < number:
        if load64(at) == item:
            return position
        at += 8
        position += 1
    return -1


def contains(word: int, item: int) -> int:
    """Return whether something is in a list, a set or a dictionary."""
    kind = load32(word - 1)
    if kind == SET:
        if item & 1 or item < -2:
            fail()
        position = (item >> 1) + 1
        return position < load32(word + 7) and load64(load32(word + 11) + position * 8) != 0
    if kind == DICT:
        return look_up(word, item, -1) != -1
    return find(word, item) >= 0


def with_room(word: int, position: int) -> int:
    """Make a set reach to a position, and some further."""
    number = load32(word + 7)
    size = position * 2
    if size < 32:
        size = 32
    at = load64(HEAP)
    reserve(at + size * 8)
    store64(HEAP, at + size * 8)
    copy(at, load32(word + 11), number * 8)
    store32(word + 11, at)
    store32(word + 7, size)
    store32(word + 3, size)
    at += number * 8
    while number < size:
        store64(at, 0)
        at += 8
        number += 1
    return 0


def add(word: int, item: int) -> int:
    """Put a number into a set."""
    if item & 1 or item < -2:
        fail()
    position = (item >> 1) + 1
    if load32(word + 7) <= position:
        with_room(word, position)
    store64(load32(word + 11) + position * 8, 2)
    return 1


def look_up(word: int, key: int, default: int) -> int:
    """Return what a dictionary has for a number; its keys stand in order."""
    items = load32(word + 11)
    low = 0
    high = load32(word + 7) >> 1
    while low < high:
        middle = low + high >> 1
        found = load64(items + middle * 16)
        if found == key:
            return load64(items + middle * 16 + 8)
        if found < key:
            low = middle + 1
        else:
            high = middle
    return default


def get_required(word: int, key: int) -> int:
    """Return what a dictionary has for a number that is there."""
    found = look_up(word, key, -1)
    if found == -1:
        fail()
    return found


def item(word: int, index: int) -> int:
    """Return an item; one below 0 counts from the end."""
    if load32(word - 1) == DICT:
        return get_required(word, index * 2)
    number = load32(word + 7)
    if index < 0:
        index += number
    if not less_unsigned(index, number):
        fail()
    return load64(load32(word + 11) + index * 8)


def replace_item(word: int, index: int, value: int) -> int:
    """Replace an item."""
    number = load32(word + 7)
    if index < 0:
        index += number
    if not less_unsigned(index, number):
        fail()
    store64(load32(word + 11) + index * 8, value)
    return 1


def is_of(word: int, kinds: int) -> int:
    """Return whether an object is of one of some kinds, which are bits."""
    if word == 1:
        return 0
    return kinds >> load32(word - 1) & 1


def give_up() -> int:
    """Leave this match to Python."""
    fail()
    return 0


def times(left: int, right: int) -> int:
    """Return a product, where it is surely no more than 62 bits long."""
    if left > HALF or left < -HALF or right > HALF or right < -HALF:
        small = left <= FACTOR and left >= -FACTOR and right <= KEPT and right >= -KEPT
        if not small and (right > FACTOR or right < -FACTOR or left > KEPT or left < -KEPT):
            fail()
    return left * right


def divide_floor(left: int, right: int) -> int:
    """Return a quotient, rounded down."""
    if right == 0:
        fail()
    found = left // right
    if found * right != left and (left < 0) != (right < 0):
        found -= 1
    return found


def remainder(left: int, right: int) -> int:
    """Return what is left of a division, with the sign of the divisor."""
    if right == 0:
        fail()
    found = left % right
    if found and (found < 0) != (right < 0):
        found += right
    return found


def hash_word(word: int) -> int:
    """Return a number that is the same for equal words."""
    if not word & 1 or word == 1:
        return mix_bits(word)
    found = load32(word + 7)
    at = load32(word + 11)
    number = found
    while number:
        found = mix_bits(found ^ hash_word(load64(at)))
        at += 8
        number -= 1
    return found


def mix_bits(value: int) -> int:
    """Scramble 64 bits; see ``kernel.chance.scramble_bits``."""
    value = (value ^ shift_unsigned(value, 30)) * -0x40A7B892E31B1A47
    value = (value ^ shift_unsigned(value, 27)) * -0x6B2FB644ECCEEE15
    return value ^ shift_unsigned(value, 31)
