"""Count what is asked and chosen in a match: by seat and by option, and the points that come of it.

While the match is played, what was asked is only put on a list, and so is what the scores are when they have changed.
The list is counted when it is long, and at the end: all at once that takes a third of the time, and a long match takes
no more memory than a short one.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

from patolli.kernel.state import State
from patolli.lab.facts import Row
from patolli.lab.naming import ActionNames, OptionNames
from patolli.program import expressions as x
from patolli.runtime.scoring import terms

Scores = Callable[[State], list[int]]
"""Gives the scores of all seats."""
Asked = tuple[int, int, Any, int, int]
"""The number of a question, who was asked, the raw options, at which index one was chosen, and how many of the last are
anytime actions."""
Change = tuple[int, list[int]]
"""Before which question of a list the scores were seen to have changed, and what they were then."""
Called = tuple[str, int]
"""The name of an option, and who was asked."""
Gifts = dict[tuple[str, int, int], list[int]]
"""By option, who chose it, and another seat: how often the score of that seat changed with it, and by how much."""
LONG = 1000
"""How many questions are put on the list before it is counted."""


class Counting:
    """Counts one match."""

    def __init__(self, names: dict[int, OptionNames], actions: ActionNames, seats: int) -> None:
        """Call options by *names*, by the number of their question, and by those of anytime *actions*."""
        self._names, self._actions = names, actions
        self._chosen = 0
        self._many: list[Tally[int]] = [Tally() for _ in range(seats)]
        self._offered: list[Tally[str]] = [Tally() for _ in range(seats)]
        self._taken: list[dict[str, int]] = [{} for _ in range(seats)]
        self._first: list[dict[str, int]] = [{} for _ in range(seats)]
        self._points: list[dict[str, int]] = [{} for _ in range(seats)]
        self._gifts: Gifts = {}
        self._scores: list[int] = []
        self._last = "", -1

    def count(self, asked: Sequence[Asked], changes: Sequence[Change]) -> None:
        """Count the next questions, and what the scores grew by."""
        names, actions, seats = self._names, self._actions, range(len(self._many))
        many: list[list[int]] = [[] for _ in seats]
        offered: list[list[str]] = [[] for _ in seats]
        called: list[Called] = []
        for number, seat, pending, index, extra in asked:
            table, size = names[number], len(pending)
            many[seat].append(size)
            if extra:
                size -= extra
                offered[seat] += actions.of(pending[size:])
                offered[seat] += table.of(pending[:size])
                called.append(((table if index < size else actions)[pending[index]], seat))
            else:
                offered[seat] += table.of(pending)
                called.append((table[pending[index]], seat))
        for seat in seats:
            self._many[seat].update(many[seat])
            self._offered[seat].update(offered[seat])
        self._choose(called)
        for at, scores in changes:
            self._gained(scores, called[at - 1] if at else self._last)
        if called:
            self._last = called[-1]

    def _choose(self, called: Sequence[Called]) -> None:
        """Count what was chosen, by whom, and which choice of the match was the first."""
        for at, (name, seat) in enumerate(called, self._chosen):
            taken = self._taken[seat]
            if name in taken:
                taken[name] += 1
            else:
                taken[name] = 1
                self._first[seat][name] = at
        self._chosen += len(called)

    def _gained(self, scores: list[int], last: Called) -> None:
        """Put down to an answer by how much the scores have grown since: its seat's, others'."""
        before, (name, seat) = self._scores, last
        self._scores = scores
        if seat < 0:
            return
        for to, (old, new) in enumerate(zip(before, scores, strict=True)):
            if to == seat and new != old:
                points = self._points[seat]
                points[name] = points.get(name, 0) + new - old
            elif new != old:
                gift = self._gifts.setdefault((name, seat, to), [0, 0])
                gift[0] += 1
                gift[1] += new - old

    def facts(self, last: list[int] | None) -> Row:
        """Return what was counted; *last* are the scores at the end, if they say anything."""
        if last is not None and last != self._scores:
            self._gained(last, self._last)
        many = self._many
        forced, total = [one[1] for one in many], [sum(size * times for size, times in one.items()) for one in many]
        row: Row = {
            "choices": self._chosen, "forced": sum(forced), "offers": sum(total),
            "seat_choices": [one.total() for one in many], "seat_forced": forced, "seat_offers": total,
        }  # fmt: skip
        return row | self._options(last is not None) | _gifts(self._gifts if last is not None else {})

    def _options(self, scored: bool) -> Row:
        row: Row = {f"option_{name}": [] for name in ("id", "seat", "offered", "chosen", "first")}
        row["option_points"] = [] if scored else None
        for seat, tally in enumerate(self._offered):
            there = sorted(tally)
            row["option_id"] += there
            row["option_seat"] += [seat] * len(there)
            row["option_offered"] += map(tally.__getitem__, there)
            row["option_chosen"] += map(self._taken[seat].get, there, repeat(0))
            row["option_first"] += map(self._first[seat].get, there, repeat(-1))
            if scored:
                row["option_points"] += map(self._points[seat].get, there, repeat(0))
        return row


def _gifts(gifts: Gifts) -> Row:
    """Return what options gave to others, by option, seat and whose score has changed."""
    found = sorted(gifts.items())
    return {
        "gift_option": [name for (name, _, _), _ in found],
        "gift_seat": [seat for (_, seat, _), _ in found],
        "gift_to": [to for (_, _, to), _ in found],
        "gift_times": [times for _, (times, _) in found],
        "gift_points": [points for _, (_, points) in found],
    }


def scores_of(program: Any, players: int) -> tuple[slice | None, Scores | None]:
    """Return where the scores of all seats stand beside each other, and what gives them.

    Both are None where the score is no sum of counters: it may take long then, and steps of the match.
    """
    layout, formula = program.layout, program.layout.model.score
    parts = terms(layout.model, formula) if formula is not None else []
    if not parts or not all(isinstance(one.expr, x.CounterAt) for one in parts):
        return None, None
    expr = parts[0].expr
    if len(parts) == 1 and parts[0].factor == 1 and isinstance(expr, x.CounterAt):
        base, sizes = layout.counters[expr.counter]
        index = expr.indices[0] if len(expr.indices) == 1 else None
        if isinstance(index, x.Local) and index.variable is formula.me and sizes == (players,):
            where = slice(base, base + players)
            return where, lambda state: state[where]
    score = program.score
    return None, lambda state: [score(state, seat) for seat in range(players)]
