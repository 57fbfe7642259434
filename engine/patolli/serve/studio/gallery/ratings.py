"""Ratings of pieces, from a report of ``patolli lab``, in words.

In:     the JSON report of ``patolli lab report``.
Out:    by piece (``kind/id``), how often it was seen and taken, and its worth.
Errors: :class:`NoReport` with one line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patolli.language.diagnostics import ContentError
from patolli.language.sources.bounded import read_bounded
from patolli.run.runtime import Ruleset

BELIEVED = 0.05
"""The false discovery rate up to which a difference is significant."""


class NoReport(Exception):
    """A file that is not a report of this game."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one piece: a sentence for each number, and whether the difference is significant."""

    lines: tuple[str, ...]
    found: bool


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all pieces, and a line about their matches."""

    about: str
    pieces: dict[str, Rating]


def read_ratings(file: Path, rules: Ruleset) -> Ratings:
    """Read a report, or create one from the folder of a run. Raises NoReport: the file is not a report of this game."""
    try:
        data = _read_report(file) if file.is_dir() else json.loads(read_bounded(file))
        about, pieces = data["about"], data["pieces"]
        pack, matches, content = str(about["pack"]), int(about["matches"]), about.get("content")
        found = {str(one["name"]): _rating(one) for one in pieces}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "use a folder of 'patolli lab run', or a file of 'patolli lab report --format json'"
        raise NoReport(f"{file} is not a report of the lab; {hint}") from error
    if pack != rules.id:
        raise NoReport(f"{file} is a report about {pack!r}, not about {rules.id!r}")
    other = "" if content == rules.content_hash else ", of different rules"
    bots = ", ".join(map(str, about.get("bots") or []))
    return Ratings(f"The lab: {matches} matches{f' of {bots}' if bots else ''}{other}.", found)


def _read_report(folder: Path) -> dict[str, Any]:
    from patolli.serve.studio.lab.figures import report_data
    from patolli.serve.studio.refusals import Refused

    try:
        return report_data(folder)
    except (Refused, ImportError, ContentError) as error:
        raise NoReport(f"cannot report {folder}: {error}") from None


def _rating(one: dict[str, Any]) -> Rating:
    seen, taken = int(one["matches"]), int(one["taken"])
    lines = [f"Seen in {seen} matches, taken {taken} times." if taken else f"Seen in {seen} matches, never taken."]
    for key, words in (("score", "points"), ("wins", "of the wins")):
        effect = one.get(key)
        if effect is not None:
            scale = 100 if key == "wins" else 1
            value, low, high = (float(effect[name]) * scale for name in ("value", "low", "high"))
            unit = " %" if key == "wins" else ""
            lines.append(f"Taking it brings {value:+.1f}{unit} {words} (95 %: {low:+.1f} to {high:+.1f}).")
    found = float(one.get("believed", 1.0)) <= BELIEVED
    if taken and len(lines) > 1:
        lines.append("This difference is significant." if found else "This difference may be random.")
    return Rating(tuple(lines), found)
