"""What is done with whole lists. See the package."""

from __future__ import annotations

from patolli.run.native.heap import LIST, RANGE, TUPLE
from patolli.run.native.intrinsics import copy, fail, less_unsigned, load32, load64, store32, store64
from patolli.run.native.support.objects import equal, find, hash_word, less, new, push


def part(word: int, first: int, last: int, kind: int) -> int:
    """Return the items from one position to another as a list of its own; positions below 0 count from the end."""
    number = load32(word + 7)
    if first < 0:
        first += number
        if first < 0:
            first = 0
    if last < 0:
        last += number
    if last > number:
        last = number
    size = last - first
    if size < 0:
        size = 0
    made = new(kind, size)
    copy(made + 15, load32(word + 11) + first * 8, size * 8)
    return made


def whole_of(word: int, kind: int) -> int:
    """Return a list with the same items; a tuple of a tuple is the same."""
    if kind == TUPLE and load32(word - 1) == TUPLE:
        return word
    number = load32(word + 7)
    made = new(kind, number)
    copy(made + 15, load32(word + 11), number * 8)
    return made


def backwards(word: int, kind: int) -> int:
    """Return the items in the opposite order."""
    number = load32(word + 7)
    made = new(kind, number)
    there = load32(word + 11)
    at = made + 15 + number * 8
    while number:
        at -= 8
        store64(at, load64(there))
        there += 8
        number -= 1
    return made


def both(left: int, right: int, kind: int) -> int:
    """Return the items of two lists."""
    first = load32(left + 7)
    second = load32(right + 7)
    made = new(kind, first + second)
    copy(made + 15, load32(left + 11), first * 8)
    copy(made + 15 + first * 8, load32(right + 11), second * 8)
    return made


def repeat_value(value: int, number: int) -> int:
    """Return a list in which something stands several times."""
    if number < 0:
        number = 0
    made = new(LIST, number)
    at = made + 15
    while number:
        store64(at, value)
        at += 8
        number -= 1
    return made


def extend(word: int, items: int) -> int:
    """Append all items of a list."""
    number = load32(items + 7)
    at = 0
    while at < number:
        push(word, load64(load32(items + 11) + at * 8))
        at += 1
    return 1


def pop(word: int, index: int) -> int:
    """Take an item out of a list and return it."""
    number = load32(word + 7)
    if index < 0:
        index += number
    if not less_unsigned(index, number):
        fail()
    at = load32(word + 11) + index * 8
    taken = load64(at)
    copy(at, at + 8, (number - index - 1) * 8)
    store32(word + 7, number - 1)
    return taken


def insert(word: int, index: int, value: int) -> int:
    """Put an item into a list."""
    number = load32(word + 7)
    push(word, value)
    if index > number:
        index = number
    if index < 0:
        index += number
        if index < 0:
            index = 0
    at = load32(word + 11) + index * 8
    copy(at + 8, at, (number - index) * 8)
    store64(at, value)
    return 1


def remove(word: int, value: int) -> int:
    """Take the first item that is equal to something out of a list."""
    position = find(word, value)
    if position < 0:
        fail()
    pop(word, position)
    return 1


def position(word: int, value: int) -> int:
    """Return where an item stands that is there."""
    found = find(word, value)
    if found < 0:
        fail()
    return found


def count(word: int, value: int) -> int:
    """Return how often an item is in a list."""
    at = load32(word + 11)
    number = load32(word + 7)
    found = 0
    while number:
        found += equal(load64(at), value)
        at += 8
        number -= 1
    return found


def shorten(word: int, number: int) -> int:
    """Keep the first items of a list."""
    if load32(word + 7) > number:
        store32(word + 7, number)
    return 1


def become(word: int, first: int, items: int) -> int:
    """Replace all items of a list."""
    store32(word + 7, 0)
    return extend(word, items)


def replace(word: int, first: int, items: int) -> int:
    """Write items into a list from a position on."""
    number = load32(items + 7)
    if first + number > load32(word + 7):
        fail()
    copy(load32(word + 11) + first * 8, load32(items + 11), number * 8)
    return 1


def numbers(low: int, high: int) -> int:
    """Return the numbers from one to another as a list."""
    size = high - low
    if size < 0:
        size = 0
    made = new(RANGE, size)
    at = made + 15
    while size:
        store64(at, low * 2)
        low += 1
        at += 8
        size -= 1
    return made


def distinct(word: int, kind: int) -> int:
    """Return each item once, in order of first appearance."""
    number = load32(word + 7)
    made = new(LIST, number)
    store32(made + 7, 0)
    store32(made - 1, kind)
    at = 0
    if number <= 12:
        while at < number:
            one = load64(load32(word + 11) + at * 8)
            if find(made, one) < 0:
                push(made, one)
            at += 1
        return made
    size = 32
    while size < number * 2:
        size *= 2
    table = new(LIST, size)
    while at < size:
        store64(table + 15 + at * 8, 0)
        at += 1
    at = 0
    while at < number:
        one = load64(load32(word + 11) + at * 8)
        slot = hash_word(one) & size - 1
        met = 0
        while not met and load64(table + 15 + slot * 8):
            met = equal(load64(load32(made + 11) + load64(table + 15 + slot * 8) * 8 - 8), one)
            slot = slot + 1 & size - 1
        if not met:
            push(made, one)
            store64(table + 15 + slot * 8, load32(made + 7))
        at += 1
    return made


def sort_by_keys(items: int, keys: int, kind: int) -> int:
    """Return items in the order of their keys, equal ones as they stood: merging ever longer runs."""
    number = load32(items + 7)
    order = new(LIST, number)
    other = new(LIST, number)
    at = 0
    while at < number:
        store64(order + 15 + at * 8, at)
        at += 1
    run = 1
    where = load32(keys + 11)
    while run < number:
        first = 0
        while first < number:
            middle = first + run
            last = middle + run
            if middle > number:
                middle = number
            if last > number:
                last = number
            left = first
            right = middle
            at = first
            while at < last:
                later: int = left == middle
                if not later and right < last:
                    one = load64(where + load64(order + 15 + left * 8) * 8)
                    later = less(load64(where + load64(order + 15 + right * 8) * 8), one)
                if later:
                    store64(other + 15 + at * 8, load64(order + 15 + right * 8))
                    right += 1
                else:
                    store64(other + 15 + at * 8, load64(order + 15 + left * 8))
                    left += 1
                at += 1
            first = last
        kept = order
        order = other
        other = kept
        run *= 2
    made = new(kind, number)
    at = 0
    while at < number:
        store64(made + 15 + at * 8, load64(load32(items + 11) + load64(order + 15 + at * 8) * 8))
        at += 1
    return made


def size_of(word: int) -> int:
    """Return how many numbers there are in a list and the lists inside it; see ``kernel.budget``."""
    number = load32(word + 7)
    if not number:
        return 0
    at = load32(word + 11)
    first = load64(at)
    if not first & 1 or first == 1 or load32(first - 1) != TUPLE:
        return number
    deeper = 0
    if load32(first + 7):
        inner = load64(load32(first + 11))
        if inner & 1 and inner != 1 and load32(inner - 1) == TUPLE:
            deeper = 1
    found = 0
    while number:
        one = load64(at)
        if deeper:
            found += size_of(one)
        else:
            found += load32(one + 7)
        at += 8
        number -= 1
    return found
