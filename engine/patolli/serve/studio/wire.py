"""Shared parts of all request handlers: authentication, bodies, and responses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from patolli.serve.studio.guard import LARGEST, LOOPBACK, read_body
from patolli.serve.studio.lab.runs import Runs
from patolli.serve.studio.priority_queue import table_served
from patolli.serve.studio.refusals import Refused, Stale

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.serve.studio.table import Table
    from patolli.serve.studio.table_registry import TableRegistry

LONGEST_KEY = 100
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Wire:
    """The context of all requests: the tables of a server, and permissions.

    Attributes:
        registry: The tables.
        owner: The token of the user who started the studio.
        local: Whether only programs on this machine can reach the server.
        packs: Paths of packs to offer in addition to the installed ones.
        lab: The runs of the lab.
    """

    def __init__(
        self, registry: TableRegistry, owner: str, host: str, packs: Sequence[str] = (), lab: Path | None = None
    ) -> None:
        self.registry, self.owner, self.local, self.packs = registry, owner, host in LOOPBACK, packs
        self.lab = Runs(lab)

    def is_owner(self, request: Request) -> bool:
        """Return whether a request is from the owner of the studio."""
        return compare_digest(bearer(request).encode(), self.owner.encode())

    def own(self, request: Request) -> None:
        """Refuse a request that is not from the owner of the studio. Raises Refused: the token is another one."""
        if not self.is_owner(request):
            raise Refused(401, "use the link that the command has printed")

    def inside(self, request: Request) -> None:
        """Refuse a request that is neither local nor from the owner. Raises Refused: the token is not the owner's."""
        if not self.local:
            self.own(request)


def wire(request: Request) -> Wire:
    """Return the context of a request."""
    found = request.app.state.wire
    assert isinstance(found, Wire)
    return found


def bearer(request: Request) -> str:
    """Return the token of a request; empty without one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def at_table(request: Request) -> tuple[Table, int]:
    """Return the table of a request, and the client.

    A missing table gets the same response as a wrong token, so that a client without a token learns nothing.

    Raises:
        Refused: The token is not valid for this table.
    """
    registry, token = wire(request).registry, bearer(request)
    refused = Refused(401, "this link is not valid; ask the host for a new one")
    if not token:
        raise refused
    try:
        table = await registry.find(request.path_params["table"])
    except Refused as error:
        raise refused if error.status == 404 else error from None
    who = table.seats.who(token)
    if who is None:
        raise refused
    table_served.set(table.id)
    if who >= 0 and table.seats.places[who].awaits:
        await registry.work(table.came, who)
        registry.stir(table)
    return table, who


async def stale(request: Request, error: Stale) -> Refused:
    """Return the response to a stale request, with the current state."""
    from patolli.serve.studio.states import state_of

    table, who = await at_table(request)
    now = await wire(request).registry.work(state_of, table, who, bearer(request))
    return Refused(error.status, error.words, state=now)


async def read_json(request: Request, largest: int = LARGEST) -> dict[str, Any]:
    """Return the body of a request. Raises Refused: the body is too large, or not a JSON object."""
    body = await read_body(request, largest)
    if len(body) > LARGEST:  # this takes seconds, and the event loop must go on
        return await wire(request).registry.run_in_thread(parse_body, body)
    return parse_body(body)


def parse_body(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body; an empty one for an empty body. Raises Refused: it is not one."""
    try:
        data = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not valid JSON") from None
    if not isinstance(data, dict):
        raise Refused(422, "the body must be a JSON object")
    if not _storable(data):
        raise Refused(422, "the body has an invalid character: NUL, or half of a surrogate pair")
    return data


def _storable(data: Any) -> bool:
    """Return whether all texts of some JSON can be stored and sent."""
    left = [data]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one
        elif isinstance(one, str) and UNSTORABLE.search(one):
            return False
    return True


def key_of(data: dict[str, Any]) -> str:
    """Return the key of a request; empty without one. Raises Refused: the key is invalid."""
    key = data.get("key", "")
    if not isinstance(key, str) or len(key) > LONGEST_KEY:
        raise Refused(422, f"'key' must be a text of at most {LONGEST_KEY} characters")
    return key


def revision_of(data: dict[str, Any]) -> int:
    """Return the revision of a request. Raises Refused: the revision is missing or invalid."""
    revision = data.get("revision")
    if type(revision) is not int:
        raise Refused(422, "'revision' must be the revision of the state that the client has")
    return revision


def encode_json(data: Any) -> bytes:
    """Return data as JSON bytes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def answer(data: Any, status: int = 200) -> Response:
    """Return a JSON response that is not cached."""
    return Response(encode_json(data), status, {"cache-control": "no-store"}, "application/json")
