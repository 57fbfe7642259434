"""How rules leave off: with a fault of the content, without an answer, or because the match is over."""

from __future__ import annotations


class MatchOver(Exception):
    """Raised by ``end match`` to leave everything that is going on."""


class RuleFault(Exception):
    """The content did something impossible; the message says what."""


class NoOption(RuleFault):
    """A question has no answer left."""


def no_option(block: int) -> None:
    """A question has no answer."""
    raise NoOption("there is nothing left to choose here")
