"""Pictures that packs bring, as the page asks for them.

``GET /art/TABLE/SECTION/ID``: the picture of a symbol (``symbols``) or of a board (``panels``). A page
asks for pictures without a token, so none is wanted; what is a secret of a match is in no file of its pack. Only what
the content of the table names can be had, and a file that was changed is looked at again before it is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from patolli.analysis.art import art_of
from patolli.sources.pictures import TYPES, read_picture
from patolli.studio.refusals import Refused
from patolli.studio.wire import wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.runtime import Ruleset

HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": "no-cache",
}
"""Whoever opens a picture by itself sees a picture, too: nothing in it may run or load anything."""
NOTHING = Refused(404, "unknown picture")


async def picture(request: Request) -> Response:
    """``GET art``."""
    asked = request.path_params
    try:
        table = await wire(request).hall.find(asked["table"])
    except Refused as error:  # who has no token does not learn which tables there are
        raise NOTHING if error.status == 404 else error from None
    data, type_ = await wire(request).hall.read(picture_of, table.rules, asked["section"], asked["id"])
    return Response(data, 200, HEADERS, type_)


def picture_of(rules: Ruleset, section: str, id_: str) -> tuple[bytes, str]:
    """Return a picture of a ruleset, and what it is.

    Raises:
        Refused: There is none, or it cannot be shown any more.
    """
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
