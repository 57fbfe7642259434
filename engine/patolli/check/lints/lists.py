"""Find the one list that is shorter than all others of its fact or table, which are of one length.

An index that may lie beyond a list is an error of its own, see ``proofs.faults``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.program.model import Items, Table

ALIKE = 4
"""From how many lists on all but one having the same length is a rule that the last one breaks."""


@check("P0442")
def odd_list(reviewed: Reviewed) -> Iterator[Problem]:
    """Find lists of another length than those beside them."""
    for kind in reviewed.program.kinds.values():
        for name in kind.facts:
            yield from _odd([row for design in kind.designs for row in _rows(design.facts.get(name))])
    for constant in reviewed.program.constants.values():
        yield from _odd(_rows(constant.value))


def _rows(value: object) -> list[object]:
    """Return the rows of a table, or the value alone."""
    return [row for inner in value.rows.values() for row in _rows(inner)] if isinstance(value, Table) else [value]


def _odd(values: list[object]) -> Iterator[Problem]:
    lists = [value for value in values if isinstance(value, Items)]
    if len(lists) == len(values) >= ALIKE:
        sizes = Counter(map(len, lists))
        usual, times = sizes.most_common(1)[0]
        for short in lists:
            if times == len(lists) - 1 and 0 < len(short) < usual:
                text = f"this list has {_items_of(len(short))}, and the {times} others have {usual} each"
                yield Problem("P0442", text, short.span, "make it as long as the others", severity="warning")
    inner: list[object] = [item for value in lists for item in value]
    if inner:
        yield from _odd(inner)


def _items_of(size: int) -> str:
    return f"{size} item{'s' if size != 1 else ''}"
