"""Pieces that are never seen, although the number of players allows them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from patolli.measure.lab.content import Content
from patolli.measure.lab.run_loop import Players
from patolli.measure.lab.worth import Thing
from patolli.measure.simulation import Plan

MATCHES = 5
"""Matches with the minimum and with the maximum number of players."""


def find_unseen_pieces(pieces: Sequence[Thing], content: Content, seats: int) -> frozenset[str]:
    """Return the pieces that were never seen or used, although others of their kind were.

    Kinds without any seen piece have no places. Pieces that appear in a few matches with the minimum or maximum number
    of players are excluded, because they are not meant for this number of *seats*.
    """
    there = {one.group for one in pieces if one.seen or one.used}
    found = {one.name for one in pieces if one.group in there and not one.seen and not one.used}
    return frozenset(_never_seen(found, content, seats))


def _never_seen(found: set[str], content: Content, seats: int) -> set[str]:
    """Return which of some pieces do not appear in a few random matches with other numbers of players.

    The maximum comes first, as most such pieces are for more players; if none is left, nothing else is compiled.
    """
    for players in sorted({*content.rules.players} - {seats}, reverse=True):
        if not found:
            break
        with suppress(ValueError):  # a module may allow fewer
            watched = Players({"": content.rules}, Plan(players, MATCHES, 0, ("random",) * players))
            for row in watched.play("", range(1, MATCHES + 1)):  # the first match would have a score sheet
                found -= {*row["seen_piece"], *row["taken_piece"], *row["used_piece"]}
                found -= {one for name in row["option_id"] for one in content.named_pieces(name)}
    return found
