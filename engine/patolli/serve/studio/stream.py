"""Event streams: each open page gets the states of its table as server-sent events.

Source:
    WHATWG, "HTML", section "Server-sent events".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse

from patolli.serve.studio.chat import room_of
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.states import state_of
from patolli.serve.studio.wire import at_table, bearer, encode_json, wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.serve.studio.table import Table
    from patolli.serve.studio.table_registry import TableRegistry

HEARTBEAT = 15.0
"""Seconds between heartbeats, which keep proxies from closing the connection."""


async def events(request: Request) -> Response:
    """``GET events``: states of a table, while the client is connected and its token is valid."""
    table, _ = await at_table(request)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    registry, token = wire(request).registry, bearer(request)
    registry.allow_look(table.id, token)
    lines = _events(registry, table.id, token)
    return StreamingResponse(lines, media_type="text/event-stream", headers=headers)


async def _events(registry: TableRegistry, id_: str, token: str) -> AsyncIterator[bytes]:
    event = registry.look(id_, token)
    last, read = (-1, -1), ("", 0)
    try:
        while not registry.ending:
            try:
                table = await registry.find(id_)
            except Refused:
                return  # it was deleted, or cannot be read now
            who = table.seats.who(token)
            if who is None:
                return
            event.clear()
            if (table.revision, table.stirred) != last:
                last = (table.revision, table.stirred)
                revision, data = await registry.draw(_state, table, who, token)
                yield b"id: %d\nevent: state\ndata: %b\n\n" % (revision, data)
            room = room_of(table, who)
            after = read[1] if read[0] == room else 0
            lines = table.chat.lines(room, after)
            if lines or read[0] != room:
                read = (room, after + len(lines))
                yield b"event: chat\ndata: %b\n\n" % encode_json({"room": room, "after": after, "lines": lines})
            try:
                await asyncio.wait_for(event.wait(), HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        registry.look_away(id_, event)


def _state(table: Table, who: int, token: str) -> tuple[int, bytes]:
    return table.revision, encode_json(state_of(table, who, token))
