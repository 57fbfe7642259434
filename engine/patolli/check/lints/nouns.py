"""Find the counter that words in a text for people speak of."""

from __future__ import annotations

import re

from patolli.language.program.model import Counter, Program

LONGEST = 3
"""Words up to which the text of a counter is taken for its name."""


def named_counter(program: Program, words: str) -> set[str]:
    """Return the counters that the first words of a text name, by the longest name or the last word of names."""
    said = re.match(r"\s+((?:[\w'-]+ ?)+)", words)
    if said is None:
        return set()
    found: dict[str, set[str]] = {}
    heads: set[str] = set()
    for counter in program.counters.values():
        for noun in nouns(counter):
            if re.match(rf"{re.escape(noun)}\b", said[1], re.I):
                found.setdefault(noun.lower(), set()).add(counter.name)
            if " " in noun and re.match(rf"{re.escape(noun.split()[-1])}\b", said[1], re.I):
                heads.add(counter.name)
    return found[max(found, key=len)] if found else heads


def nouns(counter: Counter) -> set[str]:
    """Return what a counter is called in texts, one of it and several."""
    text = counter.text.strip().rstrip(".")
    names = {counter.name.replace("_", " "), *counter.noun, *([text] if 0 < len(text.split()) <= LONGEST else [])}
    return {form for name in names for form in (name, f"{name}s", name.removesuffix("s")) if form}
