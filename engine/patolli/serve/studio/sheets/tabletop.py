"""Writes cards, tokens and boards as a saved object of Tabletop Simulator, with their pictures.

In:     a ruleset, and a selection of its pieces.
Out:    files by name: the saved object as JSON, and sheets of pictures as PNG.
Errors: those of ``sheet``.

A deck is ``DeckCustom``: its ``CustomDeck`` has numbered sheets of faces in rows and columns, and the id of a card is a
hundred times the number of its sheet plus the index of its face. A single card is ``CardCustom``; tokens and boards are
``Custom_Tile``. The fields are those that the program itself saves; its knowledge base describes them under "Custom
Deck" and "Save File Format".
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

from patolli.language.sources.atomic_files import write_whole
from patolli.run.runtime import Ruleset
from patolli.serve.studio.drawing.fonts import cut
from patolli.serve.studio.drawing.marks import Box, Drawing, shift_mark
from patolli.serve.studio.drawing.raster import raster
from patolli.serve.studio.sheets.sheet import TOKEN, Print, Wanted, refuse_strange, select_print

ACROSS, DOWN = 10, 7
"""Most faces in a row and in a column of a sheet. The last place of a full sheet stays free."""
PIXELS = 10.0
"""Pixels per millimeter, if the picture is not larger than ``LARGEST``."""
LARGEST = 4096
"""Most pixels in a row or column of a picture, which every graphics card loads."""
UNIT = 28.6
"""Millimeters that a unit of length on the table stands for, if a card of 63 mm is as large as in the program."""
GAP = 3.2
"""Units between two decks, which are 2.2 wide."""
NAME = "tabletop"
"""The name of the saved object, without its ending."""

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The files that were written, the saved object first. ``short`` names the cards with cut texts."""

    files: tuple[Path, ...]
    short: tuple[str, ...]


@dataclass(slots=True)
class _Table:
    """The objects on the table, and the pictures that they need, by the name of their file."""

    folder: Path
    foot: str
    pictures: dict[str, Drawing] = field(default_factory=dict)
    objects: list[Data] = field(default_factory=list)
    sheets: int = 0

    def link(self, name: str, drawing: Drawing) -> str:
        """Remember a picture, and return the address at which it is found."""
        self.pictures[name] = drawing
        return (self.folder / name).absolute().as_uri()

    def place(self, data: Data, wide: float = 2.2) -> None:
        """Put an object beside the others, eight in a row."""
        row, column = divmod(len(self.objects), 8)
        spot = {"posX": (column - 3.5) * max(GAP, wide), "posY": 1.5, "posZ": 8.0 - row * 4.5}
        self.objects.append({**data, "Transform": data["Transform"] | spot})


def write_tabletop(rules: Ruleset, folder: Path, wanted: Wanted | None = None) -> Tabletop:
    """Write the saved object of a ruleset and its pictures into a folder.

    Raises:
        NotAllowed: The license of one of its packs does not allow copies.
        NoPrinter: The library for pictures is not installed.
        SheetError: A name is unknown, there is nothing to print, or a text cannot be drawn.
        OSError: A file cannot be written.
    """
    found = select_print(rules, wanted or Wanted())
    table = _Table(folder, found.foot)
    _add_decks(table, found, rules.title)
    for name, drawing, copies in _count(found.tokens):
        picture = table.link(f"token_{len(table.pictures)}.png", drawing)
        for _ in range(copies):
            table.place(_tile(name, found.foot, picture, TOKEN / UNIT / 2, flat=False))
    for name, drawing in found.boards:
        picture = table.link(f"board_{len(table.pictures)}.png", drawing)
        table.place(_tile(name, found.foot, picture, drawing.high / UNIT / 2, flat=True), drawing.wide / UNIT)
    refuse_strange(table.pictures.values())
    folder.mkdir(parents=True, exist_ok=True)
    files = [(f"{NAME}.json", (json.dumps(_save(rules.title, table), indent=1) + "\n").encode())]
    files += [(name, _png(drawing)) for name, drawing in table.pictures.items()]
    for name, data in files:
        write_whole(folder / name, data)
    short = dict.fromkeys(name for name, drawing in (*found.cards, *found.tokens) if drawing.short)
    return Tabletop(tuple(folder / name for name, _ in files), tuple(short))


def _png(drawing: Drawing) -> bytes:
    buffer = BytesIO()
    scale = min(PIXELS, LARGEST / drawing.wide, LARGEST / drawing.high)
    raster(drawing, scale).save(buffer, "PNG")
    return buffer.getvalue()


