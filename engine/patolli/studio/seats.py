"""Who sits where, and what a token opens.

A table has a secret token for every seat, one for whoever has made it (the host), and one for those who look on. What
is sent to somebody follows from the token alone.
"""

from __future__ import annotations

from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any

from patolli.diagnostics.records import dataclass

HOST, WATCH = -10, -2
"""Who is no seat: the host, and whoever looks on, with the eyes of ``runtime.eyes.EVERYBODY``. That room is not
imported here, as a server should be there before it is."""


def token() -> str:
    """Return a new secret that goes into a link: 144 bits."""
    return token_urlsafe(18)


@dataclass(slots=True)
class Seat:
    """One place at a table.

    Attributes:
        token: The secret of its link.
        name: What its player is called; nothing for the usual ``player 1``.
        bot: The kind of bot that decides; nothing for a person, ``rules`` for a seat that is played by rules.
        taken: Whether somebody has come by the link. A seat that nobody has taken belongs to the host.
    """

    token: str
    name: str = ""
    bot: str = ""
    taken: bool = False

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, for the store."""
        return {"token": self.token, "name": self.name, "bot": self.bot, "taken": self.taken}


@dataclass(slots=True)
class Seats:
    """All places at a table, and the tokens of those who have none."""

    places: list[Seat]
    host: str
    watch: str

    @classmethod
    def new(cls, places: list[Seat]) -> Seats:
        """Return places with new tokens for the host and for those who look on."""
        return cls(places, token(), token())

    @classmethod
    def of(cls, data: dict[str, Any]) -> Seats:
        """Read what :meth:`to_data` has written."""
        return cls([Seat(**one) for one in data["places"]], data["host"], data["watch"])

    def to_data(self) -> dict[str, Any]:
        """Return them as plain data, for the store."""
        return {"places": [seat.to_data() for seat in self.places], "host": self.host, "watch": self.watch}

    def tokens(self) -> dict[str, Any]:
        """Return all tokens, for the host."""
        return {"seat": [seat.token for seat in self.places], "host": self.host, "watch": self.watch}

    def who(self, given: str) -> int | None:
        """Return the seat that a token opens, or :data:`HOST` or :data:`WATCH`; None for one that opens nothing.

        All tokens are compared, in a time that does not tell how much of one was right.
        """
        found: int | None = None
        known = [*enumerate(seat.token for seat in self.places), (HOST, self.host), (WATCH, self.watch)]
        for who, secret in known:
            if compare_digest(secret.encode(), given.encode()):
                found = who
        return found

    def people(self) -> list[int]:
        """Return the seats on which people decide."""
        return [number for number, seat in enumerate(self.places) if not seat.bot]

    def free(self) -> list[int]:
        """Return the seats of people that nobody has taken by a link: the host decides there."""
        return [number for number in self.people() if not self.places[number].taken]
