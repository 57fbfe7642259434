"""Pictures that a pack brings: what they may be, so that whoever looks at a pack is as safe as who reads one.

In:     the bytes of a file, and how its name ends.
Out:    what is wrong with it; nothing for a picture that can be shown.

A page shows them as pictures, in which browsers run no script and load nothing. What could do so is refused all the
same: a file may be opened in other programs, and then nobody would know.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

from patolli.sources.archive import read_bytes

LARGEST, WIDEST = 300_000, 2048
"""Bytes of a picture, and dots of one side of a PNG."""
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
_PNG = b"\x89PNG\r\n\x1a\n"
_ROOT = "/2000/svg}svg"
_ACTIVE = frozenset(
    "script foreignobject iframe embed object audio video handler listener set animate animatetransform"
    " animatemotion".split()
)
"""Elements that run something, move, or bring what is no drawing."""
_OUTSIDE = re.compile(r"url\(\s*['\"]?\s*(?!#)|@import|expression\(|javascript:", re.IGNORECASE)
"""What a style or an attribute says to fetch something."""


def read_picture(path: Path) -> tuple[bytes, str]:
    """Return a picture, and what is wrong with it.

    Raises:
        OSError: It cannot be read.
    """
    data = read_bytes(path, LARGEST + 1)
    return data, flaw(data, path.suffix)


def flaw(data: bytes, suffix: str) -> str:
    """Say what is wrong with a picture; nothing where it can be shown."""
    if len(data) > LARGEST:
        return f"it has more than {LARGEST:,} bytes"
    return _svg(data) if suffix == ".svg" else _png(data)


def _png(data: bytes) -> str:
    if not data.startswith(_PNG) or len(data) < 33 or data[12:16] != b"IHDR":
        return "it is no PNG"
    wide, high = struct.unpack(">II", data[16:24])
    return "" if 0 < wide <= WIDEST and 0 < high <= WIDEST else f"it is larger than {WIDEST} by {WIDEST} dots"


def _svg(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "it is no text in UTF-8"
    if re.search(r"<!(DOCTYPE|ENTITY)|<\?xml-stylesheet", text, re.IGNORECASE):
        return "it declares a document type, entities or a style sheet of its own"
    try:
        root = ElementTree.fromstring(text)  # without entities nothing in it can grow
    except (ElementTree.ParseError, RecursionError):
        return "it is no XML"
    if not str(root.tag).endswith(_ROOT):
        return "it is no SVG: its root is not 'svg', in the namespace of SVG"
    if "viewBox" not in root.attrib:
        return "its root has no 'viewBox', so nobody knows how large it is"
    return next((words for element in root.iter() if (words := _element(element))), "")


def _element(element: ElementTree.Element) -> str:
    name = str(element.tag).rpartition("}")[2]
    if name.lower() in _ACTIVE:
        return f"it holds {name!r}, which is no drawing"
    if name == "style" and _OUTSIDE.search("".join(element.itertext())):
        return "its style loads something"
    for key, value in element.attrib.items():
        short = key.rpartition("}")[2].lower()
        if short.startswith("on"):
            return f"it holds {short!r}, which would run something"
        if short in ("href", "src") and not value.startswith("#"):
            return "it names another file; a picture stands by itself"
        if _OUTSIDE.search(value):
            return f"its {short!r} names another file; a picture stands by itself"
    return ""


__all__ = ["LARGEST", "TYPES", "flaw", "read_picture"]
