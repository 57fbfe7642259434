"""Starts and stops the server: finds a port, limits connections, and shuts down cleanly."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from patolli.serve.studio.connections import BURST, MOST, QUEUE, Connection, limit_logs, raise_limit

if TYPE_CHECKING:
    from starlette.types import ASGIApp

PORT = 4711
"""The default port. If it is in use, the studio takes a free one."""

HEADERS = 64 * 1024
"""Limit for the bytes of the headers of a request."""
SWITCH = 0.0005
"""The switch interval of Python threads, in seconds. It is short because the network needs little time, but often."""


def listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens at the port, or at the default or a free one. Raises OSError: it cannot listen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (PORT, 0) if port is None else (port,):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            found.listen()  # several sockets may bind to a port, but only one can listen
            return found
        except OSError:
            found.close()
            if port is not None or wanted == 0:
                raise
    raise AssertionError


class Server(uvicorn.Server):
    """A server that reports when it is ready, and ends event streams before it stops."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ends: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready, self._ends = ready, ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        for sock in sockets or ():
            sock.listen(QUEUE)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, and wait for other requests."""
        self._ends()
        await super().shutdown(sockets)


def serve(app: ASGIApp, sock: socket.socket, ready: Callable[[], None], ends: Callable[[], None]) -> None:
    """Serve until Ctrl-C; call *ends* before connections are closed."""
    sys.setswitchinterval(SWITCH)
    limit_logs()
    server_of(app, ready, ends).run(sockets=[sock])


def server_of(app: ASGIApp, ready: Callable[[], None], ends: Callable[[], None]) -> Server:
    """Return a server with all its limits."""
    Connection.most = most = raise_limit(MOST)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, date_header=False, timeout_graceful_shutdown=1,
        timeout_keep_alive=75, http=Connection, h11_max_incomplete_event_size=HEADERS, limit_concurrency=most + 1,
        backlog=most // BURST, proxy_headers=False, lifespan="on", ws="none",
    )  # fmt: skip
    return Server(config, ready, ends)


def address(sock: socket.socket, host: str) -> str:
    """Return the URL of a server."""
    host = _seen_from_outside() if host in ("0.0.0.0", "::", "") else host
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{sock.getsockname()[1]}"


def _seen_from_outside() -> str:
    """Return the address of this machine in its network; the loopback address without a network.

    Connecting a datagram socket to a remote address selects the local address, and sends nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def show(url: str) -> None:
    """Open a URL in a browser, if there is one."""
    webbrowser.open(url)
