"""Read the symbols: how things are written in panels.

In:     a model, or a program.
Out:    the symbols by id.
Errors: none; ``panels`` checks the names in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from patolli.language.packs.composition import Entry
from patolli.language.program.model import Program
from patolli.language.resolve.model import Model
from patolli.language.sources import Mapping, Node, Scalar, Sequence

WORDS = ("sign", "colour", "means", "art", "icon")


@dataclass(frozen=True, slots=True)
class Symbol:
    """How something is written: a sign, a colour, or the facts and fields that stand for a piece.

    Of each item of ``show`` the first that says something counts. ``picture`` is a fact that is a list; ``rows`` says
    which of its items stand where. ``means`` are the words for the sign. ``art`` names a file
    in the folder of the pack, ``icon`` a shape of ``icon_names.txt`` that a page draws in place of the sign. ``card``
    says of a kind that its pieces look like playing cards: the facts with their rank and their suit. ``sides`` are
    lists of the four sides of a tile (the first that is known counts); ``draw`` says how each value looks,
    and ``node`` names a fact that is true if the lines of a tile do not join.
    """

    sign: str = ""
    colour: str = ""
    show: tuple[tuple[str, ...], ...] = ()
    means: str = ""
    picture: str = ""
    rows: tuple[tuple[int, ...], ...] = ()
    art: str = ""
    icon: str = ""
    card: tuple[tuple[str, str], ...] = ()
    sides: tuple[str, ...] = ()
    draw: tuple[tuple[str, str], ...] = ()
    node: str = ""


def symbols_of(model: Model | Program) -> dict[str, Symbol]:
    """Return the declared symbols by id."""
    return {entry.id: _symbol(entry) for entry in model.composition.all("symbols")}


def _symbol(entry: Entry) -> Symbol:
    words = {key: node.value for key in WORDS if isinstance(node := entry.get(key), Scalar)}
    card = entry.get("card")
    show, picture, tile = entry.get("show"), entry.get("picture"), entry.get("tile")
    sides, looks, node = map(tile.get, ("sides", "draw", "node")) if isinstance(tile, Mapping) else (None, None, None)
    items = show.items if isinstance(show, Sequence) else []
    of, rows = (picture.get("of"), picture.get("rows")) if isinstance(picture, Mapping) else (None, None)
    return Symbol(
        show=tuple(tuple(x.value for x in leaves(item)) for item in items),
        picture=of.value if isinstance(of, Scalar) else "",
        rows=tuple(_numbers_in(row) for row in rows.items) if isinstance(rows, Sequence) else (),
        sides=tuple(leaf.value for leaf in leaves(sides)),
        draw=tuple(_pairs(looks)),
        node=node.value if isinstance(node, Scalar) else "",
        card=tuple(_pairs(card)),
        **words,
    )


def leaves(node: Node | None) -> list[Scalar]:
    """Return a scalar, or the scalars of a list, at any depth."""
    if isinstance(node, Scalar):
        return [node]
    return [leaf for item in node.items for leaf in leaves(item)] if isinstance(node, Sequence) else []


def _pairs(node: Node | None) -> Iterator[tuple[str, str]]:
    for key, (_, value) in node.items.items() if isinstance(node, Mapping) else ():
        if isinstance(value, Scalar):
            yield key, value.value


def _numbers_in(node: Node) -> tuple[int, ...]:
    return tuple(int(leaf.value) for leaf in leaves(node) if leaf.value.isdigit())
