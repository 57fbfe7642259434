"""Read the ``d`` of a path of SVG: straight lines and cubic curves, as absolute points.

Source:
    W3C, "Scalable Vector Graphics (SVG) 1.1", 8.3 and F.6 (arcs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt, tan

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]
"""``M`` and ``L`` with a point, ``C`` with three, ``Z`` with none."""
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_FLAG = re.compile(r"[\s,]*([01])")
_LETTER = re.compile(r"[\s,]*([A-Za-z])")


class _Pen:
    """Follows the commands of a path."""

    def __init__(self) -> None:
        self.at: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.handle: Point | None = None
        self.before = ""

    def draw(self, letter: str, given: list[float]) -> Iterator[Step]:
        """Carry out one command; small letters count from where the pen is."""
        kind, (x, y) = letter.upper(), self.at
        base = self.at if letter.islower() else (0.0, 0.0)
        if kind == "A":
            end = (given[5] + base[0], given[6] + base[1])
            yield from _arc(self.at, given, end)
            self.at, self.handle = end, None
        elif kind == "Z":
            yield "Z", ()
            self.at, self.handle = self.start, None
        elif kind in "HV":
            self.at = (given[0] + base[0], y) if kind == "H" else (x, given[0] + base[1])
            self.handle = None
            yield "L", (self.at,)
        else:
            points = [(given[n] + base[0], given[n + 1] + base[1]) for n in range(0, len(given), 2)]
            yield from self._through(kind, points)
        self.before = kind

    def _through(self, kind: str, points: list[Point]) -> Iterator[Step]:
        here, end = self.at, points[-1]
        self.at = end
        if kind in "ML":
            self.handle = None
            self.start = end if kind == "M" else self.start
            yield kind, (end,)
            return
        if kind in "ST":  # the handle is that of the curve before, turned around
            same = self.handle is not None and self.before in ("CS" if kind == "S" else "QT")
            handle = self.handle if same and self.handle is not None else here
            points = [(2 * here[0] - handle[0], 2 * here[1] - handle[1]), *points]
        self.handle = points[-2]
        if kind in "QT":
            middle = points[0]
            points = [_between(here, middle), _between(end, middle), end]
        yield "C", tuple(points)


def _between(one: Point, other: Point) -> Point:
    """Return the handle of the cubic curve that is the same as a quadratic one."""
    return one[0] + (other[0] - one[0]) * 2 / 3, one[1] + (other[1] - one[1]) * 2 / 3


def steps_of(text: str) -> list[Step]:
    """Return the steps of a path.

    Raises:
        ValueError: It is none.
    """
    pen, found, at, letter = _Pen(), list[Step](), 0, ""
    while at < len(text.rstrip()):
        if (told := _LETTER.match(text, at)) is not None:
            letter, at = told[1], told.end()
        elif letter.upper() in ("", "Z"):
            raise ValueError(f"a path cannot go on with {text[at : at + 10]!r}")
        if letter.upper() not in TAKES or (not found and letter.upper() != "M"):
            raise ValueError(f"a path has no command {letter!r} there")
        given = []
        for number in range(TAKES[letter.upper()]):
            flag = letter.upper() == "A" and number in (3, 4)
            value = (_FLAG if flag else _NUMBER).match(text, at)
            if value is None:
                raise ValueError(f"a path lacks a number behind {letter!r}")
            given.append(float(value[1]))
            at = value.end()
        found += pen.draw(letter, given)
        letter = {"M": "L", "m": "l"}.get(letter, letter)  # further points are lines
    return found


def _arc(start: Point, given: list[float], end: Point) -> Iterator[Step]:
    """Yield the curves of a part of an ellipse, each of a quarter at most."""
    wide, high, turn = abs(given[0]), abs(given[1]), radians(given[2])
    if start == end:
        return
    if not wide or not high:
        yield "L", (end,)
        return
    c, s = cos(turn), sin(turn)
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = c * dx + s * dy, -s * dx + c * dy
    short = (x / wide) ** 2 + (y / high) ** 2
    if short > 1:
        wide, high = wide * sqrt(short), high * sqrt(short)
    below = (wide * y) ** 2 + (high * x) ** 2
    part = sqrt(max(0.0, (wide * high) ** 2 - below) / below) * (1 if given[3] != given[4] else -1)
    cx, cy = part * wide * y / high, -part * high * x / wide
    first = _angle(1, 0, (x - cx) / wide, (y - cy) / high)
    across = _angle((x - cx) / wide, (y - cy) / high, (-x - cx) / wide, (-y - cy) / high)
    across += 2 * pi if given[4] and across < 0 else -2 * pi if not given[4] and across > 0 else 0
    middle = (c * cx - s * cy + (start[0] + end[0]) / 2, s * cx + c * cy + (start[1] + end[1]) / 2)

    def there(px: float, py: float) -> Point:
        return middle[0] + c * wide * px - s * high * py, middle[1] + s * wide * px + c * high * py

    pieces = max(1, ceil(abs(across) / (pi / 2) - 1e-9))
    each = across / pieces
    pull = 4 / 3 * tan(each / 4)
    for number in range(pieces):
        a, b = first + number * each, first + (number + 1) * each
        one = there(cos(a) - pull * sin(a), sin(a) + pull * cos(a))
        other = there(cos(b) + pull * sin(b), sin(b) - pull * cos(b))
        yield "C", (one, other, end if number == pieces - 1 else there(cos(b), sin(b)))


def _angle(x: float, y: float, to_x: float, to_y: float) -> float:
    size = hypot(x, y) * hypot(to_x, to_y)
    angle = acos(max(-1.0, min(1.0, (x * to_x + y * to_y) / size))) if size else 0.0
    return -angle if x * to_y - y * to_x < 0 else angle


def ellipse(x: float, y: float, wide: float, high: float) -> list[Step]:
    """Return an ellipse around a point."""
    first = (x + wide, y)
    halves = [(wide, high, 0, 0, 1, x - wide, y), (wide, high, 0, 0, 1, x + wide, y)]
    found: list[Step] = [("M", (first,))]
    for half in halves:
        start = found[-1][1][-1]
        found += _arc(start, list(map(float, half)), (half[5], half[6]))
    return [*found, ("Z", ())]
