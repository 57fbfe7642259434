"""The request handlers of the studio: one function for each request that ``app`` lists."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from patolli.serve.studio import states
from patolli.serve.studio.bots import LEVELS, kind_for
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.chat import clean, room_of
from patolli.serve.studio.guard import LARGEST_SAVE
from patolli.serve.studio.joint_choices import choose_together
from patolli.serve.studio.refusals import Refused, Stale
from patolli.serve.studio.seats import HOST, WATCH
from patolli.serve.studio.table_requests import save_of
from patolli.serve.studio.undo_rules import Unchecked, check_choice, undo
from patolli.serve.studio.wire import answer, at_table, bearer, key_of, read_json, revision_of, stale, wire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.serve.studio.table import Table

MOST = 1000
"""Limit for things that are chosen together."""


# ---- the studio


async def packs(request: Request) -> Response:
    """``GET /api/packs``."""
    wire(request).inside(request)
    return answer(await wire(request).registry.run_in_thread(catalogue, *wire(request).packs))


async def bots(request: Request) -> Response:
    """``GET /api/bots``."""
    wire(request).inside(request)
    return answer(LEVELS)


async def tables(request: Request) -> Response:
    """``GET /api/tables``."""
    wire(request).own(request)
    return answer(await wire(request).registry.list_tables())


async def create(request: Request) -> Response:
    """``POST /api/tables``."""
    wire(request).own(request)
    registry = wire(request).registry
    table = await registry.create(await read_json(request), paths=True)
    registry.stir(table)
    return _respond_opened(table)


async def take_in(request: Request) -> Response:
    """``POST /api/import``."""
    wire(request).own(request)
    registry = wire(request).registry
    data = await read_json(request, LARGEST_SAVE)
    if data.get("asks") and (names := await registry.unsaid(data)):
        return answer({"ask": names})
    table = await registry.take_in(data)
    registry.stir(table)
    return _respond_opened(table)


def _respond_opened(table: Table) -> Response:
    return answer({"table": table.id, "tokens": table.seats.tokens()}, 201)


# ---- a table


async def state(request: Request) -> Response:
    """``GET``."""
    table, who = await at_table(request)
    return answer(await wire(request).registry.work(states.state_of, table, who, bearer(request)))


async def remove(request: Request) -> Response:
    """``DELETE``."""
    table, who = await at_table(request)
    if who != HOST:
        raise Refused(403, "only the host can delete a table")
    await wire(request).registry.remove(table)
    return answer({"removed": table.id})


async def move(request: Request) -> Response:
    """``POST moves``."""
    table, who = await at_table(request)
    data, registry = await read_json(request), wire(request).registry
    if "labels" in data:
        return await _together(request, table, who, data)
    chosen = data.get("index", data.get("label"))
    if type(chosen) is not int and not isinstance(chosen, str):
        raise Refused(422, "the request needs 'index' or 'label' of an option")
    try:
        revision = await registry.work(table.choose, who, revision_of(data), chosen, key_of(data))
    except Stale as error:
        raise await stale(request, error) from None
    finally:
        registry.stir(table)
    return answer({"revision": revision})


async def _together(request: Request, table: Table, who: int, data: dict[str, Any]) -> Response:
    labels, registry = data["labels"], wire(request).registry
    if not isinstance(labels, list) or len(labels) > MOST or not all(isinstance(one, str) for one in labels):
        raise Refused(422, f"'labels' must be a list of at most {MOST} texts")
    done, before = bool(data.get("done")), table.stirred
    try:
        shown = await registry.work(choose_together, table, who, revision_of(data), labels, done, key_of(data))
    except Stale as error:
        raise await stale(request, error) from None
    finally:
        if table.stirred != before:
            registry.stir(table)
    return answer(shown)


async def take_back(request: Request) -> Response:
    """``POST undo``."""
    table, who = await at_table(request)
    data, registry = await read_json(request), wire(request).registry
    to = data.get("to")
    if to is not None and type(to) is not int:
        raise Refused(422, "'to' must be a number of choices")
    try:
        while True:
            try:
                revision = await registry.work(undo, table, who, revision_of(data), data, key_of(data))
                break
            except Unchecked as choice:
                await registry.work_with_worlds(table, check_choice, table, choice)
    except Stale as error:
        raise await stale(request, error) from None
    finally:
        registry.stir(table)
    return answer({"revision": revision})


async def fork(request: Request) -> Response:
    """``POST fork``."""
    table, who = await at_table(request)
    data, registry = await read_json(request), wire(request).registry
    if not table.sees_all(who):
        raise Refused(403, "you can branch after the end; before, a branch would reveal secrets of other players")
    number = data.get("at", len(table.match.choices))
    if type(number) is not int:
        raise Refused(422, "'at' must be a number of choices")
    new = await registry.fork(table, number, bool(data.get("open")))
    registry.stir(new)
    return _respond_opened(new)


async def rematch(request: Request) -> Response:
    """``POST rematch``."""
    table, who = await at_table(request)
    if who == WATCH:
        raise Refused(403, "spectators cannot start a rematch")
    return answer({"table": await wire(request).registry.rematch(table)}, 201)


async def at(request: Request) -> Response:
    """``GET at/N``."""
    table, who = await at_table(request)
    number = request.path_params["number"]
    if number > len(table.match.choices):
        raise Refused(404, f"there is no choice {number}; the match has {len(table.match.choices)}")
    return answer(await wire(request).registry.work(states.state_at, table, who, number))


async def telling(request: Request) -> Response:
    """``GET telling``."""
    table, who = await at_table(request)
    return answer(await wire(request).registry.work(states.telling, table.match, table.eye(who)))


async def preview(request: Request) -> Response:
    """``GET preview``."""
    from patolli.serve.studio.previews import preview as shown

    table, who = await at_table(request)
    index = request.query_params.get("index", "")
    if not index.isascii() or not index.isdigit() or len(index) > 9:
        raise Refused(422, "'index' must be the index of an option")
    chosen = request.query_params.getlist("chosen")[:MOST]
    return answer(await wire(request).registry.work_with_worlds(table, shown, table, who, int(index), chosen))


async def previews(request: Request) -> Response:
    """``GET previews``."""
    from patolli.serve.studio.previews import previews as shown

    table, who = await at_table(request)
    return answer(await wire(request).registry.work_with_worlds(table, shown, table, who))


async def save(request: Request) -> Response:
    """``GET save``."""
    table, who = await at_table(request)
    registry = wire(request).registry
    if "seat" not in request.query_params and await registry.work(table.keeps, who):
        registry.stir(table)
        return answer(await registry.work(save_of, table))
    if "seat" not in request.query_params:
        raise Refused(403, "the whole save is available after the end; use 'seat' for the save of your seat")
    eye = table.eye(who)
    if eye < 0:
        raise Refused(403, "spectators cannot save")
    return answer(json.loads(await registry.work(table.match.to_json, eye)))


async def seat(request: Request) -> Response:
    """``POST seats/N``."""
    table, who = await at_table(request)
    data, registry = await read_json(request), wire(request).registry
    if data.get("bot"):
        data["bot"] = kind_for(data["bot"])
    else:
        data.pop("bot", None)
    if "name" in data and not isinstance(data["name"], str):
        raise Refused(422, "'name' must be a text")
    if not {"bot", "name", "person", "link"} & set(data):
        raise Refused(422, "the request needs 'name', 'bot', 'person' or 'link'")
    if who == WATCH and (sits := table.seats.sits(bearer(request))) is not None:
        who = sits  # a bot plays on the seat of this person
    known = table.find_revision(key_of(data))
    if known is None:
        await registry.work(table.seat, who, request.path_params["number"], data, key_of(data))
        registry.stir(table)
    more: dict[str, Any] = {"tokens": table.seats.tokens()} if who == HOST else {}
    return answer({"revision": table.revision if known is None else known, **more})


async def tokens(request: Request) -> Response:
    """``GET tokens``."""
    table, who = await at_table(request)
    known = table.seats.tokens()
    return answer(known if who == HOST else {"watch": known["watch"]})


async def chat(request: Request) -> Response:
    """``POST chat``."""
    table, who = await at_table(request)
    data, registry = await read_json(request), wire(request).registry
    words, room = clean(data.get("words")), room_of(table, who)
    async with registry.lock(f"chat {table.id}"):
        act = table.chat.write(room, max(-1, table.eye(who)), words, key_of(data), bearer(request))
        if act is not None:
            try:
                await registry.work(registry.write, table.id, act)
            except Stale:
                raise Refused(409, "another message came at the same moment; send yours again") from None
            table.chat.take([act])
    registry.show(table)
    return answer({"room": room})
