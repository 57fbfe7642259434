"""Edits of the state in a sandbox, by its host, within the declarations of the pack.

Below ``/api/tables/TABLE``, for the host of a sandbox:

- ``GET editable``: ``{counters, fields: [{name, value, low, high} | {name, value, values} | {name, value, list}],
  pieces: [{name, kind, at}], places: {kind: [place, ..]}, turn, players, edits: [{at, words}]}``: the values that can
  be edited, with their ranges. The value of a ``list`` is a text such as ``[a, b]``.
- ``POST edits`` ``{revision, key, kind, name, to}``: ``{revision}``. ``kind`` is ``counter``, ``field``, ``piece``
  (``to`` is a place) or ``turn`` (``to`` is a player, ``name`` is empty). An edit is an act like a choice: it is
  logged, stored, saved, and can be undone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from patolli.run.runtime.edits import KINDS, editable
from patolli.serve.studio.refusals import Refused, Stale
from patolli.serve.studio.seats import HOST
from patolli.serve.studio.wire import answer, at_table, key_of, read_json, revision_of, stale, wire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.serve.studio.table import Table

LONGEST = 40
"""Characters of an invalid value in a message."""


async def look(request: Request) -> Response:
    """``GET editable``."""
    table, who = await at_table(request)
    if who != HOST or not table.setup.open:
        raise Refused(403, "only the host of a sandbox can edit the state")
    return answer(await wire(request).registry.work(_look, table))


def _look(table: Table) -> dict[str, Any]:
    made = [{"at": edit.at, "words": edit.words} for edit in table.match.edits]
    return {**editable(table.match), "edits": made}


async def change(request: Request) -> Response:
    """``POST edits``."""
    table, who = await at_table(request)
    data, registry = await read_json(request), wire(request).registry
    kind, name, to = data.get("kind"), data.get("name", ""), data.get("to")
    if kind not in KINDS or not isinstance(name, str):
        raise Refused(422, f"'kind' must be one of {', '.join(KINDS)}, and 'name' a text")
    if not (isinstance(to, str) or type(to) is int):
        raise Refused(422, f"{name!r} must be a whole number or a name, not {json.dumps(to)[:LONGEST]}")
    try:
        revision = await registry.work(table.edit, who, revision_of(data), kind, name, to, key_of(data))
    except Stale as error:
        raise await stale(request, error) from None
    finally:
        registry.stir(table)
    return answer({"revision": revision})
