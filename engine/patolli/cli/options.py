"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number within bounds; click calls the number itself a range."""

    name = "integer"


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


def seat_kinds(
    seats: tuple[tuple[int, str], ...], players: int, default: list[str], known: tuple[str, ...]
) -> list[str]:
    """Return who sits on each seat, the later choices before the earlier ones.

    Raises:
        click.BadParameter: There is no such seat, or no such kind.
    """
    found = list(default)
    for seat, kind in seats:
        if kind not in known:
            from patolli.diagnostics import nearest

            near = nearest(kind, known)
            hint = f"did you mean {near!r}?" if near else f"there are {', '.join(known)}"
            raise click.BadParameter(f"there is no player of the kind {kind!r}; {hint}", param_hint="--seat")
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
