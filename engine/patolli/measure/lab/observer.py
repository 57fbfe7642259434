"""Watch a match while it is played, and say the facts of it.

Most of what is recorded is looked at before each choice, and that has to cost little: only references are kept until
the match is over, and many matches are counted together. Scores are looked at before each choice, pieces before each
round. Scores that are no sum of counters take long, so only some matches are *scored*. Which pieces are used, and
measures, the program of the match says by itself (``moments``), and so it does where it gives an answer because there
is no other one: such turns count like others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State
from patolli.measure.lab.choice_counts import LONG, Asked, Change, Counting, Naming, Scores, scores_of
from patolli.measure.lab.facts import Row
from patolli.measure.lab.moments import Counters, Moments
from patolli.measure.lab.option_numbers import ActionNames, OptionNames, Vocabulary
from patolli.measure.lab.pieces import Pieces, Slots
from patolli.measure.simulation.playout import Look
from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime.errors import MatchError, fail
from patolli.run.runtime.match_story import attribute_points
from patolli.run.runtime.score_sheet import score_sheet

if TYPE_CHECKING:
    from patolli.measure.simulation.games import Game
    from patolli.run.runtime import Match, Ruleset

_NONE: list[int] = []
_FORCED = -2
"""The turn of a seat that has only given forced answers so far is recorded as this number less the seat."""
TOGETHER = 250
"""How many matches are counted together."""
NOTED = 64
"""At how many turns of a match the scores are noted at most: when there are more, every second is left out."""


@dataclass(slots=True)
class Notes:
    """What is noted while a match is played.

    Attributes:
        asked: What was asked since it was last counted.
        changes: The scores, where they have changed since then.
        turns: Whose turns were begun.
        course: The scores before each of these, if the match is scored.
        forced: Who gave forced answers.
        dead: Whose turns had no others.
        said: How much the program had said when each round began.
    """

    asked: list[Asked] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    course: list[list[int]] = field(default_factory=list)
    forced: list[int] = field(default_factory=list)
    dead: list[int] = field(default_factory=list)
    said: list[int] = field(default_factory=list)


class Observer:
    """Watches matches of one ruleset and number of seats; :meth:`watch` gives the ``look`` of a watched ``playout``."""

    def __init__(self, rules: Ruleset, players: int, sheets: int = 0) -> None:
        """Watch matches of *rules* with so many *players*; make the sheet of every *sheets*-th."""
        self._rules, self._players, self._sheets = rules, players, sheets
        self._program: Any = None
        self._match: Match | None = None
        self._kept: list[Row] = []  # of the matches of this program, what is known without counting
        self._done: list[Row] = []

    def _prepare(self, match: Match) -> None:
        """Work out what is the same in all matches of a program."""
        self._done = self.rows()
        self._program = program = match.program
        labels = match.labels
        words = Vocabulary()
        questions = {number: OptionNames(labels, one, words) for number, one in program.questions.items()}
        self._counting = Counting(Naming(words, questions, ActionNames(labels, words)), match.players)
        self._where, self._score, self._slow = scores_of(program, match.players)
        self._shared = bool(match.ruleset.visibility(program).deciders)
        self._counters = Counters(program.layout, match.players)
        self._moments = Moments(program, match.players)
        self._pieces = Pieces(Slots(program.layout), match.players, self._moments.moved)

    def _begin(self, match: Match, notes: Notes, scored: bool = True) -> None:
        if match.program is not self._program:
            self._prepare(match)
        self._match = match
        self._state: State = match.state  # nothing is changed here, so one look at it is enough
        seats = range(match.players)
        self._seats = tuple(seats)
        self._counting.begin()
        self._notes = notes
        self._scores = self._score if scored or not self._slow else None
        self._pieces.begin(self._state)

    def watch(self, scored: bool = True) -> Look:
        """Return what is to be called before each choice of the next match, and of no other.

        Unless it is *scored*, scores that take long are not looked at.
        """
        state, frames = State(), list[list[Any]]()
        last, before = -1, _NONE
        where: slice | None = None
        scores_of_state: Scores | None = None
        shared = False
        notes, there = Notes(), set[int]()
        # What is a variable of its own is found faster.
        asked, changes, turns, course, said = notes.asked, notes.changes, notes.turns, notes.course, notes.said
        forced, dead = notes.forced, notes.dead

        def begin(seat: int, scores: list[int]) -> None:
            """Note that a turn begins with these scores."""
            if seat in there or not turns:
                there.clear()
                said.append(len(self._moments.seen))
                if turns:
                    self._pieces.look(state, len(said))
            there.add(seat)
            course.append(scores)
            turns.append(seat)

        def hear(now: State, seat: int) -> None:
            """Note that an answer was forced."""
            nonlocal last
            forced.append(seat)
            if seat != last and last != _FORCED - seat:
                last = _FORCED - seat
                dead.append(seat)
                begin(seat, scores_now(now))

        def scores_now(now: State) -> list[int]:
            """Return the scores while rules are being carried out; if they cannot be computed then, those before."""
            try:
                return scores_of_state(now) if scores_of_state is not None else _NONE
            except Exception:
                return before or [0 for _ in self._seats]

        def look(match: Match, index: int) -> None:
            """Note the open question, and that the option at *index* is about to be chosen."""
            nonlocal state, frames, last, before, where, scores_of_state, shared
            if not frames:
                self._begin(match, notes, scored)
                state, where, scores_of_state, shared = self._state, self._where, self._scores, self._shared
                frames = state[FRAMES]
                self._moments.hear(hear)
            frame = frames[-1]
            if scores_of_state is not None:
                try:
                    scores = state[where] if where is not None else scores_of_state(state)
                except Exception:
                    scores = match.scores  # it fails again, and says where
                if scores != before:
                    changes.append((len(asked), scores))
                    before = scores
            seat = match.decider if shared else frame[1]
            if seat != last:
                if last == _FORCED - seat:
                    dead.pop()
                else:
                    begin(seat, before)
                last = seat
            asked.append((frame[0], seat, match.pending, index, match.extra))
            if len(asked) == LONG:
                self._count()

        return look

    def _count(self) -> None:
        """Count what was asked since it was last done."""
        notes = self._notes
        self._counting.count(notes.asked, notes.changes)
        notes.asked.clear()
        notes.changes.clear()

    # -- at the end

    def keep(self, game: Game, seconds: Callable[[], float]) -> None:
        """Keep what is known of the match that was watched last, which came out as *game*; ask how long it took."""
        match = self._match
        if match is None:  # it failed before the first question
            match = self._rules.fresh(self._players + self._rules.model.automated, game.seed, False, watched=True)
            assert match.program.watching is not None
            match.program.watching.seen.clear()
            self._begin(match, Notes(), False)
        self._count()
        notes, turns = self._notes, self._notes.turns
        ended = bool(game.digest)
        try:
            self._moments.keep(self._state, notes.said, ended)
        except Exception as error:
            game, ended = _mark_failed(match, game, error), False
            self._moments.keep(self._state, notes.said, False)
        if ended:
            self._pieces.look(self._state, len(notes.said) + 1)
        noted = range(0, len(turns), step(len(turns)))
        row: Row = {
            "match": game.index, "seed": game.seed, "digest": game.digest, "fault": game.fault,
            "turns": len(turns), "rounds": len(notes.said),
            "seat_score": list(game.scores) if ended else None,
            "seat_rank": list(game.ranks),
            "seat_won": [seat in game.winners for seat in self._seats] if ended else None,
            "seat_turns": [turns.count(seat) for seat in self._seats],
            "forced": len(notes.forced), "seat_forced": [notes.forced.count(seat) for seat in self._seats],
            "dead_turns": len(notes.dead), "seat_dead_turns": [notes.dead.count(seat) for seat in self._seats],
            "course_turn": [*noted] if self._scores is not None else None,
            "course_score": [n for turn in noted for n in notes.course[turn]] if self._scores is not None else None,
            "counter_id": self._counters.names, "counter_seat": self._counters.seats,
            "counter_value": self._counters.of(self._state),
        }  # fmt: skip
        self._counting.end(self._scores(self._state) if ended and self._scores is not None else None)
        self._kept.append({**row, **self._sources(match, game), "seconds": round(seconds(), 6)})
        self._match = None

    @property
    def full(self) -> bool:
        """Whether as many matches are kept as are best counted together."""
        return len(self._kept) >= TOGETHER

    def rows(self) -> list[Row]:
        """Return the facts of all matches that are kept, in the order in which they were played, and forget them."""
        found, self._done = self._done, []
        if self._kept:
            said = self._moments.rows(self._counters)
            counted = zip(self._kept, self._counting.rows(), self._pieces.rows(), said, strict=True)
            found += [{**row, **asked, **pieces, **more} for row, asked, pieces, more in counted]
            self._kept = []
        return found

    def _sources(self, match: Match, game: Game) -> Row:
        if not self._sheets or game.index % self._sheets or not game.digest:
            return {"source_id": None, "source_seat": None, "source_points": None}
        books = attribute_points(match)
        sheet = score_sheet(match, books, None) if books is not None else match.score_sheet()
        found = [(name, seat, points) for seat in self._seats for name, points in sheet.of(seat).items()]
        columns: tuple[str, ...] = ("source_id", "source_seat", "source_points")
        return {column: [one[at] for one in found] for at, column in enumerate(columns)}


def step(turns: int) -> int:
    """Return at every how many-th of so many turns the scores are noted."""
    found = 1
    while -(-turns // found) > NOTED:
        found *= 2
    return found


def _mark_failed(match: Match, game: Game, error: Exception) -> Game:
    """Return a match whose measures fail at its end as one that could not go on. Raises EngineFault: internal error."""
    try:
        fail(match, error, True)
    except MatchError as fault:
        return replace(game, scores=(), winners=(), ranks=(), digest="", fault=fault.text())
