"""Prove that no option leads to a dead end.

In:     a typed model with the traits of its rules.
Out:    nothing but problems.
Errors: P0401 a payment that may fail, P0402 a choice that may be empty, P0403 a ``require`` after a change, P0404 a
        rule that may be impossible, P0405 a menu that may be empty, P0406 a loop without an end, P0407 a simultaneous
        block that shows what it does.

A place in a rule is *covered* when everything up to here was looked at before the option was offered: the beginning
of a rule, of an option, of ``may`` and ``up to``, and what follows a choice, up to the first change of the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.analysis.causes import Causes
from patolli.analysis.model import Model, Rule
from patolli.analysis.traits import Traits, blocks_of, surely, walk
from patolli.analysis.walking import children, nodes, sort_of
from patolli.diagnostics import Problem
from patolli.language import tree as t


@dataclass(slots=True)
class Here:
    """What is known at one place of a rule."""

    covered: bool
    proven: list[t.Expr] = field(default_factory=list)

    def inside(self, covered: bool, *more: t.Expr) -> Here:
        """Return what is known inside a block that starts here."""
        return Here(covered, [*self.proven, *more])

    def forget(self, effect: t.Effect) -> None:
        """Drop what was shown of variables that *effect* sets."""
        targets = (e.target for e in walk([effect]) if isinstance(e, t.SetTo))
        names = {target.id for target in targets if isinstance(target, t.Name)}
        if names:
            self.proven = [p for p in self.proven if not any(isinstance(n, t.Name) and n.id in names for n in nodes(p))]


class Coverage:
    """The check; one method per effect that has something to prove."""

    def __init__(self, model: Model, traits: Traits) -> None:
        self.model = model
        self.traits = traits
        self.causes = Causes(model, traits)

    def run(self) -> None:
        """Check all rules."""
        for rule in self.model.rules.values():
            self._rule(rule)
        self.model.problems.extend(self.causes.problems())

    def _rule(self, rule: Rule) -> None:
        start = not rule.name.startswith(("setup", "match")) or rule.name not in ("setup", "match")
        triggered = any(rule.name == tr.body for r in self.model.rules.values() for tr in (*r.before, *r.after))
        spends = any(rule.name == counter.spend for counter in self.model.counters.values())
        self.block(rule.block, Here(start and not triggered and not spends))

    def problem(self, code: str, message: str, at: t.Node, help_: str) -> None:
        """Record a problem."""
        self.model.problems.append(Problem(code, message, at.span, help_))

    def block(self, block: t.Block, here: Here) -> Here:
        """Check a block; return what is known behind it."""
        for position, effect in enumerate(block):
            self._effect(effect, here, block[position + 1 :])
        return here

    def _effect(self, effect: t.Effect, here: Here, rest: t.Block) -> None:
        match effect:
            case t.Pay():
                self._pay(effect, here)
            case t.Require():
                if not here.covered:
                    self.problem(
                        "P0403",
                        "this 'require' comes after a change",
                        effect,
                        "put it at the beginning, or use 'stop unless'",
                    )
                here.proven.append(effect.condition)
            case t.Choose():
                self._choose(effect, here, rest)
            case t.Menu():
                self._menu(effect, here)
            case t.If():
                left = self.block(effect.then, here.inside(here.covered, *conjuncts(effect.condition)))
                right = self.block(effect.other, here.inside(here.covered, *negated(effect.condition)))
                here.covered = left.covered and right.covered
                if any(map(self.traits.changes, walk([effect]))):
                    here.proven.clear()
                here.forget(effect)
            case t.Return():
                self._calls(effect, here)
                if effect.condition is not None:
                    here.proven.extend(conjuncts(effect.condition) if effect.negated else negated(effect.condition))
            case t.As():
                self.block(effect.body, Here(here.covered))
                self._changed(here)
            case t.Loop():
                if not self._ends(effect.body):
                    self.problem(
                        "P0406", "this loop never ends", effect, "leave it with 'break', 'stop' or 'end match'"
                    )
                self._inner(effect.body, here)
            case t.UpTo():
                self.block(effect.body, here.inside(True))
                self._changed(here)
            case t.For() | t.Repeat():
                self._inner(effect.body, here)
            case t.Simultaneously():
                self._simultaneous(effect)
                self._inner(effect.body, here)
            case _:
                self._calls(effect, here)
                here.forget(effect)
                if self.traits.changes(effect) or self.traits.asks(effect):
                    self._changed(here)

    def _changed(self, here: Here) -> None:
        here.covered = False
        here.proven.clear()

    def _inner(self, body: t.Block, here: Here) -> None:
        self.block(body, Here(False))
        self._changed(here)

    def _calls(self, effect: t.Effect, here: Here) -> None:
        for rule in self.traits.called(effect):
            if rule.guarded and not here.covered and not self._proven_call(effect, here):
                name = rule.name if not rule.hidden else "this effect"
                help_ = "use 'may', a menu with 'otherwise', or 'if can(..)'"
                problem = Problem("P0404", f"{name} may be impossible here", effect.span, help_)
                self.causes.add(problem, self.causes.of_call(effect))
                return

    def _proven_call(self, effect: t.Effect, here: Here) -> bool:
        call = effect.call if isinstance(effect, t.CallRule) else getattr(effect, "value", None)
        return any(isinstance(p, t.Call) and p.id == "can" and p.arguments == [call] for p in here.proven)

    # -- payments

    def _pay(self, effect: t.Pay, here: Here) -> None:
        items = _added_up(effect.items)
        if not here.covered and (items is None or not all(self._proven_item(item, here) for item in items)):
            self.problem(
                "P0401",
                "nothing makes sure that this can be paid",
                effect,
                "put it at the beginning of an option, or inside 'if payable(..)'",
            )
        here.proven.clear()

    def _proven_item(self, item: t.Item, here: Here) -> bool:
        if isinstance(item.amount, t.Number) and item.amount.value == 0:
            return True
        for proof in here.proven:
            if (
                isinstance(proof, t.Call)
                and proof.id == "payable"
                and item.thing is None
                and proof.arguments == [item.amount]
            ):
                return True
            if isinstance(proof, t.Compare) and len(proof.rest) == 1 and self._enough(proof, item):
                return True
        return False

    def _enough(self, proof: t.Compare, item: t.Item) -> bool:
        op, right = proof.rest[0]
        left = proof.first
        same = isinstance(left, t.Name) and left.id == item.thing and not item.arguments
        if isinstance(left, t.Call) and left.id == "have" and len(left.arguments) == 1:
            same = isinstance(left.arguments[0], t.Name) and left.arguments[0].id == item.thing
        if not same or op not in (">=", ">", "=="):
            return False
        if right == item.amount:
            return True
        low = right.value + (op == ">") if isinstance(right, t.Number) else -1
        return isinstance(item.amount, t.Number) and low >= item.amount.value

    # -- questions

    def _choose(self, effect: t.Choose, here: Here, rest: t.Block) -> None:
        if effect.otherwise is not None:
            self.block(effect.otherwise, Here(False))
        demands = self.traits.guard(rest)[0]
        safe = effect.otherwise is not None or effect.decline is not None
        if not safe and not here.covered:
            certain = (surely(effect, self.model) or self._proven_choice(effect, here)) and not demands
            if not certain:
                self.problem(
                    "P0402",
                    "there may be nothing to choose here",
                    effect,
                    "add 'otherwise: ...' below it, or 'or none'",
                )
        if effect.decline is not None and demands and not _tests_first(rest, effect):
            self.problem(
                "P0401",
                "after declining, what follows may be impossible",
                effect,
                f"write 'stop unless {effect.binders[0].id}' next",
            )
        here.covered = here.covered or effect.otherwise is not None or effect.decline is not None or demands
        if effect.decline is None and effect.otherwise is None:
            here.covered = True

    def _proven_choice(self, effect: t.Choose, here: Here) -> bool:
        if len(effect.binders) != 1:
            return False
        binder = effect.binders[0]
        for proof in here.proven:
            if (
                isinstance(proof, t.Quantifier)
                and proof.id == "any"
                and proof.value is None
                and len(proof.binders) == 1
            ):
                names = {proof.binders[0].id: binder.id}
                same_source = proof.binders[0].source == binder.source
                if same_source and (effect.where is None or same(proof.where, effect.where, names)):
                    return True
            if effect.where is None and proof == binder.source:
                return True
            if effect.where is None and isinstance(proof, t.Compare) and _counts(proof, binder.source):
                return True
        return False

    def _menu(self, effect: t.Menu, here: Here) -> None:
        if effect.otherwise is None and not here.covered and not self.traits.sure_option(effect):
            help_ = "add 'otherwise: ...', or an option without a condition"
            problem = Problem("P0405", "none of these options may be possible", effect.span, help_)
            self.causes.add(problem, self.causes.of_menu(effect))
        for option in effect.options:
            proven = [option.condition] if option.condition is not None else []
            self.block(option.body, here.inside(True, *proven))
        if effect.otherwise is not None:
            self.block(effect.otherwise, Here(False))
        self._changed(here)

    def _ends(self, body: t.Block) -> bool:
        return (
            _breaks(body)
            or any(isinstance(e, t.Return | t.EndMatch) for e in walk(body))
            or any(self._rule_ends(rule, set()) for e in walk(body) for rule in self.traits.called(e))
        )

    def _rule_ends(self, rule: Rule, seen: set[str]) -> bool:
        if rule.name in seen:
            return False
        seen.add(rule.name)
        bodies = [self.model.rules[tr.body] for tr in (*rule.before, *rule.after)]
        effects = list(walk(rule.block))
        return any(isinstance(e, t.EndMatch) for e in effects) or any(
            self._rule_ends(inner, seen) for inner in (*bodies, *(r for e in effects for r in self.traits.called(e)))
        )

    def _simultaneous(self, effect: t.Simultaneously) -> None:
        for inner in walk(effect.body):
            if isinstance(inner, t.Move):
                note = t.note_of(inner.to)
                hidden = note[0] == "place" and self.model.places[note[1]].visible in ("owner", "none")
            elif isinstance(inner, t.SetTo):
                note = t.note_of(inner.target)
                hidden = note[0] == "variable" or (
                    note[0] == "counter" and self.model.counters[note[1]].visible == "owner"
                )
            elif isinstance(inner, t.Gain) and inner.who is None:
                notes = [t.note_of(item) for item in inner.items]
                hidden = all(n[0] == "counter" and self.model.counters[n[1]].visible == "owner" for n in notes)
            else:
                hidden = not self.traits.changes(inner)
            if not hidden:
                self.problem(
                    "P0407",
                    "the others would see this before they have answered",
                    inner,
                    "use places and counters with 'visible: owner', and show them after the block",
                )


def _breaks(body: t.Block) -> bool:
    """Tell whether a ``break`` leaves the loop around *body*, and not one inside it."""
    inside = (block for e in body if not isinstance(e, t.For | t.Repeat | t.Loop | t.UpTo) for block in blocks_of(e))
    return any(isinstance(e, t.Break) for e in body) or any(map(_breaks, inside))


def _added_up(items: list[t.Item]) -> list[t.Item] | None:
    """Join the items that take the same counter; None where it is not known whether they do."""
    if len(items) < 2:
        return items
    total: dict[str, t.Item] = {}
    for item in items:
        if item.thing is None or item.mix or item.arguments or sort_of(item) == "variable":
            return None
        before = total.get(item.thing)
        if before is None:
            total[item.thing] = item
        elif isinstance(before.amount, t.Number) and isinstance(item.amount, t.Number):
            amount = t.Number(before.amount.value + item.amount.value, at=item.amount.at)
            total[item.thing] = t.Item(amount, item.thing, at=item.at, note=item.note)
        else:
            return None
    return list(total.values())


def _tests_first(rest: t.Block, effect: t.Choose) -> bool:
    first = rest[0] if rest else None
    name = t.Name(effect.binders[0].id, at=effect.at)
    return isinstance(first, t.Return) and first.negated and first.condition == name


def _counts(proof: t.Compare, source: t.Expr) -> bool:
    """Recognise ``size(S) > 0`` and ``count(S) >= 1``."""
    op, right = proof.rest[0]
    left = proof.first
    counts = isinstance(left, t.Call) and left.id in ("size", "count") and left.arguments == [source]
    least = {">": 0, ">=": 1}.get(op)
    return counts and least is not None and isinstance(right, t.Number) and right.value >= least


def conjuncts(condition: t.Expr) -> list[t.Expr]:
    """Return the parts that all hold when *condition* does."""
    if isinstance(condition, t.Logic) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    if isinstance(condition, t.Not):
        return negated(condition.of)
    return [condition]


def negated(condition: t.Expr) -> list[t.Expr]:
    """Return the parts that hold when *condition* does not."""
    if isinstance(condition, t.Logic) and condition.op == "or":
        return [*negated(condition.left), *negated(condition.right)]
    if isinstance(condition, t.Not):
        return conjuncts(condition.of)
    if isinstance(condition, t.Compare) and len(condition.rest) == 1:
        op, right = condition.rest[0]
        flipped = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}.get(op)
        if flipped:
            return [t.Compare(condition.first, [(flipped, right)], at=condition.at)]
    return []


def same(left: object, right: object, names: dict[str, str]) -> bool:
    """Compare two trees, where variables of the left one may have other names."""
    if isinstance(left, t.Name) and isinstance(right, t.Name):
        return names.get(left.id, left.id) == right.id
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        assert isinstance(right, list | tuple)
        return len(left) == len(right) and all(same(a, b, names) for a, b in zip(left, right, strict=True))
    if isinstance(left, t.Node):
        return all(same(a, b, names) for a, b in zip(children(left), children(right), strict=True))
    return left == right
