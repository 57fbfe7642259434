"""Walk through matches of a pack: all paths of a small one, a few of a large one."""

from __future__ import annotations

import marshal
import re
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any

from patolli.run.compiler.optimizer import plainly
from randompacks.bookkeeping import Books, Broken, secrets
from randompacks.engine import Match, MatchError, Ruleset, begun_otherwise, chanced, told

STATES, DECISIONS, MATCHES = 250, 40, 3
OTHERS = 30
"""How many other beginnings are tried."""


@dataclass(frozen=True)
class Fault:
    """What went wrong: the sort, what was said, and how to get there; ``places`` are the lines that were running."""

    sort: str
    what: str
    seats: int = 0
    seed: int = 0
    choices: tuple[int, ...] = ()
    places: frozenset[tuple[str, int]] = field(default=frozenset(), compare=False)

    @property
    def key(self) -> str:
        """The same text for the same sort of fault."""
        return f"{self.sort}: {re.sub(r'-?[0-9]+', 'N', re.sub(r'_[0-9]+', '', self.what))}"


@dataclass
class Walk:
    """What was seen: how many states, whether these were all, and the first fault."""

    states: int = 0
    whole: bool = True
    fault: Fault | None = None

    def and_then(self, other: Walk) -> Walk:
        """Return what was seen here and on another walk."""
        return Walk(self.states + other.states, self.whole and other.whole, self.fault or other.fault)


class Explorer:
    """Walks through the matches of a ruleset."""

    def __init__(self, rules: Ruleset, begin: Callable[[int, int], Match] | None = None) -> None:
        """Begin with nothing seen; *begin* starts a match, with a number of seats and a seed, as the rules say or not."""
        self.rules = rules
        self.begin = begin or rules.start
        self.invariants = begin is None
        self.walk = Walk()
        self.books: Books | None = None
        self.seats = self.seed = 0
        self.choices: list[int] = []
        self.parts: dict[bytes, bytes] = {}  # by state, that in which the player who answers in secret was first asked
        self.behind: dict[
            tuple[bytes, int], Any
        ] = {}  # by that state and seat, what is seen when the next one is asked
        self.asked: dict[tuple[bytes, int], list[str]] = {}  # and what the next one may answer

    def run(self, states: int = STATES) -> Walk:
        """Walk with every number of seats, until something goes wrong."""
        low, high = self.rules.players
        for self.seats in range(low, high + 1):
            try:
                self._seats(states)
            except Exception as error:
                self.walk.fault = self._fault(error)
                return self.walk
        return self.walk

    def _fault(self, error: Exception) -> Fault:
        sort, what = error.args if isinstance(error, Broken) else told(error)
        stack = error.stack if isinstance(error, MatchError) else []
        places = frozenset((path, line) for path, line, _ in stack)
        return Fault(sort, what, self.seats, self.seed, tuple(self.choices), places)

    def _seats(self, states: int) -> None:
        self.seed, self.choices, self.books = 0, [], None
        self.parts, self.behind, self.asked = {}, {}, {}
        match = self.begin(self.seats, 0)
        self.books = Books(match, self.invariants)
        whole = self._all(match, states)
        if not whole or self.chance:
            self.walk.whole = False
            for self.seed in range(1, MATCHES + 1):
                self.choices = []
                self._one(self.begin(self.seats, self.seed))

    # -- all paths

    def _all(self, match: Match, most: int) -> bool:
        """Walk on all paths, up to a number of states; return whether these were all."""
        seen = {_key(match)}
        open_ = deque([match])
        self.chance = chanced(match)
        self._check(match)
        while open_:
            here = open_.popleft()
            if len(seen) > most:
                self.walk.states += len(seen)
                return False
            for new in self._next(here):
                self.chance = self.chance or chanced(new)
                key = _key(new)
                if key not in seen:
                    seen.add(key)
                    self._check(new)
                    open_.append(new)
        self.walk.states += len(seen)
        return True

    def _next(self, here: Match) -> list[Match]:
        """Return the state after each answer, and see that nothing is reported too early."""
        found = []
        before = _key(here)
        for index in range(len(here.pending or ())):
            copy = here.clone()
            if copy != here:
                raise Broken("copy", "a copy differs from its original")
            self.choices = [*here.choices, index]
            copy.pick(index)
            found.append(copy)
        if _key(here) != before:
            raise Broken("copy", "a copy changed its original")
        decision = here.decision
        if decision is not None and decision.simultaneous:
            self.choices = list(here.choices)
            self._told(here, decision.player, found)
        return found

    def _told(self, here: Match, seat: int, found: list[Match]) -> None:
        """See that the others learn nothing from an answer while some have still to answer.

        That something was answered may show, as when each puts a card aside, but not what: whatever is answered, the
        others see the same, at once and when the next player is asked. An anytime action does not show at all.
        """
        begun = self.parts.setdefault(_key(here), _key(here))
        before, shown = dict(secrets(here)), dict[int, object]()
        answers = len(here.pending or ()) - here.extra
        for index, match in enumerate(found):
            decision = match.decision
            if decision is None or not decision.simultaneous:
                continue
            views = {other: view for other, view in secrets(match) if other != seat}
            for other, view in views.items():
                _compared(before[other] if index >= answers else shown.setdefault(other, view), view)
                if decision.player != seat:
                    _compared(self.behind.setdefault((begun, other), view), view)
            if decision.player == seat:
                self.parts.setdefault(_key(match), begun)
                continue
            labels = [option.label for option in decision.options]
            if self.asked.setdefault((begun, decision.player), labels) != labels:
                raise Broken("leak", "the options tell what another player has answered")

    # -- one path

    def _one(self, match: Match) -> None:
        draw = Random(self.seed)
        self._check(match)
        for _ in range(DECISIONS):
            if match.pending is None:
                return
            index = draw.randrange(len(match.pending))
            self.choices.append(index)
            match.pick(index)
            self._check(match)

    def _check(self, match: Match) -> None:
        assert self.books is not None
        self.choices = list(match.choices)
        self.books.check(match)
        for seat in range(match.players):
            for name in match.program.values:
                match.value(name, seat)
        match.winners if match.pending is None else match.decision.prompt  # noqa: B018 - these must be possible, too


