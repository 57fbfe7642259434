"""Who decides: bots, by name. A human sits at a terminal, see ``patolli.terminal``."""

from patolli.players.bots import BOTS, Bot, make_bot, seat_seed
from patolli.players.chance import RandomBot
from patolli.players.greedy import GreedyBot

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "make_bot", "seat_seed"]
