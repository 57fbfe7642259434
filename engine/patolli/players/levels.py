"""How well the program plays against people: levels, which differ only in how long it thinks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patolli.players.learning import Searching
from patolli.players.search import Budget, SearchBot

if TYPE_CHECKING:
    from patolli.players.seating import Player

LEVELS: dict[str, Callable[[int], SearchBot]] = {
    "easy": partial(SearchBot, budget=Budget(simulations=40, seconds=0.5)),
    "medium": partial(SearchBot, budget=Budget(simulations=1000, seconds=0.8)),
    "hard": partial(SearchBot, budget=Budget(simulations=20_000, seconds=5.0)),
}
"""What makes the bot of each level; a decision ends with its simulations or with its time, whatever is first."""
FORMS = "simulations (mcts:2000), a time (mcts:1s, mcts:300ms), or either in several processes (mcts:1sx2)"
VALUED = "behind the budget only /learned or /learned:FILE may stand, as in mcts:1s/learned"


def searching(text: str) -> Callable[[int], Player]:
    """Return what makes a bot that searches as a text says: a budget, and what it values positions by.

    Raises:
        ValueError: It says no budget, or something else behind it.
    """
    spent, sign, value = text.partition("/")
    budget = Budget.of(spent)
    if budget is None:
        raise ValueError(f"{spent!r} is no budget for a search; it takes {FORMS}")
    if not sign:
        return partial(SearchBot, budget=budget)
    name, colon, file = value.partition(":")
    if name != "learned" or (colon and not file):
        raise ValueError(f"{value!r} is nothing that a search values positions by; {VALUED}")
    return Searching(budget, Path(file) if file else None)
