"""Find places in which no piece can ever lie, although rules take from them or look at what lies there.

Pieces begin in places, or in the box, and effects bring them on. A place is filled when a piece begins there, or when
an effect brings one from a place that is filled. Where the origin of a moved piece is not known, or may be the box, it
counts as filled; so piles that only feed each other are found, and nothing is reported that could be right.
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

Spring = str | Variable | None
"""What a piece comes from: a place, or a variable that stands for it; None where that is not known."""
_PICKING = ("first", "lowest", "highest", "only", "list", "sorted", "distinct")


@check("P0451")
def never_filled(reviewed: Reviewed) -> Iterator[Problem]:
    """Find places where no piece begins and to which nothing brings one; of those of one kind, the first."""
    program = reviewed.program
    left_out = {word for tree in program.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    known, taken = _find_filled_places(program) | left_out, set(_taken_from(program))
    reported: set[str] = set()
    for name, place in program.places.items():
        if name in known or name not in taken or place.of in reported or not _in_play(reviewed, place.of):
            continue
        if reviewed.may_report_unused("places", name):
            if not any(other in known for other, one in program.places.items() if one.of == place.of):
                reported.add(place.of)  # none of these places is filled, for one reason
            text = f"{name!r} is always empty"
            help_ = "move pieces there, or write 'place' where the pieces are declared"
            yield Problem("P0451", text, place.span, help_, (), "warning")


def _in_play(reviewed: Reviewed, kind: str) -> bool:
    """Return whether some piece of a kind comes into play; where none does, that is the mistake."""
    usage = reviewed.usage
    designs = reviewed.program.kinds[kind].designs
    return any(one.place is not None or kind in usage.all or usage.uses("piece", one.id) for one in designs)


def _find_filled_places(program: Program) -> set[Spring]:
    """Return the places in which pieces may lie, with the variables that may stand for these."""
    leads: dict[Spring, list[Spring]] = {}
    for to, origins in _list_ways(program):
        for origin in origins:
            leads.setdefault(origin, []).append(to)
    given = {to for targets in leads.values() for to in targets}
    unknown = [spring for spring in leads if isinstance(spring, Variable) and spring not in given]
    found: set[Spring] = {design.place.place for design in program.designs.values() if design.place is not None}
    found.update((None, *unknown))
    open_ = list(found)
    while open_:
        new = set(leads.get(open_.pop(), ())) - found
        found |= new
        open_ += new
    return found


def _list_ways(program: Program) -> Iterator[tuple[Spring, list[Spring]]]:
    """Yield what pieces come to, with what they come from."""
    for block in blocks_of(program):
        for node in walk(block):
            match node:
                case e.Move(what=what, to=to):
                    yield to.place, _origins(what)
                case e.Draw(source=source, to=to) | e.Refill(source=source, row=to):
                    yield to.place, [source.place]
                case e.For() | e.Choose() | e.Option() | x.Quantifier():
                    for binder in node.binders:
                        yield binder.variable, _origins(binder.source)
                case e.Let(variable=variable, value=value) | e.Random(variable=variable, source=value):
                    yield variable, _origins(value)
                case e.Set(target=x.Local(variable=variable), value=value):
                    yield variable, _origins(value)
                case e.CallRule(rule=name, arguments=arguments, into=into):
                    for parameter, argument in zip(program.rules[name].parameters, arguments, strict=False):
                        yield parameter, _origins(argument)
                    if into is not None:
                        yield into, [None]


def _origins(expr: x.Expr | None) -> list[Spring]:
    """Return what the pieces come from that an expression gives."""
    match expr:
        case x.Held(place=name) | x.RowSpot(place=name):
            return [name]
        case x.Local(variable=variable):
            return [variable]
        case x.BuiltinCall(among=x.Expr() as inner) | x.ItemAt(of=inner):
            return _origins(inner)
        case x.Whole(op=op, of=inner) if op in _PICKING:
            return _origins(inner)
        case x.Quantifier(op=op, value=None) if op in _PICKING:
            return _origins(expr.binders[-1].source)
        case x.IfElse(then=one, other=two) | x.Default(left=one, right=two):
            return _origins(one) + _origins(two)
    return [None]


def _taken_from(program: Program) -> Iterator[str]:
    """Yield the places whose pieces rules take or look at; some may be counted without need."""
    blocks = (effect for block in blocks_of(program) for effect in block)
    functions = (function.body for function in program.functions.values())
    for node in _walk(*blocks, *functions, *conditions_outside(program)):
        match node:
            case x.Held(place=name) | x.RowSpot(place=name):
                yield name
            case e.Draw(source=source) | e.Refill(source=source):
                yield source.place


def _walk(*roots: Node) -> Iterator[Node]:
    """Yield the nodes of some trees, without places whose pieces are only counted."""
    open_ = list(roots)
    while open_:
        here = open_.pop()
        yield here
        open_ += inside(here)
