"""Which answer a simulation tries: ``Search._select`` and ``players.search.history``. See the package.

A record has 5 numbers: the hash of question and answer, the key of the question, the word of the answer, how often it
was given, and the sum of what that brought.
"""

from __future__ import annotations

from patolli.run.native.intrinsics import (
    difference64,
    float64,
    load32,
    load64,
    product64,
    ratio64,
    root64,
    store64,
    sum64,
)
from patolli.run.native.memory import (
    CERTAIN,
    IS_NEW,
    LEADING,
    NODES,
    RECORDS,
    RECORDS_SIZE,
    RECORDS_USED,
    SCALE,
    SEARCHER,
    TREES,
)
from patolli.run.native.support.arena import allocate_zeroed, lasting, room
from patolli.run.native.support.chance import random_below, random_share
from patolli.run.native.support.objects import equal, hash_word, mix_bits
from patolli.run.native.support.trees import (
    ASKED,
    AVAILABLE,
    BOUNDS,
    CHANGED,
    ENTRIES,
    MEAN,
    NUMBER,
    OPEN,
    RARE,
    SINCE,
    UNTRIED,
    grown,
    node_at,
)
from patolli.run.native.support.worth import HALF_

RECORD, TWO = 40, 0x4000000000000000
"""The size of a record, and numbers in floating point."""
AMONG, WIDE, SMOOTH = 4, 24, HALF_
"""As in ``players.search.search``."""


def known_record(key: int, value: int, hash_: int) -> int:
    """Return where in the table the record of an answer to a question is, or would be; *hash_* is that of both."""
    table = load64(RECORDS)
    mask = load64(RECORDS_SIZE) - 1
    at = hash_ & mask
    record_ = load64(table + at * 8)
    while record_:
        if load64(record_) == hash_ and load64(record_ + 8) == key and equal(load64(record_ + 16), value):
            return table + at * 8
        at = at + 1 & mask
        record_ = load64(table + at * 8)
    return table + at * 8


def more_records() -> int:
    """Make the table of records four times as large."""
    table = load64(RECORDS)
    size = load64(RECORDS_SIZE)
    end = table + size * 8
    store64(RECORDS_SIZE, size * 4)
    store64(RECORDS, allocate_zeroed(size * 32))
    mask = size * 4 - 1
    while table < end:
        record_ = load64(table)
        if record_:
            at = load64(record_) & mask
            while load64(load64(RECORDS) + at * 8):
                at = at + 1 & mask
            store64(load64(RECORDS) + at * 8, record_)
        table += 8
    return 0


def both_hashed(key: int, hash_: int) -> int:
    """Return the hash of a question and of an answer that has one."""
    return mix_bits(hash_ + key * 0x1000193)


def kept_record(key: int, value: int, hash_: int) -> int:
    """Return the record of an answer to a question; a new one where it was never given."""
    place = known_record(key, value, hash_)
    if load64(place):
        return load64(place)
    if load64(RECORDS_USED) * 3 > load64(RECORDS_SIZE) * 2:
        more_records()
        place = known_record(key, value, hash_)
    found = room(RECORD)
    store64(found, hash_)
    store64(found + 8, key)
    store64(found + 16, lasting(value))
    store64(found + 24, 0)
    store64(found + 32, 0)
    store64(place, found)
    store64(RECORDS_USED, load64(RECORDS_USED) + 1)
    return found


def entry_record(key: int, entry: int) -> int:
    """Return the record of the answer of an entry."""
    found = load64(entry + 24)
    if not found:
        found = kept_record(key, load64(entry), both_hashed(key, load64(entry + 8)))
        store64(entry + 24, found)
    return found


def guess_index(key: int, options: int) -> int:
    """Return the index of an answer beyond the tree: the one that did best of a few."""
    number = load32(options + 7)
    items = load32(options + 11)
    one = random_below(number)
    if load64(CERTAIN):
        return one
    left = AMONG
    first = tried_record(key, load64(items + one * 8))
    while left > 1:
        left -= 1
        two = random_below(number)
        if first and two != one:
            second = tried_record(key, load64(items + two * 8))
            if not second or product64(load64(second + 32), float64(load64(first + 24))) > product64(
                load64(first + 32), float64(load64(second + 24))
            ):
                one = two
                first = second
    return one


