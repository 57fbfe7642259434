"""What a page needs to play a game without the server: its rules as WebAssembly, names, and how its panels look.

``GET /api/offline/PACK?players=``: ``{module, floor, streams, memory, whole, title, players, names: {kind: [name, ..]},
called: {kind: [words, ..]}, ids: {kind: [[id, ..], ..]}, questions: {block: {kind, prompt, types, labels, decline,
words}}, scene, looks: {pool, groups: [{slots, paths, looks}]}, measures: {score, ties, among, wins}, worth, left_out:
[title, ..]}``; 409 with a sentence for games that cannot be played so. ``studio.looks`` says how the page draws: it
looks up what stands where for the numbers of the state. ``measures`` says what the rules measure for each seat, in this
order, and ``worth`` whether the pack says what a match is worth in its middle.

The rules are those that simulations play natively (``patolli.run.native``); a page plays them step by step, with equal
digests. What makes scenes and words is Python, and does not run there: so only games are offered in which nothing is
hidden, no action is possible at any time, and the main panels follow from counters and fields (``studio.looks``).

``GET /api/offline/PACK/may?players=``: ``{why}``, a sentence where the game cannot be played so, else nothing.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from starlette.responses import Response

from patolli.author.workspace import load
from patolli.kernel.budget import meter
from patolli.language.diagnostics import ContentError
from patolli.language.program import types as ty
from patolli.play.scene.declared import declared_of
from patolli.serve.studio.looks import Looks
from patolli.serve.studio.past import decider
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.scene import scene_of
from patolli.serve.studio.scene.aims import Aims
from patolli.serve.studio.shelf import Name
from patolli.serve.studio.spoken import list_names, sentences
from patolli.serve.studio.table_requests import ID
from patolli.serve.studio.wire import answer, encode_json, wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.check.analysis.panels import Panel
    from patolli.play.scene.declared import Declared
    from patolli.run.runtime import Match, Ruleset

Data = dict[str, Any]
PLACES = ("HEAP", "FLOOR", "WHOLE", "TOP", "KEYS")
ASKED = ("choose", "menu", "repeat", "pause")
"""Questions whose answers a page can name by itself."""


_made: WeakKeyDictionary[Ruleset, dict[int, bytes | Refused]] = WeakKeyDictionary()
"""Packages by what is played and the number of players. Used in the thread of what takes long."""


_fit: WeakKeyDictionary[Ruleset, dict[int, str]] = WeakKeyDictionary()
"""Why what is played cannot be without a server, by the number of players. Used in the thread of what takes long."""


async def may(request: Request) -> Response:
    """``GET /api/offline/PACK/may``: what is seen of the rules at once, or else by drawing, which takes seconds."""
    rules, pack, players = await _parse_request(request)
    registry = wire(request).registry
    why = await registry.run_in_thread(_lacks, rules, players)
    return answer({"why": why or await registry.beside(_unfit, rules, pack, players)})


def _lacks(rules: Ruleset, players: int) -> str:
    try:
        rules.allow(players)
    except ValueError as error:
        return str(error)
    return lacking(rules.start(players, seed=0))


def _unfit(rules: Ruleset, pack: str, players: int) -> str:
    """Return what keeps a game from being played without a server, found out once with rules loaded for it."""
    known = _fit.setdefault(rules, {})
    if players not in known:
        known[players] = _list_panels(load(pack).start(players, seed=0))[2]
    return known[players]


async def _parse_request(request: Request) -> tuple[Ruleset, str, int]:
    """Return the rules of the pack of a request, its id, and the number of players."""
    wire(request).inside(request)
    pack, players = request.path_params["pack"], request.query_params.get("players", "")
    if not ID.fullmatch(pack) or not (players.isascii() and players.isdigit() and len(players) < 4):
        raise Refused(422, "name an installed pack, and the number of 'players'")
    registry = wire(request).registry
    try:
        name: Name = (pack, (), ())
        return (await registry.prepare(name, registry.shelf.now, name)).rules, pack, int(players)
    except ContentError as error:
        raise Refused(422, error.problems[0].message) from None


async def package(request: Request) -> Response:
    """``GET /api/offline/PACK``."""
    rules, pack, players = await _parse_request(request)
    found = await wire(request).registry.beside(_package, rules, pack, players)
    if isinstance(found, Refused):
        raise Refused(found.status, found.words)
    return Response(found, 200, {"cache-control": "no-store"}, "application/json")


def _package(rules: Ruleset, pack: str, players: int) -> bytes | Refused:
    """Return a package, made once: it takes seconds. Other rules are loaded for it than those that tables play by."""
    made = _made.setdefault(rules, {})
    if players not in made:
        try:
            made[players] = encode_json(package_of(load(pack), players))
        except Refused as refused:
            made[players] = refused
    return made[players]


def package_of(rules: Ruleset, players: int) -> Data:
    """Return the package of a game. Raises Refused: it cannot be played without a server; the words say why."""
    try:
        rules.allow(players)
    except ValueError as error:
        raise Refused(422, str(error)) from None
    match = rules.start(players, seed=0)
    why = lacking(match)
    every, looks, unseen = _list_panels(match) if not why else ([], None, "")
    if looks is None or unseen:
        raise Refused(409, f"{rules.title} is not played without the server: {why or unseen}")
    scene, aims, program = scene_of(match, 0), Aims(match, decider(match)), match.program
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
        "called": list_names(match),
        "questions": _questions(match),
        "scene": {**scene, "panels": looks.base},
        "looks": looks.to_data(),
        "measures": {
            "score": program.score is not None, "ties": len(program.ties), "among": program.among is not None,
            "wins": program.wins is not None,
        },
        "worth": program.values.get("greedy") is not None,
        "left_out": [panel.title for panel in every if panel.id not in looks.panels],
    }  # fmt: skip


def _list_panels(match: Match) -> tuple[list[Panel], Looks, str]:
    """Return the panels of a match, how those look that a page can draw, and whether one is missed: why, or nothing."""
    declared = declared_of(match.labels)
    every = [panel for panel in declared.all_panels.values() if not panel.inside and not panel.asked]
    looks = Looks(match, every)
    wanted = _needed_panels(declared, every)
    missing = [panel.title for panel in every if panel.id in wanted and panel.id not in looks.panels]
    return every, looks, f"what {missing[0]!r} shows is computed by the server" if missing else ""


def _needed_panels(declared: Declared, every: list[Panel]) -> set[str]:
    """Return the panels that every match needs: the main ones, or all where none is one."""
    return declared.mains & {panel.id for panel in every} or {panel.id for panel in every}


def lacking(match: Match) -> str:
    """Return what keeps a game from being played without a server; nothing where it can be."""
    from patolli.run.native.machines import there

    if not there():
        return "wasmtime is missing on the server; pip install 'patolli[studio]' brings it"
    if match.ruleset.model.automated:
        return "rules play one of its seats"
    if match.program.layout.model.hidden_locations:
        return "it has secrets, and a page would know them all"
    if match.program.anytime is not None:
        return "it has actions that are possible at any time"
    odd = [one for one in match.program.questions.values() if one.kind not in ASKED or not _has_names(one)]
    if odd:
        return f"how an option is called at {odd[0].span} is computed by the server"
    return ""


def _has_names(question: Any) -> bool:
    types = [*question.types, *(type_ for _, several in question.labels for type_ in several)]
    return all(_type(type_) is not None for type_ in types) and not question.has_values


def _type(type_: ty.AnyType) -> str | None:
    """Return what a page gets of a type: a kind, ``#`` for numbers, ``?`` for truth; None for others."""
    inner = ty.strip(type_)
    if isinstance(inner, ty.Ref):
        return str(inner.kind)
    return "#" if inner == ty.INT else "?" if inner == ty.BOOL else None


def _questions(match: Match) -> Data:
    found: Data = {}
    for number, question in match.program.questions.items():
        labels = [[label, [_type(one) for one in types]] for label, types in question.labels]
        found[str(number)] = {
            "kind": question.kind, "prompt": question.prompt, "types": [_type(one) for one in question.types],
            "labels": labels, "decline": question.decline, "words": sentences(match, question),
        }  # fmt: skip
    return found


def _module(rules: Ruleset, seats: int) -> Data:
    """Return the rules as WebAssembly, and what the page needs to run them."""
    from patolli.run.native import memory
    from patolli.run.native.linker import Linker
    from patolli.run.native.program import source_of

    linker = Linker(source_of(rules, seats))
    module = b64encode(linker.link(alone=True)).decode("ascii")
    return {
        "module": module, "floor": linker.floor, "streams": linker.streams(), "whole": meter.whole[1],
        "memory": {name: getattr(memory, name) for name in PLACES},
    }  # fmt: skip
