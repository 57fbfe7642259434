"""Read the pictures of packs that are SVG as areas and lines, for what draws none: sheets on paper.

In:     the bytes of a file that may be shown (``sources.pictures``).
Out:    a :class:`Picture`: shapes in the order in which they lie on each other, in the measures of its ``viewBox``.
Errors: Undrawable, with what in it cannot be drawn so; the caller shows something else.

A gradient becomes the mean of its colours. Letters, pictures inside, patterns, masks, clips, filters and style sheets
are left to browsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from math import cos, radians, sin, sqrt, tan
from xml.etree import ElementTree

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]
"""``M`` and ``L`` with a point, ``C`` with three, ``Z`` with none."""
Matrix = tuple[float, float, float, float, float, float]
Element = ElementTree.Element
PLAIN: Matrix = (1, 0, 0, 1, 0, 0)
SILENT = frozenset("title desc metadata defs linearGradient radialGradient symbol".split())
"""Elements that draw nothing where they stand."""
LEFT = frozenset("clip-path mask filter marker-start marker-mid marker-end".split())
"""Attributes that change what is drawn in a way that is not followed."""
INHERITED = {
    "fill": "black", "stroke": "none", "stroke-width": "1", "fill-rule": "nonzero", "color": "black",
    "fill-opacity": "1", "stroke-opacity": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter",
}  # fmt: skip
"""What parts have from the whole, with what holds where nothing is said."""
DEEPEST, MOST, FAR = 50, 5_000, 1e6
"""How deep parts lie in each other, how many shapes there are, and how far away, at most: few bytes may say more."""
_FUNCTION = re.compile(r"(\w+)\s*\(([^)]*)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Undrawable(Exception):
    """Something in a picture cannot be drawn as areas and lines."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Something that is drawn.

    Attributes:
        steps: Its outline.
        fill: The colour inside, as ``#rrggbb``; nothing for none.
        edge: The colour of its line.
        thick: How wide that is.
        clear: How much is seen of inside and line, from 0 to 1.
        odd: Whether what is surrounded twice lies outside.
        ends: How lines end and turn: 0 as they are, 1 round, 2 square or cut.
    """

    steps: tuple[Step, ...]
    fill: str
    edge: str
    thick: float
    clear: tuple[float, float]
    odd: bool
    ends: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: the left and upper end of what is shown of it, how wide and high that is, and its shapes."""

    x: float
    y: float
    wide: float
    high: float
    shapes: tuple[Shape, ...]


def picture_of(data: bytes) -> Picture:
    """Return the shapes of a picture. Raises Undrawable: it has something in it that is not drawn so."""
    try:
        root = ElementTree.fromstring(data.decode("utf-8"))
        x, y, wide, high = map(float, re.split(r"[\s,]+", root.get("viewBox", "").strip()))
        shapes = tuple(islice(_Reader(root).shapes(root, INHERITED, PLAIN, 1.0, 0), MOST + 1))
    except (ValueError, ArithmeticError, ElementTree.ParseError, RecursionError) as error:
        raise Undrawable(str(error)) from None
    if not (wide > 0 and high > 0):
        raise Undrawable("it has no size")
    if len(shapes) > MOST:
        raise Undrawable(f"it has more than {MOST:,} shapes")
    if not all(abs(one) < FAR for shape in shapes for _, points in shape.steps for point in points for one in point):
        raise Undrawable("some of it lies too far away")
    return Picture(x, y, wide, high, shapes)


