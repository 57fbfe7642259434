"""Seats and tokens of a table.

A table has a secret token for each seat, one for the host, and one for spectators. The token alone decides what a
client may see.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hmac import compare_digest
from secrets import choice, token_urlsafe
from typing import Any

HOST, WATCH = -10, -2
"""Numbers of clients without a seat: the host, and spectators, who have the view
``runtime.seat_visibility.EVERYBODY``. That module is not imported here, because the server should start before the
runtime is loaded."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters in names of tables and runs, without look-alikes."""
NAME = re.compile(f"[{LETTERS}]{{8}}")
"""The pattern of these names. Other names are refused without a lookup."""


def new_name() -> str:
    """Return a random name for a table or a run of the lab."""
    return "".join(choice(LETTERS) for _ in range(8))


def token() -> str:
    """Return a new secret of 144 bits for a link."""
    return token_urlsafe(18)


@dataclass(slots=True)
class Seat:
    """One seat of a table.

    Attributes:
        token: The secret of its link.
        name: The name of its player; empty for the default ``player 1``.
        bot: The kind of bot; empty for a person, ``rules`` for a seat that the rules play.
        taken: Whether a player has opened the link. Until then, the host plays the seat.
        fresh: Whether a taken seat has a new link that was not opened yet.
        former: The secrets of replaced links, which are spectator links now.
        extra: Seconds that the player got on the clock when taking over from a bot.
    """

    token: str
    name: str = ""
    bot: str = ""
    taken: bool = False
    fresh: bool = False
    former: list[str] = field(default_factory=list)
    extra: float = 0

    @property
    def awaits(self) -> bool:
        """Whether the link can be shared: a person plays the seat, and the link was not opened yet."""
        return not self.bot and (self.fresh or not self.taken)

    def renew(self) -> None:
        """Make a new link; the old one becomes a spectator link."""
        self.former.append(self.token)
        self.token, self.fresh = token(), self.taken

    def to_data(self) -> dict[str, Any]:
        """Return the value as plain data for the store."""
        return {
            "token": self.token, "name": self.name, "bot": self.bot, "taken": self.taken, "fresh": self.fresh,
            "former": list(self.former), **({"extra": self.extra} if self.extra else {}),
        }  # fmt: skip


@dataclass(slots=True)
class Seats:
    """All seats of a table, and the tokens of host and spectators.

    Attributes:
        places: The seats.
        host: The token of the host.
        watch: The token of spectators.
        saved: Whether the host has saved the whole match before its end.
    """

    places: list[Seat]
    host: str
    watch: str
    saved: bool = False

    @classmethod
    def new(cls, places: list[Seat]) -> Seats:
        """Return seats with new tokens for host and spectators."""
        return cls(places, token(), token())

    @classmethod
    def of(cls, data: dict[str, Any]) -> Seats:
        """Read the data of :meth:`to_data`."""
        return cls([Seat(**one) for one in data["places"]], data["host"], data["watch"], data.get("saved", False))

    def to_data(self) -> dict[str, Any]:
        """Return the seats as plain data for the store."""
        return {
            "places": [seat.to_data() for seat in self.places], "host": self.host, "watch": self.watch,
            "saved": self.saved,
        }  # fmt: skip

    def tokens(self) -> dict[str, Any]:
        """Return all tokens that the host can share; None for a taken seat or one of a bot."""
        links = [seat.token if seat.awaits else None for seat in self.places]
        return {"seat": links, "host": self.host, "watch": self.watch}

    def who(self, given: str) -> int | None:
        """Return the seat of a token, or :data:`HOST` or :data:`WATCH`; None for an invalid token.

        The link of a seat of a bot, and a replaced link, are spectator links. All tokens are compared in constant time.
        """
        own = [(WATCH if seat.bot else number, seat.token) for number, seat in enumerate(self.places)]
        former = [(WATCH, secret) for seat in self.places for secret in seat.former]
        return _find_open([*own, *former, (HOST, self.host), (WATCH, self.watch)], given)

    def sits(self, given: str) -> int | None:
        """Return the seat of a link, even if a bot plays there; None for other tokens."""
        return _find_open(list(enumerate(seat.token for seat in self.places)), given)

    def away(self, given: str) -> dict[str, Any] | None:
        """Return why the owner of a link is a spectator: a ``bot`` plays on the seat, or there is a new ``link``."""
        number = self.sits(given)
        if number is not None:
            return {"seat": number, "why": "bot"} if self.places[number].bot else None
        rows = [(at, secret) for at, seat in enumerate(self.places) for secret in seat.former]
        number = _find_open(rows, given)
        return None if number is None else {"seat": number, "why": "link"}

    def people(self) -> list[int]:
        """Return the seats of people."""
        return [number for number, seat in enumerate(self.places) if not seat.bot]

    def free(self) -> list[int]:
        """Return the seats of people that are not taken, which the host plays."""
        return [number for number in self.people() if not self.places[number].taken]


def seat_again(seats: Seats, players: int) -> Seats:
    """Return the seats for a rematch: the same people with the same links, each one seat earlier."""
    old = seats.places[:players]
    moved = [replace(seat, former=[], extra=0) for seat in (*old[1:], *old[:1])]
    rules = [replace(seat, token=token(), former=[]) for seat in seats.places[players:]]
    return Seats([*moved, *rules], seats.host, seats.watch)


def _find_open(rows: list[tuple[int, str]], given: str) -> int | None:
    found: int | None = None
    for who, secret in rows:
        if compare_digest(secret.encode(), given.encode()):
            found = who
    return found
