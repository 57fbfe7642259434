"""Triggers that follow what happens to a counter or to pieces: ``after: gain coin``, ``after: move card to hand``.

``after: move card from hand`` follows what leaves a place.

Such a trigger is a hidden rule, which is called behind every effect that may set it off. So compiler and proofs know
nothing of it. ``gain coin`` follows each ``gain`` that names the counter, or may take it out of a group: ``n`` is how
much more there really is, so nothing happens where nothing was added, and ``me`` who has it. ``move card to hand``
follows each ``move`` and ``draw`` to that place, piece by piece: ``it`` is the piece, and ``me`` whose place it is,
else who acts. ``move card from hand`` follows each ``move`` and ``draw`` of pieces that lay there, and ``me`` is whose
place it was; pieces with such a trigger act if they were active before. Nothing that the trigger does by itself sets
it off again; the lints find a circle through other rules.

Errors: P0201 an unknown counter, kind or place, P0202 a counter with more indices than its player, P0307 a place that
        holds pieces of another kind.
"""

from __future__ import annotations

import dataclasses as dc
import re

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import model as pm
from patolli.language.program import types as ty
from patolli.language.resolve.entries import comes_later
from patolli.language.resolve.model import Design, Function, Happening, Model, Rule, Step
from patolli.language.resolve.report_settings import read_report_settings
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Node, Scalar
from patolli.language.sources.nodes import scalar_at
from patolli.language.syntax import tree as t

_GAIN = re.compile(r"gain\s+(?P<thing>\w+)")
_MOVE = re.compile(r"move\s+(?P<kind>\w+)\s+(?P<way>to|from)\s+(?P<thing>\w+)")
_EACH = "_each"
"""The variable that goes over the pieces of a design; no author's text is beside it."""
PLAYER = ty.Ref("player")


def is_happening(target: Scalar) -> bool:
    """Return whether a trigger follows what happens, and no rule."""
    return bool(_GAIN.fullmatch(target.value) or _MOVE.fullmatch(target.value))


def declare_happening(
    model: Model, reader: Reader, name: str, span: Span, node: Node, target: Scalar, design: Design | None
) -> None:
    """Declare one such trigger; with a design for each of its pieces that is active."""
    gain, move = _GAIN.fullmatch(target.value), _MOVE.fullmatch(target.value)
    found = gain or move
    assert found is not None
    if move is not None and move["way"] == "from":
        comes_later(model, "a trigger of what leaves a place", target.span, 3)
    known = _counter(model, reader, target, found) if gain else _place(model, reader, target, found)
    do, when = reader.effect(scalar_at(node, "do")) or [], reader.expression(scalar_at(node, "when"))
    if not known:
        return
    own: list[tuple[str, ty.AnyType]] = [("n", ty.INT)] if gain else [("it", ty.Ref(found["kind"]))]
    rule = Rule(
        name, span, own, [Step("do", do if when is None else [t.If(when, do, [], at=when.at)], span)], hidden=True
    )
    rule.used, rule.report_settings = True, read_report_settings(reader, node)
    model.rules[name] = rule
    bodies, way, actors = [name], "gain" if gain else found["way"], ""
    if design is not None and way == "from":
        actors = _declare_actors(model, rule, design)
        rule.parameters = [("moved", rule.parameters[0][1]), ("it", ty.Ref(design.kind))]
    elif design is not None:
        bodies.append(_for_pieces(model, rule, design, when, do))
    model.made.happenings[bodies[-1]] = pm.Happening(
        name, span, tuple(target.value.split()), name, design.id if design is not None else ""
    )
    model.happenings.append(Happening(bodies[-1], frozenset(bodies), span, found["thing"], way, actors))


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
        words = f"{name!r} has indices besides its player, so it would be unknown which of them was gained"
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
        words = f"{place.name!r} contains pieces of kind {place.of!r}"
        reader.problem("P0307", words, target.span, "", (place.span, "declared here"))
    elif place.type == "row" and found["way"] == "to":
        words = f"{place.name!r} is a row; nothing is moved to a row, it is refilled"
        reader.problem("P0307", words, target.span, "use the rule that refills it", (place.span, "declared here"))
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


