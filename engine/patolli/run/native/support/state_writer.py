"""What is written down of a match. See the package."""

from __future__ import annotations

from typing import Any

from patolli.run.native.intrinsics import copy, fail, load32, load64, store64
from patolli.run.native.memory import DEPTH, FLOOR, HEAP, LIMIT, NAMED, PROBING
from patolli.run.native.support.chance import seed_generator
from patolli.run.native.support.objects import LEAST, reserve
from patolli.run.native.support.text_writer import byte, digits


def write_json(word: int) -> int:
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
        write_json(load64(at))
        at += 8
        number -= 1
    byte(93)
    return 0


def write_draw_counts(draws: int, names: int) -> int:
    """Write how often streams were drawn from, by name; *names* has, in their order, numbers and letters."""
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


def write_state_bytes(s: int, names: int) -> int:
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
            write_draw_counts(load64(at), names)
        else:
            write_json(load64(at))
        first = 0
        at += 8
        number -= 1
    byte(93)
    return load64(HEAP) - start


def record(status: int, made: int, measures: Any, s: Any) -> int:
    """Write down what came of a match, where its objects began; what comes next begins behind it.

    That is: how it ended, how many choices there were, how many measures follow, these, and the state as JSON behind
    its length, up to a multiple of 8.
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
        length = write_state_bytes(s, load64(NAMED))
    store64(behind - 8, length)
    size = behind + length + 7 - at & -8
    floor = load64(FLOOR)
    reserve(at + size)
    copy(floor, at, size)
    store64(FLOOR, floor + size)
    store64(HEAP, floor + size)
    return 0


def write_state_json(s: Any) -> int:
    """Write a state as JSON behind everything, where the next object goes; return how long that is."""
    at = load64(HEAP)
    length = write_state_bytes(s, load64(NAMED))
    store64(HEAP, at)
    return length


def write_value_json(value: Any) -> int:
    """Write a value as JSON behind everything, where the next object goes; return how long that is."""
    at = load64(HEAP)
    write_json(value)
    length = load64(HEAP) - at
    store64(HEAP, at)
    return length


def prepare_match(seed: int) -> int:
    """Make all ready for a match."""
    store64(HEAP, load64(FLOOR))
    store64(LIMIT, LEAST)
    store64(PROBING, 0)
    store64(DEPTH, 0)
    seed_generator(seed)
    return 0
