"""Measures of matches by name, and their estimates with 95 % intervals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt

from patolli.language.diagnostics import nearest
from patolli.measure.lab.facts import Row, lead_changes
from patolli.measure.lab.plans import PlanError
from patolli.measure.simulation.estimates import Z

_UNTIL = re.compile(r"(.+?)\s*(?:\+-|±|\+/-)\s*([0-9]+(?:\.[0-9]+)?)\s*(%)?\s*")


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a match. ``of`` returns None if it is unknown; ``share`` says that it is between 0 and 1.

    ``columns`` are the columns of a row that it reads.
    """

    name: str
    of: Callable[[Row], float | None]
    columns: tuple[str, ...]
    share: bool = False


def _win_measure(seat: int) -> Callable[[Row], float | None]:
    def of(row: Row) -> float | None:
        won = row["seat_won"]
        return won[seat] / sum(won) if won and won[seat] else 0.0 if won else None

    return of


def _score(seat: int) -> Callable[[Row], float | None]:
    return lambda row: row["seat_score"][seat] if row["seat_score"] else None


def _ended_measure(column: str) -> Callable[[Row], float | None]:
    return lambda row: row[column] if row["digest"] else None


def _best(row: Row) -> float | None:
    scores = [score for score, won in zip(row["seat_score"] or (), row["seat_won"] or (), strict=True) if won]
    return max(scores, default=None)


def _branching(row: Row) -> float | None:
    return row["offers"] / row["choices"] if row["choices"] else None


def measures(seats: int) -> dict[str, Measure]:
    """Return the measures of a game with this number of seats, by name."""
    lengths = [
        Measure(name, _ended_measure(name), (name, "digest")) for name in ("choices", "turns", "rounds", "forced")
    ]
    found = [
        Measure("first player", _win_measure(0), ("seat_won",), share=True),
        *(Measure(f"seat {one + 1} wins", _win_measure(one), ("seat_won",), share=True) for one in range(seats)),
        *(Measure(f"score of seat {one + 1}", _score(one), ("seat_score",)) for one in range(seats)),
        Measure("winning score", _best, ("seat_score", "seat_won")),
        *lengths,
        Measure("branching", _branching, ("offers", "choices")),
        Measure("lead changes", lead_changes, ("seat_choices", "course_score")),
    ]
    return {one.name: one for one in found}


def measure(name: str, seats: int) -> Measure:
    """Return the measure of a name. Raises PlanError: the measure is unknown; the message suggests a similar one."""
    known = measures(seats)
    wanted = " ".join(name.split())
    if wanted not in known:
        near = nearest(wanted, known)
        hint = f"did you mean {near!r}?" if near else f"measures: {', '.join(known)}"
        raise PlanError(f"unknown measure {wanted!r}; {hint}")
    return known[wanted]


def until(text: str, seats: int) -> tuple[Measure, float]:
    """Parse ``first player +- 1 %``: a measure and its largest margin of error. Raises PlanError: it is invalid."""
    found = _UNTIL.fullmatch(text.strip())
    if found is None:
        raise PlanError(f"{text!r} must have the form 'MEASURE +- NUMBER', such as 'first player +- 1 %'")
    one = measure(found[1], seats)
    if one.share != bool(found[3]):
        raise PlanError(
            f"{one.name!r} is {'a share: write % after the number' if one.share else 'not a share: remove the %'}"
        )
    half = float(found[2]) / (100 if one.share else 1)
    if not half:
        raise PlanError(f"the margin of error must be above 0: {text!r}")
    return one, half


@dataclass(slots=True)
class Estimate:
    """Mean and interval of a measure over matches, by sums that grow match by match."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float | None) -> None:
        """Add a match; ignore an unknown value."""
        if value is not None:
            self.count += 1
            self.total += value
            self.squares += value * value

    @classmethod
    def over(cls, measure: Measure, rows: Iterable[Row]) -> Estimate:
        """Return the estimate over all rows."""
        found = cls()
        for row in rows:
            found.add(measure.of(row))
        return found

    @property
    def mean(self) -> float:
        """The mean; 0 for no matches."""
        return self.total / self.count if self.count else 0.0

    @property
    def half(self) -> float:
        """Half the width of the interval of 95 % by the central limit theorem; infinite below two matches.

        One more match of each kind is added to shares so that one where all are alike gets no interval of width 0
        (Agresti and Coull, Am. Stat. 52 (1998) 119); for other numbers that changes next to nothing.
        """
        n = self.count
        if n < 2:
            return float("inf")
        variance = max(0.0, (self.squares - self.total * self.total / n) / (n - 1))
        if 0.0 <= self.total <= n and self.squares <= self.total:
            share = (self.total + 2) / (n + 4)
            variance = max(variance, share * (1 - share))
        return Z * sqrt(variance / n)
