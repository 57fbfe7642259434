"""Take note of what effects change: what is known behind a gain, a ``set``, a move, and what runs rules.

In:     an effect, and the facts before it.
Out:    the facts behind it, in place.

What may have been written is forgotten, by the summaries; a counter that goes up or down by a known number keeps what
is known of it, shifted. What an effect sets is learned where it is still said of the same thing afterwards.
"""

from __future__ import annotations

from patolli.check.proofs.facts import Facts
from patolli.check.proofs.growing_counters import Growing
from patolli.check.proofs.intervals import Interval, Limits, exactly
from patolli.check.proofs.prover import Prover
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.node import children, declaration


class Changes:
    """Knows what the effects of one program change."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.program = prover, prover.program
        self.summaries, self.domain = prover.summaries, prover.domain
        self.growing = Growing(prover)

    def forget_writes(self, tree: e.Effect | e.Block, facts: Facts) -> None:
        """End what may be written; of a counter that can only go up, what was enough stays so."""
        grown = frozenset(("counter", name) for name in self.growing.only_gained(tree))
        facts.forget(self.summaries.of(tree).writes - grown)
        for _, name in sorted(grown):
            facts.grown(name)

    def note_gain(self, effect: e.Gain, facts: Facts) -> None:
        """Take note of a ``gain`` or ``lose``."""
        plain = [item for item in effect.items if isinstance(item, e.CounterItem)]
        cut = not all(self.domain.declared.starts_inside(item.counter) for item in plain)
        if cut or len(plain) < len(effect.items) or self.summaries.asks(effect):
            facts.forget(self.summaries.of(effect).writes)
            return
        limited = [(item, self._limits(item, effect.less, facts)) for item in plain]
        self.prover.all_moved("lose" if effect.less else "gain", limited, facts)

    def _limits(self, item: e.CounterItem, less: bool, facts: Facts) -> Limits:
        """Return the bounds at which a counter stops that is gained or lost."""
        low, high = self.program.counters[item.counter].low, self.domain.declared.top(item.counter)
        amount = self.domain.number(item.amount, facts)
        if amount.low is None or amount.low < 0:  # what may go the other way is cut off at both ends
            return Limits(low, high)
        return Limits(low, None) if less else Limits(None, high)

    def set_to(self, effect: e.Set, facts: Facts) -> None:
        """Take note that a counter or field is set."""
        target = effect.target
        value = self.domain.number(effect.value, facts)
        equal = x.Compare("==", target, effect.value, type=ty.BOOL, span=effect.span)
        own, inside = self.summaries.reads(target), self.summaries.reads(*children(target))
        written = frozenset(declaration(effect).writes(effect))
        other = own - inside != written  # afterwards, the same words may mean another one than was set
        counter = target if isinstance(target, x.CounterAt) and not other else None
        limits = Limits()
        if counter is not None:
            limits = Limits(self.program.counters[counter.counter].low, self.domain.declared.top(counter.counter))
        if counter is not None and self._begins_within(counter.counter):  # else it might be cut off the other way
            facts.note_change(counter, _by(counter, effect.value, facts), limits)
        else:
            facts.forget(self.summaries.of(effect).writes)
        if counter is not None:
            facts.between(counter, limits.cut(value))
        if other or own & facts.reads(effect.value):
            return  # it would be said of what it was, or of another one
        if target.type == ty.BOOL and isinstance(effect.value, x.Truth):
            facts.learn(target, effect.value.value)
        elif (counter is None or limits.spare(value)) and (target.type == ty.INT or target.type == effect.value.type):
            facts.learn(equal)

    def _begins_within(self, name: str) -> bool:
        """Return whether a counter is always within its bounds."""
        counter = self.program.counters[name]
        begins = self.domain.declared.start(counter).low
        return self.domain.declared.starts_inside(name) and begins is not None and begins >= counter.low

    def left_behind(self, effect: e.Move, facts: Facts) -> x.Expr | None:
        """Return the spot that is empty when the piece that lies there has been moved to another place."""
        what: x.Expr | None = effect.what
        while isinstance(what, x.Local):
            what = facts.stands_for(what.variable)
        if not isinstance(what, x.Held | x.RowSpot) or what.place == effect.to.place:
            return None
        if isinstance(what, x.Held) and self.program.places[what.place].type != "spot":
            return None
        where = what.indices if isinstance(what, x.Held) else (*what.indices, what.spot)
        return None if ("pieces", effect.kind) in frozenset(r for i in where for r in facts.reads(i)) else what

    def note_piece_move(self, effect: e.Move, left: x.Expr | None, facts: Facts) -> None:
        """Learn that a place holds something when a piece was moved to it, and that the spot *left* behind is empty."""
        self._there(effect.to, effect, facts)
        if left is not None:
            facts.learn(x.Present(left, type=ty.BOOL, span=effect.span), False)

    def _there(self, to: e.PlaceAt, effect: e.Move, facts: Facts) -> None:
        if not to.place or ("pieces", to.kind) in frozenset(r for i in to.indices for r in facts.reads(i)):
            return
        piece = ty.Ref(to.kind)
        if to.sort in ("pile", "area"):
            facts.learn_nonempty(x.Held(to.place, to.kind, to.indices, type=ty.Seq(piece), span=effect.span))
        elif self.program.places[to.place].type == "spot":
            held = x.Held(to.place, to.kind, to.indices, type=ty.Maybe(piece), span=effect.span)
            facts.learn(x.Present(held, type=ty.BOOL, span=effect.span))


def _by(counter: x.CounterAt, value: x.Expr, facts: Facts) -> Interval:
    """Return by how much a counter goes up that is set to a value, as far as that follows from how they compare."""
    term, offset = facts.linear(value)
    if term is not None and facts.key(term) == facts.key(counter):
        return exactly(offset)
    return Interval(0 if facts.proves(value, counter, 0) else None, 0 if facts.proves(counter, value, 0) else None)
