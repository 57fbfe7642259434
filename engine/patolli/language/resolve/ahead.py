"""Resolve ``after(rule(a, b), value)``: what a value would be if a rule had been carried out.

What was tested outside holds no longer behind the rule, unless nothing but variables is looked at. The variables stay
what they are: each gets a second one for the value, which is given what the outer one is before the rule begins.

Errors: P0202 no call of a rule, and those of calls.
"""

from __future__ import annotations

from abc import abstractmethod

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.logic import rename_variables
from patolli.language.program.node import declaration, walk
from patolli.language.resolve.names import Names
from patolli.language.resolve.scopes import Scope
from patolli.language.syntax import tree as t
from patolli.language.syntax.inline_printer import spell

Parameters = list[tuple[str, ty.AnyType]]


class Ahead(Names):
    """The part of the pass that resolves questions about rules: whether they are possible, and what comes then."""

    @abstractmethod
    def arguments(
        self, name: str, parameters: Parameters, given: list[t.Expr], at: t.Node, scope: Scope
    ) -> tuple[x.Expr, ...]:
        """Resolve the arguments of a function or rule."""

    def of_rule(self, call: t.Call, expr: t.Expr, scope: Scope, form: str) -> x.Expr:
        """Resolve the call of a rule that is asked about; *form* says how it is written."""
        name = expr.id if isinstance(expr, t.Call | t.Name) else ""
        rule = self.model.rules.get(name)
        if rule is None and isinstance(expr, t.Call) and name not in self.model.names and name not in BUILTINS:
            known = [one.name for one in self.model.rules.values() if not one.hidden]
            return self.unknown("rule", name, expr, known, [self.check(one, scope) for one in expr.arguments])
        if rule is None or not isinstance(expr, t.Call):
            return self.problem("P0202", "expected a call of a rule", expr, f"write {form}")
        self.used.add(name)
        self.calls.add(name)
        arguments = self.arguments(name, rule.parameters, expr.arguments, expr, scope)
        found = x.Can(name, self.me(scope, call.span), arguments, type=ty.BOOL, span=call.span)
        self.record_resolution(expr, found)
        return found

    def _calls_a_rule(self, expr: t.Expr) -> bool:
        return isinstance(expr, t.Call) and expr.id in self.model.rules

    def after(self, call: t.Call, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        """Resolve a look ahead."""
        first, second = call.arguments
        if isinstance(second, t.Call) and second.id in self.model.rules and not self._calls_a_rule(first):
            written = f"after({spell(second)}, {spell(first)})"
            return self.problem("P0202", "the rule comes first", first, f"write {written}")
        asked = self.of_rule(call, first, scope, "after(rule(..), value)")
        inner, behind = _behind(scope)
        value = self.check(second, inner, wanted)
        if not isinstance(asked, x.Can):
            return self.nothing(call, asked, value)
        read = {node.variable for node in walk(value) if isinstance(node, x.Local)}
        given = tuple(
            x.Given(new, x.Local(old, type=new.type, span=call.span), span=call.span)
            for old, new in behind.items()
            if new in read
        )
        return x.After(asked.rule, asked.me, asked.arguments, given, value, type=value.type, span=call.span)


def _behind(scope: Scope) -> tuple[Scope, dict[x.Variable, x.Variable]]:
    """Return what is known behind a rule, and the variables there by those that they are outside."""
    inner, names = Scope(named=scope.named), dict[x.Variable, x.Variable]()
    for name, old in scope.variables.items():
        names[old] = inner.add(x.Variable(name, scope.types[name], old.span))
    inner.proven = [rename_variables(proof, names) for proof in scope.proven if _of_variables(proof)]
    return inner, names


def _of_variables(condition: x.Expr) -> bool:
    """Return whether a condition looks at nothing but variables, which a rule cannot change for others."""
    return all(location[0] == "variable" for node in walk(condition) for location in declaration(node).reads(node))
