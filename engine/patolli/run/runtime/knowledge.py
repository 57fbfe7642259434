"""What each seat knows of what it cannot see, from the events that it saw.

In:     the choices of a match.
Out:    for each seat where hidden pieces may lie, which of them lie where in a pile, and values as they were last seen.

The set-up is known, so every piece begins where it starts. That a piece goes from one place to another is reported to
all, with its number, but not which piece it is if no player sees it: each that may have lain in the first place may
lie in the second one now. To shuffle a pile makes its order unknown. Nothing of it is noted while a match is played: a
second match follows the choices on demand, and narrates to this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, copy_state, preserve_turns
from patolli.kernel.values import perhaps_at_rest
from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime.beliefs import Belief, is_secret_choice
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_matching import list_offered_pieces
from patolli.run.runtime.visibility import Piece, Visibility

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match
    from patolli.run.runtime.particles import Player
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

    def note_lying(self, piece: Piece, slot: int) -> None:
        """Note where a piece lies; where it lies in its pile may be known already."""
        if piece not in self.haunts.get(frozenset((slot,)), ()):
            self.note_piece(piece, frozenset((slot,)))

    def knows_place(self, piece: Piece) -> bool:
        """Return whether it is known in which place a piece lies."""
        return any(len(slots) == 1 and piece in pieces for slots, pieces in self.haunts.items())

    def list_sure_pieces(self, visibility: Visibility) -> set[Piece]:
        """Return the hidden pieces whose place is known, with their position if a player sees that."""
        return {
            piece
            for slots, pieces in self.haunts.items()
            if len(slots) == 1 and ON not in slots
            for piece in pieces
            if piece in self.places or not visibility.is_ordered(next(iter(slots)))
        }

    def to_data(self) -> dict[str, Any]:
        """Return the line as plain data."""
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
class Doubt:
    """What one seat does not know, and others who have chosen since may have known.

    Attributes:
        slots: The slots of such pieces and numbers.
        frames: The depths of frames whose variables hold a secret choice.
        belief: What the seat has seen since the last moment without doubt; None without doubt.
    """

    slots: set[int] = field(default_factory=set)
    frames: set[int] = field(default_factory=set)
    belief: Belief | None = None

    def copy(self) -> Doubt:
        """Return a copy that shares nothing that changes."""
        return Doubt(set(self.slots), set(self.frames), self.belief.copy() if self.belief is not None else None)


class _Written(list[Any]):
    """A state that notes which slots are written."""

    def __init__(self, state: State, noted: set[int]) -> None:
        super().__init__(state)
        self.noted = noted

    def __setitem__(self, where: Any, value: Any) -> None:
        if where.__class__ is int:
            self.noted.add(where)
        else:
            self.noted.update(range(*where.indices(len(self))))
        super().__setitem__(where, value)


@dataclass(slots=True)
class Memory:
    """What all seats know after some choices; ``follower`` has made them, ``watchers`` is who saw each piece."""

    visibility: Visibility
    follower: Match
    seats: list[Knowledge]
    choices: list[int]
    watchers: dict[Piece, int] = field(default_factory=dict)
    state: State = field(default_factory=list)  # of the follower, as it was last looked at
    plans: dict[int, Plan] = field(default_factory=dict)  # by seat what ``worlds`` made of it
    players: dict[int, Player | None] = field(default_factory=dict)  # and what plays its worlds
    imagined: bool = False  # whether the match has no past of its own
    doubts: list[Doubt] = field(default_factory=list)  # by seat
    written: set[int] = field(default_factory=set)  # the names of the numbers that rules have written
    method: str = ""  # how the worlds module made the match, if it has no past of its own
    unknown: bool = False  # whether it is not known how the match came about

    @classmethod
    def begin_memory(
        cls, match: Match, seats: list[Knowledge], choices: Iterable[int] = (), known: Memory | None = None
    ) -> Memory:
        """Begin with what is known of a match that has made some *choices* already; what else is *known* is kept."""
        visibility = match.ruleset.visibility(match.program)
        new = cls(visibility, _following(match), seats, list(choices))
        if known is None:
            new.doubts = [Doubt() for _ in seats]
            new.written, new.unknown = set(visibility.number_names), True
        else:
            new.doubts = [doubt.copy() for doubt in known.doubts]
            new.written, new.unknown = set(known.written), known.unknown
        return new

    def to_data(self, match: Match) -> list[dict[str, Any]]:
        """Return what the seats of a match know now, as plain data."""
        memory = get_memory(match)
        return [{**knowledge.to_data(), "written": sorted(memory.written)} for knowledge in memory.seats]

    def find_watchers(self) -> dict[Piece, int]:
        """Return who sees each piece that may be hidden, and remember it."""
        if not self.watchers:
            self.watchers = self.visibility.watchers(self.follower.state)
        return self.watchers

    def copy(self) -> Memory:
        """Return a copy that shares nothing."""
        seats = [one.copy() for one in self.seats]
        doubts = [doubt.copy() for doubt in self.doubts]
        return replace(
            self, follower=self.follower.clone(), seats=seats, choices=self.choices[:], plans={}, players={},
            doubts=doubts, written=set(self.written),
        )  # fmt: skip

    def apply_choices(self, choices: list[int]) -> Memory:
        """Return what is known after more choices."""
        new = self.copy()
        for choice in choices:
            new._choose(choice)
        return new

    def _choose(self, choice: int) -> None:
        """Let the follower make a choice, and note what others may know of it that a seat does not."""
        match, frames, seen = self.follower, self.follower.state[FRAMES], self._find_viewers()
        for seat, doubt in enumerate(self.doubts):
            doubt.slots |= self._list_doubtful_slots(seat, seen)
        asked, depth = match.decider, _find_keeper(frames)
        secret, kept = is_secret_choice(match, choice), frames[:]
        begun = (
            self._begin_beliefs()
            if secret or self.visibility.numbers or any(doubt.slots for doubt in self.doubts)
            else []
        )
        self.follow(partial(match.pick, choice))
        self.choices.append(choice)
        frames, seen, unwritten = match.state[FRAMES], self._find_viewers(), self.list_unwritten_names()
        for seat, doubt in enumerate(self.doubts):
            belief, hidden = doubt.belief, self._list_hidden_slots(seat, seen)
            if belief is None and begun:
                belief = begun[seat]
                written = belief.unwritten - unwritten
                doubt.slots |= {one.slot for one in self.visibility.numbers if one.name in written} & hidden
            if belief is None:
                continue
            doubt.belief = belief
            belief.choices.append(choice)
            if secret and seat != asked:
                doubt.frames.add(depth)
            doubt.frames = {at for at in doubt.frames if at < len(frames) and frames[at] is kept[at]}
            doubt.slots &= hidden
            if not doubt.slots and not doubt.frames:
                doubt.belief = None
        self.look_at_offered()

    def _begin_beliefs(self) -> list[Belief]:
        """Return for each seat a belief that begins before the open question is answered."""
        before, unwritten, first = self.follower.clone(), self.list_unwritten_names(), not self.choices
        return [Belief(before, seat, known.copy(), unwritten, first) for seat, known in enumerate(self.seats)]

    def look_at_offered(self) -> None:
        """Note where the pieces lie that the player who decides is offered."""
        match = self.follower
        if match.pending is None or not self.visibility.kinds:
            return
        watchers, seat = self.find_watchers(), match.decider
        for piece in list_offered_pieces(match):
            if piece in watchers and not watchers[piece] >> seat & 1:
                self.seats[seat].note_lying(piece, match.state[piece])

    def list_unwritten_names(self) -> frozenset[int]:
        """Return the names of the numbers that everybody knows to be as they start."""
        active, lasting = self.visibility.list_active_rules(self.follower), self.visibility.lasting
        return frozenset(
            name
            for name in self.visibility.number_names
            if name not in self.written or (name in lasting and lasting[name] not in active)
        )

    def _find_viewers(self) -> dict[int, int]:
        """Return who sees each piece that may be hidden, and each number that rules have written, by slot."""
        watchers, unwritten, state = self.find_watchers(), self.list_unwritten_names(), self.follower.state
        found = dict(watchers)
        for number in self.visibility.numbers:
            if number.name not in unwritten:
                seats = self.visibility.number(state, number, watchers)
                if seats or not number.pieces:
                    found[number.slot] = seats
        return found

    def _list_hidden_slots(self, seat: int, seen: dict[int, int]) -> set[int]:
        """Return the slots of pieces and numbers whose content a seat does not know."""
        mine, sure = 1 << seat, self.seats[seat].list_sure_pieces(self.visibility)
        return {slot for slot, seats in seen.items() if not seats & mine and slot not in sure}

    def _list_doubtful_slots(self, seat: int, seen: dict[int, int]) -> set[int]:
        """Return what of it another player sees now, or rules may compare with choices."""
        match, found = self.follower, set[int]()
        hidden = self._list_hidden_slots(seat, seen)
        if hidden:
            found = {slot for slot in hidden if self.watchers.get(slot, 1)}
            if match.decider != seat:
                found |= hidden.intersection(list_offered_pieces(match))
        return found

    def follow(self, work: Callable[[], None]) -> None:
        """Let the follower do something, and take in what is seen of it."""
        if not self.state:
            self.state = copy_state(self.follower.state)
            self.watchers = self.visibility.watchers(self.state)
        reported = self.follower.program.events
        said = len(reported)
        noted = set[int]()
        self.follower.state = _Written(self.follower.state, noted)
        reported.watched = self.follower.state
        try:
            with preserve_turns():
                work()
        finally:
            seen = [(event, state) for _, event, state in reported.kept]
            reported.watched = None
            del reported[said:]
            reported.kept.clear()
            self.follower.state = list(self.follower.state)
        self.written |= {number.name for number in self.visibility.numbers if number.slot in noted or number.listed}
        for event, state in seen:
            self._take_in(event, state)
        self._take_in(("move",), copy_state(self.follower.state))
        self._look()

    # -- what is seen

    def _take_in(self, event: tuple[Any, ...], state: State) -> None:
        """Compare a state with the one before, from which one effect has made it."""
        before, old = self.state, self.watchers
        if event[0] == "shuffled":
            self._disorder(event[2], state)
        elif event[0] == "revealed":
            self._reveal(event, state)
        moved = [piece for piece in old if before[piece] != state[piece]]
        turned = (self.visibility.tops and before != state) or any(
            before[slot] != state[slot] for slot in self.visibility.deciders
        )
        if moved or turned:
            # Otherwise who sees a piece depends on nothing but where it lies.
            apart = not turned and not self.visibility.carriers
            new = self.visibility.update_watchers(state, old, moved) if apart else self.visibility.watchers(state)
            drawn = event[0] == "moved" and not any(slot == other for _, slot, other in event[3])
            for seat, knowledge in enumerate(self.seats):
                _Moves(self.visibility, seat, before, state, old, new, drawn).note(
                    knowledge, moved, moved if apart else [*new]
                )
            self.watchers = new
        self.state = state

    def _disorder(self, slot: int, state: State) -> None:
        for knowledge in self.seats:
            for piece in [piece for piece in knowledge.places if state[piece] == slot]:
                del knowledge.places[piece]
        for doubt in self.doubts:
            doubt.slots = {piece for piece in doubt.slots if piece not in self.watchers or state[piece] != slot}

    def _reveal(self, event: tuple[Any, ...], state: State) -> None:
        """Note for the players to whom a piece is shown where it lies, and that others may know more than the rest."""
        base, number, slot, shown = event[2:]
        piece, held = base + number, state[slot]
        for seat, knowledge in enumerate(self.seats):
            if not slot or self.watchers[piece] >> seat & 1:
                continue
            if seat not in shown:
                self.doubts[seat].slots.add(piece)
                continue
            knowledge.note_lying(piece, slot)
            if self.visibility.place[slot].type == "pile":
                knowledge.places[piece] = held.index(number)

    def _look(self) -> None:
        """Note all numbers that can be seen now."""
        for number in self.visibility.numbers:
            seats, value = self.visibility.number(self.state, number, self.watchers), self.state[number.slot]
            for seat, knowledge in enumerate(self.seats):
                if seats >> seat & 1:
                    knowledge.seen[number.slot] = value
                    knowledge.values.setdefault(number.name, set()).add(value)


class _Moves:
    """The moves of one effect, as one seat sees them."""

    def __init__(
        self, visibility: Visibility, seat: int, before: State, state: State, old: dict[Piece, int],
        new: dict[Piece, int], drawn: bool,
    ) -> None:  # fmt: skip
        self.visibility, self.seat, self.before, self.state = visibility, seat, before, state
        self.old, self.new, self.drawn = old, new, drawn

    def note(self, knowledge: Knowledge, moved: list[Piece], touched: list[Piece]) -> None:
        """Take in what became hidden, what can be seen now, and what went from one hidden place to another.

        Who sees a piece may be new for those that were *touched*; these were *moved*, or more.
        """
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
        for piece in touched:
            was, is_ = self.old[piece] >> seat & 1, self.new[piece] >> seat & 1
            if is_ and not was:
                knowledge.forget(piece)
            elif (was and not is_) or piece in known:
                self._hidden(knowledge, piece, was=bool(was))
        self._empty_slots(knowledge, {self.before[piece] for piece in moved})
        for piece in knowledge.places:
            knowledge.places[piece] = self._position(piece)

    def _from_the_top(self, slot: int, pieces: list[Piece]) -> bool:
        """Return whether all know that the topmost pieces of a pile went, whichever they are."""
        held = self.before[slot] if slot else None
        if not self.drawn or held.__class__ is not list:
            return held.__class__ is not list
        base = self.visibility.layout.at[self.visibility.place[slot].of]
        return {piece - base for piece in pieces} == set(held[len(held) - len(pieces) :])

    def _find_named_slot(self, state: State, piece: Piece, watchers: dict[Piece, int]) -> int:
        """Return the slot of a piece; on a hidden piece, which cannot be named, the one that stands for all."""
        slot: int = state[piece]
        carriers = self.visibility.carriers.get(slot, ())
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
        if slot >= 0 and self.visibility.place[slot].type == "pile":
            knowledge.places[piece] = 0  # its position is looked up by the caller
        if was:
            self._remember(knowledge, piece)

    def _remember(self, knowledge: Knowledge, piece: Piece) -> None:
        for number in self.visibility.numbers:
            if piece in number.pieces and self.visibility.number(self.before, number, self.old) >> self.seat & 1:
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
        return int(self.state[slot].index(piece - self.visibility.layout.at[self.visibility.place[slot].of]))


def _following(match: Match) -> Match:
    """Return a copy of a match whose program narrates."""
    follower = match.clone()
    follower.program = match.ruleset.program(match.players, narrate=True)
    follower.labels = match.ruleset.labels(follower.program)
    follower.narrating, follower.memory = False, None
    return follower


def get_memory(match: Match) -> Memory:
    """Return what the seats of a match know now, and keep it with the match.

    A match whose state does not follow from its choices, as one that a test has put together, begins again: of what
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
        memory.look_at_offered()
    match.memory = memory
    return memory


