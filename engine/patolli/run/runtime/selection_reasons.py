"""Say why one of several things that are chosen at once may be taken next, or why those that were taken are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from patolli.check.prose import expressions as say
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.preconditions import Demand
from patolli.run.runtime.explainer import Explainer
from patolli.run.runtime.reasons import Reason, met
from patolli.run.runtime.situations import Situation


class Taking:
    """A question in which several are chosen: what there is, and what was taken so far."""

    def __init__(
        self, choose: e.Choose, behind: Demand, explainer: Explainer, at: Situation, taken: Sequence[Any]
    ) -> None:
        """Look at a question in the situation *at*."""
        self.explainer, self.behind, self.at, self.taken = explainer, behind, at, taken
        self.items, self.least, self.most = choose.amount
        assert isinstance(self.items, x.Quantifier)
        (self.binder,) = self.items.binders
        self.variable, self.span = choose.binders[0].variable, choose.span

    def one(self, value: Any, label: str, offered: bool) -> list[Reason]:
        """Say why a value may be taken now, or not."""
        found = self.explainer.among(value, label, self.binder.variable, self.items, self.at.fork())
        if not met(found):
            return found
        there = self._list_items()
        if value in there:
            found += self._in_turn(value, label, there)
        if not met(found):
            return found
        with_it = (*self.taken, value)
        fewer = self.explainer.value(self.least, self.at)
        lacking = 0 if fewer is None else fewer - len(with_it)
        behind = self._behind(with_it) if lacking <= 0 else []
        if lacking <= 0 and (met(behind) or not offered):
            return found + behind
        if offered:
            return [*found, self._make_reason(True, "with more of them, the rest is possible")]
        return [*found, self._lacks(with_it, lacking, there)]

    def _lacks(self, taken: tuple[Any, ...], lacking: int, there: list[Any]) -> Reason:
        """Say that things cannot be taken with as many others as are wanted; of one other, why each does not do."""
        if lacking > 1:
            return self._make_reason(False, f"{lacking} others can be taken with it")
        what, at = "one other can be taken with it", self.at.fork()

        def reasons(inner: Situation) -> list[Reason]:
            other = inner.scope[self.binder.variable]
            if other in taken:
                return [self._make_reason(False, "it is not taken yet")]
            turn = there.index(other) > there.index(taken[-1]) if {other, taken[-1]} <= set(there) else True
            behind = self._behind((*taken, other))
            return [*([] if turn else [self._make_reason(False, "it comes after the others")]), *behind]

        if self.explainer.hidden_reads.conceals((self.binder,), at.scope):
            return self._make_reason(False, what)
        values, parts = self.explainer.try_values((self.binder,), at, self.span, reasons)
        return replace(self._make_reason(False, what, values), parts=parts, choice=bool(parts))

    def all_of(self, values: Sequence[Any], labels: Sequence[str]) -> list[Reason]:
        """Say why certain values may all be taken, with those that were taken before, or not."""
        found: list[Reason] = []
        for value, label in zip(values, labels, strict=True):
            reasons = self.explainer.among(value, label, self.binder.variable, self.items, self.at.fork())
            found += [reason for reason in reasons if not reason.holds]
        there = self._list_items()
        taken = (*self.taken, *sorted(values, key=lambda one: there.index(one) if one in there else len(there)))
        fewer = self.explainer.value(self.least, self.at)
        most = self.explainer.value(self.most, self.at) if self.most is not None else None
        words = (("taken", str(len(taken))),)
        if fewer is not None and len(taken) < fewer:
            found.append(self._make_reason(False, f"at least {say.value(self.least, self.at.speech)} are taken", words))
        elif most is not None and self.most is not None and len(taken) > most:
            found.append(self._make_reason(False, f"at most {say.value(self.most, self.at.speech)} are taken", words))
        return found + (self._behind(taken) if not found else [])

    def _list_items(self) -> list[Any]:
        """Return what is there to choose from, as far as the player may know it."""
        if self.explainer.hidden_reads.hides(self.items, self.at.scope):
            return []
        return list(self.explainer.value(self.items, self.at) or ())

    def enough(self) -> list[Reason]:
        """Say why those that were taken are enough, or not."""
        fewer = self.explainer.value(self.least, self.at)
        number = say.value(self.least, self.at.speech)
        words = (("taken", str(len(self.taken))),)
        at_least = Reason(
            None if fewer is None else len(self.taken) >= fewer, f"at least {number} are taken", self.span, words
        )
        return [at_least, *self._behind(tuple(self.taken))]

    def _in_turn(self, value: Any, label: str, there: list[Any]) -> list[Reason]:
        """Say whether a value is left, and stands where it may still be taken: what stands before was passed over."""
        if self.explainer.names is not None:
            label = self.explainer.words(self.binder.variable.type, value)
        left = self.taken.count(value) < there.count(value)
        if not left or not self.taken or self.taken[-1] not in there:
            return [self._make_reason(left, f"{label} is not taken yet")]
        words = (("taken last", self.explainer.words(self.binder.variable.type, self.taken[-1])),)
        comes = there.index(value) >= there.index(self.taken[-1])
        return [self._make_reason(comes, f"{label} comes after those that are taken", words)]

    def _behind(self, taken: tuple[Any, ...]) -> list[Reason]:
        """Go through what is demanded of all that is taken."""
        inner = self.at.fork()
        self.explainer.bind(inner, self.variable, taken)
        return self.explainer.demands(self.behind, inner)

    def _make_reason(self, holds: bool, what: str, words: tuple[tuple[str, str], ...] = ()) -> Reason:
        return Reason(holds, what, self.span, words)
