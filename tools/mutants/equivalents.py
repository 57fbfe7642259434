"""Mutants that no test can notice, each with the reason: what they change never shows."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {}
"""By the key of the mutant, ``FILE OWNER: CHANGE``."""
