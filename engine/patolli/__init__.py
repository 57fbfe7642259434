"""Patolli: a rules interpreter for board games that are declared in packs of YAML files.

Load a ruleset, start a match, look at the decision, choose:

    import patolli

    rules = patolli.load("my_game")
    match = rules.start(players=2, seed=7)
    while (decision := match.decision) is not None:
        match.choose(0)  # an index, an Option of decision.options, or its label
    print(match.scores, match.winners)

The names below are all that is public; they are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patolli.diagnostics import ContentError, Problem
    from patolli.packs.discovery import installed
    from patolli.players import Advice, Bot, BotError, Considered, Turn, adviser
    from patolli.runtime import Decision, Match, MatchError, Option, Ruleset, SaveError
    from patolli.runtime.scoring import ScoreSheet
    from patolli.runtime.telling import Line
    from patolli.simulation import Game, Plan, Report, simulate
    from patolli.simulation.playout import playout
    from patolli.tournaments import Standings, tournament
    from patolli.workspace import load

__version__ = "0.1.0"

_HOMES = {
    "Advice": "patolli.players",
    "Bot": "patolli.players",
    "BotError": "patolli.players",
    "Considered": "patolli.players",
    "ContentError": "patolli.diagnostics",
    "Decision": "patolli.runtime",
    "Game": "patolli.simulation",
    "Line": "patolli.runtime.telling",
    "Match": "patolli.runtime",
    "MatchError": "patolli.runtime",
    "Option": "patolli.runtime",
    "Plan": "patolli.simulation",
    "Problem": "patolli.diagnostics",
    "Report": "patolli.simulation",
    "Ruleset": "patolli.runtime",
    "SaveError": "patolli.runtime",
    "ScoreSheet": "patolli.runtime.scoring",
    "Standings": "patolli.tournaments",
    "Turn": "patolli.players",
    "adviser": "patolli.players",
    "installed": "patolli.packs.discovery",
    "load": "patolli.workspace",
    "playout": "patolli.simulation",
    "simulate": "patolli.simulation",
    "tournament": "patolli.tournaments",
}

__all__ = [
    "Advice", "Bot", "BotError", "Considered", "ContentError", "Decision", "Game", "Line", "Match", "MatchError",
    "Option", "Plan", "Problem", "Report", "Ruleset", "SaveError", "ScoreSheet", "Standings", "Turn", "__version__",
    "adviser", "installed", "load", "playout", "simulate", "tournament",
]  # fmt: skip


if not TYPE_CHECKING:  # a checker of types is to know a name that there is not

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used."""
        if name not in _HOMES:
            raise AttributeError(f"module 'patolli' has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
