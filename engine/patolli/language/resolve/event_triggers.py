"""Triggers that follow what happens to a counter or to pieces: ``after: gain coin``, ``after: move card to hand``.

Such a trigger is a hidden rule, which is called behind every effect that may set it off. So compiler and proofs know
nothing of it. ``gain coin`` follows each ``gain`` that names the counter, or may take it out of a group: ``n`` is how
much more there really is, so nothing happens where nothing was added, and ``me`` who has it. ``move card to hand``
follows each ``move`` and ``draw`` to that place, piece by piece: ``it`` is the piece, and ``me`` whose place it is,
else who acts. Nothing that the trigger does by itself sets it off again; the lints find a circle through other rules.

Errors: P0201 an unknown counter, kind or place, P0202 a counter with more indices than its player, P0307 a place that
        holds pieces of another kind.
"""

from __future__ import annotations

import re

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.resolve.entries import scalar_at
from patolli.language.resolve.model import Design, Happening, Model, Rule, Step
from patolli.language.resolve.tellings import read_telling
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Node, Scalar
from patolli.language.syntax import tree as t

_GAIN = re.compile(r"gain\s+(?P<thing>\w+)")
_MOVE = re.compile(r"move\s+(?P<kind>\w+)\s+to\s+(?P<thing>\w+)")
_EACH = "_each"
"""The variable that goes over the pieces of a design; no author's text is beside it."""
PLAYER = ty.Ref("player")


def is_happening(target: Scalar) -> bool:
    """Tell whether a trigger follows what happens, and no rule."""
    return bool(_GAIN.fullmatch(target.value) or _MOVE.fullmatch(target.value))


def declare_happening(
    model: Model, reader: Reader, name: str, span: Span, node: Node, target: Scalar, design: Design | None
) -> None:
    """Declare one such trigger; with a design for each of its pieces that is active."""
    gain, move = _GAIN.fullmatch(target.value), _MOVE.fullmatch(target.value)
    found = gain or move
    assert found is not None
    known = _counter(model, reader, target, found) if gain else _place(model, reader, target, found)
    do, when = reader.effect(scalar_at(node, "do")) or [], reader.expression(scalar_at(node, "when"))
    if not known:
        return
    own: list[tuple[str, ty.AnyType]] = [("n", ty.INT)] if gain else [("it", ty.Ref(found["kind"]))]
    rule = Rule(
        name, span, own, [Step("do", do if when is None else [t.If(when, do, [], at=when.at)], span)], hidden=True
    )
    rule.used, rule.telling = True, read_telling(reader, node)
    model.rules[name] = rule
    bodies = [name]
    if design is not None:
        bodies.append(_for_pieces(model, rule, design, when, do))
    model.made.happenings[bodies[-1]] = pm.Happening(
        name, span, tuple(target.value.split()), name, design.id if design is not None else ""
    )
    model.happenings.append(Happening(bodies[-1], frozenset(bodies), span, found["thing"], bool(gain)))


def _counter(model: Model, reader: Reader, target: Scalar, found: re.Match[str]) -> bool:
    name = found["thing"]
    counter = model.counters.get(name)
    if counter is None:
        if name in model.names and name not in model.groups:
            words = f"{name!r} is {ty.article(model.names[name][0])}, not a counter"
            reader.problem("P0202", words, target.span, "", (model.spans[name], "declared here"))
        else:
            _no_counter(model, reader, target, name)
        return False
    if counter.dims not in ((), ("player",)):
        words = f"{name!r} has indices besides its player, so nobody could know which of them was gained"
        reader.problem(
            "P0202", words, target.span, "follow the rule in which it is gained", (counter.span, "declared here")
        )
        return False
    return True


def _no_counter(model: Model, reader: Reader, target: Scalar, name: str) -> None:
    """Report a group, a noun, or a name that nothing has."""
    if name in model.groups:
        help_ = f"follow one of its counters: {', '.join(f'gain {one}' for one in model.groups[name])}"
        reader.problem("P0202", f"{name!r} is a group of counters", target.span, help_)
    elif name in model.nouns:
        reader.problem("P0201", f"unknown counter {name!r}", target.span, f"write 'gain {model.nouns[name][0]}'")
    else:
        reader.unknown("counter", target, name, model.counters)


def _place(model: Model, reader: Reader, target: Scalar, found: re.Match[str]) -> bool:
    place, kind = model.places.get(found["thing"]), found["kind"]
    if place is None:
        reader.unknown("place", target, found["thing"], model.places)
    elif kind not in model.kinds:
        reader.unknown("kind", target, kind, model.kinds)
    elif place.of != kind:
        words = f"{place.name!r} holds pieces of kind {place.of!r}"
        reader.problem("P0307", words, target.span, "", (place.span, "declared here"))
    elif place.type == "row":
        words = f"{place.name!r} is a row, which is refilled, and nothing is moved to it as a whole"
        reader.problem(
            "P0307", words, target.span, "follow the rule in which it is filled", (place.span, "declared here")
        )
    else:
        return True
    return False


