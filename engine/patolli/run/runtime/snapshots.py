"""Look whether a state that was read from a save is one that a match can have.

In:     a program, and a state of the right form: numbers, lists of numbers, frames and draws.
Out:    what is wrong with it, in words; nothing where all values lie where they may lie and all pieces in one place.

A save may have been edited. What is let through here may still be a state that no choices lead to, but nothing in it
makes the program stumble.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from patolli.kernel.values import LARGEST
from patolli.language.diagnostics.given import SEEDS
from patolli.language.program import types as ty
from patolli.run.compiler import Executable
from patolli.run.compiler.layout import DRAWS, FRAMES, OVER, SEED, Layout
from patolli.run.runtime.labels import Labels

HEAD = 3
"""The values that every frame begins with: its block, who acts, and where the caller takes what the rule returns."""


def flaw(program: Executable, labels: Labels, state: list[Any]) -> str:
    """Say what is wrong with a state; nothing when it may be one of a match."""
    checks = (
        _head(state), _frames(program, state), _counters(program.layout, labels, state),
        _fields(program.layout, labels, state), _pieces(program.layout, labels, state),
    )  # fmt: skip
    return next((words for check in checks for words in check), "")


def _head(state: list[Any]) -> Iterator[str]:
    if state[OVER] not in (0, 1):
        yield "it has no next question and is not over"
    if not _plain(state[SEED]) or abs(state[SEED]) >= SEEDS:
        yield "its seed is not a number, or has too many digits"
    if not all(_plain(number) and 0 <= number < LARGEST for number in state[DRAWS].values()):
        yield "chance was called upon less than never"


def _frames(program: Executable, state: list[Any]) -> Iterator[str]:
    below = 0
    for frame in state[FRAMES]:
        number = frame[0]
        if len(frame) < HEAD or not all(map(_plain, frame[:HEAD])) or not 0 <= number < len(program.blocks):
            yield "a rule continues at a place that does not exist"
            return
        if not 0 <= frame[1] < program.layout.seats:
            yield "no player acts in one of its rules"
        if number in program.questions and program.slots[number] >= len(frame):
            yield "a rule has lost its variables"
        if below and not -len(program.layout.model.anytime) <= frame[2] < below:
            yield "a rule returns to nowhere"
        if not all(map(_value, frame[HEAD:])):
            yield "a variable has a value that no variable can have"
        below = len(frame)
    if not state[OVER] and not state[FRAMES]:
        yield "no rule continues"


def _counters(layout: Layout, labels: Labels, state: list[Any]) -> Iterator[str]:
    for slot, (name, of) in labels.counters.items():
        low, high = layout.model.counters[name].low, layout.limits[name]
        if not _within(state[slot], low, LARGEST if high is None else high, layout.initial[slot]):
            yield f"{_format_name(name, of)} is {state[slot]!r}"


def _fields(layout: Layout, labels: Labels, state: list[Any]) -> Iterator[str]:
    for slot, (kind, name, number) in labels.fields.items():
        attribute = layout.model.kinds[kind].fields[name]
        if isinstance(attribute.type, ty.Seq):
            if not _items(layout, attribute.type, state[slot]):
                yield f"{_format_name(name, layout.instances[kind][number].id)} is {state[slot]!r}"
            continue
        low, high = _range(layout, attribute.type)
        low, high = low if attribute.low is None else attribute.low, high if attribute.high is None else attribute.high
        if not _within(state[slot], low, high, layout.initial[slot]):
            yield f"{_format_name(name, layout.instances[kind][number].id)} is {state[slot]!r}"


def _items(layout: Layout, type_: ty.AnyType, value: Any) -> bool:
    """Return whether something is a list of values of its type; a truth value stands as one there."""
    inner = ty.strip(type_)
    if isinstance(inner, ty.Seq):
        return isinstance(value, tuple) and all(_items(layout, inner.of, item) for item in value)
    low, high = _range(layout, type_)
    return isinstance(value, bool) if inner == ty.BOOL else _plain(value) and low <= value <= high


def _range(layout: Layout, type_: ty.AnyType) -> tuple[int, int]:
    """Return the least and the greatest number that stand for a value of a type."""
    inner = ty.strip(type_)
    if isinstance(inner, ty.Ref):
        return -1 if isinstance(type_, ty.Maybe) else 0, layout.size(inner.kind) - 1
    return (0, 1) if inner == ty.BOOL else (-LARGEST, LARGEST)


def _pieces(layout: Layout, labels: Labels, state: list[Any]) -> Iterator[str]:
    """Find pieces that lie in two places, or not where their own slot says."""
    where: dict[str, dict[int, int]] = {kind: {} for kind in layout.at}
    for name, (base, sizes) in layout.places.items():
        kind = layout.model.places[name].of
        for slot in layout.slots(base, sizes):
            held = state[slot] if isinstance(state[slot], list) else [state[slot]] if state[slot] != -1 else []
            for piece in held:
                if not _plain(piece) or not 0 <= piece < layout.size(kind):
                    yield f"{labels.holders[slot]} contains {piece!r}, which is not a {kind}"
                elif piece in where[kind]:
                    yield f"{layout.instances[kind][piece].id} is in two places"
                else:
                    where[kind][piece] = slot
    for kind, base in layout.at.items():
        for piece, instance in enumerate(layout.instances[kind]):
            if state[base + piece] != where[kind].get(piece, 0):
                yield f"{instance.id} is not where it should be"


def _format_name(name: str, of: str) -> str:
    return f"{name}({of})" if of else name


def _within(value: Any, low: int, high: int, start: int) -> bool:
    """Return whether a value lies in its range, or is the one that it starts with, whatever that is."""
    return _plain(value) and (low <= value <= high or value == start)


def _plain(value: Any) -> bool:
    return type(value) is int


def _value(value: Any) -> bool:
    """Return whether a variable may hold a value: numbers and truth, and lists of these."""
    if isinstance(value, list | tuple):
        return all(map(_value, value))
    return isinstance(value, int)
