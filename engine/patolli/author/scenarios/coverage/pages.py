"""What the marks say about each file, in the terms of coverage.py: lines, and arcs between them.

A line counts as covered when every effect that begins on it was reached. Each way that may be taken on a line
is an arc from it to a number below zero that stands for this way; the number has no other meaning.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from patolli.author.scenarios.coverage.marks import Marks


@dataclass(slots=True)
class Page:
    """One file: its lines, the ways by their numbers, and what was reached of both.

    ``ways`` gives for each arc what was missed when it was not taken.
    """

    path: str
    lines: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    ways: dict[tuple[int, int], str] = field(default_factory=dict)
    taken: set[tuple[int, int]] = field(default_factory=set)

    @property
    def exits(self) -> dict[int, int]:
        """The number of ways of each line."""
        found = dict.fromkeys(self.lines, 0)
        for line, _ in self.ways:
            found[line] += 1
        return found


def pages(marks: Marks) -> dict[str, Page]:
    """Return a page for each file that holds rules, by path."""
    found: dict[str, Page] = {}
    missed: set[tuple[str, int]] = set()
    number = 0
    for point in sorted(marks.points):
        path, line, way = os.path.abspath(point[0]), point[1], point[3]
        page = found.setdefault(path, Page(path))
        page.lines.add(line)
        hit = point in marks.hits
        if hit:
            page.reached.add(line)
        elif not way:
            missed.add((path, line))
        if way:
            number -= 1
            page.ways[(line, number)] = way
            if hit:
                page.taken.add((line, number))
    for path, line in missed:
        found[path].reached.discard(line)
    for page in found.values():
        exits = page.exits
        page.ways = {arc: way for arc, way in page.ways.items() if exits[arc[0]] > 1}  # else nothing parts
        page.taken &= page.ways.keys()
    return found
