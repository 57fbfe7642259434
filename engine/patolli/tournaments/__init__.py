"""Tournaments: which bot is the strongest at a pack, and how certain that is."""

from patolli.tournaments.ledger import LedgerError
from patolli.tournaments.report import Standings
from patolli.tournaments.running import tournament

__all__ = ["LedgerError", "Standings", "tournament"]
