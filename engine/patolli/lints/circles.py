"""Find triggers that fire themselves, and rules that call themselves, without a way out.

The rules and the bodies of triggers are nodes; a call is an edge with the conditions under which it is reached, and so
is a look at what would be after a rule, which carries it out, too. An edge is *free* when nothing that happens in the
circle can change its conditions, or they always hold; a circle of free edges never ends. Calls behind a question, a
payment, or a condition that the circle may change are taken to end one day.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from patolli.diagnostics import Problem
from patolli.diagnostics.records import dataclass
from patolli.lints import asking
from patolli.lints._effects import effects
from patolli.lints.check import Reviewed, check
from patolli.lints.truths import Judge
from patolli.lints.ways import way_around
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.model import Program, Rule, Trigger
from patolli.program.node import Location, Node, children, declaration, walk
from patolli.program.summaries import Summaries

SHOWN = 4
"""Other rules of a circle whose places are shown."""
_STILL = frozenset({"me", "it"})
"""Variables that stand for the same all around a circle."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A call: whom, under which conditions, and whether the variables keep their names and values."""

    to: str
    conditions: tuple[x.Expr, ...]
    same: bool


@check("P0441")
def circle(reviewed: Reviewed) -> Iterator[Problem]:
    """Find circles of calls that can only end in a fault."""
    program = reviewed.program
    graph = _Graph(program, reviewed.summaries)
    triggers = {trigger.body: trigger for trigger in program.all_triggers}
    told: set[str] = set()
    for name in (*triggers, *(n for n, rule in program.rules.items() if not rule.hidden)):
        if name in told or name not in graph.around:
            continue
        path = graph.circle(name)
        if path:
            told.update(path)
            yield _problem(program, name, path, triggers.get(name))
    yield from asking.endless(reviewed, told)


def _problem(program: Program, name: str, path: list[str], trigger: Trigger | None) -> Problem:
    named = list(dict.fromkeys(n.partition("'")[0] for n in path))
    around = " -> ".join(map(repr, [*named, named[0]]))
    others = [program.rules[n] for n in path if n != name]
    also = tuple((rule.span, f"{rule.name!r} is on the way") for rule in others[:SHOWN])
    if trigger in program.replacing:
        text = f"this takes the place of {trigger.moment!r} and calls it again, without end"
        help_ = f"write original(..) for what was to happen; the circle is {around}"
        return Problem("P0441", text, trigger.span, help_, also)
    if trigger is not None:
        text = f"this trigger follows {trigger.moment!r} and sets it off again, without end"
        help_ = f"the circle is {around}; give the trigger a 'when' that ends it"
        return Problem("P0441", text, trigger.span, help_, also)
    text = f"the rule {name!r} calls itself, and nothing on the way ends it"
    return Problem("P0441", text, program.rules[name].span, f"the circle is {around}; let a condition end it", also)


