"""One changed place in the files of a pack, and what became of it: plain data that travels between processes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from patolli.language.diagnostics import Problem, Span
from patolli.language.sources.nodes import Source

KINDS = {
    "number": "another number",
    "value": "another value",
    "comparison": "another comparison",
    "operator": "another operator",
    "condition": "the opposite condition",
    "quantifier": "another quantifier",
    "effect": "an effect left out",
    "payment": "an exchanged payment",
    "player": "another player",
}
"""The kinds of changes, in the order in which they are listed."""

REFUSED, NOTICED, SURVIVED, SAME = "refused", "noticed", "survived", "same"
"""What may become of a mutant. ``SAME`` means that it compiles to the same program, so that nothing could notice."""


class Change(NamedTuple):
    """In one text, what stands from ``start`` up to ``end`` of its value is replaced."""

    kind: str
    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """A pack in which one place of one file is another.

    Attributes:
        kind: One of ``KINDS``.
        path: The file.
        steps: The keys and numbers of items that lead to the text in the tree of the file.
        change: Where in the value of that text what is replaced.
        stretch: The same place as indexes into the text of the file.
        span: The same place with its line.
        text: Where the text stands in which it is.
        effect: Whether that text is an effect.
        before: The line as it is written, and as it is in the mutant.
        after: See ``before``.
    """

    kind: str
    path: str
    steps: tuple[str | int, ...]
    change: Change
    stretch: tuple[int, int]
    span: Span
    text: Span
    effect: bool
    before: str
    after: str

    @property
    def carried_out(self) -> bool:
        """Whether that text becomes functions of its own: it is an effect, or what a function gives."""
        return self.effect or self.steps[0] == "functions"

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The lines of the text in which it stands."""
        return {(self.path, line) for line in range(self.text.line, self.text.end_line + 1)}

    @property
    def place(self) -> tuple[str, int, int]:
        """What the mutants of one place have in common."""
        return (self.path, *self.stretch)


@dataclass(slots=True)
class Verdict:
    """What became of a mutant: one of ``REFUSED``, ``NOTICED``, ``SURVIVED`` and ``SAME``.

    ``by`` names the scenario that noticed it, or the code of the problem for which it is refused; ``reached`` counts
    the scenarios that come by its line, None where no line of code stems from it.
    """

    status: str
    by: str = ""
    reached: int | None = None
    played: int = 0
    problems: list[Problem] = field(default_factory=list)


def show_change(source: Source, stretch: tuple[int, int], new: str) -> tuple[str, str]:
    """Return the lines of a change as they are and as they become, without blank space and comments around them."""
    text, (start, end) = source.text, stretch
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    rest = re.sub(r"(^|\s)#[^\n]*$", "", text[end:last])
    return " ".join((text[first:end] + rest).split()), " ".join((text[first:start] + new + rest).split())
