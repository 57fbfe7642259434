"""Bots, by name or as classes. A human plays at a terminal; see ``patolli.play.terminal``."""

from patolli.play.players.bot_seats import BotError, Player
from patolli.play.players.bots import BOTS, BotKind, Kind, adviser, is_bot, kind_of, make_bot, seat_seed, wrap_bot
from patolli.play.players.chance import RandomBot
from patolli.play.players.greedy import GreedyBot
from patolli.play.players.search import Advice, Budget, Considered, SearchBot
from patolli.play.players.turn import Bot, Turn

__all__ = [
    "BOTS", "Advice", "Bot", "BotError", "BotKind", "Budget", "Considered", "GreedyBot", "Kind", "Player", "RandomBot",
    "SearchBot", "Turn", "adviser", "is_bot", "kind_of", "make_bot", "seat_seed", "wrap_bot",
]  # fmt: skip
