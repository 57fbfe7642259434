"""Give every expression a type, and every name in it a meaning.

In:     a model whose texts are parsed.
Out:    the same trees; ``type`` is set on each expression and ``note`` says what a name stands for.
Errors: P0201 an unknown name, P0202 a thing of another sort, P0301 a wrong type, P0302 a wrong number of arguments,
        P0303 a value that may be none, P0304 a change inside a computation.

What failed once has the type ``any`` and is silent after that.
"""

from __future__ import annotations

from patolli.analysis import types as ty
from patolli.analysis.calls import Calls
from patolli.analysis.names import PLAYER, Why
from patolli.analysis.proofs import conjuncts, negated, there
from patolli.analysis.scopes import Scope, tested
from patolli.analysis.walking import children
from patolli.language import tree as t
from patolli.language.spelling import spell
from patolli.language.words import QUANTIFIERS, words


class Expressions(Calls):
    """The type checker for expressions."""

    # -- the door

    def check(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None, why: Why = ()) -> ty.AnyType:
        """Type *expr*; with *wanted* it must fit that type, and *why* shows where that is said."""
        found = self._infer(expr, scope, wanted)
        variable = isinstance(expr, t.Name) and expr.id in scope.variables  # its type in the scope says it already
        if isinstance(found, ty.Maybe) and not variable and self._there(expr, scope):
            found = found.of
        expr.type = found
        if wanted is not None and not fits_or_truth(found, wanted):
            if isinstance(found, ty.Maybe) and ty.fits(found.of, wanted):
                self.problem(
                    "P0303",
                    f"this may be none, where {wanted} is needed",
                    expr,
                    "test it first, with 'if' or 'stop unless'",
                    *why,
                )
            else:
                adjusted = isinstance(expr, t.Call) and "'" in expr.id
                help_ = "'value' gives a function another value of any type" if adjusted else _way(wanted, found)
                self.problem("P0301", f"expected {wanted}, found {found}", expr, help_, *why)
            return ty.ANY
        return found

    def _there(self, expr: t.Expr, scope: Scope) -> bool:
        """Tell whether a test in force has shown that *expr* is not none."""
        for proof in scope.proven:
            if proof == expr:
                return True
            if isinstance(proof, t.Compare) and proof.first == expr and len(proof.rest) == 1:
                op, right = proof.rest[0]
                sure = right.type is not None and not isinstance(right.type, ty.Maybe) and right.type != ty.NONE
                if (op == "!=" and isinstance(right, t.Nobody)) or (op == "==" and sure):
                    return True
        return there(expr, scope.proven)

    def condition(self, expr: t.Expr, scope: Scope) -> None:
        """Type a condition: a truth value, or something that may be none or an empty list."""
        self._tested(expr, self.check(expr, scope), scope)

    def _tested(self, expr: t.Expr, found: ty.AnyType, scope: Scope) -> None:
        """See that something of a type counts as true or not; what was shown to be there may be tested once more."""
        if found in (ty.BOOL, ty.ANY) or isinstance(found, ty.Maybe | ty.Seq) or self._shown_there(expr, scope):
            return
        such = f", such as '{spell(expr)} > 0'" if found == ty.INT else ""
        self.problem("P0301", f"expected a condition, found {found}", expr, f"compare it with something{such}")

    def _shown_there(self, expr: t.Expr, scope: Scope) -> bool:
        """Tell whether something could be none, were it not for a test."""
        if isinstance(expr, t.Name) and expr.id in scope.variables:
            return isinstance(scope.declared.get(expr.id), ty.Maybe)
        return self._there(expr, scope)

    def _infer(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None) -> ty.AnyType:
        match expr:
            case t.Number():
                return ty.INT
            case t.Truth():
                return ty.BOOL
            case t.Nobody():
                return ty.NONE
            case t.Name():
                return self._name(expr, scope, wanted)
            case t.Attribute():
                return self._attribute(expr, scope)
            case t.Index():
                return self._index(expr, scope)
            case t.Call():
                return self._call(expr, scope)
            case t.Quantifier():
                return self._quantifier(expr, scope)
            case t.Binary():
                sides = [self.check(side, scope, ty.INT) for side in (expr.left, expr.right)]
                return ty.ANY if ty.ANY in sides else ty.INT
            case t.Negative():
                self.check(expr.of, scope, ty.INT)
                return ty.INT
            case t.Compare():
                return self._compare(expr, scope)
            case t.Not():
                self.condition(expr.of, scope)
                return ty.BOOL
            case t.Logic():
                return self._logic(expr, scope, wanted)
            case t.IfElse():
                self.condition(expr.condition, scope)
                left = self.check(expr.then, self.narrowed(scope, expr.condition, True), wanted)
                right = self.check(expr.other, self.narrowed(scope, expr.condition, False), wanted)
                return self._joined(left, right, expr)
            case t.Listing():
                return self._listing(expr, scope, wanted)
            case t.SpanOf():
                self.check(expr.low, scope, ty.INT)
                self.check(expr.high, scope, ty.INT)
                return ty.Seq(ty.INT)
        raise AssertionError(expr)

    def _joined(self, left: ty.AnyType, right: ty.AnyType, expr: t.Expr) -> ty.AnyType:
        both = ty.join(left, right)
        if both is None:
            return self.problem("P0301", f"one side is {left}, the other {right}", expr)
        return both

    # -- quantifiers, comparison, logic

    def bind(self, binders: list[t.Binder], scope: Scope, names: bool = True) -> Scope:
        """Type binders and return the scope with their variables."""
        inner = scope.child()
        for binder in binders:
            found = self.source(binder.source, inner)
            self.fresh(binder.id, inner, binder)
            if isinstance(found, ty.Seq):
                inner.variables[binder.id] = found.of
            else:
                if found != ty.ANY:
                    self.problem("P0301", f"expected a list to take {binder.id!r} from, found {found}", binder.source)
                inner.variables[binder.id] = ty.ANY
        return inner

    def source(self, source: t.Expr, scope: Scope) -> ty.AnyType:
        """Type what a binder takes its values from; a kind is meant even where a variable bears its name."""
        named = isinstance(source, t.Name) and source.id in self.model.kinds
        if named and isinstance(source, t.Name) and not isinstance(scope.variables.get(source.id), ty.Seq):
            found = ty.Seq(ty.Ref(source.id))
            source.note, source.type = ("kind", source.id), found
            self.used.add(source.id)
            return found
        return self.check(source, scope)

    def fresh(self, name: str, scope: Scope, at: t.Node) -> None:
        """Report a variable that hides a declared id or a word of the language."""
        if name in words(at.at.text.language).fixed:
            self.problem("P0203", f"{name!r} is a word of the language", at, "choose another name")
            return
        what = self.model.names.get(name, ("", ""))[0]
        if what and what != "kind":
            self.problem(
                "P0203",
                f"the variable {name!r} hides {ty.article(what)} of that name",
                at,
                "rename the variable",
                (self.model.spans[name], "declared here"),
            )

    def _quantifier(self, expr: t.Quantifier, scope: Scope) -> ty.AnyType:
        inner = self.bind(expr.binders, scope)
        if not expr.binders:
            return ty.ANY
        if expr.where is not None:
            self.condition(expr.where, inner)
            inner = self.narrowed(inner, expr.where, True)
        elif expr.id == "all" and expr.value is None:
            name = expr.binders[0].id
            self.problem("P0302", "'all' needs a condition", expr, f"write all({name} in .. where condition)")
        item: ty.AnyType = inner.variables[expr.binders[-1].id]
        if expr.value is not None:
            item = self.check(expr.value, inner)
        if expr.by is not None:
            self.check(expr.by, inner, ty.INT)
        return self._quantified(expr, item)

    def _quantified(self, expr: t.Quantifier, item: ty.AnyType) -> ty.AnyType:
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
        return self.unknown("quantifier", expr.id, expr, QUANTIFIERS)

    def _compare(self, expr: t.Compare, scope: Scope) -> ty.AnyType:
        left_expr = expr.first
        left = self.check(left_expr, scope)
        for op, right_expr in expr.rest:
            if op in ("in", "not in"):
                self._membership(left_expr, left, right_expr, scope)
                continue
            right = (
                self.check(right_expr, scope, None) if not _hint(left) else self._infer_hint(right_expr, scope, left)
            )
            if op in ("==", "!="):
                left = self._reinterpret(left_expr, left, right, scope)
                shown = right == ty.NONE and self._shown_there(left_expr, scope)
                if not shown and not self._comparable(left, right):
                    self.problem("P0301", f"{left} is compared with {right}", right_expr)
            else:
                for side, found in ((left_expr, left), (right_expr, right)):
                    if not ty.fits(found, ty.INT):
                        self.problem("P0301", f"expected a number, found {found}", side, _way(ty.INT, found))
            left_expr, left = right_expr, right
        return ty.BOOL

    def _infer_hint(self, expr: t.Expr, scope: Scope, left: ty.AnyType) -> ty.AnyType:
        found = self._infer(expr, scope, ty.strip(left))
        expr.type = found
        return found

    def _reinterpret(self, expr: t.Expr, left: ty.AnyType, right: ty.AnyType, scope: Scope) -> ty.AnyType:
        if isinstance(expr, t.Name) and _hint(right) and not ty.fits(left, right):
            return self._infer_hint(expr, scope, right)
        return left

    def _comparable(self, left: ty.AnyType, right: ty.AnyType) -> bool:
        if ty.NONE in (left, right):
            other = right if left == ty.NONE else left
            return isinstance(other, ty.Maybe) or other in (ty.ANY, ty.NONE, ty.COST)
        return ty.fits(ty.strip(left), ty.strip(right)) or ty.fits(ty.strip(right), ty.strip(left))

    def _membership(self, left_expr: t.Expr, left: ty.AnyType, right_expr: t.Expr, scope: Scope) -> None:
        right = self.check(
            right_expr, scope, ty.Seq(ty.strip(left)) if isinstance(right_expr, t.Listing) and left != ty.ANY else None
        )
        if right == ty.ANY or left == ty.ANY:
            return
        if not isinstance(right, ty.Seq):
            self.problem("P0301", f"expected a list, found {right}", right_expr)
        elif not (ty.fits(ty.strip(left), ty.strip(right.of)) or ty.fits(ty.strip(right.of), ty.strip(left))):
            self.problem("P0301", f"{left} is looked for in {right}", left_expr)

    def _logic(self, expr: t.Logic, scope: Scope, wanted: ty.AnyType | None) -> ty.AnyType:
        left = self.check(expr.left, scope)
        if expr.op == "or" and self._shown_there(expr.left, scope):
            left = ty.Maybe(ty.strip(left))
        if expr.op == "or" and isinstance(left, ty.Maybe) and not isinstance(wanted, ty.Type):
            right = self.check(expr.right, self.narrowed(scope, expr.left, False))
            if ty.fits(right, left):
                expr.note = "default"
                return right if not isinstance(right, ty.Maybe) and right != ty.NONE else left
            if right == ty.BOOL:
                return ty.BOOL
            return self._joined(left, right, expr)
        self._tested(expr.left, left, scope)
        self.condition(expr.right, self.narrowed(scope, expr.left, expr.op == "and"))
        return ty.BOOL

    def _listing(self, expr: t.Listing, scope: Scope, wanted: ty.AnyType | None) -> ty.AnyType:
        inner = wanted.of if isinstance(wanted, ty.Seq) else None
        item: ty.AnyType | None = inner
        for part in expr.items:
            found = self.check(part, scope, inner)
            item = found if item is None else (ty.join(item, found) or item)
            if ty.join(item, found) is None:
                self.problem("P0301", f"the list holds {item}, this is {found}", part)
        return ty.Seq(item if item is not None else ty.ANY)

    # -- what a condition proves

    def narrowed(self, scope: Scope, condition: t.Expr, holds: bool) -> Scope:
        """Return the scope in which *condition* holds, or does not."""
        inner = scope.child()
        self._narrow(inner, condition, holds)
        return inner

    def _narrow(self, scope: Scope, condition: t.Expr, holds: bool) -> None:
        if isinstance(condition, t.Not):
            self._narrow(scope, condition.of, not holds)
        elif isinstance(condition, t.Logic) and (condition.op == "and") == holds:
            self._narrow(scope, condition.left, holds)
            self._narrow(scope, condition.right, holds)
        else:
            scope.proven.extend(conjuncts(condition) if holds else negated(condition))
            name = tested(condition, holds)
            for proven in _named(condition) if self._mistaken(condition) else [name] if name else []:
                if isinstance(scope.variables.get(proven), ty.Maybe):
                    scope.variables[proven] = ty.strip(scope.variables[proven])

    def _mistaken(self, condition: t.Expr) -> bool:
        """Tell whether something in a condition was reported, so that nobody knows what it was to prove."""
        place = condition.span
        first, last = (place.line, place.column), (place.end_line, place.end_column)
        return any(
            p.span.path == place.path and p.severity == "error" and first <= (p.span.line, p.span.column) < last
            for p in self.model.problems
        )


def _named(expr: object) -> list[str]:
    """Return the names in an expression."""
    own = [expr.id] if isinstance(expr, t.Name) else []
    return [*own, *(name for part in children(expr) for name in _named(part))]


def _way(wanted: ty.AnyType, found: ty.AnyType) -> str:
    """Say how to get a value of the wanted type from one of another, where there is one way."""
    if wanted == ty.INT and isinstance(found, ty.Seq):
        return "'size(..)' counts what is in it"
    if isinstance(found, ty.Seq) and ty.fits(found.of, wanted):
        return "take one of the list, with 'for', 'choose' or 'first(..)'"
    return ""


def _hint(type_: ty.AnyType) -> bool:
    return isinstance(ty.strip(type_), ty.Group | ty.Design | ty.Choice)


def fits_or_truth(found: ty.AnyType, wanted: ty.AnyType) -> bool:
    """Fit, where something that may be none or empty also stands for a truth value."""
    return ty.fits(found, wanted) or (wanted == ty.BOOL and isinstance(found, ty.Maybe | ty.Seq))


__all__ = ["PLAYER", "Expressions", "Scope"]
