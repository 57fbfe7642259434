"""Find the counters that a call can only make larger, so that what was enough before is still enough behind it.

In:     an effect that carries out rules.
Out:    names of counters.

A counter counts where all that changes it, in the rules and in whatever these carry out, is a ``gain`` of an amount
that is not below 0. Rules that ask are left out, since anything may be done meanwhile.
"""

from __future__ import annotations

from patolli.program import effects as e
from patolli.program.node import Node, declaration, walk
from patolli.proofs.prover import Prover


class Growing:
    """Answers for one program, and keeps what it found."""

    def __init__(self, prover: Prover) -> None:
        """Begin with nothing looked at."""
        self.prover, self.program, self.summaries = prover, prover.program, prover.summaries
        self._known: dict[str, frozenset[str]] = {}

    def only_gained(self, effect: e.CallRule | e.Do) -> frozenset[str]:
        """Return the counters that may go up, and never down, while an effect is carried out."""
        if self.summaries.asks(effect):
            return frozenset()
        called = [rule.name for rule in self.summaries.called(effect)]
        names = dict.fromkeys(name for one in called for name in (one, *self.summaries.reached(one)))
        written = {location[1] for location in self.summaries.of(effect).writes if location[0] == "counter"}
        return frozenset(name for name in written if not any(name in self._lowered(rule) for rule in names))

    def _lowered(self, name: str) -> frozenset[str]:
        """Return the counters that a rule itself may make smaller."""
        if name not in self._known:
            nodes = list(walk(self.program.rules[name].block))
            self._known[name] = frozenset(counter for node in nodes for counter in self._lowered_by(node))
        return self._known[name]

    def _lowered_by(self, node: Node) -> set[str]:
        written = {location[1] for location in declaration(node).writes(node) if location[0] == "counter"}
        if not isinstance(node, e.Gain) or node.less:
            return written
        grown = {item.counter for item in node.items if isinstance(item, e.CounterItem) and self._up(item)}
        fallen = {item.counter for item in node.items if isinstance(item, e.CounterItem) and not self._up(item)}
        return written - (grown - fallen)

    def _up(self, item: e.CounterItem) -> bool:
        """Tell whether a gain leaves a counter at least as large: a counter above its maximum would be cut."""
        return self.prover.domain.never_negative(item.amount) and self.prover.domain.starts_inside(item.counter)


__all__ = ["Growing"]
