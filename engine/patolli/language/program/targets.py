"""What a designer wants of a game, in words such as ``turns 40 to 60``: their grammar, and the names of measures.

Packs and plans of runs have targets. The checker reads them without playing; the lab compares them with matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_TARGET = re.compile(
    rf"(?P<name>.+?)\s+(?:is\s+|in\s+)?(?:(?P<middle>{_NUMBER})\s*(?:\+-|±|\+/-)\s*(?P<half>{_NUMBER})"
    rf"|(?P<low>{_NUMBER})\s+to\s+(?P<high>{_NUMBER})|at\s+least\s+(?P<least>{_NUMBER})|at\s+most\s+(?P<most>{_NUMBER}))"
    r"\s*(?P<share>%)?(?:\s+of\s+(?:the\s+|all\s+)?(?:games|matches))?"
)
FORMS = "'MEASURE A to B', 'MEASURE A +- B', 'MEASURE at least A' or 'MEASURE at most A', as 'first player 50 +- 1 %'"
NUMBERS = ("winning score", "choices", "turns", "rounds", "forced", "branching", "lead changes")
"""Measures of every game that are numbers."""
FIRST = "first player"
OF_PIECES, OF_OPTIONS = ("taken", "seen", "used"), ("chosen", "offered")
"""Words behind a piece, or behind an option or a piece, that make it a measure: in which share of the matches."""
OWN = "measures/"
"""What stands before the name of a measure of the pack."""


@dataclass(frozen=True, slots=True)
class Target:
    """A measure and the numbers between which it is to lie, as written; ``share`` if they are in percent."""

    name: str
    low: float
    high: float
    share: bool


def parse_target(text: str) -> Target:
    """Read a target. Raises ValueError: it has another form, or no number reaches it; the message says so."""
    found = _TARGET.fullmatch(" ".join(text.split()))
    if found is None:
        raise ValueError(f"{text!r} is not a goal; write {FORMS}")

    def number(name: str) -> float:
        return float(found[name])

    if found["middle"] is not None:
        low, high = number("middle") - number("half"), number("middle") + number("half")
    elif found["low"] is not None:
        low, high = number("low"), number("high")
    elif found["least"] is not None:
        low, high = number("least"), inf
    else:
        low, high = -inf, number("most")
    if low > high:
        raise ValueError(f"no number is in {text!r}: the lower bound comes first")
    return Target(found["name"], low, high, bool(found["share"]))


def name_measures(seats: int) -> Iterator[tuple[str, bool]]:
    """Yield the names of the measures of every game, and whether each is a share."""
    yield FIRST, True
    yield from ((f"seat {one + 1} wins", True) for one in range(seats))
    yield from ((f"score of seat {one + 1}", False) for one in range(seats))
    yield from ((name, False) for name in NUMBERS)


def describe_percent(name: str, is_share: bool) -> str:
    """Say that a target needs a percent sign, or has one too many."""
    return f"{name!r} is {'a share: write % after the number' if is_share else 'not a share: remove the %'}"
