"""Type the effects that change counters, fields, variables, and where pieces are.

Errors: P0201 and P0202 something that is no counter; P0301 amounts that do not fit; P0306 an assignment to something
        that cannot change; P0307 a place or piece of the wrong sort.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.analysis.bounds import beyond
from patolli.analysis.expressions import PLAYER, Expressions, Scope
from patolli.analysis.model import UNKNOWN
from patolli.analysis.walking import sort_of
from patolli.diagnostics import Problem, Span, nearest
from patolli.language import tree as t
from patolli.language.spelling import spell
from patolli.language.words import QUANTIFIERS
from patolli.program import types as ty
from patolli.program.builtins import BUILTINS


class Changes(Expressions):
    """The type checker for the effects that change the state at once."""

    # -- counters

    def items(self, items: list[t.Item], scope: Scope) -> None:
        """Type the parts of a cost or gain."""
        for item in items:
            if item.thing is None:
                found = self.check(item.amount, scope)
                if found == ty.INT:
                    self._half_an_item(item)
                elif not ty.fits(ty.strip(found), ty.COST):
                    self.problem("P0301", f"expected a cost, found {found}", item.amount)
                item.note = ("cost",)
                continue
            self.check(item.amount, scope, ty.INT)
            self._thing(item, scope)

    def _half_an_item(self, item: t.Item) -> None:
        """Report a number without a counter, or a counter without a number."""
        if sort_of(item.amount) == "counter":
            name = t.note_of(item.amount)[1]
            self.problem("P0301", f"how much of {name!r}?", item.amount, f"write a number before it, as in '1 {name}'")
        else:
            self.problem("P0301", "a number of what?", item.amount, "name a counter after the number")

    def _thing(self, item: t.Item, scope: Scope) -> None:
        name = item.thing or ""
        self.used.add(name)
        if item.mix:
            item.note = ("mix", name)
            if name not in self.model.groups:
                self._unknown_thing(item, "group", self.model.groups)
        elif name in scope.variables:
            item.note = ("variable", name)
            if not isinstance(scope.variables[name], ty.Group) and scope.variables[name] != ty.ANY:
                self.thing_problem("P0301", f"expected a counter, {name!r} is {scope.variables[name]}", item)
        elif name in self.model.counters:
            dims = self.model.counters[name].dims
            implied = bool(dims) and dims[0] == "player" and len(item.arguments) == len(dims) - 1
            self.indices(dims, item.arguments, item, scope, name)  # type: ignore[arg-type]
            item.note = ("counter", name, implied)
        else:
            known = [*self.model.counters, *(v for v, k in scope.variables.items() if isinstance(k, ty.Group))]
            if name in self.model.groups:
                help_ = f"write 'any {name}' for any mix of them"
                self.thing_problem("P0202", f"{name!r} is a group of counters", item, help_)
            elif self.model.names.get(name, (UNKNOWN,))[0] != UNKNOWN:
                where = (self.model.spans[name], "declared here")
                words = f"{name!r} is {ty.article(self.model.names[name][0])}, not a counter"
                self.thing_problem("P0202", words, item, "", where)
            elif name not in self.model.names:
                self._unknown_thing(item, "counter", known)

    def thing_problem(self, code: str, message: str, item: t.Item, help_: str = "", *also: tuple[Span, str]) -> None:
        """Report what a part of a cost or gain names."""
        name = item.thing or ""
        offset = item.at.text.value.find(name, item.amount.at.end)
        span = item.at.text.place(offset, len(name)) if offset >= 0 else item.span
        self.model.problems.append(Problem(code, message, span, help_, also))

    def _unknown_thing(self, item: t.Item, what: str, known: Iterable[str]) -> None:
        name = item.thing or ""
        gone = self.model.composition.gone.get(name)
        near = nearest(name, sorted(known)) if gone is None else None
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else gone or ()
        help_ = f"did you mean {near!r}?" if near else ""
        self.thing_problem("P0201", f"unknown {what} {name!r}", item, help_, *also)

    def _gain(self, effect: t.Gain, scope: Scope) -> None:
        self.items(effect.items, scope)
        self._never_negative(effect.items, "gain" if effect.less else "lose")
        if effect.who is not None:
            self.check(effect.who, scope, PLAYER)
        if effect.less and any(i.mix or i.thing is None for i in effect.items):
            self.problem("P0301", "'lose' takes numbers of counters", effect, "use 'pay' where the player has a choice")

    def _pay(self, effect: t.Pay, scope: Scope) -> None:
        self.items(effect.items, scope)
        self._never_negative(effect.items, "gain")

    def _never_negative(self, items: list[t.Item], instead: str) -> None:
        """Report amounts that are written with a sign."""
        for item in items:
            if isinstance(item.amount, t.Negative):
                self.problem("P0301", "an amount is never negative", item.amount, f"use {instead!r} instead")

    def _setto(self, effect: t.SetTo, scope: Scope) -> None:
        target = effect.target
        if self._fixed(target, scope):
            self._unsettable(target)
            self.check(effect.value, scope)
            return
        found = target.type = self._infer(target, scope, None)  # not what a test has shown: that is about to end
        note = target.note
        wanted: ty.AnyType | None = found
        if isinstance(target, t.Name) and target.id in scope.variables:
            if target.id in ("me", "it"):
                self.problem("P0306", f"{target.id!r} cannot be set", target)
            self._set_variable(target.id, effect.value, scope)
            return
        if not note or note[0] not in ("counter", "field"):
            if found != ty.ANY:
                self._unsettable(target)
            wanted = None
        self.check(effect.value, scope, wanted, self._said_of(target))
        wrong = beyond(self.model, target, effect.value)
        if wrong is not None:
            self.model.problems.append(wrong)

    def _unsettable(self, target: t.Expr) -> None:
        """Report the target of an assignment that never changes."""
        help_ = "only counters, fields and variables change"
        note = t.note_of(target)
        if note[0] == "fact" and isinstance(target, t.Attribute):
            fact = self.model.kinds[note[1]].facts[note[2]]
            words = f"{target.name!r} is a fact, which never changes"
            self.problem("P0306", words, target, "declare it under `fields` of the kind", (fact.span, "declared here"))
        elif isinstance(target, t.Name | t.Call) and target.id in self.model.spans:
            words = f"{target.id!r} is {ty.article(self.model.names[target.id][0])}, which cannot be set"
            self.problem("P0306", words, target, help_, (self.model.spans[target.id], "declared here"))
        else:
            self.problem("P0306", "this cannot be set", target, help_)

    def _set_variable(self, name: str, value: t.Expr, scope: Scope) -> None:
        """Type the assignment to a variable; it keeps the type that it was named with."""
        declared = scope.declared.get(name, scope.variables[name])
        found = self.check(value, scope)
        empty = isinstance(found, ty.Maybe) or found == ty.NONE
        if empty and not isinstance(declared, ty.Maybe) and declared != ty.ANY:
            self.problem(
                "P0303",
                f"this may be none, and {name!r} is {declared}",
                value,
                "test it first, with 'if' or 'stop unless'",
            )
        elif ty.join(ty.strip(found), ty.strip(declared)) is None:
            self.problem("P0301", f"{name!r} is {declared}, this is {found}", value)
        elif empty:
            scope.widen(name)
        elif isinstance(declared, ty.Maybe) and found != ty.ANY:
            scope.variables[name] = declared.of

    def _said_of(self, target: t.Expr) -> tuple[tuple[Span, str], ...]:
        """Give the place that declares what is set."""
        note = t.note_of(target)
        if note[0] == "counter":
            return ((self.model.spans[note[1]], f"{note[1]!r} is declared here"),)
        if note[0] == "field":
            return ((self.model.kinds[note[1]].fields[note[2]].span, f"{note[2]!r} is declared here"),)
        return ()

    def _fixed(self, target: t.Expr, scope: Scope) -> bool:
        """Tell whether a target names something that is computed or declared once."""
        if not isinstance(target, t.Name | t.Call) or target.id in scope.variables:
            return False
        return self.model.names.get(target.id, ("", ""))[0] in (
            "function",
            "rule",
            "constant",
            "kind",
            "option",
            "group",
        )

    # -- pieces

    def place(self, expr: t.Expr, scope: Scope, sorts: tuple[str, ...] = ("pile", "area", "spot", "row")) -> str | None:
        """Type an expression that names a place; return the kind of its pieces."""
        if isinstance(expr, t.Name) and expr.id == "box":
            expr.note = ("box",)
            expr.type = ty.ANY
            return None
        if isinstance(expr, t.Name | t.Call) and self._nothing_known(expr.id, scope):
            for argument in expr.arguments if isinstance(expr, t.Call) else ():
                self.check(argument, scope)
            expr.type = self.unknown("place", expr.id, expr, self.model.places)
            return None
        self.check(expr, scope)
        note = expr.note
        if not note or note[0] != "place":
            if expr.type != ty.ANY:
                self.problem("P0307", "expected a place", expr)
            return None
        if note[3] not in sorts:
            where = (self.model.spans[note[1]], "declared here")
            words = f"{note[1]!r} is {ty.article(note[3])}; expected {' or '.join(sorts)}"
            self.problem("P0307", words, expr, "", where)
        of = self.model.places[note[1]].of
        return None if of == UNKNOWN else of

    def _nothing_known(self, name: str, scope: Scope) -> bool:
        known = (scope.variables, self.model.names, self.model.kinds, self.model.functions, BUILTINS, QUANTIFIERS)
        copy = name.rpartition("_")[2].isdigit()
        return not copy and not any(name in names for names in known)

    def _same_kind(self, expr: t.Expr, found: ty.AnyType, place: t.Expr, kind: str | None) -> None:
        if kind is not None and found != ty.ANY and found != ty.Ref(kind):
            name = place.note[1]
            where = (self.model.spans[name], "declared here")
            self.problem("P0307", f"{name!r} holds pieces of kind {kind!r}, this is {found}", expr, "", where)

    def piece(self, expr: t.Expr, scope: Scope) -> ty.AnyType:
        """Type an expression that is a piece."""
        found = self.check(expr, scope)
        if isinstance(found, ty.Maybe):
            return self.problem("P0303", "this may be none", expr, "test it first, with 'if' or 'stop unless'")
        if found != ty.ANY and not (isinstance(found, ty.Ref) and self.model.kinds[found.kind].placed):
            return self.problem("P0307", f"expected a piece, found {found}", expr)
        return found

    def _move(self, effect: t.Move, scope: Scope) -> None:
        found = self.piece(effect.what, scope)
        kind = self.place(effect.to, scope, ("pile", "area", "spot"))
        self._same_kind(effect.what, found, effect.to, kind)

    def _swap(self, effect: t.Swap, scope: Scope) -> None:
        first, second = self.piece(effect.first, scope), self.piece(effect.second, scope)
        if first != second and ty.ANY not in (first, second):
            self.problem("P0307", f"{first} cannot change places with {second}", effect.second)

    def _shuffle(self, effect: t.Shuffle, scope: Scope) -> None:
        self.place(effect.place, scope, ("pile", "area"))

    def _draw(self, effect: t.Draw, scope: Scope) -> None:
        self.check(effect.amount, scope, ty.INT)
        source = self.place(effect.source, scope, ("pile", "area"))
        to = self.place(effect.to, scope, ("pile", "area"))
        if source and to and source != to:
            self._unlike(effect.source, source, effect.to, to)

    def _refill(self, effect: t.Refill, scope: Scope) -> None:
        if self._turned_round(effect, scope):
            return
        row = self.place(effect.row, scope, ("row",))
        source = self.place(effect.source, scope, ("pile", "area"))
        if row and source and row != source:
            self._unlike(effect.source, source, effect.row, row)

    def _turned_round(self, effect: t.Refill, scope: Scope) -> bool:
        """Report the two places of a ``refill`` when each stands where the other belongs."""
        sorts = []
        for expr in (effect.row, effect.source):
            name = expr.id if isinstance(expr, t.Name | t.Call) and expr.id not in scope.variables else ""
            sorts.append(self.model.places[name].type if name in self.model.places else "")
        if sorts[0] not in ("pile", "area") or sorts[1] != "row":
            return False
        self.check(effect.row, scope)
        self.check(effect.source, scope)
        help_ = f"write refill {spell(effect.source)} from {spell(effect.row)}"
        self.problem("P0307", "a row is refilled from a pile, not a pile from a row", effect.row, help_)
        return True

    def _unlike(self, source: t.Expr, held: str, to: t.Expr, wanted: str) -> None:
        """Report two places that hold pieces of different kinds."""
        message = f"{to.note[1]!r} holds pieces of kind {wanted!r}, those of {source.note[1]!r} are of kind {held!r}"
        self.problem("P0307", message, to, "", (self.model.spans[to.note[1]], "declared here"))

    def _slide(self, effect: t.Slide, scope: Scope) -> None:
        self.place(effect.row, scope, ("row",))
