"""Type the texts of scenarios against a model.

In:     a model whose rules are typed, or can be, and scenarios that want the packs of this model.
Out:    for each scenario a :class:`Bound`: its texts as names of rules and values, see ``bench``, and what is wrong.
Errors: those of the language, at the token; P0611 a player who does not take part, P0612 nothing is checked.

The texts become hidden rules and values beside those of the model, so that they see what rules see. They are typed
like rules, but nothing has to be proved of them: a scenario may call what is impossible, and then it fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from patolli.author.workspace.scenarios.scenario_reader import Scenario
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.expressions import PLAYER, Scope
from patolli.language.resolve.model import Model, Rule, Step
from patolli.language.resolve.presence import certain
from patolli.language.resolve.step_rules import declare_called_steps
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.syntax import tree as t

_SEAT = re.compile(r"\bplayer_([0-9]+)\b")


@dataclass(slots=True)
class Value:
    """An expression of a scenario: the name of its value in the program, its type, and where it stands."""

    name: str
    type: ty.AnyType
    node: t.Expr


@dataclass(slots=True)
class Claim:
    """A condition that has to hold, with the two sides of a comparison."""

    value: Value
    sides: list[Value] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Expected:
    """An expression and the value that it should have: one, or a list of them."""

    value: Value
    wanted: Value | list[Value]
    node: Node


@dataclass(slots=True)
class Bound:
    """The texts of one scenario after compilation."""

    scenario: Scenario
    players: int
    problems: list[Problem] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    call: str | None = None
    possible: Value | None = None
    conditions: list[list[Claim]] = field(default_factory=list)  # the joined conditions of each text
    expected: list[Expected] = field(default_factory=list)


@dataclass(slots=True)
class Extras:
    """What scenarios for one number of players add to the model; ``shared`` holds what files give to all."""

    rules: dict[str, pm.Rule] = field(default_factory=dict)
    values: dict[str, pm.Formula] = field(default_factory=dict)
    shared: dict[int, tuple[str, list[Problem]]] = field(default_factory=dict)


class Binding:
    """All scenarios that were typed against one model."""

    def __init__(self, model: Model, effects: Effects) -> None:
        self.model = model
        self.effects = effects
        self.reader = Reader(model)
        self.bound: dict[str, Bound] = {}
        self.extras: dict[int, Extras] = {}
        self.count = 0
        self.new_steps: set[str] = set()  # that only scenarios call
        self.steps: dict[str, pm.Rule] = {}  # their rules

    def bind(self, scenario: Scenario) -> Bound:
        """Parse and type the texts of a scenario; ``problems`` of the result say what is wrong with them."""
        before, unclear = len(self.model.problems), len(self.model.unclear)
        low, high = self.model.players
        bound = Bound(scenario, low if scenario.players is None else scenario.players)
        self.bound[scenario.name] = bound
        if not low <= bound.players <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            message = f"the game is for {wanted} players, this scenario has {bound.players}"
            span = (scenario.players_at or scenario.key).span
            bound.problems.append(Problem("P0611", message, span))
            return bound
        _Binder(self, bound).run()
        bound.problems.extend(self.model.problems[before:])
        del self.model.problems[before:], self.model.unclear[unclear:]
        return bound


class _Binder:
    """Turns the texts of one scenario into rules and values."""

    def __init__(self, binding: Binding, bound: Bound) -> None:
        self.binding = binding
        self.bound = bound
        self.extras = binding.extras.setdefault(bound.players, Extras())
        self.added: tuple[list[str], list[str]] = ([], [])
        self.present = bound.players

    def run(self) -> None:
        scenario, bound = self.bound.scenario, self.bound
        problems = self.binding.model.problems
        before = len(problems)
        for text in scenario.seats():
            self._seats(text)
        self._check_scores(scenario.checks.get("scores"))
        for text in scenario.given:
            bound.given.append(self._bind_given(text))
        if scenario.call is not None:
            known = len(problems)
            bound.call = self._rule(scenario.call)
            bound.possible = self._possible(bound.call, scenario.call) if len(problems) == known else None
        then = scenario.checks.get("then")
        if isinstance(then, Scalar):
            self._bind_claim(then)
        elif isinstance(then, Sequence):
            for item in then.items:
                if isinstance(item, Scalar):
                    self._bind_claim(item)
        elif isinstance(then, Mapping):
            for key, node in then.items.values():
                self._bind_expected(key, node)
        is_wrong = bool(bound.problems) or any(problem.severity == "error" for problem in problems[before:])
        if not scenario.checks and not scenario.choose:
            help_ = "write what must be true afterwards, with 'then:'"
            words = "this scenario checks nothing"
            bound.problems.append(Problem("P0612", words, scenario.key.span, help_, severity="warning"))
        if is_wrong:
            self._remove_texts()

    def _remove_texts(self) -> None:
        """Leave nothing of a wrong scenario in the program of the others."""
        for name in self.added[0]:
            del self.extras.rules[name]
        for name in self.added[1]:
            del self.extras.values[name]

    def _make_name(self, what: str) -> str:
        self.binding.count += 1
        return f"scenario {self.bound.scenario.id} {what} {self.binding.count}"

    def _seats(self, text: Scalar) -> None:
        """Report players who do not take part; from then on they count as if they did."""
        automated = self.binding.model.automated
        seats = self.bound.players + automated
        for found in _SEAT.finditer(text.value):
            if not 1 <= int(found[1]) <= seats:
                span = text.place(found.start(), len(found[0]))
                message = f"there is no {found[0]} among {self.bound.players} players"
                self.bound.problems.append(Problem("P0611", message, span, "say 'players:' in the scenario"))
                self.present = max(self.present, int(found[1]) - automated)

    def _check_scores(self, node: Node | None) -> None:
        """Report scores of players who do not take part."""
        seats = self.bound.players + self.binding.model.automated
        for item in node.items[seats:] if isinstance(node, Sequence) else ():
            message = f"this is one score too many for {seats} player{'s' if seats > 1 else ''}"
            self.bound.problems.append(Problem("P0611", message, item.span, "say 'players:' in the scenario"))

    def _bind_given(self, text: Scalar) -> str:
        """Make a rule of what is given, once for all scenarios of a file; each of them reports its mistakes."""
        shared, problems = self.extras.shared, self.binding.model.problems
        if id(text) not in shared:
            before, own = len(problems), len(self.bound.problems)
            name = self._rule(text)
            self.added[0].remove(name)
            found = [*problems[before:], *self.bound.problems[own:]]
            if found:
                del self.extras.rules[name]
            del problems[before:], self.bound.problems[own:]
            shared[id(text)] = (name, found)
        name, found = shared[id(text)]
        self.bound.problems.extend(found)
        return name

    def _rule(self, text: Scalar) -> str:
        self._seats(text)
        name = self._make_name("text")
        rule = Rule(name, text.span, [], [Step("do", self.binding.reader.effect(text) or [], text.span)], hidden=True)
        rule.used = True
        effects = self.binding.effects
        steps = self._declare_steps()
        effects.rule_(rule, certain(self.binding.model, self.present, text.span))
        effects.done.discard(name)  # another scenario may get this name when a file is read again
        self.extras.rules[name] = effects.program.rules.pop(name)
        self._keep_steps(steps)
        self.added[0].append(name)
        return name

    def _declare_steps(self) -> list[str]:
        """Make rules of the steps that a text calls, if no rule of the packs calls them; return their names."""
        model, reader = self.binding.model, self.binding.reader
        called = list(dict.fromkeys(call.id for call in reader.stepped))
        reader.stepped = [call for call in reader.stepped if call.id not in model.rules]
        before = model.rules.keys() | set()
        declare_called_steps(model, reader)
        self.binding.new_steps |= model.rules.keys() - before
        reader.stepped = []
        return called

    def _keep_steps(self, steps: list[str]) -> None:
        """Keep the rules of steps beside the program, which other rulesets share."""
        for step in steps:
            if step in self.binding.steps or step not in self.binding.new_steps:
                continue
            self.binding.steps[step] = self.binding.effects.program.rules.pop(step)
        self.extras.rules.update({step: self.binding.steps[step] for step in steps if step in self.binding.steps})

    def _possible(self, name: str, text: Scalar) -> Value | None:
        """Return the test whether a called rule is possible; None for anything but one call of a rule."""
        rule = self.extras.rules[name]
        call = rule.block[0] if len(rule.block) == 1 else None
        if not isinstance(call, e.CallRule):
            return None
        can = x.Can(call.rule, call.me, call.arguments, type=ty.BOOL, span=call.span)
        return self._keep_value(t.Truth(True, at=t.At(text, 0, len(text.value))), can, rule.me)

    def _add_value(self, node: t.Expr, wanted: ty.AnyType | None = None) -> Value:
        scope = self._make_scope(node.span)
        return self._keep_value(node, self.binding.effects.check(node, scope, wanted), scope.variables["me"])

    def _keep_value(self, node: t.Expr, expr: x.Expr, me: x.Variable) -> Value:
        """Keep an expression as a value of the program."""
        name = self._make_name("value")
        self.extras.values[name] = pm.Formula(me, (), expr)
        self.added[1].append(name)
        return Value(name, expr.type, node)

    def _make_scope(self, span: Span) -> Scope:
        """Return the scope of a text: the players of the scenario take part, and its options are chosen."""
        scope = Scope.of(span, me=PLAYER)
        scope.proven += certain(self.binding.model, self.present, span)
        return scope

    def _type_expression(self, text: Scalar) -> t.Expr | None:
        self._seats(text)
        return self.binding.reader.expression(text)

    def _bind_claim(self, text: Scalar) -> None:
        expr = self._type_expression(text)
        if expr is not None:
            scope = self._make_scope(text.span)
            condition, me = self.binding.effects.condition(expr, scope), scope.variables["me"]
            self.bound.conditions.append([self._part(*part, me) for part in _split_conditions(expr, condition)])

    def _part(self, written: t.Expr, meant: x.Expr, me: x.Variable) -> Claim:
        claim = Claim(self._keep_value(written, meant, me))
        if isinstance(written, t.Compare):
            words = [written.first, *(right for _, right in written.rest)]
            claim.sides = [
                self._keep_value(word, side, me)
                for word, side in zip(words, _split_comparison(meant, words), strict=False)
            ]
            claim.operators = [operator for operator, _ in written.rest][: len(claim.sides) - 1]
        return claim

    def _bind_expected(self, key: Scalar, node: Node) -> None:
        expr = self._type_expression(key)
        if expr is None:
            return
        value = self._add_value(expr)
        if isinstance(node, Sequence):
            if not isinstance(value.type, ty.Seq) and value.type != ty.ANY:
                message = f"a list is expected of what is {value.type}"
                self.bound.problems.append(Problem("P0301", message, node.span))
                return
            inner = value.type.of if isinstance(value.type, ty.Seq) else None
            texts = [item for item in node.items if isinstance(item, Scalar)]
            found = [self._bind_wanted(text, inner) for text in texts]
            self.bound.expected.append(Expected(value, [item for item in found if item is not None], node))
        elif isinstance(node, Scalar):
            one = self._bind_wanted(node, value.type)
            if one is not None:
                self.bound.expected.append(Expected(value, one, node))

    def _bind_wanted(self, text: Scalar, type_: ty.AnyType | None) -> Value | None:
        expr = self._type_expression(text)
        none = isinstance(expr, t.NoValue)
        return None if expr is None else self._add_value(expr, ty.ANY if none else type_)


def _split_conditions(written: t.Expr, meant: x.Expr) -> Iterator[tuple[t.Expr, x.Expr]]:
    """Yield the conditions that are joined by ``and``, as they are written and as what they mean."""
    if isinstance(written, t.Logic) and written.op == "and" and isinstance(meant, x.Logic):
        yield from _split_conditions(written.left, meant.left)
        yield from _split_conditions(written.right, meant.right)
    else:
        yield written, meant


def _split_comparison(meant: x.Expr, words: list[t.Expr]) -> list[x.Expr]:
    """Return the sides of a chain of comparisons; a comparison with none has become a question of its own."""
    match meant:
        case x.Logic(op="and"):
            left, right = _split_comparison(meant.left, words[:-1]), _split_comparison(meant.right, words[-2:])
            return [*left, *right[1:]]
        case x.Compare():
            return [meant.left, meant.right]
        case x.Not(of=x.Present() as inner):
            return _split_comparison(inner, words)
        case x.Present():
            none = x.NoValue(type=meant.of.type, span=meant.span)
            return [none, meant.of] if isinstance(words[0], t.NoValue) else [meant.of, none]
    return []
