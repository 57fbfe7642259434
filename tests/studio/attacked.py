"""Servers for tests that attack them, and another player at a table who must be answered all the time."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException

from busy import until, within
from studio.sitting_down import OWNER

from patolli.serve.studio.app import make_app
from patolli.serve.studio.http_server import server_of
from patolli.serve.studio.store import Sqlite
from patolli.serve.studio.table_registry import TableRegistry


class Target:
    """A server on this machine, asked over lines of its own."""

    def __init__(self, port, owner=OWNER):
        self.port, self.owner = port, owner

    def ask(self, method, path, token="", data=None, line=None):
        """Ask for something over a line, a new one if none is given; return the status and what was answered."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if data is not None:
            headers["content-type"] = "application/json"
        with contextlib.closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as new:
            used = line or new
            used.request(method, path, None if data is None else json.dumps(data), headers)
            answer = used.getresponse()
            return answer.status, answer.read()

    def table(self, pack="tic_tac_toe", **more):
        return json.loads(self.ask("POST", "/api/tables", self.owner, {"pack": pack, "players": 2, **more})[1])

    def line(self):
        found = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        found.settimeout(20)
        return found

    def said(self, data):
        """Send something as it is; return the answer, or nothing where the server has cut the line."""
        with self.line() as line:
            with contextlib.suppress(ConnectionError):
                line.sendall(data)
            return heard(line)


class Attacked(Target):
    """A server in a thread; use it in a ``with``."""

    def __init__(self, store=None):
        self.store = store or Sqlite(None)
        self.sock = socket.create_server(("127.0.0.1", 0))
        super().__init__(self.sock.getsockname()[1])
        self.there = threading.Event()

    def __enter__(self):
        self.registry = TableRegistry(self.store)
        self.app = make_app(self.registry, OWNER)
        self.server = server_of(self, self.there.set, self.registry.end)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.sock]}, daemon=True)
        self.thread.start()
        assert self.there.wait(20)
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join(20)
        self.sock.close()
        assert not self.thread.is_alive(), "the server ends"

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            await self.app(scope, receive, send)
            return
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await self.registry.close()
        await send({"type": "lifespan.shutdown.complete"})


def heard(line):
    """Return the next answer; of one without a length, and of what breaks off, all that comes until the line is cut."""
    found = bytearray()
    with contextlib.suppress(ConnectionError):
        while part := line.recv(65536):
            found += part
            head, _, body = bytes(found).partition(b"\r\n\r\n")
            length = head.lower().partition(b"content-length: ")[2].split(b"\r")[0]
            if length and len(body) >= int(length):
                break
    return bytes(found)


def wait_for(line, wanted):
    """Read a line until what is wanted has come, wherever its parts are cut; say what came if it is cut off before."""
    found = bytearray()
    while wanted not in found:
        part = line.recv(65536)
        assert part, f"cut off before {wanted!r}: {bytes(found[-300:])!r}"
        found += part


class Other:
    """A client that looks at a table again and again, and moves there now and then; use it in a ``with``.

    Attributes:
        slowest: Seconds of the slowest answer.
        limit: Seconds that it may take on a machine that has nothing else to do.
    """

    def __init__(self, server, fresh=False, limit=1.0):
        self.server, self.fresh, self.slowest, self.answers, self.limit = server, fresh, 0.0, 0, limit
        self.made = server.table()
        self.failures = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        until(lambda: self.answers >= 2)
        self._end.set()
        self._thread.join(90)
        assert self.answers >= 2
        assert self.failures == []
        assert self.slowest < within(self.limit), f"another player waited {self.slowest:.2f} s"

    def _look(self):
        path, host = f"/api/tables/{self.made['table']}", self.made["tokens"]["host"]
        with contextlib.closing(HTTPConnection("127.0.0.1", self.server.port, timeout=60)) as line:
            while not self._end.wait(0.02):
                began = time.perf_counter()
                try:
                    status, _ = self.server.ask("GET", path, host, line=None if self.fresh else line)
                    if status != 200:
                        self.failures.append(status)
                except (OSError, HTTPException) as error:
                    self.failures.append(repr(error))
                self.slowest = max(self.slowest, time.perf_counter() - began)
                self.answers += 1
