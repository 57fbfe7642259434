"""Tournaments: which of some bots is the strongest at a pack, and how sure that is."""

from patolli.tournaments.ledger import LedgerError
from patolli.tournaments.report import Standings
from patolli.tournaments.running import tournament

__all__ = ["LedgerError", "Standings", "tournament"]
