"""Simulations: play many matches, compute statistics, write reports."""

from patolli.runtime.errors import LIMIT
from patolli.simulation.games import Game, Plan, game_seed
from patolli.simulation.parallel import simulate
from patolli.simulation.playout import playout
from patolli.simulation.report import Report

__all__ = ["LIMIT", "Game", "Plan", "Report", "game_seed", "playout", "simulate"]
