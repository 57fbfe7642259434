"""Serves the files of the page at once, while the application starts in the background.

The import of the engine takes longer than the first response. So the port opens before the import ends, and the browser
can draw the page. Other requests wait for the application.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from patolli.serve.studio.files import page, static
from patolli.serve.studio.guard import Guard
from patolli.serve.studio.refusals import Refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

PAGE = Path(__file__).parent / "page"
"""The files of the page."""


def page_routes() -> list[Route]:
    """Return the routes of the page."""
    return [
        Route("/", page(PAGE)),
        Route("/t/{table}", page(PAGE)),
        Route("/lab", page(PAGE)),
        Route("/offline/{pack}", page(PAGE)),
        Route("/static/{name:path}", static(PAGE)),
    ]


async def refuse_request(request: Request, error: Exception) -> Response:
    """Respond to a refused request: with a page to a browser that navigates, with JSON to other clients."""
    assert isinstance(error, Refused)
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_NOT_HERE.replace("WORDS", escape(error.words)), error.status)
    return JSONResponse({"error": error.words, **error.more}, error.status)


async def missing(request: Request, error: Exception) -> Response:
    """Respond to a request with an unknown address or method."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return await refuse_request(request, Refused(error.status_code, "there is no page at this address"))
    return Response(error.detail, error.status_code, error.headers, "text/plain")


HANDLERS = {Refused: refuse_request, HTTPException: missing}
"""The handlers of exceptions."""


_NOT_HERE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not available</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/style.css">
</head>
<body>
<main class="start"><h1>Page not available</h1><p class="fault">WORDS</p><p><a href="/">All games</a></p></main>
</body>
</html>
"""


class Front:
    """Serves the page, and passes other requests to the application when it has started.

    Args:
        make: Creates the application; called once, in a thread.
        host: The address of the server.
        name: Its public host name, see :class:`Guard`.
    """

    def __init__(self, make: Callable[[], Starlette], host: str, name: str | None = None) -> None:
        self._make = make
        self._made: asyncio.Task[Starlette] | None = None
        guard = Middleware(Guard, host=host, name=name)
        self._page = Starlette(routes=page_routes(), middleware=[guard], exception_handlers=HANDLERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or handle the start and the end of the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            path = scope["path"]
            own = path in ("/", "/lab") or path.startswith(("/t/", "/offline/", "/static/"))
            app = self._page if own else await asyncio.shield(self._begin())
            await app(scope, receive, send)

    def end(self) -> None:
        """End all event streams, so that the server can shut down."""
        if self._made is not None and self._made.done() and not self._made.exception():
            self._made.result().state.wire.registry.end()

    def _begin(self) -> asyncio.Task[Starlette]:
        if self._made is None:
            self._made = asyncio.get_running_loop().create_task(asyncio.to_thread(self._make))
        return self._made

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._begin()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                app = await self._begin()
                await app.state.wire.registry.close()
                await send({"type": "lifespan.shutdown.complete"})
                return
