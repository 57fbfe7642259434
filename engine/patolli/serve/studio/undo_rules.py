"""Undo at a table: a player's last choice with those of bots since, or more if all players agree.

Random events, information that someone has learned, and choices of other people stay, as in the terminal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.seats import HOST, WATCH

if TYPE_CHECKING:
    from patolli.serve.studio.table import Table

Stands = Callable[[int, bool], str | None]
"""Returns why a choice cannot be undone, whether its player asks or not; empty if it can, None if unknown."""


class Unchecked(Exception):
    """It is unknown whether a choice can be undone.

    Attributes:
        number: The number of the choice, from 0.
        own: Whether the player who made it asks.
    """

    def __init__(self, number: int, own: bool) -> None:
        self.number, self.own = number, own
        super().__init__(number, own)


def glance(table: Table, who: int) -> dict[str, Any]:
    """Return whether a client may undo, as far as this is known at once, and the current request to undo."""
    ready = (_by_hand(table) and who == HOST) or bool(_ahead(table, who))
    to, why = (0, "") if ready else _find_target(table, who, table.past.find_cached)
    return {"may": to is not None, "why": why, "wish": table.course.wish}


def undo(table: Table, who: int, revision: int, data: dict[str, Any], key: str) -> int:
    """Undo, ask all players to undo, or agree to it; return the new revision.

    Args:
        table: The table.
        who: The client.
        revision: The revision that the client has seen.
        data: ``all`` to ask all players, with ``to``, the number of choices to go back to; ``agree``, true or false,
            to respond to such a request.
        key: The key of the request.

    Raises:
        Refused: The client cannot undo; the message has the reason.
        Stale: The table has changed.
        Unchecked: A choice has to be checked first, see :func:`check_choice`. Nothing has changed.
    """
    if (known := table.find_revision(key)) is not None:
        return known
    table.fresh(revision)
    if who == WATCH:
        raise Refused(403, "spectators cannot undo")
    if "agree" in data:
        _agree(table, who, bool(data["agree"]), key)
    elif data.get("all"):
        to = data.get("to", _last(table, who))
        if not 0 <= to < len(table.match.choices):
            raise Refused(422, f"cannot go back to choice {to}; the match has {len(table.match.choices)}")
        _wish(table, {"to": to, "by": _voice(table, who), "agreed": []}, who, key)
    elif seats := _ahead(table, who):
        table.note_ahead(seats[0], [], key)
    elif who == HOST and _by_hand(table):
        table.go_back(len(table.match.choices), key, len(table.match.edits) - 1)
    else:

        def find_checked(number: int, own: bool) -> str:
            stands = table.past.find_cached(number, own)
            if stands is None:
                raise Unchecked(number, own)
            return stands

        to, why = _find_target(table, who, find_checked)
        if to is None:
            table.stir()  # the page offers to ask everyone instead
            raise Refused(409, f"cannot undo: {why}", ask=bool(table.match.choices))
        table.go_back(to, key)
    return table.revision


def check_choice(table: Table, choice: Unchecked) -> None:
    """Do a part of the check of a choice, which is short: in a game with secrets, the whole check samples worlds."""
    if choice.number < len(table.match.choices):
        table.past.check_further(table.match, choice.number, choice.own)


def _by_hand(table: Table) -> bool:
    """Return whether the last act is an edit of the state."""
    edits = table.match.edits
    return bool(edits) and edits[-1].at == len(table.match.choices)


def _ahead(table: Table, who: int) -> list[int]:
    """Return the seats of a client with early choices, which are undone first."""
    return [seat for seat in table.seats_of(who) if table.course.ahead.get(seat)]


def _voice(table: Table, who: int) -> int:
    """Return the seat for which a client asks; -1 for a host without a seat."""
    return who if who != HOST else next(iter(table.seats.free()), -1)


def _last(table: Table, who: int) -> int:
    """Return the number of the last choice of a client, or else of the last choice of all."""
    line = table.course.line[: table.course.cursor]
    own = [number for number, made in enumerate(line) if made.seat in table.seats_of(who) and not made.behind]
    return own[-1] if own else len(line) - 1


def _agree(table: Table, who: int, yes: bool, key: str) -> None:
    wish = table.course.wish
    if wish is None:
        raise Refused(409, "no player has asked to undo")
    if yes:
        _wish(table, wish, who, key)
    else:
        table.wish({}, key)


def _wish(table: Table, wish: dict[str, Any], who: int, key: str) -> None:
    """Add an agreement to a request to undo; run it when all people agree."""
    agreed = sorted({*wish["agreed"], *table.seats_of(who)})
    if set(table.seats.people()) <= set(agreed):
        table.go_back(wish["to"], key)
    else:
        table.wish({**wish, "agreed": agreed}, key)


def _find_target(table: Table, who: int, find: Stands) -> tuple[int | None, str]:
    """Return the choice to which a client can go back, or None and the reason why not."""
    mine, people = table.seats_of(who), table.seats.people()
    line = table.course.line[: table.course.cursor]
    for number in reversed(range(len(line))):
        seat = line[number].seat
        if who != HOST and any(edit.at > number for edit in table.match.edits):
            return None, "the state was edited since"
        if seat not in mine and seat in people:
            return None, f"{table.match.names[seat]} has chosen since"
        own = seat in people
        stands = find(number, own)
        if stands:
            return None, stands if own else f"{table.match.names[seat]} has chosen since"
        if seat in mine and not line[number].behind:
            return number, ""
    return None, "you have not chosen anything yet"
