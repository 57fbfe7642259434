"""The register of all codes; a room adds its own table here, and a check one entry to its table.

Codes stand in families, and each family has its numbers in ``FAMILIES``: a new code takes the first free one there, and
nothing else of this package changes. A code is for ever: it never moves to another family, and the number of one that is
gone is not given again. When the numbers of a family run out, it gets a further range: in its hundred where there is
room, else in the same hundred of the next thousand, so that P14xx goes on with P04xx.
"""

import re

from patolli.diagnostics.codes import (
    allowing,
    ambiguous,
    choosing,
    habits,
    matches,
    names,
    panels,
    parsing,
    program,
    proofs,
    reading,
    scenarios,
    shapes,
    types,
    unused,
)
from patolli.diagnostics.codes.code import Code, Family, join, table

__all__ = ["CODES", "FAMILIES", "UNUSED", "Code", "Family", "explain", "speaking_of", "table"]

FAMILIES = (
    Family("Reading files", ("P0001-P0049",), reading.CODES, ambiguous.CODES),
    Family("Shapes of documents", ("P0050-P0099",), shapes.CODES),
    Family("Effects, expressions and signatures", ("P0101-P0109",), parsing.CODES),
    Family("Packs, modules and options", ("P0110-P0199",), choosing.CODES),
    Family("Names", ("P0201-P0299",), names.CODES),
    Family("Types", ("P0301-P0399",), types.CODES),
    Family("Dead ends and counts", ("P0401-P0429", "P0480-P0499"), proofs.CODES),
    Family("Declared and never used", ("P0430-P0439", "P0450-P0459"), unused.CODES),
    Family("Habits", ("P0440-P0449", "P0460-P0479", "P1440-P1459"), habits.CODES),
    Family("Panels", ("P0501-P0599",), panels.CODES),
    Family("Scenarios", ("P0601-P0699",), scenarios.CODES),
    Family("Comments that allow a finding", ("P0701-P0799",), allowing.CODES),
    Family("Faults of a match", ("P0801-P0899",), matches.CODES),
    Family("Faults of the program", ("P0900-P0999",), program.CODES),
)
CODES: dict[str, Code] = join(*(family.codes.values() for family in FAMILIES))
UNUSED = frozenset(unused.CODES)
"""Codes about what could be removed without a difference; an editor shows it faded."""


def explain(code: str) -> str:
    """Write what the register says about *code*, with its example.

    Raises:
        KeyError: there is no such code.
    """
    entry = CODES[code]
    parts = [f"{entry.code}: {entry.title} ({entry.severity})", entry.meaning, entry.why]
    for heading, example in (("Wrong:", entry.wrong), ("Right:", entry.right)):
        if example:
            parts.append(heading + "\n\n" + "".join(f"    {line}\n" for line in example.splitlines()).rstrip())
    return "\n\n".join(parts) + "\n"


def speaking_of(words: str) -> list[str]:
    """Return the codes whose pages have all of some words, or words that begin so; those with them as titles first."""
    wanted = words.casefold().split()

    def has(text: str) -> bool:
        there = re.findall(r"\w+", text.casefold())
        return all(any(word.startswith(one) for word in there) for one in wanted)

    found = [entry for entry in CODES.values() if has(f"{entry.title} {entry.meaning} {entry.why}")] if wanted else []
    return [entry.code for entry in sorted(found, key=lambda entry: (not has(entry.title), entry.code))]
