"""Answers that people give at the same time, before the rules ask them.

The rules ask one seat after another what all answer at once. Nobody sees the answers of others before all have given
theirs, so what a seat will be asked does not depend on them: it is found in a copy of the match in which those before
it answer anything. What somebody answers ahead is an act like any other, which nobody else is told of; when the rules
come to that seat, it is chosen. Where it is not offered then, as it had to do with the answers of others after all, the
seat is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.compiler.layout import FRAMES
from patolli.runtime.errors import MatchError
from patolli.runtime.reasking import again
from patolli.studio.past import decider
from patolli.studio.seats import HOST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patolli.runtime import Match
    from patolli.studio.table import Table

MANY = 60
"""Answers of others after which it is given up to find out what a seat will be asked."""


def ahead_of(table: Table, who: int) -> Match | None:
    """Return a match in which somebody is asked now what all answer at the same time; None where that is not so.

    It is a copy in which others have answered anything: only what it asks this seat may be told, and to nobody else.
    """
    match, seat = table.match, table.eye(who)
    if match.over or not match.secret or seat < 0 or seat == decider(match) or not table.acts_for(who, seat):
        return None
    if table.seats.places[seat].bot or (who == HOST and len(table.seats.free()) > 1):
        return None
    return _asked(table, seat)


def _asked(table: Table, seat: int) -> Match | None:
    """Return a copy of the match in which a seat is asked behind what it has answered ahead; None where it is not."""
    known = table.asked_ahead.get(seat)
    if known is None or known[0] != table.revision:
        known = table.asked_ahead[seat] = (table.revision, _found(table, seat))
    return known[1]


def _found(table: Table, seat: int) -> Match | None:
    answered = sealed(table)
    if seat in answered:
        return None
    match, below = table.match.clone(), table.match.state[FRAMES][:-1]
    match.narrating = False
    events = match.program.events
    said = len(events)
    try:
        for _ in range(MANY):
            if match.over or not match.secret or match.state[FRAMES][:-1] != below or again(answered, decider(match)):
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


def sealed(table: Table) -> list[int]:
    """Return who has answered so far of what all answer at the same time now, in the order of the answers."""
    found = list[int]()
    for made in reversed(table.course.line[: table.course.cursor]):
        if not made.sealed or (made.seat in found and found[0] != made.seat):
            break
        found.insert(0, made.seat)
    return [] if again(found, decider(table.match)) else found


def answer_ahead(table: Table, who: int, revision: int, labels: Sequence[str], key: str) -> int:
    """Note what somebody answers ahead, with what they answered before of the same; return the new revision.

    Raises:
        Stale: This person has answered since, or the table has gone on to something else.
    """
    seat = table.eye(who)
    table.fresh(revision, table.seats_of(who))
    return table.note_ahead(seat, [*table.course.ahead.get(seat, ()), *labels], key)


def given(table: Table) -> int | None:
    """Return which answer the seat that is asked now has given ahead: its index; None where it has given none."""
    match = table.match
    if not table.course.ahead or match.decision is None or not match.secret:
        return None
    seat, offered = match.decision.player, match.decision.labels
    labels = [] if table.seats.places[seat].bot else table.course.ahead.get(seat, [])
    return offered.index(labels[0]) if labels and labels[0] in offered else None


def goes_on(before: Match, after: Match) -> bool:
    """Tell whether what all answer at the same time goes on behind an answer to it."""
    if after.over or not before.secret or not after.secret:
        return False
    return bool(after.state[FRAMES][:-1] == before.state[FRAMES][:-1])
