"""What the signs on a screen mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from patolli.play.terminal.flow import abreast, folded, pad

if TYPE_CHECKING:
    from patolli.check.analysis.panels import Panel
    from patolli.play.terminal.scene import Scene


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
    said = entries(scene, signs)
    wide = max((cell_len(sign.plain) for sign, _ in said), default=0)
    told = [Text.assemble(pad(sign, wide + 1), words) for sign, words in said]
    found = [line for panel in notes for line in _panel_note(panel, width)] + abreast(told, width, 3)
    return [Text("Signs ('?' explains all of them)", "bold"), *found] if found else []


def entries(scene: Scene, signs: Iterable[str]) -> list[tuple[Text, str]]:
    """Return signs with what each means, that of the player who looks first."""
    entries: dict[tuple[str, str], tuple[Text, list[str]]] = {}
    for id_ in sorted(
        signs, key=lambda id_: (id_ != scene.me, scene.used[id_][1] != "player", _is_composed(scene, id_))
    ):
        sign, words = scene.used[id_][0], meaning(scene, id_)
        if _is_composed(scene, id_) and any(plain == sign.plain for plain, _ in entries):
            continue  # what is seen of it now is one of its parts
        if words and words.lower() != sign.plain.lower():
            said = entries.setdefault((sign.plain, str(sign.style)), (sign, []))[1]
            said += [words] if words not in said else []
    return [(sign, ", ".join(said)) for sign, said in entries.values()]


def _is_composed(scene: Scene, id_: str) -> bool:
    """Tell whether a sign is made of others."""
    symbol = scene.symbols.get(id_)
    return symbol is not None and bool(symbol.show)


def _panel_note(panel: Panel, width: int) -> list[Text]:
    return folded(Text(f"{panel.title}: ", "bold"), Text(panel.note), width)


def meaning(scene: Scene, id_: str) -> str:
    """Return words for what a symbol stands for; empty where they would only say what its parts say."""
    symbol, (_, kind, name) = scene.symbols.get(id_), scene.used[id_]
    if symbol is not None and symbol.means:
        return symbol.means
    if kind == "player":
        return "you" if name == scene.me else scene.called.player(int(name.rpartition("_")[2]) - 1)
    if symbol is not None and symbol.show:
        told = [" or ".join(fact.replace("_", " ") for fact in facts) for facts in symbol.show]
        return f"{scene.called.noun(kind)}: {', '.join(told)}" if len(told) > 1 else ""
    if kind:
        return scene.called.noun(kind) if id_ == kind else scene.label(kind, name)
    if id_ in scene.model.counters or id_ in scene.model.places:
        return scene.title(id_)
    return id_.replace("_", " ")
