"""Checks before each request: host, origin, size; and security headers for each response.

A page of another site in the same browser must not reach the tables. The ``Origin`` header reveals it. In case of DNS
rebinding, the ``Host`` header does.

Source:
    WHATWG, "Fetch", section "Origin header"; W3C, "Content Security Policy Level 3".
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from patolli.serve.studio.refusals import Refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data: blob:",
        "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    )
)  # fmt: skip
"""The content security policy: a page may load only files of the studio, and no inline code."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
LARGEST, LARGEST_SAVE = 64_000, 8_000_000
"""Limits for the bytes of a body, and of a body with a save."""
LONGEST_PATH = 500
"""Limit for the characters of a path. The limit for headers includes the query."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Guard:
    """Passes or refuses a request, and adds security headers to each response.

    Args:
        app: The application.
        host: The address of the server.
        name: The host name under which a proxy makes the server public, if there is one.
    """

    def __init__(self, app: ASGIApp, host: str, name: str | None = None) -> None:
        self.app, self.host = app, host
        self._names = {*LOOPBACK} if host in LOOPBACK else {host.lower(), *LOOPBACK, *_own_names()}
        if name is not None:
            self._names.add(name.lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in known]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        try:
            self._look(scope)
        except Refused as refused:
            await JSONResponse({"error": refused.words}, refused.status)(scope, receive, answer)
            return
        await self.app(scope, receive, answer)

    def _look(self, scope: Scope) -> None:
        if len(scope["path"]) > LONGEST_PATH:
            raise Refused(414, f"the path of an address may have at most {LONGEST_PATH} characters")
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        named = headers.get("host", "")
        if not self.is_known(named):
            raise Refused(421, "unknown host name; use the address that the server has printed")
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != named.lower():
            raise Refused(403, "requests from other sites are refused")
        foreign = origin is None and headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign and (scope["path"].startswith("/api") or scope["method"] != "GET"):
            raise Refused(403, "requests from other sites are refused")

    def is_known(self, named: str) -> bool:
        """Return whether a host name is one of this server."""
        try:
            name = (urlsplit(f"//{named}").hostname or "").lower()
        except ValueError:
            return False
        return name in self._names or (self.host not in LOOPBACK and _is_address(name))


def _netloc(origin: str) -> str:
    """Return the host and port of an origin; empty if it is invalid."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _own_names() -> tuple[str, str]:
    return socket.gethostname().lower(), socket.getfqdn().lower()


def _is_address(name: str) -> bool:
    """Return whether a host is an IP address, which DNS cannot redirect."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def read_body(request: Request, largest: int = LARGEST) -> bytes:
    """Return the body of a request; refuse it as soon as it is too large.

    Raises:
        Refused: The body is too large, or its content type is not JSON. A form of another site cannot send that type.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "the body must be JSON, with the content type application/json")
    said = request.headers.get("content-length", "0")
    if not said.isdigit() or int(said) > largest:
        raise Refused(413, f"the body may have at most {largest:,} bytes")
    found = bytearray()
    try:
        async for part in request.stream():
            found += part
            if len(found) > largest:
                raise Refused(413, f"the body may have at most {largest:,} bytes")
    except ClientDisconnect:
        raise Refused(400, "the connection closed before the end of the request") from None
    return bytes(found)
