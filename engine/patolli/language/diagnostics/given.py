"""Look at what a program hands over: what is of another type is reported at once, with what is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from os import PathLike, fspath
from typing import Any, TypeVar

DIGITS = 1000
"""Digits of the longest seed: all of them go into saves and into each hash that a draw is made of."""
SEEDS = 10**DIGITS
T = TypeVar("T")


def whole(value: Any, what: str) -> int:
    """Return a whole number, those of other libraries included. Raises TypeError: it is something else."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is a whole number, not {value!r}")
    return index(value)


def check_seed(value: Any) -> int:
    """Return a seed. Raises TypeError: it is no whole number; ValueError: it has too many digits to be written down."""
    number = whole(value, "a seed")
    if abs(number) >= SEEDS:  # it is not quoted: Python makes no text of such numbers
        raise ValueError(f"a seed has {DIGITS} digits at most, and this one has more")
    return number


def text(value: Any, what: str) -> str:
    """Return a text. Raises TypeError: it is something else."""
    if not isinstance(value, str):
        raise TypeError(f"{what}, not {_shorten_repr(value)}")
    return value


def path(value: Any, what: str) -> str:
    """Return a text or a path as a text. Raises TypeError: it is something else."""
    if isinstance(value, PathLike):
        value = fspath(value)
    return text(value, what)


def paths(value: Any, what: str) -> list[str]:
    """Return several texts or paths; a single one would be taken as letters. Raises TypeError: it is something else."""
    if isinstance(value, str | PathLike):
        raise TypeError(f"{what} come as a list, such as [{str(value)!r}], not as {_shorten_repr(value)}")
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise TypeError(f"{what} come as a list of texts, not as {_shorten_repr(value)}")
    return [path(one, f"each of the {what} is a text") for one in value]


def table(value: Any, what: str) -> dict[str, Any]:
    """Return values by name; None stands for no values. Raises TypeError: it is something else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"{what} come as a table, such as {{'name': 1}}, not as {_shorten_repr(value)}")
    return dict(value)


def rules(value: T) -> T:
    """Return a ruleset. Raises TypeError: it is something else, such as the name of a pack."""
    if not hasattr(value, "resolved_program"):
        raise TypeError(f"what is played is a Ruleset that load() gave, not {value!r}")
    return value


def _shorten_repr(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:57]}..."
