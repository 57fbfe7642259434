"""Versions of packs, and ranges of them such as ``>=1.0,<2.0``.

A *named range* is the id of a pack with a range behind it, such as ``my_game>=1.0,<2.0`` or ``my_game==1.2.0``. It
names the installed version of the pack that a selection, a save or a person wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PART = re.compile(r"\s*(>=|<=|==|!=|~=|>|<|=)?\s*([0-9.]+|\*)\s*")
_NAMED = re.compile(r"([a-z_][a-z0-9_]*)\s*([<>=!~*].*)?", re.S)
_DIGITS = 18
"""Digits of a number that count; longer numbers are no version."""


def parse_version(version: str) -> tuple[int, ...]:
    """Return the three numbers of a version; those that are missing are 0."""
    numbers = [int(number[:_DIGITS]) for number in re.findall(r"[0-9]+", version)[:3]]
    return (*numbers, *([0] * (3 - len(numbers))))


def in_range(version: str, wanted: str) -> bool:
    """Return whether a version lies in a range such as ``>=1.0,<2.0``, ``~=1.2`` or ``*``; never in malformed ones."""
    here = parse_version(version)
    for part in wanted.split(","):
        found = _PART.fullmatch(part)
        if not found:
            return False
        if found.group(2) == "*":
            continue
        there = parse_version(found.group(2))
        op = found.group(1) or "=="
        good = {">=": here >= there, "<=": here <= there, ">": here > there, "<": here < there, "!=": here != there}
        good["~="] = here >= there and here[: _count_fixed(found.group(2))] == there[: _count_fixed(found.group(2))]
        if not good.get(op, here == there):
            return False
    return True


def _count_fixed(version: str) -> int:
    """Return how many numbers ``~=`` keeps: all but the last one that is written."""
    return max(1, len(re.findall(r"[0-9]+", version)) - 1)


def is_range(text: str) -> bool:
    """Return whether a text is a range."""
    return all(map(_PART.fullmatch, text.split(",")))


def split_named(name: str) -> tuple[str, str]:
    """Return the id and the range of a named range, ``*`` for an id alone; both are empty for anything else."""
    found = _NAMED.fullmatch(name)
    wanted = (found[2] or "*") if found else ""
    return (found[1], wanted) if found and is_range(wanted) else ("", "")


def join_named(id_: str, ranges: Iterable[str]) -> str:
    """Return the id of a pack with all of some ranges behind it; the id alone if they allow every version."""
    parts = [part.strip() for wanted in ranges for part in wanted.split(",")]
    parts = [f"=={part}" if part[:1].isdigit() else part for part in parts if part != "*"]
    return id_ + ",".join(dict.fromkeys(parts))
