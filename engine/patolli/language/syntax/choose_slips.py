"""Slips in ``choose 2 of x in S where P as xs``: what is missing, or stands elsewhere."""

from __future__ import annotations

import re

from patolli.language.diagnostics import Problem
from patolli.language.syntax import tree as t

_SOME = r"choose\s+(?:\w+\s+to\s+\w+|\d+|any\s+number)\s+"
_BY_NAME = r"choose\s+(?!one\b)(?P<amount>[a-z_]\w*(?:\([^()]*\))?)\s+"
_SLIPS = (
    (
        r"choose\s+(?:up\s+to|at\s+most)\s+(?P<most>\w+)\b",
        "for at most {most}, write 'choose 0 to {most} of x in ..'",
    ),
    (
        r"choose\s+at\s+least\s+(?P<least>\w+)\b",
        "write the smallest and the largest number, as in 'choose {least} to 9 of x in ..'",
    ),
    (r"choose\s+(?P<least>\w+)\s*\.\.\s*(?P<most>\w+)\s+of\b", "write 'choose {least} to {most} of x in ..'"),
    (r"choose\s+any\s+(?:of\s+)?(?!number\b)\w+", "write 'choose any number of x in ..'"),
    (rf"{_SOME}(?!of\b)(?P<name>\w+)\s+in\b", "'of' comes before the name: '.. of {name} in ..'"),
    (rf"{_BY_NAME}(?!of\b|in\b|to\b)(?P<name>\w+)\s+in\b", "'of' comes before the name: '{amount} of {name} in ..'"),
    (
        rf"{_SOME}of\s+(?!\w+\s+in\b)",
        "name each item, and the list of chosen items: 'choose 2 of x in .. as xs'",
    ),
    (rf"{_SOME}of\b.*\"\s*as\s+(?P<list>[a-z_]\w*)", "'as {list}' comes before the question: '.. as {list} \"..\"'"),
    (rf"{_SOME}of\b.*\bas\s+(?P<list>\w+)\s+where\b", "'where' comes before 'as {list}'"),
    (rf"{_SOME}of\b.*\bor\s+(?:none\b|\")", "if a player may choose nothing, start at 0: 'choose 0 to 2 of ..'"),
    (
        rf"{_SOME}of\s+(?P<name>\w+)\s+in\b(?!.*\bas\s+\w)",
        "the chosen items need a name: add 'as {name}s' after the list",
    ),
)
"""What a line begins with, and what to write; the first that fits is meant."""


def several_problem(text: t.Text, offset: int, word: str) -> Problem | None:
    """Report what is wrong in a line that chooses several, where the parser stopped at a word, or nothing."""
    start = text.value.rfind("\n", 0, offset) + 1
    line = text.value[start:].partition("\n")[0]
    begun = line.find("choose")
    if begun < 0 or start + begun > offset:
        return None
    line = line[begun:]
    place = text.place(offset, max(1, len(word)))
    for pattern, help_ in _SLIPS:
        found = re.match(pattern, line)
        if found is not None:
            return Problem("P0101", f"unexpected {word!r}", place, help_.format(**found.groupdict()))
    return None
