"""Find the counter that words in a text for people speak of."""

from __future__ import annotations

import re

from patolli.program.model import Counter, Program

LONGEST = 3
"""Words up to which the text of a counter is taken for its name."""


def named_counter(program: Program, words: str) -> set[str]:
    """Return the counters that the first words of a text name; the longest name counts."""
    said = re.match(r"\s+((?:[\w'-]+ ?)+)", words)
    best: tuple[int, set[str]] = (0, set())
    for counter in program.counters.values() if said is not None else ():
        for noun in nouns(counter):
            if said is not None and re.match(rf"{re.escape(noun)}\b", said[1], re.I) and len(noun) >= best[0]:
                best = (len(noun), {counter.name} | (best[1] if len(noun) == best[0] else set()))
    return best[1]


def nouns(counter: Counter) -> set[str]:
    """Return what a counter is called in texts, one of it and several."""
    text = counter.text.strip().rstrip(".")
    names = {counter.name.replace("_", " "), *counter.noun, *([text] if 0 < len(text.split()) <= LONGEST else [])}
    return {form for name in names for form in (name, f"{name}s", name.removesuffix("s")) if form}
