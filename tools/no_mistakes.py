"""Slips that ``recall`` may draw and that are no mistakes: the pack that they make is right.

Each with the pack, the file, the text that stands there once, what it becomes, and the reason. They are counted in a
column of their own. What only looks harmless does not belong here: where a player or a module could tell, it is a
mistake.
"""

from __future__ import annotations

from typing import NamedTuple


class NoMistake(NamedTuple):
    """A slip that leaves a pack right: in one of its files, *old* becomes *new*."""

    pack: str
    file: str
    old: str
    new: str
    why: str


NO_MISTAKES = [
    NoMistake(
        "founders", "rules/city.yaml",
        '        otherwise: break  # patolli: allow P0614 there is always "no more"\n', "",
        "without it nothing is chosen where there is nothing, and the next line leaves the loop for that",
    ),
    NoMistake(
        "city_of_gods", "rules/setup.yaml", "\n      pyramid: |", "\n      ypramid: |",
        "the step gets another name, by which nothing calls it",
    ),
    NoMistake(
        "city_of_gods", "rules/eclipse.yaml",
        "for p in players where pyramid_track(p) == best", "for p in player where pyramid_track(p) == best",
        "'players' and 'player' are both the list of all players",
    ),
    NoMistake(
        "breakthrough", "rules.yaml", "\n  pawns_match:", "\n  pawns_matchs:",
        "the invariant gets another name, by which nothing calls it",
    ),
    NoMistake(
        "breakthrough", "model.yaml", "max: 16", "max: 17",
        "there are 16 pawns, so the counter never gets beyond it",
    ),
]  # fmt: skip


def why_no_mistake(pack: str, file: str, before: str, after: str) -> str:
    """Return why a file is as right after a slip as before it; nothing where it is a mistake."""
    for one in NO_MISTAKES:
        if (one.pack, one.file) == (pack, file) and before.replace(one.old, one.new) == after != before:
            return one.why
    return ""
