"""How rules leave off: with a fault of the content, without an answer, or because the match is over."""

from __future__ import annotations

from typing import Any

from patolli.kernel.library import library

Spot = tuple[str, int]
"""A file and a line in it."""


class MatchOver(Exception):
    """Raised by ``end match`` to leave everything that is going on."""


class RuleFault(Exception):
    """The content did something impossible; the message says what, and ``code`` where the register says more.

    ``spent`` is the place where most of the steps went, of a fault that comes from too many of them.
    """

    def __init__(self, reason: str, code: str, spent: Spot | None = None) -> None:
        self.code = code
        self.spent = spent
        super().__init__(reason)


class BrokenPromise(RuleFault):
    """A promise of the rules does not hold; ``parts`` are the values that it looked at, each with place and type."""

    def __init__(self, reason: str, parts: tuple[Any, ...]) -> None:
        self.parts = parts
        super().__init__(f"this was promised, but is not true{': ' if reason else ''}{reason}", "P0820")


class NoOption(RuleFault):
    """A question has no answer left."""


@library()
def too_few(block: int) -> None:
    """A question asks for more items than there are left."""
    raise NoOption("there are too few left to choose from here", "P0807")


@library()
def no_option(block: int) -> None:
    """A question has no answer."""
    raise NoOption("there is nothing left to choose here", "P0807")


@library()
def no_way_to_pay() -> None:
    """Fail because a payment cannot be made."""
    raise RuleFault("this cannot be paid", "P0817")


@library()
def not_met() -> None:
    """Fail because the condition of a ``require`` does not hold."""
    raise RuleFault("what this rule requires is not true", "P0818")


@library()
def broken_promise(reason: str, parts: tuple[Any, ...]) -> None:
    """Fail because a promise does not hold."""
    raise BrokenPromise(reason, parts)


@library()
def nothing_to_draw() -> None:
    """Fail because there is nothing to draw from."""
    raise RuleFault("there is nothing here to draw from", "P0819")