class _Graph:
    """The calls of a program; ``around`` are the rules through which circles may go."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        self.program, self.summaries = program, summaries
        self.functions = program.functions
        self.judge = Judge(program, summaries)
        self.edges: dict[str, list[Edge]] = {}
        self.around = _peeled({name: summaries.names(rule) for name, rule in program.rules.items()})

    def circle(self, start: str) -> list[str]:
        """Return the rules of a circle of free edges through *start*, or nothing."""
        # What is only looked ahead at is written, too, for those who look from there.
        written = frozenset().union(*(self.summaries.rules[n].writes for n in self.summaries.within((start,), ())))
        for same in (False, True):
            path = way_around(start, partial(self._on, same, written))
            if path:
                return path
        return []

    def _on(self, same: bool, written: frozenset[Location], here: str) -> Iterator[str]:
        """Yield the rules that are called in any case; with *same*, with the same values."""
        edges = (edge for edge in self.leaving(here) if edge.same or not same)
        return (edge.to for edge in edges if self._free(edge, written, same, here))

    def leaving(self, name: str) -> list[Edge]:
        """Return the calls of a rule, those of its triggers too."""
        if name not in self.edges:
            rule = self.program.rules[name]
            self.edges[name] = [*self._calls(rule.block, []), *self._triggers(rule)]
        return self.edges[name]

    def _triggers(self, rule: Rule) -> Iterator[Edge]:
        if any(isinstance(effect, e.Pay) for effect in rule.block):
            return
        needed = [effect.condition for effect in rule.block if isinstance(effect, e.Require)]
        for trigger in (*rule.before, *rule.after):
            own = [trigger.condition] if trigger.condition is not None else []
            yield Edge(trigger.body, (*needed, *own), True)

    def _calls(self, block: e.Block, conditions: list[x.Expr]) -> Iterator[Edge]:
        """Yield the calls of a block; *conditions* grows with what must hold to go on."""
        for effect in block:
            for seen in self._looks_ahead(effect):
                yield Edge(seen.rule, tuple(conditions), _same(seen.arguments, self.program.rules[seen.rule]))
            if declaration(effect).leaves != "never" or isinstance(effect, e.Pay):
                return
            rules = self.summaries.called(effect)
            if len(rules) == 1:
                given = effect.arguments if isinstance(effect, e.CallRule) else ()
                yield Edge(rules[0].name, tuple(conditions), _same(given, rules[0]))
            match effect:
                case e.Require():
                    conditions.append(effect.condition)
                case e.Choose():
                    conditions.extend(_looked_at(effect.binders, effect.where))
                case e.If():
                    yield from self._calls(effect.then, [*conditions, effect.condition])
                    yield from self._calls(effect.other, [*conditions, effect.condition])
                    if _may_leave(effect):
                        conditions.append(effect.condition)
                case e.For():
                    yield from self._calls(effect.body, [*conditions, *_looked_at(effect.binders, effect.where)])
                case e.Repeat():
                    yield from self._calls(effect.body, [*conditions, effect.times])
                case e.As() | e.Loop():
                    yield from self._calls(effect.body, list(conditions))
                case e.Menu() | e.UpTo() if _may_leave(effect):
                    return

    def _looks_ahead(self, effect: e.Effect) -> Iterator[x.After]:
        """Yield the looks at what would be that are taken whenever an effect is reached."""
        inside = effect.binders[:1] if isinstance(effect, e.Choose | e.For) else children(effect)
        open_: list[Node] = [inner for inner in inside if not isinstance(inner, e.Effect | e.Option)]
        called: set[str] = set()
        while open_:
            here = open_.pop()
            if isinstance(here, x.After) and here.rule in self.program.rules:
                yield here
            if isinstance(here, x.FunctionCall) and here.function not in called and here.function in self.functions:
                called.add(here.function)
                open_.append(self.functions[here.function].body)
            parts = list(children(here))
            # Of these, only what comes first is worked out in any case.
            open_ += parts[:1] if isinstance(here, x.Quantifier | x.Logic | x.IfElse | x.Default | x.Cut) else parts

    # -- what conditions depend on

    def _free(self, edge: Edge, written: frozenset[Location], same: bool, here: str) -> bool:
        own = self.program.rules[here].parameters if same else ()
        conditions = [
            one for one in edge.conditions if one.type != ty.BOOL or not self.judge.holds(one, self.judge.facts())
        ]
        bound = {node.variable for node in walk(conditions) if isinstance(node, x.Binder | x.Given)}
        for location in self.summaries.reads(conditions):
            match location:
                case ("variable", variable):
                    if variable not in own and variable not in bound and variable.name not in _STILL:
                        return False
                case _ if location in written:
                    return False
        return True


def _peeled(calls: dict[str, frozenset[str]]) -> set[str]:
    """Return what is left of a graph without the nodes that lead nowhere, again and again."""
    left, before = set(calls), 0
    while len(left) != before:
        before = len(left)
        left = {name for name in left if calls[name] & left}
    return left


def _may_leave(effect: e.Effect) -> bool:
    """Tell whether something inside an effect leads away from what stands behind it."""
    return any(declaration(inner).leaves != "never" for inner in effects((effect,)))


def _looked_at(binders: tuple[x.Binder, ...], where: x.Expr | None) -> list[x.Expr]:
    return [*(binder.source for binder in binders), *([where] if where is not None else [])]


def _same(given: tuple[x.Expr, ...], rule: Rule) -> bool:
    """Tell whether a call hands on variables under the names that they have."""
    names = [variable.name for variable in rule.parameters]
    return [one.variable.name if isinstance(one, x.Local) else "" for one in given] == names
