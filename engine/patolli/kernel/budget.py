"""The step budget, which ends rules that would run for ever; every answer renews it, also a forced one.

What is counted is what is done: passes that loops make, calls of what does much, parts of searches. The compiler says
where, see ``compiler.step_meter``. A forced choice renews the budget, too, when it is used up; not for ever, so that a
chain of them ends.

Where the steps go is looked at now and then: each time another part of the budget is used up, the place that drew on it
is counted. So a fault can name the loop that used up the budget, and not only the place where the rest was not enough.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from patolli.kernel.faults import RuleFault, Spot
from patolli.kernel.library import library

Items = TypeVar("Items", bound=Sequence[Any])

LONGEST = 100_000
PASSES = range(100_000)
FREE = 1_000
"""How many steps a pass, a call or a part of a search may take that is not counted by itself."""
BUDGET = 100_000_000
"""How many steps there may be from one answer to the next; a step is about what it takes to look up a number."""
AGAIN = 2
"""How often forced answers renew the budget until a player has a choice again."""
KEPT = 100
"""The steps of each number in a list that a ruleset keeps: a million of them is what it may have."""
PARTS = 200
PART = BUDGET // PARTS
SEATS = 32
"""More seats than a match can have."""

DEEPEST = 400
"""How many rules that ask may wait for each other, and how many calls of what can call itself may not have ended."""

BLOCK = 75
"""The steps of a block of a rule that does not draw by itself, and of going on to it."""

_HERE = str(Path(__file__).parent)


class Meter(threading.local):
    """What is counted while rules run. Each thread has its own, so that threads can play at the same time.

    Functions read what they need of it once, at their beginning: to find the meter of a thread takes a while.

    Attributes:
        whole: What a budget is at first.
        budget: Five numbers. What is left of this part of the budget; how many parts there are behind it; whether an
            answer was forced since the budget was whole (0 or 1); how often that may still renew it; whether a part
            was used up (0 or 1). Generated code draws on the first, and calls ``look`` when it is below 0.
        parts: How many parts were used up since the thread began.
        spenders: How many parts were used up where, since the budget was whole.
        turns: How often each seat was called upon, by ``as`` around questions or by ``pass to``. It is not part of any
            state: players compare two readings to see whether a copy has gone on to the next turn of a seat.
        depth: One number: how many calls of functions and rules that can call themselves have not ended yet.
    """

    def __init__(self) -> None:
        self.whole = [PART, PARTS - 1, 0, AGAIN, 0]
        self.budget = [*self.whole]
        self.parts = 0
        self.spenders: Counter[Spot] = Counter()
        self.turns = [0] * SEATS
        self.depth = [0]


meter = Meter()


class Allowance:
    """Steps for many decisions together, beside the budget that each of them has.

    Attributes:
        left: How many steps are left; below 0 when the last decision took more than there were.
        weight: How many steps each step counts for: more than one while lines are counted, which takes longer.
    """

    def __init__(self, steps: int, weight: int = 1) -> None:
        self.left, self.weight = steps, weight
        self._parts = meter.parts

    def draw(self, more: int = 0) -> bool:
        """Count what the last decision took, and some steps *more*; return whether anything is left."""
        parts = meter.parts
        self.left -= ((parts - self._parts) * PART + PART - meter.budget[0]) * self.weight + more
        self._parts = parts
        return self.left > 0


@contextmanager
def scarce(steps: int) -> Iterator[None]:
    """Allow about so many steps from one answer to the next, where a rule that runs for ever should end sooner."""
    before = meter.whole[1]
    meter.whole[1] = max(1, steps // PART) - 1
    renew()
    try:
        yield
    finally:
        meter.whole[1] = before
        renew()


@contextmanager
def spend_aside() -> Iterator[None]:
    """Compute something beside what is going on: with a whole budget of its own, which does not count there."""
    before, parts = meter.budget.copy(), meter.parts
    meter.budget[:] = meter.whole
    try:
        yield
    finally:
        meter.budget[:], meter.parts = before, parts


def renew() -> None:
    """Begin with a whole budget."""
    budget = meter.budget
    if budget[4]:
        meter.spenders.clear()
    budget[:] = meter.whole


@library()
def tick(steps: int) -> None:
    """Draw on the step budget. Raises RuleFault: the budget is used up."""
    budget = meter.budget
    budget[0] -= steps
    if budget[0] < 0:
        look()


@library()
def passes(items: Items, steps: int) -> Items:
    """Draw the passes of a loop over all of some items."""
    budget = meter.budget
    budget[0] -= len(items) * steps
    if budget[0] < 0:
        look()
    return items


@library()
def stepping(items: Sequence[Any], steps: int) -> Iterator[Any]:
    """Draw the passes of a loop that may be left early, some at a time, as it goes on."""
    together = max(1, FREE // steps)
    for first in range(0, len(items), together):
        some = items[first : first + together]
        tick(len(some) * steps)
        yield from some


@library()
def whole(items: Items, fourths: int) -> Items:
    """Draw what it takes to go through a list without a loop, in fourths of a step for each item."""
    if len(items) > 8 or (items and isinstance(items[0], tuple)):
        tick(_size(items) * fourths >> 2)
    return items


def count_steps() -> int:
    """Return how many steps were drawn since the thread began, by what is counted at all."""
    return meter.parts * PART + PART - meter.budget[0]


def keep_value(value: Any) -> Any:
    """Draw what it takes to keep a value as long as a ruleset: lists take memory."""
    tick(KEPT * _count_numbers(value))
    return value


def _count_numbers(value: Any) -> int:
    return sum(map(_count_numbers, value)) if isinstance(value, tuple) else 1


def _size(items: Any) -> int:
    """Return how many numbers there are in a list and the lists inside it."""
    if not items or not isinstance(items[0], tuple):
        return len(items)
    deeper = bool(items[0]) and isinstance(items[0][0], tuple)
    return sum(map(_size if deeper else len, items))


@library()
def look() -> None:
    """Go on to the next part of the budget, and note who has used this one up. Raises RuleFault: there is none."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    budget = meter.budget
    used = -(budget[0] // PART)
    meter.spenders[frame.f_code.co_filename, frame.f_lineno] += used
    meter.parts += used
    budget[0] += used * PART
    budget[1] -= used
    budget[4] = 1
    if budget[1] < 0:
        _used_up(budget)


def _used_up(budget: list[int]) -> None:
    """Begin again where an answer was forced; otherwise end what goes on, with the place that has spent most."""
    if budget[2] and budget[3]:
        budget[:] = PART, meter.whole[1], 0, budget[3] - 1, 1
        return
    most = max(meter.spenders, key=meter.spenders.__getitem__)
    raise RuleFault("the rules ran too long without a question", "P0801", most)


@library(8)
def span(low: int, high: int) -> range:
    """Return the numbers from *low* to *high* - 1, within bounds."""
    number = high - low
    if number > LONGEST:
        raise RuleFault(f"a range of {number} numbers is too long", "P0804")
    return range(low, high)


@library()
def too_deep() -> None:
    """Refuse a call inside of too many others. Raises RuleFault: always."""
    raise RuleFault(f"rules or functions call each other more than {DEEPEST} deep, or without an end", "P0803")


@library()
def too_long() -> None:
    """A loop that asks nothing has run too long."""
    raise RuleFault(f"a loop ran {len(PASSES):,} times without an end", "P0802")
