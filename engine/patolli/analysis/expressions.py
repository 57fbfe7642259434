"""Give every expression a type, and every name in it a meaning.

In:     a model whose texts are parsed.
Out:    the same trees; ``type`` is set on each expression and ``note`` says what a name stands for.
Errors: P0201 an unknown name, P0202 a thing of another sort, P0301 a wrong type, P0302 a wrong number of arguments,
        P0303 a value that may be none, P0304 a change inside a computation.

What failed once has the type ``any`` and is silent after that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from patolli.analysis import types as ty
from patolli.analysis.builtins import BUILTINS
from patolli.analysis.declare import RESERVED
from patolli.analysis.model import Function, Model
from patolli.diagnostics import Problem, Span, nearest
from patolli.language import tree as t
from patolli.language.parser import QUANTIFIERS

PLAYER = ty.Ref("player")


@dataclass(slots=True)
class Scope:
    """The variables that are visible, and what has been tested.

    ``proven`` holds the conditions that hold here; they end with the first change of the state. ``declared`` keeps the
    types that variables were named with; those in ``variables`` may say more, because of a test.
    """

    variables: dict[str, ty.AnyType] = field(default_factory=dict)
    proven: list[t.Expr] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    declared: dict[str, ty.AnyType] = field(default_factory=dict)
    outer: Scope | None = None

    def child(self, **more: ty.AnyType) -> Scope:
        """Return a scope inside this one."""
        return Scope({**self.variables, **more}, list(self.proven), self.spans, self.declared, self)

    def widen(self, name: str) -> None:
        """Forget here and around what tests have shown of a variable."""
        scope: Scope | None = self
        while scope is not None and name in scope.variables:
            scope.variables[name] = self.declared.get(name, scope.variables[name])
            scope = scope.outer


class Expressions:
    """The type checker for expressions."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.used: set[str] = set()
        self.calls: set[str] = set()
        self.checking: list[str] = []

    # -- reporting

    def problem(self, code: str, message: str, at: t.Node, help_: str = "", *also: tuple[Span, str]) -> ty.AnyType:
        """Record a problem and return the type ``any``."""
        self.model.problems.append(Problem(code, message, at.span, help_, also))
        return ty.ANY

    def unknown(self, what: str, name: str, at: t.Node, known: Iterable[str]) -> ty.AnyType:
        """Report a name that nothing declares."""
        near = nearest(name, sorted(known))
        span = at.at.text.place(at.at.start, len(name)) if isinstance(at, t.Name | t.Call | t.CallRule) else at.span
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else ()
        help_ = f"did you mean {near!r}?" if near else ""
        self.model.problems.append(Problem("P0201", f"unknown {what} {name!r}", span, help_, also))
        return ty.ANY

    # -- the door

    def check(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None) -> ty.AnyType:
        """Type *expr*; with *wanted* it must fit that type."""
        found = self._infer(expr, scope, wanted)
        variable = isinstance(expr, t.Name) and expr.id in scope.variables  # its type in the scope says it already
        if isinstance(found, ty.Maybe) and not variable and self._there(expr, scope):
            found = found.of
        expr.type = found
        if wanted is not None and not fits_or_truth(found, wanted):
            if isinstance(found, ty.Maybe) and ty.fits(found.of, wanted):
                self.problem("P0303", f"this may be none, where {wanted} is needed", expr, "test it first, with 'if' or 'stop unless'")
            else:
                self.problem("P0301", f"expected {wanted}, found {found}", expr)
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
        return False

    def condition(self, expr: t.Expr, scope: Scope) -> None:
        """Type a condition: a truth value, or something that may be none or an empty list."""
        found = self.check(expr, scope)
        if not (found in (ty.BOOL, ty.ANY) or isinstance(found, ty.Maybe | ty.Seq)):
            self.problem("P0301", f"expected a condition, found {found}", expr, "compare it with something")

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
                self.check(expr.left, scope, ty.INT)
                self.check(expr.right, scope, ty.INT)
                return ty.INT
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

    # -- names

    def _name(self, expr: t.Name, scope: Scope, wanted: ty.AnyType | None) -> ty.AnyType:
        name = expr.id
        if name in scope.variables:
            expr.note = ("variable", name)
            return scope.variables[name]
        if name in ("seats", "players"):
            expr.note = (name,)
            return ty.INT if name == "seats" else ty.Seq(PLAYER)
        what, owner = self.model.names.get(name, ("", ""))
        if what:
            self.used.add(name)
        return self._declared(expr, name, what, owner, scope, wanted)

    def _declared(
        self, expr: t.Name, name: str, what: str, owner: str, scope: Scope, wanted: ty.AnyType | None
    ) -> ty.AnyType:
        model = self.model
        match what:
            case "member":
                expr.note = ("instance", owner, name)
                return ty.Ref(owner)
            case "piece":
                return self._piece(expr, name, owner, wanted)
            case "kind":
                expr.note = ("kind", name)
                return ty.Seq(ty.Ref(name))
            case "option":
                expr.note = ("option", name)
                return ty.Choice(name) if model.options[name].choices else ty.INT
            case "choice":
                expr.note = ("choice", name)
                return ty.Choice(self._choice_owner(name, wanted))
            case "constant":
                expr.note = ("constant", name)
                return model.constants[name].type if name in model.constants else ty.ANY
            case "counter":
                return self._counter(expr, name, [], scope, wanted)
            case "place":
                return self._place(expr, name, [], scope)
            case "group":
                expr.note = ("group", name)
                return ty.Seq(ty.Group(name))
            case "function":
                return self._function(expr, model.functions[name], [], scope)
            case "rule":
                return self.problem("P0304", f"{name!r} is a rule; a computation cannot carry it out", expr, "call it in an effect")
        if name in model.kinds:
            expr.note = ("kind", name)
            return ty.Seq(ty.Ref(name))
        stem = name.rpartition("_")
        if stem[0] == "player" and stem[2].isdigit() and 0 < int(stem[2]) <= model.players[1] + model.automated:
            expr.note = ("instance", "player", name)
            return PLAYER
        if stem[2].isdigit() and stem[0] in model.designs:
            expr.note = ("instance", model.designs[stem[0]].kind, name)
            self.used.add(stem[0])
            return ty.Ref(model.designs[stem[0]].kind)
        return self.unknown("name", name, expr, [*scope.variables, *model.names, *BUILTINS])

    def _choice_owner(self, name: str, wanted: ty.AnyType | None) -> str:
        if isinstance(wanted, ty.Choice) and name in self.model.options[wanted.option].choices:
            return wanted.option
        return self.model.names[name][1]

    def _piece(self, expr: t.Name, name: str, kind: str, wanted: ty.AnyType | None) -> ty.AnyType:
        design = self.model.designs[name]
        single = design.copies is None and not self.model.kinds[kind].per_player
        if isinstance(wanted, ty.Design) or not single:
            expr.note = ("design", kind, name)
            return ty.Design(kind)
        expr.note = ("instance", kind, name)
        return ty.Ref(kind)

    # -- things with indices

    def indices(self, dims: tuple[str, ...], arguments: list[t.Expr], expr: t.Expr, scope: Scope, name: str) -> bool:
        """Check the indices of a counter or place; a missing first player stands for me. Tell whether it does."""
        implied = len(arguments) == len(dims) - 1 and bool(dims) and dims[0] == "player"
        rest = dims[1:] if implied else dims
        if len(arguments) != len(rest):
            shape = f"{name}({', '.join(dims)})" if dims else name
            self.problem("P0302", f"{name!r} has {_number(len(dims), 'index', 'indices')}, found {len(arguments)}", expr, f"write {shape}")
            return implied
        for argument, kind in zip(arguments, rest, strict=True):
            self.check(argument, scope, ty.INT if kind == "#" else ty.Ref(kind))
        if implied and "me" not in scope.variables:
            self.problem("P0302", f"nobody is acting here, so {name!r} needs a player", expr, f"write {name}(p)")
        return implied

    def _counter(
        self, expr: t.Expr, name: str, arguments: list[t.Expr], scope: Scope, wanted: ty.AnyType | None
    ) -> ty.AnyType:
        counter = self.model.counters.get(name)
        if counter is None:
            return ty.ANY
        wish = ty.strip(wanted) if wanted is not None else None
        if isinstance(wish, ty.Group) and not arguments and name in self.model.groups.get(wish.name, ()):
            expr.note = ("member", name)
            return wish
        implied = self.indices(counter.dims, arguments, expr, scope, name)
        expr.note = ("counter", name, implied)
        return ty.INT

    def _place(self, expr: t.Expr, name: str, arguments: list[t.Expr], scope: Scope) -> ty.AnyType:
        place = self.model.places[name]
        of = ty.Ref(place.of)
        dims = place.dims
        if place.type == "row" and len(arguments) > len(dims) - (1 if dims and dims[0] == "player" else 0):
            implied = self.indices((*dims, "#"), arguments, expr, scope, name)
            expr.note = ("place", name, implied, "spot")
            return ty.Maybe(of)
        implied = self.indices(dims, arguments, expr, scope, name)
        expr.note = ("place", name, implied, place.type)
        return ty.Maybe(of) if place.type == "spot" else ty.Seq(of)

    def _attribute(self, expr: t.Attribute, scope: Scope) -> ty.AnyType:
        of = self.check(expr.of, scope)
        if of == ty.ANY:
            return ty.ANY
        if isinstance(of, ty.Maybe):
            return self.problem("P0303", f"this may be none, so it has no {expr.name!r}", expr.of, "test it first, with 'if', 'and' or 'stop unless'")
        if isinstance(of, ty.Ref) and of.kind == "player" and self._own_piece(expr):
            return ty.Ref(expr.note[1])
        if isinstance(of, ty.Ref) and of.kind == "player" and expr.name in self.model.counters:
            self.used.add(expr.name)
            expr.note = ("counter", expr.name)
            if self.model.counters[expr.name].dims != ("player",):
                return self.problem("P0302", f"{expr.name!r} is not a counter of a player alone", expr)
            return ty.INT
        if isinstance(of, ty.Ref):
            kind = self.model.kinds[of.kind]
            if expr.name == "design" and kind.designs:
                expr.note = ("design_of", kind.name)
                return ty.Design(kind.name)
            attribute = kind.facts.get(expr.name) or kind.fields.get(expr.name)
            if attribute is not None:
                self.used.add(f"{kind.name}.{expr.name}")
                expr.note = ("field" if attribute.mutable else "fact", kind.name, expr.name)
                return attribute.type
            known = [*kind.facts, *kind.fields]
        else:
            known = []
        near = nearest(expr.name, known)
        help_ = f"did you mean {near!r}?" if near else (f"it has: {', '.join(known)}" if known else "")
        span = expr.at.text.place(expr.at.end - len(expr.name), len(expr.name))
        also = ((self.model.kinds[of.kind].span, "the kind"),) if isinstance(of, ty.Ref) and of.kind != "player" else ()
        self.model.problems.append(Problem("P0201", f"{of} has no {expr.name!r}", span, help_, also))
        return ty.ANY

    def _own_piece(self, expr: t.Attribute) -> bool:
        """Recognise ``player_2.pawn_1``: one piece of a kind that every player has."""
        if isinstance(expr.of, t.Name):
            for kind in self.model.kinds.values():
                if kind.per_player and kind.members and expr.name in kind.members:
                    expr.note = ("instance", kind.name, f"{expr.of.id}.{expr.name}")
                    return True
        stem, _, number = expr.name.rpartition("_")
        design = self.model.designs.get(stem)
        if design is None or not number.isdigit() or not isinstance(expr.of, t.Name) or not self.model.kinds[design.kind].per_player:
            return False
        expr.note = ("instance", design.kind, f"{expr.of.id}.{expr.name}")
        return True

    def _index(self, expr: t.Index, scope: Scope) -> ty.AnyType:
        of = self.check(expr.of, scope)
        self.check(expr.index, scope, ty.INT)
        if isinstance(of, ty.Seq):
            return of.of
        return ty.ANY if of == ty.ANY else self.problem("P0301", f"only lists have items, this is {of}", expr.of)

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
            return self.problem("P0304", f"{shown!r} is a rule; a computation cannot carry it out", expr, "use it in an effect, or 'let x = rule(..)'")
        for argument in expr.arguments:
            self.check(argument, scope)
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
        if expr.id in ("any", "all"):
            return ty.BOOL
        if expr.id in ("first", "lowest", "highest"):
            return ty.Maybe(ty.strip(of.of))
        if expr.id in ("distinct", "sorted"):
            return of
        return ty.INT

    def arguments(self, name: str, parameters: list[tuple[str, ty.AnyType]], given: list[t.Expr], at: t.Node, scope: Scope) -> None:
        """Check the arguments of a function or rule."""
        if len(given) != len(parameters) and name not in self.model.broken:
            shape = f"{name.partition(chr(39))[0]}({', '.join(n for n, _ in parameters)})"
            number = _number(len(parameters), "argument", "arguments")
            self.problem("P0302", f"{name.partition(chr(39))[0]!r} takes {number}, found {len(given)}", at, f"write {shape}")
        for argument, (_, wanted) in zip(given, parameters, strict=False):
            self.check(argument, scope, wanted)
        for argument in given[len(parameters) :]:
            self.check(argument, scope)

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
            self.problem("P0305", f"{function.name!r} calls itself, so its type must be written", at, "add 'type: ...' to it", (function.span, "it is here"))
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

    def _builtin(self, expr: t.Call, scope: Scope) -> ty.AnyType:
        builtin = BUILTINS[expr.id]
        expr.note = ("builtin", expr.id)
        given = expr.arguments
        if expr.id in ("have", "owned") and len(given) == 2:
            self.check(given[0], scope, PLAYER)
            given = given[1:]
        if len(given) != len(builtin.parameters):
            shape = f"{expr.id}({', '.join(builtin.parameters)})"
            number = _number(len(builtin.parameters), "argument", "arguments")
            return self.problem("P0302", f"{expr.id!r} takes {number}, found {len(given)}", expr, f"write {shape}")
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
            found = self._source(expr, scope)
            own = t.note_of(expr)[0] == "kind" and self.model.kinds[expr.note[1]].per_player
            return found if own else self.problem("P0301", "expected the name of a kind that every player has", expr)
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

    # -- quantifiers, comparison, logic

    def bind(self, binders: list[t.Binder], scope: Scope, names: bool = True) -> Scope:
        """Type binders and return the scope with their variables."""
        inner = scope.child()
        for binder in binders:
            found = self._source(binder.source, inner)
            self.fresh(binder.id, inner, binder)
            if isinstance(found, ty.Seq):
                inner.variables[binder.id] = found.of
            else:
                if found != ty.ANY:
                    self.problem("P0301", f"expected a list to take {binder.id!r} from, found {found}", binder.source)
                inner.variables[binder.id] = ty.ANY
        return inner

    def _source(self, source: t.Expr, scope: Scope) -> ty.AnyType:
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
        if name in RESERVED:
            self.problem("P0203", f"{name!r} is a word of the language", at, "choose another name")
            return
        what = self.model.names.get(name, ("", ""))[0]
        if what and what != "kind":
            self.problem("P0203", f"the variable {name!r} hides a {what} of that name", at, "rename the variable", (self.model.spans[name], "declared here"))

    def _quantifier(self, expr: t.Quantifier, scope: Scope) -> ty.AnyType:
        inner = self.bind(expr.binders, scope)
        if not expr.binders:
            return ty.ANY
        if expr.where is not None:
            self.condition(expr.where, inner)
            inner = self.narrowed(inner, expr.where, True)
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
            right = self.check(right_expr, scope, None) if not _hint(left) else self._infer_hint(right_expr, scope, left)
            if op in ("==", "!="):
                left = self._reinterpret(left_expr, left, right, scope)
                if not self._comparable(left, right):
                    self.problem("P0301", f"{left} is compared with {right}", right_expr)
            else:
                for side, found in ((left_expr, left), (right_expr, right)):
                    if not ty.fits(found, ty.INT):
                        self.problem("P0301", f"expected a number, found {found}", side)
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
        right = self.check(right_expr, scope, ty.Seq(ty.strip(left)) if isinstance(right_expr, t.Listing) and left != ty.ANY else None)
        if right == ty.ANY or left == ty.ANY:
            return
        if not isinstance(right, ty.Seq):
            self.problem("P0301", f"expected a list, found {right}", right_expr)
        elif not (ty.fits(ty.strip(left), ty.strip(right.of)) or ty.fits(ty.strip(right.of), ty.strip(left))):
            self.problem("P0301", f"{left} is looked for in {right}", left_expr)

    def _logic(self, expr: t.Logic, scope: Scope, wanted: ty.AnyType | None) -> ty.AnyType:
        left = self.check(expr.left, scope)
        if expr.op == "or" and isinstance(left, ty.Maybe) and not isinstance(wanted, ty.Type):
            right = self.check(expr.right, self.narrowed(scope, expr.left, False))
            if ty.fits(right, left):
                expr.note = "default"
                return right if not isinstance(right, ty.Maybe) and right != ty.NONE else left
            if right == ty.BOOL:
                return ty.BOOL
            return self._joined(left, right, expr)
        for side, found in ((expr.left, left),):
            if not (found in (ty.BOOL, ty.ANY) or isinstance(found, ty.Maybe | ty.Seq)):
                self.problem("P0301", f"expected a condition, found {found}", side)
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
            if holds:
                scope.proven.append(condition)
            elif isinstance(condition, t.Compare) and len(condition.rest) == 1 and condition.rest[0][0] == "==":
                scope.proven.append(t.Compare(condition.first, [("!=", condition.rest[0][1])], at=condition.at))
            name = _tested(condition, holds)
            if name and isinstance(scope.variables.get(name), ty.Maybe):
                scope.variables[name] = ty.strip(scope.variables[name])


