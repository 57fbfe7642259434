"""Lay hidden pieces of one kind again, in all places into which a seat cannot look."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State
from patolli.run.runtime.knowledge import ON
from patolli.run.runtime.visibility import Piece

if TYPE_CHECKING:
    from patolli.run.runtime.worlds import Plan

Way = dict[Piece, int]
"""By piece the slot where it lies."""


class KindRedraw:
    """All places for pieces of one kind, as far as a seat cannot look into them."""

    def __init__(self, plan: Plan, kind: str, state: State) -> None:
        self.plan, self.at = plan, plan.layout.at[kind]
        self.hidden = [piece for piece in plan.visibility.pieces[kind] if piece in plan.hidden]
        self.named_in_frames = any(piece in plan.visibility.pieces[kind] for piece in plan.mentioned)
        slots = plan.visibility.slots[kind] if self.hidden else []
        self.riding = [slot for slot in slots if plan.has_hidden_carrier(slot)]
        self.room: dict[int, int] = {}
        for slot in slots:
            count = len(state[slot]) if state[slot].__class__ is list else int(state[slot] >= 0)
            if plan.has_hidden_carrier(slot):
                self.room[ON] = self.room.get(ON, 0) + count
            elif slot in plan.visibility.tops:
                self.room[slot] = max(0, count - 1)
            elif plan.is_closed(slot):
                self.room[slot] = count
        self.named = [slot for slot in self.room if slot != ON]
        self._sort_out()

    def _sort_out(self) -> None:
        """Separate those that can only be in one place from those that may be in several."""
        self.there: dict[int, list[Piece]] = {}  # the first, by place
        self.places = {piece: at for piece, at in self.plan.knowledge.places.items() if piece in self.hidden}
        self.sure: Way = {}
        self.allowed: dict[Piece, tuple[int, ...]] = {}
        riding, every = set(self.riding), tuple(self.room)
        for piece in self.hidden:
            haunts = self.plan.haunts.get(piece)
            slots = every if haunts is None else tuple(sorted({ON if slot in riding else slot for slot in haunts}))
            if len(slots) == 1 and self.room.get(slots[0], 0) > 0:
                self.sure[piece] = slots[0]
                self.there.setdefault(slots[0], []).append(piece)
                self.room[slots[0]] -= 1
            else:
                self.allowed[piece] = slots

    def fill(self, truth: State, state: State, draw: Random, parts: dict[Piece, Piece]) -> None:
        """Lay the hidden pieces again."""
        by_slot = {slot: pieces[:] for slot, pieces in self.there.items()}
        if self.allowed:
            lying = _assign_slots(list(self.allowed), self.allowed, self.room, draw)
            for piece in self.allowed:
                by_slot.setdefault(lying[piece], []).append(piece)
        for slot in self.riding:
            _empty(state, slot)
        for slot in self.named:
            self._lay(slot, by_slot.get(slot, []), truth, state, draw, parts)
        if self.riding:
            self._load(by_slot.get(ON, []), state, draw)
            self._take_rides(by_slot.get(ON, []), truth, draw, parts)

    def exchange_pieces(self, state: State, one: Piece, other: Piece) -> bool:
        """Let two pieces change places, where the seat can believe that each lies where the other one lay."""
        here, there = state[one], state[other]
        if here == there and state[here].__class__ is not list:
            return False
        for piece, slot in ((one, there), (other, here)):
            if slot in self.riding or slot not in self._list_slots(piece) or piece in self.places:
                return False
        first, second = _position(state[here], one - self.at), _position(state[there], other - self.at)
        _put_piece(state, here, first, other - self.at)
        _put_piece(state, there, second, one - self.at)
        state[one], state[other] = there, here
        return True

    def _list_slots(self, piece: Piece) -> tuple[int, ...]:
        return self.allowed[piece] if piece in self.allowed else (self.sure[piece],)

    def _lay(
        self, slot: int, pieces: list[Piece], truth: State, state: State, draw: Random, parts: dict[Piece, Piece]
    ) -> None:
        """Lay pieces into a place that can be named: those whose position is known there, the others at random."""
        at, old, held, places = self.at, truth[slot], state[slot], self.places
        others = [piece for piece in pieces if piece not in places] if places else pieces
        draw.shuffle(others)
        if held.__class__ is list:
            count = len(pieces)
            line = {places[piece]: piece for piece in pieces if piece in places} if places else {}
            if line:
                left = iter(others)
                held[:count] = [(line[i] if i in line else next(left)) - at for i in range(count)]
            else:
                held[:count] = [piece - at for piece in others]
        else:
            state[slot] = others[0] - at if others else -1
        for piece in pieces:
            state[piece] = slot
        if self.named_in_frames:
            self._take_parts(old, state[slot], parts)

    def _take_parts(self, old: Any, new: Any, parts: dict[Piece, Piece]) -> None:
        """Let what lies there now take the part of what really lies in the same position."""
        if old.__class__ is not list:
            old, new = [old], [new]
        parts.update((self.at + was, self.at + now) for was, now in zip(old, new, strict=True))

    def _take_rides(self, pieces: list[Piece], truth: State, draw: Random, parts: dict[Piece, Piece]) -> None:
        """Let what lies on hidden pieces now take the part of what rules name that lies there.

        Which one, is drawn: on which of the hidden pieces it really lies must not count.
        """
        ridden = set(self.riding)
        riders = [piece for piece in self.plan.mentioned if piece in self.allowed and truth[piece] in ridden]
        if riders:
            free = [piece for piece in pieces if piece not in self.sure]
            draw.shuffle(free)
            parts.update(zip(riders, free, strict=False))

    def _load(self, pieces: list[Piece], state: State, draw: Random) -> None:
        """Lay pieces onto hidden pieces: where they were last seen, or onto some in a hand, if there are any."""
        plan, free = self.plan, list(self.riding)
        held = [s for s in free if any(plan.is_visible(one, state) for one in plan.visibility.carriers[s])] or free
        known = {piece: plan.haunts.get(piece, frozenset((ON,))) for piece in pieces}
        for piece in sorted(pieces, key=lambda one: ON in known[one]):
            where = [slot for slot in held if slot in free] if ON in known[piece] else sorted(known[piece])
            slot = draw.choice([slot for slot in where if slot in free] or free or self.riding)
            if state[slot].__class__ is list:
                state[slot].append(piece - self.at)
            else:
                state[slot] = piece - self.at
                free.remove(slot)
            state[piece] = slot


def _position(held: Any, number: int) -> int:
    return held.index(number) if held.__class__ is list else -1


def _put_piece(state: State, slot: int, position: int, number: int) -> None:
    if position < 0:
        state[slot] = number
    else:
        state[slot][position] = number


def _empty(state: State, slot: int) -> None:
    if state[slot].__class__ is list:
        state[slot].clear()
    else:
        state[slot] = -1


def _assign_slots(
    pieces: list[Piece], allowed: dict[Piece, tuple[int, ...]], room: dict[int, int], draw: Random
) -> Way:
    """Give each piece one of its slots, none more pieces than there is room for; what cannot be is let be elsewhere.

    Pieces with few slots come first; where none of these is free, others are moved on.
    """
    order = pieces
    draw.shuffle(order)
    order.sort(key=lambda piece: len(allowed[piece]))
    left, lying = dict(room), dict[Piece, int]()
    there: dict[int, list[Piece]] = {slot: [] for slot in room}

    def lay_down(piece: Piece, slot: int) -> None:
        lying[piece] = slot
        there[slot].append(piece)
        left[slot] -= 1

    def moved_on(piece: Piece, seen: set[int]) -> bool:
        for slot in allowed[piece]:
            if slot in seen or slot not in left:
                continue
            seen.add(slot)
            if left[slot] > 0:
                lay_down(piece, slot)
                return True
            for other in there[slot]:
                there[slot].remove(other)
                left[slot] += 1
                if moved_on(other, seen):
                    lay_down(piece, slot)
                    return True
                there[slot].append(other)
                left[slot] -= 1
        return False

    for piece in order:
        open_ = [slot for slot in allowed[piece] if left.get(slot, 0) > 0]
        if len(open_) > 1:
            lay_down(piece, draw.choices(open_, [left[slot] for slot in open_])[0])
        elif open_:
            lay_down(piece, open_[0])
        elif not moved_on(piece, set()):
            free = [slot for slot in left if left[slot] > 0]
            lay_down(piece, draw.choices(free, [left[slot] for slot in free])[0])
    return lying
