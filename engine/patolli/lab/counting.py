"""Count what is asked and chosen in a match while it is played: by seat and by option, and the points that come of it.

Each question is counted as it comes, and none is kept, so that a long match takes no more memory than a short one.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from itertools import repeat
from typing import Any

from patolli.kernel.state import State
from patolli.lab.facts import Row
from patolli.lab.naming import ActionNames, OptionNames
from patolli.program import expressions as x
from patolli.runtime.scoring import terms

Scores = Callable[[State], list[int]]
"""Gives the scores of all seats."""
Gifts = dict[tuple[str, int, int], list[int]]
"""By option, who chose it, and another seat: how often the score of that seat changed with it, and by how much."""
_NONE: list[int] = []


class Counting:
    """Counts one match.

    Attributes:
        chosen: How many choices were made.
    """

    def __init__(self, names: dict[int, OptionNames], actions: ActionNames, seats: int) -> None:
        """Call options by *names*, by the number of their question, and by those of anytime *actions*."""
        self._names, self._actions = names, actions
        self.chosen = 0
        self._many: list[list[int]] = [[] for _ in range(seats)]
        self._offered: list[list[str]] = [[] for _ in range(seats)]
        self._taken: list[dict[str, int]] = [{} for _ in range(seats)]
        self._first: list[dict[str, int]] = [{} for _ in range(seats)]
        self._points: list[dict[str, int]] = [{} for _ in range(seats)]
        self._gifts: Gifts = {}
        self._scores = _NONE
        self._last = "", -1

    def note(self, number: int, seat: int, pending: Any, index: int, extra: int, scores: list[int]) -> None:
        """Count a question, of whose options the last *extra* are anytime actions, and the one that is chosen."""
        if scores != self._scores:
            self._gained(scores)
        table, offered = self._names[number], self._offered[seat]
        size = len(pending)
        self._many[seat].append(size)
        if extra:
            size -= extra
            offered += self._actions.of(tuple(pending[size:]))
            called = [table[value] for value in pending[:size]]
            name = called[index] if index < size else self._actions[pending[index]]
        else:
            called = [table[value] for value in pending]
            name = called[index]
        offered += {*called} if table.shared else called
        taken = self._taken[seat]
        if name in taken:
            taken[name] += 1
        else:
            taken[name] = 1
            self._first[seat][name] = self.chosen
        self.chosen += 1
        self._last = name, seat

    def _gained(self, scores: list[int]) -> None:
        """Put down to the last answer by how much the scores have grown before this question: its seat's, others'."""
        before, (name, seat) = self._scores, self._last
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
            self._gained(last)
        many = self._many
        forced, total = [one.count(1) for one in many], [sum(one) for one in many]
        row: Row = {
            "choices": self.chosen, "forced": sum(forced), "offers": sum(total),
            "seat_choices": [len(one) for one in many], "seat_forced": forced, "seat_offers": total,
        }  # fmt: skip
        return row | self._options(last is not None) | _gifts(self._gifts if last is not None else {})

    def _options(self, scored: bool) -> Row:
        row: Row = {f"option_{name}": [] for name in ("id", "seat", "offered", "chosen", "first")}
        row["option_points"] = [] if scored else None
        for seat, tally in enumerate(map(Tally, self._offered)):
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
