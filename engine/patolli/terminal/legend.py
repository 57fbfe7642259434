"""What the signs on a screen mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from patolli.terminal.boards import DIM
from patolli.terminal.flow import abreast, folded

if TYPE_CHECKING:
    from patolli.analysis.panels import Panel
    from patolli.terminal.scene import Scene


def news(scene: Scene, panels: Sequence[Panel], known: set[str], width: int) -> list[Text]:
    """Return the legend of what was drawn and not explained before; *known* is brought up to date."""
    signs = [id_ for id_ in scene.used if id_ not in known]
    notes = [panel for panel in panels if panel.note and f"panel {panel.id}" not in known]
    known.update(signs, (f"panel {panel.id}" for panel in notes))
    return _told(scene, signs, notes, width)


def lines(scene: Scene, panels: Sequence[Panel], width: int) -> list[Text]:
    """Return the legend of all that was drawn."""
    return _told(scene, list(scene.used), [panel for panel in panels if panel.note], width)


def _told(scene: Scene, signs: Iterable[str], notes: Iterable[Panel], width: int) -> list[Text]:
    entries = [entry for id_ in signs if (entry := _entry(scene, id_)) is not None]
    wide = max((cell_len(sign.plain) for sign, _ in entries), default=0)
    told = [Text.assemble(sign, " " * (wide + 1 - cell_len(sign.plain)), (words, DIM)) for sign, words in entries]
    found = [line for panel in notes for line in _note(panel, width)]
    found += abreast(told, width, 3)
    return [Text("Signs ('legend' shows all)", "bold"), *found] if found else []


def _note(panel: Panel, width: int) -> list[Text]:
    return folded(Text(f"{panel.title}: "), Text(panel.note, DIM), width)


def _entry(scene: Scene, id_: str) -> tuple[Text, str] | None:
    """Return a sign and its meaning; None where the sign says it already."""
    sign, words = scene.used[id_], meaning(scene, id_)
    return (sign, words) if words and sign.plain.lower() != words.lower() else None


def meaning(scene: Scene, id_: str) -> str:
    """Return words for what a symbol stands for."""
    symbol = scene.symbols.get(id_)
    if symbol is not None and symbol.means:
        return symbol.means
    if id_.startswith("player_"):
        return "you" if id_ == scene.me else id_.replace("_", " ")
    if symbol is not None and symbol.show:
        told = [" or ".join(fact.replace("_", " ") for fact in facts) for facts in symbol.show]
        return f"{id_.replace('_', ' ')}: {', '.join(told)}"
    if id_ in scene.model.counters or id_ in scene.model.places:
        return scene.title(id_)
    return id_.replace("_", " ")
