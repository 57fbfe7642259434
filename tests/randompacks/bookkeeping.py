"""What holds in every state of every match, whatever the rules are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from randompacks.engine import Match, fields_of, numbers_of, piles_of


class Broken(Exception):
    """Something that must hold does not; ``args`` is the sort of it, and what it is."""


class Books:
    """The bookkeeping of one program: what is read from its layout once."""

    def __init__(self, match: Match, invariants: bool = True) -> None:
        """Read the layout; *invariants* are held, too, unless the match began in a state that they do not speak of."""
        self.invariants = invariants
        self.numbers = [*numbers_of(match), *fields_of(match)]
        self.piles = list(piles_of(match))

    def check(self, match: Match) -> None:
        """Check a state.

        Raises:
            Broken: Something is not true.
        """
        state = match.state
        for sort, name, slots, low, high in self.numbers:
            for slot in slots:
                if state[slot] < low or (high is not None and state[slot] > high):
                    raise Broken(sort, f"{name} is {'below its least' if state[slot] < low else 'above its greatest'}")
        for kind, first, number, places in self.piles:
            _pieces(state, kind, first, number, places)
        broken = match.broken() if self.invariants else ()
        if broken:
            raise Broken("invariant", broken[0])
        _options(match)


def _pieces(state: list[Any], kind: str, first: int, number: int, places: list[int]) -> None:
    """See that each piece is in the place that it is said to be in, and nowhere else."""
    held = sorted(piece for place in places for piece in _held(state[place]))
    inside = [piece for piece in range(number) if state[first + piece]]
    if held != inside:
        raise Broken("pieces", f"a {kind} is lost, or in two places")
    for piece in inside:
        if piece not in _held(state[state[first + piece]]):
            raise Broken("pieces", f"a {kind} is not where it is said to be")


def _held(value: Any) -> list[int]:
    if isinstance(value, list):
        return value
    return [value] if value >= 0 else []


def _options(match: Match) -> None:
    if match.pending is None:
        return
    if not match.pending:
        raise Broken("options", "a question has no option")
    cut = len(match.pending) - match.extra
    for options in (match.pending[:cut], match.pending[cut:]):
        if len(set(map(repr, options))) != len(options):
            raise Broken("options", "a question has an option twice")


def secrets(match: Match) -> Iterator[tuple[int, Any]]:
    """Yield for each seat what it sees of the table, without who is asked what."""
    for seat in range(match.players):
        seen = match.view(seat)
        yield seat, [(part, seen[part]) for part in ("counters", "places", "pieces", "scores", "over")]
