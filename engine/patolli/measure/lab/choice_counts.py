"""Count questions and choices in matches: by seat and by option, and the points that come of it.

While a match is played, what was asked is only put on a list, and so is what the scores are when they have changed.
When it is over, or the list is long, options become numbers there: at once that takes half of the time. The numbers of
many matches are counted together. A long match takes little more memory than a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.kernel.budget import spend_aside
from patolli.kernel.state import State
from patolli.language.program import expressions as x
from patolli.measure.lab.facts import Row
from patolli.measure.lab.option_numbers import NUMBER, ActionNames, OptionNames, Vocabulary
from patolli.run.runtime.score_sheet import terms

Scores = Callable[[State], list[int]]
"""Gives the scores of all seats."""
Asked = tuple[int, int, Any, int, int]
"""The number of a question, who was asked, the raw options, at which index one was chosen, and how many of the last are
anytime actions."""
Change = tuple[int, list[int]]
"""Before which question of a list the scores were seen to have changed, and what they were then."""
Numbers = NDArray[np.int64]
Chosen = tuple[int, bytes]
"""Whose choice it was, and the number of the name of what was chosen.

Who that is, is one number for the match and the seat: the match, from 0, times the number of seats, and the seat."""
LONG = 1000
"""How many questions are put on the list before their options become numbers."""
MANY = 100_000
"""How many options are kept as numbers before they are counted."""


class Naming:
    """What options are called in all matches of a program, each name by its number."""

    def __init__(self, vocabulary: Vocabulary, questions: dict[int, OptionNames], actions: ActionNames) -> None:
        """Call options as tables say, those of a question by its number."""
        self.vocabulary = vocabulary
        self.questions = {number: table.__getitem__ for number, table in questions.items()}
        self.actions = actions.__getitem__
        self._known = 0
        self._rank, self._sorted = np.zeros(0, np.int64), np.zeros(0, np.object_)

    def by_alphabet(self) -> tuple[Numbers, NDArray[np.object_]]:
        """Return the position of each name that is known in the alphabet, and the names in that order."""
        names = self.vocabulary.names
        if len(names) != self._known:
            self._known = len(names)
            order = sorted(range(len(names)), key=names.__getitem__)
            self._rank, self._sorted = np.empty(len(names), np.int64), np.array([names[one] for one in order], object)
            self._rank[order] = np.arange(len(names))
        return self._rank, self._sorted


class Counting:
    """Counts several matches, one after the other."""

    def __init__(self, naming: Naming, seats: int) -> None:
        """Call options as *naming* does."""
        self._naming, self._seats = naming, seats
        self._options: list[bytes] = []  # behind each other the numbers of the names of all options, by question
        self._sizes: list[int] = []  # of each question, how many these are
        self._many = 0  # how many options there are
        self._whose: list[int] = []  # whose choice it was, as in `Chosen`
        self._indexes: list[int] = []  # at which of the options the one that was chosen stands
        self._forget()

    def _forget(self) -> None:
        self._scored: list[bool] = []  # of each match that is over, whether its scores say anything
        self._begun: list[int] = []  # of each match, how many choices were made in those before
        self._made = 0  # choices that are counted already
        self._gains: list[tuple[int, int, int, int]] = []  # whose choice of what gave whom how many points
        self._offered: list[Numbers] = []  # whose, what, and how often
        self._choices: list[Numbers] = []  # whose, what, and among how many

    def begin(self) -> None:
        """Count another match from now on."""
        self._base = len(self._begun) * self._seats
        self._begun.append(self._made + len(self._sizes))
        self._scores: list[int] = []
        self._last: Chosen = -1, b""

    def count(self, asked: Sequence[Asked], changes: Sequence[Change]) -> None:
        """Count the next questions, and what the scores grew by."""
        if asked:
            numbers, seats, waiting, indexes, extras = zip(*asked, strict=True)
            options, questions, actions = list[bytes](), self._naming.questions, self._naming.actions
            for number, pending, extra in zip(numbers, waiting, extras, strict=True):
                if extra:
                    options += map(questions[number], pending[:-extra])
                    options += map(actions, pending[-extra:])
                else:
                    options += map(questions[number], pending)
            self._options.append(b"".join(options))
            self._many += len(options)
            self._sizes += map(len, waiting)
            self._indexes += indexes
            self._whose += map(self._base.__add__, seats)
        for at, scores in changes:
            if at:
                self._last = self._choice(asked[at - 1])
            self._credit_gain(scores)
        if asked:
            self._last = self._choice(asked[-1])
        if self._many > MANY:
            self._sum()

    def _choice(self, asked: Asked) -> Chosen:
        """Return whose choice it was, and what was chosen."""
        number, seat, pending, index, extra = asked
        name = self._naming.actions if index >= len(pending) - extra else self._naming.questions[number]
        return self._base + seat, name(pending[index])

    def _credit_gain(self, scores: list[int]) -> None:
        """Put down to the last choice by how much the scores have grown since: its seat's, others'."""
        before, self._scores = self._scores, scores
        if before != scores and self._last[0] >= 0:
            whose, what = self._last[0], int.from_bytes(self._last[1], "little")
            grown = enumerate(zip(before, scores, strict=True))
            self._gains += [(whose, what, to, new - old) for to, (old, new) in grown if new != old]

    def end(self, last: list[int] | None) -> None:
        """Count no more of this match; *last* are the scores at its end, if they say anything."""
        if last is not None:
            self._credit_gain(last)
        self._scored.append(last is not None)

    def _sum(self) -> None:
        """Count what was put on lists."""
        width = len(self._naming.vocabulary.names)
        # Numbers half as long are sorted and divided in less than half the time.
        kind: Any = np.int32 if max(len(self._sizes), len(self._begun) * self._seats) * width < 2**31 else np.int64
        sizes, whose = np.array(self._sizes, np.int64), np.array(self._whose, kind)
        options = np.frombuffer(b"".join(self._options), NUMBER)
        named = options[np.cumsum(sizes) - sizes + np.array(self._indexes, np.int64)]
        # Several options of a question may have one name: it is offered once.
        at = np.repeat(np.arange(len(sizes), dtype=kind) * width, sizes) + options
        at.sort()
        at = at[_other(at)]
        question = at // width
        offered = (whose[question] - question) * width + at
        offered.sort()
        starts = np.flatnonzero(_other(offered))
        many, offered = np.diff(starts, append=len(at)), offered[starts]
        self._offered.append(np.stack([offered // width, offered % width, many]))
        self._choices.append(np.stack([whose, named, sizes]))
        self._made += len(sizes)
        self._many = 0
        for one in (self._options, self._sizes, self._whose, self._indexes):
            one.clear()

    def rows(self) -> list[Row]:
        """Return what was counted of each match, and forget it."""
        self._sum()
        whose, named, sizes = np.concatenate(self._choices, axis=1)
        found = [
            {**asked, **options, **given_points}
            for asked, options, given_points in zip(
                self._count_questions(whose, sizes),
                self._count_options(whose, named),
                self._given_points(),
                strict=True,
            )
        ]
        self._forget()
        return found

    def _count_questions(self, whose: Numbers, sizes: Numbers) -> Iterator[Row]:
        """Yield of each match how often a player was asked."""
        slots = len(self._begun) * self._seats
        choices, offers = np.bincount(whose, minlength=slots), np.bincount(whose, sizes, slots).astype(np.int64)
        columns = (one.reshape(-1, self._seats).tolist() for one in (choices, offers))
        for made, many in zip(*columns, strict=True):
            yield {"choices": sum(made), "offers": sum(many), "seat_choices": made, "seat_offers": many}

    def _count_options(self, whose: Numbers, named: Numbers) -> Iterator[Row]:
        """Yield of each match what was offered and chosen, by seat and by the alphabet."""
        seats, (rank, names) = self._seats, self._naming.by_alphabet()
        width = len(names)
        of, what, many = np.concatenate(self._offered, axis=1)
        at = of * width + rank[what]
        order = np.argsort(at, kind="stable")
        at = at[order]
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        keys, offered = at[starts], np.add.reduceat(many[order], starts)
        chosen = np.searchsorted(keys, whose * width + rank[named])
        first = np.full(len(keys), -1)
        numbers = np.arange(len(whose)) - np.array(self._begun, np.int64)[whose // seats]
        first[chosen[::-1]] = numbers[::-1]
        columns = {
            "option_id": names[keys % width].tolist(), "option_seat": (keys // width % seats).tolist(),
            "option_offered": offered.tolist(), "option_chosen": np.bincount(chosen, minlength=len(keys)).tolist(),
            "option_first": first.tolist(), "option_points": self._points(keys, width, rank),
        }  # fmt: skip
        bounds = np.searchsorted(keys, np.arange(len(self._begun) + 1) * seats * width).tolist()
        for low, high, scored in zip(bounds, bounds[1:], self._scored, strict=False):
            row: Row = {name: values[low:high] for name, values in columns.items()}
            yield row if scored else {**row, "option_points": None}

    def _points(self, keys: Numbers, width: int, rank: Numbers) -> list[int]:
        """Return what options gave to who chose them."""
        points = np.zeros(len(keys), np.int64)
        own = [(whose, what, by) for whose, what, to, by in self._gains if whose % self._seats == to]
        whose, what, by = np.array(own, np.int64).reshape(-1, 3).T
        np.add.at(points, np.searchsorted(keys, whose * width + rank[what]), by)
        return points.tolist()

    def _given_points(self) -> Iterator[Row]:
        """Yield of each match what options gave to others, by option, seat and whose score has changed."""
        names, seats = self._naming.vocabulary.names, self._seats
        all_: list[dict[tuple[str, int, int], list[int]]] = [{} for _ in self._begun]
        for whose, what, to, by in self._gains:
            match, seat = divmod(whose, seats)
            if seat != to and self._scored[match]:
                gift = all_[match].setdefault((names[what], seat, to), [0, 0])
                gift[0] += 1
                gift[1] += by
        columns = ("option", "seat", "to", "times", "points")
        for given_points in all_:
            found = sorted((*key, *gift) for key, gift in given_points.items())
            yield {f"gift_{column}": [one[at] for one in found] for at, column in enumerate(columns)}


def _other(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each number of a row whether it differs from the one before it."""
    found = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=found[1:])
    return found


def scores_of(program: Any, players: int) -> tuple[slice | None, Scores | None, bool]:
    """Return where the scores of all seats stand beside each other, what gives them, and whether that takes long.

    It may take long, and steps of the match, if the score is no sum of counters. Without a score, nothing gives it.
    """
    layout, formula, score = program.layout, program.layout.model.score, program.score
    if formula is None:
        return None, None, False
    parts = terms(layout.model, formula)
    if not all(isinstance(one.expr, x.CounterAt) for one in parts):

        def compute(state: State) -> list[int]:
            with spend_aside():
                return [int(score(state, seat)) for seat in range(players)]

        return None, compute, True
    expr = parts[0].expr
    if len(parts) == 1 and parts[0].factor == 1 and isinstance(expr, x.CounterAt):
        base, sizes = layout.counters[expr.counter]
        index = expr.indices[0] if len(expr.indices) == 1 else None
        if isinstance(index, x.Local) and index.variable is formula.me and sizes == (players,):
            where = slice(base, base + players)
            return where, lambda state: state[where], False
    return None, lambda state: [score(state, seat) for seat in range(players)], False
