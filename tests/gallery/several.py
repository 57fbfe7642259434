"""How several things are asked for: one by one in the order of the list, each set in one way only."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from oracles import Question


def several(
    things: Sequence[str], least: int, most: int, seat: int, scores: list[int]
) -> Generator[Question, str, list[str]]:
    """Ask for so many of the things; ``done`` ends it where that is enough."""
    taken: list[str] = []
    rest = [*things]
    while len(taken) < most and rest:
        missing = least - len(taken)
        labels = [thing for at, thing in enumerate(rest) if len(rest) - at >= missing]
        answer = yield seat, labels + ["done"] * (missing <= 0), [*scores]
        if answer == "done":
            break
        taken.append(answer)
        rest = rest[rest.index(answer) + 1 :]
    return taken
