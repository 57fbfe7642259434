"""Who sits where, and what a token opens.

A table has a secret token for every seat, one for whoever has made it (the host), and one for those who look on. What
is sent to somebody follows from the token alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hmac import compare_digest
from secrets import choice, token_urlsafe
from typing import Any

HOST, WATCH = -10, -2
"""Who is no seat: the host, and whoever looks on, with the eyes of ``runtime.eyes.EVERYBODY``. That room is not
imported here, as a server should be there before it is."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What the name of a table or a run is made of: nothing that reads like something else."""
NAME = re.compile(f"[{LETTERS}]{{8}}")
"""Such a name. What is asked for under any other is not looked up."""


def new_name() -> str:
    """Return a name for a table, or for a run of the lab."""
    return "".join(choice(LETTERS) for _ in range(8))


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
        fresh: Whether a new link was made for a seat that was taken, and nobody has come by it yet.
        former: The secrets of links that were replaced; who has one looks on.
    """

    token: str
    name: str = ""
    bot: str = ""
    taken: bool = False
    fresh: bool = False
    former: list[str] = field(default_factory=list)

    @property
    def awaits(self) -> bool:
        """Whether a person may still come by the link: it is to be handed out, and nobody holds it yet."""
        return not self.bot and (self.fresh or not self.taken)

    def renew(self) -> None:
        """Make a new link; who came by the old one looks on."""
        self.former.append(self.token)
        self.token, self.fresh = token(), self.taken

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, for the store."""
        return {
            "token": self.token, "name": self.name, "bot": self.bot, "taken": self.taken, "fresh": self.fresh,
            "former": list(self.former),
        }  # fmt: skip


@dataclass(slots=True)
class Seats:
    """All places at a table, and the tokens of those who have none.

    Attributes:
        places: The seats.
        host: The token of whoever has made the table.
        watch: The token of those who look on.
        saved: Whether the host has kept a save in which everything stands, while the match went on.
    """

    places: list[Seat]
    host: str
    watch: str
    saved: bool = False

    @classmethod
    def new(cls, places: list[Seat]) -> Seats:
        """Return places with new tokens for the host and for those who look on."""
        return cls(places, token(), token())

    @classmethod
    def of(cls, data: dict[str, Any]) -> Seats:
        """Read what :meth:`to_data` has written."""
        return cls([Seat(**one) for one in data["places"]], data["host"], data["watch"], data.get("saved", False))

    def to_data(self) -> dict[str, Any]:
        """Return them as plain data, for the store."""
        return {
            "places": [seat.to_data() for seat in self.places], "host": self.host, "watch": self.watch,
            "saved": self.saved,
        }  # fmt: skip

    def tokens(self) -> dict[str, Any]:
        """Return all tokens that the host hands out; None for a seat at which somebody sits, or a bot plays."""
        links = [seat.token if seat.awaits else None for seat in self.places]
        return {"seat": links, "host": self.host, "watch": self.watch}

    def who(self, given: str) -> int | None:
        """Return the seat that a token opens, or :data:`HOST` or :data:`WATCH`; None for one that opens nothing.

        The link of a seat at which a bot plays, and one that was replaced, lets look on. All tokens are compared, in a
        time that does not tell how much of one was right.
        """
        own = [(WATCH if seat.bot else number, seat.token) for number, seat in enumerate(self.places)]
        former = [(WATCH, secret) for seat in self.places for secret in seat.former]
        return _opened([*own, *former, (HOST, self.host), (WATCH, self.watch)], given)

    def sits(self, given: str) -> int | None:
        """Return the seat to which a link belongs, be it that a bot plays there; None for any other token."""
        return _opened(list(enumerate(seat.token for seat in self.places)), given)

    def away(self, given: str) -> dict[str, Any] | None:
        """Return why somebody who came by a link looks on: a ``bot`` plays on the seat, or it has a new ``link``."""
        number = self.sits(given)
        if number is not None:
            return {"seat": number, "why": "bot"} if self.places[number].bot else None
        rows = [(at, secret) for at, seat in enumerate(self.places) for secret in seat.former]
        number = _opened(rows, given)
        return None if number is None else {"seat": number, "why": "link"}

    def people(self) -> list[int]:
        """Return the seats on which people decide."""
        return [number for number, seat in enumerate(self.places) if not seat.bot]

    def free(self) -> list[int]:
        """Return the seats of people that nobody has taken by a link: the host decides there."""
        return [number for number in self.people() if not self.places[number].taken]


def _opened(rows: list[tuple[int, str]], given: str) -> int | None:
    found: int | None = None
    for who, secret in rows:
        if compare_digest(secret.encode(), given.encode()):
            found = who
    return found
