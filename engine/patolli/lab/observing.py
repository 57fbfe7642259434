"""Watch a match while it is played, and say the facts of it.

Most of what is recorded is looked at before each choice, and that has to cost little: only references are kept, and
counted many at a time. The course of the scores is looked at before each turn, pieces before each round.
Which pieces are used, and measures, the program of the match says by itself (``moments``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES
from patolli.kernel.state import State
from patolli.lab.counting import LONG, Asked, Change, Counting, Scores, scores_of
from patolli.lab.facts import Row
from patolli.lab.moments import Counters, Moments
from patolli.lab.naming import ActionNames, OptionNames
from patolli.lab.pieces import Pieces, Slots
from patolli.runtime.errors import MatchError, fail
from patolli.runtime.scoring import score_sheet
from patolli.runtime.telling import booked
from patolli.simulation.playout import Look

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset
    from patolli.simulation.games import Game

_NONE: list[int] = []
NOTED = 64
"""At how many turns of a match the scores are noted at most: when there are more, every second is left out."""


class Observer:
    """What watches the matches of one ruleset with one number of seats, one after the other.

    What :meth:`watch` gives is the ``look`` of a watched :func:`~patolli.simulation.playout.playout`.
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
        self._where, self._scores = scores_of(program, match.players)
        self._counters = Counters(program.layout, match.players)
        self._moments = Moments(program, match.players)

    def _begin(self, match: Match, asked: list[Asked], changes: list[Change]) -> None:
        if match.program is not self._program:
            self._prepare(match)
        self._match = match
        self._state: State = match.state  # nothing is changed here, so one look at it is enough
        seats = range(match.players)
        self._seats = tuple(seats)
        self._counting = Counting(self._names, self._actions, match.players)
        self._asked, self._changes = asked, changes
        self._turns = [0 for _ in seats]
        self._turn, self._rounds = 0, 0
        self._round: set[int] = set()
        self._said: list[int] = []
        self._course: list[tuple[int, list[int]]] = []
        self._every = 1
        self._pieces = Pieces(self._slots, self._state, self._moments.moved)

    def watch(self) -> Look:
        """Return what is to be called before each choice of the next match, and of no other."""
        state, frames = State(), list[list[Any]]()
        last, before = -1, _NONE
        where: slice | None = None
        scored: Scores | None = None
        asked, changes = list[Asked](), list[Change]()

        def look(match: Match, index: int) -> None:
            """Note the open question, and that the option at *index* is about to be chosen."""
            nonlocal state, frames, last, before, where, scored  # what is a variable of its own is found faster
            if not frames:
                self._begin(match, asked, changes)
                state, where, scored = self._state, self._where, self._scores
                frames = state[FRAMES]
            frame = frames[-1]
            seat = frame[1]
            if seat != last:
                self._next_turn(match, seat)
                last = seat
            if scored is not None:
                scores = state[where] if where is not None else scored(state)
                if scores != before:
                    changes.append((len(asked), scores))
                    before = scores
            asked.append((frame[0], seat, match.pending, index, match.extra))
            if len(asked) == LONG:
                self._count()

        return look

    def _count(self) -> None:
        """Count what was asked since it was last done."""
        self._counting.count(self._asked, self._changes)
        self._asked.clear()
        self._changes.clear()

    def _next_turn(self, match: Match, seat: int) -> None:
        turn, state, there = self._turn, self._state, self._round
        if seat in there or not turn:
            self._rounds += 1
            self._said.append(len(self._moments.seen))
            there.clear()
            if turn:
                self._pieces.look(state, self._rounds)
        there.add(seat)
        if turn % self._every == 0:
            self._course.append((turn, match.scores if self._scores is None else self._scores(state)))
            if len(self._course) > NOTED:
                self._every *= 2
                self._course = self._course[::2]
        self._turns[seat] += 1
        self._turn = turn + 1

    # -- at the end

    def facts(self, game: Game, seconds: Callable[[], float]) -> Row:
        """Return the facts of the match that was watched last, which came out as *game*; ask how long it took."""
        match = self._match
        if match is None:  # it failed before the first question
            match = self._rules.fresh(self._players + self._rules.model.automated, game.seed, False, watched=True)
            match.program.space["WATCHING"].seen.clear()
            self._begin(match, [], [])
        self._count()
        ended = bool(game.digest)
        try:
            said = self._moments.facts(self._state, self._said, self._counters, ended)
        except Exception as error:
            game, ended = _failed(match, game, error), False
            said = self._moments.facts(self._state, self._said, self._counters, False)
        if ended:
            self._pieces.look(self._state, self._rounds + 1)
        row: Row = {
            "match": game.index, "seed": game.seed, "digest": game.digest, "fault": game.fault,
            "seconds": 0.0, "turns": self._turn, "rounds": self._rounds,
            "seat_score": list(game.scores) if ended else None,
            "seat_rank": list(game.ranks),
            "seat_won": [seat in game.winners for seat in self._seats] if ended else None,
            "seat_turns": self._turns,
            "course_turn": [turn for turn, _ in self._course],
            "course_score": [score for _, scores in self._course for score in scores],
            "counter_id": self._counters.names, "counter_seat": self._counters.seats,
            "counter_value": self._counters.of(self._state),
        }  # fmt: skip
        last = self._scores(self._state) if ended and self._scores is not None else None
        row |= self._counting.facts(last) | said
        row |= self._pieces.found() | self._sources(match, game)
        row["seconds"] = round(seconds(), 6)
        self._match = None
        return row

    def _sources(self, match: Match, game: Game) -> Row:
        if not self._sheets or game.index % self._sheets or not game.digest:
            return {"source_id": None, "source_seat": None, "source_points": None}
        books = booked(match)
        sheet = score_sheet(match, books, None) if books is not None else match.score_sheet()
        found = [(name, seat, points) for seat in self._seats for name, points in sheet.of(seat).items()]
        columns: tuple[str, ...] = ("source_id", "source_seat", "source_points")
        return {column: [one[at] for one in found] for at, column in enumerate(columns)}


def _failed(match: Match, game: Game, error: Exception) -> Game:
    """Return a match whose measures cannot be taken at its end as one that could not go on.

    Raises:
        EngineFault: It is the fault of the program.
    """
    try:
        fail(match, error, True)
    except MatchError as fault:
        return replace(game, scores=(), winners=(), ranks=(), digest="", fault=fault.text())
