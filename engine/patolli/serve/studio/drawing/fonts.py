"""The two typefaces in which everything is drawn, and how much room their letters take.

They come with the program, so that a card looks the same on every machine. Only two tables of the files are read: which
shape a letter has (``cmap``, formats 4 and 12), and how wide it is (``hmtx``); see the OpenType specification 1.9.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from struct import unpack_from

FOLDER = Path(__file__).parent / "fonts"
FILES = {False: FOLDER / "DejaVuSans.ttf", True: FOLDER / "DejaVuSans-Bold.ttf"}
"""The files, by whether letters are bold."""
FAMILY = "DejaVu Sans"
POINT = 25.4 / 72
"""A point in millimeters."""


class Face:
    """What is known of one typeface: which letters it has, and how wide each is, in parts of its size."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        tables = {
            data[at : at + 4]: unpack_from(">I", data, at + 8)[0]
            for at in range(12, 12 + 16 * unpack_from(">H", data, 4)[0], 16)
        }
        self._unit = unpack_from(">H", data, tables[b"head"] + 18)[0]
        self._shapes = _shapes(data, tables[b"cmap"])
        shown = unpack_from(">H", data, tables[b"hhea"] + 34)[0]
        widths = unpack_from(f">{2 * shown}H", data, tables[b"hmtx"])[::2]
        self._wide = {sign: widths[min(shape, shown - 1)] for sign, shape in self._shapes.items()}

    def has(self, sign: str) -> bool:
        """Return whether it can be drawn."""
        return ord(sign) in self._shapes

    def width(self, text: str) -> float:
        """Return the width of a line, where its size is 1; one that cannot be drawn is as wide as its size."""
        return float(sum(self._wide.get(ord(sign), self._unit) for sign in text) / self._unit)


def _shapes(data: bytes, start: int) -> dict[int, int]:
    """Return the shapes by code point, from the largest table of Unicode that a file has."""
    found: dict[int, int] = {}
    for number in range(unpack_from(">H", data, start + 2)[0]):
        at = start + unpack_from(">I", data, start + 8 + 8 * number)[0]
        form = unpack_from(">H", data, at)[0]
        table = _segments(data, at) if form == 4 else _groups(data, at) if form == 12 else {}
        found = table if len(table) > len(found) else found
    return found


def _segments(data: bytes, at: int) -> dict[int, int]:
    """Read a table of format 4."""
    twice = unpack_from(">H", data, at + 6)[0]
    number, columns = twice // 2, at + 14
    ends = unpack_from(f">{number}H", data, columns)
    starts = unpack_from(f">{number}H", data, columns + twice + 2)
    shifts = unpack_from(f">{number}H", data, columns + 2 * twice + 2)
    ranges = columns + 3 * twice + 2
    found = {}
    for n, (start, end, shift) in enumerate(zip(starts, ends, shifts, strict=True)):
        offset = unpack_from(">H", data, ranges + 2 * n)[0]
        for code in range(start, min(end, 0xFFFE) + 1):
            shape = code
            if offset:
                shape = unpack_from(">H", data, ranges + 2 * n + offset + 2 * (code - start))[0]
            if shape:
                found[code] = (shape + shift) & 0xFFFF
    return {code: shape for code, shape in found.items() if shape}


def _groups(data: bytes, at: int) -> dict[int, int]:
    """Read a table of format 12."""
    found = {}
    for n in range(unpack_from(">I", data, at + 12)[0]):
        start, end, shape = unpack_from(">3I", data, at + 16 + 12 * n)
        found.update({code: shape + code - start for code in range(start, end + 1)})
    return found


@cache
def face(bold: bool = False) -> Face:
    """Return what is known of a typeface; it is read once."""
    return Face(FILES[bold])


@lru_cache(maxsize=4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """Return how many millimeters a line takes that is set so many points large."""
    return face(bold).width(text) * size * POINT


def strange(text: str) -> str:
    """Return the signs of a text that cannot be drawn, each once."""
    return "".join(dict.fromkeys(sign for sign in text if not sign.isspace() and not face().has(sign)))


def broken(text: str, room: float, size: float, bold: bool = False) -> list[str]:
    """Break a text between words, so that no line is wider than *room* millimeters; a longer word inside itself."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if width(longer, size, bold) <= room:
                line = longer
                continue
            lines += [line] if line else []
            *whole, line = _pieces(word, room, size, bold)
            lines += whole
        lines.append(line)
    return lines


def _pieces(word: str, room: float, size: float, bold: bool) -> list[str]:
    """Break one word wherever the room ends; each part has a letter at least."""
    parts = [""]
    for sign in word:
        if parts[-1] and width(parts[-1] + sign, size, bold) > room:
            parts.append("")
        parts[-1] += sign
    return parts


def cut(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return a line, or as much of it as there is room for, with a sign that there is more."""
    if width(text, size, bold) <= room:
        return text
    while text and width(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
