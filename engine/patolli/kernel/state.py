"""The flat state ``s`` of a match, which the compiler lays out, and what outlives a rule."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from patolli.kernel.library import library

State = list[Any]
turns: defaultdict[int, int] = defaultdict(int)
"""How often each seat was called upon, by ``as`` around questions or by ``pass to``; only differences mean something.

Not part of any state: players compare two readings to see whether a copy has gone on to a seat's next turn.
"""


@library()
def give_back(frames: list[list[Any]], frame: list[Any], value: Any) -> None:
    """Leave a rule and hand its value to the caller."""
    frames.pop()
    if frame[2] and frames:
        frames[-1][frame[2]] = value
