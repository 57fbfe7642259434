"""What each seat knows of what it cannot see, from what happened before its eyes.

In:     the choices of a match.
Out:    for each seat where hidden pieces may lie, which of them lie where in a pile, and values as they were last seen.

The set-up is known, so every piece begins where it starts. That a piece goes from one place to another is told to all,
with its number, but not which piece it is where nobody sees it: each that may have lain in the first place may lie in
the second one now. To shuffle a pile makes its order unknown. Nothing of it is noted while a match is played: a second
match follows the choices when somebody asks, and narrates to this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, copy_state, preserve_turns
from patolli.kernel.values import perhaps_at_rest
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.lookout import Lookout, Piece
from patolli.run.runtime.sealed_choices import Sealed, sealed_with

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match
    from patolli.run.runtime.worlds import Plan

Slots = frozenset[int]
ON = -1
"""Stands for all places on hidden pieces: on which of them something lies is not known."""


@dataclass(slots=True)
class Knowledge:
    """What one seat knows; of a piece that stands nowhere here, that it is hidden.

    Attributes:
        haunts: Sets of slots, each with the hidden pieces that may lie in any of them, and nowhere else.
        places: Hidden pieces whose position in their pile is known, counted from the bottom.
        seen: Numbers by slot, as they were last seen.
        values: By the first slot of a counter or field all its values that were ever seen.
    """

    haunts: dict[Slots, set[Piece]] = field(default_factory=dict)
    places: dict[Piece, int] = field(default_factory=dict)
    seen: dict[int, Any] = field(default_factory=dict)
    values: dict[int, set[Any]] = field(default_factory=dict)

    def copy(self) -> Knowledge:
        """Return a copy that shares nothing."""
        return Knowledge(
            {slots: set(pieces) for slots, pieces in self.haunts.items()}, dict(self.places), dict(self.seen),
            {name: set(values) for name, values in self.values.items()},
        )  # fmt: skip

    def forget(self, piece: Piece) -> None:
        """Forget where a piece may lie: it can be seen, or something better is known."""
        self.places.pop(piece, None)
        for slots, pieces in list(self.haunts.items()):
            pieces.discard(piece)
            if not pieces:
                del self.haunts[slots]

    def note_piece(self, piece: Piece, slots: Slots) -> None:
        """Note where a piece may lie."""
        self.forget(piece)
        if slots:
            self.haunts.setdefault(slots, set()).add(piece)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "haunts": [[sorted(slots), sorted(pieces)] for slots, pieces in self.haunts.items()],
            "places": sorted(self.places.items()), "seen": sorted(self.seen.items()),
            "values": [[name, sorted(values)] for name, values in sorted(self.values.items())],
        }  # fmt: skip

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Knowledge:
        """Return what :meth:`to_data` wrote."""
        return cls(
            {frozenset(slots): set(pieces) for slots, pieces in data["haunts"]}, dict(data["places"]),
            {slot: perhaps_at_rest(value) for slot, value in data["seen"]},
            {name: set(map(perhaps_at_rest, values)) for name, values in data["values"]},
        )  # fmt: skip


@dataclass(slots=True)
class Memory:
    """What all seats know after some choices.

    ``follower`` is a match that has made them, too; ``at`` is who saw each piece then.
    """

    lookout: Lookout
    follower: Match
    seats: list[Knowledge]
    choices: list[int]
    watchers: dict[Piece, int] = field(default_factory=dict)
    state: State = field(default_factory=list)  # of the follower, as it was last looked at
    plans: dict[int, Plan] = field(default_factory=dict)  # by seat what ``worlds`` made of it
    imagined: bool = False  # whether the match has no past of its own
    sealed: Sealed | None = None  # what was answered at once, while some have still to answer

    @classmethod
    def begin_memory(
        cls, match: Match, seats: list[Knowledge], choices: Iterable[int] = (), sealed: Sealed | None = None
    ) -> Memory:
        """Begin with what is known of a match; that has made some *choices* already, the last of them under seal."""
        return cls(match.ruleset.lookout(match.program), _following(match), seats, list(choices), sealed=sealed)

    def to_data(self, match: Match) -> list[dict[str, Any]]:
        """Return what the seats of a match know now, as plain data."""
        return [knowledge.to_data() for knowledge in get_memory(match).seats]

    def copy(self) -> Memory:
        """Return a copy that shares nothing."""
        seats = [one.copy() for one in self.seats]
        return replace(self, follower=self.follower.clone(), seats=seats, choices=self.choices[:], plans={})

    def apply_choices(self, choices: list[int]) -> Memory:
        """Return what is known after more choices."""
        new = self.copy()
        for choice in choices:
            new.sealed = sealed_with(new, choice)
            new.follow(partial(new.follower.pick, choice))
            new.choices.append(choice)
        if new.sealed is not None and not new.sealed.open(new.follower):
            new.sealed = None
        return new

    def follow(self, work: Callable[[], None]) -> None:
        """Let the follower do something, and take in what is seen of it."""
        if not self.state:
            self.state = copy_state(self.follower.state)
            self.watchers = self.lookout.watchers(self.state)
        told = self.follower.program.events
        said = len(told)
        told.watched = self.follower.state
        try:
            with preserve_turns():
                work()
        finally:
            seen = [(event, state) for _, event, state in told.kept]
            told.watched = None
            del told[said:]
            told.kept.clear()
        for event, state in seen:
            self._take_in(event, state)
        self._take_in(("move",), copy_state(self.follower.state))
        self._look()

    # -- what is seen

    def _take_in(self, event: tuple[Any, ...], state: State) -> None:
        """Compare a state with the one before, of which one effect has made it."""
        before, old = self.state, self.watchers
        if event[0] == "shuffled":
            self._disorder(event[2], state)
        moved = [piece for piece in old if before[piece] != state[piece]]
        turned = self.lookout.tops and before != state
        if moved or turned:
            new = self.lookout.watchers(state)
            drawn = event[0] == "moved" and not any(slot == other for _, slot, other in event[3])
            for seat, knowledge in enumerate(self.seats):
                _Moves(self.lookout, seat, before, state, old, new, drawn).note(knowledge, moved)
            self.watchers = new
        self.state = state

    def _disorder(self, slot: int, state: State) -> None:
        for knowledge in self.seats:
            for piece in [piece for piece in knowledge.places if state[piece] == slot]:
                del knowledge.places[piece]

    def _look(self) -> None:
        """Note all numbers that can be seen now."""
        for number in self.lookout.numbers:
            seats, value = self.lookout.number(self.state, number, self.watchers), self.state[number.slot]
            for seat, knowledge in enumerate(self.seats):
                if seats >> seat & 1:
                    knowledge.seen[number.slot] = value
                    knowledge.values.setdefault(number.name, set()).add(value)


class _Moves:
    """The moves of one effect, as one seat sees them."""

    def __init__(
        self, lookout: Lookout, seat: int, before: State, state: State, old: dict[Piece, int], new: dict[Piece, int],
        drawn: bool,
    ) -> None:  # fmt: skip
        self.lookout, self.seat, self.before, self.state = lookout, seat, before, state
        self.old, self.new, self.drawn = old, new, drawn

    def note(self, knowledge: Knowledge, moved: list[Piece]) -> None:
        """Take in what became hidden, what can be seen now, and what went from one hidden place to another."""
        seat = self.seat
        flows: set[tuple[int, int]] = set()
        gone: dict[int, list[Piece]] = {}
        for piece in moved:
            if not self.old[piece] >> seat & 1:
                source = self._find_named_slot(self.before, piece, self.old)
                gone.setdefault(self.before[piece], []).append(piece)
                if not self.new[piece] >> seat & 1 and piece not in knowledge.places:
                    flows.add((source, self._find_named_slot(self.state, piece, self.new)))
        known = [piece for piece in moved if piece in knowledge.places and not self.new[piece] >> seat & 1]
        for slot, pieces in gone.items():
            if not self._from_the_top(slot, pieces):
                for piece in [piece for piece in knowledge.places if self.before[piece] == slot]:
                    if piece in known:
                        known.remove(piece)
                        flows.add((slot, self._find_named_slot(self.state, piece, self.new)))
                    del knowledge.places[piece]
        if flows:
            self._mix(knowledge, flows)
        for piece in self.new:
            was, is_ = self.old[piece] >> seat & 1, self.new[piece] >> seat & 1
            if is_ and not was:
                knowledge.forget(piece)
            elif (was and not is_) or piece in known:
                self._hidden(knowledge, piece, was=bool(was))
        self._empty_slots(knowledge, {self.before[piece] for piece in moved})
        for piece in knowledge.places:
            knowledge.places[piece] = self._position(piece)

    def _from_the_top(self, slot: int, pieces: list[Piece]) -> bool:
        """Tell whether all know that the topmost pieces of a pile went, whichever they are."""
        held = self.before[slot] if slot else None
        if not self.drawn or held.__class__ is not list:
            return held.__class__ is not list
        base = self.lookout.layout.at[self.lookout.place[slot].of]
        return {piece - base for piece in pieces} == set(held[len(held) - len(pieces) :])

    def _find_named_slot(self, state: State, piece: Piece, watchers: dict[Piece, int]) -> int:
        """Return the slot of a piece; on a hidden piece, which nobody can name, the one that stands for all."""
        slot: int = state[piece]
        carriers = self.lookout.carriers.get(slot, ())
        return slot if all(watchers[one] >> self.seat & 1 for one in carriers) else ON

    def _mix(self, knowledge: Knowledge, flows: set[tuple[int, int]]) -> None:
        """Let each piece that may have lain in one place lie in the other, too."""
        for slots, pieces in list(knowledge.haunts.items()):
            more = {to for source, to in flows if source in slots} - slots
            going = {piece for piece in pieces if piece not in knowledge.places} if more else set()
            if going:
                pieces -= going
                if not pieces:
                    del knowledge.haunts[slots]
                knowledge.haunts.setdefault(slots | more, set()).update(going)

    def _hidden(self, knowledge: Knowledge, piece: Piece, was: bool) -> None:
        """Note where a piece goes that was seen, or whose place was known."""
        stays = self.before[piece] == self.state[piece]
        slot = self.state[piece] if stays else self._find_named_slot(self.state, piece, self.new)
        knowledge.note_piece(piece, frozenset((slot,)))
        if slot >= 0 and self.lookout.place[slot].type == "pile":
            knowledge.places[piece] = 0  # its position is looked up by the caller
        if was:
            self._remember(knowledge, piece)

    def _remember(self, knowledge: Knowledge, piece: Piece) -> None:
        for number in self.lookout.numbers:
            if piece in number.pieces and self.lookout.number(self.before, number, self.old) >> self.seat & 1:
                knowledge.seen[number.slot] = self.before[number.slot]

    def _empty_slots(self, knowledge: Knowledge, slots: set[int]) -> None:
        """Nothing lies any longer where everything went."""
        empty = {slot for slot in slots if slot and self.state[slot] in ([], -1)}
        for haunts, pieces in list(knowledge.haunts.items()):
            if haunts & empty:
                del knowledge.haunts[haunts]
                if haunts - empty:
                    knowledge.haunts.setdefault(haunts - empty, set()).update(pieces)

    def _position(self, piece: Piece) -> int:
        slot = self.state[piece]
        return int(self.state[slot].index(piece - self.lookout.layout.at[self.lookout.place[slot].of]))


def _following(match: Match) -> Match:
    """Return a copy of a match whose program narrates."""
    follower = match.clone()
    follower.program = match.ruleset.program(match.players, narrate=True)
    follower.labels = match.ruleset.labels(follower.program)
    follower.narrating, follower.memory = False, None
    return follower


def get_memory(match: Match) -> Memory:
    """Return what the seats of a match know now, and keep it with the match.

    A match whose state does not follow from its choices, as one that a test has put together, begins anew: of what
    happened before nothing is known.
    """
    memory, made = match.memory, match.choices
    if memory is None or made[: len(memory.choices)] != memory.choices:
        memory = _from_the_start(match)
    if memory is not None and len(made) > len(memory.choices):
        try:
            memory = memory.apply_choices(made[len(memory.choices) :])
        except (MatchError, LookupError):
            memory = None
    if memory is None or memory.follower.state != match.state:
        memory = Memory.begin_memory(match, [Knowledge() for _ in range(match.players)], made)
    match.memory = memory
    return memory


def knows(data: Any) -> bool:
    """Tell whether data from a save has the form of what one seat knows."""
    lists = {"haunts": _slots_and_pieces, "places": _pair, "seen": _slot_and_value, "values": _values}
    return isinstance(data, dict) and all(
        isinstance(data.get(key), list) and all(map(fits, data[key])) for key, fits in lists.items()
    )


def restore_memory(match: Match, data: list[dict[str, Any]]) -> Memory | None:
    """Return what the seats of a restored match know, from its save; None where that cannot be."""
    lookout, seats = match.ruleset.lookout(match.program), [Knowledge.from_data(one) for one in data]
    kind = {piece: name for name in lookout.kinds for piece in lookout.pieces[name]}
    numbers = {number.slot for number in lookout.numbers}
    for one in seats:
        haunts = {piece: slots for slots, pieces in one.haunts.items() for piece in pieces}
        lying = all(
            piece in kind and slots and all(slot == ON or slot in lookout.slots[kind[piece]] for slot in slots)
            for piece, slots in haunts.items()
        )
        placed = all(len(haunts.get(piece, ())) == 1 and ON not in haunts[piece] for piece in one.places)
        if not lying or not placed or not numbers.issuperset(one.seen):
            return None
    if len(seats) != match.players:
        return None
    memory = Memory.begin_memory(match, seats, match.choices)
    memory.imagined = True
    return memory


def _ints(value: Any) -> bool:
    return isinstance(value, list) and all(type(one) is int for one in value)


def _pair(value: Any) -> bool:
    return _ints(value) and len(value) == 2


def _slot_and_value(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is int and _is_slot_value(value[1])


def _is_slot_value(value: Any) -> bool:
    """Tell whether a slot may hold something: a number, or a list of them, or of lists."""
    return all(map(_is_slot_value, value)) if isinstance(value, list) else isinstance(value, int)


def _slots_and_pieces(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_ints, value))


def _values(value: Any) -> bool:
    return _slot_and_value(value) and isinstance(value[1], list)


def _from_the_start(match: Match) -> Memory | None:
    """Return what is known after the set-up of the match."""
    fresh = match.ruleset.fresh(match.players, match.state[1], narrate=True)
    fresh.narrating = False
    lookout = match.ruleset.lookout(fresh.program)
    state = copy_state(fresh.state)
    watchers = lookout.watchers(state)
    seats: list[Knowledge] = []
    for seat in range(match.players):
        knowledge = Knowledge()
        for piece, seen in watchers.items():
            if not seen >> seat & 1:
                _starting(knowledge, lookout, state, piece)
        seats.append(knowledge)
    memory = Memory(lookout, fresh, seats, [])
    try:
        memory.follow(fresh.begin)
    except MatchError:
        return None
    return memory


def _starting(knowledge: Knowledge, lookout: Lookout, state: State, piece: Piece) -> None:
    """Note where a piece begins: the documents say so to everybody."""
    slot = state[piece]
    knowledge.note_piece(piece, frozenset((slot,)))
    if lookout.place[slot].type == "pile":
        base = lookout.layout.at[lookout.place[slot].of]
        knowledge.places[piece] = state[slot].index(piece - base)
