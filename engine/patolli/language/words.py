"""The words of the language that the grammar knows and a name cannot be."""

from __future__ import annotations

QUANTIFIERS = frozenset("any all count sum min max first lowest highest sorted distinct list".split())
STATEMENTS = (
    "gain lose pay set move swap shuffle draw refill slide random let break do return stop end pass require pause say "
    "nothing choose if elif else for repeat loop as otherwise may up simultaneously"
).split()
