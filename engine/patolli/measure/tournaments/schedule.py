"""The schedule: units of games with one seed, in which every bot plays every seat equally often.

A unit arranges the bots in an order that its seed decides. Starting at each place of the order in turn, it takes as
many bots as there are seats, and seats them as the seed says. Then it does the same with the reversed order, if that
gives other games. So with the same seed, every bot has every seat once or twice, for any number of bots and seats. With
more bots than seats, all pairs meet over the units. With fewer bots than seats, some bots play two seats of a game. A
unit with two bots and two seats is a pair of games with swapped seats. The luck of a seed affects all bots equally.
Therefore a unit, and not a game, counts as one independent observation.

If players win or lose together, or there is only one seat, bots in the same game cannot be compared. In that case a
unit has one game for each bot, which plays all seats, and the results of the bots with the same seed are compared.
"""

from __future__ import annotations

from random import Random

LineUp = tuple[int, ...]
"""By seat, the number of a bot."""


def unit_of(bots: int, seats: int, seed: int, number: int, apart: bool = False) -> list[LineUp]:
    """Return the line-ups of the unit with a *number*; if *apart* is true, each bot plays alone."""
    if apart:
        return [(bot,) * seats for bot in range(bots)]
    draw = Random(f"unit {number} of {seed}")
    order = draw.sample(range(bots), bots)
    places = draw.sample(range(seats), seats)
    found: list[LineUp] = []
    for row in (order, order[::-1]):
        lines = [tuple(row[(begin + place) % bots] for place in places) for begin in range(bots)]
        found += [line for line in lines if line not in found]
    return found


def unit_size(bots: int, seats: int, apart: bool = False) -> int:
    """Return the number of games in a unit; it is the same for all units."""
    return len(unit_of(bots, seats, 0, 0, apart))
