"""Who meets whom: units of games with one seed, in which every bot sits on every seat equally often.

A unit takes the bots in an order that its seed decides, lets as many of them as there are seats begin at each place of
that order in turn, and seats them as the seed says; then the same with the order reversed, where that gives other
games. So against the same seed every bot has every seat once, or twice, whatever the number of bots and seats: with
more bots than seats all pairs meet over the units, with fewer some sit twice at a table. A unit with two bots and two
seats is the pair of games with seats swapped. Luck of the seed falls on all alike, which is why a unit, not a game, is
what counts as independent.

Where those who play win or lose together, or there is one seat, nobody at a table can be compared with anybody else
there. Then a unit is a game for each bot, which has all the seats, and what the bots made of the same seed is compared.
"""

from __future__ import annotations

from random import Random

LineUp = tuple[int, ...]
"""By seat the number of a bot."""


def unit_of(bots: int, seats: int, seed: int, number: int, apart: bool = False) -> list[LineUp]:
    """Return the line-ups of the unit of a *number*; *apart*: each bot plays alone."""
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
    """Return how many games a unit has; it is the same for all of them."""
    return len(unit_of(bots, seats, 0, 0, apart))
