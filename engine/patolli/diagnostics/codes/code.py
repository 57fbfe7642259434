"""What is known about one code of a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patolli.diagnostics.problem import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding, in the fixed parts that ``explain`` prints.

    ``meaning`` says what was found, ``why`` says why it is not allowed (or not
    wise). ``wrong`` is a small document with the problem and ``right`` the same
    one mended; both are empty where no document can show it. A code keeps its
    meaning for ever; one that is no longer reported stays in the register.
    """

    code: str
    title: str
    severity: Severity
    meaning: str
    why: str
    wrong: str = ""
    right: str = ""


class Family:
    """The codes about one matter, and all the numbers that they have or may have.

    ``ranges`` are written as people read them, such as ``P0440-P0449``, with both ends.
    """

    def __init__(self, title: str, ranges: tuple[str, ...], *tables: dict[str, Code]) -> None:
        """Join the tables of a family.

        Raises:
            ValueError: a code stands there twice, or has a number of another family.
        """
        self.title = title
        self.ranges = ranges
        self.codes = join(*(codes.values() for codes in tables))
        for code in self.codes:
            if code not in self:
                raise ValueError(f"the code {code} is not among those of {title!r}")

    def __contains__(self, code: str) -> bool:
        """Tell whether a code is a number of this family, given or free."""
        return any(first <= code <= last for first, _, last in (one.partition("-") for one in self.ranges))


def table(*codes: Code) -> dict[str, Code]:
    """Make a table of codes.

    Raises:
        ValueError: a code stands there twice.
    """
    return join(codes)


def join(*tables: Iterable[Code]) -> dict[str, Code]:
    """Join the codes of several tables, sorted by code.

    Raises:
        ValueError: a code stands there twice.
    """
    found: dict[str, Code] = {}
    for codes in tables:
        for code in codes:
            if code.code in found:
                raise ValueError(f"the code {code.code} is taken")
            found[code.code] = code
    return dict(sorted(found.items()))
