"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

F = TypeVar("F", bound=Callable[..., Any])


class Setting(click.ParamType):
    """An option of a pack, written ``name=value``."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Split at the first equals sign."""
        name, sign, given = str(value).partition("=")
        if not sign or not name or not given:
            self.fail(f"{value!r} is not of the form name=value", param, ctx)
        return name, given


class SeatKind(click.ParamType):
    """Who sits on a seat: ``2=greedy``, or ``all=greedy``; the number counts from 1, and ``all`` becomes 0."""

    name = "seat=kind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        """Split at the equals sign."""
        seat, sign, kind = str(value).partition("=")
        if not sign or not kind or not (seat == "all" or (seat.isascii() and seat.isdigit() and int(seat) > 0)):
            self.fail(f"{value!r} is not of the form N=KIND or all=KIND, with N from 1", param, ctx)
        return (0 if seat == "all" else int(seat)), kind


SEATS = SeatKind()


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
    function = click.option(
        "--set", "settings", type=Setting(), multiple=True, metavar="NAME=VALUE", help="Set an option of the pack."
    )(function)
    return click.option("--with", "modules", multiple=True, metavar="MODULE", help="Add a module; may be repeated.")(
        function
    )


def load_rules(pack: str, modules: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> Ruleset:
    """Load a ruleset as a command names it."""
    from patolli.runtime import load

    return load(pack, modules, dict(settings))
