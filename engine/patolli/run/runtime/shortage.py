"""Say what a payment lacks, after everything that may stand for something, is taken off, or need not be paid.

The solver of payments answers only yes or no. So what is owed is added to the purse in full, with which everybody can
pay, and then taken away again as far as the payment stays possible: what is left is the least that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from patolli.check.prose.words import words
from patolli.kernel.money import Money, Need, Way
from patolli.kernel.payment_trial import carry_side
from patolli.kernel.state import State
from patolli.run.compiler.executable import Executable
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.labels import Labels

Missing = tuple[tuple[str, int], ...]
"""What is missing, by the name of a counter, or of a group in which any would do."""


class Purse:
    """Reads what a player owes and has.

    Attributes:
        names: What people call things, where these are shown instead of labels.
    """

    def __init__(self, program: Executable, labels: Labels) -> None:
        self.program, self.labels, self.model = program, labels, program.layout.model
        self.money: Money = program.money
        self.names: Names | None = None

    # -- what is missing

    def missing(self, state: State, need: Need, possible: Callable[[], bool], who: int) -> Missing:
        """Return what has to be added for a payment to be possible, and leave it in *state*."""
        added = dict.fromkeys(_slots(need, who), 0)
        full = _add_up([*need[0], *((base + who, number) for bases, number in need[1] for base in bases)])
        for slot, number in full.items():
            added[slot] = max(0, number - min(0, state[slot]))
            state[slot] += added[slot]
        if not possible():
            return ()
        for slot, number in added.items():
            state[slot] -= number
            added[slot] = self._least(state, slot, number, possible)
            state[slot] += added[slot]
        return self._describe_missing(
            {slot: number for slot, number in added.items() if number}, state, need, possible, who
        )

    def _least(self, state: State, slot: int, enough: int, possible: Callable[[], bool]) -> int:
        """Return the least number to add to one counter with which a payment is possible; *enough* is one."""
        low, held = 0, state[slot]
        while low < enough:
            middle = (low + enough) // 2
            state[slot] = held + middle
            if possible():
                enough = middle
            else:
                low = middle + 1
        state[slot] = held
        return enough

    def _describe_missing(
        self, added: dict[int, int], state: State, need: Need, possible: Callable[[], bool], who: int
    ) -> Missing:
        """Return what is missing by names; a group stands for a counter of it where each of them would do."""
        found: dict[str, int] = {}
        for slot, number in added.items():
            mixed = next((bases for bases, _ in need[1] if slot - who in bases), ())
            state[slot] -= number
            every = [self._enough(state, base + who, number, possible) for base in mixed]
            state[slot] += number
            name = self._any(mixed, number) if every and all(every) else self._name(slot, number)
            found[name] = found.get(name, 0) + number
        return tuple(found.items())

    def _enough(self, state: State, slot: int, number: int, possible: Callable[[], bool]) -> bool:
        state[slot] += number
        found = possible()
        state[slot] -= number
        return found

    # -- words

    def values(self, state: State, who: int, need: Need, tag: str | None) -> tuple[tuple[str, str], ...]:
        """Return what is owed and what is there, and what may help."""
        owed = [f"{number} {self._name(slot, number)}" for slot, number in _add_up(need[0]).items()]
        owed += [f"{number} {self._any(bases, number)}" for bases, number in need[1] if number > 0]
        helping, given = self._helping(state, who, need, tag)
        slots = dict.fromkeys([*_slots(need, who), *(base + who for base in given)])
        there = ", ".join(f"{state[slot]} {self._name(slot, state[slot])}" for slot in slots)
        found = [
            ("costs", ", ".join(owed) or "nothing"),
            ("there", there),
            ("in force", ", ".join(map(self._word, helping))),
        ]
        return tuple((name, said) for name, said in found if said)

    def _helping(self, state: State, who: int, need: Need, tag: str | None) -> tuple[list[str], list[int]]:
        """Return by name what may make a payment easier, and the counters that may be given instead."""
        owed = {slot - who for slot in _slots(need, who)}
        helping, given = [], []
        for one, substitution in zip(self.model.substitutions, self.money.substitutions, strict=True):
            holds = substitution.when is None or substitution.when(state, who)
            tagged = substitution.tags is None or tag in substitution.tags
            if owed & substitution.targets and holds and tagged:
                helping.append(one.name)
                given.append(substitution.give)
        cheaper = [one for one in self.model.discounts if one.less > 0]
        for off, discount in zip(cheaper, self.money.discounts, strict=True):
            holds = discount.when is None or discount.when(state, who)
            if tag in discount.tags and owed & set(discount.targets) and holds:
                helping.append(off.name)
        for lifted, waiver in zip(self.model.waivers, self.money.waivers, strict=True):
            if tag in waiver.tags and owed & waiver.targets and waiver.candidates(state, who):
                helping.append(lifted.name)
        return helping, given

    def _word(self, id_: str) -> str:
        return id_ if self.names is None else words(id_)

    def _name(self, slot: int, number: int) -> str:
        """Return what so much of a counter is called."""
        if self.names is not None:
            of = self.names.counter(slot)[len(self.names.amount(self.labels.counters[slot][0], 2)) :]
            return f"{self.names.amount(self.labels.counters[slot][0], number)}{of}"
        name, index = self.labels.counters[slot]
        of = index.partition(", ")[2] if self.model.counters[name].dims[:1] == ("player",) else index
        return f"{name}({of})" if of else name

    def _any(self, bases: tuple[int, ...], number: int) -> str:
        """Say any of some counters, by their group."""
        names = tuple(self.labels.counters[base][0] for base in bases)
        group = next((group for group, members in self.model.groups.items() if tuple(members) == names), "")
        if group:
            return f"any {self._word(group)}"
        said = names if self.names is None else [self.names.amount(name, number) for name in names]
        return " or ".join(said)

    # -- paying on a copy

    def copy_state(self, state: State) -> State:
        """Return a copy of a state that shares no part that a payment may change."""
        return [held.copy() if isinstance(held, list | dict) else held for held in state]

    def apply_payment(self, state: State, who: int, way: Way) -> State:
        """Return a copy of a state behind one way to pay, with its side effects."""
        after, reported = self.copy_state(state), len(self.money.events)
        for code, number in zip(way[::2], way[1::2], strict=True):
            if code >= 0:
                after[code] -= number
        for code, number in zip(way[::2], way[1::2], strict=True):
            if code < 0:
                carry_side(after, who, code, number, self.money)
        del self.money.events[reported:]
        return after


def _slots(need: Need, who: int) -> list[int]:
    """Return the counters with debts, each once."""
    mixed = (base + who for bases, number in need[1] if number > 0 for base in bases)
    return list(dict.fromkeys([*(slot for slot, number in need[0] if number > 0), *mixed]))


def _add_up(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return by slot what is needed of it, where anything is."""
    total: dict[int, int] = {}
    for slot, amount in pairs:
        total[slot] = total.get(slot, 0) + amount
    return {slot: amount for slot, amount in total.items() if amount > 0}
