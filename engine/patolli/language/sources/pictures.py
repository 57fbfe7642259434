"""Pictures that a pack brings: what they may be, so that looking at a pack is as safe as reading one.

In:     the bytes of a file, and how its name ends.
Out:    what is wrong with it; nothing for a picture that can be shown.

A page shows them as pictures, in which browsers run no script and load nothing. What could do so is refused all the
same: a file may be opened in other programs, without that safety. So an SVG holds nothing but elements,
attributes, properties and functions that are known to draw, and no more of them than a browser draws at once.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

from patolli.language.sources.archive import read_bytes

LARGEST, WIDEST = 300_000, 2048
"""Bytes of a picture, and dots of one side of a PNG."""
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
_PNG = b"\x89PNG\r\n\x1a\n"
_SPACE = "/2000/svg"
"""How the namespace of SVG ends."""
_LINK = ("/1999/xlink}href", "/XML/1998/namespace}space", "/XML/1998/namespace}lang")
"""Attributes of other namespaces that a picture may hold."""
ELEMENTS = frozenset(
    "svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath style"
    " linearGradient radialGradient stop pattern clipPath mask marker filter feBlend feColorMatrix feComposite"
    " feDropShadow feFlood feGaussianBlur feMerge feMergeNode feOffset".split()
)
"""What a picture may hold: elements that draw, and nothing that runs, moves, loads, or belongs to another language."""
PROPERTIES = frozenset(
    "alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters"
    " color-rendering direction display dominant-baseline enable-background fill fill-opacity fill-rule filter"
    " flood-color flood-opacity font stretch numeric image-rendering isolation letter-spacing line-height marker"
    " marker-end marker-mid marker- start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events"
    " shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-"
    " linejoin stroke-miterlimit stroke-opacity stroke-width transform transform-origin unicode-bidi vector-effect"
    " visibility white-space word-spacing writing-mode".split()
)
WRITING = ("font-", "text-")
"""What a style may say, and an attribute as well; besides all that has to do with letters."""
ATTRIBUTES = PROPERTIES | frozenset(
    "baseProfile class clipPathUnits cx cy d dx dy edgeMode filterUnits fr fx fy gradientTransform gradientUnits"
    " height href id in in2 k1 k2 k3 k4 lang lengthAdjust markerHeight markerUnits markerWidth maskContentUnits"
    " maskUnits media mode offset operator orient pathLength patternContentUnits patternTransform patternUnits"
    " points preserveAspectRatio primitiveUnits r refX refY result role rotate rx ry spreadMethod startOffset"
    " stdDeviation style systemLanguage tabindex textLength title type values version viewBox width x x1 x2 y y1 y2"
    " method spacing side".split()
)
FUNCTIONS = frozenset("url rgb rgba hsl hsla matrix translate scale rotate skewx skewy translatex translatey".split())
"""Functions of styles and attributes; ``url`` names a part of the same picture."""
DRAWN, DEEPEST = 50_000, 200
"""Elements that are drawn, each as often as it is used; and how deep they lie in each other."""
_FUNCTION = re.compile(r"(?<![\w-])([\w-]++)\s*+\(")
_URL = re.compile(r"url\(\s*(['\"]?)#([\w.:-]+)\1\s*\)", re.IGNORECASE)
_ANY_URL = re.compile(r"url\s*\(", re.IGNORECASE)
_DECLARED = re.compile(r"(?:^|[;{])\s*+([^\s:;{}]++)\s*+:(?=[^{};]*(?:[;}]|$))")
_NUMBER = re.compile(r"[\d.]+")


def read_picture(path: Path) -> tuple[bytes, str]:
    """Return a picture, and what is wrong with it. Raises OSError: it cannot be read."""
    data = read_bytes(path, LARGEST + 1)
    return data, flaw(data, path.suffix)


def flaw(data: bytes, suffix: str) -> str:
    """Say what is wrong with a picture; nothing where it can be shown."""
    if len(data) > LARGEST:
        return f"it has more than {LARGEST:,} bytes"
    return _svg(data) if suffix == ".svg" else _png(data)


def _png(data: bytes) -> str:
    if not data.startswith(_PNG) or len(data) < 33 or data[12:16] != b"IHDR":
        return "it is not a PNG"
    wide, high = struct.unpack(">II", data[16:24])
    return "" if 0 < wide <= WIDEST and 0 < high <= WIDEST else f"it is larger than {WIDEST} by {WIDEST} dots"


def _svg(data: bytes) -> str:
    from xml.etree import ElementTree

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "it is not UTF-8 text"
    if re.search(r"<!(DOCTYPE|ENTITY)|<\?xml-stylesheet", text, re.IGNORECASE):
        return "it declares a document type, entities or its own style sheet"
    try:
        root = ElementTree.fromstring(text)  # without entities nothing in it can grow
    except (ElementTree.ParseError, RecursionError):
        return "it is not XML"
    space, _, name = root.tag.rpartition("}")
    if not space.endswith(_SPACE) or name != "svg":
        return "it is not an SVG: its root is not 'svg', in the namespace of SVG"
    if "viewBox" not in root.attrib:
        return "its root has no 'viewBox', so its size is unknown"
    odd = next((words for element in root.iter() if (words := _element(element, space))), "")
    return odd or _Expansion(root).flaw()


def _element(element: ElementTree.Element, svg: str) -> str:
    space, _, name = element.tag.rpartition("}")
    if space != svg or name not in ELEMENTS:
        return f"it contains {name!r}, which is not part of a drawing; export it as plain SVG"
    if name == "style" and (words := _style("".join(element.itertext()))):
        return words
    for key, value in element.attrib.items():
        space, _, short = key.rpartition("}")
        known = key.endswith(_LINK) if space else short in ATTRIBUTES or short.startswith(("data-", "aria-", *WRITING))
        if not known:
            return f"it contains {short!r}, which no drawing needs; export it as plain SVG"
        if short == "href" and not re.fullmatch(r"#[\w.:-]+", value.strip()):
            return "it names another file; a picture must be complete"
        if short == "style" and (words := _style(value)):
            return words
        if _paints(short) and (words := _value(value)):
            return words
    return ""


def _paints(name: str) -> bool:
    return name in PROPERTIES or name.startswith(WRITING)


def _style(text: str) -> str:
    """Say what is wrong with a style, or a sheet of them."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    if "@" in text:
        return "its style loads something, or moves: '@' is for style sheets of pages"
    odd = next((one for one in _DECLARED.findall(text) if not _paints(one.lower()) and one[:1] != "-"), "")
    return f"its style says {odd!r}, which no drawing needs" if odd else _value(text)


