"""The words of the language, each with the version of the language that brings it.

A pack says with ``language:`` in which version it is written, and its texts are read with the words of that version:
what only a later version knows is a name in them like any other. So a new word stands in the row of a new version here,
and the lines of the grammar that need it end with ``// since N``; no pack that is there has to change. Built-in
functions need no row: the functions, counters and places of a pack come before them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Words(NamedTuple):
    """Words by what they do.

    ``statements`` begin an effect, so no rule can be called so, and ``quantifiers`` go over a list. ``joining`` words
    stand where a name may stand, and ``fixed`` ones mean something already, so neither can be an id or a variable.
    ``inner`` words come behind those, hardly ever where a name may stand, and are no more than awkward names.
    """

    statements: tuple[str, ...] = ()
    quantifiers: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()


SINCE: dict[int, Words] = {
    1: Words(
        statements=(
            "gain", "lose", "pay", "set", "move", "swap", "shuffle", "draw", "refill", "slide", "random", "let",
            "break", "do", "return", "stop", "end", "pass", "require", "pause", "say", "nothing", "choose", "if",
            "elif", "else", "for", "repeat", "loop", "as", "otherwise", "may", "up", "simultaneously",
        ),
        quantifiers=frozenset("any all count sum min max first lowest highest sorted distinct list".split()),
        joining=frozenset("and any as bottom by div else for if in mod not or where".split()),
        fixed=frozenset("me it seats copy box players original none true false".split()),
        inner=frozenset("from match one order times to unless when with".split()),
    ),
}  # fmt: skip
"""What each version of the language adds."""
NEWEST = max(SINCE)


@cache
def words(language: int) -> Words:
    """Return all words of one version of the language."""
    known = [added for since, added in SINCE.items() if since <= language]
    return Words(
        tuple(word for added in known for word in added.statements),
        frozenset(word for added in known for word in added.quantifiers),
        frozenset(word for added in known for word in added.joining),
        frozenset(word for added in known for word in added.fixed),
        frozenset(word for added in known for word in added.inner),
    )


STATEMENTS = words(NEWEST).statements
QUANTIFIERS = words(NEWEST).quantifiers
