"""Check a match against its declared invariants after every choice.

In:     a match that waits for a choice, or is over.
Out:    nothing, or an error that names the invariants that do not hold, and the choice that broke them.
Errors: P0814 an invariant does not hold.

Each invariant is compiled once, as a whole. A :class:`Watch` evaluates it again only if something that it reads has
changed since the last time. The summary of an invariant says which counters, fields and pieces it reads
(:class:`Reads`); their slots are compared with a copy. So it does not matter how the state was changed: by a choice, by
a rule that a scenario calls, or by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from patolli.kernel.budget import renew
from patolli.kernel.state import State, copy_state
from patolli.language.program.model import Program
from patolli.language.program.node import Location
from patolli.run.compiler import Executable
from patolli.run.compiler.layout import SEED
from patolli.run.compiler.located import list_locations
from patolli.run.runtime.errors import MatchError, fail
from patolli.run.runtime.match import Match


class BrokenInvariant(MatchError):
    """An invariant does not hold; ``names`` are all that do not, ``choices`` lead there from the set-up."""

    heading = "an invariant is not true:"

    def __init__(self, match: Match, names: list[str], when: str) -> None:
        self.names = names
        self.choices = tuple(match.choices)
        declared = match.ruleset.model.invariants
        said = [f"{name!r} ({declared[name][1]})" if declared[name][1] else repr(name) for name in names]
        several = len(names) > 1
        reason = f"the invariant{'s' * several} {', '.join(said)} {'are' if several else 'is'} not true {when}"
        spans = [(declared[name][0].span, name) for name in names]
        super().__init__(reason, [(span.path, span.line, f"the invariant {name!r}") for span, name in spans], "P0814")


@dataclass(slots=True)
class Run:
    """Slots of a state that stand side by side and are read by invariants.

    Attributes:
        slots: These slots.
        of_lists: Whether they hold lists, which are changed in place; the others hold numbers.
        stretches: What belongs together of them, counted from the first one, and the invariants that read it, as bits.
        readers: The invariants that read any of them, as bits.
    """

    slots: slice
    of_lists: bool
    stretches: list[tuple[slice, int]]
    readers: int


class Reads(list[Run]):
    """Which slots of a state the invariants of a program read."""

    def __init__(self, resolved: Program, program: Executable) -> None:
        """Find the slots for one number of seats."""
        super().__init__()
        readers: dict[Location, int] = defaultdict(int)
        for number, (condition, _) in enumerate(resolved.invariants.values()):
            for location in program.workings.preconditions.summaries.reads(condition):
                readers[location] |= 1 << number
        lists = frozenset(program.layout.lists)
        for first, end, location in sorted(one for one in list_locations(program.layout) if one[2] in readers):
            of_lists = first in lists
            if not self or (self[-1].slots.stop, self[-1].of_lists) != (first, of_lists):
                self.append(Run(slice(first, first), of_lists, [], 0))
            run = self[-1]
            start = run.slots.start
            run.stretches.append((slice(first - start, end - start), readers[location]))
            run.slots, run.readers = slice(start, end), run.readers | readers[location]


class Watch:
    """Watches one match. It evaluates all invariants at first, and then those that may have changed."""

    def __init__(self, match: Match, when: Callable[[Match], str] | None = None) -> None:
        """Begin.

        Args:
            match: The match that is watched.
            when: Says after what an invariant does not hold; the last choice of the match, if left out.
        """
        self._reads = match.ruleset.reads(match.program)
        self._invariants = list(match.program.invariants.items())
        self._every = (1 << len(self._invariants)) - 1
        self._spared = 0
        self._failing = 0  # they are evaluated again in any case
        self._seen: list[State] = []  # by run, what was in its slots
        self._chosen: dict[int, list[tuple[int, Callable[[State, int], bool]]]] = {}
        self._when = when or describe_last_choice
        self._begun = False

    def spare(self, match: Match) -> None:
        """Ignore what does not hold now, or cannot be evaluated: a scenario may begin with half a game."""
        self._look(match)
        for number in range(len(self._invariants)):
            try:
                held = not self._broken(match, 1 << number)
            except MatchError:
                held = False
            self._spared |= 0 if held else 1 << number

    def check(self, match: Match) -> None:
        """Check a match against its invariants. Raises BrokenInvariant: one fails; MatchError: it is not evaluated."""
        due = self._failing
        if not self._begun:
            self._look(match)
            due = self._every
        else:
            state, all_seen = match._state, self._seen  # the state is only read, so its indexes stay
            for number, run in enumerate(self._reads):
                now, seen = state[run.slots], all_seen[number]
                if now != seen:
                    all_seen[number] = copy_state(now) if run.of_lists else now
                    if len(run.stretches) == 1:
                        due |= run.readers
                    else:
                        for stretch, readers in run.stretches:
                            if now[stretch] != seen[stretch]:
                                due |= readers
        due &= ~self._spared
        if due:
            self._failing = due
            broken = self._broken(match, due)
            self._failing = sum(1 << number for number in broken)
            if broken:
                raise BrokenInvariant(match, [self._invariants[number][0] for number in broken], self._when(match))

    def _look(self, match: Match) -> None:
        """Keep a copy of all that is read."""
        self._seen = [copy_state(match._state[run.slots]) for run in self._reads]
        self._begun = True

    def _broken(self, match: Match, due: int) -> list[int]:
        """Return the numbers of those that do not hold; each is evaluated with a step budget of its own."""
        chosen = self._chosen.get(due)
        if chosen is None:
            chosen = [(number, holds) for number, (_, holds) in enumerate(self._invariants) if due >> number & 1]
            self._chosen[due] = chosen
        state, broken = match._state, list[int]()
        try:
            for number, holds in chosen:
                renew()
                if not holds(state, 0):
                    broken.append(number)
        except Exception as error:
            fail(match, error)
        return broken


def describe_last_choice(match: Match) -> str:
    """Name the last choice of a match, by making the others again."""
    if not match.choices:
        return "after the set-up"
    *before, last = match.choices
    decision = match.ruleset.replay(match.players, match.state[SEED], before).decision
    assert decision is not None
    who = match.labels.player(decision.player)
    return f"after choice {len(before) + 1}: {who} chose {decision.options[last].label!r}"
