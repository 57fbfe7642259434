"""Find out what a name stands for: a variable, an instance, a counter, a place, a fact or field of something.

Out:    the node of what is meant, with its type.
Errors: P0201 an unknown name, P0202 a thing of another sort, P0301 a wrong type, P0302 a wrong number of indices,
        P0303 a value that may be none, P0304 a rule inside a computation.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from patolli.kernel.geometry import placements
from patolli.language.diagnostics import Fix, Problem, Span, instead, nearest
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS, builtins
from patolli.language.program.model import TABLE
from patolli.language.resolve import habits
from patolli.language.resolve.model import UNKNOWN, Design, Function, Model
from patolli.language.resolve.presence import Presence
from patolli.language.resolve.scopes import PLAYER, Scope
from patolli.language.resolve.uses import Uses
from patolli.language.syntax import tree as t
from patolli.language.syntax.slips import COUNTED, MEANT, NAMES

Why = tuple[tuple[Span, str], ...]
"""Where it is said of what type something must be: places, with a few words for each."""

Parts = Iterable[x.Expr]


class Names(ABC):
    """Gives names their meaning; the other parts of the pass build on it."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.program = model.made
        self.uses = Uses(model)
        self.presence = Presence(model, self._quietly)
        self.used: set[str] = set()
        self.outdated: x.Expr | None = None  # the last value whose test has ended
        self.calls: set[str] = set()
        self.checking: list[str] = []
        self.asked_of: list[tuple[Function, t.Node]] = []  # functions that are called with a player as `me`

    @abstractmethod
    def check(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None, why: Why = ()) -> x.Expr:
        """Resolve an expression; with *wanted* it must fit that type, and *why* shows where that is said."""

    def _quietly(self, expr: t.Expr) -> x.Expr:
        """Resolve what stands outside rules before its turn; what is wrong with it is reported then."""
        before, unclear, uses = len(self.model.problems), len(self.model.unclear), len(self.uses)
        found = self.check(expr, Scope())
        del self.model.problems[before:], self.model.unclear[unclear:]
        self.uses.cut(uses)
        return found

    @abstractmethod
    def infer(self, expr: t.Expr, scope: Scope, wanted: ty.AnyType | None = None) -> x.Expr:
        """Resolve an expression; *wanted* only serves to find out what it means."""

    @abstractmethod
    def fit(self, expr: t.Expr, found: x.Expr, wanted: ty.AnyType, why: Why = (), scope: Scope | None = None) -> x.Expr:
        """See that what was found fits a type."""

    @abstractmethod
    def record_resolution(self, expr: t.Expr, found: x.Expr) -> x.Expr:
        """Note what an expression was found to be, and return that."""

    @abstractmethod
    def _function(self, expr: t.Expr, function: Function, given: list[t.Expr], scope: Scope) -> x.Expr:
        """Resolve the call of a declared function."""

    # -- reporting

    def problem(
        self,
        code: str,
        message: str,
        at: t.Node,
        help_: str = "",
        *also: tuple[Span, str],
        parts: Iterable[x.Expr] = (),
        meant: str | None = None,
    ) -> x.Unknown:
        """Record a problem; return the node for what could not be resolved, with its parts. *meant* can stand there."""
        parts = tuple(parts)
        help_ = help_ or next((self._one_copy(part) for part in parts if isinstance(part, x.DesignNamed)), "")
        self.model.problems.append(Problem(code, message, at.span, help_, also, fixes=instead(at.span, meant)))
        return self.nothing(at, *parts)

    def nothing(self, at: t.Node, *parts: x.Expr) -> x.Unknown:
        """Return the node for what could not be resolved."""
        return x.Unknown(parts, type=ty.ANY, span=at.span)

    def unknown(
        self, what: str, name: str, at: t.Node, known: Iterable[str], parts: Iterable[x.Expr] = ()
    ) -> x.Unknown:
        """Report a name that nothing declares."""
        near = nearest(name, sorted(known))
        gone = self.model.composition.removed_ids.get(name)
        if gone is not None:
            near = None
        span = at.at.text.place(at.at.start, len(name)) if isinstance(at, t.Name | t.Call | t.CallRule) else at.span
        also = ((self.model.spans[near], "declared here"),) if near in self.model.spans else gone or ()
        help_ = f"did you mean {near!r}?" if near else ""
        if re.fullmatch(r"player_[0-9]+", name):
            low, high = self.model.players
            near, help_, also = None, f"there are {low} to {high} players: player_1 to player_{high}", ()
        stem, _, number = name.rpartition("_")
        if number.isdigit() and stem in self.model.designs and name not in self.model.names:
            near, help_ = None, self._copies(self.model.designs[stem])
            also = ((self.model.designs[stem].span, "the piece is declared here"),)
        counted = next((c.name for c in self.model.counters.values() if name in c.noun), "")
        if counted:
            near, help_, also = (
                counted,
                f"it is a noun of the counter {counted!r}; write {counted!r} here",
                ((self.model.spans[counted], "declared here"),),
            )
        joined = re.sub(r"(?<=[a-z])([0-9]+)$", r"_\1", name)
        if joined != name and (joined.startswith("player_") or joined.rpartition("_")[0] in self.model.designs):
            near, help_ = joined, f"did you mean {joined!r}?"
        if name in NAMES and not (near and near.removesuffix("s") == name.removesuffix("s")):
            near, help_, also = MEANT.get(name), NAMES[name], ()
        if name in COUNTED and what == "name" and not (near and near.removesuffix("s") == name):
            near, help_, also = None, COUNTED[name], ()
        if name in BUILTINS and what == "name":
            takes = ", ".join("me" if kind == "player" else kind for kind in BUILTINS[name].parameters)
            near, help_, also = None, f"it is a function: write {name}({takes})", ()
        if name == "me":
            near, help_, also = None, "no player acts here; name one, by a field, a function or a number", ()
        if name == "it":
            near, help_, also = None, "no piece acts here, and nothing says what is paid for; name the piece", ()
        if name == "copy":
            near, help_, also = None, "facts of pieces know it; write a fact such as 'nth: copy', and read it.nth", ()
        fixes = instead(span, near)
        self.model.problems.append(
            Problem("P0201", f"unknown {what} {name!r}", span, help_, also, fixes=fixes, missing=name)
        )
        return self.nothing(at, *parts)

    # -- names

    def me(self, scope: Scope, span: Span) -> x.Expr:
        """Return who acts; if no player does, and it does not matter, the first player."""
        if "me" not in scope.variables:
            return x.Number(0, type=PLAYER, span=span)
        return x.Local(scope.variables["me"], type=PLAYER, span=span)

    def _name(self, expr: t.Name, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        name = expr.id
        if name == "copy" and name in scope.variables and "me" not in scope.variables:
            return x.CopyNumber(type=ty.INT, span=expr.span)
        if name in scope.variables:
            return x.Local(scope.variables[name], type=scope.types[name], span=expr.span)
        if name == "seats":
            return x.Seats(type=ty.INT, span=expr.span)
        if name == "players":
            return x.Instances("player", type=ty.Seq(PLAYER), span=expr.span)
        what, owner = self.model.names.get(name, ("", ""))
        if what:
            self.used.add(name)
        return self._resolve_declared(expr, name, what, owner, scope, wanted)

    def _resolve_declared(
        self, expr: t.Name, name: str, what: str, owner: str, scope: Scope, wanted: ty.AnyType | None
    ) -> x.Expr:
        model, span = self.model, expr.span
        match what:
            case "?":
                return self.nothing(expr)
            case "member" if len(model.kinds[owner].sizes) > 1:
                return self.instance(expr, owner, name, scope)
            case "member":
                return x.Instance(owner, name, type=ty.Ref(owner), span=span)
            case "piece":
                return self._piece(expr, name, owner, wanted)
            case "kind":
                return x.Instances(name, type=ty.Seq(ty.Ref(name)), span=span)
            case "option":
                type_ = ty.Choice(name) if model.options[name].choices else ty.INT
                return x.OptionValue(name, type=type_, span=span)
            case "choice":
                option = self._choice_owner(name, wanted)
                return x.Choice(option, name, type=ty.Choice(option), span=span)
            case "constant":
                known = model.constants.get(name)
                return x.ConstantNamed(name, type=known.type, span=span) if known else self.nothing(expr)
            case "counter":
                return self._counter(expr, name, [], scope, wanted)
            case "field":
                return self._named_field(expr, name, owner, scope)
            case "place":
                return self._place(expr, name, [], scope)
            case "group":
                return x.GroupNamed(name, type=ty.Seq(ty.Group(name)), span=span)
            case "function":
                return self._function(expr, model.functions[name], [], scope)
            case "rule":
                message = f"{name!r} is a rule; only an effect can call it"
                return self.problem("P0304", message, expr, f"write {name}(..) on its own line, or after a ';'")
        return self._by_number(expr, name, scope)

    def _named_field(self, expr: t.Name, name: str, kind: str, scope: Scope) -> x.Expr:
        """Resolve a field that is read by its name alone: one of the table, or mine."""
        field = self.model.kinds[kind].fields.get(name)
        if field is None:
            return self.nothing(expr)
        self.used.add(f"{kind}.{name}")
        if kind == TABLE:
            of: x.Expr = x.Instance(TABLE, TABLE, type=ty.Ref(TABLE), span=expr.span)
        elif "me" in scope.variables:
            of = self.me(scope, expr.span)
        else:
            words = f"no player is acting here, so {name!r} needs one"
            return self.problem("P0302", words, expr, f"write p.{name}", (self.model.spans[name], "declared here"))
        return x.FieldOf(kind, name, of, type=field.type, span=expr.span)

    def _by_number(self, expr: t.Name, name: str, scope: Scope) -> x.Expr:
        """Resolve what has a number: a player, a copy of a piece, a way to lay a shape."""
        model, span = self.model, expr.span
        if name in model.kinds:
            return x.Instances(name, type=ty.Seq(ty.Ref(name)), span=span)
        stem, _, number = name.rpartition("_")
        if stem == "player" and number.isdigit() and 0 < int(number) <= model.players[1] + model.automated:
            return self.instance(expr, "player", name, scope)
        if number.isdigit() and stem in model.designs and self._ever(model.designs[stem].kind, name):
            self.used.add(stem)
            return self.instance(expr, model.designs[stem].kind, name, scope)
        if number.isdigit() and model.names.get(stem, ("",))[0] == UNKNOWN:
            return self.nothing(expr)
        laid = self._laid(name, False)
        if laid:
            several = len(model.kinds[model.kinds[laid].lays].sizes) > 1
            return x.Instance(laid, name, type=ty.Maybe(ty.Ref(laid)) if several else ty.Ref(laid), span=span)
        known = [*scope.variables, *model.names, *builtins(expr.at.text.language), "players", "seats"]
        return self.unknown("name", name, expr, known)

    def instance(self, expr: t.Expr, kind: str, id_: str, scope: Scope) -> x.Expr:
        """Return the node of an instance with a number; it may be none where a match can be without it."""
        type_: ty.AnyType = ty.Ref(kind)
        if self.presence.missing(kind, id_, scope.proven):
            type_ = ty.Maybe(type_)
        return x.Instance(kind, id_, type=type_, span=expr.span)

    def _ever(self, kind: str, id_: str) -> bool:
        """Return whether some match has an instance."""
        return len(self.presence.missing(kind, id_)) < len(self.presence.cases(kind, id_))

    def _copies(self, design: Design) -> str:
        """Say which copies of a piece there are."""
        most = self.presence.most(design)
        if design.copies is None and not self.model.kinds[design.kind].per_player:
            return f"there is one, {design.id!r}"
        if most == 1:
            return f"its one copy is {design.id}_1"
        return f"its copies are {design.id}_1 to {design.id}_{most}" if most else ""

    def test_first(self, found: x.Expr, ways: str = "'if' or 'stop unless'") -> str:
        """Say what to write where something may be none; of an instance, which matches are without it."""
        if isinstance(found, x.Instance):
            cases = self.presence.missing(found.kind, found.id)
            if not cases:  # a way to lay a shape on a board of several sizes
                return f"in some sizes of the board there is no {found.id!r}: test it first, as in 'if {found.id}: ..'"
            where = self.presence.describe_matches(cases)
            return f"{where} there is no {found.id!r}: test it first, as in 'if {found.id}: ..'"
        if found is self.outdated:
            return "it was tested, but may have changed since: name it with 'let', and test the name"
        return f"test it first, with {ways}"

    def _one_copy(self, found: x.DesignNamed) -> str:
        """Say how one of several copies of a piece is called."""
        design = self.model.designs[found.id]
        return f"{found.id!r} is what they have in common; {self._copies(design)}"

    def _choice_owner(self, name: str, wanted: ty.AnyType | None) -> str:
        if isinstance(wanted, ty.Choice) and name in self.model.options[wanted.option].choices:
            return wanted.option
        return self.model.names[name][1]

    def _piece(self, expr: t.Name, name: str, kind: str, wanted: ty.AnyType | None) -> x.Expr:
        design = self.model.designs[name]
        single = design.copies is None and not self.model.kinds[kind].per_player
        type_ = self.model.design_type(kind)
        if (wanted is not None and ty.strip(wanted) == type_) or not single:
            return x.DesignNamed(kind, name, type=type_, span=expr.span)
        return x.Instance(kind, name, type=ty.Ref(kind), span=expr.span)

    # -- things with indices

    def indices(
        self, dims: tuple[str, ...], arguments: list[t.Expr], expr: t.Node, scope: Scope, name: str,
        who: x.Expr | None = None,
    ) -> tuple[x.Expr, ...]:  # fmt: skip
        """Resolve the indices of a counter or place; a missing first player stands for *who*, or for me."""
        implied = len(arguments) == len(dims) - 1 and bool(dims) and dims[0] == "player"
        rest = dims[1:] if implied else dims
        if UNKNOWN in dims:
            return tuple(self.check(argument, scope) for argument in arguments)
        if len(arguments) != len(rest):
            takes = [(kind, ty.INT if kind == "#" else ty.Ref(kind)) for kind in dims]
            words = f"{name!r} has {number(len(dims), 'index', 'indices')}, found {len(arguments)}"
            self.problem(
                "P0302", words, expr, describe_call(name, takes, scope), (self.model.spans[name], "declared here")
            )
            return ()
        found = []
        for argument, kind in zip(arguments, rest, strict=True):
            wanted = ty.INT if kind == "#" else ty.Ref(kind)
            found.append(self.check(argument, scope, wanted, ((self.model.spans[name], f"{name!r} is declared here"),)))
        if implied and "me" not in scope.variables:
            self.problem(
                "P0302",
                f"no player acts here, so {name!r} needs a player",
                expr,
                describe_call(name, [("", PLAYER)], scope),
            )
        return (who or self.me(scope, expr.span), *found) if implied else tuple(found)

    def _counter(
        self, expr: t.Expr, name: str, arguments: list[t.Expr], scope: Scope, wanted: ty.AnyType | None
    ) -> x.Expr:
        counter = self.model.counters.get(name)
        if counter is None:
            return self.nothing(expr)
        wish = ty.strip(wanted) if wanted is not None else None
        if isinstance(wish, ty.Group) and not arguments and name in self.model.groups.get(wish.name, ()):
            return x.CounterNamed(name, type=wish, span=expr.span)
        indices = self.indices(counter.dims, arguments, expr, scope, name)
        return x.CounterAt(name, indices, type=ty.INT, span=expr.span)

    def _place(self, expr: t.Expr, name: str, arguments: list[t.Expr], scope: Scope) -> x.Expr:
        place = self.model.places[name]
        of = ty.Ref(place.of) if place.of != UNKNOWN else ty.ANY
        dims = place.dims
        if place.type == "row" and len(arguments) > len(dims) - (1 if dims and dims[0] == "player" else 0):
            *indices, spot = self.indices((*dims, "#"), arguments, expr, scope, name) or (self.nothing(expr),)
            return x.RowSpot(name, place.of, tuple(indices), spot, type=ty.Maybe(of), span=expr.span)
        type_: ty.AnyType = ty.Maybe(of) if place.type == "spot" else ty.Seq(of)
        return x.Held(name, place.of, self.indices(dims, arguments, expr, scope, name), type=type_, span=expr.span)

    # -- what stands behind a point

    def _attribute(self, expr: t.Attribute, scope: Scope) -> x.Expr:
        of = self.check(expr.of, scope)
        if of.type == ty.ANY:
            self.model.unclear.append(expr)
            return self.nothing(expr, of)
        if isinstance(of.type, ty.Maybe):
            words = f"this may be none, so it has no {expr.name!r}"
            help_ = self.test_first(of, "'if', 'and' or 'stop unless'")
            return self.problem("P0303", words, expr.of, help_, parts=(of,))
        found = None
        if isinstance(of.type, ty.Ref) and of.type.kind == "player":
            found = self._of_player(expr, of, scope)
        if found is None and isinstance(of.type, ty.Ref):
            found = self._of_kind(expr, of, of.type.kind, scope)
        self.model.unclear = [other for other in self.model.unclear if other is not expr]
        return found or self._no_attribute(expr, of, scope)

    def _of_player(self, expr: t.Attribute, of: x.Expr, scope: Scope) -> x.Expr | None:
        """Resolve one piece of a player, or one of the player's counters."""
        piece = self._own_piece(expr, of, scope)
        if piece is not None:
            return piece
        if expr.name in self.model.functions and not self.model.functions[expr.name].parameters:
            return self._function_of(expr, of)
        if expr.name not in self.model.counters:
            return None
        self.used.add(expr.name)
        if self.model.counters[expr.name].dims != ("player",):
            words = f"{expr.name!r} is not a counter of a player alone"
            return self.problem("P0302", words, expr, parts=(of,))
        return x.CounterAt(expr.name, (of,), type=ty.INT, span=expr.span)

    @abstractmethod
    def _function_of(self, expr: t.Attribute, of: x.Expr) -> x.Expr:
        """Resolve what a function without parameters gives for a player."""

    @abstractmethod
    def _formula_of(self, expr: t.Attribute, kind: str, scope: Scope) -> x.Expr:
        """Resolve what a formula of a piece gives."""

    def _of_kind(self, expr: t.Attribute, of: x.Expr, name: str, scope: Scope) -> x.Expr | None:
        """Resolve a fact, formula or field of an instance, or its design."""
        kind = self.model.kinds[name]
        if expr.name == "design" and not kind.designs and self.model.composition.lost_words:
            return self.nothing(expr, of)  # its pieces may be in a document that cannot be read
        if expr.name == "design" and kind.designs:
            return x.DesignOf(name, of, type=self.model.design_type(name), span=expr.span)
        if expr.name in kind.formulas:
            return self._formula_of(expr, kind.name, scope)
        attribute = kind.facts.get(expr.name) or kind.fields.get(expr.name)
        if attribute is None:
            return None
        self.used.add(f"{name}.{expr.name}")
        made = x.FieldOf if attribute.mutable else x.FactOf
        return made(name, expr.name, of, type=attribute.type, span=expr.span)

    def find_one(self, found: x.Expr, scope: Scope, but: t.Expr | None = None) -> str:
        """Return the variable that was likely meant where the name of a kind stands for all of its pieces."""
        if not isinstance(found, x.Instances) or found.type == ty.Seq(PLAYER):
            return ""
        return scope.holding("", ty.Ref(found.kind), (but.id,) if isinstance(but, t.Name) else ())

    def _no_attribute(self, expr: t.Attribute, of: x.Expr, scope: Scope) -> x.Expr:
        """Report that something has no such attribute."""
        kind = self.model.kinds[of.type.kind] if isinstance(of.type, ty.Ref) else None
        known = [*kind.attributes] if kind else []
        if of.type == PLAYER:
            known += [*self._own(of), *(one.name for one in self.model.counters.values() if one.dims == ("player",))]
        near = nearest(expr.name, known)
        help_ = f"did you mean {near!r}?" if near else (f"it has: {', '.join(known[:8])}" if known else "")
        fixes: tuple[Fix, ...] = ()
        if isinstance(of.type, ty.Seq) and isinstance(of.type.of, ty.Ref):
            near, help_ = (
                None,
                "a list has no such value; its items have, as in 'any(x in .. where x." + f"{expr.name} ..)'",
            )
        one = self.find_one(of, scope)
        if one:
            help_, fixes = f"{one!r} is one of them here", instead(expr.of.span, one)
        meant = habits.behind_a_point(self.model, expr, of)
        if meant is not None:
            near, help_, fixes = None, meant.help, instead(expr.span, meant.text)
        base = of.type.kind if isinstance(of.type, ty.Design) else kind.designs_of if kind else ""
        if base and expr.name in self.model.kinds[base].formulas:
            near, help_ = None, f"{expr.name!r} is a formula, which is evaluated for a piece and not for its design"
        elif isinstance(of.type, ty.Design) and expr.name in self.model.kinds[base].facts:
            near, help_ = None, f"read it from the piece; designs have facts if a parameter is of type '{base}_design'"
        if isinstance(of, x.DesignNamed):
            near, help_ = None, self._one_copy(of)
        if isinstance(expr.of, t.Name) and self._among(expr.name, of):
            near, help_ = None, f"write {expr.name!r} alone; an id needs nothing before it"
            fixes = instead(expr.span, expr.name)
        span = expr.at.text.place(expr.at.end - len(expr.name), len(expr.name))
        fixes = fixes or instead(span, near)
        also = ((kind.span, "the kind"),) if kind and kind.name != "player" else ()
        words, missing = f"{of.type} has no {expr.name!r}", expr.name if near else ""
        self.model.problems.append(Problem("P0201", words, span, help_, also, fixes=fixes, missing=missing))
        return self.nothing(expr, of)

    def _among(self, name: str, before: x.Expr) -> bool:
        """Return whether an id belongs to the kind, option or group before its point, as in ``colour.red``."""
        match before:
            case x.Expr(type=ty.Ref(kind=owner)) | x.Instances(kind=owner):
                names = (name, name.rstrip("0123456789").rstrip("_"))  # the second one is a design of several copies
                return any(self.model.names.get(one, ("", ""))[1] == owner for one in names)
            case x.OptionValue(option=option):
                return name in self.model.options[option].choices
            case x.GroupNamed(group=group):
                return name in self.model.groups[group]
        return False

    def _own_piece(self, expr: t.Attribute, of: x.Expr, scope: Scope) -> x.Expr | None:
        """Resolve ``player_2.token_1``: one piece of a kind that every player has."""
        if not isinstance(of, x.Instance):
            return None
        stem, _, number = expr.name.rpartition("_")
        design = self.model.designs.get(stem) if number.isdigit() else None
        kinds = [
            *(k.name for k in self.model.kinds.values() if k.per_player and expr.name in (k.cells or k.members or ())),
            self._laid(expr.name, True),
            design.kind if design is not None and self.model.kinds[design.kind].per_player else "",
        ]
        kind, id_ = next((name for name in kinds if name), ""), f"{of.id}.{expr.name}"
        return self.instance(expr, kind, id_, scope) if kind and self._ever(kind, id_) else None

    def _own(self, of: x.Expr) -> list[str]:
        """Return what stands behind a player who is named: the ids of pieces that every player has."""
        if not isinstance(of, x.Instance):
            return []
        designs = [design for design in self.model.designs.values() if self.model.kinds[design.kind].per_player]
        kinds = [kind for kind in self.model.kinds.values() if kind.per_player]
        return [
            *(f"{design.id}_1" for design in designs),
            *(id_ for kind in kinds for id_ in (kind.cells or kind.members or ())),
        ]

    def _laid(self, name: str, per_player: bool) -> str:
        """Return the kind of a way to lay a shape on a grid that is named ``shape_cell_turn``; else nothing."""
        stem, _, turn = name.rpartition("_")
        shapes = [s for s in self.model.shapes if turn.isdigit() and stem.startswith(f"{s}_")]
        for kind in self.model.kinds.values():
            if not kind.lays or kind.per_player != per_player:
                continue
            grid = self.model.kinds[kind.lays]
            names = {spot: cell for cell, spot in grid.cells.items()}
            for size, shape in product(grid.sizes, shapes):
                ways = placements((*size, *grid.grid[2:]), self.model.shapes[shape])
                if any(f"{shape}_{names[divmod(corner, size[1])]}_{which}" == name for corner, which, _ in ways):
                    return kind.name
        return ""

    def _index(self, expr: t.Index, scope: Scope) -> x.Expr:
        of = self.check(expr.of, scope)
        index = self.infer(expr.index, scope, ty.INT)
        meant = habits.by_index(self.model, expr, index)
        if meant is not None:
            message = "the count of each is written with round brackets"
            return self.problem("P0301", message, expr, meant.help, parts=(of, index), meant=meant.text)
        index = self.fit(expr.index, index, ty.INT)
        if isinstance(of.type, ty.Seq):
            return x.ItemAt(of, index, type=of.type.of, span=expr.span)
        if of.type == ty.ANY:
            return self.nothing(expr, of, index)
        return self.problem("P0301", f"only lists have items, this is {of.type}", expr.of, parts=(of, index))


def refine_type(node: x.Expr, type_: ty.AnyType) -> x.Expr:
    """Return a node with what is known beyond its form."""
    return node if node.type == type_ else replace(node, type=type_)


def describe_call(name: str, takes: Sequence[tuple[str, ty.AnyType]], scope: Scope) -> str:
    """Say how something is called here: with the variables that fit, and what else it takes."""
    if not takes:
        return f"write {name}"
    found: list[str] = []
    for parameter, type_ in takes:
        found.append(scope.holding(parameter, type_, found) or "..")
    missing = [str(type_) for (_, type_), known in zip(takes, found, strict=True) if known == ".."]
    return f"write {name}({', '.join(found)})" + (f", with {' and '.join(missing)}" if missing else "")


def number(count: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{count} {one if count == 1 else many}"
