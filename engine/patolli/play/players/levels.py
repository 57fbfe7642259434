"""The levels of play against people; they differ only in their thinking time."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from patolli.play.players.bot_seats import Player
from patolli.play.players.learned_bot import Searching
from patolli.play.players.search import Budget, SearchBot

LEVELS: dict[str, Callable[[int], SearchBot]] = {
    "easy": partial(SearchBot, budget=Budget(simulations=40, seconds=0.5)),
    "medium": partial(SearchBot, budget=Budget(simulations=1000, seconds=0.8)),
    "hard": partial(SearchBot, budget=Budget(simulations=20_000, seconds=5.0)),
}
"""The budget of each level; a decision ends with its simulations or its time, whichever is first."""
FORMS = "simulations (mcts:2000), a time (mcts:1s, mcts:300ms), or either in several processes (mcts:1sx2)"
HOT = "after '@', write a temperature above 0 and up to 10, such as mcts:200@0.5"
VALUED = "after the budget, use only /learned or /learned:FILE, such as mcts:1s/learned"


def searching(text: str) -> Callable[[int], Player]:
    """Return a function that creates searching bots, from a text with a budget, and optionally temperature and value.

    Raises:
        ValueError: The text has no valid budget, or an invalid temperature or value after it.
    """
    spent, sign, value = text.partition("/")
    spent, hot, heat = spent.partition("@")
    budget, temperature = Budget.of(spent), _read_temperature(heat) if hot else 0.0
    if budget is None:
        raise ValueError(f"{spent!r} is not a budget for a search; use {FORMS}")
    if not sign:
        return partial(SearchBot, budget=budget, temperature=temperature)
    name, colon, file = value.partition(":")
    if name != "learned" or (colon and not file):
        raise ValueError(f"{value!r} is not a value for a search; {VALUED}")
    return Searching(budget, Path(file) if file else None, temperature)


def _read_temperature(text: str) -> float:
    if re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text) and 0 < float(text) <= 10:
        return float(text)
    raise ValueError(f"{text!r} is no temperature; {HOT}")
