"""A match as a small page of HTML, which notebooks show: how the players stand, and what is asked.

It tells what the player sees who is asked, and at the end what the first one does; counters that are for bookkeeping
alone are left out. Everything is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patolli.program.model import Counter
    from patolli.runtime.match import Match

ROWS, OPTIONS, LETTERS = 30, 12, 120
"""How many counters and options are shown, and how many letters of a text."""


def page(match: Match) -> str:
    """Return the page."""
    decision = match.decision
    view = match.view(0 if decision is None else decision.player)
    lines = ["<div>", f"<p><b>{_text(match.ruleset.title)}</b>, seed {match.state[1]}, {_count(match)}</p>"]
    lines += ["<table>", _row("th", ["", *match.names])]
    lines += [_row("td", cells) for cells in _table(match, view)]
    lines += ["</table>", *_asked(match), "</div>"]
    return "\n".join(lines)


def _count(match: Match) -> str:
    made = len(match.choices)
    over = "over after " if match.over else ""
    return f"{over}{made} choice{'s' * (made != 1)}"


def _table(match: Match, view: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the scores, what is counted for each player, and what for all."""
    model = match.program.layout.model
    if model.score is not None:
        yield ["score", *map(_number, view["scores"])]
    counters = [one for one in model.counters.values() if one.told and one.dims in (("player",), ())][:ROWS]
    for counter in sorted(counters, key=lambda one: not one.dims):
        seen = view["counters"][counter.name]
        yield [_called(counter), *(map(_number, seen.values()) if counter.dims else [_number(seen)])]


def _called(counter: Counter) -> str:
    return counter.text or counter.name


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _asked(match: Match) -> Iterator[str]:
    decision = match.decision
    if decision is None:
        winners = [match.names[seat] for seat in match.winners]
        yield f"<p>won by {_text(', '.join(winners) or 'nobody')}</p>"
        return
    yield f"<p>{_text(match.names[decision.player])}: {_text(decision.prompt or 'what now?')}</p>"
    yield '<ol start="0">'
    yield from (f"<li>{_text(option.words or option.label)}</li>" for option in decision.options[:OPTIONS])
    yield "</ol>"
    if len(decision.options) > OPTIONS:
        yield f"<p>and {len(decision.options) - OPTIONS} more</p>"


def _row(tag: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(words: str) -> str:
    return escape(words if len(words) <= LETTERS else f"{words[: LETTERS - 1]}…")
