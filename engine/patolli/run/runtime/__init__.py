"""Matches: state, decisions, randomness, views, saves."""

from patolli.run.runtime.decisions import Decision, Option
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.match import Match
from patolli.run.runtime.ruleset import Ruleset
from patolli.run.runtime.saves import SaveError, name_save, parse_save, read_text, write_save

__all__ = [
    "Decision", "Match", "MatchError", "Option", "Ruleset", "SaveError", "name_save", "parse_save", "read_text",
    "write_save",
]  # fmt: skip
