"""Find out what a name stands for: a variable, an instance, a counter, a place, a fact or field of something.

Out:    ``note`` of a name says what it is, for the compiler.
Errors: P0201 an unknown name, P0202 a thing of another sort, P0301 a wrong type, P0302 a wrong number of indices,
        P0303 a value that may be none, P0304 a rule inside a computation.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable

from patolli.analysis.model import UNKNOWN, Function, Model
from patolli.analysis.scopes import Scope
from patolli.diagnostics import Problem, Span, nearest
from patolli.kernel.geometry import placements
from patolli.language import tree as t
from patolli.language.slips import NAMES
from patolli.program import types as ty
from patolli.program.builtins import BUILTINS

PLAYER = ty.Ref("player")
Why = tuple[tuple[Span, str], ...]
"""Where it is said of what type something must be: places, with a few words for each."""


class Names(ABC):
    """Gives names their meaning; the other parts of the checker build on it."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.used: set[str] = set()
        self.calls: set[str] = set()
        self.checking: list[str] = []

    @abstractmethod
    def check(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None, why: Why = ()) -> ty.AnyType:
        """Type an expression; with *wanted* it must fit that type, and *why* shows where that is said."""

    @abstractmethod
    def _function(self, expr: t.Expr, function: Function, given: list[t.Expr], scope: Scope) -> ty.AnyType:
        """Type the call of a declared function."""

    # -- reporting

    def problem(self, code: str, message: str, at: t.Node, help_: str = "", *also: tuple[Span, str]) -> ty.AnyType:
        """Record a problem and return the type ``any``."""
        self.model.problems.append(Problem(code, message, at.span, help_, also))
        return ty.ANY

    def unknown(self, what: str, name: str, at: t.Node, known: Iterable[str]) -> ty.AnyType:
        """Report a name that nothing declares."""
        near = nearest(name, sorted(known))
        gone = self.model.composition.gone.get(name)
        if gone is not None:
            near = None
        span = at.at.text.place(at.at.start, len(name)) if isinstance(at, t.Name | t.Call | t.CallRule) else at.span
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else gone or ()
        help_ = f"did you mean {near!r}?" if near else ""
        if re.fullmatch(r"player_[0-9]+", name):
            low, high = self.model.players
            help_, also = f"there are {low} to {high} players: player_1 to player_{high}", ()
        stem, _, number = name.rpartition("_")
        if number.isdigit() and stem in self.model.designs and self._no_such_copy(name, stem, number):
            copies = self.model.designs[stem].copies
            help_ = f"its copies are {stem}_1 to {stem}_{copies.value}" if isinstance(copies, t.Number) else ""
            also = ((self.model.designs[stem].span, "the piece is declared here"),)
        if name in NAMES and not (near and near.removesuffix("s") == name.removesuffix("s")):
            help_, also = NAMES[name], ()
        self.model.problems.append(Problem("P0201", f"unknown {what} {name!r}", span, help_, also))
        return ty.ANY

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
        if what == UNKNOWN:
            return ty.ANY
        match what:
            case "?":
                return ty.ANY
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
                return self.problem(
                    "P0304", f"{name!r} is a rule; a computation cannot carry it out", expr, "call it in an effect"
                )
        if name in model.kinds:
            expr.note = ("kind", name)
            return ty.Seq(ty.Ref(name))
        stem = name.rpartition("_")
        if stem[0] == "player" and stem[2].isdigit() and 0 < int(stem[2]) <= model.players[1] + model.automated:
            expr.note = ("instance", "player", name)
            return PLAYER
        if stem[2].isdigit() and stem[0] in model.designs and not self._no_such_copy(name, *stem[::2]):
            expr.note = ("instance", model.designs[stem[0]].kind, name)
            self.used.add(stem[0])
            return ty.Ref(model.designs[stem[0]].kind)
        if stem[2].isdigit() and model.names.get(stem[0], ("",))[0] == UNKNOWN:
            return ty.ANY
        laid = self._laid(name, False)
        if laid:
            expr.note = ("instance", laid, name)
            return ty.Ref(laid)
        return self.unknown("name", name, expr, [*scope.variables, *model.names, *BUILTINS])

    def _no_such_copy(self, name: str, stem: str, number: str) -> bool:
        """Tell whether a piece has fewer copies than the one that is named; a number that is no constant is unknown."""
        copies = self.model.designs[stem].copies
        return isinstance(copies, t.Number) and not 1 <= int(number) <= copies.value and name not in self.model.names

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
        if UNKNOWN in dims:
            for argument in arguments:
                self.check(argument, scope)
            return implied
        if len(arguments) != len(rest):
            shape = f"{name}({', '.join(dims)})" if dims else name
            self.problem(
                "P0302",
                f"{name!r} has {number(len(dims), 'index', 'indices')}, found {len(arguments)}",
                expr,
                f"write {shape}",
                (self.model.spans[name], "declared here"),
            )
            return implied
        for argument, kind in zip(arguments, rest, strict=True):
            wanted = ty.INT if kind == "#" else ty.Ref(kind)
            self.check(argument, scope, wanted, ((self.model.spans[name], f"{name!r} is declared here"),))
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
        of = ty.Ref(place.of) if place.of != UNKNOWN else ty.ANY
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
            self.model.unclear.append(expr)
            return ty.ANY
        if isinstance(of, ty.Maybe):
            return self.problem(
                "P0303",
                f"this may be none, so it has no {expr.name!r}",
                expr.of,
                "test it first, with 'if', 'and' or 'stop unless'",
            )
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
            if expr.name == "design" and not kind.designs and self.model.composition.lost:
                return ty.ANY  # its pieces may be in a document that cannot be read
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
        if isinstance(expr.of, t.Name) and self._among(expr.name, expr.of, of):
            help_ = f"write {expr.name!r} alone; an id needs nothing before it"
        span = expr.at.text.place(expr.at.end - len(expr.name), len(expr.name))
        also = ((self.model.kinds[of.kind].span, "the kind"),) if isinstance(of, ty.Ref) and of.kind != "player" else ()
        self.model.problems.append(Problem("P0201", f"{of} has no {expr.name!r}", span, help_, also))
        return ty.ANY

    def _among(self, name: str, before: t.Expr, of: ty.AnyType) -> bool:
        """Tell whether an id belongs to the kind, option or group before its point, as in ``colour.red``."""
        note = t.note_of(before)
        if isinstance(of, ty.Ref) or note[0] == "kind":
            owner = of.kind if isinstance(of, ty.Ref) else note[1]
            names = (name, name.rstrip("0123456789").rstrip("_"))  # the second one is a design of several copies
            return any(self.model.names.get(one, ("", ""))[1] == owner for one in names)
        if note[0] == "option":
            return name in self.model.options[note[1]].choices
        return note[0] == "group" and name in self.model.groups[note[1]]

    def _own_piece(self, expr: t.Attribute) -> bool:
        """Recognise ``player_2.token_1``: one piece of a kind that every player has."""
        if isinstance(expr.of, t.Name):
            for kind in self.model.kinds.values():
                if kind.per_player and kind.members and expr.name in kind.members:
                    expr.note = ("instance", kind.name, f"{expr.of.id}.{expr.name}")
                    return True
            laid = self._laid(expr.name, True)
            if laid:
                expr.note = ("instance", laid, f"{expr.of.id}.{expr.name}")
                return True
        stem, _, number = expr.name.rpartition("_")
        design = self.model.designs.get(stem)
        if (
            design is None
            or not number.isdigit()
            or not isinstance(expr.of, t.Name)
            or not self.model.kinds[design.kind].per_player
        ):
            return False
        expr.note = ("instance", design.kind, f"{expr.of.id}.{expr.name}")
        return True

    def _laid(self, name: str, per_player: bool) -> str:
        """Return the kind of a way to lay a shape on a grid that is named ``shape_cell_turn``; else nothing."""
        stem, _, turn = name.rpartition("_")
        shapes = [s for s in self.model.shapes if turn.isdigit() and stem.startswith(f"{s}_")]
        for kind in self.model.kinds.values():
            if not kind.lays or kind.per_player != per_player:
                continue
            grid = self.model.kinds[kind.lays]
            cells = grid.members or []
            for shape in shapes:
                ways = placements(grid.grid, self.model.shapes[shape])
                if any(f"{shape}_{cells[corner]}_{which}" == name for corner, which, _ in ways):
                    return kind.name
        return ""

    def _index(self, expr: t.Index, scope: Scope) -> ty.AnyType:
        of = self.check(expr.of, scope)
        self.check(expr.index, scope, ty.INT)
        if isinstance(of, ty.Seq):
            return of.of
        return ty.ANY if of == ty.ANY else self.problem("P0301", f"only lists have items, this is {of}", expr.of)


def number(count: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{count} {one if count == 1 else many}"
