"""Resolve calls: of declared functions, of built-in ones, of rules where a rule may stand.

Errors: P0201 an unknown function, P0202 a rule or place that is none, P0301 a wrong argument, P0302 a wrong number of
        arguments, P0303 an argument that may be none, P0305 a recursive function without a written type.
"""

from __future__ import annotations

from abc import abstractmethod

from patolli.language.diagnostics import Problem, Span, instead
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS, builtins
from patolli.language.program.calls import reads_me
from patolli.language.program.logic import rename_variables
from patolli.language.program.node import declaration, walk
from patolli.language.resolve import habits
from patolli.language.resolve.call_chains import long_chain
from patolli.language.resolve.formulas import formula_name
from patolli.language.resolve.model import Function
from patolli.language.resolve.names import Names, Why, describe_call, number
from patolli.language.resolve.relations import resolve_relation, turned_round
from patolli.language.resolve.scopes import PLAYER, Scope
from patolli.language.syntax import tree as t
from patolli.language.syntax.depth import CALLS
from patolli.language.syntax.inline_printer import spell
from patolli.language.syntax.words import help_with_later, version_of_quantifier, words

Parameters = list[tuple[str, ty.AnyType]]


class Calls(Names):
    """The part of the pass that resolves calls."""

    # -- questions about rules

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
        """Resolve a look ahead: ``after(rule(a, b), value)``.

        What was tested outside holds no longer behind the rule, unless nothing but variables is looked at. Each
        variable gets a second one for the value, which is given what the outer one is before the rule begins.
        """
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

    @abstractmethod
    def source(self, source: t.Expr, scope: Scope) -> x.Expr:
        """Resolve what a variable takes its values from."""

    def many(self, exprs: list[t.Expr], scope: Scope) -> tuple[x.Expr, ...]:
        """Resolve several expressions without an expected type."""
        return tuple(self.check(expr, scope) for expr in exprs)

    # -- calls

    def _call(self, expr: t.Call, scope: Scope, wanted: ty.AnyType | None = None) -> x.Expr:
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
        if what == "kind" and self.model.kinds[name].is_record:
            return self._record(expr, scope)
        if name in ("min", "max") and len(expr.arguments) > 1:
            numbers = tuple(self.check(argument, scope, ty.INT) for argument in expr.arguments)
            return x.BuiltinCall(name, numbers, type=ty.INT, span=expr.span)
        if name in words(expr.at.text.language).quantifiers:
            return self._whole(expr, scope)
        if name in builtins(expr.at.text.language):
            return self._builtin(expr, scope, wanted)
        return self._no_function(expr, name, scope)

    def _no_function(self, expr: t.Call, name: str, scope: Scope) -> x.Expr:
        """Report the call of what is no function."""
        language = expr.at.text.language
        since = BUILTINS[name].since if name in BUILTINS else version_of_quantifier(name)
        if since > language:
            return self.report_later_word(name, since, expr)
        parts = self.many(expr.arguments, scope)
        if name in self.model.rules:
            shown = name if "'" not in name else "original"
            message = f"{shown!r} is a rule; only an effect can call it"
            return self.problem("P0304", message, expr, "use it in an effect, or 'let x = rule(..)'", parts=parts)
        meant = habits.recognize_call(expr, parts)
        if meant is not None:
            return self.problem("P0201", f"unknown function {name!r}", expr, meant.help, parts=parts, meant=meant.text)
        if name in scope.variables or name in ("seats", "players"):
            help_ = f"write {name!r}, without brackets"
            return self.problem("P0202", f"{name!r} is not a function", expr, help_, parts=parts, meant=name)
        type_ = ty.strip(parts[0].type) if len(parts) == 1 else None
        kind = self.model.kinds.get(type_.kind) if isinstance(type_, ty.Ref) else None
        if kind is not None and (name in kind.facts or name in kind.fields):
            text = f"{spell(expr.arguments[0])}.{name}"
            return self.problem(
                "P0202", f"{name!r} is not a function", expr, f"write {text!r}", parts=parts, meant=text
            )
        known = [*self.model.functions, *self.model.counters, *self.model.places, *builtins(language)]
        known += [*words(language).quantifiers, *(kind.name for kind in self.model.kinds.values() if kind.is_record)]
        return self.unknown("function", name, expr, [k for k in known if k.isidentifier()], parts)

    def report_later_word(self, name: str, since: int, expr: t.Expr) -> x.Expr:
        """Report a word that a later version of the language brings."""
        message = f"{name!r} comes with a later version of the language"
        return self.problem("P0201", message, expr, help_with_later(since))

    def _whole(self, expr: t.Call, scope: Scope) -> x.Expr:
        """A quantifier over a whole list: ``count(S)``, ``sum(S)``, ``max(S)``, ``first(S)``."""
        if expr.id in ("until", "through"):
            help_ = f"write {expr.id}(x in .. where condition)"
            return self.problem("P0302", f"{expr.id!r} needs a condition", expr, help_)
        if len(expr.arguments) != 1:
            return self.problem("P0302", f"{expr.id!r} takes one list, or 'x in S where ..'", expr)
        of = self.check(expr.arguments[0], scope)
        if of.type == ty.ANY:
            return self.nothing(expr, of)
        if not isinstance(of.type, ty.Seq):
            return self.problem("P0301", f"expected a list, found {of.type}", expr.arguments[0], parts=(of,))
        if expr.id in ("sum", "min", "max") and not ty.fits(ty.strip(of.type.of), ty.INT):
            help_ = f"write {expr.id}(x.fact for x in ..)"
            words = f"expected a list of numbers, found {of.type}"
            return self.problem("P0301", words, expr.arguments[0], help_, parts=(of,))
        if expr.id in ("any", "all"):
            return self._all_of_it(expr, of, of.type.of)
        type_: ty.AnyType = ty.INT
        if expr.id in ("first", "lowest", "highest"):
            type_ = ty.Maybe(ty.strip(of.type.of))
        elif expr.id == "only":
            type_ = of.type.of
        elif expr.id in ("distinct", "sorted", "list"):
            type_ = of.type
        return x.Whole(expr.id, of, type=type_, span=expr.span)

    def _all_of_it(self, expr: t.Call, of: x.Expr, item: ty.AnyType) -> x.Expr:
        """``any(S)`` and ``all(S)``: truth values are looked at themselves; of other items there may be any."""
        if item in (ty.BOOL, ty.ANY):
            one = x.Variable("item", item, expr.span)
            binders = (x.Binder(one, of, span=of.span),)
            value = x.Local(one, type=item, span=of.span)
            return x.Quantifier(expr.id, binders, None, value, None, type=ty.BOOL, span=expr.span)
        if expr.id == "all":
            help_ = f"write all(x in {spell(expr.arguments[0])} where condition)"
            return self.problem("P0302", "'all' needs a condition", expr, help_, parts=(of,))
        return x.Whole(expr.id, of, type=ty.BOOL, span=expr.span)

    def arguments(
        self, name: str, parameters: Parameters, given: list[t.Expr], at: t.Node, scope: Scope
    ) -> tuple[x.Expr, ...]:
        """Resolve the arguments of a function or rule."""
        span = self.model.spans.get(name.partition("'")[0])
        where = ((span, "declared here"),) if span else ()
        if len(given) != len(parameters) and name not in self.model.broken:
            shown = "original" if "'" in name else name
            takes = number(len(parameters), "argument", "arguments")
            self.problem(
                "P0302",
                f"{shown!r} takes {takes}, found {len(given)}",
                at,
                describe_call(shown, parameters, scope),
                *where,
            )
            return self.many(given, scope)  # which of them is which cannot be known
        before = len(self.model.problems)
        pairs = list(zip(given, parameters, strict=False))
        found, fitted = [], []
        for argument, (_, wanted) in pairs:
            found.append(self.infer(argument, scope, wanted))
            fitted.append(self.fit(argument, found[-1], wanted, where, scope))
        self._report_swapped_arguments(name, parameters, given, found, before, where)
        bounds = self.model.bounds_of(name)
        return tuple(
            _add_range(one, bounds.get(called_), called_) for one, (called_, _) in zip(fitted, parameters, strict=True)
        )

    def _report_swapped_arguments(
        self, name: str, parameters: Parameters, given: list[t.Expr], found: list[x.Expr], before: int, why: Why
    ) -> None:
        """Report two arguments in each other's place once, instead of what was found since *before*."""
        news = self.model.problems[before:]
        odd = [i for i, argument in enumerate(given[: len(found)]) if any(p.span == argument.span for p in news)]
        if len(news) != 2 or len(odd) != 2 or {p.code for p in news} != {"P0301"}:
            return
        one, two = odd
        if ty.fits(found[one].type, parameters[two][1]) and ty.fits(found[two].type, parameters[one][1]):
            del self.model.problems[before:]
            right = [spell(argument) for argument in given]
            right[one], right[two] = right[two], right[one]
            message = f"this is {found[one].type}, and {parameters[one][0]!r} is {parameters[one][1]}"
            written = ", ".join(right)
            whole = given[0].span.to(given[-1].span)
            self.model.problems.append(
                Problem(
                    "P0301", message, given[one].span, f"write {name}({written})", why, fixes=instead(whole, written)
                )
            )

    def _record(self, expr: t.Call, scope: Scope) -> x.Expr:
        """Resolve ``bid(2, 5)``: a record of these values."""
        facts, type_ = self.model.kinds[expr.id].facts, ty.Ref(expr.id)
        parameters = [(name, fact.type) for name, fact in facts.items()]
        before = len(self.model.problems)
        values = self.arguments(expr.id, parameters, expr.arguments, expr, scope)
        if len(values) != len(facts) or len(self.model.problems) > before:
            return self.nothing(expr, *values)
        return x.RecordOf(expr.id, tuple(facts), values, type=type_, span=expr.span)

    # -- declared functions

    def _function(self, expr: t.Expr, function: Function, given: list[t.Expr], scope: Scope) -> x.Expr:
        who, given = self.whose(function, given, scope, expr)
        arguments = self.arguments(function.name, function.parameters, given, expr, scope)
        self.calls.add(function.name)
        type_ = self.result_of(function, expr)
        return x.FunctionCall(function.name, who, arguments, type=type_, span=expr.span)

    def _function_of(self, expr: t.Attribute, of: x.Expr) -> x.Expr:
        """Resolve ``p.longest``: what a function without parameters gives for a player."""
        function = self.model.functions[expr.name]
        self.used.add(expr.name)
        self.calls.add(expr.name)
        self.asked_of.append((function, expr))
        return x.FunctionCall(expr.name, of, (), type=self.result_of(function, expr), span=expr.span)

    def _formula_of(self, expr: t.Attribute, kind: str, scope: Scope) -> x.Expr:
        """Resolve ``c.points``: what the function of a formula gives for a piece, and for me."""
        return self._function(expr, self.model.functions[formula_name(kind, expr.name)], [expr.of], scope)

    def whose(
        self, function: Function, given: list[t.Expr], scope: Scope, at: t.Node, missing: int = 0
    ) -> tuple[x.Expr, list[t.Expr]]:
        """Return who is `me` in a function, and the arguments for its parameters; some may be *missing*.

        One argument more than it has parameters is a player, who stands first.
        """
        if len(given) + missing == len(function.parameters) + 1:
            before = len(self.model.problems)
            found = self.infer(given[0], scope, PLAYER)
            if ty.strip(found.type) == PLAYER:
                self.asked_of.append((function, at))
                return self.fit(given[0], found, PLAYER, (), scope), given[1:]
            del self.model.problems[before:]
        return self.me(scope, at.span), given

    def see_whose(self) -> None:
        """Report functions that are called for a player and have nothing of anybody, each at its first call."""
        first: dict[str, tuple[Function, t.Node]] = {}
        for function, at in self.asked_of:
            first.setdefault(function.name, (function, at))
        for function, at in first.values():
            made = self.program.functions.get(function.name)
            if made is not None and not reads_me(self.program, made):
                takes = number(len(function.parameters), "argument", "arguments")
                help_ = "remove the player: only a function that reads 'me' has a player before its arguments"
                message = f"{function.name!r} does not depend on a player, and takes {takes}"
                self.problem("P0302", message, at, help_, (function.span, "declared here"))

    def result_of(self, function: Function, at: t.Node) -> ty.AnyType:
        """Return the type of a function, resolving it if that has not been done."""
        if function.type is not None:
            return function.type
        if function.declared is not None and function.name in self.checking:
            return function.declared
        if function.name in self.checking:
            function.recursive = True
            words = f"{function.name!r} calls itself, so its type must be written"
            self.problem("P0305", words, at, "add 'type: ...' to it", (function.span, "it is here"))
            return ty.ANY
        if len(self.checking) > CALLS:
            self.too_deep("functions", self.model.functions[self.checking[0]].span)
            return ty.ANY
        self.checking.append(function.name)
        outer, self.calls = self.calls, set()
        function.type = self._body(function) if function.body is not None else ty.ANY
        function.calls, self.calls = self.calls, outer
        self.checking.pop()
        return function.type

    def _body(self, function: Function) -> ty.AnyType:
        """Resolve the body of a function, and return its type."""
        assert function.body is not None
        scope = Scope.of(function.span, **{"me": PLAYER, **dict(function.parameters)})
        with self.uses.of(function.name.partition("'")[0]):
            body = self.check(function.body, scope, function.declared)
        type_ = function.declared if function.declared is not None else body.type
        me, *parameters = scope.set_bounds(self.model.bounds_of(function.name))
        body = truth(body) if type_ == ty.BOOL else body
        self.program.functions[function.name] = pm.Function(
            function.name, function.span, me, tuple(parameters), body, type_, function.text
        )
        return type_

    def too_deep(self, what: str, span: Span) -> None:
        """Report once that rules or functions call each other in too long a row."""
        problem = long_chain(what, span)
        if not any(p.message == problem.message for p in self.model.problems):
            self.model.problems.append(problem)

    # -- built-in functions

    def _builtin(self, expr: t.Call, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        builtin = BUILTINS[expr.id]
        given, who = expr.arguments, None
        if expr.id in ("have", "owned") and len(given) == 2:
            who = self.check(given[0], scope, PLAYER)
            given = given[1:]
        if len(given) != len(builtin.parameters):
            shape = f"{expr.id}({', '.join(builtin.parameters)})"
            takes = number(len(builtin.parameters), "argument", "arguments")
            return self.problem("P0302", f"{expr.id!r} takes {takes}, found {len(given)}", expr, f"write {shape}")
        if expr.id == "after":
            return self.after(expr, scope, wanted)
        if builtin.parameters[-1] == "relation" and turned_round(self, expr, given, scope):
            return self.nothing(expr)
        found = [
            self._builtin_argument(expr, a, p, scope)
            for a, p in zip(given, builtin.parameters, strict=True)
            if p != "relation"
        ]
        if builtin.parameters[-1] == "relation":
            found.append(resolve_relation(self, given[-1], found, scope))
        if any(argument.type == ty.ANY for argument in found) and "relation" in builtin.parameters:
            return self.nothing(expr, *found)
        return self._built_in(expr, found, who or self.me(scope, expr.span), scope)

    def _built_in(self, expr: t.Call, found: list[x.Expr], who: x.Expr, scope: Scope) -> x.Expr:
        """Return the node of a call whose arguments are resolved; *who* is meant if no player is named."""
        type_ = BUILTINS[expr.id].result([argument.type for argument in found])
        match expr.id, found:
            case "can", [x.Can() as call]:
                return call
            case "payable", [cost]:
                return x.Payable(cost, who, type=type_, span=expr.span)
            case "have", [x.CounterNamed(counter=counter)]:
                return x.CounterAt(counter, (who,), type=type_, span=expr.span)
            case "have", [member]:
                return x.Have(member, self.members(member.type), who, type=type_, span=expr.span)
            case "owned", [x.Instances(kind=kind)]:
                return x.BuiltinCall("owned", (who,), kind, kind, type=type_, span=expr.span)
            case "cell_at", [x.Instances(kind=grid), *numbers]:
                return x.BuiltinCall(
                    "cell_at", (*numbers, *self._whose(grid, who)), grid, grid, type=type_, span=expr.span
                )
            case "placements", [shape, grid_]:
                return self._placements(expr, shape, grid_, who)
            case "place_of", [piece, place]:
                return self._place_of(expr, piece, place)
        cells = [a.type for a, p in zip(found, BUILTINS[expr.id].parameters, strict=True) if p == "cell"]
        if BUILTINS[expr.id].parameters[-1] == "relation":
            cells = [found[0].type]
        kind = next((cell.kind for cell in cells if isinstance(cell, ty.Ref)), "")
        return x.BuiltinCall(expr.id, tuple(found), "", kind, type=type_, span=expr.span)

    def _whose(self, grid: str, who: x.Expr) -> tuple[x.Expr, ...]:
        """Return the argument that says whose grid is meant, where every player has one."""
        return (who,) if self.model.kinds[grid].per_player else ()

    def members(self, type_: ty.AnyType) -> tuple[str, ...]:
        """Return the counters that a value of a group may be; all that a cost may name when the group is not known."""
        inner = ty.strip(type_)
        if isinstance(inner, ty.Group) and inner.name in self.model.groups:
            return self.model.groups[inner.name]
        return tuple(c.name for c in self.model.counters.values() if c.dims == ("player",))

    def _placements(self, expr: t.Call, shape: x.Expr, grid: x.Expr, who: x.Expr) -> x.Expr:
        kind = f"{grid.kind}_placement" if isinstance(grid, x.Instances) else ""
        if not isinstance(grid, x.Instances) or kind not in self.model.kinds:
            words = "expected the name of a grid on which shapes can be laid"
            return self.problem("P0301", words, expr.arguments[1], parts=(shape, grid))
        self.used.add(kind)
        arguments, type_ = (shape, *self._whose(grid.kind, who)), ty.Seq(ty.Ref(kind))
        return x.BuiltinCall("placements", arguments, grid.kind, grid.kind, type=type_, span=expr.span)

    def _place_of(self, expr: t.Call, piece: x.Expr, place: x.Expr) -> x.Expr:
        name = expr.arguments[1]
        declared = self.model.places.get(name.id) if isinstance(name, t.Name) else None
        if isinstance(name, t.Name) and name.id not in self.model.names:
            known = (one.name for one in self.model.places.values() if len(one.dims) == 1)
            return self.unknown("place", name.id, name, known, (piece,))
        if declared is None or len(declared.dims) != 1:
            return self.problem("P0301", "expected the name of a place with one index", name, parts=(piece, place))
        type_ = ty.Maybe(ty.Ref(declared.dims[0]))
        return x.BuiltinCall("place_of", (piece,), declared.name, declared.of, type=type_, span=expr.span)

    def _builtin_argument(self, call: t.Call, expr: t.Expr, wanted: str, scope: Scope) -> x.Expr:
        match wanted:
            case "rule":
                return self.of_rule(call, expr, scope, "can(rule(..))")
            case "shape":
                return self.check(expr, scope, ty.Ref("shape"))
            case "kind":
                return self._kind_argument(expr, scope)
            case "group":
                return self._group_argument(expr, scope)
            case "place" if isinstance(expr, t.Name) and call.id == "place_of":
                self.used.add(expr.id)
                self.uses.record_name(expr)
                return self.nothing(expr)
        plain: dict[str, ty.AnyType] = {"int": ty.INT, "bool": ty.BOOL, "player": PLAYER}
        found = self.check(expr, scope, plain.get(wanted))
        if wanted == "cost" and not ty.fits(ty.strip(found.type), ty.COST):
            return self.problem("P0301", f"expected a cost, found {found.type}", expr, parts=(found,))
        if found.type == ty.ANY or wanted in (*plain, "any", "cost"):
            return found
        return self._sort_argument(call, expr, found, wanted)

    def _sort_argument(self, call: t.Call, expr: t.Expr, found: x.Expr, wanted: str) -> x.Expr:
        """See that an argument is a list, an instance, a cell or some cells."""
        type_ = found.type
        inner = type_.of if isinstance(type_, ty.Seq) else None
        cells = isinstance(inner, ty.Ref) and bool(self.model.kinds[inner.kind].grid)
        good = {
            "list": isinstance(type_, ty.Seq), "place": isinstance(type_, ty.Seq), "ref": isinstance(type_, ty.Ref),
            "cell": isinstance(type_, ty.Ref) and bool(self.model.kinds[type_.kind].grid), "cells": cells,
            "grid": cells and isinstance(found, x.Instances),
        }[wanted]  # fmt: skip
        if good:
            return found
        if isinstance(type_, ty.Maybe):
            return self.problem("P0303", "this may be none", expr, self.test_first(found), parts=(found,))
        words = f"{call.id!r} expects {_words(wanted)}, found {type_}"
        return self.problem("P0301", words, expr, parts=(found,))

    def _kind_argument(self, expr: t.Expr, scope: Scope) -> x.Expr:
        """Resolve the name of a kind that every player has."""
        found = self.source(expr, scope)
        own = isinstance(found, x.Instances) and self.model.kinds[found.kind].per_player
        if own or found.type == ty.ANY:
            return found
        return self.problem("P0301", "expected the name of a kind that every player has", expr, parts=(found,))

    def _group_argument(self, expr: t.Expr, scope: Scope) -> x.Expr:
        """Resolve a counter that is meant itself, not how much there is of it."""
        if isinstance(expr, t.Name) and expr.id in self.model.counters and expr.id not in scope.variables:
            self.used.add(expr.id)
            if self.model.counters[expr.id].dims != ("player",):
                return self.problem("P0302", f"{expr.id!r} is not a counter of a player alone", expr)
            return self.record_resolution(expr, x.CounterNamed(expr.id, type=ty.ANY, span=expr.span))
        found = self.check(expr, scope)
        if not isinstance(found.type, ty.Group) and found.type != ty.ANY:
            return self.problem("P0301", f"expected a counter, found {found.type}", expr, parts=(found,))
        return found


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


def _add_range(value: x.Expr, bounds: tuple[int, int] | None, name: str) -> x.Expr:
    """Return an argument that is looked at, if its parameter has bounds in which it might not lie."""
    if (
        bounds is None
        or value.type != ty.INT
        or (isinstance(value, x.Number) and bounds[0] <= value.value <= bounds[1])
    ):
        return value
    return x.Ranged(value, *bounds, name, type=ty.INT, span=value.span)


def truth(value: x.Expr) -> x.Expr:
    """Return the condition that a value stands for: what may be none or empty is asked whether it is."""
    match value:
        case x.Default(type=ty.BOOL):
            return x.Logic("or", truth(value.left), truth(value.right), type=ty.BOOL, span=value.span)
        case x.Expr(type=ty.BOOL | ty.ANY):
            return value
        case x.Expr(type=ty.Seq()):
            return x.Filled(value, type=ty.BOOL, span=value.span)
    return x.Present(value, type=ty.BOOL, span=value.span)


def _words(wanted: str) -> str:
    return {
        "cell": "a cell of a grid",
        "cells": "a list of cells",
        "grid": "the name of a grid",
        "ref": "a piece or member",
    }.get(wanted, f"a {wanted}")
