"""Find places in which no piece can ever lie, although rules take from them or look at what lies there.

Pieces begin in places, or in the box, and effects bring them on. A place is filled when a piece begins there, or when
an effect brings one from a place that is filled. Where the origin of a moved piece is not known, or may be the box, it
counts as filled; so piles that only feed each other are found, and nothing is told that could be right.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of, conditions_outside, inside
from patolli.check.lints.usage import WORD
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Program
from patolli.language.program.node import Node, walk
from patolli.language.sources import texts

Places = frozenset[str]
Origin = Places | None
"""The places that something may come from; None where that is not known."""
_PICKING = ("first", "lowest", "highest", "only", "list", "sorted", "distinct")


@check("P0451")
def never_filled(reviewed: Reviewed) -> Iterator[Problem]:
    """Find places where no piece begins and to which nothing brings one; of those of one kind, the first."""
    program = reviewed.program
    left_out = {word for tree in program.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    known, taken = _find_filled_places(program) | left_out, set(_taken_from(program))
    told: set[str] = set()
    for name, place in program.places.items():
        if name in known or name not in taken or place.of in told or not _in_play(reviewed, place.of):
            continue
        if reviewed.may_report_unused("places", name):
            if not any(other in known for other, one in program.places.items() if one.of == place.of):
                told.add(place.of)  # none of these places is filled, for one reason
            text = f"nothing ever lies in {name!r}"
            help_ = "move pieces there, or say 'place' where the pieces are declared"
            yield Problem("P0451", text, place.span, help_, (), "warning")


def _in_play(reviewed: Reviewed, kind: str) -> bool:
    """Tell whether some piece of a kind comes into play; where none does, that is the mistake."""
    usage = reviewed.usage
    designs = reviewed.program.kinds[kind].designs
    return any(one.place is not None or kind in usage.all or usage.uses("piece", one.id) for one in designs)


def _find_filled_places(program: Program) -> set[str]:
    """Return the places in which pieces may lie."""
    found = {design.place.place for design in program.designs.values() if design.place is not None}
    origins = _Origins(program)
    ways: list[tuple[str, Origin]] = []
    for block in blocks_of(program):
        for node in walk(block):
            match node:
                case e.Move(what=what, to=to):
                    ways.append((to.place, origins.of(what)))
                case e.Draw(source=source, to=to) | e.Refill(source=source, row=to):
                    ways.append((to.place, frozenset({source.place})))
    while new := {to for to, origin in ways if to not in found and (origin is None or origin & found)}:
        found |= new
    return found


class _Origins:
    """Says of an expression from which places the pieces come that it gives."""

    def __init__(self, program: Program) -> None:
        self.sources: dict[Variable, list[x.Expr | None]] = {}
        self._open: set[Variable] = set()
        for rule in program.rules.values():
            for node in walk(rule.block):
                self._record_sources(program, node)

    def _record_sources(self, program: Program, node: Node) -> None:
        match node:
            case e.For() | e.Choose() | e.Option() | x.Quantifier():
                for binder in node.binders:
                    self.sources.setdefault(binder.variable, []).append(binder.source)
            case e.Let(variable=variable, value=value) | e.Random(variable=variable, source=value):
                self.sources.setdefault(variable, []).append(value)
            case e.Set(target=x.Local(variable=variable), value=value):
                self.sources.setdefault(variable, []).append(value)
            case e.CallRule(rule=name, arguments=arguments, into=into):
                for parameter, argument in zip(program.rules[name].parameters, arguments, strict=False):
                    self.sources.setdefault(parameter, []).append(argument)
                if into is not None:
                    self.sources.setdefault(into, []).append(None)

    def of(self, expr: x.Expr | None) -> Origin:
        """Return the places that pieces come from."""
        match expr:
            case x.Held(place=name) | x.RowSpot(place=name):
                return frozenset({name})
            case x.Local(variable=variable):
                return self._of_variable(variable)
            case x.BuiltinCall(among=x.Expr() as inner) | x.ItemAt(of=inner):
                return self.of(inner)
            case x.Whole(op=op, of=inner) if op in _PICKING:
                return self.of(inner)
            case x.Quantifier(op=op, value=None) if op in _PICKING:
                return self.of(expr.binders[-1].source)
            case x.IfElse(then=one, other=two) | x.Default(left=one, right=two):
                return _both(self.of(one), self.of(two))
        return None

    def _of_variable(self, variable: Variable) -> Origin:
        if variable in self._open:
            return frozenset()
        sources = self.sources.get(variable)
        if not sources:
            return None
        self._open.add(variable)
        found: Origin = frozenset()
        for source in sources:
            found = _both(found, self.of(source))
        self._open.discard(variable)
        return found


def _both(one: Origin, other: Origin) -> Origin:
    return None if one is None or other is None else one | other


def _taken_from(program: Program) -> Iterator[str]:
    """Yield the places from which rules take pieces or at whose pieces they look; a place may be counted in vain."""
    blocks = (effect for block in blocks_of(program) for effect in block)
    functions = (function.body for function in program.functions.values())
    for node in _walk(*blocks, *functions, *conditions_outside(program)):
        match node:
            case x.Held(place=name) | x.RowSpot(place=name):
                yield name
            case e.Draw(source=source) | e.Refill(source=source):
                yield source.place


def _walk(*roots: Node) -> Iterator[Node]:
    """Yield the nodes of some trees, without places of which only the pieces are counted."""
    open_ = list(roots)
    while open_:
        here = open_.pop()
        yield here
        open_ += inside(here)
