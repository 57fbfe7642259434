"""The words for values: canonical texts of options, names of slots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from patolli.check.proofs.answers import Answers
from patolli.kernel.state import State
from patolli.language.program import types as ty
from patolli.language.program.model import Waiver
from patolli.run.compiler.asked import DONE, Question
from patolli.run.compiler.executable import Executable
from patolli.run.compiler.layout import Layout
from patolli.run.compiler.seat_view import piece_name
from patolli.run.runtime.last_tricks import list_trick_slots
from patolli.run.runtime.seat_visibility import SeatVisibility
from patolli.run.runtime.vocabulary import Vocabulary


class Labels:
    """Turns raw values of one program into texts that can be typed and parsed back."""

    def __init__(self, program: Executable) -> None:
        self.program = program
        self.layout: Layout = program.layout
        self.model = program.layout.model
        self.counters = self._slots()
        self.fields = self._fields()
        self.holders = self._holders()

    @cached_property
    def answers(self) -> Answers:
        """What says which answers others may not learn."""
        return Answers(self.model, self.program.workings.preconditions)

    @cached_property
    def points(self) -> frozenset[int]:
        """The slots of all counters at which the score looks."""
        score, summaries = self.model.score, self.program.workings.preconditions.summaries
        read = summaries.reads(score.body) if score is not None else frozenset()
        found = (self.layout.slots(*self.layout.counters[one[1]]) for one in read if one[0] == "counter")
        return frozenset(slot for slots in found for slot in slots)

    @cached_property
    def tricks(self) -> dict[int, str]:
        """The slots of places that panels show as tricks, each with its place."""
        return list_trick_slots(self.layout)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What things are called for people, as far as that is the same for everybody; see ``naming``."""
        return Vocabulary(self)

    @cached_property
    def pieces(self) -> dict[str, dict[str, int]]:
        """The numbers of all pieces by kind and by name in views; not to be changed."""
        return {kind: {piece_name(x): i for i, x in enumerate(xs)} for kind, xs in self.layout.instances.items()}

    def _slots(self) -> dict[int, tuple[str, str]]:
        """Return for every slot of a counter its name and its indices in words."""
        found: dict[int, tuple[str, str]] = {}
        for name, (base, sizes) in self.layout.counters.items():
            dims = self.model.counters[name].dims
            for offset, slot in enumerate(self.layout.slots(base, sizes)):
                found[slot] = (name, ", ".join(self._index(dims, sizes, offset)))
        return found

    def _index(self, dims: tuple[str, ...], sizes: tuple[int, ...], offset: int) -> list[str]:
        parts: list[str] = []
        for kind, size in zip(reversed(dims), reversed(sizes), strict=True):
            parts.append(self.layout.instances[kind][offset % size].id)
            offset //= size
        return parts[::-1]

    def _fields(self) -> dict[int, tuple[str, str, int]]:
        """Return for every slot of a field its kind, its name, and the number of the piece."""
        found = {}
        for (kind, name), base in self.layout.fields.items():
            for number in range(len(self.layout.instances[kind])):
                found[base + number] = (kind, name, number)
        return found

    def _holders(self) -> dict[int, str]:
        found = {0: "the box"}
        for name, (base, sizes) in self.layout.places.items():
            dims = self.model.places[name].dims
            for offset, slot in enumerate(self.layout.slots(base, sizes)):
                row = len(sizes) > len(dims)
                index = self._index(dims, sizes[: len(dims)], offset // sizes[-1] if row else offset)
                words = ", ".join([*index, *([str(offset % sizes[-1])] if row else [])])
                found[slot] = f"{name}({words})" if words else name
        return found

    def value(self, type_: ty.AnyType, value: Any, player: int, seat_visibility: SeatVisibility | None = None) -> str:
        """Return the canonical text of a value of a type.

        With the *seat_visibility* of the player, a piece that the player holds and does not see is called by its place.
        """
        type_ = ty.strip(type_)
        if isinstance(value, int) and value < 0 and type_ != ty.INT:
            return "none"
        match type_:
            case ty.Ref():
                instance = self.layout.instances[type_.kind][value]
                if seat_visibility is not None and seat_visibility.is_held(type_.kind, value):
                    return self.position(seat_visibility, type_.kind, value)
                if instance.owner >= 0 and type_.kind != "player" and instance.owner != player:
                    return f"player_{instance.owner + 1}.{instance.id}"
                return str(instance.id)
            case ty.Design():
                return str(self.model.kinds[type_.kind].designs[value].id)
            case ty.Group():
                return next(n for n, (base, _) in self.layout.counters.items() if base == value)
            case ty.Choice():
                return str(self.model.options[type_.option].choices[value])
            case ty.Seq():
                return "+".join(self.value(type_.of, v, player, seat_visibility) for v in value) or "nothing"
        if type_ == ty.BOOL:
            return "yes" if value else "no"
        return str(value)

    def position(self, seat_visibility: SeatVisibility, kind: str, number: int) -> str:
        """Return the canonical text of where a piece lies that its holder does not see: ``hand_2`` for the second."""
        slot = seat_visibility.state[seat_visibility.layout.at[kind] + number]
        found = seat_visibility.place_at(slot)
        assert found is not None
        place, indices = found
        words = [place.name, *(self.layout.instances[one][at].id for one, at in indices if one != "player")]
        held = seat_visibility.state[slot]
        (base, sizes) = self.layout.places[place.name]
        if held.__class__ is list:
            words.append(str(held.index(number) + 1))
        elif place.type == "row":
            words.append(str((slot - base) % sizes[-1] + 1))
        return "_".join(words)

    def seat_visibility(self, state: State, player: int) -> SeatVisibility | None:
        """Return the visibility that decides how pieces are called for a player; None if everyone sees their hand."""
        return SeatVisibility(self.layout, state, player) if self.model.held_kinds else None

    def option(self, question: Question, value: Any, player: int, seat_visibility: SeatVisibility | None = None) -> str:
        """Return the canonical text of an option."""
        match question.kind:
            case "choose" | "order":
                types, alone = question.types, len(question.types) == 1
                if question.decline is not None and (value == -1 if alone else all(v == -1 for v in value)):
                    return question.decline
                if alone:
                    return self.value(types[0], value, player, seat_visibility)
                return " -> ".join(self.value(x, v, player, seat_visibility) for x, v in zip(types, value, strict=True))
            case "several":
                return DONE if value[0] == 0 else self.value(question.types[0], value[1], player, seat_visibility)
            case "menu" | "repeat":
                label, types = question.labels[value[0]]
                words = " -> ".join(
                    self.value(x, v, player, seat_visibility) for x, v in zip(types, value[1:], strict=True)
                )
                return " ".join(w for w in (label or ("again" if question.kind == "repeat" else ""), words) if w)
            case "pause":
                return question.labels[0][0] or "go on"
            case "pay" | "gain":
                return self.way(value)
        return str(value)

    def way(self, way: tuple[int, ...]) -> str:
        """Return the words for one way to pay or gain."""
        return self.said_of_way(way, lambda counter, _: counter, self.side)

    def said_of_way(
        self, way: tuple[int, ...], said: Callable[[str, int], str], side: Callable[[int, int], str]
    ) -> str:
        """Return what is said of a way: *said* says so much of a counter, *side* a discount or waiver."""
        pairs = zip(way[::2], way[1::2], strict=True)
        parts = (
            f"{amount} {said(self.counters[code][0], amount)}" if code >= 0 else side(code, amount)
            for code, amount in pairs
        )
        return ", ".join(parts) or "nothing"

    def side(self, code: int, value: int) -> str:
        """Return the text of a discount or waiver that a payment uses."""
        return self.said_of_side(code, lambda type_: self.value(type_, value, -1), str)

    def said_of_side(self, code: int, piece: Callable[[ty.AnyType], str], name: Callable[[str], str]) -> str:
        """Return what is said of a discount or waiver: *piece* says what it names, *name* how it is called."""
        found, type_ = self.beside_payment(code), self.side_type(code)
        if isinstance(found, str):
            return f"with {name(found)}"
        if type_ is None:
            return f"use {name(found.name)}"
        return f"use {piece(type_)} for {name(found.name)}" if self.alike(found) else f"use {piece(type_)}"

    def beside_payment(self, code: int) -> Waiver | str:
        """Return the waiver that a payment uses, or the name of the discount."""
        for waiver in self.model.waivers:
            if self.program.sides.get(waiver.body) == code:
                return waiver
        names: dict[int, str] = {code_: name for name, code_ in self.program.sides.items()}
        return names.get(code, "a discount").removeprefix("discount ")

    def side_type(self, code: int) -> ty.AnyType | None:
        """Return the type of what a waiver names; None for a discount, and for a waiver without a choice."""
        found = self.beside_payment(code)
        type_ = found.binder.source.type if not isinstance(found, str) and found.binder is not None else None
        return type_.of if isinstance(type_, ty.Seq) else None

    def alike(self, waiver: Waiver) -> bool:
        """Return whether another waiver may name the same pieces."""
        return any(other is not waiver and other.binder is not None for other in self.model.waivers)

    def anytime(self, value: tuple[int, int], player: int, seat_visibility: SeatVisibility | None = None) -> str:
        """Return the canonical text of an anytime action."""
        action = self.model.anytime[value[0]]
        if action.binder is None or not isinstance(action.binder.source.type, ty.Seq):
            return action.label
        return f"{action.label} {self.value(action.binder.source.type.of, value[1], player, seat_visibility)}"

    def player(self, seat: int) -> str:
        """Return the name of a seat."""
        return f"player_{seat + 1}"
