"""Plays matches: what ``runtime`` does, over plain lists. This is translated like the rest.

The names in capitals are tables of the program (``tables``).
"""

from __future__ import annotations

from patolli.run.native.driver import (
    batch_steps,
    invariant_check,
    look_ahead,
    match_progress,
    match_runs,
    payoff_rules,
    piece_effects,
    search_steps,
)

MODULES = (
    look_ahead,
    piece_effects,
    match_progress,
    invariant_check,
    match_runs,
    payoff_rules,
    search_steps,
    batch_steps,
)

__all__ = [
    "MODULES",
    "batch_steps",
    "invariant_check",
    "look_ahead",
    "match_progress",
    "match_runs",
    "payoff_rules",
    "piece_effects",
    "search_steps",
]
