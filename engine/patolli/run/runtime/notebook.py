"""A match as a small page of HTML, which notebooks show: how the players stand, and the question.

It shows what the player sees who is asked, and at the end what the first one does; counters that are for bookkeeping
alone are left out. Everything is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patolli.language.program.model import Counter
    from patolli.run.runtime.match import Match

ROWS, OPTIONS, LETTERS = 30, 12, 120
"""How many counters and options are shown, and how many letters of a text."""


def page(match: Match) -> str:
    """Return the page."""
    decision = match.decision
    view = match.view(0 if decision is None else decision.player)
    lines = ["<div>", f"<p><b>{text(match.ruleset.title)}</b>, seed {match.state[1]}, {_count(match)}</p>"]
    lines += ["<table>", row("th", ["", *match.names])]
    lines += [row("td", cells) for cells in _table(match, view)]
    lines += ["</table>", *_render_decision(match), "</div>"]
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
        yield [_name_counter(counter), *(map(_number, seen.values()) if counter.dims else [_number(seen)])]


def _name_counter(counter: Counter) -> str:
    return counter.text or counter.name


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _render_decision(match: Match) -> Iterator[str]:
    decision = match.decision
    if decision is None:
        winners = [match.names[seat] for seat in match.winners]
        yield f"<p>won by {text(', '.join(winners) or 'no player')}</p>"
        return
    yield f"<p>{text(match.names[decision.player])}: {text(decision.prompt or 'what now?')}</p>"
    yield '<ol start="0">'
    yield from (f"<li>{text(option.words or option.label)}</li>" for option in decision.options[:OPTIONS])
    yield "</ol>"
    if len(decision.options) > OPTIONS:
        yield f"<p>and {len(decision.options) - OPTIONS} more</p>"


def row(tag: str, cells: list[str]) -> str:
    """Return a row of a table; a *tag* is that of its cells."""
    return f"<tr>{''.join(f'<{tag}>{text(cell)}</{tag}>' for cell in cells)}</tr>"


def text(words: str) -> str:
    """Return words as they stand in a page, cut off where they are many."""
    return escape(words if len(words) <= LETTERS else f"{words[: LETTERS - 1]}…")
