"""Find the numbers that an expression may give, and how long a list may be, from declarations and facts.

In:     an expression, and the facts that hold where it stands.
Out:    a :class:`Range` that covers every value in every match: any number of seats, any value of an option.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import product
from operator import add, mul, sub

from patolli.check.proofs.declared import Declared
from patolli.check.proofs.intervals import ANY, UNKNOWN, Interval, Range, exactly, join_ranges
from patolli.check.proofs.known import NO_FACTS, Bound, Known
from patolli.check.proofs.terms import spelt_out, substitute_variables
from patolli.kernel import geometry
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.calls import find_circular, inner_first
from patolli.language.program.model import Design, Program
from patolli.language.program.node import walk

DEEP = 12
"""How many functions may stand inside each other before their values count as unknown."""
LONGEST = 4_000
"""Nodes that a function may consist of when the functions that it calls are written out, and those that they call."""
EVALUATED = 50_000
"""Calls of functions that are evaluated for one program before the values of others count as unknown. The largest game
with its modules takes 1,600; calls inside each other double them with each level."""
WRITTEN_OUT = 200_000
"""Nodes of functions that are written out for one program before the values of further calls count as unknown."""
ALL_KINDS_OF_CELLS = 3
"""Rows, and columns, of a grid in which cells have as many neighbors as in any larger one: a cell lies at the first
edge, at the last one, or between them."""


class Domain:
    """Answers for one program."""

    declares: type[Declared] = Declared
    """Questions about declarations."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.declared = self.declares(program, self.of)
        self._inlined: dict[int, tuple[x.FunctionCall, x.Expr | None]] = {}
        self.given: dict[x.Variable, Range] = {}
        self._depth = self._written_out = self._evaluated = 0
        self.forgotten = False
        """Whether something was left out of a proof since the current rule began, because there was too much of it."""

    # -- the door

    def number(self, expr: x.Expr, known: Known = NO_FACTS) -> Interval:
        """Return what a number may be."""
        return self.of(expr, known).number

    def length(self, expr: x.Expr, known: Known = NO_FACTS) -> Interval:
        """Return how long a list may be."""
        return self.of(expr, known).length

    def of(self, expr: x.Expr, known: Known = NO_FACTS) -> Range:
        """Return what an expression may give."""
        found = self._of(expr, known)
        reported = known.bounds(expr)
        return found if reported == ANY else Range(found.number.meet(reported), found.length, found.item)

    def never_negative(self, expr: x.Expr, known: Known = NO_FACTS) -> bool:
        """Return whether a number cannot be below 0."""
        low = self.number(expr, known).low
        return low is not None and low >= 0

    def _fact_of(self, expr: x.FactOf, known: Known) -> Range:
        """Return what a fact of a piece holds.

        A piece that is named is of one design, and so is `it` in an effect that stands on a piece. Where a match has no
        such piece, nothing is looked up.
        """
        of: x.Expr | None = expr.of
        design = self._it.get(of.variable) if isinstance(of, x.Local) else None
        if design is None and isinstance(of, x.Local):
            of = known.stands_for(of.variable)
        if isinstance(of, x.RecordOf):
            return self.of(of.get_value(expr.fact), known)
        if isinstance(of, x.Instance):
            design = self.find_design(of)
        if design is None or design.kind != expr.kind:
            return self.declared.fact(expr.kind, expr.fact)
        return self.declared.get_fact_range(design, expr.fact, self.program.kinds[expr.kind].facts[expr.fact])

    def find_design(self, piece: x.Instance) -> Design | None:
        """Return the design that a piece is made from; None where that is no piece, or its name might be of several."""
        kind, (head, _, number) = self.program.kinds[piece.kind], piece.id.rpartition("_")
        if kind.members is not None or kind.lays:
            return None
        bare = piece.id.rpartition(".")[2]
        names = {piece.id, bare, *((head, head.rpartition(".")[2]) if number.isdecimal() else ())}
        found = [design for design in kind.designs if design.id in names]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _it(self) -> dict[x.Variable, Design]:
        """The designs of the pieces that the effects in facts stand on, by the variable `it` of each."""
        rules, found = self.program.rules, {}
        for design in self.program.designs.values():
            for name in {rule for fact in design.facts for rule in self.program.rules_in(design, fact)}:
                if name in rules and rules[name].parameters:
                    found[rules[name].parameters[0]] = design
        return found

    # -- expressions

    def _of(self, expr: x.Expr, known: Known) -> Range:
        match expr:
            case x.Number():
                return Range(exactly(expr.value))
            case x.Seats():
                return Range(self.declared.seats)
            case x.CopyNumber():
                return Range(Interval(1, None))
            case x.OptionValue():
                option = self.program.options[expr.option]
                return Range(ANY if option.choices else Interval(option.low, option.high))
            case x.ConstantNamed():
                return self.declared.constant(expr.name)
            case x.FactOf():
                return self._fact_of(expr, known)
            case x.FieldOf():
                attribute = self.program.kinds[expr.kind].fields[expr.field]
                bounds = Range(Interval(attribute.low, attribute.high))
                return bounds if attribute.default is None else bounds.join(self.of(attribute.default))
            case x.CounterAt():
                return Range(self.declared.counter(expr.counter))
            case x.Have():
                return join_ranges(Range(self.declared.counter(name)) for name in expr.counters)
            case x.Local():
                meant, own = known.stands_for(expr.variable), known.range_of(expr.variable)
                found = self.of(meant, known) if meant is not None else self.given.get(expr.variable, UNKNOWN)
                return found if own is UNKNOWN else found.meet(own)
            case x.Ranged():
                return Range(self.number(expr.of, known).meet(Interval(expr.low, expr.high)))
            case x.Negative():
                return Range(-self.number(expr.of, known))
            case x.Arithmetic():
                return Range(self._evaluate_arithmetic(expr, known))
            case x.IfElse() if (holds := known.decide_condition(expr.condition)) is not None:
                return self.of(expr.then if holds else expr.other, known)
            case x.IfElse():
                then = self.of(expr.then, known.assuming(expr.condition))
                return then.join(self.of(expr.other, known.assuming(expr.condition, False)))
            case x.Default():
                return self.of(expr.left, known).join(self.of(expr.right, known))
            case x.FunctionCall():
                return self._call(expr, known)
            case x.Naming():
                written = spelt_out(expr)
                return UNKNOWN if written is expr else self.of(written, known)
            case x.Promised():
                return self.of(expr.value, known.assuming(expr.condition))
            case x.After():  # nothing that is known here need hold behind the rule
                return self.of(expr.value)
        return self._list(expr, known)

    def _evaluate_arithmetic(self, expr: x.Arithmetic, known: Known) -> Interval:
        work = {"+": add, "-": sub, "*": mul, "div": Interval.div, "mod": Interval.mod}[expr.op]
        found: Interval = work(self.number(expr.left, known), self.number(expr.right, known))
        return found

    def _call(self, call: x.FunctionCall, known: Known) -> Range:
        body = self.inline_call(call)
        if body is None or self._depth > DEEP:
            return UNKNOWN
        if self._evaluated >= EVALUATED:
            self.forgotten = True
            return UNKNOWN
        self._evaluated += 1
        self._depth += 1
        try:
            return self.of(body, known)
        finally:
            self._depth -= 1

    def inline_call(self, call: x.FunctionCall) -> x.Expr | None:
        """Return what a function computes for its arguments; None if it may call itself or is too long."""
        known = self._inlined.get(id(call))
        if known is None:
            known = self._inlined[id(call)] = call, self._inline(call)
        return known[1]

    def _inline(self, call: x.FunctionCall) -> x.Expr | None:
        function = self.program.functions.get(call.function)
        if function is None or function.name in self.recursive:
            return None
        if self._sizes[function.name] > LONGEST or self._written_out > WRITTEN_OUT:
            self.forgotten = True
            return None
        self._written_out += self._own_sizes[function.name]
        given = dict(zip(function.parameters, call.arguments, strict=False))
        return substitute_variables(spelt_out(function.body), {function.me: call.me, **given})

    @cached_property
    def _own_sizes(self) -> dict[str, int]:
        """How many nodes the body of each function has."""
        return {name: sum(1 for _ in walk(function.body)) for name, function in self.program.functions.items()}

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """How many nodes each function has when those that it calls are written out; those in circles count once."""
        sizes = dict(self._own_sizes)
        calls = {
            name: [n.function for n in walk(function.body) if isinstance(n, x.FunctionCall)]
            for name, function in self.program.functions.items()
        }
        for name in inner_first(calls)[0]:
            sizes[name] += sum(sizes.get(called, 0) for called in calls[name])
        return sizes

    @cached_property
    def recursive(self) -> frozenset[str]:
        """The functions that may call themselves."""
        calls = {
            name: [n.function for n in walk(f.body) if isinstance(n, x.FunctionCall)]
            for name, f in self.program.functions.items()
        }
        return frozenset(find_circular(calls))

    # -- lists

    def _list(self, expr: x.Expr, known: Known) -> Range:
        match expr:
            case x.Instances():
                return Range(length=self.declared.instances(expr.kind))
            case x.GroupNamed():
                return Range(length=exactly(len(self.program.groups[expr.group])))
            case x.ListOf():
                items = join_ranges(self.of(item, known) for item in expr.items) if expr.items else None
                return Range(length=exactly(len(expr.items)), item=items)
            case x.Range():
                low, high = self.number(expr.low, known), self.number(expr.high, known)
                length = (high - low + exactly(1)).greatest(exactly(0))
                return Range(length=length, item=Range(Interval(low.low, high.high)))
            case x.Held():
                return self._evaluate_held(expr)
            case x.Joined():
                left, right = self.of(expr.left, known), self.of(expr.right, known)
                filled = [one.item for one in (left, right) if one.length.high != 0]
                known_ = [one for one in filled if one is not None]
                of_both = join_ranges(known_) if known_ and len(known_) == len(filled) else None
                return Range(length=left.length + right.length, item=of_both)
            case x.Cut():
                of = self.of(expr.binder.source, known)
                least = min(of.length.low or 0, 1) if expr.through else 0
                return Range(length=Interval(least, of.length.high), item=of.item)
            case x.ItemAt():
                return self.of(expr.of, known).item or UNKNOWN
            case x.Quantifier():
                return self._evaluate_quantifier(expr, known)
            case x.Whole():
                return self._whole(expr, known)
            case x.BuiltinCall():
                return self._built_in(expr, known)
        return UNKNOWN

    def _evaluate_held(self, expr: x.Held) -> Range:
        place = self.program.places[expr.place]
        if place.type == "spot":
            return UNKNOWN
        most = self.declared.instances(place.of).high
        if place.type == "row":
            size = self.declared.row(place.name).high
            most = size if most is None else most if size is None else min(most, size)
        return Range(length=Interval(0, most))

    def _evaluate_quantifier(self, expr: x.Quantifier, known: Known) -> Range:
        length, inner = exactly(1), known
        for binder in expr.binders:
            source = self.of(binder.source, inner)
            length = length * source.length
            inner = Bound(inner, binder.variable, source.item or UNKNOWN)
        if expr.where is not None:
            length, inner = Interval(0, length.high), inner.assuming(expr.where)
        last = x.Local(expr.binders[-1].variable, type=expr.binders[-1].variable.type, span=expr.span)
        item = self.of(expr.value if expr.value is not None else last, inner)
        return self._summed_up(expr.op, item, length)

    def _whole(self, expr: x.Whole, known: Known) -> Range:
        of = self.of(expr.of, known)
        return self._summed_up(expr.op, of.item or UNKNOWN, of.length)

    def _summed_up(self, op: str, item: Range, length: Interval) -> Range:
        """Return what a quantifier gives that goes over so many items."""
        match op:
            case "count":
                return Range(length)
            case "sum":
                return Range(length * item.number) if length.high != 0 else Range(exactly(0))
            case "min" | "max":
                if length.high == 0:
                    return Range(exactly(0))
                return Range(item.number if length.low else item.number.join(exactly(0)))
            case "list" | "sorted":
                return Range(length=length, item=item)
            case "distinct":
                return Range(length=Interval(min(length.low or 0, 1), length.high), item=item)
            case "first" | "lowest" | "highest" | "only":
                return item
        return UNKNOWN

    def _built_in(self, expr: x.BuiltinCall, known: Known) -> Range:
        given = expr.arguments
        match expr.builtin:
            case "size":
                return Range(self.length(given[0], known))
            case "abs":
                return Range(self.number(given[0], known).absolute())
            case "min":
                return Range(self._extreme([self.number(g, known) for g in given], least=True))
            case "max":
                return Range(self._extreme([self.number(g, known) for g in given], least=False))
            case "number":
                type_ = ty.strip(given[0].type)
                return Range(
                    Interval(1, self.declared.instances(type_.kind).high if isinstance(type_, ty.Ref) else None)
                )
            case "position":
                high = self.length(given[0], known).high
                return Range(Interval(-1, None if high is None else high - 1))
            case "combinations":
                of, least, most = self.of(given[0], known), self.number(given[1], known), self.number(given[2], known)
                long = Interval(least.greatest(exactly(0)).low, most.least(of.length).high)
                high, least_most = least.high, of.length.least(most).low
                sure = high is not None and least_most is not None and max(high, 0) <= least_most
                return Range(length=Interval(1 if sure else 0, None), item=Range(length=long, item=of.item))
            case "take":
                of, most = self.of(given[0], known), self.number(given[1], known).greatest(exactly(0))
                return Range(length=of.length.least(most), item=of.item)
            case "others":
                return Range(length=self.declared.seats - exactly(1))
            case "turn_order":
                return Range(length=self.declared.seats)
        if expr.reordered_source is not None:
            return self.of(expr.reordered_source, known)
        if (source := expr.find_source_list("some")) is not None:
            of = self.of(source, known)
            return Range(length=Interval(0, of.length.high), item=of.item)
        return self._geometry(expr)

    @staticmethod
    def _extreme(given: list[Interval], *, least: bool) -> Interval:
        found = given[0]
        for other in given[1:]:
            found = found.least(other) if least else found.greatest(other)
        return found

    def _geometry(self, expr: x.BuiltinCall) -> Range:
        kind = self.program.kinds.get(expr.kind)
        grids = kind.grids if kind is not None and kind.grid else []
        match expr.builtin:
            case "adjacent" | "around" if grids:
                return join_ranges(Range(length=_neighbors(grid, expr.builtin)) for grid in grids)
            case "ray":
                return Range(length=Interval(0, max((side for grid in grids for side in grid[:2]), default=None)))
            case "placements" if kind is not None:
                shapes = self.program.shapes.values()
                ways = [len(geometry.placements(grid, shape)) for grid, shape in product(grids, shapes)]
                return Range(length=Interval(min(ways, default=0), max(ways, default=0)))
            case "owned":
                return Range(length=self.declared.count_owned_instances(expr.kind))
            case "reachable":
                return Range(length=Interval(1, self.declared.instances(expr.kind).high))
            case "path":
                return Range(length=Interval(0, self.declared.instances(expr.kind).high))
            case "distance":
                most = self.declared.instances(expr.kind).high
                return Range(Interval(0, None if most is None else most - 1))
        return UNKNOWN


@cache
def _neighbors(grid: tuple[int, ...], builtin: str) -> Interval:
    """Return how many cells lie beside one."""
    look = geometry.adjacent if builtin == "adjacent" else geometry.around
    rows, columns = (min(side, ALL_KINDS_OF_CELLS) for side in grid[:2])
    small = (rows, columns, *grid[2:])
    sizes = [len(look(small, cell)) for cell in range(rows * columns)]
    return Interval(min(sizes), max(sizes))
