"""The page of ``patolli diff``: the differences between two rulesets, as text for a terminal or as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import click

Data = dict[str, Any]
TITLES = {
    "enums": "Enumerations", "kinds": "Kinds", "counters": "Counters", "groups": "Groups", "places": "Places",
    "shapes": "Shapes", "grids": "Boards", "graphs": "Graphs", "records": "Records", "table": "Facts of the table",
    "player": "Facts of players", "constants": "Constants",
    "pieces": "Pieces", "functions": "Functions", "rules": "Rules", "triggers": "Triggers",
    "anytime": "Actions at any time", "substitutions": "Substitutions", "discounts": "Discounts", "waivers": "Waivers",
    "invariants": "Invariants", "values": "Values for bots",
    "measures": "Measures", "active": "Active pieces", "result": "Result",
    "symbols": "Symbols", "panels": "Panels",
}  # fmt: skip
SIGNS = {"added": "+", "removed": "-", "changed": "~"}
COLOURS = {"+": "green", "-": "red", "~": "yellow"}
NEWS = {"+": "**new** ", "-": "**gone** "}
MARKS = {"+": "**+** ", "-": "**-** "}
WIDTH = 80
Line = tuple[int, str, str]
"""How far in a line stands, its sign, and its words."""


def text(data: Data, words: bool = False, width: int = WIDTH) -> str:
    """Write the differences for a terminal.

    Args:
        data: The result of :func:`patolli.author.lookup.changes.changes`.
        words: Whether texts for people are shown, too.
        width: The maximum number of columns of a line.
    """
    lines = [
        f"from  {_describe_pack(data['old'])}",
        f"to    {_describe_pack(data['new'])}",
        "",
        *textwrap.wrap(summary(data), width),
    ]
    for title, part in _list_parts(data, words):
        lines += ["", click.style(title, bold=True)]
        for depth, sign, said in part:
            first, later = " " * (4 * depth) + f"{sign or ' '} ", " " * (4 * depth + 4)
            wrapped = textwrap.wrap(said, width, initial_indent=first, subsequent_indent=later)
            colour = COLOURS.get(sign)
            lines += [click.style(line, fg=colour) if colour else line for line in wrapped]
    return "\n".join(lines)


def markdown(data: Data, words: bool = False) -> str:
    """Write the differences as Markdown, for example for release notes."""
    lines = [f"# {_describe_pack(data['old'])} → {_describe_pack(data['new'])}", "", summary(data)]
    for title, part in _list_parts(data, words):
        lines += ["", f"## {title}", ""]
        for depth, sign, said in part:
            how = (NEWS if not depth else MARKS).get(sign, "")
            lines.append(f"{'  ' * depth}- {how}{_escape_markdown(said.replace(' -> ', ' → '))}")
    return "\n".join(lines)


def _escape_markdown(said: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_<>[]#|" else sign for sign in said.strip())


def _describe_pack(one: Data) -> str:
    head = f"{one['title']} {one['version']}"
    if one["titles"]:
        head += f" with {', '.join(one['titles'])}"
    chosen = ", ".join(f"{name} = {value}" for name, value in one["set"].items())
    return f"{head} ({chosen})" if chosen else head


def summary(data: Data) -> str:
    """Summarize in one or two sentences how much differs."""
    played = [one for one in data["entries"] if one["sentences"] or one["values"]]
    numbers = {change: sum(one["change"] == change for one in played) for change in SIGNS}
    parts = [f"{number} {change}" for change, number in numbers.items() if number]
    silent = sum(not (one["sentences"] or one["values"]) for one in data["entries"])
    head = f"Entries: {', '.join(parts)}."
    if not parts:
        aside = data["players"] or data["options"] or data["components"]
        head = "No rule differs." if aside else "The same is played."
    return head + (f" {silent} more differ{'s' if silent == 1 else ''} only in texts or looks." if silent else "")


def _list_parts(data: Data, words: bool) -> Iterator[tuple[str, list[Line]]]:
    """Yield the parts of the page, each with its title."""
    if data["players"]:
        yield "Players", [(0, "~", _describe_change(data["players"]))]
    for title, key in (("Options", "options"), ("How many pieces there are", "components")):
        if data[key]:
            yield title, [_describe_row(name, pair) for name, pair in data[key].items()]
    for section, title in TITLES.items():
        found = [one for one in data["entries"] if one["section"] == section]
        lines = [line for one in found for line in _describe_entry(one, words)]
        if lines:
            yield title, lines


def _describe_row(name: str, pair: Data) -> Line:
    if pair["old"] is None:
        return 0, "+", f"{name}: {pair['new']}"
    if pair["new"] is None:
        return 0, "-", f"{name}: {pair['old']}"
    return 0, "~", f"{name}: {_describe_change(pair)}"


def _describe_change(pair: Data) -> str:
    return f"{pair['old']} -> {pair['new']}"


def _describe_entry(one: Data, words: bool) -> list[Line]:
    """Return the lines of an entry: its name, sentences, values, and words for people where they are wanted."""
    reported = [*one["values"], *(one["words"] if words else [])]
    if not one["sentences"] and not reported:
        return []
    place = one["where"]["new"] or one["where"]["old"]
    kind = f", {one['kind']}" if one["kind"] else ""
    lines = [(0, SIGNS[one["change"]], f"{one['id']}{kind}  ({place})")]
    lines += _indent_sentences(one["sentences"])
    if one["change"] == "changed":
        return lines + [_describe_value(value) for value in reported]
    side = "new" if one["change"] == "added" else "old"
    facts = ", ".join(f"{value['path']}: {value[side]}" if value["path"] else value[side] for value in reported)
    return [*lines, *([(1, "", facts)] if facts else [])]


def _indent_sentences(sentences: list[Data]) -> Iterator[Line]:
    """Yield sentences, each as far in as there are others around it."""
    around: list[int] = []
    for said in sentences:
        text = said["text"]
        blanks = len(text) - len(text.lstrip(" "))
        while around and around[-1] >= blanks:
            around.pop()
        yield 1 + len(around), SIGNS.get(said["change"], ""), text.strip()
        around.append(blanks)


def _describe_value(value: Data) -> Line:
    name = f"{value['path']}: " if value["path"] else ""
    if not value["old"]:
        return 1, "+", name + value["new"]
    if not value["new"]:
        return 1, "-", name + value["old"]
    return 1, "~", name + _describe_change(value)
