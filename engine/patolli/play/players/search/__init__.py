"""Search: a bot that looks ahead, and the tree search behind it."""

from patolli.play.players.search.advice import Advice, Considered
from patolli.play.players.search.bot import SearchBot
from patolli.play.players.search.budgets import Budget
from patolli.play.players.search.search import Search

__all__ = ["Advice", "Budget", "Considered", "Search", "SearchBot"]
