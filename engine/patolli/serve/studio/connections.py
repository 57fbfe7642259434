"""Limits of connections: how long a client may take, and which connection is closed for a new one.

uvicorn limits the size of headers, and how long an idle connection stays open after a request. It waits without limit
for the first request, for the rest of a request, and for a client that does not read. This module limits these waits
below the application, before the client is known.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from contextlib import suppress

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD, BODY, REST = 10.0, 60.0, 3.0
"""Seconds for the headers of a request, for its body, and for the rest of a body after the response."""
READING, LEAST = 20.0, 20_000
"""Seconds, and the number of bytes that a slow client has to read in them."""
MOST = 1000
"""Limit for open connections, if the system allows it."""
BURST = 4
"""The divisor for connections accepted at once, so that no connection is closed before its first bytes are read."""
QUEUE = 4096
"""Connections that the system queues until they are accepted."""


FEWEST_FILES = 64
"""Files and connections that the studio has to be able to open: its store, its code, and a few browsers."""


def file_limit() -> int | None:
    """Return how many files this process can be allowed to open, or None without a limit."""
    try:
        import resource
    except ImportError:
        return None  # only Unix has this limit
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return None if hard == resource.RLIM_INFINITY else hard


def raise_limit(most: int) -> int:
    """Return how many connections this process can open, and raise its file limit if possible."""
    try:
        import resource
    except ImportError:
        return most  # only Unix has this limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * most + 256  # new connections may double the number before old ones are closed
    if soft != resource.RLIM_INFINITY and soft < wanted:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):  # macOS has another limit that it does not report
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return most if soft == resource.RLIM_INFINITY else max(8, min(most, (soft - 256) // 2))


class Connection(H11Protocol):
    """A connection with a timer that runs while the client has to send or to read.

    Attributes:
        most: The limit for open connections. A new connection beyond the limit closes another one: of the address with
            most connections, the one that has waited longest for its first request, or else for its next one.
    """

    most = MOST
    _limit: float | None = None
    _clock: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request."""
        super().connection_made(transport)
        self._begun = self.conn.their_state  # the state of a client that has not sent all headers of a request
        transport.set_write_buffer_limits(0)  # reports whenever data is left to read
        self._watch()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        for clock in (self._clock, self._reader):
            if clock is not None:
                clock.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive data from the client."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Continue with the next request. Close the connection of a client that pipelines; browsers do not."""
        if self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
            self.transport.close()
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Respond to invalid HTTP. If another response is in progress, close the connection."""
        if self.waits:
            super().send_400_response(msg)
        else:
            self.cycle.disconnected = True  # discards the rest of the response
            self.transport.abort()

    def pause_writing(self) -> None:
        """Start to wait for a client that does not read."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """Stop waiting when the client has read."""
        super().resume_writing()
        if self._reader is not None:
            self._reader.cancel()

    @property
    def waits(self) -> bool:
        """Whether no response is in progress."""
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        """Start the timer if the client has to send something."""
        theirs = self.conn.their_state
        limit: float | None = None
        if theirs is h11.SEND_BODY:
            limit = REST if self.waits else BODY
        elif theirs is self._begun and self.timeout_keep_alive_task is None:  # otherwise a timer of uvicorn runs
            limit = HEAD
        if limit == self._limit and limit is not None:
            return
        if self._clock is not None:
            self._clock.cancel()
        self._limit, self._since = limit, self.loop.time()
        self._clock = None if limit is None else self.loop.call_later(limit, self._give_up)

    def _give_up(self) -> None:
        if self.flow.read_paused and not self.waits:  # the application has not read the body yet
            self._clock = self.loop.call_later(REST, self._give_up)
        else:
            self.transport.abort()

    def _expect_reading(self, before: int | None = None) -> None:
        left = self.transport.get_write_buffer_size()
        if before is not None and left > before - LEAST:
            self.transport.abort()
        else:
            self._reader = self.loop.call_later(READING, self._expect_reading, left)

    def _make_room(self) -> None:
        connections = self.server_state.connections
        if len(connections) <= self.most:
            return
        waiting = [one for one in connections if isinstance(one, Connection) and one.waits and one is not self]
        if waiting:
            crowd = Counter(one._address for one in waiting).most_common(1)[0][0]
            own = [one for one in waiting if one._address == crowd]
            oldest = min(own, key=lambda one: (one.cycle is not None, one._since))
            connections.discard(oldest)
            oldest.transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""


class LogLimit(logging.Filter):
    """Limits log records per minute and place in the code, so that garbage cannot fill the disk; counts the rest."""

    MOST, EVERY = 5, 60.0

    def __init__(self) -> None:
        super().__init__()
        self._began = 0.0
        self._seen: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._dropped = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        now = time.monotonic()
        if now - self._began > self.EVERY:
            dropped, self._dropped, self._began = self._dropped, 0, now
            self._seen.clear()
            if dropped:
                record.msg = f"{record.msg} ({dropped:,} more messages were dropped)"
        place = (record.pathname, record.lineno)
        self._seen[place] += 1
        passes = self._seen[place] <= self.MOST
        self._dropped += not passes
        return passes


def limit_logs() -> None:
    """Limit log records of the server and the store."""
    for name in ("uvicorn.error", "asyncio", "patolli.studio"):
        logging.getLogger(name).addFilter(LogLimit())
