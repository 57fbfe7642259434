"""Many matches at once, statistics, reports."""

from patolli.simulation.playout import playout

__all__ = ["playout"]
