"""See that no rule takes longer than it may in any case: more steps without a question than there are.

In:     the rules of a program.
Out:    problems, one for the innermost effect that is too long.
Errors: P0419.

Counted is what is surely done, once for each effect that changes something: of two ways the shorter one, of a list
the shortest that it can be, of a loop that may be left no pass at all. The step budget counts at least as much while a
match runs (see ``compiler.step_meter``), so what is refused here would have ended there. The other way round there is
nothing to prove: what takes long only now and then is ended while the match runs, and reported.
"""

from __future__ import annotations

from patolli.check.proofs.prover import Prover
from patolli.kernel.budget import BUDGET
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program.calls import inner_first
from patolli.language.program.node import walk


class Durations:
    """The least numbers of steps that the rules of one program take."""

    def __init__(self, prover: Prover) -> None:
        """Count the steps of every rule, those that are called first; a circle of calls counts as none."""
        self.domain, self.summaries = prover.domain, prover.summaries
        self.least: dict[str, int] = {}
        self.found: list[Problem] = []
        rules = prover.program.rules
        for name in inner_first({name: sorted(self.summaries.runs_itself(rule)) for name, rule in rules.items()})[0]:
            self.least[name] = self._block(rules[name].block)

    def _block(self, block: e.Block) -> int:
        """Return the steps of a block from its last question on."""
        steps = 0
        for effect in block:
            asks = self.summaries.of(effect).asks
            more = self._effect(effect)
            if more > BUDGET:
                self._report(effect, more)
                return 0
            steps = 0 if asks else steps + more
            if steps > BUDGET:
                self._report(effect, steps)
                return 0
            if self._may_leave(effect):
                break
        return steps

    def _may_leave(self, effect: e.Effect) -> bool:
        """Return whether what stands behind an effect may be left out."""
        leaving = (e.Return, e.Break, e.EndMatch)
        return self.summaries.of(effect).ends or any(isinstance(node, leaving) for node in walk(effect))

    def _effect(self, effect: e.Effect) -> int:
        match effect:
            case e.If():
                return min(self._block(effect.then), self._block(effect.other))
            case e.CallRule() | e.Do():
                called = self.summaries.list_called_rules(effect)
                return min((self.least.get(rule.name, 0) for rule in called), default=0)
            case e.As():
                return self._block(effect.body)
            case e.Repeat():
                return (self.domain.number(effect.times).low or 0) * self._pass(effect.body)
            case e.For():
                passes = 0 if effect.where is not None else 1
                for binder in effect.binders:
                    passes *= self.domain.length(binder.source).low or 0
                return passes * self._pass(effect.body)
            case _ if isinstance(effect, e.Looping):
                self._block(effect.body)
                return 0
            case e.Menu():
                for option in effect.options:
                    self._block(option.body)
                return 0
            case e.Choose(otherwise=otherwise) if otherwise is not None:
                self._block(otherwise)
                return 0
        return int(self.summaries.changes(effect))

    def _pass(self, body: e.Block) -> int:
        """Return the steps of one pass of a loop, none where it may be left or asks."""
        steps = self._block(body)
        again = self.summaries.of(body).asks  # an answer renews the budget in each pass
        return 0 if again or any(map(self._may_leave, body)) else 1 + steps

    def _report(self, effect: e.Effect, steps: int) -> None:
        what = f"this takes at least {steps:,} steps without a question, and the limit is {BUDGET:,}"
        help_ = "do it less often; a call counts all steps of its rule"
        self.found.append(Problem("P0419", what, effect.span, help_))


def endless(prover: Prover) -> list[Problem]:
    """Return the effects that take longer than they may."""
    return Durations(prover).found
