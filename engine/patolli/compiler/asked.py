"""Describe the questions of compiled rules: where an answer goes, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from patolli.diagnostics import Span
from patolli.program import types as ty


@dataclass(slots=True)
class Question:
    """One question of a rule: where its answer goes, and how to show it.

    ``kind`` is ``choose``, ``menu``, ``repeat``, ``pause``, ``pay``, ``gain`` or ``order``; ``types`` are those of the
    values; ``labels`` those of menu lines, each with the types of its own values. A ``fragile`` question may lose its
    last option when an anytime action spends something meanwhile.
    """

    kind: str
    rule: str
    span: Span
    prompt: str
    types: tuple[ty.AnyType, ...] = ()
    labels: tuple[tuple[str | None, tuple[ty.AnyType, ...]], ...] = ()
    decline: str | None = None
    simultaneous: bool = False
    fragile: bool = True
    slot: int = 0
    then: int = 0
