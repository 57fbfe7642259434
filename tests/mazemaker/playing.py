"""Walk through a maze."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from patolli.runtime import Match, MatchError, Ruleset

ENDLESS = ("too long without a question", "call each other without an end", "ways to pay this", "ways to gain this")
"""How a match may stop: nobody knows beforehand how long nested loops run, or how many ways there are."""


def play(ruleset: Ruleset, seed: int, most: int = 60) -> Match:
    """Play by chance; nobody ever runs out of options, and every counter stays within its bounds."""
    match = ruleset.start(2, seed)
    draw = Random(seed)
    for _ in range(most):
        check(match)
        if match.pending is None:
            return match
        assert match.pending, "a question without an option"
        match.pick(draw.randrange(len(match.pending)))
    return match


@contextmanager
def ends_of_its_own() -> Iterator[None]:
    """Let a match be stopped for lack of an end, and for nothing else."""
    try:
        yield
    except MatchError as error:
        if not any(words in error.reason for words in ENDLESS):
            raise


def play_or_stop(ruleset: Ruleset, seed: int) -> None:
    """Play by chance, for as long as there is an end."""
    with ends_of_its_own():
        play(ruleset, seed)


def check(match: Match) -> None:
    """See that all counters are within their bounds."""
    layout = match.program.layout
    for counter in match.ruleset.model.counters.values():
        base, sizes = layout.counters[counter.name]
        most = layout.limits[counter.name]
        for slot in layout.slots(base, sizes):
            value = match.state[slot]
            high = value if most is None else most
            assert counter.low <= value <= high, f"{counter.name} is {value}"
