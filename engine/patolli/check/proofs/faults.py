"""See that nothing fails while a match runs: each way in which a node may fail, with the proof that it does not.

What fails whenever a match comes to it is an error; where it is only not proven that it holds, the problem is open.

In:     an effect or expression, and the facts at its place.
Out:    nothing but problems.
Errors: P0414 a division by 0, P0415 an index beyond a list or row, P0416 a spot that may be taken, P0417 a number
        beyond the range of its field, P0418 a draw at random from nothing, P0420 a number that would be taken for none,
        P0486 a look ahead with what may be impossible, P0487 the greatest of what may be nothing,
        P0491 the only item of a list that may have none or several.

Which nodes may fail, and in which part, is said by their declarations; ``PROOFS`` holds a proof for each kind of node
and fault, and the module cannot be imported while one lacks. The length of a list is left to the step budget. Parts of
an expression are looked at where they are computed: the second part of ``and`` only where the first holds, what a
quantifier collects only where its condition does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from patolli.check.proofs.demands import open_problem
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import Interval, exactly
from patolli.check.proofs.prover import Prover
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Items, Program, Table, Value
from patolli.language.program.node import (
    DECLARED,
    Ahead,
    Bounds,
    Division,
    Empty,
    Fault,
    Index,
    Length,
    Node,
    Single,
    Spot,
    children,
    declaration,
)

Report = Callable[[Problem], None]
Proof = Callable[["Faults", Any, Any, Facts], "Problem | None"]
"""What looks at a node, at the part of it that may fail, and at what is known there."""
PROOFS: dict[tuple[type[Node], Fault], Proof] = {}
"""The proof for each kind of node and way to fail."""
LEFT_TO_BUDGET = (Length,)
"""Faults without a proof: the step budget ends them while a match runs."""
P = TypeVar("P", bound=Proof)


def proves(fault: Fault, *kinds: type[Node]) -> Callable[[P], P]:
    """Enter a proof for some kinds of nodes that declare a fault."""

    def register_proof(proof: P) -> P:
        PROOFS.update({(kind, fault): proof for kind in kinds})
        return proof

    return register_proof


def see_that_all_have_proofs() -> None:
    """Compare the proofs with what kinds of nodes declare.

    Raises:
        TypeError: A kind may fail in a way for which there is no proof, or there is a proof that no kind needs.
    """
    declared = {(kind, fault) for kind, one in DECLARED.items() for fault in one.faults}
    needed = {(kind, fault) for kind, fault in declared if not isinstance(fault, LEFT_TO_BUDGET)}
    for kind, fault in needed ^ PROOFS.keys():
        words = "has no proof" if (kind, fault) in needed else "is proved, but not declared"
        raise TypeError(f"{fault!r} of {kind.__qualname__} {words}")


class Faults:
    """Looks at the nodes of one program."""

    def __init__(self, prover: Prover, report: Report) -> None:
        self.prover, self.domain, self.report = prover, prover.domain, report
        self._failing: dict[int, tuple[Node, bool]] = {}
        self._meant: set[int] = set()  # numbers that say what they are for an empty list
        self.later = any(pack.language > 1 for pack in prover.program.composition.packs)

    def may_fail(self, node: Node) -> bool:
        """Return whether a node, or something inside it, may fail at all; kept, because it is asked at every level."""
        known = self._failing.get(id(node))
        if known is None:
            own = any((type(node), fault) in PROOFS for fault in declaration(node).faults)
            own = own or _may_be_none(node) or self._of_a_list(node) or isinstance(node, x.Promised)
            known = self._failing[id(node)] = node, own or any(map(self.may_fail, children(node)))
        return known[1]

    def effect(self, effect: e.Effect, facts: Facts) -> None:
        """Look at one effect and its own expressions; blocks inside it are followed elsewhere."""
        if not self.may_fail(effect):
            return
        inner = facts
        for child in children(effect):
            if isinstance(child, x.Binder):
                self.expression(child.source, inner)
                inner = inner.copy()
                self.prover.take(child.variable, child.source, inner)
            elif isinstance(child, x.Expr):
                self.expression(child, inner)
            elif isinstance(child, e.Item | e.PlaceAt):
                self._parts(child, inner)
                self._look(child, inner)
            elif isinstance(child, e.Option):
                self._option(child, facts)
        self._look(effect, facts)

    def _option(self, option: e.Option, facts: Facts) -> None:
        inner = facts
        for binder in option.binders:
            self.expression(binder.source, inner)
            inner = inner.copy()
            self.prover.take(binder.variable, binder.source, inner)

    def _parts(self, node: Node, facts: Facts) -> None:
        for child in children(node):
            if isinstance(child, x.Expr):
                self.expression(child, facts)

    def expression(self, expr: x.Expr, facts: Facts) -> None:
        """Look at an expression."""
        if facts.dead or not self.may_fail(expr):
            return
        match expr:
            case x.Logic():
                self.expression(expr.left, facts)
                if self.may_fail(expr.right):
                    self.expression(expr.right, facts.assuming(expr.left, expr.op == "and"))
            case x.IfElse():
                if expr.condition.span == expr.then.span:  # ``max(..) or 0``
                    self._meant.add(id(expr.then))
                self.expression(expr.condition, facts)
                if self.may_fail(expr.then) or self.may_fail(expr.other):
                    self.expression(expr.then, facts.assuming(expr.condition))
                    self.expression(expr.other, facts.assuming(expr.condition, False))
            case x.Quantifier():
                self._quantifier(expr, facts)
            case x.Naming():
                self._naming(expr, facts)
            case x.Promised():
                self.expression(expr.condition, facts)
                self.promise(expr, facts)
                self.expression(expr.value, facts.assuming(expr.condition))
            case x.Cut():
                self.expression(expr.binder.source, facts)
                inner = facts.copy()
                self.prover.take(expr.binder.variable, expr.binder.source, inner)
                self.expression(expr.where, inner)
            case x.After():
                for part in (expr.me, *expr.arguments, *(one.source for one in expr.given)):
                    self.expression(part, facts)
                self.expression(expr.value, facts.behind(expr))
            case _:
                self._parts(expr, facts)
        self._look(expr, facts)

    def _naming(self, expr: x.Naming, facts: Facts) -> None:
        inner = facts.copy()
        for given in expr.given:
            self.expression(given.source, inner)
            inner.name(given.variable, given.source)
        self.expression(expr.value, inner)

    def _quantifier(self, expr: x.Quantifier, facts: Facts) -> None:
        inner = facts
        for binder in expr.binders:
            self.expression(binder.source, inner)
            inner = inner.copy()
            self.prover.take(binder.variable, binder.source, inner)
        if expr.where is not None:
            self.expression(expr.where, inner)
            inner = inner.assuming(expr.where)
        for part in (expr.value, expr.by):
            if part is not None:
                self.expression(part, inner)

    def _look(self, node: Node, facts: Facts) -> None:
        for fault in declaration(node).faults:
            proof = PROOFS.get((type(node), fault))
            problem = proof(self, node, getattr(node, fault.part), facts) if proof is not None else None
            if problem is not None:
                self.report(problem)
        if _may_be_none(node):
            self._check_below_zero(node, facts)
        if isinstance(node, x.Quantifier | x.Whole) and self._of_a_list(node) and id(node) not in self._meant:
            self._of_nothing(node, facts)

    def _of_a_list(self, node: Node) -> bool:
        """Return whether a number is the greatest or least of a list, in a text that has to say what nothing gives."""
        greatest = isinstance(node, x.Quantifier | x.Whole) and node.op in ("min", "max")
        return greatest and self.later and self.prover.program.composition.language_of(node.span.path) > 1

    def _of_nothing(self, node: x.Quantifier | x.Whole, facts: Facts) -> None:
        """Return where the list of a greatest or least number may be empty."""
        if isinstance(node, x.Whole):
            some = self.prover.is_nonempty(node.of, facts)
        else:
            some = self.prover.some(node.binders, [node.where] if node.where is not None else [], facts)
        if not some:
            word = "greatest" if node.op == "max" else "least"
            what = f"there may be nothing here, and then the {word} is 0"
            help_ = f"write '{node.op}(..) or 0' if that is meant"
            self.report(Problem("P0487", what, node.span, help_, severity="warning"))

    def promise(self, promise: e.Expect | x.Promised, facts: Facts) -> None:
        """See that a promise is neither needless nor wrong, and stands where something may be promised."""
        if not self.prover.program.composition.is_open:
            what, help_ = (
                "with 'proofs: full' nothing can be promised",
                "test it with 'if', or leave out 'proofs: full'",
            )
            self.report(Problem("P0488", what, promise.span, help_))
        elif self.prover.fails(promise.condition, facts):
            help_ = "promise a condition that is true whenever a match reaches this line"
            self.report(Problem("P0489", "this promise is always false", promise.span, help_))
        elif self.prover.holds(promise.condition, facts):
            what = "this is always true, so it needs no promise"
            self.report(Problem("P0490", what, promise.span, "leave the promise out", severity="warning"))

    def _check_below_zero(self, node: Node, facts: Facts) -> None:
        """A number that stands where there may be none is not below 0: such a one would be taken for none."""
        found: list[tuple[x.Expr, Interval | None]] = []
        match node:
            case x.Quantifier() | x.Whole():
                found = [(node, self.domain.number(node, facts))]
            case x.IfElse():
                ways = (
                    (node.then, facts.assuming(node.condition)),
                    (node.other, facts.assuming(node.condition, False)),
                )
                found = [(way, self.domain.number(way, known)) for way, known in ways if way.type == ty.INT]
            case e.Choose():
                items = [(one, self.domain.of(one, facts).item) for one in _numbers_or_none(node)]
                found = [(source, item.number if item is not None else None) for source, item in items]
            case e.Set():
                found = [(node.value, self.domain.number(node.value, facts))]
        for part, number in found:
            if number is None or number.low is None or number.low < 0:
                what = "this may be below 0, and could not be distinguished from none"
                self.report(Problem("P0420", what, part.span, "keep it at 0 or above with 'max', or count from 0"))

    # -- one proof for each way to fail

    @proves(Division("right"), x.Arithmetic)
    def division(self, node: x.Arithmetic, divisor: x.Expr, facts: Facts) -> Problem | None:
        """A divisor is not 0."""
        if node.op not in ("div", "mod"):
            return None
        self.prover.note_demand("P0414", node)
        if 0 not in self.domain.number(divisor, facts):
            return None
        other = x.Compare("!=", divisor, _zero(divisor), type=ty.BOOL, span=divisor.span)
        if self.prover.holds(other, facts):
            return None
        help_ = "test it first, as in '.. if n > 0 else 0'"
        if self.prover.fails(other, facts):
            return Problem("P0414", "this is 0, and nothing can be divided by it", divisor.span, help_)
        return open_problem("P0414", "this may be 0, and nothing can be divided by it", divisor.span, help_)

    @proves(Index("spot"), x.RowSpot)
    def spot_of_row(self, node: x.RowSpot | e.PlaceAt, index: x.Expr, facts: Facts) -> Problem | None:
        """The number of a spot lies inside its row."""
        self.prover.note_demand("P0415", node)
        found, size = self.prover.program.places[node.place].size, self.domain.declared.row(node.place)
        if found is not None and facts.proves(found, index, 1) and facts.proves(index, _zero(index), 0):
            return None
        bounds = self.domain.number(index, facts)
        return None if _is_inside(bounds, size) else self._beyond("row", size, index, bounds)

    @proves(Index("indices"), e.PlaceAt)
    def place(self, node: e.PlaceAt, indices: tuple[x.Expr, ...], facts: Facts) -> Problem | None:
        """The last index of a place lies inside its row."""
        if node.sort != "spot" or self.prover.program.places[node.place].type != "row":
            return None
        return self.spot_of_row(node, indices[-1], facts)

    @proves(Index("index"), x.ItemAt)
    def item(self, node: x.ItemAt, index: x.Expr, facts: Facts) -> Problem | None:
        """An index lies inside its list."""
        self.prover.note_demand("P0415", node)
        size = self.domain.length(node.of, facts)
        counted = x.BuiltinCall("size", (node.of,), type=ty.INT, span=node.span)
        if facts.proves(counted, index, 1) and facts.proves(index, _zero(index), 0):
            return None
        bounds = self.domain.number(index, facts)
        if _is_inside(bounds, size) or self._inside_constants(node, bounds, facts):
            return None
        if bounds.only == 0 and self.prover.is_nonempty(node.of, facts):
            return None
        return self._short(node, index, bounds) or self._beyond("list", size, index, bounds)

    def _inside_constants(self, node: x.ItemAt, bounds: Interval, facts: Facts) -> bool:
        """Return whether an index lies inside every list of a constant that is meant: rows may differ in length."""
        lists = self._of_constant(node.of, facts)
        return bool(lists) and all(isinstance(one, Items) and bounds.within(Interval(0, len(one) - 1)) for one in lists)

    def _of_constant(self, of: x.Expr, facts: Facts) -> list[Value]:
        """Return what an expression may stand for in a constant as it is written; fewer where indices are known."""
        match of:
            case x.ConstantNamed():
                return _rows(self.prover.program.constants[of.name].value)
            case x.ItemAt():
                at, found = self.domain.number(of.index, facts).only, list[Value]()
                for one in self._of_constant(of.of, facts):
                    if not isinstance(one, Items):
                        return []
                    inner = [one[at]] if at is not None and 0 <= at < len(one) else one
                    found += [row for value in inner for row in _rows(value)]
                return found
        return []

    def _beyond(self, what: str, size: Interval, index: x.Expr, bounds: Interval) -> Problem:
        if what == "row":
            help_ = "keep it below the size of the row"
        elif size.only is None:
            help_ = "test it first, as in 'if i < size(..)'"
        else:
            help_ = "make the list longer, or keep the index inside it"
        message = _of_index(what, "spot" if what == "row" else "item", size, bounds)
        if _is_beyond(bounds, size):
            return Problem("P0415", message, index.span, help_)
        return open_problem("P0415", message, index.span, help_)

    def _short(self, node: x.ItemAt, index: x.Expr, bounds: Interval) -> Problem | None:
        """Return the problem of the one list that is too short where others are long enough."""
        lists = _find_literal_lists(self.prover.program, node.of)
        low, high = bounds.low, bounds.high
        if low is None or high is None or low < 0 or not any(len(one) > high for one in lists):
            return None
        short = next((one for one in lists if len(one) <= high), None)
        if short is None:  # where no list is written, something else is looked up
            return None
        message = _of_index("list", "item", exactly(len(short)), bounds).replace("the list", "this list", 1)
        also = ((index.span, "it is looked up here"),)
        return open_problem("P0415", message, short.span, f"make the list longer, up to {high + 1}", also)

    @proves(Single("of"), x.Whole)
    def single(self, node: x.Whole, of: x.Expr, facts: Facts) -> Problem | None:
        """A list has exactly one item when its only item is taken."""
        if node.op != "only":
            return None
        self.prover.note_demand("P0491", node)
        length = self.domain.length(of, facts)
        if length.only == 1 or any(self.prover.holds(one, facts) for one in _say_one(of)):
            return None
        help_ = "test it first, as in 'if size(..) == 1', or take 'first(..)', which may be none"
        if (empty := self.prover.empty(of, facts)) or (length.low or 0) > 1:
            found = "nothing" if empty else "more than one item"
            return Problem("P0491", f"there is {found} here, and 'only' takes the single item", node.span, help_)
        return open_problem(
            "P0491", "there may be none or several here, and 'only' takes the single item", node.span, help_
        )

    @proves(Ahead("rule"), x.After)
    def ahead(self, node: x.After, rule: str, facts: Facts) -> Problem | None:
        """A rule that is looked ahead at is possible."""
        self.prover.note_demand("P0486", node)
        asked = x.Can(rule, node.me, node.arguments, type=ty.BOOL, span=node.span)
        if self.prover.holds(asked, facts):
            return None
        help_ = f"test it first: 'can({rule}(..)) and after({rule}(..), ..)'"
        if self.prover.is_impossible(node, facts):
            return Problem("P0486", f"{rule!r} is impossible here", node.span, help_)
        return open_problem("P0486", f"{rule!r} may be impossible here", node.span, help_)

    @proves(Spot("to"), e.Move)
    def spot(self, node: e.Move, to: e.PlaceAt, facts: Facts) -> Problem | None:
        """A spot is free when a piece is moved to it."""
        if to.sort != "spot":
            return None
        self.prover.note_demand("P0416", node)
        place = self.prover.program.places[to.place]
        piece = ty.Maybe(ty.Ref(node.kind))
        held: x.Expr
        if place.type == "row":
            *outer, last = to.indices
            held = x.RowSpot(place.name, node.kind, tuple(outer), last, type=piece, span=node.span)
        else:
            held = x.Held(place.name, node.kind, to.indices, type=piece, span=node.span)
        taken = x.Present(held, type=ty.BOOL, span=node.span)
        if self.prover.fails(taken, facts):
            return None
        help_ = "test it first, as in 'if not place(..)', or 'choose .. where not place(..)'"
        if self.prover.holds(taken, facts):
            return Problem(
                "P0416", f"there is a piece here already, and {place.name!r} has room for one", to.span, help_
            )
        return open_problem(
            "P0416", f"there may be a piece here already, and {place.name!r} has room for one", to.span, help_
        )

    @proves(Bounds("value"), e.Set)
    def bounds(self, node: e.Set, value: x.Expr, facts: Facts) -> Problem | None:
        """A number lies in the range of its field."""
        if not isinstance(node.target, x.FieldOf):
            return None
        attribute = self.prover.program.kinds[node.target.kind].fields[node.target.field]
        if attribute.low is None or attribute.high is None:
            return None
        self.prover.note_demand("P0417", node)
        bounds, wanted = self.domain.number(value, facts), Interval(attribute.low, attribute.high)
        if bounds.within(wanted):
            return None
        help_ = f"keep it inside, as in 'min({attribute.high}, ..)' or 'max({attribute.low}, ..)', or test it first"
        message = (
            f"{attribute.name!r} goes from {attribute.low} to {attribute.high}, and this {_describe_bounds(bounds)}"
        )
        also = ((attribute.span, "declared here"),)
        if _is_outside(bounds, wanted):
            return Problem("P0417", message, value.span, help_, also)
        return open_problem("P0417", message, value.span, help_, also)

    @proves(Bounds("of"), x.Ranged)
    def argument(self, node: x.Ranged, of: x.Expr, facts: Facts) -> Problem | None:
        """A number lies between the bounds of the parameter that it is given to."""
        self.prover.note_demand("P0417", node)
        bounds, wanted = self.domain.number(of, facts), Interval(node.low, node.high)
        if bounds.within(wanted):
            return None
        help_ = f"keep it inside, as in 'min({node.high}, ..)' or 'max({node.low}, ..)', or test it first"
        message = f"{node.name!r} goes from {node.low} to {node.high}, and this {_describe_bounds(bounds)}"
        if _is_outside(bounds, wanted):
            return Problem("P0417", message, of.span, help_)
        return open_problem("P0417", message, of.span, help_)

    @proves(Empty("source"), e.Random)
    def empty(self, node: e.Random, source: x.Expr, facts: Facts) -> Problem | None:
        """There is something to draw at random from; where the variable may be none, nothing is needed."""
        if isinstance(node.variable.type, ty.Maybe):
            return None
        self.prover.note_demand("P0418", node)
        if isinstance(source, x.Instances) or self.prover.is_nonempty(source, facts):
            return None  # the variable of a kind that some match has nothing of may be none
        if self.domain.length(source, facts).high == 0:
            return Problem("P0418", "there is nothing here to draw from", source.span, "test it first, with 'if'")
        return open_problem("P0418", "there may be nothing here to draw from", source.span, "test it first, with 'if'")


see_that_all_have_proofs()


def _is_inside(index: Interval, size: Interval) -> bool:
    """Return whether an index lies inside everything that has such a size."""
    return index.within(Interval(0, (size.low or 0) - 1))


def _is_beyond(index: Interval, size: Interval) -> bool:
    """Return whether an index lies outside of everything that has such a size."""
    if size.high is None:
        return index.high is not None and index.high < 0
    return size.high == 0 or _is_outside(index, Interval(0, size.high - 1))


def _is_outside(number: Interval, wanted: Interval) -> bool:
    """Return whether all that a number may be lies below or above a range."""
    below = number.high is not None and wanted.low is not None and number.high < wanted.low
    return below or (number.low is not None and wanted.high is not None and number.low > wanted.high)


def counts_one(of: x.Expr) -> x.Expr:
    """Return the condition that a list has exactly one item."""
    return _is_one(x.BuiltinCall("size", (of,), type=ty.INT, span=of.span))


def _say_one(of: x.Expr) -> Iterator[x.Expr]:
    """Yield conditions; each alone says that a list has exactly one item."""
    yield counts_one(of)
    yield _is_one(x.Whole("count", of, type=ty.INT, span=of.span))
    if isinstance(of, x.Quantifier) and of.op == "list":
        yield _is_one(replace(of, op="count", value=None, type=ty.INT))


def _is_one(number: x.Expr) -> x.Expr:
    return x.Compare("==", number, x.Number(1, type=ty.INT, span=number.span), type=ty.BOOL, span=number.span)


def _zero(at: x.Expr) -> x.Expr:
    return x.Number(0, type=ty.INT, span=at.span)


def _find_literal_lists(program: Program, of: x.Expr) -> list[Items]:
    """Return the lists that an expression may give, as they are written in constants and facts; nothing for others."""
    match of:
        case x.ConstantNamed():
            return _lists(program.constants[of.name].value)
        case x.FactOf():
            found = [design.facts.get(of.fact) for design in program.kinds[of.kind].designs]
            return [one for value in found for one in _lists(value)]
        case x.ItemAt():
            return [inner for one in _find_literal_lists(program, of.of) for value in one for inner in _lists(value)]
    return []


def _lists(value: Value) -> list[Items]:
    match value:
        case Items():
            return [value]
        case Table():
            return [one for row in value.rows.values() for one in _lists(row)]
    return []


def _rows(value: Value) -> list[Value]:
    """Return all that may stand in the place of a table; other values as they are."""
    return [one for row in value.rows.values() for one in _rows(row)] if isinstance(value, Table) else [value]


def _describe_bounds(bounds: Interval) -> str:
    if bounds.only is not None:
        return f"is {bounds.only}"
    low = "anything" if bounds.low is None else str(bounds.low)
    if bounds.high is None:
        return "may be anything" if bounds.low is None else f"may be {low} or more"
    return f"may be up to {bounds.high}" if bounds.low is None else f"may be {low} to {bounds.high}"


def _of_index(what: str, item: str, size: Interval, index: Interval) -> str:
    """Say that an index may lie beyond a list or row, as people count who begin with 0."""
    least, only = size.low or 0, index.only
    if only is not None and only < 0:
        return f"the index is {only}, and the first {item} of a {what} has the index 0"
    if size.only == 0:
        return f"the {what} is empty, and this takes {ty.article(item)} of it"
    if size.only is None and only == 0:
        return f"the {what} may be empty, and this takes its first {item} (index 0)"
    if size.only is None and only is not None:
        return f"the {what} may have fewer than {only + 1} {item}s, and this takes {item} {only}, counted from 0"
    if size.only is None and not least:
        return f"the {what} may be empty or too short for this index, which {_describe_bounds(index)}"
    counted = f"{least} {item if least == 1 else item + 's'}"
    counted = counted if size.only is not None else f"at least {counted}"
    last = "" if least < 1 else " (index 0)" if least == 1 else f" (index 0 to {least - 1})"
    return f"the {what} has {counted}{last}; the index {_describe_bounds(index)}"


def _may_be_none(node: Node) -> bool:
    """Return whether a number stands here that may be none, too."""
    match node:
        case x.Quantifier() | x.Whole() | x.IfElse():
            return node.type == ty.Maybe(ty.INT)
        case e.Choose():
            return bool(_numbers_or_none(node))
        case e.Set():
            return node.target.type == ty.Maybe(ty.INT) and node.value.type == ty.INT
    return False


def _numbers_or_none(effect: e.Choose) -> list[x.Expr]:
    """Return the lists of numbers from which none may be taken."""
    numbers = [one for one in effect.binders if one.source.type == ty.Seq(ty.INT)]
    return [one.source for one in numbers if one.variable.type == ty.Maybe(ty.INT)]
