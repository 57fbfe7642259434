"""Type calls: of declared functions, of built-in ones, of rules where a rule may stand.

Errors: P0201 an unknown function, P0202 a rule or place that is none, P0301 a wrong argument, P0302 a wrong number of
        arguments, P0303 an argument that may be none, P0305 a recursive function without a written type.
"""

from __future__ import annotations

from abc import abstractmethod

from patolli.analysis.model import Function
from patolli.analysis.names import PLAYER, Names, Why, number
from patolli.analysis.scopes import Scope
from patolli.diagnostics import Problem, Span
from patolli.language import tree as t
from patolli.language.depth import CALLS
from patolli.language.parser import QUANTIFIERS
from patolli.language.spelling import spell
from patolli.program import types as ty
from patolli.program.builtins import BUILTINS


class Calls(Names):
    """The part of the checker that types calls."""

    @abstractmethod
    def source(self, source: t.Expr, scope: Scope) -> ty.AnyType:
        """Type what a variable takes its values from."""

    # -- calls

    def _call(self, expr: t.Call, scope: Scope) -> ty.AnyType:
        name = expr.id
        what = self.model.names.get(name, ("", ""))[0]
        if what or name in self.model.functions:
            self.used.add(name)
        if name in self.model.functions:
            return self._function(expr, self.model.functions[name], expr.arguments, scope)
        if what == "counter":
            return self._counter(expr, name, expr.arguments, scope, None)
        if what == "place":
            return self._place(expr, name, expr.arguments, scope)
        if name in ("min", "max") and len(expr.arguments) > 1:
            for argument in expr.arguments:
                self.check(argument, scope, ty.INT)
            expr.note = ("builtin", name)
            return ty.INT
        if name in QUANTIFIERS:
            return self._whole(expr, scope)
        if name in BUILTINS:
            return self._builtin(expr, scope)
        if name in self.model.rules:
            for argument in expr.arguments:
                self.check(argument, scope)
            shown = name if "'" not in name else "original"
            return self.problem(
                "P0304",
                f"{shown!r} is a rule; a computation cannot carry it out",
                expr,
                "use it in an effect, or 'let x = rule(..)'",
            )
        for argument in expr.arguments:
            self.check(argument, scope)
        if name in scope.variables or name in ("seats", "players"):
            return self.problem("P0202", f"{name!r} is no function", expr, f"write {name!r}, without brackets")
        known = [*self.model.functions, *self.model.counters, *self.model.places, *BUILTINS, *QUANTIFIERS]
        return self.unknown("function", name, expr, [k for k in known if "'" not in k])

    def _whole(self, expr: t.Call, scope: Scope) -> ty.AnyType:
        """A quantifier over a whole list: ``count(S)``, ``sum(S)``, ``max(S)``, ``first(S)``."""
        if len(expr.arguments) != 1:
            return self.problem("P0302", f"{expr.id!r} takes one list, or 'x in S where ..'", expr)
        of = self.check(expr.arguments[0], scope)
        if of == ty.ANY:
            return ty.ANY
        if not isinstance(of, ty.Seq):
            return self.problem("P0301", f"expected a list, found {of}", expr.arguments[0])
        expr.note = ("whole", expr.id)
        if expr.id in ("sum", "min", "max") and not ty.fits(ty.strip(of.of), ty.INT):
            help_ = f"write {expr.id}(x.fact for x in ..)"
            return self.problem("P0301", f"expected a list of numbers, found {of}", expr.arguments[0], help_)
        if expr.id in ("any", "all"):
            return ty.BOOL
        if expr.id in ("first", "lowest", "highest"):
            return ty.Maybe(ty.strip(of.of))
        if expr.id in ("distinct", "sorted"):
            return of
        return ty.INT

    def arguments(
        self, name: str, parameters: list[tuple[str, ty.AnyType]], given: list[t.Expr], at: t.Node, scope: Scope
    ) -> None:
        """Check the arguments of a function or rule."""
        span = self.model.spans.get(name.partition("'")[0])
        where = ((span, "declared here"),) if span else ()
        if len(given) != len(parameters) and name not in self.model.broken:
            shown = "original" if "'" in name else name
            shape = f"{shown}({', '.join(n for n, _ in parameters)})"
            takes = number(len(parameters), "argument", "arguments")
            words = f"{shown!r} takes {takes}, found {len(given)}"
            self.problem("P0302", words, at, f"write {shape}", *where)
            for argument in given:  # which of them is which cannot be known
                self.check(argument, scope)
            return
        before = len(self.model.problems)
        for argument, (_, wanted) in zip(given, parameters, strict=False):
            self.check(argument, scope, wanted, where)
        self._exchanged(name, parameters, given, before, where)

    def _exchanged(
        self, name: str, parameters: list[tuple[str, ty.AnyType]], given: list[t.Expr], before: int, why: Why
    ) -> None:
        """Report two arguments in each other's place once, instead of what was found since *before*."""
        news = self.model.problems[before:]
        odd = [i for i, argument in enumerate(given) if any(p.span == argument.span for p in news)]
        if len(news) != 2 or len(odd) != 2 or {p.code for p in news} != {"P0301"}:
            return
        one, two = odd
        found = [argument.type for argument in given]
        if (
            found[one] is not None
            and found[two] is not None
            and ty.fits(found[one], parameters[two][1])
            and ty.fits(found[two], parameters[one][1])
        ):
            del self.model.problems[before:]
            right = [spell(argument) for argument in given]
            right[one], right[two] = right[two], right[one]
            message = f"this is {found[one]}, and {parameters[one][0]!r} is {parameters[one][1]}"
            self.problem("P0301", message, given[one], f"write {name}({', '.join(right)})", *why)

    def _function(self, expr: t.Expr, function: Function, given: list[t.Expr], scope: Scope) -> ty.AnyType:
        self.arguments(function.name, function.parameters, given, expr, scope)
        self.calls.add(function.name)
        expr.note = ("function", function.name)
        return self.result_of(function, expr)

    def result_of(self, function: Function, at: t.Node) -> ty.AnyType:
        """Return the type of a function, inferring it when nobody has yet."""
        if function.type is not None:
            return function.type
        if function.declared is not None and function.name in self.checking:
            return function.declared
        if function.name in self.checking:
            function.recursive = True
            self.problem(
                "P0305",
                f"{function.name!r} calls itself, so its type must be written",
                at,
                "add 'type: ...' to it",
                (function.span, "it is here"),
            )
            return ty.ANY
        if len(self.checking) > CALLS:
            self.too_deep("functions", self.model.functions[self.checking[0]].span)
            return ty.ANY
        self.checking.append(function.name)
        outer, self.calls = self.calls, set()
        scope = Scope({"me": PLAYER, **dict(function.parameters)})
        function.type = ty.ANY
        if function.body is not None:
            function.type = None
            function.type = self.check(function.body, scope, function.declared)
            if function.declared is not None:
                function.type = function.declared
        function.calls, self.calls = self.calls, outer
        self.checking.pop()
        return function.type or ty.ANY

    def too_deep(self, what: str, span: Span) -> None:
        """Report once that rules or functions call each other in too long a row."""
        message = f"more than {CALLS} {what} call each other in a row, from this one on"
        if not any(p.message == message for p in self.model.problems):
            help_ = "let one of them do the work of several, or use a loop"
            self.model.problems.append(Problem("P0101", message, span, help_))

    def _builtin(self, expr: t.Call, scope: Scope) -> ty.AnyType:
        builtin = BUILTINS[expr.id]
        expr.note = ("builtin", expr.id)
        given = expr.arguments
        if expr.id in ("have", "owned") and len(given) == 2:
            self.check(given[0], scope, PLAYER)
            given = given[1:]
        if len(given) != len(builtin.parameters):
            shape = f"{expr.id}({', '.join(builtin.parameters)})"
            takes = number(len(builtin.parameters), "argument", "arguments")
            return self.problem("P0302", f"{expr.id!r} takes {takes}, found {len(given)}", expr, f"write {shape}")
        types = [self._builtin_argument(expr, a, p, scope) for a, p in zip(given, builtin.parameters, strict=True)]
        if expr.id == "place_of":
            place = self.model.places.get(given[1].id) if isinstance(given[1], t.Name) else None
            if place is None or len(place.dims) != 1:
                return self.problem("P0301", "expected the name of a place with one index", given[1])
            return ty.Maybe(ty.Ref(place.dims[0]))
        if expr.id == "placements":
            name = f"{given[1].id}_placement" if isinstance(given[1], t.Name) else ""
            if name not in self.model.kinds:
                return self.problem("P0301", "expected the name of a grid on which shapes can be laid", given[1])
            self.used.add(name)
            return ty.Seq(ty.Ref(name))
        return builtin.result(types)

    def _builtin_argument(self, call: t.Call, expr: t.Expr, wanted: str, scope: Scope) -> ty.AnyType:
        if wanted == "rule":
            return self._rule_argument(expr, scope)
        if wanted == "shape":
            return self.check(expr, scope, ty.Ref("shape"))
        if wanted == "kind":
            found = self.source(expr, scope)
            own = t.note_of(expr)[0] == "kind" and self.model.kinds[expr.note[1]].per_player
            return (
                found
                if own or found == ty.ANY
                else self.problem("P0301", "expected the name of a kind that every player has", expr)
            )
        if wanted == "place" and isinstance(expr, t.Name) and call.id == "place_of":
            self.used.add(expr.id)
            return ty.ANY
        if wanted == "group":
            return self._group_argument(expr, scope)
        plain: dict[str, ty.AnyType] = {"int": ty.INT, "bool": ty.BOOL, "player": PLAYER, "cost": ty.COST}
        found = self.check(expr, scope, plain.get(wanted) if wanted != "cost" else None)
        if wanted == "cost" and not ty.fits(ty.strip(found), ty.COST):
            return self.problem("P0301", f"expected a cost, found {found}", expr)
        if found == ty.ANY or wanted in plain or wanted == "any":
            return found
        isgrid = isinstance(found, ty.Ref) and bool(self.model.kinds[found.kind].grid)
        inner = found.of if isinstance(found, ty.Seq) else None
        cells = isinstance(inner, ty.Ref) and bool(self.model.kinds[inner.kind].grid)
        good = {
            "list": isinstance(found, ty.Seq), "place": isinstance(found, ty.Seq), "ref": isinstance(found, ty.Ref),
            "cell": isgrid, "cells": cells, "grid": cells,
        }[wanted]  # fmt: skip
        if good:
            return found
        if isinstance(found, ty.Maybe):
            return self.problem("P0303", "this may be none", expr, "test it first, with 'if' or 'stop unless'")
        return self.problem("P0301", f"{call.id!r} expects {_words(wanted)}, found {found}", expr)

    def _group_argument(self, expr: t.Expr, scope: Scope) -> ty.AnyType:
        """Type a counter that is meant itself, not how much there is of it."""
        if isinstance(expr, t.Name) and expr.id in self.model.counters and expr.id not in scope.variables:
            self.used.add(expr.id)
            if self.model.counters[expr.id].dims != ("player",):
                return self.problem("P0302", f"{expr.id!r} is not a counter of a player alone", expr)
            expr.note = ("member", expr.id)
            expr.type = ty.ANY
            return ty.ANY
        found = self.check(expr, scope)
        if not isinstance(found, ty.Group) and found != ty.ANY:
            return self.problem("P0301", f"expected a counter, found {found}", expr)
        return found

    def _rule_argument(self, expr: t.Expr, scope: Scope) -> ty.AnyType:
        name = expr.id if isinstance(expr, t.Call | t.Name) else ""
        rule = self.model.rules.get(name)
        if rule is None or not isinstance(expr, t.Call):
            return self.problem("P0202", "expected a call of a rule", expr, "write can(rule(..))")
        self.used.add(name)
        self.calls.add(name)
        self.arguments(name, rule.parameters, expr.arguments, expr, scope)
        expr.note = ("rule", name)
        return ty.ANY


def _words(wanted: str) -> str:
    return {
        "cell": "a cell of a grid",
        "cells": "a list of cells",
        "grid": "the name of a grid",
        "ref": "a piece or member",
    }.get(wanted, f"a {wanted}")
