"""The step budget, which ends rules that would run for ever; every question renews it.

Where the steps go is looked at now and then: each time another part of the budget is used up, the place that drew on it
is counted. So a fault can name the loop that used up the budget, and not only the place where the rest was not enough.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from patolli.kernel.faults import RuleFault, Spot

LONGEST = 100_000
PASSES = range(100_000)
BUDGET = 20_000_000
PART = BUDGET // 200

budget = [BUDGET, BUDGET - PART]
"""What is left of the budget, and how much is left when the spender is looked at next."""

_HERE = str(Path(__file__).parent)
_spenders: Counter[Spot] = Counter()


def renew() -> None:
    """Begin with a whole budget."""
    budget[0], budget[1] = BUDGET, BUDGET - PART
    if _spenders:
        _spenders.clear()


def tick(weight: int) -> bool:
    """Draw on the step budget, which every question renews.

    Raises:
        RuleFault: The budget is used up.
    """
    budget[0] -= weight
    if budget[0] < budget[1]:
        _look()
    return True


def _look() -> None:
    """Count for whoever draws on the budget the parts that were used up since the last look."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    _spenders[frame.f_code.co_filename, frame.f_lineno] += 1 + (budget[1] - budget[0]) // PART
    budget[1] = max(0, budget[0] - PART)
    if budget[0] < 0:
        most = _spenders.most_common(1)[0][0]
        _spenders.clear()
        raise RuleFault("the rules ran too long without a question", "P0801", most)


def span(low: int, high: int) -> range:
    """Return the numbers from *low* to *high* - 1, within bounds."""
    number = high - low
    if number > 16:
        if number > LONGEST:
            raise RuleFault(f"a range of {number} numbers is too long", "P0804")
        tick(number)
    return range(low, high)


def too_long() -> None:
    """A loop that asks nothing has run too long."""
    raise RuleFault(f"a loop ran {len(PASSES):,} times without an end", "P0802")
