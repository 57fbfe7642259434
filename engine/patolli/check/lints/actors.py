"""Find what is taken to be mine where no player acts: in the set-up, between turns, in a loop over all players.

``match`` and ``setup`` are carried out for no particular player, and so are the rules that only these call: there,
``me`` is the first player. ``for p in players: gain coin(p) fame`` gives it all to the first one. What is said to be of
a player, and what stands inside ``as p:``, is right; so is everything in a game for one, and where a rule hands the
turn on with ``pass to``. Only loops over players are looked at: elsewhere the first player may well be meant. A loop
that goes from one to the next by itself, with ``set p to next(p)``, is one, too. A trigger of a piece asks whether the
piece is active for the acting player: there it works for the first player alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.calls import reads_me
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import Node, children, walk

_TURNS = ("next", "previous")
_STARTS = ("setup", "match")


@check("P0468")
def report_missing_actor(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what belongs to the first player only because no player acts."""
    program = reviewed.program
    if program.players[1] + program.automated < 2:
        return
    for rule in _rules_without_actor(program):
        reported: set[Span] = set()
        for node, looped in _outside_as(rule.block, False):
            if looped is None or not _takes_me(reviewed, node, rule.me):
                continue
            if reviewed.written_here(node.span) and not any(_inside(node.span, one) for one in reported):
                reported.add(node.span)
                help_ = f"say whose it is, as in '({looped})', or put it inside 'as {looped}:'"
                text = "no player acts here, so this is the first player's"
                yield Problem("P0468", text, node.span, help_, (), "warning")
        yield from _first_players_triggers(reviewed, rule)


def _first_players_triggers(reviewed: Reviewed, rule: Rule) -> Iterator[Problem]:
    """Find triggers of pieces that are active for one player or another, where only the first one is asked."""
    program, designs = reviewed.program, reviewed.program.designs
    joining = (*rule.instead, *rule.before, *rule.after)
    found = [
        (one.design.kind, one.span, one.moment, (rule.span, "this rule")) for one in joining if one.design is not None
    ]
    for node, _ in _outside_as(rule.block, False):
        if isinstance(node, e.CallRule) and node.rule in program.happenings and _is(node.me, rule.me):
            one = program.happenings[node.rule]
            if one.design:
                found.append((designs[one.design].kind, one.span, rule.name, (node.span, "it happens here")))
    for kind, span, moment, also in dict.fromkeys(found):
        active = program.kinds[kind].active
        if active is None or not any(_is(node, active.me) for node in walk(active.body)):
            continue
        if reviewed.written_here(span):
            text = f"no player acts in {moment!r}, so this works for the first player alone"
            help_ = (
                "follow a rule that each player carries out, as in 'as p: ..', or loop over the players in a trigger"
            )
            yield Problem("P0468", text, span, help_, (also,), "warning")


def _rules_without_actor(program: Program) -> list[Rule]:
    """Return the rules that only ``setup`` and ``match`` carry out, for no particular player."""
    found = {name for name in _STARTS if name in program.rules and not _passes(program.rules[name])}
    acted = {trigger.body for trigger in program.all_triggers if trigger.design is not None}
    acted |= {action.body for action in program.anytime} | {waiver.body for waiver in program.waivers}
    calls: dict[str, set[str]] = {}
    for trigger in program.triggers:
        calls.setdefault(trigger.body, set()).add(trigger.rule)
    for rule in program.rules.values():
        for node, _ in _outside_as(rule.block, False):
            if isinstance(node, e.CallRule) and _is(node.me, rule.me):
                calls.setdefault(node.rule, set()).add(rule.name)
        for node in walk(rule.block):
            elsewhere = isinstance(node, e.CallRule) and rule.name not in calls.get(node.rule, ())
            if isinstance(node, e.CallRule | x.Can | x.After) and (elsewhere or not isinstance(node, e.CallRule)):
                acted.add(node.rule)
    while new := {name for name, by in calls.items() if by <= found and name not in found | acted}:
        found |= {name for name in new if not _passes(program.rules[name])}
        acted |= new - found
    return [program.rules[name] for name in program.rules if name in found]


def _passes(rule: Rule) -> bool:
    return any(isinstance(node, e.PassTo) for node in walk(rule.block))


