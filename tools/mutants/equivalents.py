"""Mutants that no test can notice, each with the reason: what they change never shows."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {
    "summaries.py Summaries._summarize_trees: 'if declared.runs' is always met": "other kinds call nothing",
    "declared.py Declared.instances: 'if kind not in self._sizes' is always met": "it only saves counting again",
    "facts.py Facts.bounds: 'if not self.differences or expr.type not in (ty.INT, ty.Maybe(ty.INT))' is never met": (
        "of anything else there is no term"
    ),
    "facts.py Facts.grown: False  ->  True": "which counter has grown is not known, so none changes by just so much",
    "differences.py Differences._path: 'if start == goal' is never met": "a way without a step is found as well",
    "facts.py _shape: 0  ->  1": "any number does, as long as it is always the same",
    "facts.py _shape: one.variable is None or one.where is None  ->  one.where is None": (
        "where there is no variable, there is no condition"
    ),
    "builtins.py can: its result may be anything": "the call is a node of its own, with its type",
    "builtins.py place_of: argument 2 may be anything, not only 'place'": "where the place is looked up it is refused",
    "builtins.py placements: argument 2 may be anything, not only 'grid'": "where the grid is looked up it is refused",
}
"""By the key of the mutant, ``FILE OWNER: CHANGE``."""
