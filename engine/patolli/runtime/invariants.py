"""Hold a match against its declared invariants, after every choice.

In:     a match whose open question has just come up.
Out:    nothing, or a fault that names what does not hold, and the choice that broke it.
Errors: P0814 an invariant that does not hold.

Invariants are many small tests (``compiler.grounding``), most choices change little, and what a test looks at is known:
only tests are worked out that look at a slot which was changed. Which slots these are, rules say that were compiled to
note it (``compiler.noting``), where many matches are played; otherwise the state is compared with what it was. A test
that fails, or cannot be worked out, is no verdict: that has the whole invariant, as it is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Any

from patolli.compiler.changes import Rows
from patolli.compiler.grounding import Checks, Test, taken_apart
from patolli.compiler.layout import SEED
from patolli.diagnostics.records import dataclass
from patolli.kernel.budget import renew
from patolli.kernel.state import State, kept
from patolli.runtime.errors import MatchError, fail
from patolli.runtime.harmlessness import Harmlessness
from patolli.runtime.recognizing import recognizing

if TYPE_CHECKING:
    from patolli.runtime.match import Match


FEW, MANY = 2, 8
"""How many tests are asked together before it is looked whether some are the same; and how many tests before it is
looked whether some of them stand for others, or slots before the same."""


STRETCH = 64
"""How many slots are compared at once."""


Part = tuple[slice, range, list[Any]]
"""A stretch of the slots of a state, which ones these are, and what was seen of them."""


class BrokenInvariant(MatchError):
    """An invariant does not hold; ``names`` are all that do not, ``choices`` lead there from the set-up."""

    heading = "an invariant does not hold:"

    def __init__(self, match: Match, names: list[str], when: str) -> None:
        self.names = names
        self.choices = tuple(match.choices)
        declared = match.ruleset.model.invariants
        said = [f"{name!r} ({declared[name][1]})" if declared[name][1] else repr(name) for name in names]
        several = len(names) > 1
        reason = f"the invariant{'s' * several} {', '.join(said)} {'do' if several else 'does'} not hold {when}"
        spans = [(declared[name][0].span, name) for name in names]
        super().__init__(reason, [(span.path, span.line, f"the invariant {name!r}") for span, name in spans], "P0814")


class Held:
    """What there is to be held in all matches of one program, and a state in which all of it held."""

    def __init__(self, match: Match) -> None:
        """Take the invariants of the program of a match apart."""
        program, resolved = match.program, match.ruleset.resolved
        self.whole = list(program.invariants.values())
        always = {name: condition for name, (condition, _) in resolved.invariants.items()}
        checks = taken_apart(program.workings, always, program.invariants, often="note" in program.space)
        self.tests = checks.tests
        numbers = {name: number for number, name in enumerate(program.invariants)}
        self.of = [numbers[name] for name in checks.names]
        slots = len(program.layout.initial)
        looked_at = [slot for slot in range(slots) if slot in checks.readers or slot in checks.tallies]
        self.first, self.last = (looked_at[0], looked_at[-1] + 1) if looked_at else (0, 0)
        self.stretches = _stretches(looked_at)
        self.counting = slice(min(checks.tallies), max(checks.tallies) + 1) if checks.tallies else slice(0, 0)
        self.counts = slice(slots, None)  # of the tallies, where there are any; before them stands nothing
        self.counted: tuple[list[Any], list[int]] = [], []  # both as they were in the known state
        self.entries, self.wide, self.tallies = checks.readers, checks.wide, checks.tallies
        if "note" in program.space:
            _recognize(self.tests, checks, {*self.tallies, *program.layout.lists}, slots)
        self.end = checks.end
        self.arrange()
        self.together = Together(program.space.get("rows", Rows()), self)
        self.begin = checks.begin
        if "harmless" in program.space and self.begin is None:
            program.space["harmless"].judge = Harmlessness(self, program.layout).holds_after
        self.known: Known | None = None
        self.parts: list[Part] = []  # the stretches, and what is known of each
        self.set_up: list[int] = []  # what was noted in the set-up that led to the known state
        self.drawn: list[Part] = []  # those in which something was changed in it
        self.alike = False  # whether the known state is the one with which all matches begin
        self.free: list[Watch] = []

    def arrange(self) -> None:
        """Put what is asked for after each choice where it is reached in few steps, and what is alike only once."""
        alike: dict[Any, Any] = {}
        some = {n: tuple([self.tests[one] for one in self.entries.get(n, ())]) for n in range(self.end)}
        self.readers = [alike.setdefault(tests, tests) for tests in some.values()]
        """By slot or entry, the tests that look at it."""
        self.tallied = [alike.setdefault(firsts, firsts) for firsts in map(self.tallies.get, range(self.end))]
        """By slot, the entries that count 0 in the tallies in which its value counts; None for most."""
        self.broad = {self.tests[n]: frozenset([self.tests[one] for one in ones]) for n, ones in self.wide.items()}
        """By test that stands for several others, which ones."""

    def know(self, known: Known) -> None:
        """Keep what is known of a state in which all held."""
        self.known, self.parts = known, list(self.of_all(known.seen))
        self.counted = known.seen[self.counting], known.tally[self.counts]

    def begun(self, match: Match, noted: list[int]) -> None:
        """Keep what was *noted* in the set-up that led to the known state: after the same, nothing else may differ."""
        self.alike = match.ruleset.begins_alike(match)
        changed = {slot for one in noted for slot in self.together.rows.of(one)}
        self.set_up, self.drawn = noted, [part for part in self.parts if not changed.isdisjoint(part[1])]

    def of_all(self, seen: Sequence[Any]) -> Iterator[Part]:
        """Yield the stretches, and what was seen of each."""
        return ((stretch, slots, list(seen[stretch])) for stretch, slots in self.stretches)


class Together(dict[int, tuple[Test, ...]]):
    """By the number of slots that are noted together, the tests that look at them, found when first asked for."""

    def __init__(self, rows: Rows, held: Held) -> None:
        """Know nothing yet."""
        super().__init__()
        self.rows, self._held = rows, held

    def __missing__(self, noted: int) -> tuple[Test, ...]:
        found: dict[Test, None] = {}
        for slot in self.rows.of(noted):
            assert self._held.tallied[slot] is None, slot  # what is counted is noted one by one
            found.update(dict.fromkeys(self._held.readers[slot]))
        for test, others in self._held.broad.items():
            if test in found or others <= found.keys():
                found = {test: None, **{one: None for one in found if one not in others}}
        self[noted] = tuple(found)
        return self[noted]


@dataclass(slots=True)
class Known:
    """What was seen of a state, and the tallies of it."""

    seen: list[Any]
    tally: list[int]

    def copy(self) -> Known:
        """Return a copy to go on from; the lists in it are never changed in place."""
        return Known(self.seen[:], self.tally[:])


class Watch:
    """Watches one match."""

    hold: Callable[[State, Collection[int]], None]

    def __init__(self, match: Match, when: Callable[[Match], str] | None = None) -> None:
        """Begin; *when* says after what something does not hold, the last choice of the match if left out."""
        self._match, self.state = match, match._state  # it is only looked at, so what is kept up of it stays
        self._held: Held = match.ruleset.held(match)
        self._known: Known | None = None
        self._asleep: set[int] = set()
        self._open: set[int] = set()  # tests that failed, or could not be worked out, and are to be asked again
        self._when = when or _last_choice
        self._again = False  # whether it began again, and knows of the state only what is counted

    def spare(self, match: Match) -> None:
        """Look away from what does not hold now, or cannot be said: a scenario may begin with half a game."""
        self._known = self._all_of(match.state)
        for number, holds in enumerate(self._held.whole):
            try:
                held = _worked_out(match, holds, match.state)
            except MatchError:
                held = False
            if not held:
                self._asleep.add(number)

    def check(self, match: Match) -> None:
        """Hold a match against its invariants.

        Raises:
            BrokenInvariant: One does not hold.
        """
        held = self._held
        assert not self._again, "it holds what is noted"
        if self._known is None:
            if held.known is None:
                self._known = self._all_of(match.state)
                self._judge(match, range(len(held.tests)))
                if not self._open:
                    held.know(self._known.copy())
                return
            self._known = held.known.copy()  # what held in another match holds here, where nothing differs
        first, end, seen = held.first, held.last, self._known.seen
        now, before = match.state[first:end], seen[first:end]
        if now != before or self._open:
            self.changed()(match.state, self._differing(match.state, held.of_all(seen)))

    @classmethod
    def quickly(cls, match: Match) -> Watch:
        """Return what watches a match that has just begun, and hold it; ``hold`` does so for what was noted since.

        One of many matches of a program: a watch whose match is over, see :meth:`done`, begins again with what was
        known of the first of them.

        Raises:
            BrokenInvariant: One does not hold.
        """
        held: Held = match.ruleset.held(match)
        noted = match.program.written
        if not held.free or held.known is None:
            watch, first = cls(match), held.known is None
            watch.check(match)
            if first and held.known is not None:
                held.begun(match, noted[:])
            watch.hold = watch.changed()
            return watch
        watch = held.free.pop()
        watch._match, watch.state, known = match, match._state, watch._known
        assert known is not None
        known.seen[held.counting], known.tally[held.counts] = held.counted  # nobody asks for anything else
        watch._again = True
        if watch._open:
            watch._open.clear()
        before = () if held.alike else held.drawn if noted == held.set_up else held.parts
        if before and (differing := watch._differing(watch.state, before)):
            watch.hold(watch.state, differing)
        return watch

    def done(self) -> None:
        """Let another match be watched in place of this one, which is let go: its memory serves the next."""
        del self._match, self.state
        self._held.free.append(self)

    def _differing(self, state: State, before: Iterable[Part]) -> list[int]:
        """Return the slots that are not as *before*, and see them; but those that are counted, as they are."""
        assert self._known is not None
        held, seen = self._held, self._known.seen
        found: list[int] = []
        for stretch, slots, then in before:
            now = state[stretch]
            if now != then:
                found += compress(slots, map(ne, now, then))
        for slot in found:
            if held.tallied[slot] is None:
                one = state[slot]
                seen[slot] = one[:] if one.__class__ is list else one
        return found

    def _all_of(self, state: State) -> Known:
        """Look at a whole state."""
        tally = [0] * self._held.end
        for slot, tallies in self._held.tallies.items():
            for first in tallies:
                tally[first + state[slot]] += 1
        return Known(kept(state), tally)

    def changed(self) -> Callable[[State, Collection[int]], None]:
        """Return what holds a state against what looks at slots that were changed, after a first look at the match.

        It is called after every choice of many matches, so it does nothing that is not needed. It raises
        :class:`BrokenInvariant`.
        """
        assert self._known is not None
        seen, tally, held, again = self._known.seen, self._known.tally, self._held, self._open
        if held.begin is not None:
            return held.begin(seen, tally, again, self._all)
        tests, readers, together, tallied, broad = held.tests, held.readers, held.together, held.tallied, held.broad
        broader = broad.keys()

        def hold(state: State, noted: Collection[int]) -> None:
            some: list[Test] = []
            for slot in noted if len(noted) <= MANY else set(noted):
                if slot < 0:
                    some += together[slot]
                    continue
                some += readers[slot]
                if firsts := tallied[slot]:
                    old, new = seen[slot], state[slot]
                    if new != old:
                        seen[slot] = new
                        for first in firsts:
                            gone, come = first + old, first + new
                            tally[gone] -= 1
                            tally[come] += 1
                            some += readers[gone]
                            some += readers[come]
            if again:
                some += [tests[number] for number in again]
            asked: Collection[Test] = some
            if len(some) > FEW:
                asked = set(some)
                if len(asked) > MANY and not broader.isdisjoint(asked):
                    for one in broader & asked:
                        asked -= broad[one]
            try:
                for holds in asked:
                    if not holds(state, tally):
                        break
                else:
                    return
            except Exception:  # what is wrong is said by the whole invariant
                pass
            self._judge(self._match, [number for number, test in enumerate(tests) if test in asked])

        return hold

    def _all(self) -> None:
        """Judge by all tests."""
        self._judge(self._match, range(len(self._held.tests)))

    def _judge(self, match: Match, asked: Iterable[int]) -> None:
        """Work out whole invariants of which some test failed."""
        held = self._held
        failed = [n for n in asked if held.of[n] not in self._asleep and not self._passes(match, n)]
        self._open.clear()  # in place, since what holds the state knows this very set
        self._open.update(failed)
        broken: list[int] = []
        renew()
        try:
            for number in sorted({held.of[test] for test in self._open}):
                if not held.whole[number](match.state, 0):
                    broken.append(number)
        except Exception as error:
            fail(match, error)
        if broken:
            names = list(match.program.invariants)
            raise BrokenInvariant(match, [names[number] for number in broken], self._when(match))
        if self._open and "harmless" in match.program.space:
            match.program.space["harmless"].doubt()

    def _passes(self, match: Match, number: int) -> bool:
        assert self._known is not None
        renew()
        try:
            return bool(self._held.tests[number](match.state, self._known.tally))
        except Exception:
            return False


def _stretches(slots: Sequence[int]) -> list[tuple[slice, range]]:
    """Return stretches that are compared at once, with all their slots: among some, others may lie."""
    found: list[list[int]] = []
    for slot in slots:
        if found and slot < found[-1][0] + STRETCH:
            found[-1].append(slot)
        else:
            found.append([slot])
    return [(slice(some[0], some[-1] + 1), range(some[0], some[-1] + 1)) for some in found]


def _recognize(tests: list[Test], checks: Checks, unfit: Set[int], end: int) -> None:
    """Let tests recognize what they saw, where all that they look at is fit for it and tallies are no part of it."""
    slots: dict[int, set[int]] = defaultdict(set)
    for slot, numbers in checks.readers.items():
        for number in numbers:
            for one in (number, *checks.wide.get(number, ())):
                slots[one].add(slot)
    for number, members in checks.wide.items():
        slots[number].update(*(slots[one] for one in members))
    for number, some in slots.items():
        if max(some) < end and unfit.isdisjoint(some):
            tests[number] = recognizing(tests[number], some)


def _worked_out(match: Match, holds: Callable[[State, int], bool], state: State) -> bool:
    """Work an invariant out, with a step budget of its own."""
    renew()
    try:
        return holds(state, 0)
    except Exception as error:
        fail(match, error)


def _last_choice(match: Match) -> str:
    """Name the last choice of a match, by making the others again."""
    if not match.choices:
        return "after the set-up"
    *before, last = match.choices
    decision = match.ruleset.replay(match.players, match.state[SEED], before).decision
    assert decision is not None
    who = match.labels.player(decision.player)
    return f"after choice {len(before) + 1}: {who} chose {decision.options[last].label!r}"
