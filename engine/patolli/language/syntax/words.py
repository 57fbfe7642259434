"""The words of the language, each with the version of the language that brings it.

A pack says with ``language:`` in which version it is written, and its texts are read with the words of that version:
what only a later version knows is a name in them like any other. So a new word of ``grammar.lark`` stands in the row of
a new version here, and the lines that need it end with ``// since N``; no pack that is there has to change. The words
of statements are taken from their forms, and built-in functions need no row: the functions, counters and places of a
pack come before them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from patolli.language.syntax import tree  # noqa: F401 - it declares the forms
from patolli.language.syntax.forms import FORMS


class Words(NamedTuple):
    """Words by what they do.

    ``statements`` begin an effect, so no rule can be called so, and ``quantifiers`` go over a list. ``joining`` words
    stand where a name may stand, and ``fixed`` ones mean something already, so neither can be an id or a variable.
    ``inner`` words come behind those, rarely where a name may stand, and are no more than awkward names.
    """

    statements: tuple[str, ...] = ()
    quantifiers: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()


SINCE: dict[int, Words] = {
    1: Words(
        statements=tuple("gain lose return stop if elif else for otherwise may".split()),
        quantifiers=frozenset("any all count sum min max first lowest highest sorted distinct list".split()),
        joining=frozenset("and any as bottom by div else for if in mod not or where".split()),
        fixed=frozenset("me it seats copy box players original none true false".split()),
        inner=frozenset("one order unless when".split()),
    ),
    2: Words(quantifiers=frozenset({"until", "through"}), inner=frozenset({"number"})),
    3: Words(quantifiers=frozenset({"only"})),
}
"""What each version of the language adds, besides the forms of its statements."""
NEWEST = max(*SINCE, *(form.since for form in FORMS.values()))


def help_with_later(since: int) -> str:
    """Return what to do about something that comes with a version of the language."""
    return f"write 'language: {since}' in the pack's manifest; 'patolli migrate' does it and shows what else changes"


@cache
def words(language: int) -> Words:
    """Return all words of one version of the language."""
    known = [added for since, added in SINCE.items() if since <= language]
    forms = [form.words for form in FORMS.values() if form.since <= language]
    statements = tuple(dict.fromkeys([*(w for added in known for w in added.statements), *(one[0] for one in forms)]))
    joining = frozenset(word for added in known for word in added.joining)
    behind = frozenset(word for form in forms for word in form[1:]) - joining - {*statements}
    return Words(
        statements,
        frozenset(word for added in known for word in added.quantifiers),
        joining,
        frozenset(word for added in known for word in added.fixed),
        behind.union(*(added.inner for added in known)),
    )


def version_of_quantifier(name: str) -> int:
    """Return the version of the language that brings a quantifier; 0 for what is none."""
    return next((since for since, added in SINCE.items() if name in added.quantifiers), 0)


STATEMENTS = words(NEWEST).statements
QUANTIFIERS = words(NEWEST).quantifiers
