"""Content tests: what is given, what is done, and what then holds.

The room ``workspace`` reads scenarios and checks them. Here their texts are compiled together with the ruleset
(``bench``), they are played (``playing``) and judged (``judging``); ``suites`` finds and runs many of them. Nothing
heavy is imported here, because the plugin for pytest lives in this room.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patolli.author.scenarios.outcome import Outcome
    from patolli.author.scenarios.suites import Plan, Result, run_scenarios

_HOMES = {
    "Outcome": "outcome",
    "Plan": "suites",
    "Result": "suites",
    "run_scenarios": "suites",
}

__all__ = ["Outcome", "Plan", "Result", "run_scenarios"]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'patolli.author.scenarios' has no attribute {name!r}")
    return getattr(import_module(f"patolli.author.scenarios.{_HOMES[name]}"), name)
