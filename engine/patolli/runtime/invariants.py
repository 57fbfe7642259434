"""Hold a match against its declared invariants, after every choice.

In:     a match whose open question has just come up.
Out:    nothing, or a fault that names what does not hold, and the choice that broke it.
Errors: P0814 an invariant that does not hold.

Most invariants look at a few places, and most choices change a few others. So the slots that somebody looks at are cut
into parts, and an invariant is worked out only when a part that it may look at differs from what it was the last time.
What an invariant may look at is said by what its nodes declare.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import SEED, Layout
from patolli.kernel.budget import renew
from patolli.kernel.state import State
from patolli.program.node import Location
from patolli.runtime.errors import MatchError, fail

if TYPE_CHECKING:
    from patolli.compiler import Executable
    from patolli.runtime.match import Match


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


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of slots, whether they hold lists, and a bit for each invariant that may look at them."""

    first: int
    end: int
    lists: bool
    readers: int


class Watch:
    """Watches one match. It is asked after every choice, so what it does there is kept short."""

    def __init__(self, match: Match, when: Callable[[Match], str] | None = None) -> None:
        """Begin; *when* says after what something does not hold, the last choice of the match if left out."""
        parts = match.ruleset.watched(match)
        self._parts = [(number, p.first, p.end, p.lists, p.readers) for number, p in enumerate(parts)]
        self._kept: list[list[Any]] = [[None] for _ in parts]
        self._holds = list(match.program.invariants.values())
        self._awake = (1 << len(self._holds)) - 1
        self._when = when or _last_choice

    def spare(self, match: Match) -> None:
        """Look away from what does not hold now, or cannot be said: a scenario may begin with half a game."""
        self._changed(match.state)
        for number, holds in enumerate(self._holds):
            try:
                held = _worked_out(match, holds, match.state)
            except MatchError:
                held = False
            self._awake &= ~((not held) << number)

    def check(self, match: Match) -> None:
        """Hold a match against its invariants.

        Raises:
            BrokenInvariant: One does not hold.
        """
        state = match.state
        asked = self._changed(state) & self._awake
        if not asked:
            return
        broken = 0
        renew()
        try:
            while asked:
                lowest = asked & -asked
                if not self._holds[lowest.bit_length() - 1](state, 0):
                    broken |= lowest
                asked ^= lowest
        except Exception as error:
            fail(match, error)
        if broken:
            names = [name for number, name in enumerate(match.program.invariants) if broken >> number & 1]
            raise BrokenInvariant(match, names, self._when(match))

    def _changed(self, state: State) -> int:
        """Return a bit for each invariant that may look at what is not as it was."""
        changed, kept = 0, self._kept
        for number, first, end, lists, readers in self._parts:
            now = state[first:end]
            if now != kept[number]:
                changed |= readers
                kept[number] = [held[:] for held in now] if lists else now  # lists go on changing in place
        return changed


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


# ---- what an invariant looks at


def parts_of(match: Match) -> list[Part]:
    """Cut the slots that the invariants of a program may look at into parts, as few as there can be."""
    program, rules = match.program, match.ruleset
    stretches = sorted(_stretches(program.layout))
    starts = [first for first, _ in stretches]
    readers = [0] * len(stretches)
    for number, name in enumerate(program.invariants):
        slots = _slots(program.layout, rules.prover.summaries.reads(rules.resolved.invariants[name][0]))
        for at in {bisect_right(starts, slot) - 1 for slot in slots}:
            readers[at] |= 1 << number
    return _joined(program, [(*stretch, who) for stretch, who in zip(stretches, readers, strict=True)])


def _stretches(layout: Layout) -> Iterable[tuple[int, int]]:
    """Yield first slot and end of everything that is declared."""
    for name, first in layout.at.items():
        yield first, first + layout.size(name)
    for (kind, _), first in layout.fields.items():
        yield first, first + layout.size(kind)
    for base, sizes in (*layout.counters.values(), *layout.places.values()):
        slots = layout.slots(base, sizes)
        yield slots.start, slots.stop


def _slots(layout: Layout, read: Iterable[Location]) -> set[int]:
    """Return the slots of what is read; where a piece is, is told by the places of its kind."""
    found: set[int] = set()
    for location in read:
        match location:
            case ("counter", name):
                found.update(layout.slots(*layout.counters[name]))
            case ("field", kind, name):
                first = layout.fields[kind, name]
                found.update(range(first, first + layout.size(kind)))
            case ("pieces", kind):
                places = [place.name for place in layout.model.places.values() if place.of == kind]
                found.update(slot for name in places for slot in layout.slots(*layout.places[name]))
    return found


def _joined(program: Executable, stretches: list[tuple[int, int, int]]) -> list[Part]:
    """Join neighbours with the same readers, and leave out what nobody reads."""
    lists = set(program.layout.lists)
    found: list[Part] = []
    for first, end, readers in stretches:
        if readers and end > first:
            before = found[-1] if found else None
            part = Part(first, end, first in lists, readers)
            if before is not None and (before.end, before.lists, before.readers) == (first, part.lists, readers):
                found[-1] = Part(before.first, end, part.lists, readers)
            else:
                found.append(part)
    return found