def tried_record(key: int, value: int) -> int:
    """Return the record of an answer to a question; 0 if it was never given."""
    record_ = load64(known_record(key, value, both_hashed(key, hash_word(value))))
    if record_ and load64(record_ + 24):
        return record_
    return 0


def untried_index(ask: int, key: int) -> int:
    """Return which answer that was not tried did best elsewhere; one that was never given comes first."""
    number = load64(ask + UNTRIED)
    among = load64(ask + OPEN)
    at = random_below(number)
    found = load64(among + at * 8)
    most = -1
    left = number
    while left:
        index = load64(among + at * 8)
        record_ = entry_record(key, load64(load64(ask + ENTRIES) + index * 8))
        if not load64(record_ + 24):
            return index
        mean = ratio64(load64(record_ + 32), float64(load64(record_ + 24)))
        if mean > most:
            found = index
            most = mean
        at += 1
        if at == number:
            at = 0
        left -= 1
    return found


def select_index(ask: int, key: int, seat: int) -> int:
    """Return the index of the answer to try; whether it was never tried before is noted."""
    untried = load64(ask + UNTRIED)
    store64(IS_NEW, 1)
    if untried:
        tried = load64(ask + NUMBER) - untried
        if tried < WIDE or float64(tried) < sum64(float64(WIDE), product64(TWO, root64(float64(load64(ask + ASKED))))):
            index = untried_index(ask, key)
            grown(ask, index)
            return index
    trees = load64(TREES)
    chosen_ = -1
    if trees > 1 and seat != load64(SEARCHER) and random_share() < SMOOTH:
        chosen_ = usual(ask)
    if chosen_ < 0:
        own = load64(NODES)
        if trees > 1:
            own += seat * 8
        bounds = load64(load64(own) + BOUNDS)
        least = 0
        if bounds:
            least = load64(bounds + seat * 16)
        chosen_ = promising(ask, seat, least)
    store64(IS_NEW, load64(node_at(ask, chosen_)) == 0)
    return chosen_


def usual(ask: int) -> int:
    """Return the index of a tried answer at random, each as likely as it was tried so far."""
    number = load64(ask + NUMBER)
    every = 0
    first = -1
    k = number
    while k:
        k -= 1
        node = node_at(ask, k)
        if node:
            every += load64(node)
            first = k
    left = product64(random_share(), float64(every))
    while k < number:
        node = node_at(ask, k)
        if node:
            left = difference64(left, float64(load64(node)))
            if left < 0:
                return k
        k += 1
    return first


def promising(ask: int, seat: int, least: int) -> int:
    """Return the index of the tried answer with the greatest upper confidence bound; see ``Search._promising``."""
    scale = load64(load64(SCALE) + seat * 8)
    since = load64(ask + SINCE)
    changed = load64(ask + CHANGED)
    leads = load64(LEADING)
    lead = product64(scale, load64(leads + load64(ask + ASKED) * 8 + 8))
    best = -1
    most = -1
    equals = 1
    spare = -1
    spared = -1
    entries = load64(ask + ENTRIES)
    number = load64(ask + NUMBER)
    k = 0
    while k < number:
        node = load64(load64(entries + k * 8) + 16)
        if node:
            if changed:
                lead = product64(scale, load64(leads + (load64(node + AVAILABLE) + since) * 8))
            bound = sum64(load64(node + MEAN), product64(lead, load64(node + RARE)))
            bounds = load64(node + BOUNDS)
            if bounds and load64(bounds + seat * 16 + 8) <= least:
                if bound > spared:
                    spare = k
                    spared = bound
            else:
                if bound == most:
                    equals += 1
                    if not random_below(equals):
                        best = k
                best = k if bound > most else best  # without a jump, as a processor cannot guess where it would lead
                equals = 1 if bound > most else equals
                most = bound if bound > most else most
        k += 1
    if best >= 0:
        return best
    return spare
