"""The kinds of documents: one row each, with the sections whose entries a document of the kind declares.

Each kind has a JSON Schema of its name. What checks the entries of a section is a function of ``resolve`` where rules
use them, and one behind ``@check`` in ``analysis`` where nothing does.
"""

from __future__ import annotations

import re

DOCUMENTS: dict[str, tuple[str, ...]] = {
    "pack": (),
    "model": (
        "enums", "kinds", "counters", "groups", "places", "shapes", "grids", "graphs", "records", "table", "player",
        "constants",
    ),
    "pieces": ("pieces",),
    "rules": (
        "functions", "rules", "triggers", "anytime", "substitutions", "discounts", "waivers", "invariants", "values",
        "measures", "active", "result",
    ),
    "panels": ("symbols", "panels"),
    "scenarios": ("scenarios",),
    "patch": (),
    "selection": (),
}  # fmt: skip
KINDS = tuple(DOCUMENTS)
SECTIONS = tuple(section for sections in DOCUMENTS.values() for section in sections)
SINGLE = ("active", "result")
"""Sections that are one entry themselves."""
ASIDE = ("panels", "scenarios", "selection")
"""Kinds that do not change how a match goes."""

_SCENARIOS = re.compile(r"\ufeff?(?:[ ]*(?:#[^\n]*)?\n)*document:[ ]+scenarios[ ]*(?:[ ]#[^\n]*)?\n(?=[^\s])")
"""The first words of a file with scenarios; on the next line nothing goes on."""


def holds_scenarios(text: str) -> bool:
    """Return whether a file begins as scenarios do, without reading YAML; any other form counts as none."""
    return _SCENARIOS.match(text.replace("\r\n", "\n")) is not None
