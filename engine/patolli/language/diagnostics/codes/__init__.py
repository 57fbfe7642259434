"""The register of problem codes: one Markdown file per family, in this folder.

A file begins with the title of the family and the code numbers that belong to it. Each section below is one code::

    ## P0441: endless recursion (error)

    One paragraph: what was found.

    Further paragraphs: why it is not allowed (or not wise).

    Wrong:  a fenced YAML example with the problem, and under Right: the same one without it

An example is a file that is added to the sample pack of the tests (``tests/data/sample``), or several files, each under
a line ``# name.yaml``. A file replaces a file of the sample pack that has the same name. Files in a folder with a
``pack.yaml`` of its own are a module, which is active too.

To add a code, take the first free number of its family and add a section; nothing else of this package changes. A code
never moves to another family, and the number of a removed code is not reused. When a family has no free number left, it
gets another range: in the same hundred if there is room, otherwise a thousand higher, so that P14xx follows P04xx.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patolli.language.diagnostics.problem import Severity

_HEADING = re.compile(r"^## (P\d{4}): (.+) \((error|warning)\)$", re.M)
_EXAMPLE = re.compile(r"^(Wrong|Right):\n\n```yaml\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of problem, in the parts that ``patolli explain`` prints.

    ``meaning`` says what was found, ``why`` why it is not allowed (or not wise). ``wrong`` is a small document with the
    problem and ``right`` the same one without it; both are empty if no document can show the problem.
    """

    code: str
    title: str
    severity: Severity
    meaning: str
    why: str
    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Family:
    """The codes about one subject, and the ranges of code numbers (such as ``P0440-P0449``) that belong to it."""

    title: str
    ranges: tuple[str, ...]
    codes: dict[str, Code]

    def __contains__(self, code: str) -> bool:
        """Return whether a code number, used or free, belongs to this family."""
        return any(first <= code <= last for first, _, last in (one.partition("-") for one in self.ranges))


def read_family(text: str) -> Family:
    """Read one file of the register. Raises ValueError: a code is twice, of another family, or lacks a part."""
    head, *sections = _HEADING.split(text)
    title, _, ranges = head.removeprefix("# ").strip().partition("\n\n")
    family = Family(title, tuple(ranges.split(", ")), {})
    for code, words, severity, body in zip(*(sections[part::4] for part in range(4)), strict=True):
        meaning, _, why = _EXAMPLE.sub("", body).strip().partition("\n\n")
        examples = dict(_EXAMPLE.findall(body))
        if code in family.codes:
            raise ValueError(f"the code {code} is defined twice")
        if code not in family:
            raise ValueError(f"the code {code} does not belong to the family {title!r}")
        if not why or len(examples) not in (0, 2):
            raise ValueError(f"the code {code} needs what it means and why, and two examples or none")
        wrong, right = examples.get("Wrong", ""), examples.get("Right", "")
        family.codes[code] = Code(code, words, severity, meaning, why, wrong, right)
    return family


_READ = {path.stem: read_family(path.read_text("utf-8")) for path in Path(__file__).parent.glob("*.md")}

FAMILIES = tuple(sorted(_READ.values(), key=lambda family: family.ranges))
CODES: dict[str, Code] = dict(sorted(chain.from_iterable(family.codes.items() for family in FAMILIES)))
UNUSED = frozenset(_READ["unused"].codes)
"""Codes about declarations that can be removed without a difference; an editor shows them faded."""
DEMANDS = frozenset("P0401 P0402 P0404 P0405 P0414 P0415 P0416 P0417 P0418 P0486 P0491".split())
"""Codes about what must hold when a match comes to a place."""
OF_DEMANDS = (
    "If the checker cannot decide whether this happens, it reports an open demand and no error, and each match checks "
    "the place. If it happens in every match that comes here, or if pack.yaml says `proofs: full`, it is an error."
)
"""A paragraph that the pages of these codes add."""


def explain(code: str) -> str:
    """Return the page of the register about *code*, with its example. Raises KeyError: there is no such code."""
    entry = CODES[code]
    parts = [f"{entry.code}: {entry.title} ({entry.severity})", entry.meaning, entry.why]
    parts += [OF_DEMANDS] if code in DEMANDS else []
    for heading, example in (("Wrong:", entry.wrong), ("Right:", entry.right)):
        if example:
            parts.append(heading + "\n\n" + "".join(f"    {line}\n" for line in example.splitlines()).rstrip())
    return "\n\n".join(parts) + "\n"


def find_codes(words: str) -> list[str]:
    """Return the codes whose pages have all of some words, or words that begin so; matches in the title come first."""
    wanted = words.casefold().split()

    def has(text: str) -> bool:
        there = re.findall(r"\w+", text.casefold())
        return all(any(word.startswith(one) for word in there) for one in wanted)

    found = [entry for entry in CODES.values() if has(f"{entry.title} {entry.meaning} {entry.why}")] if wanted else []
    return [entry.code for entry in sorted(found, key=lambda entry: (not has(entry.title), entry.code))]
