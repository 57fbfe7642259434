"""Break the files of a pack in many ways: bytes, lines, words, values, structure, numbers, nesting.

In:     the bytes of a file, and a list of :class:`Change`, plain data that a test may draw and shrink.
Out:    other bytes; the same ones for the same list on every machine.

What is drawn from, such as the words of all packs, is fixed too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[^\sA-Za-z0-9_]")
_NUMBER = re.compile(rb"(?<![A-Za-z_0-9.])[0-9]+(?![A-Za-z_0-9.])")
_VALUE = re.compile(rb"(?<=: )[^\n{}\[\],#]+")
_KEY = re.compile(rb"[a-z_][a-z_0-9]*(?=:)")
BYTES = [
    b"\0",
    b"\t",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\r",
    b"\x1b[2J",
    b"\xe2\x80\xa8",
    b"\\",
    b'"',
    b"'",
    b"#",
    b" #",
    b":",
    b": ",
    b"- ",
    b"? ",
    b"|\n",
    b">\n",
    b"&a ",
    b"*a",
    b"!!int ",
    b"!x ",
    b"%",
    b"@",
    b"`",
    b"<<: ",
    b"---\n",
    b"...\n",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"(",
    b")",
    b";",
    b"\n",
    b"\n\n",
    b"  ",
    b" ",
    b"~",
    b"\xf0\x9f\x92\xa9",
    b"=",
    b"==",
    b"..",
    b".",
]
_SAID = """
gain lose pay set move swap shuffle draw refill slide random let break do return stop end match pass to
require pause say nothing choose one if elif else for repeat times loop as otherwise may up simultaneously
where in by any all count sum min max first lowest highest sorted distinct true false none and or not div mod
me it players seats copy box top size take have payable can number position rotate int bool text effect cost
player list of document kind pieces place copies facts fields per type value steps is when each after before
on less give for by owner = == != < <= .. + - * ( ) [ ] { } , : ; 0 1 -1 2 99 "x" null yes 1.5 0x10 1e9
2024-01-01 with change replace remove extend adjust offer instead expects over rows columns levels block map
legend prefix requires options components
"""
WORDS = [word.encode() for word in _SAID.split()]
NUMBERS = [
    b"0",
    b"-1",
    b"1",
    b"7",
    b"41",
    b"300",
    b"100000",
    b"1000000000",
    b"999999999999999999",
    b"1" * 19,
    b"9" * 200,
    b"9" * 5000,
    b"1.5",
    b"0x7f",
    b"012",
    b"seats",
    b"none",
    b"-999999999999",
]
DEEP = [
    (b"(", b")"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b"{a: ", b"}"),
    (b"not ", b""),
    (b"-", b""),
    (b"abs(", b")"),
    (b"1 + ", b""),
    (b"1 if true else ", b""),
    (b"x.", b""),
    (b"any(x in players where ", b")"),
    (b"- ", b""),
]


@dataclass(frozen=True, slots=True)
class Change:
    """One change: how, where (a share of a million of the file), and two numbers that choose among what there is."""

    how: str
    at: int
    one: int
    two: int


def _spot(found: list[re.Match[bytes]], at: int) -> re.Match[bytes] | None:
    return found[at * len(found) // 1_000_001] if found else None


def _put(data: bytes, start: int, end: int, new: bytes) -> bytes:
    return data[:start] + new + data[end:]


def _byte(data: bytes, change: Change) -> bytes:
    start = change.at * len(data) // 1_000_000
    return _put(data, start, start + change.two % 4, BYTES[change.one % len(BYTES)])


def _flip(data: bytes, change: Change) -> bytes:
    start = min(change.at * len(data) // 1_000_000, max(0, len(data) - 1))
    return _put(data, start, start + 1, bytes([change.one % 256]))


def _cut(data: bytes, change: Change) -> bytes:
    start = change.at * len(data) // 1_000_000
    return _put(data, start, start + change.one % (200 if change.two % 4 else 1 + len(data)), b"")


def _lines(data: bytes, change: Change) -> bytes:
    lines = data.split(b"\n")
    at, other = change.at * len(lines) // 1_000_001, change.one % len(lines)
    match change.two % 6:
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = b" " * (1 + change.one % 5) + lines[at]
        case 4:
            lines[at] = lines[at][1 + change.one % 3 :]
        case 5:
            lines[at : at + 1] = [lines[at] + b" " + lines[other].strip()]
    return b"\n".join(lines)


def _word(data: bytes, change: Change) -> bytes:
    words = list(_WORD.finditer(data))
    here = _spot(words, change.at)
    if here is None:
        return data
    match change.two % 5:
        case 0:
            return _put(data, *here.span(), b"")
        case 1:
            return _put(data, *here.span(), WORDS[change.one % len(WORDS)])
        case 2:
            return _put(data, here.end(), here.end(), b" " + WORDS[change.one % len(WORDS)] + b" ")
        case 3:
            other = words[change.one % len(words)]
            return _put(data, *here.span(), other[0])
        case _:
            letters = bytearray(here[0])
            letters[change.one % len(letters)] = b"abcdefghijklmnopqrstuvwxyz_"[change.one % 27]
            return _put(data, *here.span(), bytes(letters))


def _swap(data: bytes, change: Change) -> bytes:
    """Put the value of another key here; with an odd number, another key."""
    found = list((_KEY if change.two % 3 == 0 else _VALUE).finditer(data))
    here = _spot(found, change.at)
    if here is None:
        return data
    other = found[change.one % len(found)]
    return _put(data, *here.span(), other[0])


def _number(data: bytes, change: Change) -> bytes:
    here = _spot(list(_NUMBER.finditer(data)), change.at)
    return data if here is None else _put(data, *here.span(), NUMBERS[change.one % len(NUMBERS)])


def _shape(data: bytes, change: Change) -> bytes:
    """Give a value another shape: a list, a mapping, nothing, quotes, a block."""
    here = _spot(list(_VALUE.finditer(data)), change.at)
    if here is None:
        return data
    value = here[0]
    shapes = (
        b"[" + value + b"]",
        b"{" + value + b"}",
        b"{a: " + value + b"}",
        b"",
        b"null",
        b'"' + value + b'"',
        b"'" + value + b"'",
        b"|\n      " + value,
        b">\n      " + value,
        b"[[" + value + b"]]",
        value + b"; " + value,
        b"(" + value + b")",
        b"[]",
        b"{}",
        b"[" + value + b", " + value + b"]",
        b"{by: seats, 2: " + value + b"}",
        b"\n      - " + value,
    )
    return _put(data, *here.span(), shapes[change.one % len(shapes)])


def _deep(data: bytes, change: Change) -> bytes:
    """Nest a value, or make it very long."""
    here = _spot(list(_VALUE.finditer(data)), change.at)
    if here is None:
        return data
    times = (3, 30, 60, 150, 1_000, 20_000)[change.two % 6]
    left, right = DEEP[change.one % len(DEEP)]
    return _put(data, *here.span(), left * times + here[0] + right * times)


def _long(data: bytes, change: Change) -> bytes:
    """Repeat a word or a line very often."""
    here = _spot(list((_VALUE if change.one % 2 else re.compile(rb"[^\n]+\n")).finditer(data)), change.at)
    times = (10, 1_000, 30_000)[change.two % 3]
    return data if here is None else _put(data, *here.span(), here[0] * times)


HOW: dict[str, Callable[[bytes, Change], bytes]] = {
    "byte": _byte,
    "flip": _flip,
    "cut": _cut,
    "lines": _lines,
    "word": _word,
    "swap": _swap,
    "number": _number,
    "shape": _shape,
    "deep": _deep,
    "long": _long,
}
"""The sorts of changes by name."""


def changed(data: bytes, changes: list[Change]) -> bytes:
    """Carry out changes one after the other; the result is cut at four million bytes."""
    for change in changes:
        data = HOW[change.how](data, change)[:4_000_000]
    return data
