"""Compile what a pack says about payments: substitutions, discounts, waivers, and rules that spend."""

from __future__ import annotations

from typing import Any

from patolli.kernel.money import Discount, Money, Substitution, Surcharge, Waiver
from patolli.language.program.effects import CounterItem
from patolli.language.program.model import Formula, Rule
from patolli.run.compiler.entry_points import EntryPoints
from patolli.run.compiler.marked_tags import marked_tags


class Terms:
    """Compiles the conditions and side effects of payments, and fills ``money`` once their functions exist."""

    def __init__(self, entry_points: EntryPoints) -> None:
        self.entry_points = entry_points
        self.model, self.layout = entry_points.unit.model, entry_points.unit.layout
        self.money = Money()
        self.whens: dict[int, str] = {}
        self.codes: dict[int, int] = {}
        self.sides: list[tuple[int, Rule]] = []

    def compile(self) -> None:
        """Compile conditions and side effects of payments."""
        for s in self.model.substitutions:
            self.whens[id(s)] = self._when(s.when)
        for d in self.model.discounts:
            self.whens[id(d)] = self._when(d.when)
            self.codes[id(d)] = self._side(d.body) if d.body else 0
        for w in self.model.waivers:
            self.whens[id(w)] = self.entry_points.candidates(w.me, w.binder, w.when, self.model.rules[w.body])
            self.codes[id(w)] = self._side(w.body)

    def _when(self, when: Formula | None) -> str:
        """Make a function of a condition; one about what is paid for is in the tags of payments, see ``payments``."""
        return self.entry_points.formula(when) if when is not None and not when.variables else ""

    def _side(self, name: str) -> int:
        rule = self.model.rules[name]
        self.money.sides.append((lambda s, me: None, False))
        position = len(self.money.sides) - 1
        self.sides.append((position, rule))
        return -1 - position

    def fill(self) -> None:
        """Put the functions themselves in, once they exist."""
        space, counters, money = self.entry_points.unit.space, self.layout.counters, self.money

        def bases(names: tuple[str, ...]) -> tuple[int, ...]:
            return tuple(counters[name][0] for name in names)

        for s in self.model.substitutions:
            assert isinstance(s.give, CounterItem)
            give, number = counters[s.give.counter][0], self.layout.constants.number(s.give.amount)
            when, tags = space.get(self.whens[id(s)]), marked_tags(self.model, s) if s.on else None
            money.substitutions.append(
                Substitution(give, number, s.least, s.most, frozenset(bases(s.targets)), when, tags)
            )
        for d in self.model.discounts:
            when = space.get(self.whens[id(d)])
            if d.less < 0:
                money.surcharges.append(Surcharge(marked_tags(self.model, d), -d.less, bases(d.targets), when))
                continue
            money.discounts.append(
                Discount(marked_tags(self.model, d), d.less, bases(d.targets), when, self.codes[id(d)])
            )
        for w in self.model.waivers:
            candidates = space[self.whens[id(w)]]
            money.waivers.append(
                Waiver(marked_tags(self.model, w), frozenset(bases(w.of)), candidates, self.codes[id(w)])
            )
        for position, rule in self.sides:
            money.sides[position] = self.entry_points.work(rule), bool(rule.parameters)
        money.spent = frozenset(self.spends())

    def spends(self) -> dict[int, Any]:
        """Return by slot of a counter what is done for what is paid, whether once for all, and the counter's base."""
        found: dict[int, Any] = {}
        for counter in self.model.counters.values():
            rule = self.model.rules.get(counter.spend)
            if rule is not None:
                base = self.layout.counters[counter.name][0]
                for seat in range(self.layout.seats):
                    found[base + seat] = (self.entry_points.work(rule), len(rule.parameters) > 1, base)
        return found
