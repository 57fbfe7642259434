"""Make a pack smaller for as long as the judge says the same of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from randompacks.packs import Pack

Lines = list[str]
KEPT = ("always:", "kept:")
"""What a line holds that says what must hold: without it the pack would be another one."""
SIMPLE = ("1", "true", "me", "0", "players", "nothing")
_CALL = re.compile(r"\w*\([^()]*\)|\w*\[[^\[\]]*\]|\b\w+\.\w+")
_ENTRY = re.compile(
    r", [\w ]+: (?:\[[^\[\]]*\]|\{[^{}]*\}|[^,{}\[\]]+)(?=[,}])|(?<=\{)[\w ]+: [^,{}\[\]]+, |(?<=\[)[^,\[\]]+, |, [^,\[\]:]+(?=\])"
)
_PART = re.compile(r" (?:and|or) [^\n:]*?(?=:|$)| where [^\n:]*?(?=:|$| \")")


def shrunk(pack: Pack, same: Callable[[Pack], bool], tries: int = 600) -> Pack:
    """Return the smallest pack found for which *same* is still true."""
    left = [tries]

    def holds(candidate: Pack) -> bool:
        left[0] -= 1
        return left[0] >= 0 and same(candidate)

    smaller = True
    while smaller and left[0] > 0:
        smaller = False
        for path in [path for path in pack.files if "/pack.yaml" not in path]:
            fewer = replace(pack, files={name: text for name, text in pack.files.items() if name != path})
            if holds(fewer):
                pack, smaller = fewer, True
        for step in (_without_blocks, _without_heads, _simpler):
            pack, moved = _round(pack, step, holds)
            smaller |= moved
    return pack


def _round(
    pack: Pack, step: Callable[[Lines, int], Iterator[Lines]], holds: Callable[[Pack], bool]
) -> tuple[Pack, bool]:
    """Try a step at every line of every file, from the last line on; keep what holds."""
    moved = False
    for path in list(pack.files):
        number = pack.files[path].count("\n") - 1
        while number >= 1:
            for lines in () if _says(pack.files[path], number) else step(pack.files[path].split("\n"), number):
                candidate = replace(pack, files={**pack.files, path: "\n".join(lines)})
                if holds(candidate):
                    pack, moved = candidate, True
                    break
            number = min(number, pack.files[path].count("\n")) - 1
    return pack, moved


def _says(text: str, number: int) -> bool:
    """Return whether a line, or one that belongs to it, says what must hold."""
    lines = text.split("\n")
    return any(word in line for line in lines[number : _end(lines, number)] for word in KEPT)


def _end(lines: Lines, number: int) -> int:
    """Return the number of the line behind those that stand further in than a line."""
    margin = _margin(lines[number])
    behind = number + 1
    while behind < len(lines) and lines[behind].strip() and _margin(lines[behind]) > margin:
        behind += 1
    return behind


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_blocks(lines: Lines, number: int) -> Iterator[Lines]:
    """Take out a line with all that belongs to it, or put ``nothing`` there."""
    if lines[number].strip():
        end = _end(lines, number)
        yield lines[:number] + lines[end:]
        if lines[number].strip() != "nothing":
            yield [*lines[:number], " " * _margin(lines[number]) + "nothing", *lines[end:]]


def _without_heads(lines: Lines, number: int) -> Iterator[Lines]:
    """Take out a line, and move what belongs to it to the left."""
    end = _end(lines, number)
    if end > number + 1:
        by = _margin(lines[number + 1]) - _margin(lines[number])
        yield lines[:number] + [line[by:] for line in lines[number + 1 : end]] + lines[end:]


def _simpler(lines: Lines, number: int) -> Iterator[Lines]:
    """Replace a part of a line by something simple."""
    line = lines[number]
    for found in (*_ENTRY.finditer(line), *_PART.finditer(line)):
        yield [*lines[:number], line[: found.start()] + line[found.end() :], *lines[number + 1 :]]
    for found in _CALL.finditer(line):
        for simple in SIMPLE:
            if len(simple) < len(found[0]):
                yield [*lines[:number], line[: found.start()] + simple + line[found.end() :], *lines[number + 1 :]]
