"""Simulations: play many matches, compute statistics, write reports."""

from patolli.measure.simulation.games import Game, Plan, game_seed
from patolli.measure.simulation.parallel import simulate
from patolli.measure.simulation.playout import playout
from patolli.measure.simulation.report import Report
from patolli.run.runtime.errors import LIMIT

__all__ = ["LIMIT", "Game", "Plan", "Report", "game_seed", "playout", "simulate"]
