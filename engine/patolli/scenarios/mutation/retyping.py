"""Resolve anew only what a mutant changes, where that is the text of one rule or of one function.

In:     a model as it was resolved, and a mutant of its pack.
Out:    the changed rule or function of the program, as the whole pack with the change in it would give it; None where
        more depends on the text, or something is wrong with it, so that all has to be resolved to tell.

What others know of a rule is what it takes and returns, and of a function its type; where these stay as they are,
nobody else is resolved in another way. A text is found by the tree that was made of it: one that modules have changed,
or that stands in several rules, is not found.
"""

from __future__ import annotations

from dataclasses import replace

from patolli.language import tree as t
from patolli.language.depth import room
from patolli.packs.manifest import Pack
from patolli.program import model as pm
from patolli.resolve.effects import Effects
from patolli.resolve.model import Function, Model, Rule
from patolli.resolve.texts import Reader
from patolli.scenarios.mutation.applying import texts_of
from patolli.scenarios.mutation.mutant import Mutant
from patolli.sources import Scalar

MADE = "~"
"""What stands behind the name of a rule or function while its change is resolved."""


class Retyping:
    """Resolves changed texts of one model."""

    def __init__(self, model: Model) -> None:
        """Find out which tree belongs to which rule or function."""
        self.model = model
        self.reader = Reader(model)
        self.effects = Effects(model)
        self.effects.done = set(model.rules)
        self.rules: dict[int, list[tuple[Rule, int]]] = {}
        self.functions: dict[int, list[Function]] = {}
        for rule in model.rules.values():
            for number, step in enumerate(rule.steps):
                self.rules.setdefault(id(step.block), []).append((rule, number))
        for function in model.functions.values():
            self.functions.setdefault(id(function.body), []).append(function)

    def changed(self, pack: Pack, mutant: Mutant) -> pm.Rule | pm.Function | None:
        """Return what is another rule or function with a mutant, under the name of the original."""
        old, new = texts_of(pack, mutant)
        found, uses = len(self.model.problems), len(self.effects.uses)
        unclear = len(self.model.unclear)
        try:
            with room():
                made = self._rule(old, new) or self._function(old, new)
        except RecursionError:
            made = None
        wrong = len(self.model.problems) > found or len(self.model.unclear) > unclear
        del self.model.problems[found:], self.model.unclear[unclear:]
        self.effects.uses.cut(uses)
        return None if wrong else made

    def _rule(self, old: Scalar, new: Scalar) -> pm.Rule | None:
        known = self.rules.get(_tree(old, "parse_effect"), [])
        block = self.reader.effect(new) if len(known) == 1 else None
        if block is None:
            return None
        rule, number = known[0]
        steps = [*rule.steps]
        steps[number] = replace(steps[number], block=block)
        name = f"{rule.name}{MADE}"
        self.effects.rule_(replace(rule, name=name, steps=steps, calls=set()))
        self.effects.done.discard(name)
        made, before = self.effects.program.rules.pop(name), self.effects.program.rules[rule.name]
        if made.returns is not None or before.returns is not None:
            return None
        made.name, made.before, made.after = rule.name, before.before, before.after
        return made

    def _function(self, old: Scalar, new: Scalar) -> pm.Function | None:
        known = self.functions.get(_tree(old, "_expression"), [])
        body: t.Expr | None = self.reader.expression(new) if len(known) == 1 else None
        if body is None:
            return None
        function, name = known[0], f"{known[0].name}{MADE}"
        self.effects.result_of(replace(function, name=name, body=body, type=None, calls=set()), body)
        made = self.effects.program.functions.pop(name)
        return replace(made, name=function.name) if made.type == function.type else None


def _tree(text: Scalar, way: str) -> int:
    """Return which tree was made of a text when it was read in one of the ways that there are; 0 for none."""
    tree = text.readings[way][0] if text.readings and way in text.readings else None
    return 0 if tree is None else id(tree)
