"""The flat state ``s`` of a match, which the compiler lays out, and what outlives a rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from patolli.kernel.budget import meter
from patolli.kernel.library import library

State = list[Any]


@contextmanager
def preserve_turns() -> Iterator[None]:
    """Try something on a copy: whom it calls upon does not count."""
    called = meter.turns.copy()
    try:
        yield
    finally:
        meter.turns[:] = called


def copy_state(state: State) -> State:
    """Return a copy of a state to look at later: where the pieces lie, but not what is going on."""
    return [held[:] if held.__class__ is list else held for held in state]


@library()
def give_back(frames: list[list[Any]], frame: list[Any], value: Any) -> None:
    """Leave a rule and hand its value to the caller."""
    frames.pop()
    if frame[2] and frames:
        frames[-1][frame[2]] = value