def _compared(one: Any, other: Any) -> None:
    """Check that a player sees the same in two states."""
    for (part, old), (_, new) in zip(one, other, strict=True):
        if old != new:
            raise Broken("leak", f"the {part} tell an answer before all have answered")


def otherwise(rules: Ruleset, seed: int, times: int = OTHERS) -> Fault | None:
    """Return what goes wrong with the same rules where a match begins in another state that the declarations allow.

    What a match begins with is then no longer what an invariant says, so these do not count.
    """
    draw = Random(seed)
    for _ in range(times):
        kept = draw.getrandbits(32)
        begin = lambda seats, seed: begun_otherwise(rules, seats, seed, Random(kept))  # noqa: B023, E731
        fault = Explorer(rules, begin).run(states=STATES // 4).fault
        if fault is not None and fault.sort != "engine":
            return fault
    return None


def reached(rules: Ruleset) -> frozenset[tuple[str, int]]:
    """Walk again, and return the lines of the pack that were carried out or looked at."""
    found: set[tuple[str, int]] = set()

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        rule = frame.f_code.co_filename.endswith(".yaml") and frame.f_code.co_name != "<module>"
        return lines if rule else None

    def lines(frame: FrameType, event: str, argument: Any) -> Any:
        found.add((frame.f_code.co_filename, frame.f_lineno))
        return lines

    with plainly():  # what is computed before a match is not carried out in one
        plain = Ruleset(rules.model, rules.chosen)
        before = sys.gettrace()
        sys.settrace(called)
        try:
            Explorer(plain).run()
        finally:
            sys.settrace(before)
    return frozenset(found)


def _key(match: Match) -> bytes:
    return marshal.dumps(match.state, 2)
