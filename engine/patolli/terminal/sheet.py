"""The end of a match: who has how many points, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.panel import Panel as Box
from rich.text import Text

from patolli.terminal.boards import pad
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.runtime import Match


def score_sheet(match: Match, seats: list[str]) -> RenderableType:
    """Draw the scores, best first, with who played each seat and what broke ties."""
    scene = Scene(match, 0)
    scores, ties, winners = match.scores, match.ties, match.winners
    keys = {seat: (scores[seat], *(tie[seat] for tie in ties)) for seat in range(match.players)}
    shown = _counting(keys)
    head = Text(f"{'':<13}{'':<8}{'score':>7}" + "".join(f"{f'tie {n}':>9}" for n in range(1, shown)), "bold")
    lines = [head]
    for seat in sorted(keys, key=lambda seat: (seat not in winners, [-k for k in keys[seat]], seat)):
        sign = scene.mark("player", f"player_{seat + 1}")
        number = Text(str(seat + 1), sign.style)
        who = pad(Text.assemble("player ", number, " ", sign if sign.plain != number.plain else ""), 13)
        cells = "".join(f"{key:>{7 if n == 0 else 9}}" for n, key in enumerate(keys[seat][:shown]))
        lines.append(
            who + Text(f"{seats[seat]:<8}") + Text(cells) + Text("  wins" if seat in winners else "", "bold green")
        )
    return Group(Box(Group(*lines), title=Text("Scores", "bold"), title_align="left", expand=False), _verdict(winners))


def _counting(keys: dict[int, tuple[int, ...]]) -> int:
    """Return how many columns it takes to find the winner: the score, and ties as far as they mattered."""
    values = list(keys.values())
    length = len(values[0])
    best = max(values)
    return next((n for n in range(1, length + 1) if sum(v[:n] == best[:n] for v in values) == 1), length)


def _verdict(winners: list[int]) -> Text:
    names = [f"player {seat + 1}" for seat in winners]
    if len(names) == 1:
        return Text(f"{names[0]} wins.", "bold")
    return Text(f"{', '.join(names[:-1])} and {names[-1]} share the win.", "bold")
