"""Pieces that never come up, and not because the game is played with another number of players than it was."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from patolli.lab.content import Content
from patolli.lab.runner import Players
from patolli.lab.worth import Thing
from patolli.simulation import Plan

MATCHES = 5
"""Matches that are played with the least and with the largest number of players."""


def find_unseen_pieces(pieces: Sequence[Thing], content: Content, seats: int) -> frozenset[str]:
    """Return the pieces that were never seen and never used, though others of their kind were.

    Kinds of which nothing is ever seen are no things that lie anywhere. What comes up in a few matches with the least
    or the largest number of players is left out: it is not meant for so many *seats*.
    """
    there = {one.group for one in pieces if one.seen or one.used}
    found = {one.name for one in pieces if one.group in there and not one.seen and not one.used}
    if found:
        found -= _elsewhere(content, seats)
    return frozenset(found)


def _elsewhere(content: Content, seats: int) -> set[str]:
    """Return the pieces that are seen, used or offered in a few random matches with other numbers of players."""
    found = set[str]()
    for players in sorted({*content.rules.players} - {seats}):
        with suppress(ValueError):  # a module may allow fewer
            watched = Players({"": content.rules}, Plan(players, MATCHES, 0, ("random",) * players))
            for row in watched.play("", range(MATCHES)):
                found.update(row["seen_piece"], row["taken_piece"], row["used_piece"])
                found.update(one for name in row["option_id"] for one in content.named(name))
    return found
