"""Resolve anew only what a mutant changes, where that is the text of one rule or function, or one cell of a table.

In:     a model as it was resolved, and a mutant of its pack.
Out:    the changed rule, function or cell of the program, as the whole pack with the change in it would give it; None
        where more depends on the text, or something is wrong with it, so that all has to be resolved to tell.

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
from patolli.resolve.facts import said_anew, trigger
from patolli.resolve.model import Function, Items, Model, Rule
from patolli.resolve.tables import Table
from patolli.resolve.texts import Reader
from patolli.scenarios.mutation.applying import texts_of
from patolli.scenarios.mutation.cells import Cell
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

    def changed(self, pack: Pack, mutant: Mutant) -> pm.Rule | pm.Function | Cell | None:
        """Return what is another rule or function with a mutant, under the name of the original, or a cell."""
        old, new = texts_of(pack, mutant)
        found, uses = len(self.model.problems), len(self.effects.uses)
        unclear = len(self.model.unclear)
        try:
            with room():
                made = self._rule(old, new) or self._function(old, new) or self._cell(mutant, old, new)
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
        made.name = rule.name
        made.before = tuple(trigger(self.effects.program, made, one) for one in rule.before)
        made.after = tuple(trigger(self.effects.program, made, one) for one in rule.after)
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

    def _cell(self, mutant: Mutant, old: Scalar, new: Scalar) -> Cell | None:
        """Return a changed cell of a fact or constant, with all that stands there beside it."""
        section, id_, name = (*mutant.steps, "", "")[:3]
        design = self.model.designs.get(str(id_)) if section == "pieces" else None
        constant = self.model.constants.get(str(id_)) if section == "constants" and name == "value" else None
        known = design.facts.get(str(name)) if design is not None else constant.value if constant is not None else None
        if known is None:
            return None
        tree: t.Expr | t.Cost | None = None
        if (was := _tree(old, "_expression")) != 0:
            tree = self.reader.expression(new)
        elif (was := _tree(old, "parse_cost")) != 0:
            tree = self.reader.cost(new)
        value = _put(known, was, tree) if tree is not None else known
        if value is known:
            return None
        if design is None:
            return Cell(("", str(id_)), "", said_anew(self.effects, None, str(id_), value))
        return Cell((design.kind, str(name)), design.id, said_anew(self.effects, design, str(name), value))


def _put(value: object, was: int, tree: object) -> object:
    """Return a value in which another tree stands in the place of one; the same object where that is not in it."""
    if id(value) == was:
        return tree
    if isinstance(value, Items):
        items = [_put(item, was, tree) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else Items(items, value.span)
    if isinstance(value, Table):
        rows = {name: _put(row, was, tree) for name, row in value.rows.items()}
        same = all(rows[name] is row for name, row in value.rows.items())
        return value if same else Table(value.by, rows, value.span)
    return value


def _tree(text: Scalar, way: str) -> int:
    """Return which tree was made of a text when it was read in one of the ways that there are; 0 for none."""
    tree = text.readings[way][0] if text.readings and way in text.readings else None
    return 0 if tree is None else id(tree)
