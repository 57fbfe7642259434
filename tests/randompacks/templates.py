"""The notation of the table of templates, and how a template becomes text.

``@int``          a text of the sort ``int``
``@int<$x>``      the same, which may use the variable ``x`` of this template
``$x:card``       a new variable of the sort ``card``; ``$x`` alone is its name again
``$c=counter``    a text of the sort ``counter``; ``$c`` alone is the same text again
``!x`` ``!x:y?``  at the end: later lines may use the variable, perhaps as another sort

A sort with ``?`` may be none; one with ``*`` is a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from randompacks.scope import Scope

SORT = r"[a-z_]+[*?]*"
_PART = re.compile(rf"@(?P<hole>{SORT})(?:<(?P<more>\$[^>]*)>)?|\$(?P<name>[a-z]+)(?:(?P<how>[:=])(?P<sort>{SORT}))?")
_WEIGHT = re.compile(r"\[([0-9.]+)\] ")
_LEFT = re.compile(rf"((?:\s+![a-z]+(?::{SORT})?)+)$")

Writer = Callable[[str, Scope], str]


@dataclass(frozen=True)
class Template:
    """A text with holes. ``needs`` are features of the pack, ``where`` words that the scope must or must not have."""

    text: str
    weight: float = 1.0
    needs: tuple[str, ...] = ()
    where: tuple[str, ...] = ()

    @property
    def leaf(self) -> bool:
        """Whether nothing has to be filled in."""
        return "@" not in self.text and "=" not in "".join(m["how"] or "" for m in _PART.finditer(self.text))

    def fits(self, scope: Scope) -> bool:
        """Return whether it may stand at a place."""
        return all((word[1:] not in scope.words) if word[0] == "-" else (word in scope.words) for word in self.where)


def table(*rows: tuple[str, str]) -> dict[str, list[Template]]:
    """Read the rows of a table: a head ``sort: need need: word -word``, and templates, a line each, or a paragraph.

    A template may begin with its weight in brackets. Where a line is empty or stands further in, they are paragraphs.
    """
    found: dict[str, list[Template]] = {}
    for head, body in rows:
        sort, needs, where = (*(part.strip() for part in head.split(":")), "", "")[:3]
        for text in _texts(body):
            weight = _WEIGHT.match(text)
            rest = text[weight.end() :] if weight else text
            made = Template(rest, float(weight[1]) if weight else 1.0, tuple(needs.split()), tuple(where.split()))
            found.setdefault(sort, []).append(made)
    return found


def _texts(body: str) -> list[str]:
    """Split the body of a row into templates."""
    if "\n\n" not in body and "\n " not in _dedented(body):
        return [line.strip() for line in body.splitlines() if line.strip()]
    return [_dedented(part) for part in body.split("\n\n") if part.strip()]


def _dedented(part: str) -> str:
    lines = [line for line in part.splitlines() if line.strip()]
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    return "\n".join(line[margin:].rstrip() for line in lines)


@lru_cache(maxsize=4096)
def _split(text: str) -> tuple[str, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Return a template without its end, the variables it names with their sorts, and those it leaves behind."""
    end = _LEFT.search(text)
    left = [one.partition(":") for one in end[1].replace("!", " ").split()] if end else []
    text = text[: end.start()] if end else text
    new = tuple((m["name"], m["sort"]) for m in _PART.finditer(text) if m["how"] == ":")
    sorts = dict(new)
    return text, new, tuple((name, sort or sorts[name]) for name, _, sort in left)


class Filling:
    """One template on its way to a text."""

    def __init__(self, template: Template, scope: Scope, write: Writer, fresh: Callable[[str], str]) -> None:
        """Name its variables."""
        self.text, new, self.left = _split(template.text)
        self.scope, self.write = scope, write
        self.sorts = dict(new)
        self.names = {name: fresh(name) for name in self.sorts}

    def filled(self) -> tuple[str, Scope]:
        """Return the text, and the scope behind it."""
        lines: list[str] = []
        for line in self.text.split("\n"):
            margin = line[: len(line) - len(line.lstrip())]
            filled = _PART.sub(self._part, line.lstrip())
            lines += [margin + part for part in filled.split("\n") if part.strip()]
        return "\n".join(lines), self.scope.having((self.names[name], sort) for name, sort in self.left)

    def _part(self, found: re.Match[str]) -> str:
        name = found["name"]
        if found["hole"]:
            return self.write(found["hole"], self._inside(found["more"] or ""))
        if found["how"] == "=":
            self.names[name] = self.write(found["sort"], self.scope.deeper())
        return self.names[name]

    def _inside(self, more: str) -> Scope:
        """Return the scope of a hole, with the variables that it may use."""
        given = [part.strip().lstrip("$").partition(":") for part in more.split(",") if part.strip()]
        return self.scope.deeper().having((self.names[name], sort or self.sorts[name]) for name, _, sort in given)


def weighed(random: Random, found: Mapping[str, float]) -> str:
    """Draw one of some texts by weight."""
    return random.choices(list(found), list(found.values()))[0]