def knows(data: Any) -> bool:
    """Return whether data from a save has the form of what one seat knows."""
    lists = {"haunts": _slots_and_pieces, "places": _pair, "seen": _slot_and_value, "values": _values}
    return isinstance(data, dict) and all(
        isinstance(data.get(key), list) and all(map(fits, data[key])) for key, fits in lists.items()
    )


def restore_memory(match: Match, data: list[dict[str, Any]]) -> Memory | None:
    """Return what the seats of a restored match know, from its save; None where that cannot be."""
    visibility, seats = match.ruleset.visibility(match.program), [Knowledge.from_data(one) for one in data]
    kind = {piece: name for name in visibility.kinds for piece in visibility.pieces[name]}
    numbers = {number.slot for number in visibility.numbers}
    for one in seats:
        haunts = {piece: slots for slots, pieces in one.haunts.items() for piece in pieces}
        lying = all(
            piece in kind and slots and all(slot == ON or slot in visibility.slots[kind[piece]] for slot in slots)
            for piece, slots in haunts.items()
        )
        placed = all(len(haunts.get(piece, ())) == 1 and ON not in haunts[piece] for piece in one.places)
        if not lying or not placed or not numbers.issuperset(one.seen):
            return None
    if len(seats) != match.players:
        return None
    memory = Memory.begin_memory(match, seats, match.choices)
    memory.imagined = True
    if data and _ints(data[0].get("written")):
        memory.written &= set(data[0]["written"])
    return memory


