"""What generated code calls for lists, memory and chance, in terms of the machine.

Every number here is one of 64 bits as it is, and what is called a word is laid out as ``heap`` says. None of this is
carried out in Python: it is translated, like the rest, with ``intrinsics`` as single instructions.
"""

from __future__ import annotations

from patolli.kernel.budget import PART
from patolli.native.heap import DICT, LIST, MOVED, RANGE, SET, TUPLE
from patolli.native.intrinsics import (
    copy, fail, grow, less_unsigned, load8, load32, load64, quotient, scaled, shifted, store8, store32, store64,
)  # fmt: skip
from patolli.native.memory import BUDGET, DEPTH, FLOOR, HEAP, KEYS, LIMIT, MT, NAMED, PROBING, SEEDED, TOP, TWISTED, WHOLE

LEAST = 1 << 20

# ---- memory


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


def give_up() -> int:
    """Leave this match to Python."""
    fail()
    return 0


def times(left: int, right: int) -> int:
    """Return a product, where it is surely no more than 62 bits long."""
    if left > 2147483647 or left < -2147483647 or right > 1073741823 or right < -1073741823:
        if left > 1125899906842624 or left < -1125899906842624 or right > 1024 or right < -1024:
            if right > 1125899906842624 or right < -1125899906842624 or left > 1024 or left < -1024:
                fail()
    return left * right


def divided(left: int, right: int) -> int:
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


def is_of(word: int, kinds: int) -> int:
    """Tell whether an object is of one of some kinds, which are bits."""
    if word == 1:
        return 0
    return kinds >> load32(word - 1) & 1


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


def moved(word: int, floor: int, delta: int) -> int:
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


def collect(root: int) -> int:
    """Keep what can be reached from an object and forget all else; return where that object is then.

    What is kept is copied behind everything, as if it already lay where it will, and then moved there at once.

    Source:
        C. J. Cheney, "A nonrecursive list compacting algorithm", CACM 1970.
    """
    top = load64(HEAP)
    floor = load64(FLOOR)
    reserve(top + top - floor + 64)
    root = moved(root, floor, top - floor)
    scan = top
    while scan < load64(HEAP):
        number = load32(scan + 8)
        scan += 16
        while number:
            store64(scan, moved(load64(scan), floor, top - floor))
            scan += 8
            number -= 1
    used = load64(HEAP) - top
    copy(floor, top, used)
    store64(HEAP, floor + used)
    limit = used * 4
    if limit < LEAST:
        limit = LEAST
    store64(LIMIT, limit)
    return root


# ---- values


def truth(word: int) -> int:
    """Tell whether an object or None counts as true: a list that is not empty does."""
    if word == 1:
        return 0
    return load32(word + 7) > 0


def equal(left: int, right: int) -> int:
    """Tell whether two words are equal."""
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
    """Tell whether a word comes before another one."""
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
    if item & 1:
        while position < number:
            if equal(load64(at), item):
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
    """Tell whether something is in a list, a set or a dictionary."""
    kind = load32(word - 1)
    if kind == SET:
        if item & 1 or item < -2:
            fail()
        position = (item >> 1) + 1
        return position < load32(word + 7) and load64(load32(word + 11) + position * 8) != 0
    if kind == DICT:
        return look_up(word, item, -1) != -1
    return find(word, item) >= 0


def add(word: int, item: int) -> int:
    """Put a number into a set."""
    if item & 1 or item < -2:
        fail()
    position = (item >> 1) + 1
    while load32(word + 7) <= position:
        push(word, 0)
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


def needed(word: int, key: int) -> int:
    """Return what a dictionary has for a number that is there."""
    found = look_up(word, key, -1)
    if found == -1:
        fail()
    return found


def item(word: int, index: int) -> int:
    """Return an item; one below 0 counts from the end."""
    if load32(word - 1) == DICT:
        return needed(word, index * 2)
    number = load32(word + 7)
    if index < 0:
        index += number
    if not less_unsigned(index, number):
        fail()
    return load64(load32(word + 11) + index * 8)


