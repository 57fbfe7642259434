"""Matches: state, decisions, randomness, views, saves."""

from patolli.runtime.decisions import Decision, Option
from patolli.runtime.errors import MatchError
from patolli.runtime.match import Match
from patolli.runtime.ruleset import Ruleset
from patolli.runtime.saves import SaveError, parse_save, read_text, write_save

__all__ = [
    "Decision", "Match", "MatchError", "Option", "Ruleset", "SaveError", "parse_save", "read_text", "write_save",
]  # fmt: skip
