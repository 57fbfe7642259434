"""The rows of a batch: what stands in memory of each environment, but for options and observations.

What depends on the pack are tables of 32-bit numbers, which ``measure.environments.batch_tables`` makes. So the same
few functions serve every pack. ``batch_actions`` numbers options, and ``batch_observers`` writes what seats observe.
"""

from __future__ import annotations

from patolli.run.native.intrinsics import copy, fail, load8, load32, load64, store8, store32, store64, store_float
from patolli.run.native.memory import (
    ACTIONS_AT,
    ACTORS_AT,
    CHOSEN_AT,
    COUNTS_AT,
    FINAL_ACTORS_AT,
    KEYS,
    MASK_SIZE,
    MASKS_AT,
    NOTED,
    REWARD_AT,
    REWARD_WORDS,
    REWARDED_SEATS,
    REWARDS_AT,
    SEEDS_AT,
    SEEDS_KEPT,
    SEEDS_USED_AT,
    SELECTED_AT,
    STATUS_AT,
    STREAM_KEYS_AT,
    TERMINATED_AT,
    TRUNCATED_AT,
    ZEROS,
)

NOTHING = 0xFFFFFFFF
"""Stands for no index, and for no number."""
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
    """Return whether an environment is to be reset."""
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
    """Keep the index of the option that has the number of the action of an environment; return whether there is one."""
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


def read_signed(value: int) -> int:
    """Return a number of 32 bits with its sign."""
    return (value ^ 0x80000000) - 0x80000000
