"""Early choices: in simultaneous decisions, seats choose before the rules ask them.

In a simultaneous decision, the rules ask one seat after another. No seat sees the choices of others before all have
chosen, so its options do not depend on them. A copy of the match, in which the seats before choose anything, shows
these options. An early choice is an act that no other seat sees. When the rules ask that seat, the choice is made. If
it is not available then, because it depended on other choices after all, the seat is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime.decisions import is_asked_again
from patolli.run.runtime.errors import MatchError
from patolli.serve.studio.past import decider
from patolli.serve.studio.seats import HOST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patolli.run.runtime import Match
    from patolli.serve.studio.table import Table

MANY = 60
"""Limit for choices of other seats in the search for the decision of a seat."""


def ahead_of(table: Table, who: int) -> Match | None:
    """Return a match in which this client has an open simultaneous decision; None if it has none.

    The match is a copy with arbitrary choices of others. Show only its open decision, and only to this seat.
    """
    match, seat = table.match, table.eye(who)
    if match.over or not match.secret or seat < 0 or seat == decider(match) or not table.acts_for(who, seat):
        return None
    if table.seats.places[seat].bot or (who == HOST and len(table.seats.free()) > 1):
        return None
    known = table.asked_ahead.get(seat)
    if known is None or known[0] != table.revision:
        known = table.asked_ahead[seat] = (table.revision, _find_match(table, seat))
    return known[1]


def _find_match(table: Table, seat: int) -> Match | None:
    answered = list_sealed(table)
    if seat in answered:
        return None
    match, below = table.match.clone(), table.match.state[FRAMES][:-1]
    match.narrating = False
    events = match.program.events
    said = len(events)
    try:
        for _ in range(MANY):
            if (
                match.over
                or not match.secret
                or match.state[FRAMES][:-1] != below
                or is_asked_again(answered, decider(match))
            ):
                return None
            if decider(match) == seat:
                break
            answered = [*answered, decider(match)]
            match.pick(0)
        for label in table.course.ahead.get(seat, ()):
            if match.over or decider(match) != seat or match.decision is None or label not in match.decision.labels:
                return None
            match.pick(match.decision.labels.index(label))
        if match.over or not match.secret or decider(match) != seat or match.state[FRAMES][:-1] != below:
            return None
    except MatchError:
        return None
    finally:
        del events[said:]
    return match


def list_sealed(table: Table) -> list[int]:
    """Return the seats that have chosen so far in the current simultaneous decision, in order."""
    found = list[int]()
    for made in reversed(table.course.line[: table.course.cursor]):
        if not made.sealed or (made.seat in found and found[0] != made.seat):
            break
        found.insert(0, made.seat)
    return [] if is_asked_again(found, decider(table.match)) else found


def answer_ahead(table: Table, who: int, revision: int, labels: Sequence[str], key: str) -> int:
    """Record early choices of a client behind its earlier ones; return the revision. Raises Stale: it is too late."""
    seat = table.eye(who)
    table.fresh(revision, table.seats_of(who))
    return table.note_ahead(seat, [*table.course.ahead.get(seat, ()), *labels], key)


def early_choice(table: Table) -> int | None:
    """Return the index of the early choice of the acting seat; None if it has made none."""
    match = table.match
    if not table.course.ahead or match.decision is None or not match.secret:
        return None
    seat, offered = match.decision.player, match.decision.labels
    labels = [] if table.seats.places[seat].bot else table.course.ahead.get(seat, [])
    return offered.index(labels[0]) if labels and labels[0] in offered else None


def goes_on(before: Match, after: Match) -> bool:
    """Return whether a simultaneous decision continues after one of its choices."""
    if after.over or not before.secret or not after.secret:
        return False
    return bool(after.state[FRAMES][:-1] == before.state[FRAMES][:-1])
