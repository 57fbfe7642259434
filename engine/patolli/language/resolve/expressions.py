"""Resolve expressions: give every name in them a meaning, and every part a type.

In:     a model whose texts are parsed.
Out:    nodes of the program; a condition always has the type ``bool``.
Errors: P0201 an unknown name, P0202 a thing of another sort, P0301 a wrong type, P0302 a wrong number of arguments,
        P0303 a value that may be none, P0304 a change inside a computation.

What failed once is an ``Unknown`` of the type ``any``, and silent after that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from patolli.language.diagnostics import Problem, Span, nearest
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import conjuncts, negate_condition, rename_variables, there
from patolli.language.program.node import walk
from patolli.language.program.tree_rewriter import without_calls
from patolli.language.resolve import habits
from patolli.language.resolve.calls import Calls, truth
from patolli.language.resolve.names import Why, refine_type
from patolli.language.resolve.scopes import PLAYER, Scope, find_tested_variable
from patolli.language.syntax import tree as t
from patolli.language.syntax.inline_printer import spell
from patolli.language.syntax.words import QUANTIFIERS, version_of_quantifier, words

Binders = tuple[x.Binder, ...]


def format_list(expr: t.Expr) -> str:
    """Say how a list is written that holds a value and nothing else."""
    return f"write {{{spell(expr)}}} for a list with one item"


INLINED = 500
"""So many nodes are looked at to write out the functions in one condition."""


class Expressions(Calls):
    """The part of the pass that resolves expressions."""

    # -- sums

    def _sum(self, expr: t.Binary, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        """``a + b``: a sum of numbers, or two lists, one behind the other."""
        left = self.infer(expr.left, scope, wanted if isinstance(wanted, ty.Seq) else ty.INT)
        if not isinstance(left.type, ty.Seq):
            left = self.fit(expr.left, left, ty.INT)
            right = self.check(expr.right, scope, ty.INT)
            type_ = ty.ANY if ty.ANY in (left.type, right.type) else ty.INT
            return x.Arithmetic("+", left, right, type=type_, span=expr.span)
        right = self.infer(expr.right, scope, left.type)
        if right.type == ty.ANY:
            return self.nothing(expr, left, right)
        if not isinstance(right.type, ty.Seq):
            help_ = (
                f"a list of one item is written {{{spell(expr.right)}}}"
                if ty.fits(ty.strip(right.type), left.type.of)
                else ""
            )
            words_ = f"{left.type} and {right.type} cannot be joined"
            return self.problem("P0301", words_, expr.right, help_, parts=(left, right))
        return x.Joined(left, right, type=self._join_types(left.type, right.type, expr), span=expr.span)

    def _difference(self, expr: t.Binary, scope: Scope) -> x.Expr:
        """``a - b`` of numbers; a list minus a list is an error that says how to write it."""
        left, right = self.infer(expr.left, scope, ty.INT), self.infer(expr.right, scope, ty.INT)
        if isinstance(left.type, ty.Seq) and right.type not in (ty.INT, ty.ANY):
            rest = f"x not in {spell(expr.right)}" if isinstance(right.type, ty.Seq) else f"x != {spell(expr.right)}"
            help_ = f"write '[x in {spell(expr.left)} where {rest}]'"
            return self.problem("P0301", "nothing is subtracted from a list", expr, help_, parts=(left, right))
        left, right = self.fit(expr.left, left, ty.INT), self.fit(expr.right, right, ty.INT)
        type_ = ty.ANY if ty.ANY in (left.type, right.type) else ty.INT
        return x.Arithmetic("-", left, right, type=type_, span=expr.span)

    def _join_types(self, left: ty.AnyType, right: ty.AnyType, expr: t.Expr) -> ty.AnyType:
        both = ty.join(left, right)
        if both is None:
            help_ = ""
            if isinstance(expr, t.Binary) and isinstance(left, ty.Seq) and ty.fits(right, left.of):
                help_ = format_list(expr.right)
            return self.problem("P0301", f"one side is {left}, the other {right}", expr, help_).type
        return both

    # -- the door

    def check(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None, why: Why = ()) -> x.Expr:
        """Resolve an expression; with *wanted* it must fit that type, and *why* shows where that is said."""
        found = self.infer(expr, scope, wanted)
        return found if wanted is None else self.fit(expr, found, wanted, why, scope)

    def infer(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None) -> x.Expr:
        """Resolve an expression; *wanted* only serves to find out what it means."""
        found = self._infer(expr, scope, wanted)
        if isinstance(found.type, ty.Maybe) and not isinstance(found, x.Local):
            if self.is_there(found, scope):
                found = refine_type(found, found.type.of)
            elif there(found, scope.ended):
                self.outdated = found
        return self.record_resolution(expr, found)

    def is_there(self, found: x.Expr, scope: Scope) -> bool:
        """Return whether tests have shown that something is not none, also tests inside functions."""
        if there(found, scope.proven):
            return True
        if not any(isinstance(node, x.FunctionCall) for node in walk(found, *scope.proven)):
            return False
        inlined = [part for proof in scope.proven for part in conjuncts(self._inline_calls(proof))]
        return there(self._inline_calls(found), inlined)

    def _is_shown_there(self, found: x.Expr, scope: Scope) -> bool:
        """Return whether something could be none, were it not for a test, or for the packs that are put together."""
        if isinstance(found, x.Local):
            return isinstance(found.variable.type, ty.Maybe)
        if isinstance(found, x.Instance) and found.id.rpartition("_")[2].isdigit():
            return True  # another pack may allow other numbers of players
        return self.is_there(found, scope)

    def _inline_calls(self, expr: x.Expr) -> x.Expr:
        """Return an expression with the bodies of functions in place of their calls, if it stays short."""
        left = INLINED

        def count() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise OverflowError

        try:
            return without_calls(expr, self.program.functions, count)
        except OverflowError:
            return expr

    def record_resolution(self, expr: t.Expr, found: x.Expr) -> x.Expr:
        """Note what an expression was found to be, and return that."""
        self.uses.record_resolution(expr, found)
        return found

    def fit(self, expr: t.Expr, found: x.Expr, wanted: ty.AnyType, why: Why = (), scope: Scope | None = None) -> x.Expr:
        """See that what was found fits a type; what may be none or empty also stands for a truth value."""
        if ty.fits(found.type, wanted):
            return found
        if wanted == ty.BOOL and isinstance(found.type, ty.Maybe | ty.Seq):
            return truth(found)
        if isinstance(found.type, ty.Maybe) and ty.fits(found.type.of, wanted):
            words = f"this may be none, where {wanted} is needed"
            return self.problem("P0303", words, expr, self.test_first(found), *why, parts=(found,))
        all_fit = isinstance(found, x.Instances) and ty.fits(ty.Ref(found.kind), wanted)
        one = self.find_one(found, scope) if scope is not None and all_fit else ""
        adjusted = isinstance(expr, t.Call) and "'" in expr.id
        help_ = (
            "'value' gives a function another value of any type" if adjusted else self._way_to(wanted, found.type, expr)
        )
        if one:
            help_ = f"{one!r} is one of them here"
        meant = self._member(expr, wanted)
        if meant is not None:
            help_ = f"did you mean {meant!r}?"
        meant = meant or one or None
        words = f"expected {wanted}, found {found.type}"
        return self.problem("P0301", words, expr, help_, *why, parts=(found,), meant=meant)

    def _member(self, expr: t.Expr, wanted: ty.AnyType) -> str | None:
        """Return the member of an enumeration whose name is nearly that of another thing, which stands there."""
        inner = ty.strip(wanted)
        kind = self.model.kinds.get(inner.kind) if isinstance(inner, ty.Ref) and isinstance(expr, t.Name) else None
        return (
            nearest(expr.id, kind.members) if kind is not None and isinstance(expr, t.Name) and kind.members else None
        )

    def _way_to(self, wanted: ty.AnyType, found: ty.AnyType, expr: t.Expr) -> str:
        """Say how to get a value of the wanted type from what was written, where there is one way."""
        if isinstance(wanted, ty.Seq) and isinstance(wanted.of, ty.Seq) and ty.fits(found, wanted.of):
            return format_list(expr)
        kind = self.model.kinds.get(wanted.kind) if isinstance(wanted, ty.Ref) else None
        if kind is not None and kind.designs_of and found == ty.Ref(kind.designs_of):
            return f"write {spell(expr)}.design for its design"
        design = self.model.kinds.get(found.kind) if isinstance(found, ty.Ref) and isinstance(wanted, ty.Ref) else None
        if design is not None and isinstance(wanted, ty.Ref) and design.designs_of == wanted.kind:
            say = f"say {design.name!r} where {wanted.kind!r} is said"
            return f"this is a design, not a copy; take a copy, or {say}"
        return _way(wanted, found)

    def condition(self, expr: t.Expr, scope: Scope) -> x.Expr:
        """Resolve a condition: a truth value, or something that may be none or an empty list."""
        found = self.check(expr, scope)
        self._check_testable(expr, found, scope)
        return truth(found)

    def _check_testable(self, expr: t.Expr, found: x.Expr, scope: Scope) -> None:
        """Check that something of a type counts as true or not; what was shown to be there may be tested again."""
        type_ = found.type
        if type_ in (ty.BOOL, ty.ANY) or isinstance(type_, ty.Maybe | ty.Seq) or self._is_shown_there(found, scope):
            return
        if _is_thing(type_):
            self._never_none(expr)
            return
        such = f", such as '{spell(expr)} > 0'" if type_ == ty.INT else ""
        self.problem("P0301", f"expected a condition, found {type_}", expr, f"compare it with something{such}")

    def _never_none(self, expr: t.Expr) -> None:
        """Warn of a test whether something is there that always is: it does no harm, and the rest can be checked."""
        message = f"'{spell(expr)}' is never none, so this test decides nothing"
        help_ = "leave the test out, or test something that may be none"
        self.model.problems.append(Problem("P0461", message, expr.span, help_, severity="warning"))

    def _infer(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        span, one = expr.span, t.any_expr(expr)
        match one:
            case t.Number():
                return x.Number(one.value, type=ty.INT, span=span)
            case t.Truth():
                return x.Truth(one.value, type=ty.BOOL, span=span)
            case t.NoValue():
                return x.NoValue(type=ty.NONE, span=span)
            case t.Name():
                return self._name(one, scope, wanted)
            case t.Attribute():
                return self._attribute(one, scope)
            case t.Index():
                return self._index(one, scope)
            case t.Call():
                return self._call(one, scope, wanted)
            case t.Quantifier():
                return self._quantifier(one, scope)
            case t.Binary():
                if one.op == "+" and one.at.text.language > 1:
                    return self._sum(one, scope, wanted)
                if one.op == "-":
                    return self._difference(one, scope)
                left, right = self.check(one.left, scope, ty.INT), self.check(one.right, scope, ty.INT)
                type_ = ty.ANY if ty.ANY in (left.type, right.type) else ty.INT
                return x.Arithmetic(one.op, left, right, type=type_, span=span)
            case t.Negative():
                return x.Negative(self.check(one.of, scope, ty.INT), type=ty.INT, span=span)
            case t.Compare():
                return self._compare(one, scope)
            case t.Not():
                return x.Not(self.condition(one.of, scope), type=ty.BOOL, span=span)
            case t.Logic():
                return self._logic(one, scope, wanted)
            case t.IfElse():
                return self._if_else(one, scope, wanted)
            case t.Listing():
                return self._listing(one, scope, wanted)
            case t.Naming():
                return self._naming(one, scope, wanted)
            case t.SpanOf():
                low, high = self.check(one.low, scope, ty.INT), self.check(one.high, scope, ty.INT)
                return x.Range(low, high, type=ty.Seq(ty.INT), span=span)
        assert_never(one)

    def _naming(self, expr: t.Naming, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        inner, found = scope.child(), list[x.Given | tuple[x.Expr, t.Promise]]()
        for line in expr.given:
            if isinstance(line, t.Promise):
                condition = self.condition(line.condition, inner)
                self.narrow(inner, condition, True)
                found.append((condition, line))
            else:
                found.append(self._resolve_given(line, inner))
        value = self.check(expr.value, inner, wanted)
        return self._before(found, value, expr.span)

    def _before(self, lines: list[x.Given | tuple[x.Expr, t.Promise]], value: x.Expr, span: Span) -> x.Expr:
        """Return a value with the lines before it: what they name together, each promise around the part after it."""
        named: list[x.Given] = []
        for line in reversed(lines):
            if isinstance(line, x.Given):
                named.insert(0, line)
                continue
            if named:
                value, named = x.Naming(tuple(named), value, type=value.type, span=span), []
            condition, promise = line
            value = x.Promised(condition, promise.reason or "", value, type=value.type, span=promise.span)
        return x.Naming(tuple(named), value, type=value.type, span=span) if named else value

    def _resolve_given(self, given: t.Given, inner: Scope) -> x.Given:
        source = self.check(given.value, inner)
        if source.type == ty.NONE:
            source = self.problem("P0301", "'none' alone has no type", given.value, "write it where the value is used")
        self.fresh(given.id, inner, given)
        if given.id in inner.variables:
            message = f"{given.id!r} is already a variable here"
            self.problem("P0203", message, given, "choose another name")
        variable = inner.add(x.Variable(given.id, source.type, given.span))
        self.uses.record_given(given)
        return x.Given(variable, source, span=given.span)

    def _if_else(self, expr: t.IfElse, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        condition = self.condition(expr.condition, scope)
        then = self.check(expr.then, self.narrow_scope(scope, condition, True), wanted)
        other = self.check(expr.other, self.narrow_scope(scope, condition, False), wanted)
        type_ = self._join_types(then.type, other.type, expr)
        if type_ == ty.BOOL:
            then, other = truth(then), truth(other)
        return x.IfElse(condition, then, other, type=type_, span=expr.span)

    def bind(self, binders: list[t.Binder], scope: Scope, none: bool = False) -> tuple[Scope, Binders]:
        """Resolve binders and return the scope with their variables; with *none* nothing may be taken in the end."""
        inner, found = scope.child(), []
        for binder in binders:
            source = self.source(binder.source, inner)
            self.fresh(binder.id, inner, binder)
            item: ty.AnyType = source.type.of if isinstance(source.type, ty.Seq) else ty.ANY
            if not isinstance(source.type, ty.Seq) and source.type != ty.ANY:
                words = f"expected a list to take {binder.id!r} from, found {source.type}"
                numbers = f"the numbers up to it are written 1..{spell(binder.source)}" if source.type == ty.INT else ""
                source = self.problem("P0301", words, binder.source, numbers, parts=(source,))
            declared = ty.Maybe(ty.strip(item)) if none and item != ty.ANY else item
            variable = inner.add(x.Variable(binder.id, declared, binder.span), item)
            self.uses.binder(binder)
            found.append(x.Binder(variable, source, span=binder.span))
        return inner, tuple(found)

    def source(self, source: t.Expr, scope: Scope) -> x.Expr:
        """Resolve what a binder takes its values from; a kind is meant even where a variable bears its name."""
        if not isinstance(source, t.Name) or source.id not in self.model.kinds:
            return self.check(source, scope)
        if isinstance(scope.types.get(source.id), ty.Seq):
            return self.check(source, scope)
        self.used.add(source.id)
        return self.record_resolution(source, x.Instances(source.id, type=ty.Seq(ty.Ref(source.id)), span=source.span))

    def fresh(self, name: str, scope: Scope, at: t.Node) -> None:
        """Report a variable that hides a declared id or a word of the language."""
        if isinstance(at.at.text, t.FixedText):  # no author wrote it
            return
        if name in words(at.at.text.language).fixed:
            self.problem("P0203", f"{name!r} is a word of the language", at, "choose another name")
            return
        what = self.model.names.get(name, ("", ""))[0]
        if what and what != "kind":
            message = f"the variable {name!r} hides {ty.article(what)} of that name"
            self.problem("P0203", message, at, "rename the variable", (self.model.spans[name], "declared here"))

    def _quantifier(self, expr: t.Quantifier, scope: Scope) -> x.Expr:
        inner, binders = self.bind(expr.binders, scope)
        if not binders:
            return self.nothing(expr)
        if (since := version_of_quantifier(expr.id)) > expr.at.text.language:
            return self.report_later_word(expr.id, since, expr)
        if expr.id in ("until", "through"):
            return self._cut(expr, binders, inner)
        where = None
        if expr.where is not None:
            where = self.condition(expr.where, inner)
            inner = self.narrow_scope(inner, where, True)
        elif expr.id == "all" and expr.value is None:
            name = expr.binders[0].id
            self.problem("P0302", "'all' needs a condition", expr, f"write all({name} in .. where condition)")
        value = self.check(expr.value, inner) if expr.value is not None else None
        if expr.id == "all" and value is None:  # what is to hold of each of them
            where, value = None, where
        by = self.check(expr.by, inner, ty.INT) if expr.by is not None else None
        item = value.type if value is not None else inner.types[expr.binders[-1].id]
        type_ = self._infer_quantifier_type(expr, item)
        if value is not None and expr.id in ("any", "all"):
            value = truth(value)
        if expr.id == "only":  # the only item of a list is all that there is to it
            listed = x.Quantifier("list", binders, where, value, by, type=ty.Seq(item), span=expr.span)
            return x.Whole("only", listed, type=type_, span=expr.span)
        return x.Quantifier(expr.id, binders, where, value, by, type=type_, span=expr.span)

    def _cut(self, expr: t.Quantifier, binders: Binders, inner: Scope) -> x.Expr:
        """``until(x in S where P)`` and ``through(..)``: a list up to the first item that fits."""
        if expr.where is None or len(binders) != 1 or expr.value is not None or expr.by is not None:
            what = "needs a condition" if expr.where is None else "goes along one list, and gives its items"
            help_ = f"write {expr.id}({expr.binders[0].id} in .. where condition)"
            return self.problem("P0302", f"{expr.id!r} {what}", expr, help_)
        where = self.condition(expr.where, inner)
        type_ = binders[0].source.type
        return x.Cut(binders[0], where, expr.id == "through", type=type_, span=expr.span)

    def _infer_quantifier_type(self, expr: t.Quantifier, item: ty.AnyType) -> ty.AnyType:
        match expr.id:
            case "any" | "all":
                return ty.BOOL
            case "count":
                return ty.INT
            case "sum" | "min" | "max":
                if not ty.fits(item, ty.INT):
                    self.problem("P0301", f"expected a number, found {item}", expr.value or expr)
                return ty.INT
            case "first" | "lowest" | "highest":
                return ty.ANY if item == ty.ANY else ty.Maybe(ty.strip(item))
            case "list" | "distinct" | "sorted":
                return ty.Seq(item)
            case "only":
                if expr.by is not None:
                    self.problem("P0302", "'only' takes no 'by'", expr.by, "write only(x in .. where condition)")
                return item
        return self.unknown("quantifier", expr.id, expr, QUANTIFIERS).type

    # -- comparison

    def _compare(self, expr: t.Compare, scope: Scope) -> x.Expr:
        left_expr, left = expr.first, self.check(expr.first, scope)
        meant = habits.recognize_comparison(expr, left)
        if meant is not None:
            return self.problem("P0301", "'empty' is not a value", expr, meant.help, parts=(left,), meant=meant.text)
        found: x.Expr | None = None
        for op, right_expr in expr.rest:
            if op in ("in", "not in"):
                right = self._membership(left_expr, left, right_expr, scope)
            else:
                left, right = self._sides(op, left_expr, left, right_expr, scope)
            one = _build_comparison(op, left, right, expr.span)
            found = one if found is None else x.Logic("and", found, one, type=ty.BOOL, span=expr.span)
            left_expr, left = right_expr, right
        return found or self.nothing(expr, left)

    def _sides(
        self, op: str, left_expr: t.Expr, left: x.Expr, right_expr: t.Expr, scope: Scope
    ) -> tuple[x.Expr, x.Expr]:
        """Resolve the right side of a comparison, and see that it can be compared with the left one."""
        right = (
            self._resolve_with_hint(right_expr, scope, left.type)
            if self._hint(left.type)
            else self.check(right_expr, scope)
        )
        if op in ("==", "!="):
            if isinstance(left_expr, t.Name) and self._hint(right.type) and not ty.fits(left.type, right.type):
                left = self._resolve_with_hint(left_expr, scope, right.type)
            shown = right.type == ty.NONE and self._is_shown_there(left, scope)
            if not shown and ty.NONE in (left.type, right.type) and (_is_thing(left.type) or _is_thing(right.type)):
                self._never_none(left_expr if right.type == ty.NONE else right_expr)
            elif not shown and not _comparable(left.type, right.type):
                listed = isinstance(left.type, ty.Seq) and right.type == ty.NONE
                help_ = f"a list is never none; it may be empty: 'not {spell(left_expr)}'" if listed else ""
                help_ = (
                    help_
                    or self._design_of(left_expr, left.type, right)
                    or self._design_of(right_expr, right.type, left)
                )
                words = f"{left.type} is compared with {right.type}"
                sides = [(right_expr, right, left_expr), (left_expr, left, right_expr)]
                all_, one = next(
                    ((side, one) for side, found, other in sides if (one := self.find_one(found, scope, other))),
                    (right_expr, ""),
                )
                help_ = help_ or (f"{one!r} is one of them here" if one else "")
                self.problem("P0301", words, all_, help_, meant=one or None)
            return left, right
        for side, found in ((left_expr, left), (right_expr, right)):
            if isinstance(found.type, ty.Maybe) and ty.fits(found.type.of, ty.INT):
                self.fit(side, found, ty.INT)
            elif not ty.fits(found.type, ty.INT):
                self.problem("P0301", f"expected a number, found {found.type}", side, _way(ty.INT, found.type))
        return left, right

    def _design_of(self, expr: t.Expr, one: ty.AnyType, other: x.Expr) -> str:
        """Say how the design of a piece is written, where that is what the other side is, and how one of its copies."""
        one = ty.strip(one)
        if not isinstance(one, ty.Ref) or ty.strip(other.type) != self.model.design_type(one.kind):
            return ""
        help_ = f"write {spell(expr)}.design for its design"
        return f"{help_}, or {other.id}_1 for one of them" if isinstance(other, x.DesignNamed) else help_

    def _hint(self, type_: ty.AnyType) -> bool:
        """Return whether a name beside something of a type may mean another thing than it does alone."""
        inner = ty.strip(type_)
        if isinstance(inner, ty.Ref) and inner.kind in self.model.kinds:
            return bool(self.model.kinds[inner.kind].designs_of)
        return isinstance(inner, ty.Group | ty.Design | ty.Choice)

    def _resolve_with_hint(self, expr: t.Expr, scope: Scope, type_: ty.AnyType) -> x.Expr:
        """Resolve what is compared with a counter, design or choice, so that a name may mean such a one."""
        return self.record_resolution(expr, self._infer(expr, scope, ty.strip(type_)))

    def _membership(self, left_expr: t.Expr, left: x.Expr, right_expr: t.Expr, scope: Scope) -> x.Expr:
        known = isinstance(right_expr, t.Listing) and left.type != ty.ANY
        right = self.check(right_expr, scope, ty.Seq(ty.strip(left.type)) if known else None)
        if ty.ANY in (left.type, right.type):
            return right
        if not isinstance(right.type, ty.Seq):
            return self.problem("P0301", f"expected a list, found {right.type}", right_expr, parts=(right,))
        item, wanted = ty.strip(left.type), ty.strip(right.type.of)
        if not (ty.fits(item, wanted) or ty.fits(wanted, item)):
            words, one = f"{right.type} cannot contain {left.type}", self.find_one(left, scope)
            help_ = f"{one!r} is one of them here" if one else ""
            self.problem("P0301", words, left_expr, help_, parts=(left,), meant=one or None)
        return right

    # -- logic and lists

    def _logic(self, expr: t.Logic, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        left = self.check(expr.left, scope)
        type_ = left.type
        if expr.op == "or" and type_ == ty.ANY and wanted != ty.BOOL:  # it is unknown which of both uses it is
            return self.nothing(expr, left, self.infer(expr.right, self.narrow_scope(scope, truth(left), False)))
        if expr.op == "or" and type_ == ty.INT and expr.at.text.language > 1 and (some := _of_some(left)) is not None:
            return x.IfElse(some, left, self.check(expr.right, scope, ty.INT), type=ty.INT, span=expr.span)
        if expr.op == "or" and self._is_shown_there(left, scope):
            type_ = ty.Maybe(ty.strip(type_))
        elif expr.op == "or" and _is_thing(type_) and wanted != ty.BOOL:
            self._never_none(expr.left)
            found = self._default(expr, left, ty.Maybe(type_), scope)
            return replace(found, type=type_) if isinstance(found, x.Default) else found
        if expr.op == "or" and isinstance(type_, ty.Maybe) and wanted != ty.BOOL:
            return self._default(expr, left, type_, scope)
        self._check_testable(expr.left, left, scope)
        first = truth(left)
        second = self.condition(expr.right, self.narrow_scope(scope, first, expr.op == "and"))
        return x.Logic(expr.op, first, second, type=ty.BOOL, span=expr.span)

    def _default(self, expr: t.Logic, left: x.Expr, type_: ty.Maybe, scope: Scope) -> x.Expr:
        """Resolve ``a or b`` of something that may be none: another value for it, or a condition."""
        shown = truth(left)
        right = self.check(expr.right, self.narrow_scope(scope, shown, False))
        if ty.fits(right.type, type_):
            sure = not isinstance(right.type, ty.Maybe) and right.type != ty.NONE
            return x.Default(left, right, type=right.type if sure else type_, span=expr.span)
        if right.type == ty.BOOL:
            return x.Logic("or", shown, right, type=ty.BOOL, span=expr.span)
        return x.Default(left, right, type=self._join_types(type_, right.type, expr), span=expr.span)

    def _listing(self, expr: t.Listing, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        inner = wanted.of if isinstance(wanted, ty.Seq) else None
        item: ty.AnyType | None = inner
        items = []
        for part in expr.items:
            found = self.check(part, scope, inner)
            items.append(found)
            both = found.type if item is None else ty.join(item, found.type)
            if both is None:
                alone = isinstance(item, ty.Seq) and ty.fits(found.type, item.of)
                help_ = format_list(part) if alone else ""
                self.problem("P0301", f"the list contains {item}, this is {found.type}", part, help_)
            item = both or item
        return x.ListOf(tuple(items), type=ty.Seq(item if item is not None else ty.ANY), span=expr.span)

    # -- what a condition proves

    def narrow_scope(self, scope: Scope, condition: x.Expr, holds: bool) -> Scope:
        """Return the scope in which *condition* holds, or does not."""
        inner = scope.child()
        self.narrow(inner, condition, holds)
        return inner

    def narrow(self, scope: Scope, condition: x.Expr, holds: bool) -> None:
        """Note in a scope that *condition* holds, or does not."""
        match condition:
            case x.Not():
                self.narrow(scope, condition.of, not holds)
            case x.Logic() if (condition.op == "and") == holds:
                self.narrow(scope, condition.left, holds)
                self.narrow(scope, condition.right, holds)
            case _:
                scope.proven.extend(conjuncts(condition) if holds else negate_condition(condition))
                one = find_tested_variable(condition, holds)
                for variable in _list_variables(condition) if self._mistaken(condition.span) else [one] if one else []:
                    if isinstance(scope.types.get(variable.name), ty.Maybe):
                        scope.narrow(variable)

    def _mistaken(self, place: Span) -> bool:
        """Return whether something in a condition was reported, so that it is unknown what it was to prove."""
        first, last = (place.line, place.column), (place.end_line, place.end_column)
        return any(
            p.span.path == place.path and p.severity == "error" and first <= (p.span.line, p.span.column) < last
            for p in self.model.problems
        )

    # -- quantifiers


def _of_some(number: x.Expr) -> x.Expr | None:
    """Return whether the list of a greatest or least number has items; None for other numbers."""
    match number:
        case x.Whole(op="min" | "max", of=of):
            return x.Filled(of, type=ty.BOOL, span=number.span)
        case x.Quantifier(op="min" | "max"):
            same = rename_variables(number, {})
            assert isinstance(same, x.Quantifier)
            return replace(same, op="any", value=None, by=None, type=ty.BOOL)
    return None


def _is_thing(type_: ty.AnyType) -> bool:
    """Return whether what has a type is a piece, a player or a member of something, and so could be none elsewhere."""
    return isinstance(type_, ty.Ref | ty.Group | ty.Design)


def _build_comparison(op: str, left: x.Expr, right: x.Expr, span: Span) -> x.Expr:
    """Return a comparison; one with none asks whether something is there."""
    if op in ("==", "!=") and isinstance(left, x.NoValue) != isinstance(right, x.NoValue):
        value = right if isinstance(left, x.NoValue) else left
        if ty.strip(value.type) != ty.COST:
            there_ = x.Present(value, type=ty.BOOL, span=span)
            return there_ if op == "!=" else x.Not(there_, type=ty.BOOL, span=span)
    return x.Compare(op, left, right, type=ty.BOOL, span=span)


def _comparable(left: ty.AnyType, right: ty.AnyType) -> bool:
    if ty.NONE in (left, right):
        other = right if left == ty.NONE else left
        return isinstance(other, ty.Maybe) or other in (ty.ANY, ty.NONE, ty.COST)
    return ty.fits(ty.strip(left), ty.strip(right)) or ty.fits(ty.strip(right), ty.strip(left))


def _list_variables(expr: x.Expr) -> list[x.Variable]:
    """Return the variables in an expression."""
    return [node.variable for node in walk(expr) if isinstance(node, x.Local)]


def _way(wanted: ty.AnyType, found: ty.AnyType) -> str:
    """Say how to get a value of the wanted type from one of another, where there is one way."""
    if wanted == ty.INT and isinstance(found, ty.Seq):
        return "'size(..)' counts what is in it"
    if isinstance(found, ty.Seq) and ty.fits(found.of, wanted):
        return "take one of the list, with 'for', 'choose' or 'first(..)'"
    return ""


__all__ = ["PLAYER", "Expressions", "Scope"]
