"""What was met before: numbers and nested tuples of them, each with a value."""

from __future__ import annotations

from typing import Any

Met = dict[Any, Any]
REMEMBERED = 20_000
"""How many results of a stage are remembered; beyond, the search is only slower."""


def nothing_met() -> Met:
    """Return that nothing was met."""
    return {}


def is_met(met: Met, key: Any) -> bool:
    """Return whether a key was met."""
    return key in met


def value_of(met: Met, key: Any) -> Any:
    """Return the value of a key that was met."""
    return met[key]


def meet(met: Met, key: Any, value: Any) -> None:
    """Note a key that was not met before, and its value."""
    met[key] = value


def new_in(met: Met, key: Any) -> bool:
    """Return whether a key was not met before, and note it, as far as so many can be remembered."""
    if key in met:
        return False
    if len(met) < REMEMBERED:
        met[key] = 0
    return True
