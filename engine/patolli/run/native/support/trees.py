"""What a search remembers: nodes, and under them questions; the same as ``players.search.tree``. See the package.

A node has 9 numbers: visits, the sum of what was got (a number in floating point, as all that is got), how often it was
available, the address of its bounds, that of the first question, how many private holdings are distinguished there,
what was got on average, one by the square root of the visits, and the sum of the scores where simulations ended.

A question has 14: its key, the word of what its seat held, the address of the next question of the node, visits, for
how many times the answers were these, whether they have ever changed, how many there are, the address of the addresses
of their entries, for how many there is room, how many were not tried, the address of their indices, and of the table of
all answers that were ever met its address, its size and how many are in it. Before the answers change it has no table.

An entry has 4: the word of the answer, its hash, the address of the node behind it, and that of its record.
"""

from __future__ import annotations

from typing import Any

from patolli.run.native.intrinsics import load32, load64, store64
from patolli.run.native.memory import CERTAIN
from patolli.run.native.support.arena import allocate_zeroed, lasting, room
from patolli.run.native.support.objects import equal, hash_word

NODE, ASK, ENTRY = 72, 112, 32
AVAILABLE, BOUNDS, ASKS, HOLDINGS, MEAN, RARE, SCORES = 16, 24, 32, 40, 48, 56, 64
HELD, NEXT, ASKED, SINCE, CHANGED, NUMBER, ENTRIES = 8, 16, 24, 32, 40, 48, 56
CAPACITY, UNTRIED, OPEN, TABLE, SIZE, USED = 64, 72, 80, 88, 96, 104
UNKNOWN = 0x41CDCD6500000000
"""A billion, in floating point: what an answer is taken to bring before it is known."""
FEW = 12
"""As many as in ``players.search.tree``."""


def new_node() -> int:
    """Return a node without visits."""
    node = allocate_zeroed(NODE)
    store64(node + MEAN, UNKNOWN)
    return node


def known_ask(node: int, key: int, held: int) -> int:
    """Return the question with a key that was asked a seat which held something, 0 where it was not asked."""
    ask = load64(node + ASKS)
    while ask:
        if load64(ask) == key and equal(load64(ask + HELD), held):
            return ask
        ask = load64(ask + NEXT)
    return 0


def ask_of(node: int, key: int, held: Any) -> int:
    """Return the question with a key for a seat that holds something, None or a list; a new one if need be."""
    found = load64(node + ASKS)
    if found and load64(found) == key and load64(found + HELD) == held:
        return found  # as most often
    found = known_ask(node, key, held)
    if found:
        return found
    if held != 1:
        if load64(node + HOLDINGS) >= FEW:
            found = known_ask(node, key, 1)
            if found:
                return found
            held = 1
        else:
            store64(node + HOLDINGS, load64(node + HOLDINGS) + 1)
    found = allocate_zeroed(ASK)
    store64(found, key)
    store64(found + HELD, lasting(held))
    store64(found + NEXT, load64(node + ASKS))
    store64(node + ASKS, found)
    return found


def filled_entry(at: int, value: int, hash_: int) -> int:
    """Write an entry for an answer that was not given yet."""
    store64(at, lasting(value))
    store64(at + 8, hash_)
    store64(at + 16, 0)
    store64(at + 24, 0)
    return at


def insert_entry(ask: int, entry: int) -> int:
    """Write an entry into the table, which has room."""
    table = load64(ask + TABLE)
    mask = load64(ask + SIZE) - 1
    at = load64(entry + 8) & mask
    while load64(table + at * 8):
        at = at + 1 & mask
    store64(table + at * 8, entry)
    return 0


def enlarge_table(ask: int) -> int:
    """Make a table of answers twice as large."""
    table = load64(ask + TABLE)
    size = load64(ask + SIZE)
    store64(ask + SIZE, size * 2)
    store64(ask + TABLE, allocate_zeroed(size * 16))
    end = table + size * 8
    while table < end:
        entry = load64(table)
        if entry:
            insert_entry(ask, entry)
        table += 8
    return 0


def build_table(ask: int) -> int:
    """Make a table of the answers that could be given so far."""
    number = load64(ask + NUMBER)
    size = 8
    while size < number * 2:
        size *= 2
    store64(ask + SIZE, size)
    store64(ask + TABLE, allocate_zeroed(size * 8))
    store64(ask + USED, number)
    at = load64(ask + ENTRIES)
    while number:
        insert_entry(ask, load64(at))
        at += 8
        number -= 1
    return 0


