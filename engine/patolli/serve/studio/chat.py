"""The chat of a table, in two rooms: one for players, one for spectators.

No client reads the other room, so players and spectators cannot pass on what the others may not know. The store keeps
a message beside the acts of its table, with a negative revision. So a message belongs to no match, digest or save, and
it does not change the revision that all clients get.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

from patolli.serve.studio.acts import Act
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.seats import WATCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patolli.serve.studio.table import Table

PLAYERS, SPECTATORS = "players", "spectators"
LONGEST = 300
"""Limit for the characters of a message."""
MOST = 1000
"""Limit for the messages of a room."""
BURST, PAUSE = 5, 10.0
"""How many messages a link may send in how many seconds."""
JOINERS = "\u200c\u200d"
"""Invisible characters that scripts and emoji need."""


class Chat:
    """The messages of a table.

    Attributes:
        total: The number of messages in both rooms.
    """

    def __init__(self) -> None:
        self.total = 0
        self._rooms: dict[str, list[dict[str, Any]]] = {PLAYERS: [], SPECTATORS: []}
        self._keys: set[str] = set()
        self._sent: dict[str, deque[float]] = {}

    def take(self, acts: Iterable[Act]) -> None:
        """Add messages of the store, without those that are known."""
        for act in acts:
            if -act.revision <= self.total:
                continue  # two requests read it at the same time
            self.total = -act.revision
            self._rooms[act.data["room"]].append({"seat": act.data["seat"], "words": act.data["words"]})
            self._keys |= {act.key} - {""}

    def lines(self, room: str, after: int = 0) -> list[dict[str, Any]]:
        """Return the messages ``{seat, words}`` of a room after so many."""
        return self._rooms[room][after:]

    def write(self, room: str, seat: int, words: str, key: str, token: str) -> Act | None:
        """Return a new message to store; None if its key is known. Raises Refused: too many, or a full room."""
        if key in self._keys:
            return None
        if len(self._rooms[room]) >= MOST:
            raise Refused(409, f"this chat is full: it keeps {MOST:,} messages")
        sent, now = self._sent.setdefault(token, deque(maxlen=BURST)), time.monotonic()
        if len(sent) == BURST and now - sent[0] < PAUSE:
            raise Refused(429, "too many messages at once; wait a few seconds")
        sent.append(now)
        return Act(-self.total - 1, "chat", {"room": room, "seat": seat, "words": words}, key)


def room_of(table: Table, who: int) -> str:
    """Return the room of a client. The host is a player as long as there is a seat for which the host decides."""
    return PLAYERS if who != WATCH and table.seats_of(who) else SPECTATORS


def clean(words: Any) -> str:
    """Return a message as one line without control characters, such as those that turn the direction of a text.

    Raises:
        Refused: It is no text, empty, or too long.
    """
    if not isinstance(words, str):
        raise Refused(422, "the request needs 'words'")
    plain = " ".join("".join(one for one in words if one.isprintable() or one.isspace() or one in JOINERS).split())
    if not plain.strip(JOINERS):
        raise Refused(422, "the message is empty")
    if len(plain) > LONGEST:
        raise Refused(422, f"a message may have at most {LONGEST} characters, not {len(plain):,}")
    return plain
