"""Change the state of a match by hand: counters, fields, where pieces lie, and who acts.

In:     a match with an open question, and an :class:`Edit` that names what it changes as the state inspector does.
Out:    a match with the changed state, its question asked again; the edit is noted, so that a replay makes it again.
Errors: ValueError with one sentence, where there is no such thing, the value lies outside what is declared, or the
        rules cannot go on from there. The match that was given is never changed.

What a rule has computed before it asks stands in its variables. Where the rule has done nothing else so far, it
begins again, so that what is offered follows from the changed state: that is so when beginning again, before the edit,
leads to the very same state. Where it has done more, only its question is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from patolli.kernel.pieces import move
from patolli.kernel.state import preserve_turns
from patolli.kernel.values import LARGEST
from patolli.language.program import types as ty
from patolli.language.program.model import Attribute
from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.match import Match
from patolli.run.runtime.snapshots import HEAD, flaw
from patolli.run.runtime.value_parser import format_value, join_names, parse_value, piece_of, texts_of

COUNTER, FIELD, PIECE, TURN = "counter", "field", "piece", "turn"
KINDS = (COUNTER, FIELD, PIECE, TURN)
EDITED = "The state was changed by hand."
"""What everyone reads about an edit; what was changed may be hidden from the others."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change by hand.

    Attributes:
        at: The number of choices that had been made.
        kind: One of :data:`KINDS`.
        name: ``coin(player_1)`` of a counter, ``player_1.piece_1.size`` of a field, the piece; empty for who acts.
        to: A number, or a text: what a field refers to, ``true`` and ``false``, a list, a place, a player.
    """

    at: int
    kind: str
    name: str
    to: int | str

    def to_data(self) -> list[int | str]:
        """Return the line as plain data."""
        return [self.at, self.kind, self.name, self.to]

    @property
    def words(self) -> str:
        """Return it in words."""
        match self.kind:
            case "piece":
                return f"{self.name} to {self.to}"
            case "turn":
                return f"{self.to} acts"
        return f"{self.name} = {self.to}"


def is_edit(data: Any) -> bool:
    """Return whether data from a save has the form of an edit."""
    return (
        isinstance(data, list) and len(data) == 4 and type(data[0]) is int and data[0] >= 0
        and data[1] in KINDS and isinstance(data[2], str) and (isinstance(data[3], str) or type(data[3]) is int)
    )  # fmt: skip


def read_edits(data: Iterable[Any]) -> tuple[Edit, ...]:
    """Return edits that :meth:`Edit.to_data` has written, in the order in which they were made."""
    return tuple(Edit(*one) for one in data)


def with_edits(match: Match, edits: Iterable[Edit]) -> Match:
    """Return a match with those *edits* that were made after as many choices as it has made."""
    now = len(match.choices)
    for edit in edits:
        if edit.at == now:
            match = apply_edit(match, edit)
    return match


def apply_edit(match: Match, edit: Edit) -> Match:
    """Return a match in which something was changed; it has as many choices as before.

    Raises:
        ValueError: It cannot be; the words say why.
    """
    if match.over:
        raise ValueError("the match is over; take something back to change its state")
    new, renewed = match.clone(), _can_begin_again(match)
    _HANDS[edit.kind](new, edit)
    if renewed:
        _begin_again(new)
    if wrong := flaw(new.program, new.labels, new.state):
        raise ValueError(f"that cannot be: {wrong}")
    new.program.events.clear()
    try:
        new.run()
        if new.decision is not None:
            _ = new.decision.labels
    except MatchError as error:
        raise ValueError(f"the rules cannot go on from there: {error.reason}") from None
    new.memory, new.edits = None, (*match.edits, edit)
    new.remark(EDITED)
    return new


def _can_begin_again(match: Match) -> bool:
    """Return whether the rule that asks could begin again without a difference: it has only looked so far."""
    frames = match.state[FRAMES]
    rule = match.program.questions[frames[-1][0]].rule.rstrip("#")
    if rule not in match.ruleset.resolved_program.rules or rule not in match.program.entries or match.secret:
        return False
    tried = match.clone()
    tried.narrating = False
    _begin_again(tried)
    try:
        with preserve_turns():
            tried.run()
    except MatchError:
        return False
    finally:
        match.program.events.clear()
    return (tried.state, tried.pending, tried.extra) == (match.state, match.pending, match.extra)


def _begin_again(match: Match) -> None:
    """Let the rule that asks begin again, with the same values of its parameters."""
    frame = match.state[FRAMES][-1]
    rule = match.program.questions[frame[0]].rule.rstrip("#")
    given = HEAD + len(match.ruleset.resolved_program.rules[rule].parameters)
    frame[0] = match.program.entries[rule]
    frame[given:] = [0] * (len(frame) - given)


# ---- what is changed


def _counter(match: Match, edit: Edit) -> None:
    slots = {name_counter(*one): slot for slot, one in match.labels.counters.items()}
    slot = _find_slot(slots, edit, "counter")
    low, high = _bounds(match, match.labels.counters[slot][0])
    match.state[slot] = _number(edit, low, high)


def _bounds(match: Match, counter: str) -> tuple[int, int]:
    layout = match.program.layout
    high = layout.limits[counter]
    return layout.model.counters[counter].low, LARGEST if high is None else high


def _field(match: Match, edit: Edit) -> None:
    slot = _find_slot(_fields(match), edit, "field")
    layout = match.program.layout
    attribute = _attribute(match, slot)
    texts = texts_of(layout, attribute.type)
    if isinstance(ty.strip(attribute.type), ty.Seq):
        try:
            match.state[slot] = parse_value(layout, attribute.type, str(edit.to))
        except ValueError as error:
            raise ValueError(f"{edit.name!r} is a list, such as '[a, b]': {error}") from None
    elif texts is None:
        match.state[slot] = _number(edit, *_range(attribute))
    elif edit.to not in texts:
        raise ValueError(f"{edit.name!r} may be {join_names(texts)}, and not {edit.to!r}")
    else:
        match.state[slot] = texts[str(edit.to)]


def _attribute(match: Match, slot: int) -> Attribute:
    kind, name, _ = match.labels.fields[slot]
    return match.program.layout.model.kinds[kind].fields[name]


def _range(attribute: Attribute) -> tuple[int, int]:
    """Return the least and the greatest number that a field may hold."""
    low, high = attribute.low, attribute.high
    return (-LARGEST if low is None else low, LARGEST if high is None else high)


def _piece(match: Match, edit: Edit) -> None:
    layout, state = match.program.layout, match.state
    kinds = {
        piece_of(match.program.layout, kind, number): (kind, number)
        for kind in layout.at
        for number in range(layout.size(kind))
    }
    if edit.name not in kinds:
        raise ValueError(f"no piece that can be moved is called {edit.name!r}")
    kind, number = kinds[edit.name]
    slots = {place: slot for slot, place in match.labels.holders.items() if not slot or _of(match, slot) == kind}
    if edit.to not in slots:
        raise ValueError(f"{edit.name!r} cannot lie in {edit.to!r}")
    to = slots[str(edit.to)]
    if to and not isinstance(state[to], list) and state[to] not in (-1, number):
        raise ValueError(
            f"{edit.to!r} is taken by {piece_of(match.program.layout, kind, state[to])!r}; move that away first"
        )
    move(state, layout.at[kind], number, to)


def _of(match: Match, slot: int) -> str:
    layout = match.program.layout
    return layout.model.places[layout.holders[slot]].of


def _turn(match: Match, edit: Edit) -> None:
    seats = {match.labels.player(seat): seat for seat in range(match.players)}
    if edit.to not in seats:
        raise ValueError(f"{edit.to!r} is not a player; there are {join_names(seats)}")
    if match.secret:
        raise ValueError("all players choose at the same time here, so no other player can get the turn")
    frames = match.state[FRAMES]
    before = frames[-1][1]
    for frame in reversed(frames):
        if frame[1] != before:
            break
        frame[1] = seats[str(edit.to)]


_HANDS = {COUNTER: _counter, FIELD: _field, PIECE: _piece, TURN: _turn}


# ---- what there is


def editable(match: Match) -> dict[str, Any]:
    """Return what can be changed by hand, and to what.

    ``counters`` and ``fields`` have ``name``, ``value``, and ``low`` and ``high`` (null for no bound), ``values``, or
    that they are a ``list``;
    ``pieces`` have ``name``, ``kind`` and ``at``, with ``places`` by kind; ``turn`` is who acts, with ``players``.
    """
    layout, state, labels = match.program.layout, match.state, match.labels
    counters = [
        {"name": name_counter(*one), "value": state[slot], **_limits(*_bounds(match, one[0]))}
        for slot, one in sorted(labels.counters.items())
    ]
    kinds = sorted(kind for kind in layout.at if any(_of(match, slot) == kind for slot in labels.holders if slot))
    return {
        "counters": counters,
        "fields": [_row(match, name, slot) for name, slot in _fields(match).items()],
        "pieces": [
            {"name": piece_of(layout, kind, one), "kind": kind, "at": labels.holders[state[layout.at[kind] + one]]}
            for kind in kinds
            for one in range(layout.size(kind))
        ],
        "places": {
            kind: [place for slot, place in sorted(labels.holders.items()) if not slot or _of(match, slot) == kind]
            for kind in kinds
        },
        "turn": labels.player(state[FRAMES][-1][1]) if state[FRAMES] else None,
        "players": [labels.player(seat) for seat in range(match.players)],
    }  # fmt: skip


def _row(match: Match, name: str, slot: int) -> dict[str, Any]:
    layout, attribute, value = match.program.layout, _attribute(match, slot), match.state[slot]
    if isinstance(ty.strip(attribute.type), ty.Seq):
        return {"name": name, "value": format_value(layout, attribute.type, value), "list": True}
    texts = texts_of(layout, attribute.type)
    if texts is None:
        return {"name": name, "value": value, **_limits(*_range(attribute))}
    return {"name": name, "value": format_value(layout, attribute.type, value), "values": list(texts)}


def _limits(low: int, high: int) -> dict[str, int | None]:
    return {"low": None if low == -LARGEST else low, "high": None if high == LARGEST else high}


def name_counter(name: str, of: str) -> str:
    """Return what a counter is called for one of what it is counted for."""
    return f"{name}({of})" if of else name


def _fields(match: Match) -> dict[str, int]:
    """Return the slots of all fields, by their names."""
    found = sorted(match.labels.fields.items())
    return {f"{piece_of(match.program.layout, kind, number)}.{name}": slot for slot, (kind, name, number) in found}


def _find_slot(slots: dict[str, int], edit: Edit, what: str) -> int:
    if edit.name not in slots:
        raise ValueError(f"no {what} is called {edit.name!r}")
    return slots[edit.name]


def _number(edit: Edit, low: int, high: int) -> int:
    if type(edit.to) is not int:
        raise ValueError(f"{edit.name!r} is a whole number, and not {edit.to!r}")
    if not low <= edit.to <= high:
        above = f"from {low} on" if high == LARGEST else f"up to {high}" if low == -LARGEST else f"from {low} to {high}"
        raise ValueError(f"{edit.name!r} goes {above}, and cannot be {edit.to}")
    return edit.to