def _value(text: str) -> str:
    """Say what is wrong with what a style or an attribute says."""
    if "\\" in text:
        return "its style contains a backslash, which could hide anything"
    if len(_ANY_URL.findall(text)) != len(_URL.findall(text)):
        return "it names another file; a picture must be complete"
    odd = next((one for one in _FUNCTION.findall(text) if one.lower() not in FUNCTIONS), "")
    return f"its style contains {odd!r}, which no drawing needs" if odd else ""


class _Expansion:
    """How many elements are drawn when each is drawn as often as it is used: few bytes may say ever so many."""

    def __init__(self, root: ElementTree.Element) -> None:
        self._root = root
        self._named = {one.get("id"): one for one in root.iter() if one.get("id")}
        self._sheets = "".join("".join(one.itertext()) for one in root.iter() if str(one.tag).endswith("}style"))
        self._known: dict[ElementTree.Element, tuple[int, int] | None] = {}

    def flaw(self) -> str:
        """Say what is wrong with it; nothing where a browser draws it at once."""
        try:
            self._count_elements(self._root, 0)
        except OverflowError as error:
            return str(error)
        return ""

    def _count_elements(self, element: ElementTree.Element, depth: int) -> tuple[int, int]:
        """Return how many elements one draws, and how many points the longest line in it may have.

        What it is painted with is drawn for each of them, and a marker at each point, as the parts of an element
        inherit both.
        """
        if element in self._known:
            found = self._known[element]
            if found is None:
                raise OverflowError("a part of it is used to draw itself")
            return found
        if depth > DEEPEST:
            raise OverflowError(f"its parts lie more than {DEEPEST} deep in each other")
        self._known[element] = None
        inside = [self._count_elements(one, depth + 1) for one in element]
        said = [(key.rpartition("}")[2], value) for key, value in element.attrib.items()]
        used = [self._named.get(value.strip()[1:]) for key, value in said if key == "href"]
        inside += [self._count_elements(one, depth + 1) for one in used if one is not None]
        drawn = 1 + sum(number for number, _ in inside)
        points = max([len(_NUMBER.findall(element.get("d") or element.get("points") or "")), *(at for _, at in inside)])
        text = self._sheets if element is self._root else ""  # a sheet may mean any element
        times = 1
        for value in (text, *(value for key, value in said if _paints(key) or key == "style")):
            for _, name in _URL.findall(value):
                part = self._named.get(name)
                if part is not None and not str(part.tag).endswith("Gradient"):
                    each, _ = self._count_elements(part, depth + 1)
                    times += each * (points if str(part.tag).endswith("}marker") else 1)
        if drawn * times > DRAWN:
            raise OverflowError(f"it draws more than {DRAWN:,} elements, as parts of it are used again and again")
        self._known[element] = (drawn * times, points)
        return drawn * times, points
