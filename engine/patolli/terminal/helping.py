"""The page of help: how to type, and what every sign and word on the screen means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from patolli.runtime.naming import first, words
from patolli.terminal.prompt import COMMANDS
from patolli.terminal.scene import STYLES, Scene

if TYPE_CHECKING:
    from patolli.runtime import Match
    from patolli.terminal.screen import Screen

SIGNS = (
    ("[ ]", "a cell that you can type"),
    ("·", "an empty cell, or nothing"),
    ("+2, -1", "behind an option: what it changes at once"),
    ("(anytime)", "can be done between the steps of a turn; what is asked is asked again"),
    ("...", "there is more; the line says what shows it"),
)
"""Signs that every game has, and what they mean."""


def page(screen: Screen, match: Match, seat: int) -> list[Text]:
    """Return all lines of the page."""
    lines = [
        Text("Type the number of an option, its words, or the beginning of them;", "bold"),
        Text("where cells of a board are marked, type a cell. Also:", "bold"),
        *_table((Text(name, "bold"), about) for name, about in COMMANDS.items()),
        Text("Signs:", "bold"),
        *_table((Text(sign), about) for sign, about in SIGNS),
    ]
    scene = Scene(match, seat)
    signs = [(sign, about) for sign, about in _signs(scene) if sign.plain]
    lines += [Text("Signs of this game:", "bold"), *_table(signs)] if signs else []
    counted = [(Text(_called(scene, name)), text) for name, text in _counters(scene)]
    lines += [Text("What is counted:", "bold"), *_table(counted)] if counted else []
    lines += [Text("Panels, by what 'show' takes:", "bold")]
    lines += _table((Text(id_), panel.title) for id_, panel in screen.panels.items())
    return [*lines, Text(f"  panels: {', '.join(screen.panels)}")]


def _table(rows: object) -> list[Text]:
    """Return pairs in two columns."""
    pairs = list(rows)  # type: ignore[call-overload]
    width = min(16, max((cell_len(left.plain) for left, _ in pairs), default=0))
    return [Text.assemble("  ", left, " " * max(2, width + 2 - cell_len(left.plain)), about) for left, about in pairs]


def _signs(scene: Scene) -> Iterator[tuple[Text, str]]:
    """Yield every sign that the packs declare, with what it stands for; players first."""
    names = scene.match.naming(scene.seat)
    for seat in range(scene.match.players):
        mine = " (you)" if seat == scene.seat else ""
        yield scene.mark("player", f"player_{seat + 1}"), f"{names.player(seat)}{mine}"
    for id_, symbol in scene.symbols.items():
        if symbol.sign and not id_.startswith("player_"):
            yield Text(symbol.sign, STYLES.get(symbol.colour, "")), _meaning(scene, id_)


def _meaning(scene: Scene, id_: str) -> str:
    """Return what a symbol stands for: a kind, a piece, a counter, or a fact that is true."""
    model, names = scene.model, scene.match.naming(scene.seat)
    if id_ in model.counters:
        return _called(scene, id_)
    if id_ in model.kinds:
        return names.noun(id_)
    for kind, instances in scene.layout.instances.items():
        for number, instance in enumerate(instances):
            if id_ == instance.id or (instance.design is not None and instance.design.id == id_):
                return names.piece(kind, number, shown=True)
    texts = [one.text for kind in model.kinds.values() for one in kind.fields.values() if one.name == id_]
    return first(next(iter(texts), "")) or words(id_)


def _called(scene: Scene, counter: str) -> str:
    return scene.match.naming(scene.seat).amount(counter, 2)


def _counters(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the counters of which a text says more than their name."""
    for name, counter in scene.model.counters.items():
        text = " ".join(counter.text.split())
        if text and counter.visible != "none" and text.rstrip(".").lower() != _called(scene, name).lower():
            yield name, text