def _outside_as(nodes: tuple[Node, ...] | Iterator[Node], name: str | bool) -> Iterator[tuple[Node, str | None]]:
    """Yield what no player does, with the variable of the loop over players around it, if there is one."""
    for node in nodes:
        yield node, name if isinstance(name, str) else None
        if isinstance(node, e.As | e.Simultaneously):
            yield from _outside_as(iter((node.who if isinstance(node, e.As) else node.source,)), name)
            continue
        inner = _player_of(node.binders) if isinstance(node, e.For | x.Quantifier) else _going_round(node)
        yield from _outside_as(children(node), inner or name)


def _player_of(binders: tuple[x.Binder, ...]) -> str | None:
    return next((one.variable.name for one in binders if ty.strip(one.variable.type) == ty.Ref("player")), None)


def _going_round(node: Node) -> str | None:
    """Return the variable that stands for one player after the other in a loop over nothing."""
    if not isinstance(node, e.Loop | e.Repeat):
        return None
    for inner in walk(node.body):
        match inner:
            case e.Set(target=x.Local(variable=variable), value=value) if ty.strip(variable.type) == ty.Ref("player"):
                if any(isinstance(one, x.BuiltinCall) and one.builtin in _TURNS for one in walk(value)):
                    return variable.name
    return None


def _takes_me(reviewed: Reviewed, node: Node, me: Variable) -> bool:
    """Return whether something belongs to the acting player: a counter, a place, a result of a rule or function."""
    match node:
        case x.CounterAt(indices=indices) | x.Held(indices=indices) | e.CounterItem(indices=indices):
            return any(_is(index, me) for index in indices)
        case e.PlaceAt(indices=indices):
            return any(_is(index, me) for index in indices)
        case x.FunctionCall(function=name, me=who, arguments=arguments):
            function = reviewed.program.functions[name]
            return any(_is(one, me) for one in arguments) or (_is(who, me) and reads_me(reviewed.program, function))
        case e.CallRule(rule=name, me=who):
            return _is(who, me) and _asks_me(reviewed, reviewed.program.rules[name], set())
        case x.BuiltinCall(builtin="number" | "owned" | "next" | "previous", arguments=(who,)):
            return _is(who, me)
        case e.As(who=who):
            return _is(who, me)
        case e.MixItem(who=who) | e.CostItem(who=who) | e.MemberItem(who=who):
            return _is(who, me)
    return False


def _asks_me(reviewed: Reviewed, rule: Rule, open_: set[str]) -> bool:
    """Return whether a rule asks who acts when it begins: outside ``as``, and before it hands the turn on."""
    if rule.name in open_ or not reviewed.summaries.rules[rule.name].asks:
        return False
    open_.add(rule.name)
    return _asks_in(reviewed, rule, rule.block, open_)


def _asks_in(reviewed: Reviewed, rule: Rule, block: e.Block, open_: set[str]) -> bool:
    for effect in block:
        if isinstance(effect, e.If):
            asks = any(_asks_in(reviewed, rule, way, open_) for way in (effect.then, effect.other))
        else:
            asks = any(_asks_itself(reviewed, rule, node, open_) for node, _ in _outside_as(iter((effect,)), False))
        if asks or _hands_on(effect):
            return asks
    return False


def _asks_itself(reviewed: Reviewed, rule: Rule, node: Node, open_: set[str]) -> bool:
    match node:
        case e.CallRule(rule=name, me=who):
            return _is(who, rule.me) and _asks_me(reviewed, reviewed.program.rules[name], open_)
        case e.As() | e.Simultaneously():
            return False
        case e.Effect():
            return reviewed.summaries.asks(node)
    return False


def _hands_on(effect: e.Effect) -> bool:
    """Return whether an effect hands the turn on in any case."""
    if isinstance(effect, e.If):
        return any(map(_hands_on, effect.then)) and any(map(_hands_on, effect.other))
    return isinstance(effect, e.PassTo)


def _is(who: Node, me: Variable) -> bool:
    return isinstance(who, x.Local) and who.variable is me


def _inside(span: Span, other: Span) -> bool:
    return span.path == other.path and other.line <= span.line <= other.end_line
