"""The request handlers of the gallery: pages that a browser opens by address, without a token.

They respond only if the studio is local. Otherwise ``patolli gallery`` can write a page to a file. An address names
installed packs and modules by id, never by path.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from patolli.language.diagnostics import ContentError
from patolli.language.packs.discovery import installed
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.drawing.pdf import NoPrinter
from patolli.serve.studio.files import static
from patolli.serve.studio.gallery.differences import base_of
from patolli.serve.studio.gallery.index import index
from patolli.serve.studio.gallery.page import FILES, Filter, Gallery, gallery_of, page
from patolli.serve.studio.gallery.ratings import NoReport, read_ratings
from patolli.serve.studio.guard import POLICY
from patolli.serve.studio.lab.runs import Runs, state_of, wanted_of
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.sheets.licenses import NotAllowed
from patolli.serve.studio.sheets.sheet import SheetError, Wanted, sheets_of
from patolli.serve.studio.wire import wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.run.runtime import Ruleset

AT = "/gallery/files"
"""The address of style sheet and script."""
HEADERS = {
    "content-security-policy": POLICY.replace("form-action 'none'", "form-action 'self'"),
    "cache-control": "no-store",
}
"""Without the script, the filters are a form, which sends a request to this server."""
KEPT = 4
"""Galleries in the cache, so that a filter does not collect everything again."""
_galleries: OrderedDict[str, Gallery] = OrderedDict()


def routes() -> list[BaseRoute]:
    """Return the routes of the gallery."""
    return [
        Route("/gallery", games),
        Route(f"{AT}/{{name:path}}", static(FILES)),
        Route("/gallery/{pack}", cards),
        Route("/gallery/{pack}/sheet.pdf", sheet),
    ]


async def games(request: Request) -> Response:
    """``GET /gallery``: the list of games."""
    _inside(request)
    return HTMLResponse(await wire(request).registry.run_in_thread(lambda: index(catalogue(), AT)), headers=HEADERS)


async def cards(request: Request) -> Response:
    """``GET /gallery/PACK?modules=a,b&kind=&pack=&text=``: the cards of a game, rated by the newest run of the lab."""
    _inside(request)
    asked = request.query_params
    shown = Filter(asked.get("kind", ""), asked.get("pack", ""), asked.get("text", ""))

    def render() -> str:
        rules = _rules(request)
        modules = {"modules": ",".join(rules.module_ids)} if rules.module_ids else {}
        printed = f"/gallery/{rules.id}/sheet.pdf{'?' if modules else ''}{urlencode(modules)}"
        return page(
            _gallery(rules, wire(request).lab), shown, AT, printed, f"/?{urlencode({'pack': rules.id, **modules})}"
        )

    return HTMLResponse(await wire(request).registry.beside(render), headers=HEADERS)


async def sheet(request: Request) -> Response:
    """``GET /gallery/PACK/sheet.pdf?modules=``: the cards and boards as PDF."""
    _inside(request)

    def render() -> bytes:
        try:
            return sheets_of(_rules(request), Wanted()).data
        except (NotAllowed, SheetError, NoPrinter) as error:
            raise Refused(403 if isinstance(error, NotAllowed) else 422, str(error)) from None

    return Response(
        await wire(request).registry.beside(render), media_type="application/pdf", headers={"cache-control": "no-store"}
    )


def _inside(request: Request) -> None:
    if not wire(request).local:
        raise Refused(
            403, "only the machine of the studio can open the gallery; use 'patolli gallery PACK --out FILE' instead"
        )


def _rules(request: Request) -> Ruleset:
    """Return the ruleset of a request. Raises Refused: a pack is not installed, or has errors."""
    pack = request.path_params["pack"]
    modules = [name for text in request.query_params.getlist("modules") for name in text.split(",") if name]
    known = installed()
    for name in (pack, *modules):
        if name not in known:
            raise Refused(404, f"unknown pack {name!r}")
    try:
        found = wire(request).registry.shelf.now((pack, tuple(dict.fromkeys(modules)), ()))
        if found.error is not None:
            raise found.error
    except ContentError as error:
        raise Refused(422, f"cannot show this pack: {error.problems[0].message}") from None
    return found.rules


def _gallery(rules: Ruleset, runs: Runs) -> Gallery:
    """Return the gallery of a ruleset from the cache. Only one thread calls this function."""
    run = _rated_by(rules, runs)
    key = f"{rules.content_hash} {run}"
    found = _galleries.get(key)
    if found is None:
        ratings = None
        with suppress(NoReport):  # show the cards without ratings
            ratings = read_ratings(run / "facts", rules) if run is not None else None
        found = _galleries[key] = gallery_of(rules, base_of(rules), ratings)
        while len(_galleries) > KEPT:
            _galleries.popitem(last=False)
    return found


def _rated_by(rules: Ruleset, runs: Runs) -> Path | None:
    """Return the folder of the newest finished run of this game with these modules."""
    if runs.folder is None:
        return None
    for name in runs.all():
        folder = runs.at(name)
        wanted = wanted_of(folder)
        same = wanted["pack"] == rules.id and sorted(wanted.get("modules", ())) == sorted(rules.module_ids)
        if same and not wanted.get("options") and state_of(folder) == "done":
            return folder
    return None
