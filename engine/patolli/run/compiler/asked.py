"""Describe the questions of compiled rules: where an answer goes, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.diagnostics import Span
from patolli.language.program import types as ty
from patolli.language.program.effects import Choose, Effect, Menu
from patolli.language.program.expressions import Variable
from patolli.language.program.preconditions import ALWAYS, Demand

DONE = "done"
"""The label of the answer that several things are enough, where they are chosen one by one."""


@dataclass(slots=True)
class Question:
    """One question of a rule: where its answer goes, and how to show it.

    ``kind`` is ``choose``, ``menu``, ``repeat``, ``pause``, ``pay``, ``gain`` or ``order``; ``types`` are those of the
    values; ``labels`` those of menu lines, each with the types of its own values. A ``fragile`` question may lose its
    last option when an anytime action spends something meanwhile.

    ``effect`` asks, and is None only for a pause; ``behind`` is what is demanded behind it, and
    ``frame`` says in which slots the variables lie that are known there.
    """

    kind: str
    rule: str
    span: Span
    prompt: str
    types: tuple[ty.AnyType, ...] = ()
    labels: tuple[tuple[str | None, tuple[ty.AnyType, ...]], ...] = ()
    decline: str | None = None
    fragile: bool = True
    slot: int = 0
    then: int = 0
    effect: Effect | None = None
    behind: Demand = ALWAYS
    frame: dict[Variable, int] = field(default_factory=dict)

    @property
    def has_values(self) -> bool:
        """Whether the prompt names values, which depend on the match."""
        return isinstance(self.effect, Choose | Menu) and bool(self.effect.named)


@dataclass(frozen=True, slots=True)
class Holding:
    """What lies in a frame: the slots of variables, and those that hold what loops give to variables, one by one."""

    slots: dict[Variable, int]
    items: dict[int, tuple[Variable, ...]]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables that may have values."""
        return (*self.slots, *(variable for items in self.items.values() for variable in items))
