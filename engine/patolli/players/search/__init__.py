"""Search: a bot that looks ahead, and the tree search behind it."""

from patolli.players.search.advice import Advice, Considered
from patolli.players.search.bot import SearchBot
from patolli.players.search.budgets import Budget
from patolli.players.search.search import Search
from patolli.players.search.settings import PLAIN, Settings

__all__ = ["PLAIN", "Advice", "Budget", "Considered", "Search", "SearchBot", "Settings"]
