"""Previews of options. They are computed on request, because they may need sampled worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patolli.play.scene.foresight import consequences
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene
from patolli.play.scene.several import Several
from patolli.run.runtime import Option
from patolli.serve.studio.ahead import ahead_of
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.table import Table

MOST = 12
"""For so many options :func:`previews` shows the effects; with more, a client asks for one at a time."""


def previews(table: Table, who: int) -> dict[str, Any]:
    """Return known effects of the first options of the open decision, by index. Raises Refused: not its turn."""
    match = ahead_of(table, who) or table.match
    decision = match.decision
    if decision is None or table.eye(who) != decision.player:
        raise Refused(409, "it is not your turn")
    scene = Scene(match, decision.player)
    hints = Hints(scene, decision)
    options = decision.options[:MOST] if decision.question.kind != "several" else ()
    return {"revision": table.revision, "options": {option.index: _list_effects(hints, option) for option in options}}


def _list_effects(hints: Hints, option: Option) -> dict[str, Any]:
    """Return what an option changes, losses first, and what it asks next; ``random`` if that cannot be known."""
    changes = hints.list_changes(option)
    if changes is None:
        return {"changes": [], "asks": "", "random": True}
    changes.sort(key=lambda change: change[1] > 0)
    shown = [{"words": words, "amount": amount, **_icon_of(hints.scene, id_)} for id_, amount, words in changes]
    return {"changes": shown, "asks": hints.asks_next(option), "random": False}


def _icon_of(scene: Scene, id_: str) -> dict[str, str]:
    symbol = scene.symbols.get(id_)
    if symbol is None or not symbol.icon:
        return {}
    return {"icon": symbol.icon, "colour": symbol.colour}


def preview(table: Table, who: int, index: int, chosen: Sequence[str] = ()) -> dict[str, Any]:
    """Return the known effects of an option: a short line, and sentences.

    If several things are chosen together, *chosen* has the labels of those selected before, and *index* continues over
    the options that are offered only after others. Only the last option of such a choice has a preview.

    Raises:
        Refused: It is not the turn of this client, or there is no such option.
    """
    match = ahead_of(table, who) or table.match
    decision = match.decision
    if decision is None or table.eye(who) != decision.player:
        raise Refused(409, "it is not your turn")
    options = decision.options
    several = Several(match, chosen) if decision.question.kind == "several" else None
    options = options if several is None else several.every
    if not 0 <= index < len(options):
        raise Refused(404, f"there is no option {index}")
    option = options[index]
    if several is not None and (chosen or index >= len(decision.options)):
        behind = several.behind(option)
        if behind is None:
            return {"revision": table.revision, "index": index, "tells": "", "comes": []}
        match, option = behind
        assert match.decision is not None
        decision = match.decision
    hints = Hints(Scene(match, decision.player), decision)
    return {
        "revision": table.revision, "index": index, "tells": hints.describe(option).plain,
        "comes": consequences(hints, option),
    }  # fmt: skip
