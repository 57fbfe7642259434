"""Mutants that no test can notice, each with the reason: what they change never shows."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {
    "summaries.py Summaries._walked: 'if declared.runs' is always met": "of all other kinds, nothing is called",
    "domain.py Domain.recursive: only the first pass of 'while open_'": "what calls itself in a circle ends at DEEP, too",
}
"""By the key of the mutant, ``FILE OWNER: CHANGE``."""
