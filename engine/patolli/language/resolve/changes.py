"""Resolve the effects that change counters, fields, variables, and where pieces are.

Errors: P0201 and P0202 something that is no counter; P0301 amounts that do not fit; P0306 an assignment to something
        that cannot change; P0307 a place or piece of the wrong sort.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.dispatch import Dispatched, handles
from patolli.language.program.model import find_hidden_kinds
from patolli.language.resolve import habits
from patolli.language.resolve.addresses import place_of
from patolli.language.resolve.beginnings import Beginnings
from patolli.language.resolve.bounds import beyond
from patolli.language.resolve.entries import comes_later
from patolli.language.resolve.expressions import PLAYER, Expressions, Scope
from patolli.language.resolve.model import UNKNOWN
from patolli.language.resolve.names import Why
from patolli.language.syntax import tree as t
from patolli.language.syntax.inline_printer import spell
from patolli.language.syntax.words import QUANTIFIERS

ALL_SORTS = ("pile", "area", "spot", "row", "box")
FEW = 8
"""Names that a help line lists if none of them is near."""


def later(item: t.Item) -> bool:
    """Return whether the nouns of counters may be written."""
    return item.at.text.language > 1


class Changes(Expressions, Dispatched):
    """The part of the pass that resolves the effects that change the state at once."""

    beginnings: Beginnings

    # -- counters

    def items(
        self, items: list[t.Item], scope: Scope, who: x.Expr | None = None, verb: str = "pay"
    ) -> tuple[e.Item, ...]:
        """Resolve the parts of a cost or gain; they are of *who*, or of me."""
        return tuple(self._item(item, scope, who, verb) for item in items)

    def _item(self, item: t.Item, scope: Scope, who: x.Expr | None, verb: str) -> e.Item:
        mine = who if who is not None else self.me(scope, item.span)
        if item.thing is not None:
            everything = habits.all_of(item, verb, who is not None)
            if isinstance(item.amount, t.Name) and everything and not self._is_known(item.amount.id, scope):
                amount: x.Expr = self.problem("P0201", f"unknown name {item.amount.id!r}", item.amount, everything)
            else:
                amount = self.check(item.amount, scope, ty.INT)
            return self._thing(item, amount, scope, mine)
        cost = self.check(item.amount, scope)
        if cost.type == ty.INT:
            self._half_an_item(item, cost)
        elif not ty.fits(ty.strip(cost.type), ty.COST):
            self.problem("P0301", f"expected a cost, found {cost.type}", item.amount)
        return e.CostItem(cost, self.members(ty.ANY), mine, span=item.span)

    def _half_an_item(self, item: t.Item, amount: x.Expr) -> None:
        """Report a number without a counter, or a counter without a number."""
        asked = isinstance(item.amount, t.Call) and item.amount.id == "have"
        if isinstance(amount, x.CounterAt) and not asked:
            name = amount.counter
            self.problem("P0301", f"how much of {name!r}?", item.amount, f"write a number before it, as in '1 {name}'")
        else:
            self.problem("P0301", "a number of what?", item.amount, "name a counter after the number")

    def _thing(self, item: t.Item, amount: x.Expr, scope: Scope, who: x.Expr) -> e.Item:
        name, span = self._by_noun(item, scope), item.span
        self.used.add(name)
        if item.mix:
            return self._mix(item, name, amount, who)
        if name in scope.variables:
            self.uses.item(item, "variable")
            type_ = scope.types[name]
            if not isinstance(type_, ty.Group) and type_ != ty.ANY:
                self.thing_problem("P0301", f"expected a counter, {name!r} is {type_}", item)
            member = x.Local(scope.variables[name], type=type_, span=span)
            return e.MemberItem(member, self.members(type_), who, amount, span=span)
        if name in self.model.counters:
            dims = self.model.counters[name].dims
            self.uses.item(item, "counter", name)
            indices = self.indices(dims, item.arguments, item, scope, name, who)
            return e.CounterItem(name, indices, amount, span=span)
        self._no_thing(item, name, scope)
        return e.CostItem(self.nothing(item, amount), (), who, span=span)

    def _by_noun(self, item: t.Item, scope: Scope) -> str:
        """Return what a part of a cost or gain names: since language 2, a noun of a counter is as good as its id."""
        name = item.thing or ""
        if not later(item) or item.mix or name in scope.variables or name in self.model.names:
            return name
        meant = self.model.nouns.get(name, [])
        if len(meant) > 1:
            also = [(self.model.spans[id_], "it is the noun of this one") for id_ in meant]
            self.thing_problem("P0202", f"{name!r} may be {' or '.join(meant)}", item, "write the id of one", *also)
        return meant[0] if meant else name

    def _mix(self, item: t.Item, name: str, amount: x.Expr, who: x.Expr) -> e.Item:
        """Resolve so much of any mix of a group."""
        self.uses.item(item, "group")
        if name not in self.model.groups:
            self._unknown_thing(item, "group", self.model.groups)
        return e.MixItem(name, self.model.groups.get(name, ()), who, amount, span=item.span)

    def _no_thing(self, item: t.Item, name: str, scope: Scope) -> None:
        """Report what is no counter."""
        known = [*self.model.counters, *(v for v, k in scope.types.items() if isinstance(k, ty.Group))]
        known += [noun for noun in self.model.nouns if noun not in self.model.names] if later(item) else ()
        if name in self.model.groups:
            help_ = f"write 'any {name}' for any mix of them"
            self.thing_problem("P0202", f"{name!r} is a group of counters", item, help_)
        elif self.model.names.get(name, (UNKNOWN,))[0] != UNKNOWN:
            where = (self.model.spans[name], "declared here")
            words = f"{name!r} is {ty.article(self.model.names[name][0])}, not a counter"
            near = nearest(name, sorted(known))
            help_ = f"did you mean {near!r}?" if near else ""
            self.thing_problem("P0202", words, item, help_, where, meant=near)
        elif name not in self.model.names:
            self._unknown_thing(item, "counter", known)

    def thing_problem(
        self, code: str, message: str, item: t.Item, help_: str = "", *also: tuple[Span, str], meant: str | None = None
    ) -> None:
        """Report what a part of a cost or gain names, and what is *meant* by it."""
        name = item.thing or ""
        offset = item.at.text.value.find(name, item.amount.at.end)
        span = item.at.text.place(offset, len(name)) if offset >= 0 else item.span
        fixes = instead(span, meant) if offset >= 0 else ()
        missing = name if code == "P0201" else ""
        self.model.problems.append(Problem(code, message, span, help_, also, fixes=fixes, missing=missing))

    def _unknown_thing(self, item: t.Item, what: str, known: Iterable[str]) -> None:
        name = item.thing or ""
        gone = self.model.composition.removed_ids.get(name)
        names = sorted(known)
        near = nearest(name, names) if gone is None else None
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else gone or ()
        kind = next((kind.name for kind in self.model.kinds.values() if name in kind.facts), None)
        help_ = f"did you mean {near!r}?" if near else f"it is a fact, not a counter: {kind}.{name}" if kind else ""
        if not help_ and not gone and 0 < len(names) <= FEW:
            help_ = f"known here: {', '.join(names)}"
        self.thing_problem("P0201", f"unknown {what} {name!r}", item, help_, *also, meant=near)

    @handles("effect", t.Gain)
    def _gain(self, effect: t.Gain, scope: Scope) -> e.Gain:
        who = self._for_whom(effect, scope)
        items = self.items(effect.items, scope, who, "lose" if effect.less else "gain")
        if effect.who is not None and items and not any(map(_of_whom, effect.items, items)):
            self._report_needless_player(effect.who, items[0])
        self._never_negative(effect.items, "gain" if effect.less else "lose")
        if effect.less and any(i.mix or i.thing is None for i in effect.items):
            self.problem("P0301", "'lose' takes numbers of counters", effect, "use 'pay' where the player has a choice")
        for written, item in zip(effect.items, items, strict=True) if not effect.less else ():
            if isinstance(item, e.CostItem) and ty.strip(item.cost.type) == ty.COST:
                help_ = "name what is gained, as in 'gain 1 coin'"
                self.problem("P0301", "a cost can be paid, but not gained", written.amount, help_)
        return e.Gain(items, effect.less, who or self.me(scope, effect.span), span=effect.head)

    def _for_whom(self, effect: t.Gain, scope: Scope) -> x.Expr | None:
        """Resolve who gains or loses, which is one player."""
        if effect.who is None:
            return None
        name = effect.who.id if isinstance(effect.who, t.Name) else ""
        several = habits.for_each(effect.who, "lose" if effect.less else "gain", effect.items)
        if name in habits.SEVERAL and not self._is_known(name, scope):
            return self.problem("P0201", f"unknown name {name!r}", effect.who, several)
        found = self.infer(effect.who, scope, PLAYER)
        if found.type == ty.Seq(PLAYER) and several:
            message = f"expected {PLAYER}, found {found.type}"
            return self.problem("P0301", message, effect.who, several, parts=(found,))
        return self.fit(effect.who, found, PLAYER)

    def _is_known(self, name: str, scope: Scope) -> bool:
        return name in scope.variables or name in self.model.names

    def _report_needless_player(self, who: t.Expr, item: e.Item) -> None:
        """Report a player for whom nothing is gained or lost."""
        name = item.counter if isinstance(item, e.CounterItem) else ""
        spans, counter = self.model.spans, self.model.counters.get(name)
        if counter is not None:
            mine = counter.dims[:1] == ("player",)
            words = f"{name!r} has its player in brackets already" if mine else f"{name!r} belongs to no player"
            help_ = "leave 'for ..' out" if mine else "leave 'for ..' out, or declare the counter with 'per: player'"
            self.problem("P0302", words, who, help_, (spans[name], "declared here"))

    @handles("effect", t.Pay)
    def _pay(self, effect: t.Pay, scope: Scope) -> e.Pay:
        items = self.items(effect.items, scope)
        self._never_negative(effect.items, "gain")
        self.uses.tag(effect)
        tag = self.model.paid.get(place_of(effect), effect.tag)
        return e.Pay(items, tag, self.me(scope, effect.span), self._paid_for(effect, tag, scope), span=effect.head)

    def _paid_for(self, effect: t.Pay, tag: str | None, scope: Scope) -> x.Expr | None:
        """Resolve what something is paid for, and note its type for the conditions of discounts and the like."""
        if effect.of is not None:
            comes_later(self.model, "'for' in a payment", effect.of.span, 3)
        of = self.check(effect.of, scope) if effect.of is not None else None
        type_ = of.type if of is not None else None
        if of is not None and effect.of is not None and type_ == PLAYER:
            self.problem("P0301", "a payment is for a piece, not for a player", effect.of, "write 'as p: pay ..'")
            type_ = ty.ANY
        elif of is not None and effect.of is not None and not isinstance(type_, ty.Ref) and type_ != ty.ANY:
            self.problem("P0301", f"expected a piece that is paid for, found {type_}", effect.of, parts=(of,))
            type_ = ty.ANY
        if tag is not None:
            self.model.paid_for.setdefault(tag, []).append((type_, effect.head))
        return of

    def _never_negative(self, items: list[t.Item], instead: str) -> None:
        """Report amounts that are written with a sign."""
        for item in items:
            if isinstance(item.amount, t.Negative):
                self.problem("P0301", "an amount is never negative", item.amount, f"use {instead!r} instead")

    # -- assignments

    @abstractmethod
    def _resolve_rule_call(self, value: t.Expr, scope: Scope) -> e.CallRule | None:
        """Resolve a value that a rule returns; None for other ones."""

    @handles("effect", t.SetTo)
    def _set_to(self, effect: t.SetTo, scope: Scope) -> tuple[e.Effect, ...]:
        """Resolve an assignment; where a rule returns the value, it is carried out first."""
        found, call = effect.target, self._resolve_rule_call(effect.value, scope)
        made = e.Set(*self._resolve_assignment(found, effect.value, call, scope), span=effect.head)
        return (made,) if call is None else (call, made)

    def _resolve_assignment(
        self, found: t.Expr, value: t.Expr, call: e.CallRule | None, scope: Scope
    ) -> tuple[x.Expr, x.Expr]:
        """Resolve the target and the value of an assignment."""
        if self._is_read_only(found, scope):
            self._unsettable(found, None)
            return self.nothing(found), self._worth(value, call, scope)
        # Not `infer`: what a test has shown of the target is about to end.
        target = self.record_resolution(found, self._infer(found, scope, None))
        if isinstance(target, x.Local):
            if target.variable.name in ("me", "it"):
                self.problem("P0306", f"{target.variable.name!r} cannot be set", found)
            return target, self._set_variable(target.variable, self._worth(value, call, scope), value, scope)
        if isinstance(target, x.FactOf) and self.model.kinds[target.kind].is_record:
            return self._set_in_record(found, target, value, call, scope)
        if not isinstance(target, x.CounterAt | x.FieldOf):
            if target.type != ty.ANY:
                self._unsettable(found, target)
            return self.nothing(found, target), self._worth(value, call, scope)
        worth = self._worth(value, call, scope, target.type, self._said_of(target))
        wrong = beyond(self.model, target, worth)
        if wrong is not None:
            self.model.problems.append(wrong)
        return target, worth

    def _set_in_record(
        self, found: t.Expr, target: x.FactOf, value: t.Expr, call: e.CallRule | None, scope: Scope
    ) -> tuple[x.Expr, x.Expr]:
        """Resolve ``set b.face to 3``: what holds the record gets another one, with the other values of that."""
        part: x.Expr = target
        said = self.model.kinds[target.kind].facts[target.fact].span
        worth = self._worth(value, call, scope, target.type, ((said, f"{target.fact!r} is declared here"),))
        while isinstance(part, x.FactOf) and self.model.kinds[part.kind].is_record:
            kind, fact, of = part.kind, part.fact, part.of
            facts = self.model.kinds[kind].facts
            if fact in self.model.bounds_of(kind):
                worth = x.Ranged(worth, *self.model.bounds_of(kind)[fact], fact, type=ty.INT, span=worth.span)
            values = (
                worth if one == fact else x.FactOf(kind, one, of, type=facts[one].type, span=part.span) for one in facts
            )
            worth = x.RecordOf(kind, tuple(facts), tuple(values), type=of.type, span=worth.span)
            part = of
        if isinstance(part, x.Local | x.FieldOf):
            return part, worth
        self._unsettable(found, part)
        return self.nothing(found, part), worth

    def _worth(
        self, value: t.Expr, call: e.CallRule | None, scope: Scope, wanted: ty.AnyType | None = None, why: Why = ()
    ) -> x.Expr:
        """Resolve a value, or read what a rule returned; with *wanted* it must fit that type."""
        if call is None or call.into is None:
            return self.check(value, scope, wanted, why)
        found = x.Local(call.into, type=call.into.type, span=value.span)
        if wanted is None or ty.fits(found.type, wanted):
            return found
        if isinstance(found.type, ty.Maybe) and ty.fits(found.type.of, wanted):
            help_ = "name it with 'let', and test it first"
            return self.problem("P0303", f"this may be none, where {wanted} is needed", value, help_, *why)
        return self.problem("P0301", f"expected {wanted}, found {found.type}", value, "", *why)

    def _unsettable(self, target: t.Expr, found: x.Expr | None) -> None:
        """Report the target of an assignment that never changes."""
        help_ = "only counters, fields and variables change"
        if isinstance(found, x.FactOf):
            fact = self.model.kinds[found.kind].facts[found.fact]
            words = f"{found.fact!r} is a fact, which never changes"
            self.problem("P0306", words, target, "declare it under `fields` of the kind", (fact.span, "declared here"))
        elif isinstance(found, x.FunctionCall) and isinstance(target, t.Attribute) and "." in found.function:
            words = f"{target.name!r} is a formula, which is evaluated when it is read"
            self.problem("P0306", words, target, "change what it reads, such as a field of the piece")
        elif isinstance(target, t.Name | t.Call) and target.id in self.model.spans:
            words = f"{target.id!r} is {ty.article(self.model.names[target.id][0])}, which cannot be set"
            self.problem("P0306", words, target, help_, (self.model.spans[target.id], "declared here"))
        else:
            self.problem("P0306", "this cannot be set", target, help_)

    def _set_variable(self, variable: x.Variable, value: x.Expr, expr: t.Expr, scope: Scope) -> x.Expr:
        """Look at the value that a variable is set to; it keeps the type that it was named with."""
        declared, name = variable.type, variable.name
        self.beginnings.set(variable, value)
        empty = isinstance(value.type, ty.Maybe) or value.type == ty.NONE
        if empty and not isinstance(declared, ty.Maybe) and declared != ty.ANY:
            return self.problem(
                "P0303", f"this may be none, and {name!r} is {declared}", expr, self.test_first(value), parts=(value,)
            )
        if ty.join(ty.strip(value.type), ty.strip(declared)) is None:
            return self.problem("P0301", f"{name!r} is {declared}, this is {value.type}", expr, parts=(value,))
        if empty:
            scope.widen(name)
        elif isinstance(declared, ty.Maybe) and value.type != ty.ANY:
            scope.narrow(variable)
        return value

    def _said_of(self, target: x.CounterAt | x.FieldOf) -> tuple[tuple[Span, str], ...]:
        """Give the place that declares what is set."""
        if isinstance(target, x.CounterAt):
            return ((self.model.spans[target.counter], f"{target.counter!r} is declared here"),)
        return ((self.model.kinds[target.kind].fields[target.field].span, f"{target.field!r} is declared here"),)

    def _is_read_only(self, target: t.Expr, scope: Scope) -> bool:
        """Return whether a target names something that is computed or declared once."""
        if not isinstance(target, t.Name | t.Call) or target.id in scope.variables:
            return False
        fixed = ("function", "rule", "constant", "kind", "option", "group")
        return self.model.names.get(target.id, ("", ""))[0] in fixed

    # -- pieces

    def place(self, expr: t.Expr, scope: Scope, sorts: tuple[str, ...] = ALL_SORTS, for_spot: str = "") -> e.PlaceAt:
        """Resolve an expression that names a place, or give one of no kind; ``for_spot`` is the help for a spot."""
        if isinstance(expr, t.Name) and expr.id == "box":
            self.uses.word(expr)
            if "box" not in sorts:
                words = f"the box has no order; expected {' or '.join(sorts)}"
                self.problem("P0307", words, expr, "the only effect for the box is 'move x to box'")
            return e.PlaceAt("", "", "box", (), span=expr.span)
        if isinstance(expr, t.Name | t.Call) and self._nothing_known(expr.id, scope):
            self.many(expr.arguments if isinstance(expr, t.Call) else [], scope)
            self.unknown("place", expr.id, expr, self.model.places)
            return _nowhere(expr)
        found = self.check(expr, scope)
        match found:
            case x.Held(place=name, kind=kind, indices=indices):
                sort = self.model.places[name].type
            case x.RowSpot(place=name, kind=kind, indices=indices, spot=spot):
                sort, indices = "spot", (*indices, spot)
            case _:
                if found.type != ty.ANY:
                    self.problem("P0307", "expected a place", expr)
                return _nowhere(expr)
        if sort not in sorts:
            where = (self.model.spans[name], "declared here")
            words = f"{name!r} is {ty.article(sort)}; expected {' or '.join(one for one in sorts if one != 'box')}"
            self.problem("P0307", words, expr, for_spot if sort == "spot" else "", where)
        return e.PlaceAt(name, "" if kind == UNKNOWN else kind, sort, indices, span=expr.span)

    def _nothing_known(self, name: str, scope: Scope) -> bool:
        known = (scope.variables, self.model.names, self.model.kinds, self.model.functions, BUILTINS, QUANTIFIERS)
        copy = name.rpartition("_")[2].isdigit()
        return not copy and not any(name in names for names in known)

    def _same_kind(self, expr: t.Expr, piece: x.Expr, place: e.PlaceAt) -> None:
        if place.kind and piece.type != ty.ANY and piece.type != ty.Ref(place.kind):
            where = (self.model.spans[place.place], "declared here")
            words = f"{place.place!r} contains pieces of kind {place.kind!r}, this is {piece.type}"
            self.problem("P0307", words, expr, "", where)

    def _some_piece(self, expr: t.Expr, found: ty.AnyType) -> str:
        """Say how to get at pieces from a list of them, or from what copies have in common."""
        if isinstance(found, ty.Seq) and isinstance(found.of, ty.Ref) and self.model.kinds[found.of.kind].placed:
            return f"go through the list, as in 'for x in {spell(expr)}: ..'"
        if isinstance(found, ty.Ref) and self.model.kinds[found.kind].designs_of:
            return f"{spell(expr)!r} is a design, not a copy; take a copy from a place, as in top(..)"
        return ""

    def piece(self, expr: t.Expr, scope: Scope) -> x.Expr:
        """Resolve an expression that is a piece."""
        found = self.check(expr, scope)
        if isinstance(found.type, ty.Maybe):
            return self.problem("P0303", "this may be none", expr, self.test_first(found), parts=(found,))
        if found.type != ty.ANY and not (isinstance(found.type, ty.Ref) and self.model.kinds[found.type.kind].placed):
            one = self.find_one(found, scope)
            help_ = f"{one!r} is one of them here" if one else self._some_piece(expr, found.type)
            words = f"expected a piece, found {found.type}"
            return self.problem("P0307", words, expr, help_, parts=(found,), meant=one or None)
        return found

    @handles("effect", t.Move)
    def _move(self, effect: t.Move, scope: Scope) -> e.Move:
        what = self.piece(effect.what, scope)
        to = self.place(effect.to, scope, ("pile", "area", "spot", "box"))
        self._same_kind(effect.what, what, to)
        return e.Move(what, _kind(what), to, effect.bottom, span=effect.head)

    @handles("effect", t.Swap)
    def _swap(self, effect: t.Swap, scope: Scope) -> e.Swap:
        first, second = self.piece(effect.first, scope), self.piece(effect.second, scope)
        if first.type != second.type and ty.ANY not in (first.type, second.type):
            self.problem("P0307", f"{first.type} cannot change places with {second.type}", effect.second)
        return e.Swap(first, second, _kind(first), span=effect.head)

    @handles("effect", t.Shuffle)
    def _shuffle(self, effect: t.Shuffle, scope: Scope) -> e.Shuffle:
        place = self.place(effect.place, scope, ("pile", "area"))
        return e.Shuffle(place, place.kind, span=effect.head)

    @handles("effect", t.Reveal)
    def _reveal(self, effect: t.Reveal, scope: Scope) -> e.Reveal:
        what, who = self.piece(effect.what, scope), self.check(effect.to, scope)
        if isinstance(what.type, ty.Ref) and what.type.kind not in find_hidden_kinds(self.model.places.values()):
            help_ = "leave it out, or say with 'visible:' who sees what lies in its places"
            self.problem("P0307", f"everybody sees where each {what.type.kind!r} lies", effect.what, help_)
        if who.type not in (PLAYER, ty.Seq(PLAYER), ty.ANY):
            message = f"expected a player or a list of players, found {who.type}"
            self.problem("P0301", message, effect.to, parts=(who,))
        return e.Reveal(what, _kind(what), who, span=effect.head)

    @handles("effect", t.Draw)
    def _draw(self, effect: t.Draw, scope: Scope) -> e.Draw:
        amount = self.check(effect.amount, scope, ty.INT)
        source = self.place(effect.source, scope, ("pile", "area"))
        one, spot = f"let x = top({spell(effect.source)})", spell(effect.to)
        help_ = f"a spot has room for one piece: write '{one}' and then 'if x: move x to {spot}'"
        to = self.place(effect.to, scope, ("pile", "area"), help_)
        self._alike(source, effect.to, to)
        return e.Draw(amount, source, to, source.kind, span=effect.head)

    @handles("effect", t.Refill)
    def _refill(self, effect: t.Refill, scope: Scope) -> e.Refill:
        if self._turned_round(effect, scope):
            return e.Refill(_nowhere(effect.row), _nowhere(effect.source), "", span=effect.head)
        row = self.place(effect.row, scope, ("row",))
        source = self.place(effect.source, scope, ("pile", "area"))
        self._alike(source, effect.row, row)
        return e.Refill(row, source, source.kind, span=effect.head)

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
        right = f"refill {spell(effect.source)} from {spell(effect.row)}"
        message, fixes = "a row is refilled from a pile, not a pile from a row", instead(effect.span, right)
        self.model.problems.append(Problem("P0307", message, effect.row.span, f"write {right}", fixes=fixes))
        return True

    def _alike(self, source: e.PlaceAt, expr: t.Expr, to: e.PlaceAt) -> None:
        """Report two places that hold pieces of different kinds."""
        if source.kind and to.kind and source.kind != to.kind:
            held = f"those of {source.place!r} are of kind {source.kind!r}"
            message = f"{to.place!r} contains pieces of kind {to.kind!r}, {held}"
            self.problem("P0307", message, expr, "", (self.model.spans[to.place], "declared here"))

    @handles("effect", t.Slide)
    def _slide(self, effect: t.Slide, scope: Scope) -> e.Slide:
        row = self.place(effect.row, scope, ("row",))
        return e.Slide(row, row.kind, span=effect.head)


def _nowhere(expr: t.Expr) -> e.PlaceAt:
    """Return the place of what names none, which has been reported."""
    return e.PlaceAt(UNKNOWN, "", "area", (), span=expr.span)


def _kind(piece: x.Expr) -> str:
    """Return the kind of a piece."""
    inner = ty.strip(piece.type)
    return inner.kind if isinstance(inner, ty.Ref) else ""


def _of_whom(written: t.Item, item: e.Item) -> bool:
    """Return whether it makes a difference for a part of a gain for whom it is."""
    if not isinstance(item, e.CounterItem):
        return True
    return bool(item.indices) and len(written.arguments) < len(item.indices)
