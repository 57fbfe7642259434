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
