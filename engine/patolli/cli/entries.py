"""The page of ``patolli show PACK ID``: one entry, as composed by all packs."""

from __future__ import annotations

import textwrap
from typing import Any

from patolli.author.lookup.entries import entry_data, find_entries, layers_data, unknown

Data = dict[str, Any]
FEW = 6
"""Places of one entry that are listed."""


def layers_text(data: Data) -> str:
    """Write the layers of one entry for people."""
    lines = [f"{data['section']}/{data['id']}"]
    for number, one in enumerate(data["layers"], 1):
        what = "" if one["what"] == f"{data['section']}/{data['id']}" else f" {one['what']}"
        did = "wrote it" if one["how"] == "wrote" else f"{one['how']}{what}"
        lines += ["", f"{number}. {one['pack']}: {did} at {one['where']}", "", textwrap.indent(one["words"], "    ")]
    return "\n".join([*lines, "", "Together:", "", textwrap.indent(data["composed"].rstrip("\n"), "    ")])


def entry_text(data: Data) -> str:
    """Write one entry for people."""
    what = f"a piece of the kind {data['kind']}" if data["kind"] else f"in {data['section']}"
    said = data["called"]
    called = f", called {said!r}" if said else ""
    if "{" in said:
        names = data["examples"]
        called = f", called {'as in ' if len(names) > 1 else ''}{names[0]!r}" if names else ""
    lines = [f"{data['id']}, {what}{called}", f"declared at {data['where']} by {data['pack']}"]
    lines += [f"changed at {c['where']} by {c['pack']}: {c['how']} {c['what']}" for c in data["changed"]]
    for words in (data["text"], data["is"]):
        lines += ["", *textwrap.wrap(words, 78)] if words else []
    for one in data["does"]:
        label = f"{one['part']}: " if one["part"] not in ("", "trigger") else ""
        lines += ["", *_format_sentences(label, one["sentence"])]
    lines += _indent_lines("Triggered by", [f"{t['rule']} ({t['where']})" for t in data["triggers_on"]])
    lines += _indent_lines("Around it", [f"{t['when']}: {t['by']} ({t['where']})" for t in data["followed_by"]])
    lines += _indent_lines("Named by", [_format_mentions(one) for one in data["named_by"]])
    return "\n".join([*lines, "", textwrap.indent(data["written"].rstrip("\n"), "    ")])


def _format_sentences(label: str, said: str) -> list[str]:
    lines = []
    for number, line in enumerate(said.splitlines()):
        start = len(line) - len(line.lstrip())
        lines += textwrap.wrap(
            line.lstrip(), 90, initial_indent=" " * start if number else label, subsequent_indent=" " * (start + 4)
        )
    return lines


def _format_mentions(one: Data) -> str:
    places = one["where"]
    more = f" and {len(places) - FEW} more" if len(places) > FEW else ""
    return f"{one['entry']} ({', '.join(_shorten_places(places))}{more})"


def _shorten_places(places: list[str]) -> list[str]:
    """Write the file of several places once."""
    found: list[str] = []
    before = ""
    for place in places[:FEW]:
        path, _, line = place.rpartition(":")
        found.append(line if path == before else place)
        before = path
    return found


def _indent_lines(title: str, lines: list[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


__all__ = ["entry_data", "entry_text", "find_entries", "layers_data", "layers_text", "unknown"]
