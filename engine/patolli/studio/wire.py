"""What every door of the studio needs: who asks, what was sent, and how it is answered."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from patolli.studio.guard import LARGEST, LOOPBACK, read_body
from patolli.studio.lab.runs import Runs
from patolli.studio.refusals import Refused, Stale

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.studio.hall import Hall
    from patolli.studio.table import Table

LONGEST_KEY = 100
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Wire:
    """The tables of a server, and who may ask it for what.

    Attributes:
        hall: The tables.
        owner: The token of whoever has started the studio.
        local: Whether only programs of this machine can reach it.
        packs: What is offered besides the installed packs: paths.
        lab: The runs of the lab.
    """

    def __init__(self, hall: Hall, owner: str, host: str, packs: Sequence[str] = (), lab: Path | None = None) -> None:
        self.hall, self.owner, self.local, self.packs = hall, owner, host in LOOPBACK, packs
        self.lab = Runs(lab)

    def is_owner(self, request: Request) -> bool:
        """Tell whether the owner of the studio asks."""
        return compare_digest(bearer(request).encode(), self.owner.encode())

    def own(self, request: Request) -> None:
        """Refuse what is for the owner of the studio.

        Raises:
            Refused: Somebody else asks.
        """
        if not self.is_owner(request):
            raise Refused(401, "use the link that the command has printed")

    def inside(self, request: Request) -> None:
        """Refuse what is for the owner, or for anybody on this machine as long as nobody else can reach it.

        Raises:
            Refused: Somebody else asks.
        """
        if not self.local:
            self.own(request)


def wire(request: Request) -> Wire:
    """Return what a request is served with."""
    found = request.app.state.wire
    assert isinstance(found, Wire)
    return found


def bearer(request: Request) -> str:
    """Return the token of a request; nothing without one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def at_table(request: Request) -> tuple[Table, int]:
    """Return the table that a request is about, and who asks.

    That a table is not there is told as a wrong token is: who has none learns nothing.

    Raises:
        Refused: The token opens nothing there.
    """
    hall, token = wire(request).hall, bearer(request)
    refused = Refused(401, "this link is not valid; ask the host for a new one")
    if not token:
        raise refused
    try:
        table = await hall.find(request.path_params["table"])
    except Refused as error:
        raise refused if error.status == 404 else error from None
    who = table.seats.who(token)
    if who is None:
        raise refused
    if who >= 0 and table.seats.places[who].awaits:
        await hall.work(table.came, who)
        hall.stir(table)
    return table, who


async def stale(request: Request, error: Stale) -> Refused:
    """Return what is told of a stale request, with the state as it is now."""
    from patolli.studio.states import state_of

    table, who = await at_table(request)
    now = await wire(request).hall.work(state_of, table, who, bearer(request))
    return Refused(error.status, error.words, state=now)


async def sent(request: Request, largest: int = LARGEST) -> dict[str, Any]:
    """Return what a request brings.

    Raises:
        Refused: It is too large, or no table of JSON.
    """
    try:
        data = json.loads(await read_body(request, largest) or b"{}")
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not valid JSON") from None
    if not isinstance(data, dict):
        raise Refused(422, "the body must be a JSON object")
    if not _storable(data):
        raise Refused(422, "the body has an invalid character: NUL, or half of a surrogate pair")
    return data


def _storable(data: Any) -> bool:
    """Tell whether all texts of some JSON can be kept in any store, and sent again."""
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
    """Return the key of a request; nothing without one.

    Raises:
        Refused: It is none.
    """
    key = data.get("key", "")
    if not isinstance(key, str) or len(key) > LONGEST_KEY:
        raise Refused(422, f"'key' must be a text of at most {LONGEST_KEY} characters")
    return key


def revision_of(data: dict[str, Any]) -> int:
    """Return the revision that a request was made for.

    Raises:
        Refused: It says none.
    """
    revision = data.get("revision")
    if type(revision) is not int:
        raise Refused(422, "'revision' must be the revision of the state that the client has")
    return revision


def written(data: Any) -> bytes:
    """Return data as it is sent."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def answer(data: Any, status: int = 200) -> Response:
    """Return an answer that nobody keeps."""
    return Response(written(data), status, {"cache-control": "no-store"}, "application/json")
