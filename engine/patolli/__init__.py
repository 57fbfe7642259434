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
    from patolli.author.workspace import load
    from patolli.language.diagnostics import ContentError, Problem
    from patolli.language.packs.discovery import installed
    from patolli.measure.simulation import Game, Plan, Report, simulate
    from patolli.measure.simulation.playout import playout
    from patolli.measure.tournaments import Standings, tournament
    from patolli.play.players import Advice, Bot, BotError, Considered, Turn, adviser
    from patolli.run.runtime import Decision, Match, MatchError, Option, Ruleset, SaveError
    from patolli.run.runtime.match_story import Line
    from patolli.run.runtime.score_sheet import ScoreSheet

__version__ = "1.0.0"

_HOMES = {
    "Advice": "patolli.play.players",
    "Bot": "patolli.play.players",
    "BotError": "patolli.play.players",
    "Considered": "patolli.play.players",
    "ContentError": "patolli.language.diagnostics",
    "Decision": "patolli.run.runtime",
    "Game": "patolli.measure.simulation",
    "Line": "patolli.run.runtime.match_story",
    "Match": "patolli.run.runtime",
    "MatchError": "patolli.run.runtime",
    "Option": "patolli.run.runtime",
    "Plan": "patolli.measure.simulation",
    "Problem": "patolli.language.diagnostics",
    "Report": "patolli.measure.simulation",
    "Ruleset": "patolli.run.runtime",
    "SaveError": "patolli.run.runtime",
    "ScoreSheet": "patolli.run.runtime.score_sheet",
    "Standings": "patolli.measure.tournaments",
    "Turn": "patolli.play.players",
    "adviser": "patolli.play.players",
    "installed": "patolli.language.packs.discovery",
    "load": "patolli.author.workspace",
    "playout": "patolli.measure.simulation",
    "simulate": "patolli.measure.simulation",
    "tournament": "patolli.measure.tournaments",
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
