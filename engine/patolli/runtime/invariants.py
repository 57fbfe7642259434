"""Hold a match against its declared invariants, after every choice.

In:     a match whose open question has just come up.
Out:    nothing, or a fault that names what does not hold, and the choice that broke it.
Errors: P0814 an invariant that does not hold.

Most invariants look at a few places, and most choices change a few others. So the slots that somebody looks at are cut
into parts, and an invariant is worked out only when a part that it may look at differs from what it was the last time.
What an invariant may look at is said by its text, and by what it has looked at where a match begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from patolli.analysis.walking import nodes
from patolli.compiler.layout import FIRST, SEED, Layout
from patolli.kernel.budget import renew
from patolli.kernel.state import State
from patolli.language import tree as t
from patolli.runtime.errors import MatchError, fail

if TYPE_CHECKING:
    from patolli.compiler import Program
    from patolli.runtime.match import Match


PLAIN = frozenset(
    """
    min max abs size top number rotate reverse take position next previous others turn_order cell_at shift adjacent
    around lines ray connected owned placements me seats players
    """.split()
)
"""What is built in and looks at nothing but what it is given; whatever is not known here may look at everything."""


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


class _Seen(list[Any]):
    """A state that notes which of its slots are looked at."""

    slots: set[int]

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        self.slots.update(range(*at.indices(len(self))) if isinstance(at, slice) else [at.__index__() % len(self)])
        return super().__getitem__(at)


def parts_of(match: Match) -> list[Part]:
    """Cut the slots that the invariants of a program may look at into parts, as few as there can be."""
    program, model = match.program, match.ruleset.model
    stretches = sorted(_stretches(program.layout))
    starts = [first for first, _ in stretches]
    readers = [0] * len(stretches)
    for number, (name, holds) in enumerate(program.invariants.items()):
        slots = _named(program.layout, model.invariants[name][0]) | _seen(match, holds)
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


def _named(layout: Layout, expression: t.Expr) -> set[int]:
    """Return the slots of all that an expression names, functions and facts included.

    Where a piece is stands twice in the state, with the piece and in the place. It is enough to look at the places, all
    of which have to be named, apart from the box.
    """
    model = layout.model
    found: set[int] = set()
    seen: set[tuple[str, ...]] = set()
    open_: list[object] = [expression]
    while open_:
        for node in nodes(open_.pop()):
            what = tuple(str(word) for word in t.note_of(node)[:3])
            if what == ("builtin", "place_of") and isinstance(node, t.Call):
                what = ("place", *(x.id for x in node.arguments[1:] if isinstance(x, t.Name)))
            if what in seen:
                continue
            seen.add(what)
            match what:
                case ("counter", name, *_):
                    found.update(layout.slots(*layout.counters[name]))
                case ("place", name, *_):
                    found.update(layout.slots(*layout.places[name]))
                case ("field", kind, name):
                    first = layout.fields[kind, name]
                    found.update(range(first, first + layout.size(kind)))
                case ("fact", kind, name):
                    open_.extend(design.facts.get(name) for design in model.designs.values() if design.kind == kind)
                case ("function", name):
                    open_.append(model.functions[name].body)
                case ("builtin", "have"):
                    found.update(slot for own in layout.counters.values() for slot in layout.slots(*own))
                case ("builtin", name) if name in PLAIN:
                    pass
                case ("box" | "cost",) | ("rule" | "builtin", _):
                    return set(range(FIRST, len(layout.initial)))
    return found


def _seen(match: Match, holds: Callable[[State, int], bool]) -> set[int]:
    """Return the slots at which an invariant looks in a match as it is, but for those of where a piece is."""
    state = _Seen(match.state)
    state.slots = set()
    with suppress(MatchError):  # what cannot be said of half a game may be said later
        _worked_out(match, holds, state)
    layout = match.program.layout
    where = {slot for kind, first in layout.at.items() for slot in range(first, first + layout.size(kind))}
    return {slot for slot in state.slots if slot >= FIRST} - where


def _joined(program: Program, stretches: list[tuple[int, int, int]]) -> list[Part]:
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
