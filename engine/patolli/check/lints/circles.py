"""Find triggers that fire themselves, and rules that call themselves, without a way out.

The rules and the bodies of triggers are nodes; a call is an edge with the conditions under which it is reached, and so
is a look at what would be after a rule, which carries it out, too: in an effect, in the condition of a trigger, in a
function, in the beginning of a rule that is asked about, and in what counts for a payment. An edge is *free* when
nothing that happens in the circle before its calls can change its conditions, or they always hold; a circle of free
edges never ends. Calls behind a question, a payment, or a condition that the circle may change are taken to end one
day; but what a payment itself carries out is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from patolli.check.lints import prior_knowledge
from patolli.check.lints._effects import effects
from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.ways import list_around, way_around
from patolli.check.proofs.domain import Domain
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program, Rule, Trigger
from patolli.language.program.node import Location, Node, children, declaration
from patolli.language.program.preconditions import list_looked_at
from patolli.language.program.summaries import Summaries

SHOWN = 4
"""Other rules of a circle whose places are shown."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A call: whom, what its conditions depend on, and whether the variables keep their names and values.

    ``before`` is what the rule may change before the call; ``ahead`` is where a rule is looked ahead at, not called;
    ``elsewhere`` says that another player may act there.
    """

    to: str
    depends: frozenset[Location]
    same: bool
    before: frozenset[Location]
    ahead: Span | None = None
    elsewhere: bool = False


@check("P0441")
def circle(reviewed: Reviewed) -> Iterator[Problem]:
    """Find circles of calls that can only end in a fault."""
    program = reviewed.program
    asked = prior_knowledge.Asking(program, reviewed.summaries)
    graph = _Graph(program, reviewed.summaries, asked)
    triggers = {trigger.body: trigger for trigger in program.all_triggers}
    reported: set[str] = set()
    beside: set[str] = set()  # on circles through what was reported: of all pieces on them, one is reported
    rules, effects_ = [n for n, rule in program.rules.items() if not rule.hidden], effects_of(program)
    for name in (*triggers, *rules, *effects_):
        if name in reported or name not in graph.around or (name in beside and name in effects_):
            continue
        path = graph.circle(name)
        if path:
            reported.update(path)
            beside |= graph.on_circles(name)
            yield _problem(program, path, triggers.get(name), graph.ahead_on(path))
    yield from prior_knowledge.endless(asked, reported)


def effects_of(program: Program) -> dict[str, None]:
    """Return the names of the rules that pieces hold as effects, in order."""
    facts = [(kind.name, fact) for kind in program.kinds.values() for fact in kind.facts]
    return {name: None for kind, fact in facts for name in program.effect_rules(kind, fact)}


def _problem(program: Program, path: list[str], trigger: Trigger | None, ahead: Span | None) -> Problem:
    name = path[0]
    named = list(dict.fromkeys(n.partition("'")[0] for n in path))
    around = " -> ".join(map(repr, [*named, named[0]]))
    others = [program.rules[n] for n in path if n != name]
    also = tuple((rule.span, f"{rule.name!r} is on the way") for rule in others[:SHOWN])
    if ahead is not None:
        seen = name.partition("'")[0]
        text = f"this looks ahead while {seen!r} runs, and runs it again, without end"
        help_ = f"the circle is {around}; first test something that changes before it, as in 'x < 5 and after(..)'"
        return Problem("P0441", text, ahead, help_, ((program.rules[name].span, f"{seen!r} is this rule"), *also))
    if trigger in program.replacing:
        text = f"this replaces {trigger.moment!r} and calls it again, without end"
        help_ = f"write original(..) to run the replaced rule; the circle is {around}"
        return Problem("P0441", text, trigger.span, help_, also)
    if trigger is not None:
        text = f"this trigger follows {trigger.moment!r} and starts it again, without end"
        help_ = f"the circle is {around}; give the trigger a 'when' that ends it"
        return Problem("P0441", text, trigger.span, help_, also)
    text = f"the rule {name!r} calls itself, and no condition stops it"
    return Problem("P0441", text, program.rules[name].span, f"the circle is {around}; let a condition end it", also)


class _Graph:
    """The calls of a program; ``around`` are the rules through which circles may go."""

    def __init__(self, program: Program, summaries: Summaries, asked: prior_knowledge.Asking) -> None:
        self.program, self.summaries, self.asked = program, summaries, asked
        self.edges: dict[str, list[Edge]] = {}
        self.around = _remove_dead_ends({name: summaries.names(rule) for name, rule in program.rules.items()})

    def circle(self, start: str) -> list[str]:
        """Return the rules of a circle of free edges through *start*, or nothing."""
        around = self.on_circles(start)
        edges = [edge for name in around for edge in self.leaving(name) if edge.to in around]
        written = frozenset[Location]().union(*(edge.before for edge in edges))
        elsewhere = any(edge.elsewhere for edge in edges)
        for same in (False, True):
            path = way_around(start, partial(self._on, same, written, elsewhere))
            if path:
                return path
        return []

    def on_circles(self, start: str) -> set[str]:
        """Return the rules that *start* leads to and that lead back to it."""
        return list_around(start, lambda name: (edge.to for edge in self.leaving(name)))

    def ahead_on(self, path: list[str]) -> Span | None:
        """Return where the first look ahead stands on a circle that has one."""
        for here, to in zip(path, [*path[1:], path[0]], strict=True):
            edges = [edge for edge in self.leaving(here) if edge.to == to]
            if edges and all(edge.ahead is not None for edge in edges):
                return edges[0].ahead
        return None

    def _on(self, same: bool, written: frozenset[Location], elsewhere: bool, here: str) -> Iterator[str]:
        """Yield the rules that are called in any case; with *same*, with the same values."""
        edges = (edge for edge in self.leaving(here) if edge.same or not same)
        return (edge.to for edge in edges if self._free(edge, written, elsewhere, same, here))

    def leaving(self, name: str) -> list[Edge]:
        """Return the calls of a rule, those of its triggers too."""
        if name not in self.edges:
            rule = self.program.rules[name]
            self.edges[name] = [*self._calls(rule.block, frozenset(), frozenset()), *self._triggers(rule)]
        return self.edges[name]

    def _triggers(self, rule: Rule) -> Iterator[Edge]:
        if any(isinstance(effect, e.Pay) for effect in rule.block):
            return
        depends_on = self.asked.depends_on
        needed = depends_on(*(effect.condition for effect in rule.block if isinstance(effect, e.Require)))
        before = frozenset[Location]()
        for trigger in (*rule.before, *rule.after):
            if trigger in rule.after:
                before |= self.summaries.rules[rule.name].writes
            own = [trigger.condition] if trigger.condition is not None else []
            for condition in own:
                yield from self._looks_ahead(condition, needed, before)
            yield Edge(trigger.body, needed | depends_on(*own), True, before)
            before |= self.summaries.rules[trigger.body].writes

    def _calls(self, block: e.Block, depends: frozenset[Location], before: frozenset[Location]) -> Iterator[Edge]:
        """Yield the calls of a block; *depends* decides whether they are reached, *before* is changed before."""
        depends_on = self.asked.depends_on
        for effect in block:
            for part in _computed_first(effect):
                yield from self._looks_ahead(part, depends, before)
            if isinstance(effect, e.Pay):
                yield from self._payment(effect, depends, before)
            if declaration(effect).leaves != "never" or isinstance(effect, e.Pay):
                return
            rules = self._list_rules_of(effect)
            if len(rules) == 1:
                given = effect.arguments if isinstance(effect, e.CallRule) else ()
                yield Edge(rules[0].name, depends, prior_knowledge.keep_names(given, rules[0].parameters), before)
            behind = before | self.summaries.of(effect).writes
            match effect:
                case e.Require():
                    depends |= depends_on(effect.condition)
                case e.Choose():
                    depends |= depends_on(*list_looked_at(effect.binders, effect.where))
                case e.If():
                    inner = depends | depends_on(effect.condition)
                    yield from self._calls(effect.then, inner, before)
                    yield from self._calls(effect.other, inner, before)
                    if _may_leave(effect):
                        depends = inner
                case e.For():
                    inner = depends | depends_on(*list_looked_at(effect.binders, effect.where))
                    yield from self._calls(effect.body, inner, behind)
                case e.Repeat():
                    yield from self._calls(effect.body, depends | depends_on(effect.times), behind)
                case e.As():
                    calls = self._calls(effect.body, depends, before)
                    yield from (replace(edge, elsewhere=True) for edge in calls)
                case e.Loop():
                    yield from self._calls(effect.body, depends, behind)
                case e.Menu() | e.UpTo() if _may_leave(effect):
                    return
            before = behind

    def _list_rules_of(self, effect: e.Effect) -> list[Rule]:
        """Return the rules that an effect may carry out; of a piece that is named, only its own."""
        rules, program = self.summaries.list_called_rules(effect), self.program
        if isinstance(effect, e.Do) and isinstance(effect.value, x.FactOf) and isinstance(effect.value.of, x.Instance):
            design = Domain(program).find_design(effect.value.of)
            own = program.rules_in(design, effect.fact) if design is not None else None
            return rules if own is None else [rule for rule in rules if rule.name in own]
        return rules

    def _looks_ahead(self, node: Node, depends: frozenset[Location], before: frozenset[Location]) -> Iterator[Edge]:
        """Yield the rules that are carried out to compute something."""
        for seen in self.asked.looked_ahead(node, depends):
            yield Edge(seen.to[1], seen.depends, seen.same, before, seen.at)

    def _payment(self, pay: e.Pay, depends: frozenset[Location], before: frozenset[Location]) -> Iterator[Edge]:
        """Yield the rules that a payment carries out in any case: those to which its counters leave it."""
        for item in pay.items:
            spend = self.program.counters[item.counter].spend if isinstance(item, e.CounterItem) else ""
            if spend:
                yield Edge(spend, depends, False, before)

    # -- what conditions depend on

    def _free(self, edge: Edge, written: frozenset[Location], elsewhere: bool, same: bool, here: str) -> bool:
        """Return whether nothing on the circle changes the conditions of a call; perhaps others act there."""
        own = self.program.rules[here].parameters if same else ()
        if elsewhere and prior_knowledge.OF_ACTING in edge.depends:
            return False
        for location in edge.depends:
            match location:
                case ("variable", variable):
                    if variable not in own and variable.name not in prior_knowledge.STILL:
                        return False
                case _ if location in written:
                    return False
        return True


def _remove_dead_ends(calls: dict[str, frozenset[str]]) -> set[str]:
    """Return what is left of a graph without the nodes that lead nowhere, again and again."""
    left, before = set(calls), 0
    while len(left) != before:
        before = len(left)
        left = {name for name in left if calls[name] & left}
    return left


def _computed_first(effect: e.Effect) -> list[Node]:
    """Return what is computed whenever an effect is reached; of a payment, the effect itself."""
    if isinstance(effect, e.Pay):
        return [effect]
    inside = effect.binders[:1] if isinstance(effect, e.Choose | e.For) else children(effect)
    return [inner for inner in inside if not isinstance(inner, e.Effect | e.Option)]


def _may_leave(effect: e.Effect) -> bool:
    """Return whether something inside an effect leads away from what stands behind it."""
    return any(declaration(inner).leaves != "never" for inner in effects((effect,)))
