"""Watch a match while it is played, and say the facts of it.

Most of what is recorded is looked at before each choice, and that has to cost little: only references are kept.
Scores are looked at before each turn, pieces before each round; what was offered is counted when the match is over.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES
from patolli.kernel.state import State
from patolli.lab.facts import Row
from patolli.lab.naming import ActionNames, OptionNames
from patolli.lab.pieces import Slots, Watched
from patolli.program import expressions as x
from patolli.runtime.scoring import terms

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset
    from patolli.simulation.games import Game

Asked = tuple[int, int, Any, int, int, list[int]]
"""A question: its number, who answers, the options, which is chosen, how many of the options are anytime actions; then
the scores of all seats as the question came up, or no list."""
Scores = Callable[[State], list[int]]
"""Gives the scores of all seats."""
Gifts = dict[tuple[str, int, int], list[int]]
"""By option, who chose it, and another seat: how often the score of that seat changed with it, and by how much."""
_NONE: list[int] = []
NOTED = 64
"""At how many turns of a match the scores are noted at most: when there are more, every second is left out."""


class Observer:
    """What watches the matches of one ruleset with one number of seats, one after the other.

    Use it as the ``look`` of :func:`~patolli.simulation.playout.playout`: it is called before each choice.
    """

    def __init__(self, rules: Ruleset, players: int, sheets: int = 0) -> None:
        """Watch matches of *rules* with so many *players*; make the sheet of every *sheets*-th."""
        self._rules, self._players, self._sheets = rules, players, sheets
        self._program: Any = None
        self._match: Match | None = None

    def _prepare(self, match: Match) -> None:
        """Work out what is the same in all matches of a program."""
        self._program = program = match.program
        labels = match.labels
        self._names = {number: OptionNames(labels, question) for number, question in program.questions.items()}
        self._actions = ActionNames(labels)
        self._slots = Slots(program.layout)
        self._where, self._scores = _scores(program, match.players)

    def _begin(self, match: Match) -> None:
        if match.program is not self._program:
            self._prepare(match)
        self._match = match
        seats = range(match.players)
        self._seats = tuple(seats)
        self._log: list[Asked] = []
        self._turns = [0 for _ in seats]
        self._turn, self._rounds, self._seat = 0, 0, -1
        self._round: set[int] = set()
        self._course: list[tuple[int, list[int]]] = []
        self._every = 1
        self._pieces = Watched(self._slots, match.state)

    def __call__(self, match: Match, index: int) -> None:
        """Note the open question of a match, and that the option at *index* is about to be chosen."""
        if match is not self._match:
            self._begin(match)
        state = match.state
        number, seat = state[FRAMES][-1][:2]
        if seat != self._seat:
            self._next_turn(match, seat)
        where = self._where
        if where is not None:
            scores = state[where]
        elif self._scores is not None:
            scores = self._scores(state)
        else:
            scores = _NONE
        self._log.append((number, seat, match.pending, index, match.extra, scores))

    def _next_turn(self, match: Match, seat: int) -> None:
        turn = self._turn
        if seat in self._round or not turn:
            self._rounds += 1
            self._round.clear()
            if turn:
                self._pieces.look(match.state, self._rounds)
        self._round.add(seat)
        self._seat = seat
        if turn % self._every == 0:
            self._course.append((turn, match.scores if self._scores is None else self._scores(match.state)))
            if len(self._course) > NOTED:
                self._every *= 2
                self._course = self._course[::2]
        self._turns[seat] += 1
        self._turn += 1

    # -- at the end

    def facts(self, game: Game, seconds: Callable[[], float]) -> Row:
        """Return the facts of the match that was watched last, which came out as *game*; ask how long it took."""
        match = self._match
        if match is None:  # it failed before the first question
            match = self._rules.fresh(self._players + self._rules.model.automated, game.seed, False)
            self._begin(match)
        ended = bool(game.digest)
        if ended:
            self._end(match)
        row: Row = {
            "match": game.index, "seed": game.seed, "digest": game.digest, "fault": game.fault,
            "seconds": 0.0, "turns": self._turn, "rounds": self._rounds,
            "seat_score": list(game.scores) if ended else None,
            "seat_rank": list(game.ranks),
            "seat_won": [seat in game.winners for seat in self._seats] if ended else None,
            "seat_turns": self._turns,
            "course_turn": [turn for turn, _ in self._course],
            "course_score": [score for _, scores in self._course for score in scores],
        }  # fmt: skip
        row |= self._played(match, ended) | self._pieces_found() | self._counters(match) | self._sources(match, game)
        row["seconds"] = round(seconds(), 6)
        self._match = None
        return row

    def _end(self, match: Match) -> None:
        self._pieces.look(match.state, self._rounds + 1)

    def _played(self, match: Match, ended: bool) -> Row:
        """Return what was asked and chosen, by seat and by option."""
        seats, names, actions = self._seats, self._names, self._actions
        offers: list[list[set[str]]] = [[] for _ in seats]
        many: list[list[int]] = [[] for _ in seats]
        chosen: list[str] = []
        for number, seat, pending, index, extra, _ in self._log:
            table = names[number]
            many[seat].append(len(pending))
            if extra:
                regular = len(pending) - extra
                offers[seat].append({table[v] for v in pending[:regular]} | {actions[v] for v in pending[regular:]})
                chosen.append((table if index < regular else actions)[pending[index]])
            else:
                offers[seat].append({table[value] for value in pending})
                chosen.append(table[pending[index]])
        forced, total = [one.count(1) for one in many], [sum(one) for one in many]
        row: Row = {
            "choices": len(chosen), "forced": sum(forced), "offers": sum(total),
            "seat_choices": [len(one) for one in many], "seat_forced": forced, "seat_offers": total,
        }  # fmt: skip
        tallies = [Tally(chain.from_iterable(one)) for one in offers]
        return row | self._options(tallies, chosen, match, ended)

    def _options(self, offered: list[Tally[str]], chosen: list[str], match: Match, ended: bool) -> Row:
        row: Row = {f"option_{name}": [] for name in ("id", "seat", "offered", "chosen", "first")}
        points, gifts = self._points(chosen, match) if ended and self._scores is not None else (None, {})
        row["option_points"] = None if points is None else []
        row |= _gifts(gifts)
        for seat, tally in enumerate(offered):
            mine = [
                (at, name) for at, (name, asked) in enumerate(zip(chosen, self._log, strict=True)) if asked[1] == seat
            ]
            taken = Tally(name for _, name in mine).get
            first = {name: at for at, name in reversed(mine)}.get
            there = sorted(tally)
            row["option_id"] += there
            row["option_seat"] += [seat] * len(there)
            row["option_offered"] += [tally[name] for name in there]
            row["option_chosen"] += [taken(name, 0) for name in there]
            row["option_first"] += [first(name, -1) for name in there]
            if points is not None:
                gained = points[seat].get
                row["option_points"] += [gained(name, 0) for name in there]
        return row

    def _points(self, chosen: list[str], match: Match) -> tuple[list[dict[str, int]], Gifts]:
        """Put down to every answer by how much the scores have grown before the next question: its seat's, others'."""
        points: list[dict[str, int]] = [{} for _ in self._seats]
        gifts: Gifts = {}
        assert self._scores is not None
        after = [one[5] for one in self._log[1:]]
        if self._log:
            after.append(self._scores(match.state))
        for name, asked, then in zip(chosen, self._log, after, strict=True):
            before = asked[5]
            if then != before:
                seat = asked[1]
                for to, (old, new) in enumerate(zip(before, then, strict=True)):
                    if to == seat and new != old:
                        points[seat][name] = points[seat].get(name, 0) + new - old
                    elif new != old:
                        gift = gifts.setdefault((name, seat, to), [0, 0])
                        gift[0] += 1
                        gift[1] += new - old
        return points, gifts

    def _pieces_found(self) -> Row:
        seen, taken = sorted(self._pieces.seen.items()), sorted(self._pieces.taken.items())
        return {
            "seen_piece": [piece for piece, _ in seen],
            "seen_round": [turn for _, (turn, _) in seen],
            "seen_copies": [copies for _, (_, copies) in seen],
            "taken_piece": [piece for (piece, _), _ in taken],
            "taken_seat": [seat for (_, seat), _ in taken],
            "taken_round": [turn for _, (turn, _) in taken],
            "taken_copies": [copies for _, (_, copies) in taken],
        }

    def _counters(self, match: Match) -> Row:
        found: list[tuple[str, int, int]] = []
        layout = match.program.layout
        for name, (base, sizes) in layout.counters.items():
            slots = layout.slots(base, sizes)
            values = [int(value) for value in match.state[slots.start : slots.stop]]
            if layout.model.counters[name].dims[:1] != ("player",):
                found.append((name, -1, sum(values)))
                continue
            each = len(values) // len(self._seats)
            found += [(name, seat, sum(values[seat * each : (seat + 1) * each])) for seat in self._seats]
        columns: tuple[str, ...] = ("counter_id", "counter_seat", "counter_value")
        return {column: [one[at] for one in found] for at, column in enumerate(columns)}

    def _sources(self, match: Match, game: Game) -> Row:
        if not self._sheets or game.index % self._sheets or not game.digest:
            return {"source_id": None, "source_seat": None, "source_points": None}
        sheet = match.score_sheet()
        found = [(name, seat, points) for seat in self._seats for name, points in sheet.of(seat).items()]
        columns: tuple[str, ...] = ("source_id", "source_seat", "source_points")
        return {column: [one[at] for one in found] for at, column in enumerate(columns)}


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


def _scores(program: Any, players: int) -> tuple[slice | None, Scores | None]:
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
