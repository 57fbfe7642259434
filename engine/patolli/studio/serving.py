"""Start a server: find a port, open the store, say where it is, and end in good order."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from patolli.studio.connections import BURST, MOST, QUEUE, Connection, granted, limit_logs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

PORT = 4711
"""Where the studio is looked for first; where something else listens there, any port is taken."""

HEADERS = 64 * 1024
"""Bytes of the headers of a request."""
SWITCH = 0.0005
"""Seconds after which the thread of the rules lets the network have its turn, which needs little and often."""


def listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens: at the port that is asked for, or at any one if the usual one is taken.

    Raises:
        OSError: That cannot be.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (PORT, 0) if port is None else (port,):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            found.listen()  # several may be bound to a port at once, but only one of them listens
            return found
        except OSError:
            found.close()
            if port is not None or wanted == 0:
                raise
    raise AssertionError


class Server(uvicorn.Server):
    """A server that says when it can be reached, and lets streams end before it does."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ends: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready, self._ends = ready, ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        for sock in sockets or ():
            sock.listen(QUEUE)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what never ends by itself, and wait for the rest."""
        self._ends()
        await super().shutdown(sockets)


def serve(app: ASGIApp, sock: socket.socket, ready: Callable[[], None], ends: Callable[[], None]) -> None:
    """Serve until somebody ends it with Ctrl-C; *ends* is called then, before anything is cut off."""
    sys.setswitchinterval(SWITCH)
    limit_logs()
    server_of(app, ready, ends).run(sockets=[sock])


def server_of(app: ASGIApp, ready: Callable[[], None], ends: Callable[[], None]) -> Server:
    """Return a server with all its limits."""
    Connection.most = most = granted(MOST)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, date_header=False, timeout_graceful_shutdown=1,
        timeout_keep_alive=75, http=Connection, h11_max_incomplete_event_size=HEADERS, limit_concurrency=most + 1,
        backlog=most // BURST, proxy_headers=False, lifespan="on", ws="none",
    )  # fmt: skip
    return Server(config, ready, ends)


def address(sock: socket.socket, host: str) -> str:
    """Return the address of a server as it is typed."""
    host = _seen_from_outside() if host in ("0.0.0.0", "::", "") else host
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{sock.getsockname()[1]}"


def _seen_from_outside() -> str:
    """Return the address by which other machines find this one; that of the loopback where there is none.

    A datagram socket that is told of a far address takes the own one that leads there, and sends nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def show(url: str) -> None:
    """Open a browser, if there is one."""
    webbrowser.open(url)
