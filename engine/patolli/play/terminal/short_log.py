"""A shorter log: at a screen, the results of one action are read together.

Consecutive choices of a player become one line, without those that the next line repeats. A cost or loss is joined with
the gain that it pays for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from patolli.check.prose.words import capital
from patolli.run.runtime.match_story import Line
from patolli.run.runtime.narration import DECIDED

LONGEST = 76
"""Letters of a line up to which two of them are made one."""
_GIVEN = re.compile(r"(?:loses|pays) (?!.* for )")


def shorten_lines(lines: Sequence[Line], names: Sequence[str]) -> list[Line]:
    """Return lines of a story in fewer; *names* are those of the players."""
    lines = [
        line
        for line, behind in zip(lines, [*lines[1:], None], strict=False)
        if not _is_secret_only(line, behind, names)
    ]
    parts = [list(part) for _, part in groupby(lines, _group_answers)]
    found: list[Line] = []
    for part, behind in zip(parts, [*parts[1:], []], strict=False):
        if part[0].kind == "answer":
            found += _join_answers(part, behind[0] if behind else None, f"{capital(names[part[0].seat])}: ")
            continue
        for line in part:
            if found and _belongs_together(found[-1], line, names):
                gain = line.words.split(" gains ", 1)[1]
                found[-1] = replace(line, words=f"{found[-1].words} and gains {gain}")
            else:
                found.append(line)
    return found


def _is_secret_only(line: Line, behind: Line | None, names: Sequence[str]) -> bool:
    """Return whether a line says only that a player has chosen secretly, and the next line says what."""
    secret = line.kind == "answer" and line.words == f"{capital(names[line.seat])} {DECIDED}"
    return secret and behind is not None and behind.kind != "heading" and behind.seat == line.seat


def _group_answers(line: Line) -> tuple[int, int]:
    """Return the same for answers that one player may have given one after the other."""
    return (line.seat, line.level) if line.kind == "answer" else (-1, -1)


def _join_answers(lines: list[Line], behind: Line | None, head: str) -> list[Line]:
    """Return answers that follow each other in one line; those that the line *behind* them names are left out.

    What is no answer in words, as that something was decided in secret, stays as it is.
    """
    if not all(line.words.startswith(head) for line in lines):
        return lines
    shown = behind.words if behind is not None and behind.kind != "heading" else ""
    given = [line.words.removeprefix(head) for line in lines]
    given = [words for words in given if not re.search(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", shown)]
    between = "; " if any("," in words for words in given) else ", "
    return [replace(lines[-1], words=f"{head}{between.join(given)}")] if given else []


def _belongs_together(one: Line, other: Line, names: Sequence[str]) -> bool:
    """Return whether a line says what is paid or lost, and the next one what the same answer brings."""
    if (one.kind, one.seat, one.level, one.at) != ("change", other.seat, other.level, other.at) or one.seat < 0:
        return False
    name = f"{capital(names[one.seat])} "
    paid = one.words.startswith(name) and _GIVEN.match(one.words.removeprefix(name))
    together = len(one.words) + len(other.words) <= LONGEST
    return bool(paid) and other.kind == "change" and other.words.startswith(f"{name}gains ") and together
