"""What the end of a match is worth, and what one in its middle seems to be: ``players.search.worth``. See the package.

What the rules measure for each seat stands at ``MEASURED``, as whole numbers.
"""

from __future__ import annotations

from patolli.run.native.intrinsics import (
    copy,
    difference64,
    float64,
    load64,
    product64,
    ratio64,
    root64,
    store64,
    sum64,
)
from patolli.run.native.memory import LEADS, LEVELS, LOWS, MEASURED, OUTCOME, PAYOFFS, PLAYERS, TOGETHER, VALUES

QUARTER, HALF_, MOST_, WHOLE_ = 0x3FD0000000000000, 0x3FE0000000000000, 0x3FE8000000000000, 0x3FF0000000000000
"""A quarter, a half, three quarters and one, in floating point."""
PLAIN = 0x7FFFFFFFFFFFFFFF
"""All bits of a number but its sign."""


def measured_as(seat: int, value: int) -> int:
    """Write down what the rules measure for a seat."""
    store64(load64(MEASURED) + seat * 8, value)
    return 0


def all_get(value: int) -> int:
    """Write down an outcome that is the same for all."""
    seat = load64(PLAYERS)
    while seat:
        seat -= 1
        store64(load64(OUTCOME) + seat * 8, value)
    return 0


def half_each() -> int:
    """Give half to everybody."""
    all_get(HALF_)
    copy(load64(PAYOFFS), load64(OUTCOME), load64(PLAYERS) * 8)
    return 0


def winners_get() -> int:
    """Work out the outcome where the rules say who wins: that is measured."""
    players = load64(PLAYERS)
    won = 0
    seat = players
    while seat:
        seat -= 1
        won += load64(load64(MEASURED) + seat * 8) != 0
    if not load64(TOGETHER) and (won == 0 or won == players):
        return all_get(HALF_)
    seat = players
    while seat:
        seat -= 1
        value = 0
        if load64(load64(MEASURED) + seat * 8):
            value = WHOLE_
        store64(load64(OUTCOME) + seat * 8, value)
    return 0


def all_level() -> int:
    """Begin to compare: no player is behind another."""
    seat = load64(PLAYERS)
    while seat:
        seat -= 1
        store64(load64(LEVELS) + seat * 8, 0)
    return 0


def refine_levels() -> int:
    """Compare further by what was measured: how many are behind each seat, of those that were level with it, too."""
    players = load64(PLAYERS)
    levels = load64(LEVELS)
    values = load64(MEASURED)
    to = load64(LOWS)
    seat = players
    while seat:
        seat -= 1
        level = load64(levels + seat * 8)
        value = load64(values + seat * 8)
        behind = level
        other = players
        while other:
            other -= 1
            if load64(levels + other * 8) == level and load64(values + other * 8) < value:
                behind += 1
        store64(to + seat * 8, behind)
    copy(levels, to, players * 8)
    return 0


def levels_get() -> int:
    """Work out the outcome from how many are behind each seat: of the others the share that it leaves behind."""
    players = load64(PLAYERS)
    levels = load64(LEVELS)
    if players == 1:
        return all_get(HALF_)
    seat = players
    while seat:
        seat -= 1
        level = load64(levels + seat * 8)
        behind = 2 * level - 1
        other = players
        while other:
            other -= 1
            if load64(levels + other * 8) == level:
                behind += 1
        share = ratio64(product64(HALF_, float64(behind)), float64(players - 1))
        store64(load64(OUTCOME) + seat * 8, share)
    return 0


def plain_payoffs() -> int:
    """Teach the outcome and nothing else."""
    copy(load64(PAYOFFS), load64(OUTCOME), load64(PLAYERS) * 8)
    return 0


def teach_outcome() -> int:
    """Teach the outcome and a little of how far seats are ahead by score, which is measured."""
    ahead_by(LEADS)
    seat = load64(PLAYERS)
    won = MOST_
    share = QUARTER
    if seat == 1:
        won = 0
        share = WHOLE_
    while seat:
        seat -= 1
        at = load64(PAYOFFS) + seat * 8
        store64(at, sum64(product64(won, load64(load64(OUTCOME) + seat * 8)), product64(share, load64(at))))
    return 0


def teach_value() -> int:
    """Teach what the match seems to be worth, which is measured."""
    return ahead_by(VALUES)


def ahead_by(lead: int) -> int:
    """Write down as payoffs how far seats are ahead, of what is measured."""
    players = load64(PLAYERS)
    values = load64(MEASURED)
    to = load64(PAYOFFS)
    if players == 1:
        store64(to, placed_alone(lead, float64(load64(values))))
        return 0
    if players == 2:
        store64(to, rank_lead(lead, load64(values) - load64(values + 8)))
        store64(to + 8, difference64(WHOLE_, load64(to)))
        return 0
    first = -(1 << 62)
    second = first
    seat = players
    while seat:
        seat -= 1
        value = load64(values + seat * 8)
        if value > first:
            second = first
            first = value
        elif value > second:
            second = value
    while seat < players:
        value = load64(values + seat * 8)
        best = first
        if value == first:
            best = second
        store64(to + seat * 8, rank_lead(lead, value - best))
        seat += 1
    return 0


def rank_lead(lead: int, value: int) -> int:
    """Return where a number lies among those of leads, between 0 and 1; zero lies in the middle."""
    store64(lead, load64(lead) + 1)
    away = float64(value)
    store64(lead + 16, sum64(load64(lead + 16), product64(away, away)))
    return share_of(away, root64(ratio64(load64(lead + 16), float64(load64(lead)))))


def placed_alone(lead: int, value: int) -> int:
    """Return where the score of one who plays alone lies, between 0 and 1; the mean lies in the middle."""
    store64(lead, load64(lead) + 1)
    number = float64(load64(lead))
    before = difference64(value, load64(lead + 8))
    store64(lead + 8, sum64(load64(lead + 8), ratio64(before, number)))
    away = difference64(value, load64(lead + 8))
    store64(lead + 16, sum64(load64(lead + 16), product64(before, away)))
    return share_of(away, root64(ratio64(load64(lead + 16), number)))


def share_of(away: int, wide: int) -> int:
    """Return how far in a number lies, from the distances of others."""
    if not wide:
        return HALF_
    return sum64(HALF_, ratio64(product64(HALF_, away), sum64(away & PLAIN, wide)))
