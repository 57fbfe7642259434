"""The score sheet: where the score of each seat comes from.

A score is a sum. What of it is a counter was made bit by bit, and the story has put each bit down to a category.
Everything else in the formula is computed now, and is a category by itself. So the parts always add up to the score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patolli.check.prose.words import capital, words
from patolli.language.program import expressions as x
from patolli.language.program.model import Formula, Program
from patolli.language.program.tree_rewriter import substitute
from patolli.run.runtime.match_story import KNOWING, OTHER, Story
from patolli.run.runtime.situations import Situations
from patolli.run.runtime.vocabulary import first, title

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

START = "At the start"
"""To what points are put down that a counter begins with."""
DEEP = 8
"""How many functions inside each other are looked into."""
CALLS = 200
"""How many calls of functions are looked into: functions that call each other twice double with each level."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Where the score of each seat comes from.

    Attributes:
        categories: The sources of points, in the order of their first use.
        points: The points of each category by seat; None if they cannot be known.
        totals: The score by seat; None if a part of it cannot be known.
    """

    categories: tuple[str, ...]
    points: tuple[tuple[int | None, ...], ...]
    totals: tuple[int | None, ...]

    def of(self, seat: int) -> dict[str, int | None]:
        """Return the points of one seat by category, without categories of 0 points."""
        return {name: n for name, n in zip(self.categories, self.points[seat], strict=True) if n != 0}


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a sum: an expression that counts so many times, and what it is called."""

    factor: int
    expr: x.Expr
    name: str


def terms(program: Program, formula: Formula) -> list[Term]:
    """Return what the score is the sum of."""
    return list(_terms(program, formula.body, 1, "", 0, iter(range(CALLS))))


def _terms(program: Program, expr: x.Expr, factor: int, name: str, depth: int, calls: Iterator[int]) -> Iterator[Term]:
    match expr:
        case x.Arithmetic(op="+" | "-"):
            yield from _terms(program, expr.left, factor, name, depth, calls)
            yield from _terms(program, expr.right, factor if expr.op == "+" else -factor, name, depth, calls)
        case x.Negative():
            yield from _terms(program, expr.of, -factor, name, depth, calls)
        case (
            x.Arithmetic(op="*", left=x.Number(value=times), right=part)
            | x.Arithmetic(op="*", right=x.Number(value=times), left=part)
        ):
            yield from _terms(program, part, factor * times, name, depth, calls)
        case x.FunctionCall() if depth < DEEP and next(calls, None) is not None:
            yield from _expand_call(program, expr, factor, depth, calls)
        case x.CounterAt():
            yield Term(factor, expr, capital(title(program.counters[expr.counter])))
        case _:
            yield Term(factor, expr, name or OTHER)


def _expand_call(
    program: Program, call: x.FunctionCall, factor: int, depth: int, calls: Iterator[int]
) -> Iterator[Term]:
    """Yield a function as a term of its own, or what it adds up where counters are among that."""
    function = program.functions[call.function]
    known = function.name.partition("'")[0]
    name = capital(first(function.text) or words(known))
    given = zip((function.me, *function.parameters), (call.me, *call.arguments), strict=True)
    inner = list(_terms(program, substitute(function.body, dict(given)), factor, name, depth + 1, calls))
    parted = len(inner) > 1 or any(isinstance(term.expr, x.CounterAt) for term in inner)
    yield from inner if parted else [Term(factor, call, name)]


def score_sheet(match: Match, story: Story, seat: int | None) -> ScoreSheet:
    """Return the score sheet of a match with a story; see :meth:`Match.score_sheet`."""
    program = match.program.layout.model
    rows: list[dict[str, int | None]] = [{} for _ in range(match.players)]
    if program.score is not None:
        sheet = _Sheet(match, story, program.score, seat)
        for term in terms(program, program.score):
            for player, row in enumerate(rows):
                sheet.enter(term, player, row)
    entered = dict.fromkeys(name for row in rows for name in row)
    booked = dict.fromkeys(name for _, name in story.thread(KNOWING).ledger if name in entered)
    names = list(booked | entered)
    points = tuple(tuple(row.get(name, 0) for name in names) for row in rows)
    totals = tuple(None if None in row else sum(n for n in row if n is not None) for row in points)
    return ScoreSheet(tuple(names), points, totals)


class _Sheet:
    """Enters terms into the rows of seats, as far as a player may know them."""

    def __init__(self, match: Match, story: Story, formula: Formula, seat: int | None) -> None:
        self.match, self.me, self.seat = match, formula.me, seat
        self.layout = match.program.layout
        state = match.clone().state
        viewer = KNOWING if seat is None else seat
        self.ledger = story.thread(viewer).ledger
        self.situations = Situations(match.program, match.labels, state, max(viewer, 0))
        self.open = seat is None or match.over
        self.state = state

    def _value(self, expr: x.Expr, player: int) -> Any:
        return self.situations.find_value(expr, {self.me: player})

    def enter(self, term: Term, player: int, row: dict[str, int | None]) -> None:
        """Enter what a term is for a player."""
        if not self.open and self.situations.hidden_reads.hides(term.expr, {self.me: player}):
            row[term.name] = None
            return
        value = self._value(term.expr, player)
        if isinstance(term.expr, x.CounterAt):
            slot = self._slot(term.expr, player)
            for (where, category), number in self.ledger.items():
                if where == slot:
                    value -= number
                    _add(row, category, number * term.factor)
            began = self.layout.initial[slot] == value
            _add(row, START if began and value else OTHER, value * term.factor)
        else:
            _add(row, term.name, int(value) * term.factor)

    def _slot(self, counter: x.CounterAt, player: int) -> int:
        base, sizes = self.layout.counters[counter.counter]
        offset = 0
        for index, size in zip(counter.indices, sizes, strict=True):
            offset = offset * size + self._value(index, player)
        return base + offset


def _add(row: dict[str, int | None], name: str, number: int) -> None:
    if number:
        row[name] = (row.get(name) or 0) + number
