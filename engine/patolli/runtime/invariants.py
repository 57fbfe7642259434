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
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patolli.compiler.grounding import taken_apart
from patolli.compiler.layout import SEED
from patolli.kernel.budget import renew
from patolli.kernel.state import State, kept
from patolli.runtime.errors import MatchError, fail

if TYPE_CHECKING:
    from patolli.runtime.match import Match


MANY = 8
"""How many tests are asked together before it is looked whether some of them stand for others."""


TURNS = 50
"""From how many values, and to how many, changes of one slot are kept with what they mean."""
Turn = tuple[int, int, tuple[tuple[int, int], ...], tuple[int, ...]]
"""The entries of the first tally that lose and get one, others with what is added to them, and the tests to ask."""


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
        self.first, self.end = (looked_at[0], looked_at[-1] + 1) if looked_at else (0, 0)
        self.entries, self.wide = checks.readers, checks.wide
        self.tallies = checks.tallies
        self.readers = [None if slot in self.tallies else self.entries.get(slot, ()) for slot in range(slots)]
        self.counted: dict[int, dict[int, dict[int, Turn]]] = {slot: {} for slot in checks.tallies}
        self.known: Known | None = None

    def turn(self, slot: int, old: int, new: int) -> Turn:
        """Return what it means that a counted slot gets another value, and keep it for the next time."""
        first, *others = self.tallies[slot]
        woken = list(self.entries.get(slot, ()))
        for one in (first, *others):
            woken += [*self.entries.get(one + old, ()), *self.entries.get(one + new, ())]
        more = tuple((one + value, by) for one in others for value, by in ((old, -1), (new, 1)))
        found = first + old, first + new, more, tuple(dict.fromkeys(woken))
        if len(self.counted[slot]) < TURNS:
            kept_ = self.counted[slot].setdefault(old, {})
            if len(kept_) < TURNS:
                kept_[new] = found
        return found


@dataclass(slots=True)
class Known:
    """What was seen of a state, and the tallies of it."""

    seen: list[Any]
    tally: defaultdict[int, int]

    def copy(self) -> Known:
        """Return a copy to go on from; the lists in it are never changed in place."""
        return Known(self.seen[:], self.tally.copy())


class Watch:
    """Watches one match."""

    def __init__(self, match: Match, when: Callable[[Match], str] | None = None) -> None:
        """Begin; *when* says after what something does not hold, the last choice of the match if left out."""
        self._match = match
        self._held: Held = match.ruleset.held(match)
        self._known: Known | None = None
        self._asleep: set[int] = set()
        self._open: set[int] = set()  # tests that failed, or could not be worked out, and are to be asked again
        self._when = when or _last_choice

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
        if self._known is None:
            if held.known is None:
                self._known = self._all_of(match.state)
                self._judge(match, range(len(held.tests)))
                if not self._open:
                    held.known = self._known.copy()
                return
            self._known = held.known.copy()  # what held in another match holds here, where nothing differs
        first, end, seen = held.first, held.end, self._known.seen
        now, before = match.state[first:end], seen[first:end]
        if now != before or self._open:
            pairs = enumerate(zip(now, before, strict=True), first)
            self.changed()(match.state, [slot for slot, (one, old) in pairs if one != old])

    def _all_of(self, state: State) -> Known:
        """Look at a whole state."""
        tally: defaultdict[int, int] = defaultdict(int)
        for slot, tallies in self._held.tallies.items():
            for first in tallies:
                tally[first + state[slot]] += 1
        return Known(kept(state), tally)

    def changed(self) -> Callable[[State, Iterable[int]], None]:
        """Return what holds a state against what looks at slots that were changed, after a first look at the match.

        It is called after every choice of many matches, so it does nothing that is not needed. It raises
        :class:`BrokenInvariant`.
        """
        assert self._known is not None
        seen, tally, held, again = self._known.seen, self._known.tally, self._held, self._open
        readers, counted, turn, tests, wide = held.readers, held.counted, held.turn, held.tests, held.wide

        def hold(state: State, slots: Iterable[int]) -> None:
            asked: Iterable[int] = ()
            more: list[Iterable[int]] | None = [again] if again else None
            for slot in slots:
                new, old = state[slot], seen[slot]
                if new == old:
                    continue
                seen[slot] = new[:] if new.__class__ is list else new
                woken = readers[slot]
                if woken is None:
                    try:
                        gone, come, others, woken = counted[slot][old][new]
                    except KeyError:
                        gone, come, others, woken = turn(slot, old, new)
                    tally[gone] -= 1
                    tally[come] += 1
                    for entry, by in others:
                        tally[entry] += by
                if not asked:
                    asked = woken
                elif more is not None:
                    more.append(woken)
                else:
                    more = [woken]
            if more is not None:
                asked = set(asked).union(*more)
                if len(asked) > MANY:
                    for number in wide.keys() & asked:
                        asked -= wide[number]
            try:
                for number in asked:
                    if not tests[number](state, tally):
                        break
                else:
                    return
            except Exception:  # what is wrong is said by the whole invariant
                pass
            self._judge(self._match, asked)

        return hold

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

    def _passes(self, match: Match, number: int) -> bool:
        assert self._known is not None
        renew()
        try:
            return self._held.tests[number](match.state, self._known.tally)
        except Exception:
            return False


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
