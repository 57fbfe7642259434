"""Sentences for people about what happened, made from the events that a narrating program leaves behind.

Only what everybody may know becomes a sentence: hidden counters, secret answers, and pieces in hidden places
are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from patolli.program import types as ty

if TYPE_CHECKING:
    from patolli.program.model import Counter
    from patolli.runtime.labels import Labels

VERBS = {"gain": "gains", "lose": "loses", "pay": "pays"}
LONGEST = 60
"""Letters of the longest text that stands for a counter in a sentence."""


def sentences(labels: Labels, events: Iterable[tuple[Any, ...]], state: list[Any]) -> list[str]:
    """Return what is told about events; changes of one counter in one direction, one right after the other, are one."""
    told: list[tuple[Any, ...]] = []
    for event in events:
        if not sentence(labels, event, state):
            continue
        if told and event[0] in VERBS and event[:3] == told[-1][:3]:
            event = (*told.pop()[:4], event[4])
        told.append(event)
    return [sentence(labels, event, state) for event in told]


def sentence(labels: Labels, event: tuple[Any, ...], state: list[Any]) -> str:
    """Return a sentence about one event, or nothing."""
    kind, me, *rest = event
    who = labels.player(me) if me >= 0 else "nobody"
    match kind:
        case "gain" | "lose" | "pay" | "set":
            return _change(labels, kind, state, *rest)
        case "pay_way" | "gain_way":
            return _way(labels, kind.removesuffix("_way"), who, rest[0]) if rest[0] else ""
        case "said":
            words = " ".join(labels.value(type_, value, me) for type_, value in rest[1])
            return f"{who}: {rest[0]}{f' {words}' if words else ''}"
        case "move":
            return _moved(labels, *rest)
        case "moved":
            return _several(labels, *rest)
        case "chosen":
            question = labels.program.questions[rest[0]]
            return f"{who} has decided" if question.simultaneous else f"{who}: {labels.option(question, rest[1], me)}"
        case "forced":
            return _only(labels, who, me, *rest)
        case "anytime":
            return f"{who}: {labels.anytime((rest[0], rest[1]), me)}"
    return ""


def _only(labels: Labels, who: str, me: int, number: int, value: Any) -> str:
    """Return a sentence about a question with one answer; what is paid or gained is told by itself."""
    question = labels.program.questions[number]
    declined = question.decline is not None and value in (-1, (-1,) * len(question.types))
    if declined or question.simultaneous or question.kind not in ("choose", "order", "menu"):
        return ""
    return f"{who}: {labels.option(question, value, me)} (the only answer)"


def title(counter: Counter) -> str:
    """Return the words for a counter: what its text says up to a comma or semicolon, or its id."""
    return _first(counter.text) or counter.name.replace("_", " ")


def _first(text: str) -> str:
    """Return what a text says up to a comma or semicolon; nothing where that is long."""
    words = re.split("[;,]", text)[0].strip().rstrip(".")
    return words if len(words) <= LONGEST else ""


def _way(labels: Labels, kind: str, who: str, way: tuple[int, ...]) -> str:
    """Return a sentence about one way to pay or gain, as far as everybody may see it."""
    counters = {code: labels.model.counters[labels.counters[code][0]] for code in way[::2] if code >= 0}
    nouns = all(counter.noun for counter in counters.values())
    parts = []
    for code, amount in zip(way[::2], way[1::2], strict=True):
        if code < 0:
            parts.append(labels.side(code, amount))
        elif counters[code].visible == "all":
            signed = amount if kind == "gain" else -amount
            parts.append(_counted(counters[code], amount) if nouns else f"{title(counters[code])} {signed:+d}")
    return who + (f" {VERBS[kind]} " if nouns else ": ") + ", ".join(parts) if parts else ""


def _counted(counter: Counter, amount: int) -> str:
    """Return an amount of a counter with its noun, for one or for many."""
    return f"{amount} {counter.noun[0] if amount == 1 else counter.noun[-1]}"


def _change(labels: Labels, kind: str, state: list[Any], slot: int, old: int, new: int) -> str:
    if old == new:
        return ""
    if slot not in labels.counters:
        return _field(labels, slot, old, new, state)
    name, index = labels.counters[slot]
    counter = labels.model.counters[name]
    if counter.visible != "all":
        return ""
    owned = counter.dims[:1] == ("player",)
    who, _, of = index.partition(", ") if owned else ("", "", index)
    place = f" ({of})" if of else ""
    if kind in VERBS and owned and counter.noun:
        return f"{who} {VERBS[kind]} {_counted(counter, abs(new - old))}{place}"
    change = f"{old} -> {new}" if kind == "set" else f"{new - old:+d}"
    return f"{f'{who}: ' if who else ''}{title(counter)}{place} {change}"


def _field(labels: Labels, slot: int, old: int, new: int, state: list[Any]) -> str:
    """Return a sentence about a field, where its author wants it told and everybody can see the piece."""
    if slot not in labels.fields:
        return ""
    kind, name, number = labels.fields[slot]
    field = labels.model.kinds[kind].fields[name]
    if not field.told or _unseen(labels, kind, number, state):
        return ""
    piece = labels.value(ty.Ref(kind), number, -1)
    values = [labels.value(ty.BOOL if field.type == ty.BOOL else field.type, value, -1) for value in (old, new)]
    return f"{piece}: {_first(field.text) or name.replace('_', ' ')} {values[0]} -> {values[1]}"


def _unseen(labels: Labels, kind: str, number: int, state: list[Any]) -> bool:
    """Tell whether a piece lies where not everybody can look."""
    if kind not in labels.layout.at:
        return False
    holder = labels.holders.get(state[labels.layout.at[kind] + number], "")
    place = labels.model.places.get(holder.partition("(")[0])
    return place is not None and place.visible != "all"


def _public(labels: Labels, slot: int) -> bool:
    """Tell whether everybody sees what lies in a place."""
    place = labels.model.places.get(labels.holders.get(slot, "").partition("(")[0])
    return place is None or place.visible == "all"


def _piece(labels: Labels, at: int, piece: int) -> str:
    kind = next((k for k, base in labels.layout.at.items() if base == at), "")
    return labels.value(ty.Ref(kind), piece, -1)


def _moved(labels: Labels, at: int, piece: int, to: int) -> str:
    if not _public(labels, to):
        return ""
    return f"{_piece(labels, at, piece)} goes to {labels.holders.get(to, 'somewhere')}"


def _several(labels: Labels, at: int, news: tuple[tuple[int, int, int], ...], words: str) -> str:
    """Return a sentence about pieces that one effect moved: each with its place before and now.

    Where they are hidden, only their number is told; and where *words* say what has happened, not even that.
    """
    if words and news and all(_public(labels, slot) for _, *slots in news for slot in slots):
        pieces = " and ".join(_piece(labels, at, piece) for piece, *_ in news)
        return words.format(pieces=pieces, row=_row(labels, news[0][2]))
    came: dict[tuple[str, str], list[str]] = {}
    for piece, old, new in news:
        if _public(labels, new):
            came.setdefault(("", _row(labels, new)), []).append(_piece(labels, at, piece))
        elif not words:
            came.setdefault((f" from {labels.holders[old]}", _row(labels, new)), []).append("")
    return "; ".join(
        f"{len(pieces) if hidden else ', '.join(pieces)}{hidden} {'goes' if len(pieces) == 1 else 'go'} to {place}"
        for (hidden, place), pieces in came.items()
    )


def _row(labels: Labels, slot: int) -> str:
    """Return the name of a place; of a spot in a row, that of the row."""
    held = labels.holders[slot]
    name, _, index = held.partition("(")
    if name not in labels.model.places or labels.model.places[name].type != "row":
        return held
    *others, _ = index.rstrip(")").split(", ")
    return f"{name}({', '.join(others)})" if others else name
