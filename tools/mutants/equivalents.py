"""Mutants that no test can notice, each with the reason: what they change never shows."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {
    "summaries.py Summaries._walked: 'if declared.runs' is always met": "of all other kinds, nothing is called",
    "domain.py Domain.recursive: only the first pass of 'while open_'": "what calls itself in a circle ends at DEEP",
    "builtins.py can: its result may be anything": "the call is a node of its own, with its type",
    "builtins.py place_of: argument 2 may be anything, not only 'place'": "where the place is looked up it is refused",
    "builtins.py placements: argument 2 may be anything, not only 'grid'": "where the grid is looked up it is refused",
}
"""By the key of the mutant, ``FILE OWNER: CHANGE``."""
