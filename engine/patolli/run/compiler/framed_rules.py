"""Find the rules that are compiled into frames: those that may ask, those whose steps stand in several files, `match`.

A plain rule becomes one Python function, which stands in one file and cannot wait for an answer.
"""

from __future__ import annotations

from patolli.language.program import effects as e
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import Node, walk
from patolli.language.program.summaries import Summaries


class Framing:
    """Finds which rules wait for choices on frames, and which effects cut the rule that they stand in."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        """Find the least set of rules that satisfies all of this together."""
        self.program, self.summaries = program, summaries
        rules = program.rules.values()
        self.framed = {rule.name for rule in rules if _in_files(rule) or summaries.rules[rule.name].asks}
        # It waits below the set-up, also without any question: a plain rule would be carried out before that.
        self.framed |= {"match"} & program.rules.keys()
        self._deep: dict[int, tuple[Node, bool]] = {}
        calls = {rule.name: self._called_in(rule) for rule in rules}
        moved = True
        while moved:
            more = {name for name, called in calls.items() if name not in self.framed and called & self.framed}
            self.framed |= more
            moved = bool(more)

    def _called_in(self, rule: Rule) -> set[str]:
        effects = (node for node in walk(rule.block) if isinstance(node, e.Effect))
        found = {called for effect in effects for called in self.list_called_rules(effect)}
        return found | {trigger.body for trigger in (*rule.before, *rule.after)}

    def list_called_rules(self, effect: e.Effect) -> list[str]:
        """Return the rules that an effect carries out directly, those of a payment apart."""
        match effect:
            case e.CallRule():
                return [effect.rule]
            case e.Do():
                return self.program.effect_rules(effect.kind, effect.fact)
        return []

    def add(self, body: Rule) -> None:
        """Take in the own body of a rule with triggers; the rule around it is compiled as was found before."""
        if _in_files(body) or any(map(self.cuts, body.block)):
            self.framed.add(body.name)

    def cuts(self, effect: e.Effect) -> bool:
        """Return whether an effect, or one inside it, may ask, or carries out a rule that is compiled into frames."""
        if id(effect) not in self._deep:
            inner = (node for node in walk(effect) if isinstance(node, e.Effect))
            self._deep[id(effect)] = (effect, any(map(self._cuts_itself, inner)))
        return self._deep[id(effect)][1]

    def _cuts_itself(self, effect: e.Effect) -> bool:
        return self.summaries.asks(effect) or not self.framed.isdisjoint(self.list_called_rules(effect))


def _in_files(rule: Rule) -> bool:
    return len({step.block[0].span.path for step in rule.steps if step.block}) > 1