def _ints(value: Any) -> bool:
    return isinstance(value, list) and all(type(one) is int for one in value)


def _pair(value: Any) -> bool:
    return _ints(value) and len(value) == 2


def _slot_and_value(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is int and _is_slot_value(value[1])


def _is_slot_value(value: Any) -> bool:
    """Return whether a slot may hold something: a number, or a list of them, or of lists."""
    return all(map(_is_slot_value, value)) if isinstance(value, list) else isinstance(value, int)


def _slots_and_pieces(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_ints, value))


def _values(value: Any) -> bool:
    return _slot_and_value(value) and isinstance(value[1], list)


def _from_the_start(match: Match) -> Memory | None:
    """Return what is known after the set-up of the match."""
    fresh = match.ruleset.fresh(match.players, match.state[1], narrate=True)
    fresh.narrating = False
    visibility = match.ruleset.visibility(fresh.program)
    state = copy_state(fresh.state)
    watchers = visibility.watchers(state)
    seats: list[Knowledge] = []
    for seat in range(match.players):
        knowledge = Knowledge()
        for piece, seen in watchers.items():
            if not seen >> seat & 1:
                _starting(knowledge, visibility, state, piece)
        seats.append(knowledge)
    memory = Memory(visibility, fresh, seats, [], doubts=[Doubt() for _ in seats])
    try:
        memory.follow(fresh.begin)
    except MatchError:
        return None
    memory.look_at_offered()
    return memory


def _starting(knowledge: Knowledge, visibility: Visibility, state: State, piece: Piece) -> None:
    """Note where a piece begins: the documents say so to everybody."""
    slot = state[piece]
    knowledge.note_piece(piece, frozenset((slot,)))
    if visibility.place[slot].type == "pile":
        base = visibility.layout.at[visibility.place[slot].of]
        knowledge.places[piece] = state[slot].index(piece - base)


def _find_keeper(frames: list[list[Any]]) -> int:
    """Return the depth of the lowest frame in whose variables the answer to the open question may come to lie."""
    depth = len(frames) - 1
    while depth > 0 and frames[depth][2]:
        depth -= 1
    return depth
