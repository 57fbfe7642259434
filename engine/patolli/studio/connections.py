"""Connections before and after a request: how long a client may take, and which one makes room for another.

uvicorn limits the size of headers, and how long a connection that was used stays open. It waits without a limit for the
first request, for the rest of one, and for a client that does not read what it is sent. That is limited here, below the
application: before it is known who asks.
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
"""Seconds for the headers of a request; for its body; and for what is left of a body when it was answered."""
READING, LEAST = 20.0, 20_000
"""Seconds in which a client that was sent more than its line holds has to read so many bytes."""
MOST = 1000
"""Connections at the same time, as long as the system grants so many."""
BURST = 4
"""The part of them that is accepted at once: no connection is closed to make room before it was seen what it sent."""
QUEUE = 4096
"""Connections that the system holds until they are accepted."""


def granted(most: int) -> int:
    """Return how many connections this process can have at the same time, and raise its own limit if it may."""
    try:
        import resource
    except ImportError:
        return most  # only Unix has such a limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * most + 256  # as many again may come in before the first ones are closed
    if soft != resource.RLIM_INFINITY and soft < wanted:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):  # macOS has a limit besides, which it does not tell
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return most if soft == resource.RLIM_INFINITY else max(8, min(most, (soft - 256) // 2))


class Connection(H11Protocol):
    """A connection with a clock: it runs while the client has something to send, or to read.

    Attributes:
        most: How many there may be. One more makes room for itself: of the address with most connections that is
            closed which waits longest for its first request, or else for its next one.
    """

    most = MOST
    _limit: float | None = None
    _clock: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._begun = self.conn.their_state  # that of a client which has not sent the whole head of a request
        transport.set_write_buffer_limits(0)  # so that it is known whenever something is left to be read
        self._watch()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        for clock in (self._clock, self._reader):
            if clock is not None:
                clock.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what the client has sent."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Go on to the next request. No browser sends it before this one was answered: who does is not waited for."""
        if self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
            self.transport.close()
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP. Where it follows a request that is being answered, the connection ends at once."""
        if self.waits:
            super().send_400_response(msg)
        else:
            self.cycle.disconnected = True  # what is still sent goes nowhere
            self.transport.abort()

    def pause_writing(self) -> None:
        """Begin to wait for a client that does not read."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """Go on when it has read."""
        super().resume_writing()
        if self._reader is not None:
            self._reader.cancel()

    @property
    def waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        """Let the clock run if the client owes something, from when it began to owe that."""
        theirs = self.conn.their_state
        limit: float | None = None
        if theirs is h11.SEND_BODY:
            limit = REST if self.waits else BODY
        elif theirs is self._begun and self.timeout_keep_alive_task is None:  # else a clock of uvicorn runs
            limit = HEAD
        if limit == self._limit and limit is not None:
            return
        if self._clock is not None:
            self._clock.cancel()
        self._limit, self._since = limit, self.loop.time()
        self._clock = None if limit is None else self.loop.call_later(limit, self._give_up)

    def _give_up(self) -> None:
        if self.flow.read_paused and not self.waits:  # the application has not come to reading yet
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
    """Lets some records of each place in the code pass in a minute; the next one says how many did not.

    Whoever sends nonsense again and again would fill the screen otherwise, or the disk.
    """

    MOST, EVERY = 5, 60.0

    def __init__(self) -> None:
        super().__init__()
        self._began = 0.0
        self._seen: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._dropped = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record passes."""
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
    """Limit what a flood of requests, or a store that fails, can write."""
    for name in ("uvicorn.error", "asyncio", "patolli.studio"):
        logging.getLogger(name).addFilter(LogLimit())
