"""Blocks as their author wrote them: a call of a rule and the effect that uses what it returns are one statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from patolli.language.program.effects import Block, CallRule, Effect


@dataclass(frozen=True, slots=True)
class Statement:
    """An effect, and the calls whose results it uses."""

    effect: Effect
    calls: tuple[CallRule, ...] = ()


def statements(block: Block) -> Iterator[Statement]:
    """Yield the statements of a block; a result without a name belongs to the effect behind its call."""
    calls: list[CallRule] = []
    for effect in block:
        if isinstance(effect, CallRule) and effect.into is not None and not effect.into.name:
            calls.append(effect)
        else:
            yield Statement(effect, tuple(calls))
            calls.clear()
