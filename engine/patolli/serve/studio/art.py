"""Pictures of packs for the page.

``GET /art/TABLE/SECTION/ID``: the picture of a symbol (``symbols``) or of a board (``panels``). A browser requests
pictures without a token, so none is needed; files of a pack have no secrets of a match. Only pictures that the content
of the table names are available. A changed file is checked again before it is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from patolli.check.analysis.art import art_of
from patolli.language.sources.pictures import TYPES, read_picture
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.wire import wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.run.runtime import Ruleset

HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": "no-cache",
}
"""A picture must not run or load anything, even if a browser opens it directly."""
NOTHING = Refused(404, "unknown picture")


async def picture(request: Request) -> Response:
    """``GET art``."""
    asked = request.path_params
    try:
        table = await wire(request).registry.find(asked["table"])
    except Refused as error:  # the response must not reveal which tables exist
        raise NOTHING if error.status == 404 else error from None
    data, type_ = await wire(request).registry.run_in_thread(picture_of, table.rules, asked["section"], asked["id"])
    return Response(data, 200, HEADERS, type_)


def picture_of(rules: Ruleset, section: str, id_: str) -> tuple[bytes, str]:
    """Return a picture of a ruleset and its media type. Raises Refused: it is unknown, or its file is invalid."""
    for art in art_of(rules.model):
        if (art.section, art.id) == (section, id_):
            try:
                data, wrong = read_picture(art.file)
            except OSError as error:
                wrong = error.strerror or str(error)
            if wrong:
                raise Refused(409, f"cannot show the picture {art.file.name!r}: {wrong}")
            return data, TYPES[art.file.suffix]
    raise NOTHING