def put(word: int, index: int, value: int) -> int:
    """Replace an item."""
    number = load32(word + 7)
    if index < 0:
        index += number
    if not less_unsigned(index, number):
        fail()
    store64(load32(word + 11) + index * 8, value)
    return 1


# ---- lists


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


def repeated(value: int, number: int) -> int:
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


def hashed(word: int) -> int:
    """Return a number that is the same for equal words."""
    if not word & 1 or word == 1:
        return mixed(word)
    found = load32(word + 7)
    at = load32(word + 11)
    number = found
    while number:
        found = mixed(found ^ hashed(load64(at)))
        at += 8
        number -= 1
    return found


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
        slot = hashed(one) & size - 1
        met = 0
        while not met and load64(table + 15 + slot * 8):
            met = equal(load64(load32(made + 11) + load64(table + 15 + slot * 8) * 8 - 8), one)
            slot = slot + 1 & size - 1
        if not met:
            push(made, one)
            store64(table + 15 + slot * 8, load32(made + 7))
        at += 1
    return made


def arranged(items: int, keys: int, kind: int) -> int:
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
                later = left == middle
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


# ---- the budget


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


# ---- chance


def mixed(value: int) -> int:
    """Scramble 64 bits; see ``kernel.chance.mixed``."""
    value = (value ^ shifted(value, 30)) * -0x40A7B892E31B1A47
    value = (value ^ shifted(value, 27)) * -0x6B2FB644ECCEEE15
    return value ^ shifted(value, 31)


def high(left: int, right: int) -> int:
    """Return the upper half of the product of a number of 64 bits and one below 2 ** 31."""
    low = (left & 0xFFFFFFFF) * right
    return shifted(shifted(left, 32) * right + shifted(low, 32), 32)


def below(s: int, number: int, stream: int) -> int:
    """Draw a number; see ``kernel.chance.below``."""
    name = load64(stream + 15) >> 1
    draws = load64(s + 39) + 15 + name * 8
    done = load64(draws) >> 1
    if done < 0:
        done = 0
    store64(draws, done * 2 + 2)
    return high(mixed(load64(KEYS + name * 8) + done * -0x61C8864680B583EB), number)


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


def seeded(seed: int) -> int:
    """Seed the generator as Python does with a whole number that is not below 0.

    Source:
        M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 1998, and their ``init_by_array`` of 2002.
    """
    copy(MT, SEEDED, 2496)
    low = seed & 0xFFFFFFFF
    upper = shifted(seed, 32)
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


def twisted() -> int:
    """Draw 32 bits; the numbers of the generator are renewed one by one, as they come next."""
    i = load64(TWISTED)
    after = i + 1
    if after == 624:
        after = 0
    far = i + 397
    if far >= 624:
        far -= 624
    y = load32(MT + i * 4) & 0x80000000 | load32(MT + after * 4) & 0x7FFFFFFF
    y = load32(MT + far * 4) ^ y >> 1 ^ (y & 1) * 0x9908B0DF
    store32(MT + i * 4, y)
    store64(TWISTED, after)
    y = y ^ y >> 11
    y = y ^ y << 7 & 0x9D2C5680
    y = y ^ y << 15 & 0xEFC60000
    return y ^ y >> 18


def random_below(number: int) -> int:
    """Return ``int(random() * number)``."""
    upper = twisted() >> 5
    return scaled(upper * 67108864 + (twisted() >> 6), number)


# ---- what is told of a match


def byte(value: int) -> int:
    """Append a byte to what is written behind all objects."""
    at = load64(HEAP)
    if at >= load64(TOP):
        reserve(at + 1)
    store8(at, value)
    store64(HEAP, at + 1)
    return 0


