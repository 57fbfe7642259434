"""Return whether two programs are one: a change that the compiler makes nothing of cannot be noticed by anybody."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from patolli.run.compiler import Executable

_PLAIN = (int, str, bool, range, frozenset, type(None))


def same_program(one: Executable, other: Executable) -> bool:
    """Return whether two programs do the same in any match, as far as their code and their tables say."""
    return (
        one.layout.initial == other.layout.initial
        and one.layout.limits == other.layout.limits
        and _offers(one) == _offers(other)
        and _alike(dict(one.space), dict(other.space))
        and _alike(_lookups(one), _lookups(other))
    )


def _lookups(program: Executable) -> list[Any]:
    return [program.plain_start, program.entries, program.calls, program.origins, program.sides, program.acting,
            program.measures, program.tellers]  # fmt: skip


def _offers(program: Executable) -> str:
    """Return what is said of payments, which is data that code looks at."""
    model = program.layout.model
    return repr([model.substitutions, model.discounts, model.waivers])


def _alike(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, FunctionType):
        return bool(one.__code__ == other.__code__)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(value, other[key]) for key, value in one.items())
    return not isinstance(one, _PLAIN) or bool(one == other)
