"""How well the program plays against people: levels, which differ only in how long it thinks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from patolli.players.search import Budget, SearchBot

LEVELS: dict[str, Callable[[int], SearchBot]] = {
    "easy": partial(SearchBot, budget=Budget(simulations=40, seconds=0.5)),
    "medium": partial(SearchBot, budget=Budget(simulations=1000, seconds=0.8)),
    "hard": partial(SearchBot, budget=Budget(simulations=20_000, seconds=5.0)),
}
"""What makes the bot of each level; a decision ends with its simulations or with its time, whatever is first."""
FORMS = "simulations (mcts:2000), a time (mcts:1s, mcts:300ms), or either in several processes (mcts:1sx2)"


def searching(text: str) -> Callable[[int], SearchBot]:
    """Return what makes a bot that searches with the budget that a text says.

    Raises:
        ValueError: It says none.
    """
    budget = Budget.of(text)
    if budget is None:
        raise ValueError(f"{text!r} is no budget for a search; it takes {FORMS}")
    return partial(SearchBot, budget=budget)
