"""Where the points came from, drawn as a table: a row for each source, a column for each player."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from patolli.check.prose.words import capital
from patolli.run.runtime import Match

UNKNOWN = "?"
"""What stands for points that the player who looks cannot know."""


def rows(match: Match, seat: int | None = None, you: int = -1) -> list[list[str]]:
    """Return the score sheet as texts: the players, a row for each source of points, and the totals.

    There are no rows where all points come from one source, or there are none: the score says it already.

    Args:
        match: The match, at any time.
        seat: Who looks, from 0; everything is shown when left out.
        you: The seat of who needs no other name.
    """
    sheet = match.score_sheet(seat)
    if len(sheet.categories) < 2:
        return []
    found = [["", *("You" if at == you else capital(name) for at, name in enumerate(match.names))]]
    for at, source in enumerate(sheet.categories):
        found.append([source, *(_format_number(points[at]) for points in sheet.points)])
    return [*found, ["Total", *(UNKNOWN if total is None else str(total) for total in sheet.totals)]]


def _format_number(points: int | None) -> str:
    return UNKNOWN if points is None else str(points) if points else "-"


def sources(match: Match, seat: int | None = None, you: int = -1) -> RenderableType | None:
    """Draw where the points came from; None if there is nothing to show."""
    head, *lines = rows(match, seat, you) or [[]]
    if not lines:
        return None
    table = Table(title="Where the points came from", title_justify="left", title_style="bold")
    for at, player in enumerate(head):
        table.add_column(player, justify="right" if at else "left")
    for line in lines[:-1]:
        table.add_row(*line)
    table.add_section()
    table.add_row(*(Text(cell, "bold") for cell in lines[-1]))
    return table
