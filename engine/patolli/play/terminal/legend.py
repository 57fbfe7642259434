"""What the signs on a screen mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from patolli.check.analysis.panels import Panel
from patolli.play.scene.seat_scene import Scene
from patolli.play.scene.sign_meanings import entries
from patolli.play.terminal.canvas import ink
from patolli.play.terminal.flow import abreast, fold_text, pad


def news(scene: Scene, panels: Sequence[Panel], known: set[str], width: int) -> list[Text]:
    """Return the legend of what was drawn and not explained before; *known* is brought up to date."""
    signs = [id_ for id_ in scene.used if id_ not in known]
    notes = [panel for panel in panels if panel.note and f"panel {panel.id}" not in known]
    known.update(signs, (f"panel {panel.id}" for panel in notes))
    return _format_entry(scene, signs, notes, width)


def lines(scene: Scene, panels: Sequence[Panel], width: int) -> list[Text]:
    """Return the legend of all that was drawn."""
    return _format_entry(scene, list(scene.used), [panel for panel in panels if panel.note], width)


def _format_entry(scene: Scene, signs: Iterable[str], notes: Iterable[Panel], width: int) -> list[Text]:
    said = [(ink(sign), words) for sign, words in entries(scene, signs)]
    wide = max((cell_len(sign.plain) for sign, _ in said), default=0)
    shown = [Text.assemble(pad(sign, wide + 1), words) for sign, words in said]
    found = [line for panel in notes for line in _panel_note(panel, width)] + abreast(shown, width, 3)
    return [Text("Signs ('?' explains all of them)", "bold"), *found] if found else []


def _panel_note(panel: Panel, width: int) -> list[Text]:
    return fold_text(Text(f"{panel.title}: ", "bold"), Text(panel.note), width)
