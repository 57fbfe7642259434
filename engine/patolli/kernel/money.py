"""What a ruleset says about payments: what may be paid for what, what is cheaper, what may be left out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, MutableSequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from patolli.kernel.state import State, copy_state

Pairs = tuple[tuple[int, int], ...]
Mixes = tuple[tuple[tuple[int, ...], int], ...]
Need = tuple[Pairs, Mixes]
"""What is to be paid: ``((slot, amount), ..)``, and ``(((base, ..), number), ..)`` for mixes of a group."""
Amounts = tuple[int, ...]
"""How much there is of each of some slots, in their order."""
Way = tuple[int, ...]
"""One way to pay: pairs of a slot and what is taken from it, then of the code of a side effect (< 0) and its value."""


class Substitution(NamedTuple):
    """One thing that may be paid for another; counters are bases, to which the player is added.

    One use of ``number`` of ``give`` stands for ``least`` to ``most`` of one of the ``targets``, in payments with one
    of the ``tags``, or in all.
    """

    give: int
    number: int
    least: int
    most: int
    targets: frozenset[int]
    when: Callable[[State, int], bool] | None = None
    tags: frozenset[str] | None = None


class Discount(NamedTuple):
    """What payments with one of the tags cost less; ``code`` is its side effect, 0 where it has none."""

    tags: frozenset[str]
    less: int
    targets: tuple[int, ...]
    when: Callable[[State, int], bool] | None = None
    code: int = 0


class Surcharge(NamedTuple):
    """What payments with one of the tags cost more: ``more`` of the targets, chosen by the player who pays."""

    tags: frozenset[str]
    more: int
    targets: tuple[int, ...]
    when: Callable[[State, int], bool] | None = None


class Waiver(NamedTuple):
    """What payments with one of the tags may do without, once for each candidate."""

    tags: frozenset[str]
    targets: frozenset[int]
    candidates: Callable[[State, int], list[int]]
    code: int


class Events(threading.local, MutableSequence[tuple[Any, ...]]):
    """What is narrated, in order; what was only tried is deleted again.

    Each thread has its own events, so that threads can play matches of one program at the same time. While a state is
    ``watched``, it is ``kept`` as it was after each event that moved or revealed pieces, with it.

    Attributes:
        rows: The events of this thread.
        said: About how many characters are to be reported since the last answer.
    """

    MOVERS = ("move", "moved", "shuffled", "revealed")

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.said = 0
        self.watched: State | None = None
        self.kept: list[tuple[int, tuple[Any, ...], State]] = []

    def append(self, event: tuple[Any, ...]) -> None:
        """Add an event."""
        rows, watched = self.rows, self.watched
        rows.append(event)
        if watched is not None and event[0] in self.MOVERS:
            self.kept.append((len(rows) - 1, event, copy_state(watched)))

    def insert(self, index: int, event: tuple[Any, ...]) -> None:
        """Insert an event."""
        self.rows.insert(index, event)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __getitem__(self, where: Any) -> Any:
        return self.rows[where]

    def __setitem__(self, where: Any, value: Any) -> None:
        self.rows[where] = value

    def __delitem__(self, where: Any) -> None:
        del self.rows[where]
        while self.kept and self.kept[-1][0] >= len(self.rows):
            self.kept.pop()

    def clear(self) -> None:
        """Forget all."""
        self.rows.clear()
        self.kept.clear()


@dataclass(slots=True)
class Money:
    """What a ruleset says about payments.

    ``sides``: side effects by ``-1 - code``, each with whether it takes the value behind the code.
    ``spent``: slots whose paying is left to a rule of the pack.
    ``events``: what is narrated; a payment that is only tried leaves nothing there.
    """

    substitutions: list[Substitution] = field(default_factory=list)
    discounts: list[Discount] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)
    surcharges: list[Surcharge] = field(default_factory=list)
    sides: list[tuple[Callable[..., None], bool]] = field(default_factory=list)
    spent: frozenset[int] = frozenset()
    events: Events = field(default_factory=Events)
