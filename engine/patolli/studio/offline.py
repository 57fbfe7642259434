"""What a page needs to play a game without the server: its rules as WebAssembly, names, and how its board looks.

``GET /api/offline/PACK?players=``: ``{module, floor, streams, memory, whole, title, players, names: {kind: [name, ..]},
ids: {kind: [[id, ..], ..]}, questions: {block: {kind, prompt, types, labels, decline}}, scene, boards: [{panel, slots:
{cell: slot}, marks: [..]}], left_out: [title, ..]}``; 409 with a sentence for games that cannot be played so.

The rules are those that simulations play natively (``patolli.native``); a page plays them step by step, with equal
digests. What makes scenes and words is Python, and does not run there: so only games are offered in which nothing is
hidden, no action is possible at any time, and the main boards show one field of each cell.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from patolli.analysis.panels import panels_of
from patolli.diagnostics import ContentError
from patolli.kernel.budget import WHOLE
from patolli.program import types as ty
from patolli.studio.opening import ID
from patolli.studio.refusals import Refused
from patolli.studio.scene import scene_of
from patolli.studio.scene.aims import Aims
from patolli.studio.scene.sketch import Sketch, id_of
from patolli.studio.wire import answer, wire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.analysis.panels import Panel
    from patolli.runtime import Match, Ruleset

Data = dict[str, Any]
PLACES = ("HEAP", "FLOOR", "HELD", "WHOLE", "TOP", "KEYS")
ASKED = ("choose", "menu", "repeat", "pause")
"""Questions whose answers a page can name by itself."""


async def package(request: Request) -> Response:
    """``GET /api/offline/PACK``."""
    wire(request).inside(request)
    pack, players = request.path_params["pack"], request.query_params.get("players", "")
    if not ID.fullmatch(pack) or not (players.isascii() and players.isdigit() and len(players) < 4):
        raise Refused(422, "name an installed pack, and the number of 'players'")
    hall = wire(request).hall
    try:
        rules = (await hall.read(hall.shelf.now, (pack, (), ()))).rules
    except ContentError as error:
        raise Refused(422, error.problems[0].message) from None
    return answer(await hall.read(package_of, rules, int(players)))


def package_of(rules: Ruleset, players: int) -> Data:
    """Return the package of a game.

    Raises:
        Refused: It cannot be played without a server; the words say why.
    """
    try:
        rules.allow(players)
    except ValueError as error:
        raise Refused(422, str(error)) from None
    match = rules.start(players, seed=0)
    if why := lacking(match):
        raise Refused(409, f"{rules.title} is not played without the server: {why}")
    sketch = Sketch(match, 0, {panel.id: panel for panel in panels_of(rules.model)})
    boards = [_board(sketch, panel) for panel in panels_of(rules.model) if _follows(match, panel)]
    scene, aims = scene_of(match, 0), Aims(match, 0)
    shown = {board["panel"] for board in boards}
    return {
        **_module(rules, match.players),
        "title": rules.title, "players": players,
        "ids": {
            kind: [aims.ids(ty.Ref(kind), number) for number in range(len(instances))]
            for kind, instances in match.program.layout.instances.items()
        },
        "names": {
            kind: [match.labels.value(ty.Ref(kind), number, -1) for number in range(len(instances))]
            for kind, instances in match.program.layout.instances.items()
        },
        "questions": _questions(match),
        "scene": {**scene, "panels": [panel for panel in scene["panels"] if panel["id"] in shown]},
        "boards": boards,
        "left_out": [panel["title"] for panel in scene["panels"] if panel["id"] not in shown],
    }  # fmt: skip


def lacking(match: Match) -> str:
    """Return what keeps a game from being played without a server; nothing where it can be."""
    model, panels = match.ruleset.model, panels_of(match.ruleset.model)
    if model.automated:
        return "rules play one of its seats"
    if match.program.layout.model.concealed:
        return "it has secrets, and a page would know them all"
    if match.program.anytime is not None:
        return "it has actions that are possible at any time"
    odd = [one for one in match.program.questions.values() if one.kind not in ASKED or not _named(one)]
    if odd:
        return f"how an answer is called at {odd[0].span} is worked out by the server"
    boards = [panel for panel in panels if panel.shows == "grid"]
    if not boards or not all(_follows(match, panel) for panel in panels if panel.shows == "grid" or panel.main):
        return "its boards show more than one field of each cell, and are drawn by the server"
    return ""


def _named(question: Any) -> bool:
    types = [*question.types, *(type_ for _, several in question.labels for type_ in several)]
    return all(_type(type_) is not None for type_ in types)


def _type(type_: ty.AnyType) -> str | None:
    """Return what a page is told of a type: a kind, ``#`` for numbers, ``?`` for truth; None for others."""
    inner = ty.strip(type_)
    if isinstance(inner, ty.Ref):
        return str(inner.kind)
    return "#" if inner == ty.INT else "?" if inner == ty.BOOL else None


def _follows(match: Match, panel: Panel) -> bool:
    """Tell whether a panel is a grid that shows a field of each cell, whose values look the same all the time."""
    kind = match.program.layout.model.kinds.get(panel.of)
    if panel.shows != "grid" or kind is None or kind.per_player or panel.behind or panel.inside or panel.paths:
        return False
    shown = [*panel.rows] or [panel.show]
    field = kind.fields.get(shown[0]) if len(shown) == 1 else None
    inner = ty.strip(field.type) if field is not None else None
    return isinstance(inner, ty.Ref) and not match.program.layout.model.kinds[inner.kind].fields


def _board(sketch: Sketch, panel: Panel) -> Data:
    """Return in which slots the cells of a board stand, and what stands for each value there."""
    match = sketch.eye.match
    layout = match.program.layout
    name = (panel.rows or (panel.show,))[0]
    inner = ty.strip(layout.model.kinds[panel.of].fields[name].type)
    assert isinstance(inner, ty.Ref)
    first = layout.fields[(panel.of, name)]
    return {
        "panel": panel.id,
        "slots": {id_of(panel.of, one): first + at for at, one in enumerate(sketch.eye.names(panel.of))},
        "marks": [sketch.piece(inner.kind, one) for one in sketch.eye.names(inner.kind)],
    }  # fmt: skip


def _questions(match: Match) -> Data:
    found: Data = {}
    for number, question in match.program.questions.items():
        labels = [[label, [_type(one) for one in types]] for label, types in question.labels]
        found[str(number)] = {
            "kind": question.kind, "prompt": question.prompt, "types": [_type(one) for one in question.types],
            "labels": labels, "decline": question.decline,
        }  # fmt: skip
    return found


def _module(rules: Ruleset, seats: int) -> Data:
    """Return the rules as WebAssembly, and what whoever runs them has to know."""
    from patolli.native import memory
    from patolli.native.linking import Linker
    from patolli.native.program import source_of

    linker = Linker(source_of(rules, seats))
    module = b64encode(linker.link()).decode("ascii")
    return {
        "module": module, "floor": linker.floor, "streams": linker.streams(), "whole": WHOLE[1],
        "memory": {name: getattr(memory, name) for name in PLACES},
    }  # fmt: skip