def _tested(condition: t.Expr, holds: bool) -> str | None:
    """Return the variable that cannot be none when *condition* holds (or fails)."""
    if holds and isinstance(condition, t.Name):
        return condition.id
    if isinstance(condition, t.Compare) and isinstance(condition.first, t.Name) and len(condition.rest) == 1:
        op, right = condition.rest[0]
        none = isinstance(right, t.Nobody)
        if none and ((op == "!=" and holds) or (op == "==" and not holds)):
            return condition.first.id
        sure = right.type is not None and not isinstance(right.type, ty.Maybe) and right.type != ty.NONE
        if not none and holds and sure and (op == "==" or (op == "in" and _solid(right.type))):
            return condition.first.id
    return None


def _solid(type_: ty.AnyType) -> bool:
    return isinstance(type_, ty.Seq) and not isinstance(type_.of, ty.Maybe)


def _hint(type_: ty.AnyType) -> bool:
    return isinstance(ty.strip(type_), ty.Group | ty.Design | ty.Choice)


def fits_or_truth(found: ty.AnyType, wanted: ty.AnyType) -> bool:
    """Fit, where something that may be none or empty also stands for a truth value."""
    return ty.fits(found, wanted) or (wanted == ty.BOOL and isinstance(found, ty.Maybe | ty.Seq))


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _words(wanted: str) -> str:
    return {"cell": "a cell of a grid", "cells": "a list of cells", "grid": "the name of a grid", "ref": "a piece or member"}.get(wanted, f"a {wanted}")


__all__ = ["Expressions", "Scope", "replace"]
