"""Find triggers that fire themselves, and rules that call themselves, without a way out.

The rules and the bodies of triggers are nodes; a call is an edge with the conditions under which it is reached. An edge
is *free* when nothing that happens in the circle can change its conditions; a circle of free edges never ends. Calls
behind a question, a payment, or a condition that the circle may change are taken to end one day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from patolli.analysis.lints.check import Checked, check
from patolli.analysis.model import Model, Rule, Trigger
from patolli.analysis.traits import blocks_of, walk
from patolli.analysis.walking import nodes, sort_of
from patolli.diagnostics import Problem
from patolli.language import tree as t

Things = frozenset[tuple[str, ...]]
_UNKNOWN = ("?",)
SHOWN = 4
"""Other rules of a circle whose places are shown."""
_LOOKS = frozenset({"have", "payable", "can", "top"})


@dataclass(frozen=True, slots=True)
class Edge:
    """A call: whom, under which conditions, and whether the variables keep their names and values."""

    to: str
    conditions: tuple[t.Expr, ...]
    same: bool


@check("P0441")
def circle(checked: Checked) -> Iterator[Problem]:
    """Find circles of calls that can only end in a fault."""
    graph = _Graph(checked)
    model = checked.model
    triggers = {tr.body: tr for rule in model.rules.values() for tr in (*rule.before, *rule.after)}
    told: set[str] = set()
    for name in (*triggers, *(n for n, rule in model.rules.items() if not rule.hidden)):
        if name in told or not model.rules[name].recursive:
            continue
        path = graph.circle(name)
        if path:
            told.update(path)
            yield _problem(model, name, path, triggers.get(name))


def _problem(model: Model, name: str, path: list[str], trigger: Trigger | None) -> Problem:
    around = " -> ".join(repr(model.rules[n].name) for n in [*path, path[0]])
    others = [model.rules[n] for n in path if n != name]
    also = tuple((rule.span, f"{rule.name!r} is on the way") for rule in others[:SHOWN])
    if trigger is not None:
        text = f"this trigger follows {trigger.rule!r} and sets it off again, without end"
        help_ = f"the circle is {around}; give the trigger a 'when' that ends it"
        return Problem("P0441", text, trigger.span, help_, also)
    text = f"the rule {name!r} calls itself, and nothing on the way ends it"
    return Problem("P0441", text, model.rules[name].span, f"the circle is {around}; let a condition end it", also)


class _Graph:
    def __init__(self, checked: Checked) -> None:
        self.model, self.traits = checked.model, checked.traits
        self.edges: dict[str, list[Edge]] = {}

    def circle(self, start: str) -> list[str]:
        """Return the rules of a circle of free edges through *start*, or nothing."""
        written = self._written(start)
        for same in (False, True):
            before: dict[str, str] = {}
            open_ = [start]
            while open_:
                here = open_.pop(0)
                for edge in self.leaving(here):
                    if (same and not edge.same) or not self._free(edge, written, same, here):
                        continue
                    if edge.to == start:
                        return _path(before, start, here)
                    if edge.to not in before:
                        before[edge.to] = here
                        open_.append(edge.to)
        return []

    def leaving(self, name: str) -> list[Edge]:
        """Return the calls of a rule, those of its triggers too."""
        if name not in self.edges:
            rule = self.model.rules[name]
            self.edges[name] = [*self._calls(rule.block, []), *self._triggers(rule)]
        return self.edges[name]

    def _triggers(self, rule: Rule) -> Iterator[Edge]:
        if any(isinstance(e, t.Pay) for e in rule.block):
            return
        needed = [e.condition for e in rule.block if isinstance(e, t.Require)]
        for trigger in (*rule.before, *rule.after):
            active = self.model.kinds[trigger.design.kind].active if trigger.design else None
            yield Edge(trigger.body, tuple(c for c in (*needed, trigger.when, active) if c is not None), True)

    def _calls(self, block: t.Block, conditions: list[t.Expr]) -> Iterator[Edge]:
        """Yield the calls of a block; *conditions* grows with what must hold to go on."""
        for effect in block:
            rules = self.traits.called(effect)
            if len(rules) == 1:
                yield Edge(rules[0].name, tuple(conditions), _same(effect, rules[0]))
            match effect:
                case t.Pay() | t.EndMatch() | t.Break():
                    return
                case t.Return() if effect.condition is None:
                    return
                case t.Return() | t.Require() if effect.condition is not None:
                    conditions.append(effect.condition)
                case t.Choose():
                    conditions.extend(_looked_at(effect.binders, effect.where))
                case t.If():
                    yield from self._calls(effect.then, [*conditions, effect.condition])
                    yield from self._calls(effect.other, [*conditions, effect.condition])
                    if any(isinstance(e, t.Return | t.Break) for e in walk([effect])):
                        conditions.append(effect.condition)
                case t.For():
                    yield from self._calls(effect.body, [*conditions, *_looked_at(effect.binders, effect.where)])
                case t.Repeat():
                    yield from self._calls(effect.body, [*conditions, effect.times])
                case t.As() | t.Loop():
                    yield from self._calls(effect.body, list(conditions))
                case t.Menu() | t.UpTo() if any(isinstance(e, t.Return) for b in blocks_of(effect) for e in walk(b)):
                    return

    # -- what conditions depend on

    def _free(self, edge: Edge, written: Things, same: bool, here: str) -> bool:
        own = {name for name, _ in self.model.rules[here].parameters} if same else set()
        read = {thing for c in edge.conditions for thing in self._read(c, {"me", "it", *own}, set())}
        return _UNKNOWN not in read and not read & written

    def _read(self, expr: t.Expr, known: set[str], seen: set[str]) -> Iterator[tuple[str, ...]]:
        """Yield the counters, fields and places that an expression reads, and what cannot be told."""
        inner = {b.id for node in nodes(expr) if isinstance(node, t.Quantifier) for b in node.binders}
        for node in nodes(expr):
            sort, note = sort_of(node), t.note_of(node)
            if sort in ("counter", "place"):
                yield (sort, note[1])
            elif sort == "field":
                yield (sort, note[1], note[2])
            elif (sort == "builtin" and note[1] in _LOOKS) or (sort == "variable" and note[1] not in known | inner):
                yield _UNKNOWN
            elif sort == "builtin" and note[1] == "place_of" and isinstance(node, t.Call):
                yield ("place", getattr(node.arguments[1], "id", ""))
            elif sort == "function" and note[1] not in seen:
                seen.add(note[1])
                function = self.model.functions[note[1]]
                if function.body is not None:
                    yield from self._read(function.body, {"me", *(n for n, _ in function.parameters)}, seen)

    def _written(self, start: str) -> Things:
        """Return what any rule may change that *start* can reach."""
        seen, open_ = {start}, [start]
        found: set[tuple[str, ...]] = set()
        while open_:
            rule = self.model.rules[open_.pop()]
            for effect in walk(rule.block):
                found.update(self._changes(effect))
            for name in sorted((rule.calls & self.model.rules.keys()) - seen):
                seen.add(name)
                open_.append(name)
        return frozenset(found)

    def _changes(self, effect: t.Effect) -> Iterator[tuple[str, ...]]:
        match effect:
            case t.Gain() | t.Pay():
                for item in effect.items:
                    named = sort_of(item) == "counter"
                    yield from (("counter", c) for c in ([item.thing or ""] if named else self.model.counters))
            case t.SetTo() if isinstance(effect.target.note, tuple):
                yield effect.target.note if sort_of(effect.target) == "field" else effect.target.note[:2]
            case t.Move() | t.Swap() | t.Draw() | t.Refill() | t.Slide() | t.Shuffle():
                yield from (("place", name) for name in self.model.places)


def _path(before: dict[str, str], start: str, here: str) -> list[str]:
    path = [here]
    while path[0] != start:
        path.insert(0, before[path[0]])
    return path


def _looked_at(binders: list[t.Binder], where: t.Expr | None) -> list[t.Expr]:
    return [*(b.source for b in binders), *([where] if where is not None else [])]


def _same(effect: t.Effect, rule: Rule) -> bool:
    """Tell whether a call hands on variables under the names that they have."""
    call = effect.call if isinstance(effect, t.CallRule) else getattr(effect, "value", None)
    given = call.arguments if isinstance(call, t.Call) else []
    names = [name for name, _ in rule.parameters]
    return [a.id if isinstance(a, t.Name) else "" for a in given] == names
