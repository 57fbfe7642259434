"""What a seat has seen since the last moment at which others knew nothing that it does not know.

In:     the match at that moment, and the choices that were made since.
Out:    for each choice what the seat saw of it, which every world of the seat must show in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from patolli.kernel.state import State, copy_state, preserve_turns
from patolli.language.program import types as ty
from patolli.run.compiler.layout import DRAWS, FRAMES, SEED
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_matching import list_offered_pieces, see_option, see_options
from patolli.run.runtime.visibility import Piece, Visibility

if TYPE_CHECKING:
    from patolli.run.runtime.knowledge import Knowledge
    from patolli.run.runtime.match import Match
    from patolli.run.runtime.particles import Cloud

SHUFFLE = "shuffle."
"""How the names of the streams begin from which the order of a pile is drawn."""
PROBES = 3
"""How many other draws show whether a hidden number depends on them."""
LISTED = 16
"""How many options are tried one by one, where few lead to what a seat saw."""
SeenState = tuple[Any, ...]
"""What a seat sees of a match, to be compared."""


class Shown(NamedTuple):
    """A piece that a seat came to see.

    Attributes:
        piece: The piece.
        slot: Where it lay before.
        position: Its position there; -1 on a spot.
        exact: Whether the position counts.
    """

    piece: Piece
    slot: int
    position: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Step:
    """What a seat saw of one choice.

    Attributes:
        index: The index of the seat's own choice; -1 if another seat chose.
        wanted: The choice of another seat, as far as the seat knows it; None if it is secret.
        seen: The pieces that the seat saw before or after it.
        view: What the seat saw after it.
        draws: How often each random stream had been drawn from after it.
        shuffled: The streams of the piles that were shuffled.
        rolled: The streams on which a hidden number depends.
        shown: The pieces that the seat came to see.
        lying: Where the pieces lay that it saw after a shuffle, with their positions.
        numbers: The numbers that it saw after a hidden one was drawn, by slot.
        revealed: The pieces that were shown to the seat, with the slots where they lie.
        rare: Whether few of the secret options lead to what the seat saw.
        mixed: The slots to which something came unseen, or that were shuffled.
    """

    index: int
    wanted: Any
    seen: frozenset[Piece]
    view: SeenState
    draws: dict[str, int]
    shuffled: tuple[str, ...]
    rolled: tuple[str, ...]
    shown: tuple[Shown, ...]
    lying: tuple[tuple[Piece, int, int], ...]
    numbers: tuple[tuple[int, Any], ...]
    revealed: tuple[tuple[Piece, int], ...]
    rare: bool
    mixed: frozenset[int]


@dataclass(slots=True)
class Belief:
    """What a seat has seen since a match was at some point.

    Attributes:
        origin: The match at that point.
        seat: Who believes.
        knowledge: What the seat knew then.
        unwritten: The names of the numbers that were as they start.
        beginning: Whether no player had chosen then.
        choices: The choices since; those behind *steps* have not been looked at.
        steps: What the seat saw of them.
        latest: The match after the steps.
        cloud: The worlds that are carried along; made by :mod:`particles`.
    """

    origin: Match
    seat: int
    knowledge: Knowledge
    unwritten: frozenset[int]
    beginning: bool
    choices: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    latest: Match | None = None
    cloud: Cloud | None = None

    def copy(self) -> Belief:
        """Return a copy that can go on with other choices."""
        latest = self.latest.clone() if self.latest is not None else None
        cloud = self.cloud.copy() if self.cloud is not None else None
        return replace(self, choices=self.choices[:], steps=self.steps[:], latest=latest, cloud=cloud)

    def move_to(self, world: Match) -> Belief:
        """Return the same belief, to go on with the choices of a world."""
        new = self.copy()
        new.latest, new.choices = make_plain(world), new.choices[: len(new.steps)]
        return new

    def origin_plain(self) -> Match:
        """Return the match at the origin, which does not narrate."""
        if self.origin.program is not self.origin.ruleset.program(self.origin.players):
            self.origin = make_plain(self.origin)
        return self.origin

    def look_back(self, visibility: Visibility, count: int) -> Knowledge:
        """Return what the seat knows after some steps of the origin.

        That are pieces that it came to see, and that have not moved before.
        Nothing hidden may have come to where they lay; else they may have come with it.
        """
        known, state = self.knowledge.copy(), self.origin._state
        mixed: set[int] = set()
        for step in self.steps[:count]:
            for piece, slot, *_ in step.shown:
                if slot in mixed or state[piece] != slot or known.knows_place(piece):
                    continue
                known.note_piece(piece, frozenset((slot,)))
                held = state[slot]
                if held.__class__ is list and visibility.place[slot].type == "pile":
                    known.places[piece] = held.index(piece - visibility.layout.at[visibility.place[slot].of])
            mixed |= step.mixed
        return known

    def record_steps(self) -> list[Step]:
        """Return what the seat saw of all choices. Raises MatchError: the content fails."""
        if self.latest is None:
            self.latest = make_plain(self.origin)
        for choice in self.choices[len(self.steps) :]:
            with preserve_turns():
                self.steps.append(self._record(self.latest, choice))
        return self.steps

    def _record(self, latest: Match, choice: int) -> Step:
        visibility, mine = latest.ruleset.visibility(latest.program), 1 << self.seat
        asked, number = latest.decider, latest.frame[0]
        state, options = copy_state(latest._state), latest.pending
        draws, before = dict(latest._state[DRAWS]), latest.clone()
        watchers = visibility.watchers(state) if visibility.kinds else {}
        seen = {piece for piece, seats in watchers.items() if seats & mine}
        hidden = watchers.keys() - seen
        assert options is not None
        secret, value = is_secret_choice(latest, choice), options[choice]
        revealed = list_revealed(pick_and_note(latest, choice), self.seat)
        after = visibility.watchers(latest._state) if visibility.kinds else {}
        visible = {piece for piece, seats in after.items() if seats & mine}
        if latest.pending is not None and latest.decider == self.seat and visibility.kinds:
            offered = hidden.intersection(list_offered_pieces(latest))
        else:
            offered = set()
        offered |= {piece for piece, _ in revealed if piece in hidden}
        streams = [name for name, count in latest._state[DRAWS].items() if count != draws.get(name, 0)]
        shuffled = tuple(name for name in streams if name.startswith(SHUFFLE))
        chance = tuple(name for name in streams if not name.startswith(SHUFFLE))
        rolled = chance if chance and self._rolls(before, latest, choice, visibility, after) else ()
        shown = tuple(
            Shown(piece, slot, _position(state, visibility, slot, piece), piece in offered or bool(chance) or pile)
            for piece in sorted(hidden)
            if piece in visible or piece in offered
            if (slot := state[piece]) and f"{SHUFFLE}{visibility.place[slot].name}" not in shuffled
            for pile in (visibility.place[slot].type == "pile",)
        )
        lying = tuple(
            (piece, latest._state[piece], _position(latest._state, visibility, latest._state[piece], piece))
            for piece in sorted(visible | offered)
            if latest._state[piece]
        )
        known, numbers = frozenset(seen | visible), self._read_numbers(latest, visibility) if rolled else ()
        mixed = {latest._state[one] for one in watchers if state[one] != latest._state[one] and one not in visible}
        mixed |= {slot for slot, place in visibility.place.items() if f"{SHUFFLE}{place.name}" in shuffled}
        wanted = None if secret or asked == self.seat else self.describe(before, number, value, known)
        return Step(
            choice if asked == self.seat else -1, wanted, known, look_at(latest, self.seat), dict(latest._state[DRAWS]),
            shuffled, rolled, shown, lying if shuffled or rolled else (), numbers, revealed,
            asked != self.seat and wanted is None and self._is_rare(before, latest), frozenset(mixed),
        )  # fmt: skip

    def describe(self, match: Match, number: int, value: Any, known: frozenset[Piece]) -> Any:
        """Return an option as the seat knows it: pieces that it does not see, by their places."""
        layout = match.program.layout
        question = match.program.questions[number]

        def see(type_: ty.AnyType, one: Any) -> Any:
            type_ = ty.strip(type_)
            if isinstance(type_, ty.Seq) and isinstance(one, tuple | list):
                return tuple(see(type_.of, inner) for inner in one)
            if (
                not isinstance(type_, ty.Ref)
                or type_.kind not in layout.model.hidden_kinds
                or type_.kind not in layout.at
            ):
                return one
            piece = layout.at[type_.kind] + one
            if not isinstance(one, int) or one < 0 or piece in known or not match._state[piece]:
                return one
            return ("unseen", match._state[piece])

        if match.extra and value in (match.pending or ())[len(match.pending or ()) - match.extra :]:
            return ("anytime", value)
        return see_option(question, value, see)

    def _is_rare(self, before: Match, latest: Match) -> bool:
        """Return whether few of all options lead to what the seat saw."""
        assert before.pending is not None
        seen, alike, count = look_at(latest, self.seat), 0, len(before.pending)
        if not 1 < count <= LISTED:
            return False
        for index in range(count):
            other = before.clone()
            try:
                other.pick(index)
            except MatchError:
                continue
            alike += look_at(other, self.seat) == seen
        return alike * 2 < count

    def _rolls(
        self, before: Match, latest: Match, choice: int, visibility: Visibility, watchers: dict[Piece, int]
    ) -> bool:
        """Return whether a hidden number depends on what was drawn in a step."""
        mine, state = 1 << self.seat, latest._state
        slots = [one.slot for one in visibility.numbers if not visibility.number(state, one, watchers) & mine]
        for seed in range(1, PROBES + 1):
            other = before.clone()
            other._state[SEED] = seed
            try:
                other.pick(choice)
            except MatchError:
                continue
            if any(other._state[slot] != state[slot] for slot in slots):
                return True
        return False

    def _read_numbers(self, latest: Match, visibility: Visibility) -> tuple[tuple[int, Any], ...]:
        """Return all numbers that the seat sees."""
        state = latest._state
        watchers = visibility.watchers(state) if visibility.kinds else {}
        unseen = {
            one.slot for one in visibility.numbers if not visibility.number(state, one, watchers) >> self.seat & 1
        }
        slots = chain.from_iterable(visibility.layout.list_numbers())
        return tuple((slot, state[slot]) for slot in slots if slot not in unseen)


def look_at(match: Match, seat: int) -> SeenState:
    """Return what a seat sees of a match: the table, who is asked what, and what it is offered itself."""
    state = match._state
    seen = match.ruleset.glance(match.program, seat)(state)
    if match.pending is None:
        return seen, None
    frame = state[FRAMES][-1]
    if match.decider != seat:
        return seen, (frame[0], frame[1])
    return seen, (frame[0], seat, see_options(match), match.extra)


def pick_and_note(match: Match, choice: int) -> list[tuple[Any, ...]]:
    """Make a choice without a report of it; return the reveals that still hold, as their events.

    A reveal holds as long as its piece lies where it was shown, in a place that was not shuffled since.
    """
    if not match.ruleset.visibility(match.program).reveals:
        match.pick(choice)
        return []
    fast, narrating, found = match.program, match.narrating, dict[int, tuple[Any, ...]]()
    match.program, match.narrating = match.ruleset.plain(fast), False  # a match that narrates empties the events itself
    events = match.program.events
    before = len(events)
    try:
        match.pick(choice)
        for event in events[before:]:
            if event[0] == "revealed":
                found[event[2] + event[3]] = event
            elif event[0] == "shuffled":
                found = {piece: one for piece, one in found.items() if one[4] != event[2]}
    finally:
        del events[before:]
        match.program, match.narrating = fast, narrating
    return [event for piece, event in found.items() if match._state[piece] == event[4]]


def list_revealed(events: list[tuple[Any, ...]], seat: int) -> tuple[tuple[Piece, int], ...]:
    """Return the pieces that were shown to a seat, with the slots where they lie."""
    return tuple(sorted((base + number, slot) for _, _, base, number, slot, seats in events if seat in seats))


def is_secret_choice(match: Match, choice: int) -> bool:
    """Return whether others do not learn which option the player who decides takes."""
    pending, number = match.pending, match.frame[0]
    assert pending is not None
    if match.secret:
        return True
    answers, value = match.ruleset.labels(match.program).answers, pending[choice]
    if match.extra and choice >= len(pending) - match.extra:
        return answers.secret_action(match.program.layout.model.anytime[value[0]])
    question = match.program.questions[number]
    if question.effect is None:
        return False
    return answers.secret(question.effect, value[0] if question.kind == "menu" else 0)


def make_plain(match: Match) -> Match:
    """Return a copy of a match that does not narrate, in the fast program."""
    new = match.clone()
    new.program = match.ruleset.program(match.players)
    new.labels, new.narrating, new.memory = match.ruleset.labels(new.program), False, None
    return new


def _position(state: State, visibility: Visibility, slot: int, piece: Piece) -> int:
    held = state[slot]
    return held.index(piece - visibility.layout.at[visibility.place[slot].of]) if held.__class__ is list else -1
