"""Covers of games: one panel of a match of random choices, which the start page draws as the picture of a game.

``GET /api/covers/PACK``: ``{scene: {players, panels: [PANEL], nouns}}``, or ``{scene: null}`` for a game without panels
or that cannot be loaded. The match exists only for its picture, so its cover hides nothing from anyone.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from patolli.author.workspace import load
from patolli.language.diagnostics import ContentError
from patolli.language.sources import Mapping, plain
from patolli.run.runtime import MatchError
from patolli.serve.studio.scene import scene_of
from patolli.serve.studio.shelf import watch_files
from patolli.serve.studio.wire import answer, wire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.author.workspace.file_watch import Watch
    from patolli.run.runtime import Ruleset

Data = dict[str, Any]
AFTER = 16
"""Choices until the picture is taken, if the pack does not say."""
SEED = 4
DRAWN = ("grid", "ring", "columns", "track")
"""Kinds of panels that make a good picture by themselves."""
_covers: dict[str, tuple[Watch, Data]] = {}
"""Covers by the id of the game, with a watch of its files. Used in the thread of what takes long."""


async def cover(request: Request) -> Response:
    """``GET /api/covers/PACK``."""
    wire(request).inside(request)
    return answer(await wire(request).registry.beside(find_cover, request.path_params["pack"]))


def find_cover(pack: str) -> Data:
    """Return the cover of an installed game; drawn once for its content."""
    known = _covers.get(pack)
    if known is None or known[0].detect_change():
        try:
            rules = load(pack)
        except (ContentError, ValueError):
            _covers.pop(pack, None)
            return {"scene": None}
        known = _covers[pack] = watch_files(rules), {"scene": draw_cover(rules)}
    return known[1]


def draw_cover(rules: Ruleset) -> Data | None:
    """Return the scene of a match of random choices with only the panel of the cover; None without one."""
    declared = rules.packs[0].manifest.get("cover")
    wanted = plain(declared) if isinstance(declared, Mapping) else {}
    assert isinstance(wanted, dict)
    match, random = rules.start(max(rules.players[0], min(2, rules.players[1])), seed=SEED), Random(SEED)
    after = wanted.get("moves", AFTER)
    try:
        for _ in range(after if isinstance(after, int) else AFTER):
            if match.over:
                break
            assert match.decision is not None
            match.choose(random.randrange(len(match.decision.options)))
    except MatchError:
        return None
    scene = scene_of(match, 0)
    named = [panel for panel in scene["panels"] if panel["id"] == wanted.get("panel")]
    mains = [panel for panel in scene["panels"] if panel.get("main")]
    boards = [panel for panel in mains if panel["shows"] in DRAWN or "links" in panel]
    cards = [panel for panel in scene["panels"] if panel.get("form") == "hand"]
    found = [*named, *boards, *cards, *mains, *scene["panels"]][:1]
    inside = [panel for panel in scene["panels"] if panel not in found and panel["shows"] == "grid" and _is_ring(found)]
    return {"players": scene["players"], "panels": [*found, *inside[:1]], "nouns": scene["nouns"]} if found else None


def _is_ring(found: list[Data]) -> bool:
    """Return whether the panel is a ring, in whose middle a board is drawn."""
    return any(panel["shows"] == "ring" for panel in found)
