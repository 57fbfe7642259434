"""Options that several commands have."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from patolli.diagnostics.given import DIGITS

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number within bounds; click calls the number itself a range."""

    name = "integer"


class Seed(click.types.IntParamType):
    """A whole number that is not too long for a seed."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; ``click.BadParameter`` says what is wrong with it."""
        if isinstance(value, str) and len(value.strip().lstrip("+-")) > DIGITS:
            self.fail(f"a seed has {DIGITS} digits at most, and this one has {len(value.strip())}", param, ctx)
        found: int = super().convert(value, param, ctx)
        return found


def _settings(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Split each ``name=value`` at its first equals sign."""
    found = []
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE")
        found.append((name, value))
    return tuple(found)


def _seats(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Split each ``2=greedy`` or ``all=greedy``; seats count from 1, and ``all`` becomes 0."""
    found = []
    for text in given:
        seat, sign, kind = text.partition("=")
        number = 0 if seat == "all" else int(seat) if seat.isascii() and seat.isdigit() else -1
        if not sign or not kind or number < 0 or (number == 0 and seat != "all"):
            raise click.BadParameter(f"{text!r} is not of the form N=KIND or all=KIND, with N from 1")
        found.append((number, kind))
    return tuple(found)


def with_seats(words: str) -> Callable[[F], F]:
    """Add ``--seat`` with *words* as its help."""
    return click.option("--seat", "seats", multiple=True, metavar="N=KIND", callback=_seats, help=words)


def with_bot(default: str, words: str) -> Callable[[F], F]:
    """Add ``--bot`` with *words* as its help."""
    return click.option("--bot", default=default, show_default=True, metavar="KIND", help=words)


def bot_kind(text: str, option: str, others: tuple[str, ...] = ()) -> str:
    """Return the kind of bot that an option names; *others* may sit on a seat, too, and are no bots.

    Modules are looked for in the current folder first.

    Raises:
        click.BadParameter: There is no such kind, or it cannot be imported.
    """
    if text in others:
        return text
    from patolli.diagnostics import nearest
    from patolli.diagnostics.text import harmless
    from patolli.players import kind_of
    from patolli.sources.home import current_folder

    here = current_folder()
    if ":" in text and here is not None and str(here) not in sys.path:
        sys.path.insert(0, str(here))
    try:
        return kind_of(text)
    except (TypeError, ValueError) as error:
        near = nearest(text, others)
        words = f"there is no bot {text!r}; did you mean {near!r}?" if near else str(error)
        raise click.BadParameter(harmless(words), param_hint=option) from None


def seat_kinds(
    seats: tuple[tuple[int, str], ...], players: int, default: list[str], others: tuple[str, ...] = ()
) -> list[str]:
    """Return who sits on each seat, the later choices before the earlier ones; *others* are no bots.

    Raises:
        click.BadParameter: There is no such seat, or no such kind.
    """
    found = list(default)
    for seat, text in seats:
        kind = bot_kind(text, "--seat", others)
        if seat > players:
            raise click.BadParameter(f"there are {players} seats, no seat {seat}", param_hint="--seat")
        for index in range(players) if seat == 0 else [seat - 1]:
            found[index] = kind
    return found


def with_modules(function: F) -> F:
    """Add ``--with`` and ``--set``."""
    words = "Set an option of the pack; may be repeated."
    setting = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", callback=_settings, help=words)
    words = "Add a module; may be repeated."
    return click.option("--with", "modules", multiple=True, metavar="MODULE", help=words)(setting(function))


def load_rules(pack: str, modules: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> Ruleset:
    """Load a ruleset as a command names it."""
    from patolli.workspace import load

    return load(pack, modules, dict(settings))


def counted(number: int, what: str) -> str:
    """Return so many of something in words: ``1 card``, ``2 cards``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
