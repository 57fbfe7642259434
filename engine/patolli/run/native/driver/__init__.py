"""Plays matches: what ``runtime`` does, over plain lists. This is translated like the rest.

The names in capitals are tables of the program (``tables``).
"""

from __future__ import annotations

from importlib import import_module

MODULES = tuple(
    import_module(f"{__name__}.{name}")
    for name in (
        "look_ahead piece_effects match_progress invariant_check match_runs payoff_rules search_steps batch_steps"
    ).split()
)