def _declare_actors(model: Model, rule: Rule, design: Design) -> str:
    """Declare the function that gives the pieces of a design that are active for me."""
    active, at = model.kinds[design.kind].active, t.At(t.FixedText(design.span), 0, 1)
    assert active is not None
    same = t.Compare(t.Attribute(t.Name("it", at=at), "design", at=at), [("==", t.Name(design.id, at=at))], at=at)
    binder = t.Binder("it", t.Name(design.kind, at=at), at=at)
    body = t.Quantifier("list", None, [binder], t.Logic("and", same, active, at=at), None, at=at)
    name = f"{rule.name} actors"
    model.functions[name] = Function(name, rule.span, [], body, declared=ty.Seq(ty.Ref(design.kind)))
    return name


# ---- where they are set off


def after_gain(model: Model, effect: e.Gain, here: str) -> tuple[e.Effect, ...]:
    """Return a gain with what it sets off, apart from what *here* is the body of."""
    set_off = [one for one in model.happenings if one.way == "gain" and here not in one.bodies]
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
    """Return who gains a part; none if the counter is the table's."""
    if isinstance(item, e.CounterItem):
        return item.indices[0] if model.counters[counter].dims else None
    return item.who if isinstance(item, e.MemberItem | e.MixItem) else None


def after_move(model: Model, effect: e.Move | e.Draw, me: x.Expr, here: str) -> tuple[e.Effect, ...]:
    """Return a move or draw with what it sets off, apart from what *here* is the body of."""
    set_off = [one for one in model.happenings if one.way != "gain" and here not in one.bodies]
    coming = [one for one in set_off if one.way == "to" and one.thing == effect.to.place]
    source = effect.source.place if isinstance(effect, e.Draw) else ""
    leaving = [
        one
        for one in set_off
        if one.way == "from" and model.places[one.thing].of == effect.kind and source in ("", one.thing)
    ]
    if not coming and not leaving:
        return (effect,)
    first: list[e.Effect] = []
    if isinstance(effect, e.Move):
        effect = dc.replace(effect, what=_evaluate_once(first, effect.what, effect.span))
        behind = [one for found in leaving for one in _moved_away(model, first, found, effect, me)]
    else:
        behind = [one for found in leaving for one in _drawn_away(model, first, found, effect, me)]
    if coming:
        indices = tuple(_evaluate_once(first, index, effect.span) for index in effect.to.indices)
        effect = dc.replace(effect, to=dc.replace(effect.to, indices=indices))
        whose = indices[0] if model.places[effect.to.place].dims[:1] == ("player",) else me
        behind += _arrive(model, first, coming, effect, whose)
    return (*first, effect, *behind)


def _arrive(
    model: Model, first: list[e.Effect], coming: list[Happening], effect: e.Move | e.Draw, whose: x.Expr
) -> e.Block:
    """Return the calls behind a move or draw for what comes to a place; what they need is put before it."""
    span, kind = effect.span, ty.Ref(effect.to.kind)
    if isinstance(effect, e.Move):
        return tuple(e.CallRule(one.body, whose, (effect.what,), None, span=span) for one in coming)
    held = _hold(model, effect.to.place, effect.to.indices, span)
    one_of = x.Variable("", kind, span)
    binder = x.Binder(one_of, held, span=span)
    before = _evaluate_once(first, x.Quantifier("list", (binder,), None, None, None, type=held.type, span=span), span)
    drawn = x.Variable("", kind, span)
    piece = x.Local(drawn, type=kind, span=span)
    new = x.Compare("not in", piece, before, type=ty.BOOL, span=span)
    calls = [e.CallRule(one.body, whose, (piece,), None, span=span) for one in coming]
    return (e.For((x.Binder(drawn, held, span=span),), new, False, None, tuple(calls), span=span),)


