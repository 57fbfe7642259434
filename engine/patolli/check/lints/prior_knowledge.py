"""Find what would have to be known before it can be known: functions, beginnings and payments that ask for themselves.

A function that calls itself, a rule whose beginning asks ``can(..)`` of itself, and a substitution that counts where
something is ``payable`` are computed again while they are computed. Nothing changes meanwhile. So a condition on
the way ends the circle only where it looks at a value that is handed on and is another one each time; what looks at
the state alone holds in every round, or in none.

Whether something can be paid asks for the conditions of all that may stand for it: of substitutions, of the discounts
and waivers that name its tag, and for the amounts of costs that depend on the match.

``after(rule(..), ..)`` carries a rule out. What that leads to is followed by ``circles``, which asks here for the rules
that are carried out while an expression is computed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from patolli.check.lints.truths import Judge
from patolli.check.lints.ways import list_around, way_around
from patolli.check.proofs.domain import Domain
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import preconditions as pre
from patolli.language.program import types as ty
from patolli.language.program.calls import find_circular
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Program
from patolli.language.program.node import Location, Node, children, walk
from patolli.language.program.summaries import Summaries

STILL = frozenset({"me", "it"})
"""Variables that stand for the same all around a circle."""
OF_ACTING: Location = ("acting",)
"""What depends on it looks at something of the acting player: where others act, it may be another thing."""

Asked = tuple[str, str]
"""What is computed: a function, the beginning of a rule, something that counts for payments, payments with a tag,
the cost in a fact (the number of one in the list of all), or a rule that is looked ahead at."""
_FUNCTION, _BEGINNING, _SOURCE, _PAYMENTS, _COST, _RULE = "function", "beginning", "source", "payments", "cost", "rule"


@dataclass(frozen=True, slots=True)
class Edge:
    """A demand for a value, what its conditions depend on, and whether the variables keep their names and values.

    ``at`` is the look ahead at a rule.
    """

    to: Asked
    depends: frozenset[Location]
    same: bool
    at: Span | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """Something that is asked for when something is to be paid; ``on`` are the tags, None stands for every payment."""

    name: str
    span: Span
    on: tuple[str, ...] | None
    trees: tuple[Node, ...]


def endless(graph: Asking, calling: Set[str]) -> Iterator[Problem]:
    """Find what asks for itself and never comes to an end, but for rules that are known to be *calling* themselves."""
    reported: set[Asked] = set()
    beside: set[Asked] = set()  # on circles through what was reported: of all costs on them, one is reported
    for start in graph.starts():
        if start in reported or (start in beside and start[0] == _COST):
            continue
        path = graph.circle(start)
        if path and not any(sort == _BEGINNING and name in calling for sort, name in path):
            reported.update(path)
            if start[0] in (_SOURCE, _COST):
                beside |= graph.on_circles(start)
            yield graph.problem(path)


class Asking:
    """What is needed when something is computed."""

    def __init__(self, program: Program, summaries: Summaries) -> None:
        self.program, self.summaries = program, summaries
        self.preconditions = pre.Preconditions(summaries, lambda name: True)
        self.sources = {source.name: source for source in _sources(program)}
        self.judge = Judge(program, summaries)
        self._bound: set[Location] = set()  # variables inside conditions; no call hands these on
        self.leaving: Callable[[Asked], tuple[Edge, ...]] = cache(lambda asked: tuple(self._leaving(asked)))

    def starts(self) -> Iterator[Asked]:
        """Yield everything that can be asked about, in the order in which it is declared."""
        yield from ((_SOURCE, name) for name in self.sources)
        yield from ((_COST, str(number)) for number in range(len(self.summaries.costs)))
        yield from ((_FUNCTION, name) for name in self.program.functions)
        yield from ((_BEGINNING, name) for name, rule in self.program.rules.items() if not rule.hidden)

    def circle(self, start: Asked) -> list[Asked]:
        """Return what stands on a circle through *start* that nothing ends, or nothing."""
        if start not in self.circular:
            return []
        return next((path for same in (False, True) if (path := way_around(start, partial(self._on, same)))), [])

    @cached_property
    def circular(self) -> frozenset[Asked]:
        """What stands on circles of demands that nothing ends, with the same values or others, perhaps mixed."""
        demands: dict[Asked, list[Asked]] = {}
        open_ = [*self.starts()]
        while open_:
            here = open_.pop()
            if here not in demands:
                demands[here] = [edge.to for edge in self.leaving(here) if self._may_be_free(edge, here)]
                open_ += demands[here]
        return frozenset(find_circular(demands))

    def on_circles(self, start: Asked) -> set[Asked]:
        """Return what *start* asks for in any case and that asks for it again."""
        return list_around(start, partial(self._on, False))

    def looked_ahead(self, node: Node, depends: frozenset[Location]) -> Iterator[Edge]:
        """Yield the rules that are carried out while an expression is computed, or an effect is paid for."""
        open_, seen = deque(self._follow_evaluation(node, depends)), set[Asked]()
        while open_:
            edge = open_.popleft()
            if edge.to[0] == _RULE:
                yield edge
            elif edge.to not in seen:
                seen.add(edge.to)
                open_ += (replace(one, depends=edge.depends | one.depends) for one in self.leaving(edge.to))

    def _follow_evaluation(self, node: Node, depends: frozenset[Location]) -> Iterator[Edge]:
        if isinstance(node, e.Pay):
            yield Edge((_PAYMENTS, node.tag or ""), depends, True)
        yield from self._worked_out(node, depends)

    def _on(self, same: bool, here: Asked) -> Iterator[Asked]:
        """Yield what is needed in any case; with *same*, what is needed with the same values."""
        return (edge.to for edge in self.leaving(here) if (edge.same or not same) and self._free(edge, same, here))

    def _may_be_free(self, edge: Edge, here: Asked) -> bool:
        return self._free(edge, False, here) or (edge.same and self._free(edge, True, here))

    def problem(self, path: list[Asked]) -> Problem:
        """Return the problem that reports a circle."""
        sort, name = path[0]
        named = [repr(one) for kind, one in path if kind in (_FUNCTION, _BEGINNING)]
        if sort in (_SOURCE, _COST):
            what, span = (name, self.sources[name].span) if sort == _SOURCE else ("this cost", self._cost(name).span)
            text = f"{what} depends on whether something can be paid, which depends on it again"
            return Problem("P0441", text, span, "compare counters instead, as in 'coin >= 2'")
        help_ = f"the circle is {' -> '.join([*named, named[0]])}; let a condition end it"
        if sort == _FUNCTION:
            text = f"the function {name!r} depends on itself, and no condition stops it"
            return Problem("P0441", text, self.program.functions[name].span, help_)
        text = f"whether the rule {name!r} is possible depends on itself, and no condition stops it"
        return Problem("P0441", text, self.program.rules[name].span, help_)

    def _free(self, edge: Edge, same: bool, here: Asked) -> bool:
        """Return whether no condition of a demand looks at a value that may be another one in the next round."""
        own = self._parameters(here) if same else ()
        variables = {location[1] for location in edge.depends if location[0] == "variable"}
        return all(variable in own or variable.name in STILL for variable in variables)

    def depends_on(self, *conditions: Node) -> frozenset[Location]:
        """Return what decides whether conditions hold: nothing for those that always do."""
        found = frozenset[Location]()
        for condition in conditions:
            found |= self._deciding(condition)
        return found

    def _deciding(self, condition: Node) -> frozenset[Location]:
        binders = (node for node in walk(condition) if isinstance(node, x.Binder | x.Given))
        self._bound.update(("variable", binder.variable) for binder in binders)
        if isinstance(condition, x.Expr) and condition.type == ty.BOOL:
            facts = self.judge.facts()
            if self.judge.holds(condition, facts):
                return frozenset()
        found = self.summaries.read_by(condition) - self._bound
        of_acting = any(where[0] == "variable" and where[1].name == "me" for where in found)
        return found | {OF_ACTING} if of_acting and any(where[0] != "variable" for where in found) else found

    def _parameters(self, asked: Asked) -> tuple[Variable, ...]:
        sort, name = asked
        if sort == _FUNCTION:
            return tuple(self.program.functions[name].parameters)
        return tuple(self.program.rules[name].parameters) if sort == _BEGINNING else ()

    # -- what is needed

    def _leaving(self, asked: Asked) -> Iterator[Edge]:
        sort, name = asked
        match sort:
            case "function":
                yield from self._worked_out(self.program.functions[name].body, frozenset())
            case "beginning":
                yield from self._follow_demand(self.preconditions.of(self.program.rules[name].block))
            case "source":
                for tree in self.sources[name].trees:
                    yield from self._worked_out(tree, frozenset())
            case "cost":
                yield from self._worked_out(self._cost(name), frozenset())
            case "rule":
                pass  # nothing is computed again there in the same state
            case _:
                for source in self.sources.values():
                    if source.on is None or name in source.on:
                        yield Edge((_SOURCE, source.name), frozenset(), True)

    def _worked_out(self, node: Node, depends: frozenset[Location]) -> Iterator[Edge]:
        """Yield what an expression needs."""
        match node:
            case x.FunctionCall() if node.function in self.program.functions and _is_me(node.me):
                asked = (_FUNCTION, self._choose_function(node))
                if asked[1] in self.program.functions:
                    yield Edge(asked, depends, keep_names(node.arguments, self._parameters(asked)))
            case x.Can() if node.rule in self.program.rules and _is_me(node.me):
                asked = (_BEGINNING, node.rule)
                yield Edge(asked, depends, keep_names(node.arguments, self._parameters(asked)))
            case x.Payable() | e.CostItem():
                yield Edge((_PAYMENTS, ""), depends, True)
                yield from (Edge((_COST, number), depends, False) for number in self._costs(node.cost))
            case x.After() if node.rule in self.program.rules:
                same = keep_names(node.arguments, self.program.rules[node.rule].parameters)
                yield Edge((_RULE, node.rule), depends, same, node.span)
        parts = list(children(node))
        if isinstance(node, x.After):
            parts = list(node.arguments)  # what is computed behind the rule is computed in another state
        lazy = isinstance(node, x.Quantifier | x.Logic | x.IfElse | x.Default | x.Cut)
        for part in parts:
            yield from self._worked_out(part, depends)
            if lazy and (part is parts[0] or isinstance(node, x.Quantifier)):
                depends |= self.depends_on(part)

    def _choose_function(self, call: x.FunctionCall) -> str:
        """Return the function that a call evaluates: for a formula of a piece that is named, that of the piece."""
        kind, _, fact = call.function.rpartition(".")
        if fact and kind in self.program.kinds and isinstance(call.arguments[0], x.Instance):
            design = Domain(self.program).find_design(call.arguments[0])
            return call.function if design is None else f"{call.function}.{design.id}"
        return call.function

    def _cost(self, number: str) -> e.CostOf:
        return self.summaries.costs[int(number)]

    def _costs(self, expr: x.Expr) -> Iterator[str]:
        """Yield the numbers of the costs that an expression may stand for: of one piece, or all that a fact holds."""
        held: list[object] | None = None
        if isinstance(expr, x.FactOf) and expr.kind in self.program.kinds:
            designs = self.program.kinds[expr.kind].designs
            one = expr.of.id if isinstance(expr.of, x.Instance) else ""
            named = [design for design in designs if one in (design.id, f"{design.id}_{one.rpartition('_')[2]}")]
            held = [design.facts.get(expr.fact) for design in named or designs]
        for number, cost in enumerate(self.summaries.costs):
            if held is None or not any(isinstance(one, e.CostOf) for one in held) or any(one is cost for one in held):
                yield str(number)

    def _follow_demand(self, demand: pre.Demand) -> Iterator[Edge]:
        """Yield what a beginning needs, in the order in which it is looked at."""
        open_: list[tuple[pre.Demand, frozenset[Location]]] = [(demand, frozenset())]
        seen: set[int] = set()
        while open_:
            here, depends = open_.pop()
            if id(here) in seen:
                continue
            seen.add(id(here))
            if isinstance(here, pre.Afford):
                yield Edge((_PAYMENTS, here.effect.tag or ""), depends, True)
            for expr in self._looked_at(here):
                yield from self._worked_out(expr, depends)
                depends |= self.depends_on(expr)
            behind = list(pre.following(here))
            # Whether the second line of a menu is looked at depends on the first one, which may hold any time.
            open_ += [(one, depends) for one in (behind[:1] if isinstance(here, pre.Either) else behind)]

    def _looked_at(self, demand: pre.Demand) -> Iterable[Node]:
        match demand:
            case pre.Afford(effect=pay):
                return pay.items
            case pre.Pick(effect=choose):
                return [*choose.binders, *([choose.where] if choose.where is not None else [])]
            case pre.Either(lines=(pre.Line(option=option), *_)):
                return [*option.binders, *([option.condition] if option.condition is not None else [])]
        return self.preconditions.looked_at(demand)


def _sources(program: Program) -> Iterator[_Source]:
    for substitution in program.substitutions:
        if substitution.when is not None:
            name = f"the substitution {substitution.name!r}"
            yield _Source(name, substitution.span, None, (substitution.when.body,))
    for discount in program.discounts:
        if discount.when is not None:
            yield _Source(f"the discount {discount.name!r}", discount.span, discount.on, (discount.when.body,))
    for waiver in program.waivers:
        subject = waiver.subject.body if waiver.subject is not None else None
        trees = tuple(tree for tree in (waiver.binder, waiver.when, subject) if tree is not None)
        yield _Source(f"the waiver {waiver.name!r}", waiver.span, waiver.on, trees)


def _is_me(who: x.Expr) -> bool:
    """Return whether something is asked for the player who asked; for others, conditions may be other ones."""
    return isinstance(who, x.Local) and who.variable.name == "me"


def keep_names(given: tuple[x.Expr, ...], parameters: tuple[Variable, ...]) -> bool:
    """Return whether variables are handed on under the names that they have."""
    names = [one.variable.name if isinstance(one, x.Local) else "" for one in given]
    return names == [variable.name for variable in parameters]
