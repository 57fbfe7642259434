"""Options that several commands have."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from patolli.cli.completion_words import complete_bot, complete_module, complete_seat
from patolli.language.diagnostics.given import DIGITS

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number within bounds; click calls the number itself a range."""

    name = "integer"


class Real(click.FloatRange):
    """A finite number within bounds; Python also accepts ``nan`` and ``inf`` as numbers."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; ``click.BadParameter`` says what is wrong with it."""
        found: float = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value!r} is not a valid number.", param, ctx)
        return found


class NewFile(click.Path):
    """A file to be written. An empty name would be that of the current folder."""

    def __init__(self) -> None:
        """Take names of files, which need not be there."""
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; ``click.BadParameter`` says what is wrong with it."""
        if not os.fspath(value):
            self.fail("the name of the file is empty.", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class Seed(click.types.IntParamType):
    """A whole number that is not too long for a seed."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; ``click.BadParameter`` says what is wrong with it."""
        if isinstance(value, str) and len(value.strip().lstrip("+-")) > DIGITS:
            self.fail(f"a seed has at most {DIGITS} digits; this one has {len(value.strip())}", param, ctx)
        found: int = super().convert(value, param, ctx)
        return found


def _parse_settings(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Split each ``name=value`` at its first equals sign."""
    found = []
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE")
        found.append((name, value))
    return tuple(found)


def _parse_seats(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
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
    return click.option(
        "--seat",
        "seats",
        multiple=True,
        metavar="N=KIND",
        callback=_parse_seats,
        help=words,
        shell_complete=complete_seat,
    )


def with_bot(default: str, words: str) -> Callable[[F], F]:
    """Add ``--bot`` with *words* as its help."""
    return click.option(
        "--bot", default=default, show_default=True, metavar="KIND", help=words, shell_complete=complete_bot
    )


def bot_kind(text: str, option: str, others: tuple[str, ...] = ()) -> str:
    """Return the kind of bot that an option names; the *others* may play a seat, too, but are not bots.

    Modules are searched in the current folder first.

    Raises:
        click.BadParameter: There is no such kind, or it cannot be imported.
    """
    if text in others:
        return text
    from patolli.language.diagnostics import nearest
    from patolli.language.diagnostics.text import harmless
    from patolli.language.sources.home import current_folder
    from patolli.play.players import kind_of

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
    """Return the player of each seat; a single seat overrides all seats. The *others* are not bots.

    Raises:
        click.BadParameter: There is no such seat or kind, or a seat is given twice.
    """
    found = list(default)
    twice = [seat for number, (seat, _) in enumerate(seats) if seat in [other for other, _ in seats[:number]]]
    if twice:
        words = f"--seat gives {f'seat {twice[0]}' if twice[0] else 'all seats'} twice"
        raise click.BadParameter(words, param_hint="--seat")
    for seat, text in sorted(seats, key=lambda one: one[0] != 0):
        kind = bot_kind(text, "--seat", others)
        if seat > players:
            raise click.BadParameter(f"there is no seat {seat}; the match has {players} seats", param_hint="--seat")
        for index in range(players) if seat == 0 else [seat - 1]:
            found[index] = kind
    return found


SORTS = {"archive": b"PK", "page of HTML": b"<!doctype html", "PDF": b"%PDF"}
"""How files begin that commands write: what is of another sort was rarely meant to be written over."""


def spare_others(out: Path, sort: str) -> None:
    """Refuse to overwrite a file of another type. Raises click.BadParameter: there is one; OSError: unreadable."""
    if not out.is_file():
        return
    with out.open("rb") as file:
        begins = file.read(100)
    if begins and not begins.lstrip().lower().startswith(SORTS[sort].lower()):
        raise click.BadParameter(f"{str(out)!r} already exists, and its type is not {sort!r}", param_hint="--out")


def with_modules(function: F) -> F:
    """Add ``--with`` and ``--set``."""
    words = "Set an option of the pack; may be repeated."
    setting = click.option(
        "--set", "settings", multiple=True, metavar="NAME=VALUE", callback=_parse_settings, help=words
    )
    words = "Add a module; may be repeated."
    module = click.option(
        "--with", "modules", multiple=True, metavar="MODULE", help=words, shell_complete=complete_module
    )
    return module(setting(function))


def with_format(function: F) -> F:
    """Add ``--format``, for people or programs."""
    words = "Output format."
    return click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help=words)(function)


def load_rules(pack: str, modules: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> Ruleset:
    """Load a ruleset as a command names it."""
    from patolli.author.workspace import load

    return load(pack, modules, dict(settings))


def format_count(number: int, what: str, several: str = "") -> str:
    """Return a number with its noun: ``1 card``, ``2 cards``; *several* is a plural of another form."""
    return f"{number} {what}" if number == 1 else f"{number} {several or f'{what}s'}"
