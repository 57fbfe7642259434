"""Find the matches in which an instance exists: what a match has depends on its players and options.

In:     what the packs declare; conditions over the number of seats and the options that hold at some place.
Out:    the matches in which an instance is missing. What cannot be computed here is reported when a match is made.

A name with a number means one of several: ``player_3``, the third copy of a piece, a piece of a certain player. How
many there are is asked for every number of seats that the pack allows and every value of the options that count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub

from patolli.language.diagnostics import Span
from patolli.language.packs.manifest import OptionSpec
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import lasting
from patolli.language.program.node import walk
from patolli.language.resolve.model import Design, Kind, Model
from patolli.language.resolve.tables import Table
from patolli.language.syntax import tree as t

MOST = 4096
"""So many kinds of matches are distinguished; with more of them, an instance that depends on options may be missing."""
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "div": floordiv, "mod": mod,
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of a match before it begins: its seats, automated ones too, and the options that count."""

    seats: int | None
    options: tuple[tuple[str, int], ...] = ()


def certain(model: Model, players: int, span: Span) -> list[x.Expr]:
    """Return what holds in a match with so many players, and with the options that were chosen."""
    seats = x.Seats(type=ty.INT, span=span)
    found: list[tuple[x.Expr, int]] = [(seats, players + model.automated)]
    found += [(x.OptionValue(name, type=ty.INT, span=span), value) for name, value in model.chosen.items()]
    return [
        x.Compare("==", left, x.Number(value, type=ty.INT, span=span), type=ty.BOOL, span=span) for left, value in found
    ]


