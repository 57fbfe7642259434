"""Tournaments: which bot is the strongest at a pack, and how certain that is."""

from patolli.measure.tournaments.ledger import LedgerError
from patolli.measure.tournaments.report import Standings
from patolli.measure.tournaments.tournament_run import tournament

__all__ = ["LedgerError", "Standings", "tournament"]
