"""Find the counters that can only become larger, so that what was enough before is still enough behind.

In:     an effect that carries out rules, or the body of a loop.
Out:    names of counters.

A counter counts where all that changes it, in the rules and in whatever these carry out, is a ``gain`` of an amount
that is not below 0. Rules that ask are left out, since anything may be done meanwhile.
"""

from __future__ import annotations

from patolli.check.proofs.prover import Prover
from patolli.language.program import effects as e
from patolli.language.program.node import Node, declaration, walk


class Growing:
    """Answers for one program, and keeps what it found."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.program, self.summaries = prover, prover.program, prover.summaries
        self._known: dict[str, frozenset[str]] = {}

    def only_gained(self, tree: e.Effect | e.Block) -> frozenset[str]:
        """Return the counters that may go up, and never down, while something is done."""
        done = self.summaries.of(tree)
        written = {location[1] for location in done.writes if location[0] == "counter"}
        if done.asks or not written:
            return frozenset()
        names = dict.fromkeys(
            name for one in sorted(done.runs) for name in (one, *self.summaries.list_reachable_rules(one))
        )
        for name in names:
            written -= self._list_lowered_counters(name)
        return frozenset(written - {counter for node in walk(tree) for counter in self._lowered_by(node)})

    def _list_lowered_counters(self, name: str) -> frozenset[str]:
        """Return the counters that a rule itself may make smaller."""
        if name not in self._known:
            nodes = list(walk(self.program.rules[name].block))
            self._known[name] = frozenset(counter for node in nodes for counter in self._lowered_by(node))
        return self._known[name]

    def _lowered_by(self, node: Node) -> set[str]:
        # what a payment really takes, and what is carried out beside it, is not all said by its own items
        writes = self.summaries.of(node).writes if isinstance(node, e.Pay | e.Gain) else declaration(node).writes(node)
        written = {location[1] for location in writes if location[0] == "counter"}
        if not isinstance(node, e.Gain) or node.less:
            return written
        grown = {item.counter for item in node.items if isinstance(item, e.CounterItem) and self._up(item)}
        fallen = {item.counter for item in node.items if isinstance(item, e.CounterItem) and not self._up(item)}
        return written - (grown - fallen)

    def _up(self, item: e.CounterItem) -> bool:
        """Return whether a gain leaves a counter at least as large: a counter above its maximum would be cut."""
        return self.prover.domain.never_negative(item.amount) and self.prover.domain.declared.starts_inside(
            item.counter
        )