def entry_of(ask: int, value: int) -> int:
    """Return the entry of an answer; a new one where it was never met."""
    if not load64(ask + TABLE):
        build_table(ask)
    hash_ = hash_word(value)
    table = load64(ask + TABLE)
    mask = load64(ask + SIZE) - 1
    at = hash_ & mask
    entry = load64(table + at * 8)
    while entry:
        if load64(entry + 8) == hash_ and equal(load64(entry), value):
            return entry
        at = at + 1 & mask
        entry = load64(table + at * 8)
    entry = filled_entry(room(ENTRY), value, hash_)
    if load64(ask + USED) * 3 > mask * 2:
        enlarge_table(ask)
    insert_entry(ask, entry)
    store64(ask + USED, load64(ask + USED) + 1)
    return entry


def node_at(ask: int, index: int) -> int:
    """Return the node behind the answer at an index; 0 for none."""
    return load64(load64(load64(ask + ENTRIES) + index * 8) + 16)


def are_same(ask: int, options: int) -> int:
    """Return whether the answers that can be given are those of the last time."""
    number = load32(options + 7)
    if number != load64(ask + NUMBER):
        return 0
    if load64(CERTAIN):
        return 1
    at = load32(options + 11)
    entries = load64(ask + ENTRIES)
    while number:
        one = load64(at)
        other = load64(load64(entries))
        if one != other:
            if not one & other & 1:
                return 0
            if not equal(one, other):
                return 0
        at += 8
        entries += 8
        number -= 1
    return 1


def update_offered(ask: int, options: int) -> int:
    """Note which answers can be given now."""
    if not are_same(ask, options):
        if load64(ask + SINCE):
            withdrawn(ask)
        laid_out(ask, options)
        sort_untried(ask)
    store64(ask + SINCE, load64(ask + SINCE) + 1)
    return 0


def withdrawn(ask: int) -> int:
    """Write down for how many times the last answers were available."""
    store64(ask + CHANGED, 1)
    since = load64(ask + SINCE)
    number = load64(ask + NUMBER)
    while number:
        number -= 1
        node = node_at(ask, number)
        if node:
            store64(node + AVAILABLE, load64(node + AVAILABLE) + since)
    store64(ask + SINCE, 0)
    return 0


def laid_out(ask: int, options: int) -> int:
    """Write the entries of the answers that can be given."""
    number = load32(options + 7)
    items = load32(options + 11)
    first = not load64(ask + NUMBER) and not load64(ask + TABLE)
    if not first and not load64(ask + TABLE):
        build_table(ask)
    if number > load64(ask + CAPACITY):
        store64(ask + CAPACITY, number)
        store64(ask + ENTRIES, room(number * 8))
        store64(ask + OPEN, room(number * 8))
    entries = load64(ask + ENTRIES)
    fresh = 0
    if first:
        fresh = room(number * ENTRY)
    k = 0
    while k < number:
        value = load64(items + k * 8)
        if first:
            store64(entries + k * 8, filled_entry(fresh + k * ENTRY, value, hash_word(value)))
        else:
            store64(entries + k * 8, entry_of(ask, value))
        k += 1
    store64(ask + NUMBER, number)
    return 0


def sort_untried(ask: int) -> int:
    """Write down which of the answers were not tried."""
    number = load64(ask + NUMBER)
    to = load64(ask + OPEN)
    k = 0
    found = 0
    while k < number:
        if not node_at(ask, k):
            store64(to + found * 8, k)
            found += 1
        k += 1
    store64(ask + UNTRIED, found)
    return 0


def grown(ask: int, index: int) -> int:
    """Return a new node for the answer at an index, which was not tried before."""
    node = new_node()
    store64(load64(load64(ask + ENTRIES) + index * 8) + 16, node)
    store64(node + AVAILABLE, 1 - load64(ask + SINCE))
    left = load64(ask + UNTRIED) - 1
    store64(ask + UNTRIED, left)
    at = load64(ask + OPEN)
    while load64(at) != index:
        at += 8
        left -= 1
    while left:
        store64(at, load64(at + 8))
        at += 8
        left -= 1
    return node


def visits_of(ask: int) -> int:
    """Return how often a question was answered."""
    return load64(ask + ASKED)