def _count(drawings: Iterable[tuple[str, Drawing]]) -> list[tuple[str, Drawing, int]]:
    """Return each drawing once with the number of its copies, which stand beside each other."""
    alike = [list(group) for _, group in groupby(drawings, lambda one: (one[0], id(one[1])))]
    return [(*group[0], len(group)) for group in alike]


def _add_decks(table: _Table, found: Print, title: str) -> None:
    """Add a deck for each kind of cards."""
    if not found.cards:
        return
    wide, high = found.size
    back = table.link("back.png", _back(wide, high, title))
    for kind, cards in found.decks:
        faces, ids, sheets = _count(cards), list[tuple[int, str]](), dict[str, Data]()
        for first in range(0, len(faces), ACROSS * DOWN - 1):
            part = faces[first : first + ACROSS * DOWN - 1]
            table.sheets += 1
            columns, rows, drawing = _lay([one for _, one, _ in part], wide, high)
            picture = table.link(f"faces_{table.sheets}.png", drawing)
            sheets[str(table.sheets)] = {
                "FaceURL": picture, "BackURL": back, "NumWidth": columns, "NumHeight": rows, "BackIsHidden": True,
                "UniqueBack": False, "Type": 0,
            }  # fmt: skip
            ids += [(100 * table.sheets + n, name) for n, (name, _, copies) in enumerate(part) for _ in range(copies)]
        table.place(_deck(kind, table.foot, ids, sheets))


def _lay(drawings: Sequence[Drawing], wide: float, high: float) -> tuple[int, int, Drawing]:
    """Return the columns and rows of a sheet, at least two of each as the program requires, and the sheet."""
    places = len(drawings) + 1
    columns = max(2, math.ceil(math.sqrt(places)), math.ceil(places / DOWN))
    rows = max(2, math.ceil(places / columns))
    sheet = Drawing(columns * wide, rows * high)
    for n, one in enumerate(drawings):
        sheet.marks += [shift_mark(mark, n % columns * wide, n // columns * high) for mark in one.marks]
    return columns, rows, sheet


def _back(wide: float, high: float, title: str) -> Drawing:
    drawing = Drawing(
        wide, high, [Box(0, 0, wide, high, "#24594a"), Box(3, 3, wide - 6, high - 6, "", "#f4efe2", 0.6, 3)]
    )
    drawing.write_centered(wide / 2, high / 2, cut(title, wide - 12, 13, True), 13, "#f4efe2", True)
    return drawing


def _deck(kind: str, foot: str, ids: Sequence[tuple[int, str]], sheets: dict[str, Data]) -> Data:
    """Return a deck, or what stands for a single card."""
    cards = [
        {**_object("Card" if len(ids) > 1 else "CardCustom", name, foot), "CardID": id_, "SidewaysCard": False,
         "CustomDeck": {key: sheets[key] for key in [str(id_ // 100)]}}
        for id_, name in ids
    ]  # fmt: skip
    if len(cards) == 1:
        return cards[0]
    return {
        **_object("DeckCustom", kind, foot), "SidewaysCard": False, "DeckIDs": [id_ for id_, _ in ids],
        "CustomDeck": sheets, "ContainedObjects": cards,
    }  # fmt: skip


def _tile(name: str, foot: str, picture: str, scale: float, flat: bool) -> Data:
    """Return a tile with a picture on both sides: a *flat* board that is locked, or a token with round corners."""
    image = {
        "ImageURL": picture, "ImageSecondaryURL": picture, "ImageScalar": 1.0, "WidthScale": 0.0,
        "CustomTile": {"Type": 0 if flat else 3, "Thickness": 0.1, "Stackable": False, "Stretch": True},
    }  # fmt: skip
    made = _object("Custom_Tile", name, foot, face_up=True)
    made["Transform"] |= {"scaleX": scale, "scaleZ": scale}
    return {**made, "Locked": flat, "CustomImage": image}


def _object(name: str, nickname: str, description: str, face_up: bool = False) -> Data:
    turn = {"rotX": 0.0, "rotY": 180.0, "rotZ": 0.0 if face_up else 180.0}
    return {
        "Name": name,
        "Transform": {"posX": 0.0, "posY": 1.5, "posZ": 0.0, **turn, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0},
        "Nickname": nickname, "Description": description, "ColorDiffuse": {"r": 0.713, "g": 0.713, "b": 0.713},
        "Locked": False, "Grid": True, "Snap": True, "Autoraise": True, "Sticky": True, "Tooltip": True,
    }  # fmt: skip


def _save(title: str, table: _Table) -> Data:
    return {
        "SaveName": title, "GameMode": "", "Date": "", "Table": "", "Sky": "", "Note": table.foot, "Rules": "",
        "LuaScript": "", "LuaScriptState": "", "ObjectStates": table.objects,
    }  # fmt: skip
