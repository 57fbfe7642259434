"""Who decides: bots, by name or as classes. A human sits at a terminal, see ``patolli.terminal``."""

from patolli.players.bots import BOTS, BotKind, Kind, is_bot, kind_of, make_bot, seat_seed, seated
from patolli.players.chance import RandomBot
from patolli.players.greedy import GreedyBot
from patolli.players.seating import BotError, Player
from patolli.players.turn import Bot, Turn

__all__ = [
    "BOTS", "Bot", "BotError", "BotKind", "GreedyBot", "Kind", "Player", "RandomBot", "Turn", "is_bot", "kind_of",
    "make_bot", "seat_seed", "seated",
]  # fmt: skip