def _moved_away(model: Model, first: list[e.Effect], one: Happening, effect: e.Move, me: x.Expr) -> e.Block:
    """Return the loop behind a move that calls a trigger if the piece lay in its place, for whose place it was.

    The loop goes over the one player, or the one piece, for which that was so.
    """
    span, place = effect.span, model.places[one.thing]
    owned = place.dims[:1] == ("player",)
    type_: ty.Ref = PLAYER if owned else ty.Ref(effect.kind)
    found = x.Variable("", type_, span)
    local = x.Local(found, type=type_, span=span)
    dims = [x.Variable("", ty.Ref(dim), span) for dim in place.dims[owned:]]
    indices = (*([local] if owned else []), *(x.Local(one, type=one.type, span=span) for one in dims))
    there = _hold(model, one.thing, indices, span)
    lay: x.Expr = x.Compare("==" if place.type == "spot" else "in", effect.what, there, type=ty.BOOL, span=span)
    if dims:
        pairs = zip(place.dims[owned:], dims, strict=True)
        inner = tuple(
            x.Binder(dim, x.Instances(kind, type=ty.Seq(ty.Ref(kind)), span=span), span=span) for kind, dim in pairs
        )
        lay = x.Quantifier("any", inner, lay, None, None, type=ty.BOOL, span=span)
    of: x.Expr = (
        x.Instances("player", type=ty.Seq(PLAYER), span=span)
        if owned
        else x.ListOf((effect.what,), type=ty.Seq(type_), span=span)
    )
    listed = x.Quantifier("list", (x.Binder(found, of, span=span),), lay, None, None, type=ty.Seq(type_), span=span)
    left = _evaluate_once(first, listed, span)
    again = x.Variable("", type_, span)
    whose = x.Local(again, type=type_, span=span) if owned else me
    binders = [x.Binder(again, left, span=span)]
    return _call_for_actors(model, first, one, binders, whose, effect.what, span)


def _drawn_away(model: Model, first: list[e.Effect], one: Happening, effect: e.Draw, me: x.Expr) -> e.Block:
    """Return the loop behind a draw that calls a trigger for each piece that has left the place."""
    span, kind = effect.span, ty.Ref(effect.kind)
    whose = effect.source.indices[0] if model.places[one.thing].dims[:1] == ("player",) else me
    held = _hold(model, one.thing, effect.source.indices, span)
    one_of = x.Binder(x.Variable("", kind, span), held, span=span)
    before = _evaluate_once(first, x.Quantifier("list", (one_of,), None, None, None, type=held.type, span=span), span)
    drawn = x.Variable("", kind, span)
    piece = x.Local(drawn, type=kind, span=span)
    gone = x.Compare("not in", piece, held, type=ty.BOOL, span=span)
    binders = [x.Binder(drawn, before, span=span)]
    return _call_for_actors(model, first, one, binders, whose, piece, span, gone)


def _call_for_actors(
    model: Model,
    first: list[e.Effect],
    one: Happening,
    binders: list[x.Binder],
    whose: x.Expr,
    piece: x.Expr,
    span: Span,
    where: x.Expr | None = None,
) -> e.Block:
    """Return the loop that calls a trigger, once for each of the pieces that were active before."""
    given = [piece]
    if one.actors:
        type_ = model.functions[one.actors].declared
        assert isinstance(type_, ty.Seq)
        actor = x.Variable("", type_.of, span)
        if binders[0].variable.type == PLAYER:  # the player is not known before, but the pieces that act are
            who = x.Variable("", PLAYER, span)
            mine = x.FunctionCall(one.actors, x.Local(who, type=PLAYER, span=span), (), type=type_, span=span)
            acts = x.Variable("", type_.of, span)
            pairs = (x.Binder(who, binders[0].source, span=span), x.Binder(acts, mine, span=span))
            value = x.Local(acts, type=type_.of, span=span)
            listed: x.Expr = x.Quantifier("list", pairs, None, value, None, type=type_, span=span)
        else:
            listed = x.FunctionCall(one.actors, whose, (), type=type_, span=span)
        binders = [*binders, x.Binder(actor, _evaluate_once(first, listed, span), span=span)]
        given.append(x.Local(actor, type=type_.of, span=span))
    call = e.CallRule(one.body, whose, tuple(given), None, span=span)
    return (e.For(tuple(binders), where, False, None, (call,), span=span),)


def _hold(model: Model, place: str, indices: tuple[x.Expr, ...], span: Span) -> x.Held:
    """Return what a place holds."""
    kind = ty.Ref(model.places[place].of)
    there: ty.AnyType = ty.Maybe(kind) if model.places[place].type == "spot" else ty.Seq(kind)
    return x.Held(place, kind.kind, indices, type=there, span=span)


def _evaluate_once(block: list[e.Effect], value: x.Expr, span: Span) -> x.Expr:
    """Work out a value once, at the end of a block that only names values, and return what reads it."""
    if isinstance(value, x.Local):
        return value
    known = (effect.variable for effect in block if isinstance(effect, e.Let) and effect.value == value)
    variable = next(known, None)
    if variable is None:
        variable = x.Variable("", value.type, span)
        block.append(e.Let(variable, value, span=span))
    return x.Local(variable, type=value.type, span=span)
