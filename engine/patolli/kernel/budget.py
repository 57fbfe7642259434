"""The step budget, which ends rules that would run for ever; every question renews it."""

from __future__ import annotations

from patolli.kernel.faults import RuleFault

LONGEST = 100_000
PASSES = range(100_000)
BUDGET = 20_000_000
budget = [BUDGET]


def tick(weight: int) -> bool:
    """Draw on the step budget, which every question renews.

    Raises:
        RuleFault: The budget is used up.
    """
    budget[0] -= weight
    if budget[0] < 0:
        raise RuleFault("the rules ran too long without a question")
    return True


def span(low: int, high: int) -> range:
    """Return the numbers from *low* to *high* - 1, within bounds."""
    number = high - low
    if number > 16:
        if number > LONGEST:
            raise RuleFault(f"a range of {number} numbers is too long")
        tick(number)
    return range(low, high)


def too_long() -> None:
    """A loop that asks nothing has run too long."""
    raise RuleFault(f"a loop ran {len(PASSES):,} times without an end")
