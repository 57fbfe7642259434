"""Say why one of several things that are chosen at once may be taken next, or why those that were taken are enough."""

from __future__ import annotations

from collections.abc import Sequence
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
        hidden = self.explainer.hidden_reads.hides(self.items, self.at.scope)
        there = () if hidden else self.explainer.value(self.items, self.at) or ()
        if value in there:
            found += self._in_turn(value, label, list(there))
        if not met(found):
            return found
        with_it = (*self.taken, value)
        behind = self._behind(with_it)
        fewer = self.explainer.value(self.least, self.at)
        if met(behind) and fewer is not None and len(with_it) >= fewer:
            return found + behind
        if offered:
            return [*found, self._make_reason(True, "with more of them, what follows is possible")]
        return found + (behind if not met(behind) else [self._make_reason(False, "so many can be taken with it")])

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
        return [self._make_reason(comes, f"{label} stands behind those that are taken", words)]

    def _behind(self, taken: tuple[Any, ...]) -> list[Reason]:
        """Go through what is demanded of all that is taken."""
        inner = self.at.fork()
        self.explainer.bind(inner, self.variable, taken)
        return self.explainer.demands(self.behind, inner)

    def _make_reason(self, holds: bool, what: str, words: tuple[tuple[str, str], ...] = ()) -> Reason:
        return Reason(holds, what, self.span, words)
