"""Parse signatures such as ``name(type variable, type variable)``.

Errors: P0102 a bad signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patolli.language.diagnostics import Problem, instead
from patolli.language.sources.lookalikes import advice, is_unseen, name_character, plain_form
from patolli.language.syntax import tree as t

_SIGNATURE = re.compile(r"\s*([a-z_][a-z0-9_]*)\s*(?:\((.*)\))?\s*$", re.S)
_PARAMETER = re.compile(r"\s*((?:list of )*[a-z_][a-z0-9_]*\??)(?:\s+([a-z_][a-z0-9_]*))?\s*$")
_BOUNDED = re.compile(r"\s*(int)\s+(-?[0-9]{1,9})\s*\.\.\s*(-?[0-9]{1,9})\s+([a-z_][a-z0-9_]*)\s*$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: the text of its type, its name, where both begin, and for a number its least and greatest value.

    The name begins where the type does if it is left out.
    """

    type: str
    name: str
    start: int
    named_at: int
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """``name(type variable, type variable)``."""

    name: str
    parameters: tuple[Parameter, ...]


def parse_signature(text: t.Text) -> tuple[Signature | None, list[Problem]]:
    """Parse ``name(type variable, ...)``; a variable that is left out is named after its type."""
    odd = next((at for at, letter in enumerate(text.value) if is_unseen(letter)), None)
    if odd is not None:
        letter = text.value[odd]
        fixes = instead(text.place(odd, 1), plain_form(letter), sure=True)
        return None, [
            Problem("P0102", f"unexpected {name_character(letter)}", text.place(odd, 1), advice(letter), fixes=fixes)
        ]
    found = _SIGNATURE.match(text.value)
    if not found:
        help_ = "write it as 'name(type variable, type variable)'"
        return None, [Problem("P0102", f"{text.value!r} is not a signature", text.place(0, len(text.value)), help_)]
    parameters: list[Parameter] = []
    problems: list[Problem] = []
    for offset, part in _parts(found.group(2) or "", found.start(2)):
        one, bounded = _PARAMETER.match(part), _BOUNDED.match(part)
        if bounded:
            low, high = int(bounded.group(2)), int(bounded.group(3))
            if low > high:
                message = f"no number is from {low} to {high}"
                problems.append(Problem("P0102", message, text.place(offset, len(part)), "write the lesser one first"))
            parameters.append(
                Parameter("int", bounded.group(4), offset + bounded.start(1), offset + bounded.start(4), (low, high))
            )
        elif one:
            kind, name = one.group(1), one.group(2)
            named = name or kind.rpartition("list of ")[2].rstrip("?")
            named_at = one.start(1 if name is None else 2)
            parameters.append(Parameter(kind, named, offset + one.start(1), offset + named_at))
        else:
            help_ = "a parameter is written as 'type variable', a number within bounds as 'int 0..3 variable'"
            problems.append(
                Problem("P0102", f"{part.strip()!r} is not a parameter", text.place(offset, len(part)), help_)
            )
    return Signature(found.group(1), tuple(parameters)), problems


def _parts(text: str, start: int) -> Iterator[tuple[int, str]]:
    if not text.strip():
        return
    for part in text.split(","):
        yield start, part
        start += len(part) + 1
