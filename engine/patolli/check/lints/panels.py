"""Find what players would have to see and no panel shows: what they pay with, and items of a picture.

Reported is the counter that is left out where most of the others are shown: a pack may well have a panel for its board
alone, and counters that are not paid with, such as the number of a round, need none. A picture may leave out the last
items of its list, not one before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from patolli.check.analysis.panels import panels_of
from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program.node import walk
from patolli.language.sources import Mapping, Scalar, Sequence


@check("P0505")
def unseen_payment(reviewed: Reviewed) -> Iterator[Problem]:
    """Find counters that players pay with and no panel shows."""
    counters, shown = reviewed.program.counters, _list_panel_names(reviewed)
    paid = {
        name
        for name in _list_payment_counters(reviewed)
        if counters[name].dims == ("player",) and counters[name].visible != "none"
    }
    left_out = sorted(paid - shown)
    if len(paid & shown) <= max(1, len(left_out)):
        return
    for name in left_out:
        if reviewed.may_report_unused("counters", name):
            text = f"players pay with {name!r}, and no panel shows it"
            help_ = f"add {name!r} to the rows of a panel, beside the other goods"
            yield Problem("P0505", text, counters[name].span, help_, (), "warning")


def _list_panel_names(reviewed: Reviewed) -> set[str]:
    """Return all names that stand in panels."""
    found: set[str] = set()
    for panel in panels_of(reviewed.program):
        for one in fields(panel):
            value = getattr(panel, one.name)
            found.update([value] if isinstance(value, str) else value if one.name in _NAMES else ())
    return found


_NAMES = ("rows", "facts", "only")
"""What of a panel is a list of names."""


def _list_payment_counters(reviewed: Reviewed) -> set[str]:
    """Return the counters that payments and costs name."""
    pays = (node for block in blocks_of(reviewed.program) for node in walk(block) if isinstance(node, e.Pay))
    items = [item for pay in pays for item in pay.items if not isinstance(item, e.CostItem)]
    named = {name for item in items for name in getattr(item, "counters", ())}
    return named | set(reviewed.summaries.named_by_costs)


@check("P0506")
def gap_in_a_picture(reviewed: Reviewed) -> Iterator[Problem]:
    """Find pictures that leave out an item of their list and show a later one."""
    for entry in reviewed.program.composition.all("symbols"):
        picture = entry.get("picture")
        of, rows = (picture.get("of"), picture.get("rows")) if isinstance(picture, Mapping) else (None, None)
        if not isinstance(rows, Sequence) or not isinstance(of, Scalar) or not reviewed.looked_at(entry):
            continue
        cells = [cell for row in rows.items if isinstance(row, Sequence) for cell in row.items]
        numbers = {int(cell.value) for cell in cells if isinstance(cell, Scalar)}
        left_out = sorted(set(range(max(numbers, default=0))) - numbers)
        if left_out:
            text = f"the picture shows item {max(numbers)} of {of.value!r} and never item {left_out[0]}"
            yield Problem("P0506", text, rows.span, "the first item is 0", (), "warning")