class _Reader:
    def __init__(self, root: Element) -> None:
        self._named = {one.get("id"): one for one in root.iter() if one.get("id")}

    def shapes(
        self, element: Element, above: Mapping[str, str], matrix: Matrix, clear: float, depth: int
    ) -> Iterator[Shape]:
        """Yield what an element draws; *clear* is how much is seen of what it stands in."""
        space, _, name = str(element.tag).rpartition("}")
        if (space and not space.endswith("/2000/svg")) or name in SILENT:
            return
        if depth > DEEPEST:
            raise Undrawable("its parts lie too deep in each other")
        said = {**element.attrib, **_style(element.get("style", ""))}
        if (odd := LEFT & said.keys()) and any(said[one] != "none" for one in odd):
            raise Undrawable(f"it has a {min(odd)}")
        if said.get("display") == "none" or said.get("visibility") == "hidden":
            return
        look = {key: said.get(key, value) if said.get(key) != "inherit" else value for key, value in above.items()}
        matrix, clear = _times(matrix, _transform(said.get("transform", ""))), clear * _share(said.get("opacity", "1"))
        if name in ("svg", "g", "a"):
            for one in element:
                yield from self.shapes(one, look, matrix, clear, depth + 1)
        elif name == "use":
            yield from self._read_use(element, look, matrix, clear, depth)
        else:
            yield from self._shape(_outline(name, element), look, matrix, clear)

    def _read_use(
        self, element: Element, look: Mapping[str, str], matrix: Matrix, clear: float, depth: int
    ) -> Iterator[Shape]:
        name = _reference_id(element)
        if name not in self._named:
            raise Undrawable(f"it uses {name!r}, which is not there")
        moved = _times(matrix, (1, 0, 0, 1, _length(element, "x"), _length(element, "y")))
        target = self._named[name]
        parts = list(target) if str(target.tag).endswith("}symbol") else [target]
        for one in parts:
            yield from self.shapes(one, look, moved, clear, depth + 1)

    def _shape(self, steps: list[Step], look: Mapping[str, str], matrix: Matrix, clear: float) -> Iterator[Shape]:
        fill, edge = self._colour(look["fill"], look), self._colour(look["stroke"], look)
        a, b, c, d, _, _ = matrix
        thick = _number(look["stroke-width"]) * sqrt(abs(a * d - b * c))
        moved = tuple((kind, tuple(_transform_point(matrix, *point) for point in points)) for kind, points in steps)
        if moved and (fill or (edge and thick)):
            ends = ("butt", "round", "square"), ("miter", "round", "bevel")
            yield Shape(
                moved, fill, edge if thick else "", thick,
                (clear * _share(look["fill-opacity"]), clear * _share(look["stroke-opacity"])),
                look["fill-rule"] == "evenodd",
                (_among(look["stroke-linecap"], ends[0]), _among(look["stroke-linejoin"], ends[1])),
            )  # fmt: skip

    def _colour(self, text: str, look: Mapping[str, str]) -> str:
        text = text.strip()
        if text in ("none", "transparent"):
            return ""
        if text.startswith("url("):
            return self._mean(text[4:].partition(")")[0].strip(" '\"").removeprefix("#"), look, 0)
        return _hex(look["color"] if text.lower() == "currentcolor" else text)

    def _mean(self, name: str, look: Mapping[str, str], depth: int) -> str:
        """Return the mean of the colours of a gradient."""
        found = self._named.get(name)
        if found is None or not str(found.tag).endswith("Gradient") or depth > DEEPEST:
            raise Undrawable(f"it is filled with {name!r}, which is no gradient")
        stops = [{**one.attrib, **_style(one.get("style", ""))} for one in found if str(one.tag).endswith("}stop")]
        other = _reference_id(found)
        if not stops:
            return self._mean(other, look, depth + 1) if other else ""
        colours = [self._colour(one.get("stop-color", "black"), look) or "#ffffff" for one in stops]
        parts = [sum(int(one[at : at + 2], 16) for one in colours) // len(colours) for at in (1, 3, 5)]
        return "#{:02x}{:02x}{:02x}".format(*parts)


# ---- what is written in attributes


def _outline(name: str, element: Element) -> list[Step]:
    """Return the outline of an element. Raises Undrawable: it has none that is followed."""
    size = {key: _length(element, key) for key in "x y width height cx cy r rx ry x1 y1 x2 y2".split()}
    match name:
        case "path":
            return trace_path(element.get("d", ""))
        case "rect":
            return _rectangle(element, size)
        case "circle":
            return _ellipse(size["cx"], size["cy"], size["r"], size["r"]) if size["r"] > 0 else []
        case "ellipse":
            return _ellipse(size["cx"], size["cy"], size["rx"], size["ry"]) if size["rx"] > 0 < size["ry"] else []
        case "line":
            return [("M", ((size["x1"], size["y1"]),)), ("L", ((size["x2"], size["y2"]),))]
        case "polyline" | "polygon":
            numbers = list(map(float, _NUMBER.findall(element.get("points", ""))))
            points = list(zip(numbers[::2], numbers[1::2], strict=False))
            steps: list[Step] = [("L" if number else "M", (point,)) for number, point in enumerate(points)]
            return [*steps, ("Z", ())] if name == "polygon" and steps else steps
    raise Undrawable(f"it holds {name!r}, which is no area and no line")


class _Pen:
    """Collects the steps of a path as absolute points, for fontTools. Quadratic curves become cubic ones."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def moveTo(self, point: Point) -> None:
        self.steps.append(("M", (point,)))

    def lineTo(self, point: Point) -> None:
        self.steps.append(("L", (point,)))

    def curveTo(self, *points: Point) -> None:
        self.steps.append(("C", points))

    def qCurveTo(self, handle: Point, end: Point) -> None:
        start = self.steps[-1][1][-1]
        one, other = (tuple(a + (b - a) * 2 / 3 for a, b in zip(at, handle, strict=True)) for at in (start, end))
        self.steps.append(("C", ((one[0], one[1]), (other[0], other[1]), end)))

    def closePath(self) -> None:
        self.steps.append(("Z", ()))

    def endPath(self) -> None:
        """Leave a part open."""


def trace_path(text: str) -> list[Step]:
    """Return the steps of the ``d`` of a path. Raises ValueError: it is not a path."""
    from fontTools.svgLib.path import parse_path  # the extra ``print``

    if other := re.search(r"[^MLHVCSQTAZE0-9+\-.,\s]", text, re.I):  # fontTools would skip it
        raise ValueError(f"the path has {other[0]!r}, which is no command")
    pen = _Pen()
    parse_path(" ".join(text.split()), pen)  # it takes no line ends between flags
    return pen.steps


def _ellipse(x: float, y: float, wide: float, high: float) -> list[Step]:
    """Return an ellipse around a point."""
    half = f"A{wide} {high} 0 0 1"
    return trace_path(f"M{x + wide} {y}{half} {x - wide} {y}{half} {x + wide} {y}z")


def _rectangle(element: Element, size: Mapping[str, float]) -> list[Step]:
    x, y, wide, high = (size[key] for key in ("x", "y", "width", "height"))
    if wide <= 0 or high <= 0:
        return []
    rx = size["rx"] if element.get("rx") else size["ry"]
    ry = size["ry"] if element.get("ry") else size["rx"]
    rx, ry = min(rx, wide / 2), min(ry, high / 2)
    if rx <= 0 or ry <= 0:
        return trace_path(f"M{x} {y}h{wide}v{high}h{-wide}z")
    turn = f"a{rx} {ry} 0 0 1"
    across, down = wide - 2 * rx, high - 2 * ry
    return trace_path(
        f"M{x + rx} {y}h{across}{turn} {rx} {ry}v{down}{turn} {-rx} {ry}h{-across}{turn} {-rx} {-ry}v{-down}"
        f"{turn} {rx} {-ry}z"
    )


def _reference_id(element: Element) -> str:
    """Return the id of another element that is meant, as it is written today or as it was with XLink."""
    found = (value for key, value in element.attrib.items() if key == "href" or key.endswith("}href"))
    return next(found, "").removeprefix("#")


def _style(text: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in text.split(";") if ":" in part)
    return {key.strip(): value.replace("!important", "").strip() for key, _, value in pairs}


def _length(element: Element, key: str) -> float:
    return _number(element.get(key, "0"))


def _number(text: str) -> float:
    """Return a length in the measure of the picture. Raises Undrawable: it is in another one."""
    text = text.strip().removesuffix("px")
    if _NUMBER.fullmatch(text) is None:
        raise Undrawable(f"a length is {text!r}, and not a plain number")
    return float(text)


def _share(text: str) -> float:
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    return max(0.0, min(1.0, value))


def _among(text: str, names: tuple[str, ...]) -> int:
    return names.index(text) if text in names else 0


def _hex(text: str) -> str:
    """Return a colour as ``#rrggbb``."""
    from PIL import ImageColor  # it comes with what writes PDF

    try:
        return "#{:02x}{:02x}{:02x}".format(*ImageColor.getrgb(text)[:3])
    except ValueError:
        raise Undrawable(f"{text!r} is no colour that is known") from None


def _transform(text: str) -> Matrix:
    matrix = PLAIN
    for name, given in _FUNCTION.findall(text):
        matrix = _times(matrix, _one(name, [float(one) for one in _NUMBER.findall(given)]))
    return matrix


def _one(name: str, given: list[float]) -> Matrix:
    match name, given:
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
        case "translate", [x, *y]:
            return (1, 0, 0, 1, x, y[0] if y else 0)
        case "scale", [x, *y]:
            return (x, 0, 0, y[0] if y else x, 0, 0)
        case "rotate", [angle, *around]:
            cosine, sine = cos(radians(angle)), sin(radians(angle))
            p, q = (around[0], around[1]) if len(around) > 1 else (0.0, 0.0)
            return (cosine, sine, -sine, cosine, p - cosine * p + sine * q, q - sine * p - cosine * q)
        case "skewX", [angle]:
            return (1, 0, tan(radians(angle)), 1, 0, 0)
        case "skewY", [angle]:
            return (1, tan(radians(angle)), 0, 1, 0, 0)
    raise Undrawable(f"it is moved by {name!r} in a way that is not known")


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def _transform_point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