def digits(value: int) -> int:
    """Write a number."""
    if value < 0:
        byte(45)
        value = 0 - value
    if value > 9:
        digits(quotient(value, 10))
        value -= quotient(value, 10) * 10
    byte(48 + value)
    return 0


def told(word: int) -> int:
    """Write a value as JSON."""
    if not word & 1:
        digits(word >> 1)
        return 0
    if word == 1:
        fail()
    byte(91)
    number = load32(word + 7)
    at = load32(word + 11)
    first = 1
    while number:
        if not first:
            byte(44)
        first = 0
        told(load64(at))
        at += 8
        number -= 1
    byte(93)
    return 0


def told_draws(draws: int, names: int) -> int:
    """Write how often streams were drawn from, by name; *names* has numbers and letters of texts in the order of names."""
    byte(123)
    at = load32(names + 11)
    number = load32(names + 7)
    first = 1
    while number:
        name = load64(at)
        done = load64(draws + 15 + (load64(load32(name + 11)) >> 1) * 8)
        if done >= 0:
            if not first:
                byte(44)
            first = 0
            letters = load32(name + 11) + 8
            left = load32(name + 7) - 1
            while left:
                byte(load64(letters) >> 1)
                letters += 8
                left -= 1
            byte(58)
            digits(done >> 1)
        at += 8
        number -= 1
    byte(125)
    return 0


def told_state(s: int, names: int) -> int:
    """Write a state as :meth:`Match.digest` reads it; return how many bytes that are, which begin at the old end."""
    start = load64(HEAP)
    byte(91)
    number = load32(s + 7)
    at = s + 15
    first = 1
    while number:
        if not first:
            byte(44)
        if at == s + 39:
            told_draws(load64(at), names)
        else:
            told(load64(at))
        first = 0
        at += 8
        number -= 1
    byte(93)
    return load64(HEAP) - start


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


def whole(word: int, fourths: int) -> int:
    """Draw what it takes to go through a list without a loop; see ``kernel.budget``."""
    number = load32(word + 7)
    draws = number > 8
    if number and not draws:
        first = load64(load32(word + 11))
        draws = first & 1 and first != 1 and load32(first - 1) == TUPLE
    if draws:
        tick(size_of(word) * fourths >> 2)
    return word


def become(word: int, first: int, items: int) -> int:
    """Replace all items of a list."""
    store32(word + 7, 0)
    return extend(word, items)


def record(status: int, made: int, measures: int, s: int) -> int:
    """Write down what came of a match, where its objects began; what comes next begins behind it.

    That is: how it ended, how many choices there were, how many measures follow, these, and the state as JSON behind its
    length, up to a multiple of 8.
    """
    at = load64(HEAP)
    number = load32(measures + 7)
    reserve(at + 32 + number * 8)
    store64(at, status)
    store64(at + 8, made)
    store64(at + 16, number)
    done = 0
    while done < number:
        store64(at + 24 + done * 8, load64(load32(measures + 11) + done * 8) >> 1)
        done += 1
    behind = at + 32 + number * 8
    store64(HEAP, behind)
    length = 0
    if s != 1:
        length = told_state(s, load64(NAMED))
    store64(behind - 8, length)
    size = behind + length + 7 - at & -8
    floor = load64(FLOOR)
    reserve(at + size)
    copy(floor, at, size)
    store64(FLOOR, floor + size)
    store64(HEAP, floor + size)
    return 0


def begun(seed: int) -> int:
    """Make all ready for a match."""
    store64(HEAP, load64(FLOOR))
    store64(LIMIT, LEAST)
    store64(PROBING, 0)
    store64(DEPTH, 0)
    seeded(seed)
    return 0


def state_told(s: int) -> int:
    """Write a state as JSON behind everything, where the next object goes; return how long that is."""
    at = load64(HEAP)
    length = told_state(s, load64(NAMED))
    store64(HEAP, at)
    return length
