"""The story of a match: lines under headings, and to what the points were put down.

In:     the events of a program that narrates, answer by answer.
Out:    for everybody, and for each seat where something is hidden, the lines so far and a ledger of points.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from patolli.check.prose.words import capital
from patolli.kernel.faults import RuleFault
from patolli.language.program.model import NTH
from patolli.run.compiler.layout import SEED
from patolli.run.compiler.scopes import Said, Scope
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.errors import MatchError, SaveError
from patolli.run.runtime.last_tricks import LastTricks
from patolli.run.runtime.narration import DECIDED, Teller, is_covered
from patolli.run.runtime.seat_visibility import EVERYBODY
from patolli.run.runtime.sentences import Fact, definite, fill_gaps, merge_facts

if TYPE_CHECKING:
    from patolli.run.runtime.labels import Labels
    from patolli.run.runtime.match import Match

KNOWING = -3
"""Who keeps the books of points, and may know everything."""
STORY, LINE = 20_000_000, 50
"""How many characters the narration of a match may have, and what is counted for a line besides."""
OTHER = "Other"
"""The cause that points get when theirs is unknown."""
Events = Sequence[tuple[Any, ...]]
Happened = Sequence[tuple[tuple[Any, ...], list[Any]]]
"""Events, each with a state."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report of a match.

    Attributes:
        level: The depth of a heading, 1 for the outermost; for another line, the number of headings above it.
        kind: ``heading``, ``answer``, ``change``, ``move`` or ``said``.
        seat: The player whom it is about, from 0; -1 if it is about none or several.
        words: The sentence, or the heading.
        at: The number of the choice that led to it, from 1; 0 for what came before the first choice.
    """

    level: int
    kind: str
    seat: int
    words: str
    at: int

    def to_data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return asdict(self)


@dataclass(slots=True)
class _Open:
    """A rule that is being carried out, as it was when it began."""

    scope: Scope
    number: int
    heading: str
    cause: str
    category: str
    answered: bool  # whether the answer that led here has named the piece that brings it about
    covered: bool  # whether only an answer has led here that others may not learn
    serial: int  # which of all beginnings it is, from 1
    shown: bool = False


@dataclass(slots=True)
class Thread:
    """What one seat reads, or everyone."""

    seat: int
    lines: list[Line] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    ledger: defaultdict[tuple[int, str], int] = field(default_factory=lambda: defaultdict(int))
    times: Tally[int] = field(default_factory=Tally)  # how often each heading has come
    begun: int = 0
    answer: str = ""
    size: int = 0

    def copy(self) -> Thread:
        """Return a copy that shares nothing."""
        open_, ledger = [replace(one) for one in self.open], self.ledger.copy()
        lines, said, times = self.lines[:], self.said[:], self.times.copy()
        return replace(self, lines=lines, said=said, open=open_, ledger=ledger, times=times)

    def take(self, labels: Labels, happened: Happened, names: Sequence[str], at: int) -> None:
        """Take in what happened after an answer."""
        facts: list[Fact] = []
        points, teller = labels.points, None
        for event, state in happened:
            if teller is None or teller.names.state is not state:
                teller = Teller(Names(labels, state, self.seat, names))
            match event[0]:
                case "begin":
                    self._begin(teller, event[1], event[2], event[3], bool(facts) and is_covered(facts[-1]))
                case "end":
                    self._end(event[2])
                case _:
                    self._book(event, points)
                    if self.seat != KNOWING:
                        fact = teller.fact(*event)
                        facts += self._under(fact) if fact is not None else []
        before = len(self.lines)
        for fact in merge_facts(facts):
            self._report(fact, at)
        self.size += sum(len(line.words) + LINE for line in self.lines[before:])
        if self.size > STORY:
            raise RuleFault(f"the narration of this match has more than {STORY:,} characters", "P0816")

    # -- what is open

    def _begin(self, teller: Teller, me: int, number: int, values: Sequence[tuple[Any, Any]], covered: bool) -> None:
        scope, names = teller.labels.program.scopes[number], teller.names.about(-1)
        heading, cause = (_fill_words(part, names, values) for part in (scope.heading, scope.cause))
        answered, category = False, scope.category
        if scope.kind:
            piece = values[-1][1]
            if self.seat != KNOWING and not teller.seat_visibility.piece(scope.kind, piece):
                category = ""
            else:
                named = names.about(me).piece(scope.kind, piece)
                answered = named in self.answer
                said = fill_gaps(
                    teller.model.kinds[scope.kind].cause, {"piece": definite(named, names.noun(scope.kind))}
                )
                cause = cause or ("" if answered else said)
                category = category or names.noun(scope.kind, 2)
        self.begun += 1
        self.open.append(
            _Open(scope, number, capital(heading), cause, capital(category), answered, covered, self.begun)
        )

    def _end(self, number: int) -> None:
        """Close a rule, and what is open inside it; what began before anybody listened is not there."""
        for position in range(len(self.open) - 1, -1, -1):
            if self.open[position].number == number:
                del self.open[position:]
                return

    @property
    def _silent(self) -> bool:
        for one in reversed(self.open):
            if one.scope.told is not None:
                return not one.scope.told
            if one.scope.apart:
                break
        return False

    def _cause(self) -> str:
        """Return why something happens now; nothing where an answer has said it already."""
        for one in reversed(self.open):
            if one.cause or one.answered:
                return one.cause
            if one.heading or one.scope.apart:
                break
        return ""

    # -- lines

    def _under(self, fact: Fact) -> list[Fact]:
        """Return a fact with its cause, behind the headings that are not shown yet; nothing where it is silent."""
        if (fact.kind in ("change", "move") or fact.forced) and self._silent != fact.forced:
            return []
        found = []
        hides = is_covered(fact)
        for one in self.open:
            if one.heading and not one.shown and not (hides and one.covered):
                one.shown = True
                self.times[one.number] += 1
                words = one.heading.replace(NTH, str(self.times[one.number]))
                found.append(Fact("heading", words=words, level=self._level()))
        fact.level, fact.scope = self._level(), self.open[-1].serial if self.open else 0
        if fact.kind == "answer":
            self.answer = fact.words
            if not hides:  # the rest comes from the choice, and no longer of a piece
                for one in self.open:
                    one.cause = one.cause if one.scope.cause else ""
        elif fact.kind in ("change", "move"):
            fact.cause = self._cause()
        return [*found, fact]

    def _level(self) -> int:
        return sum(one.shown for one in self.open)

    def _report(self, fact: Fact, at: int) -> None:
        words = fact.write_sentence()
        if not words or (self.lines and self.lines[-1].words == words and words.endswith(DECIDED)):
            return  # how often a player chooses secretly is hidden, too
        self.lines.append(Line(fact.level, fact.kind, fact.seat, words, at))
        if fact.kind != "heading":
            self.said.append(words)

    # -- points

    def _book(self, event: tuple[Any, ...], points: frozenset[int]) -> None:
        match event:
            case ("gain" | "lose" | "pay" | "set", _, slot, old, new):
                changes = [(slot, new - old)] if slot in points else []  # what a field holds may be a list
            case ("pay_way", _, way, *_):
                changes = [(slot, -amount) for slot, amount in zip(way[::2], way[1::2], strict=True)]
            case ("gain_way", _, way, *_):
                changes = list(zip(way[::2], way[1::2], strict=True))
            case _:
                return
        for slot, change in changes:
            if change and slot in points:
                self.ledger[slot, self._category()] += change

    def _category(self) -> str:
        """Return to what points are put down that are made now."""
        near = self.open
        for position, one in enumerate(self.open):
            if one.scope.apart:
                near = self.open[position:]
        for one in reversed(near):
            if one.scope.category and one.category:
                return one.category
        for one in reversed(near):
            if one.category or one.scope.title:
                return one.category or capital(one.scope.title)
        return OTHER


class Story:
    """All that was reported of one match, or of several that have not gone separate ways yet; see :class:`Thread`.

    ``tricks`` has what was taken from the table last.
    """

    def __init__(self, labels: Labels, players: int) -> None:
        self.labels, self.players, self.whole, self.shared = labels, players, True, False
        seats = (KNOWING, *range(players)) if labels.model.hidden_locations else ()
        self.threads = {seat: Thread(seat) for seat in (EVERYBODY, *seats)}
        self.tricks = LastTricks()

    @classmethod
    def of_words(
        cls, labels: Labels, players: int, log: Sequence[str], reported: Sequence[Sequence[str]] = ()
    ) -> Story:  # fmt: skip
        """Return a story that continues from sentences whose places in the match are no longer known."""
        new = cls(labels, players)
        new.whole = False
        lines: list[Line] = []
        before: Sequence[str] | None = None  # most threads begin with the same, and nothing is made of it twice
        for seat, thread in new.threads.items():
            said = reported[seat] if 0 <= seat < len(reported) else log
            if said is not before:
                before, lines = said, [Line(0, "said", -1, words, 0) for words in said]
            thread.said, thread.lines = list(said), lines[:]
        return new

    @property
    def secret(self) -> bool:
        """Whether some seats read other things."""
        return len(self.threads) > 1

    def copy(self) -> Self:
        """Return a copy that shares nothing."""
        new = type(self).__new__(type(self))
        new.labels, new.players, new.whole, new.shared = self.labels, self.players, self.whole, False
        new.threads = {seat: thread.copy() for seat, thread in self.threads.items()}
        new.tricks = self.tricks.copy()
        return new

    def share_story(self) -> Story:
        """Return it for another match, too; from now on it does not change, and a longer story is a copy."""
        self.shared = True
        return self

    def thread(self, seat: int | None) -> Thread:
        """Return what one seat read; for None and where nothing is hidden, what everyone read."""
        return self.threads.get(EVERYBODY if seat is None else seat, self.threads[EVERYBODY])

    def take(self, events: Events, state: list[Any], names: Sequence[str], at: int) -> None:
        """Take in what happened after an answer, which has led to a state."""
        happened = _pair_events(events, state, self.labels.fields)
        for thread in self.threads.values():
            thread.take(self.labels, happened, names, at)
        self.tricks.take(self.labels, events, state, at)

    def remark(self, words: str, at: int) -> None:
        """Report something to everyone that no rule has reported, after so many choices."""
        for thread in self.threads.values():
            thread.lines.append(Line(0, "said", -1, words, at))
            thread.said.append(words)


class Books(Story):
    """To what the points of a match were put down, and nothing else of what is reported: no sentence is made of it."""

    def __init__(self, labels: Labels, players: int) -> None:
        super().__init__(labels, players)
        self.threads = {KNOWING: Thread(KNOWING)}

    def thread(self, seat: int | None) -> Thread:
        """Return what the ledger knows."""
        return self.threads[KNOWING]


def _pair_events(events: Events, state: list[Any], fields: Container[int]) -> Happened:
    """Return events, each with the state as it was then as far as fields go: pieces are called by them."""
    found = []
    for event in reversed(events):
        found.append((event, state))
        if event[0] == "set" and event[2] in fields:
            state = state[:]
            state[event[2]] = event[3]
    return found[::-1]


def _fill_words(said: Said, names: Names, values: Sequence[tuple[Any, Any]]) -> str:
    return "".join(part if isinstance(part, str) else names.value(*values[part]) for part in said)


def heading(names: Names, event: tuple[Any, ...]) -> str:
    """Return the heading of a rule that begins, with the names that one reader sees; its number stays ``{nth}``."""
    _, _, number, values = event
    return capital(_fill_words(names.labels.program.scopes[number].heading, names.about(-1), values))


def retold(match: Match) -> Story | None:
    """Return what is reported when the choices of a match are made again; None where they lead elsewhere."""
    try:
        again = match.ruleset.replay(
            match.players, match.state[SEED], match.choices, narrate=True, names=match.names, edits=match.edits
        )
    except (MatchError, SaveError):
        return None
    return again._story if again.state == match.state else None


def attribute_points(match: Match) -> Books | None:
    """Return to what the points of a match were put down without edits; None where its choices lead elsewhere.

    The choices are made again, which takes a third of the time that a whole report takes.
    """
    again = match.ruleset.fresh(match.players, match.state[SEED], narrate=True)
    again.names = match.names
    again._story = Books(again.labels, again.players)
    try:
        again.begin()
        for choice in match.choices:
            again.pick(choice)
    except (MatchError, IndexError):
        return None
    books = again._story  # another one where a copy of the match was made on the way
    return books if isinstance(books, Books) and again.state == match.state else None


__all__ = ["EVERYBODY", "KNOWING", "OTHER", "Books", "Line", "Story", "attribute_points", "heading", "retold"]