class Presence:
    """Knows how many instances there are; *resolve* gives an expression that stands outside rules its meaning."""

    def __init__(self, model: Model, resolve: Callable[[t.Expr], x.Expr]) -> None:
        self.model = model
        self._resolve = resolve
        self._resolved: dict[int, x.Expr] = {}
        self._options_of: dict[tuple[str, str], list[str]] = {}
        self._open: list[str] = []  # constants that are being computed; one may be defined by itself

    # -- questions

    def missing(self, kind: str, id_: str, proven: Iterable[x.Expr] = ()) -> list[Case]:
        """Return the matches that have no such instance, of those in which all conditions of *proven* hold."""
        return [case for case in self.cases(kind, id_, proven) if not self._there(kind, id_, case)]

    def cases(self, kind: str, id_: str = "", proven: Iterable[x.Expr] = ()) -> list[Case]:
        """Return the matches that there can be, as far as they differ in what an instance or a kind depends on."""
        known = [proof for proof in proven if lasting(proof)]
        names = self._depends(kind, id_)
        values = {name: [one for one in values_of(self.model.options[name])] for name in names}
        for name, found in values.items():
            values[name] = [one for one in found if self._possible(Case(None, ((name, one),)), known)]
        if prod(map(len, values.values())) > MOST:
            values = {}
        low, high = self.model.players[0] + self.model.automated, self.model.players[1] + self.model.automated
        several = [tuple(zip(values, one, strict=True)) for one in product(*values.values())]
        cases = [Case(seats, options) for seats in range(low, high + 1) for options in several]
        return [case for case in cases if self._possible(case, known)] if known else cases

    def _depends(self, kind: str, id_: str) -> list[str]:
        """Return the options on which it depends how many instances there are, as far as they are known now.

        Declarations are complete when names are resolved, so this stays as it is, except while a constant is being
        computed, whose own options are then left out.
        """
        found = self._options_of.get((kind, id_))
        if found is None:
            found = sorted({name for expr in self._numbers(kind, id_) for name in self._options(expr)})
            if not self._open:
                self._options_of[(kind, id_)] = found
        return found

    def _possible(self, case: Case, known: list[x.Expr]) -> bool:
        return not any(self.value(proof, case) == 0 for proof in known)

    def surely_some(self, kind: str, proven: Iterable[x.Expr] = ()) -> bool:
        """Return whether every match has an instance of a kind."""
        declared = self.model.kinds[kind]
        if declared.is_record:
            fields = (fact.type for fact in declared.facts.values())
            return all(self.surely_some(type_.kind, proven) for type_ in fields if isinstance(type_, ty.Ref))
        if kind == "player" or declared.members is not None:
            return kind == "player" or bool(declared.members)
        return all(
            any((self._number(declared, design, case) or 0) > 0 for design in declared.designs)
            for case in self.cases(kind, "", proven)
        )

    def most(self, design: Design) -> int:
        """Return how many copies of a piece a match has at most."""
        kind = self.model.kinds[design.kind]
        cases = self.cases(design.kind, f"{design.id}_1")
        return max((self._number(kind, design, case) or 0 for case in cases), default=0)

    def describe_matches(self, missing: list[Case]) -> str:
        """Say in which matches something is missing, in the numbers of players that take part."""
        low, high = self.model.players
        players = sorted({case.seats - self.model.automated for case in missing if case.seats is not None})
        options = {name: sorted({dict(case.options)[name] for case in missing}) for name, _ in missing[0].options}
        if len(missing) < len(players) * prod(map(len, options.values())):  # it depends on both together
            case = missing[0]
            players, options = players[:1], {name: [value] for name, value in case.options}
            chosen = "".join(self._describe_options(options, " and "))
            return f"in some matches, as with {self._describe_players(players)}{chosen},"
        if len(players) <= high - low:
            return f"with {self._describe_players(players)}{''.join(self._describe_options(options, ' and '))}"
        return f"with {' and '.join(self._describe_options(options))}" if options else "in some matches"

    def _describe_players(self, players: list[int]) -> str:
        return f"{_either(map(str, players))} player{'s' if players != [1] else ''}"

    def _describe_options(self, options: dict[str, list[int]], before: str = "") -> Iterator[str]:
        """Say which values options have, apart from those that may have any."""
        for name, values in options.items():
            spec = self.model.options[name]
            if len(values) < len(values_of(spec)):
                yield f"{before}{name} {_either(spec.choices[one] if spec.choices else str(one) for one in values)}"

    # -- instances

    def _there(self, kind: str, id_: str, case: Case) -> bool:
        player, _, name = id_.rpartition(".")
        if player:
            return self._there("player", player, case) and self._of_player(kind, name, case)
        if kind == "player":
            return case.seats is None or int(id_.removeprefix("player_")) <= case.seats
        declared = self.model.kinds[kind]
        design = self.model.designs.get(id_)
        if declared.members is not None:
            return self._on_board(declared, id_, case)
        if design is not None and design.copies is None and _is_shared(declared, design):
            return True
        stem, _, number = id_.rpartition("_")
        design = self.model.designs.get(stem)
        return design is not None and self._copy(declared, design, int(number), case)

    def _of_player(self, kind: str, name: str, case: Case) -> bool:
        declared = self.model.kinds[kind]
        if declared.members is not None:
            return self._on_board(declared, name, case)
        stem, _, number = name.rpartition("_")
        design = self.model.designs.get(stem)
        return (
            design is not None and not _is_shared(declared, design) and self._copy(declared, design, int(number), case)
        )

    def _on_board(self, declared: Kind, name: str, case: Case) -> bool:
        """Return whether a grid has a cell, where its size turns on options; other kinds have all their members."""
        if len(declared.sizes) < 2:
            return True
        rows, columns = (self.value(self._meaning(side), case) for side in declared.sides)
        row, column = declared.cells[name]
        if rows is None or columns is None:  # too many options to distinguish them
            return row < min(size[0] for size in declared.sizes) and column < min(size[1] for size in declared.sizes)
        return row < rows and column < columns

    def _copy(self, kind: Kind, design: Design, number: int, case: Case) -> bool:
        if design.copies is None and _is_shared(kind, design):
            return False  # there is one, and its name has no number
        copies = self._number(kind, design, case)
        if copies is None:  # too many options, or it depends on the match, which is reported when one is made
            return number >= 1 and not any(self._options(expr) for expr in self._numbers(kind.name, f"{design.id}_1"))
        return 1 <= number <= copies

    def _number(self, kind: Kind, design: Design, case: Case) -> int | None:
        return 1 if design.copies is None else self.value(self._meaning(design.copies), case)

    def _numbers(self, kind: str, id_: str) -> Iterator[x.Expr]:
        """Yield how many copies there are of the pieces that an id may mean, or of all of a kind."""
        stem = id_.rpartition(".")[2].rpartition("_")[0]
        if len(self.model.kinds[kind].sizes) > 1:
            yield from map(self._meaning, self.model.kinds[kind].sides)
        for design in self.model.kinds[kind].designs:
            if design.copies is not None and (not id_ or design.id == stem):
                yield self._meaning(design.copies)

    def _meaning(self, expr: t.Expr) -> x.Expr:
        if id(expr) not in self._resolved:
            self._resolved[id(expr)] = x.Unknown((), type=ty.ANY, span=expr.span)  # where it asks for itself
            self._resolved[id(expr)] = self._resolve(expr)
        return self._resolved[id(expr)]

    # -- values before a match

    def value(self, expr: x.Expr, case: Case) -> int | None:
        """Work out a number, truth value or choice before a match; None for what depends on the match."""
        match expr:
            case x.Number() | x.Truth():
                return int(expr.value)
            case x.Seats():
                return case.seats
            case x.OptionValue():
                return dict(case.options).get(expr.option)
            case x.Choice():
                return self.model.options[expr.option].choices.index(expr.choice)
            case x.ConstantNamed():
                return self._constant(expr.name, case)
            case x.Present(of=x.Instance(kind=kind, id=id_)):
                return None if case.seats is None else int(self._there(kind, id_, case))
            case x.Ranged():
                return self.value(expr.of, case)
            case x.Negative():
                of = self.value(expr.of, case)
                return None if of is None else -of
            case x.Not():
                of = self.value(expr.of, case)
                return None if of is None else int(not of)
            case x.Logic():
                return self._logic(expr, case)
            case x.IfElse():
                test = self.value(expr.condition, case)
                return None if test is None else self.value(expr.then if test else expr.other, case)
            case x.Compare() | x.Arithmetic():
                return worked_out(expr.op, self.value(expr.left, case), self.value(expr.right, case))
            case x.BuiltinCall(builtin="min" | "max"):
                numbers = [self.value(argument, case) for argument in expr.arguments]
                known = [number for number in numbers if number is not None]
                return (min if expr.builtin == "min" else max)(known) if len(known) == len(numbers) else None
        return None

    def _logic(self, expr: x.Logic, case: Case) -> int | None:
        left, right = self.value(expr.left, case), self.value(expr.right, case)
        decides = 0 if expr.op == "and" else 1
        if decides in (left, right):
            return decides
        return None if left is None or right is None else int(not decides)

    def _constant(self, name: str, case: Case) -> int | None:
        if name in self._open or name not in self.model.constants:
            return None
        self._open.append(name)
        found = self._content(self.model.constants[name].value, case)
        self._open.pop()
        return found

    def _content(self, content: object, case: Case) -> int | None:
        match content:
            case Table():
                by = self._meaning(content.by)
                value = self.value(by, case)
                key = str(value)
                if isinstance(by.type, ty.Choice) and value is not None:
                    key = self.model.options[by.type.option].choices[value]
                return self._content(content.rows.get(key, content.rows.get("else")), case)
            case t.Expr():
                return self.value(self._meaning(content), case)
        return None

    def _options(self, expr: x.Expr) -> set[str]:
        """Return the options that an expression depends on, through constants too."""
        found = {node.option for node in walk(expr) if isinstance(node, x.OptionValue)}
        for node in walk(expr):
            if isinstance(node, x.ConstantNamed) and node.name in self.model.constants and node.name not in self._open:
                self._open.append(node.name)
                for part in self._parts(self.model.constants[node.name].value):
                    found |= self._options(part)
                self._open.pop()
        return found

    def _parts(self, content: object) -> Iterator[x.Expr]:
        match content:
            case Table():
                yield self._meaning(content.by)
                for row in content.rows.values():
                    yield from self._parts(row)
            case t.Expr():
                yield self._meaning(content)


def values_of(option: OptionSpec) -> range:
    """Return all values of an option, choices by number."""
    return range(len(option.choices)) if option.choices else range(option.low, option.high + 1)


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _is_shared(kind: Kind, design: Design) -> bool:
    """Return whether a piece is not one of every player."""
    return not kind.per_player or "owner" in design.facts


def worked_out(op: str, left: int | None, right: int | None) -> int | None:
    """Return what two numbers make; None where that is not known."""
    if op not in _OPERATORS or left is None or right is None or (op in ("div", "mod") and right == 0):
        return None
    return int(_OPERATORS[op](left, right))