def _for_pieces(model: Model, rule: Rule, design: Design, when: t.Expr | None, do: t.Block) -> str:
    """Make the rule that carries out another one for each piece of a design that is active, as its ``it``."""
    moved = any(name == "it" for name, _ in rule.parameters)
    active, at = model.kinds[design.kind].active, t.At(t.FixedText(design.span), 0, 1)
    assert active is not None
    kind = ty.Ref(design.kind)
    parameters = [("moved", rule.parameters[0][1])] if moved else [*rule.parameters]
    rule.parameters = [*parameters, ("it", kind)]
    test = active if when is None else t.Logic("and", active, when, at=at)
    rule.steps = [Step("do", [t.If(test, do, [], at=at)], rule.span)]
    given = [t.Name(parameter, at=at) for parameter, _ in parameters]
    call = t.Call(rule.name, [*given, t.Name(_EACH, at=at)], at=at)
    same = t.Compare(t.Attribute(t.Name(_EACH, at=at), "design", at=at), [("==", t.Name(design.id, at=at))], at=at)
    binder = t.Binder(_EACH, t.Name(design.kind, at=at), at=at)
    loop = t.For([binder], same, False, None, [t.CallRule(call, at=at)], at=at)
    around = Rule(f"{rule.name} each", rule.span, parameters, [Step("do", [loop], rule.span)], hidden=True)
    around.used = True
    model.rules[around.name] = around
    return around.name


# ---- where they are set off


def after_gain(model: Model, effect: e.Gain, here: str) -> tuple[e.Effect, ...]:
    """Return a gain with what it sets off, apart from what *here* is the body of."""
    set_off = [one for one in model.happenings if one.gain and here not in one.bodies]
    touched = [(one, [item for item in effect.items if one.thing in _counters(item)]) for one in set_off]
    if effect.less or not any(items for _, items in touched):
        return (effect,)
    first: list[e.Effect] = []
    then: list[e.Effect] = []
    for one, items in touched:
        seen: list[x.Expr] = []
        for item in items:
            who = _evaluate_once(first, _owner(model, item, one.thing) or effect.who, effect.span)
            indices = (who,) if model.counters[one.thing].dims else ()
            count = x.CounterAt(one.thing, indices, type=ty.INT, span=effect.span)
            before = _evaluate_once(first, count, effect.span)
            call = _more(one.body, who, count, before, effect.span)
            for other in seen if indices else seen[:1]:
                differs = x.Compare("!=", who, other, type=ty.BOOL, span=effect.span)
                call = (e.If(differs, call, (), span=effect.span),) if indices else ()
            then += call
            seen.append(who)
    return (*first, effect, *then)


def _more(body: str, who: x.Expr, now: x.Expr, before: x.Expr, span: Span) -> e.Block:
    """Call a body for what there is more of, if there is: a loop over one number, which is no way to be covered."""
    more = x.Arithmetic("-", now, before, type=ty.INT, span=span)
    number = x.Variable("", ty.INT, span)
    value = x.Local(number, type=ty.INT, span=span)
    test = x.Compare(">", value, x.Number(0, type=ty.INT, span=span), type=ty.BOOL, span=span)
    one = x.ListOf((more,), type=ty.Seq(ty.INT), span=span)
    call = e.CallRule(body, who, (value,), None, span=span)
    return (e.For((x.Binder(number, one, span=span),), test, False, None, (call,), span=span),)


def _counters(item: e.Item) -> tuple[str, ...]:
    return item.counters if isinstance(item, e.CounterItem | e.MemberItem | e.MixItem) else ()


def _owner(model: Model, item: e.Item, counter: str) -> x.Expr | None:
    """Return who gains a part; nobody where the counter is the table's."""
    if isinstance(item, e.CounterItem):
        return item.indices[0] if model.counters[counter].dims else None
    return item.who if isinstance(item, e.MemberItem | e.MixItem) else None


def after_move(model: Model, effect: e.Move | e.Draw, me: x.Expr, here: str) -> tuple[e.Effect, ...]:
    """Return a move or draw with what it sets off, apart from what *here* is the body of."""
    place = effect.to.place
    set_off = [one for one in model.happenings if not one.gain and one.thing == place and here not in one.bodies]
    if not set_off:
        return (effect,)
    span, first = effect.span, list[e.Effect]()
    indices = tuple(_evaluate_once(first, index, span) for index in effect.to.indices)
    whose = indices[0] if model.places[place].dims[:1] == ("player",) else me
    kind = ty.Ref(effect.to.kind)
    there: ty.AnyType = ty.Maybe(kind) if model.places[place].type == "spot" else ty.Seq(kind)
    held = x.Held(place, effect.to.kind, indices, type=there, span=span)
    to = e.PlaceAt(place, effect.to.kind, effect.to.sort, indices, span=effect.to.span)
    if isinstance(effect, e.Move):
        what = _evaluate_once(first, effect.what, span)
        calls = [e.CallRule(one.body, whose, (what,), None, span=span) for one in set_off]
        return (*first, e.Move(what, effect.kind, to, effect.bottom, span=span), *calls)
    one_of = x.Variable("", kind, span)
    every = x.Quantifier("list", (x.Binder(one_of, held, span=span),), None, None, None, type=there, span=span)
    before = _evaluate_once(first, every, span)
    drawn = x.Variable("", kind, span)
    piece = x.Local(drawn, type=kind, span=span)
    new = x.Compare("not in", piece, before, type=ty.BOOL, span=span)
    calls = [e.CallRule(one.body, whose, (piece,), None, span=span) for one in set_off]
    loop = e.For((x.Binder(drawn, held, span=span),), new, False, None, tuple(calls), span=span)
    return (*first, e.Draw(effect.amount, effect.source, to, effect.kind, span=span), loop)


def _evaluate_once(block: list[e.Effect], value: x.Expr, span: Span) -> x.Expr:
    """Work out a value once, at the end of a block, and return what reads it."""
    if isinstance(value, x.Local):
        return value
    variable = x.Variable("", value.type, span)
    block.append(e.Let(variable, value, span=span))
    return x.Local(variable, type=value.type, span=span)
