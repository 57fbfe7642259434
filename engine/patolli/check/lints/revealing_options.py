"""Find questions whose options reveal to a player what only another one may see.

An option that is there only while another player's hidden bid is above 3 shows that it is, also where it is what the
option leads to that demands this. What is chosen straight from a hidden place, ``choose c in hand(p)``, is meant to be
looked at, and how many pieces lie somewhere everybody can see. A hidden field is another's where the piece comes from a
place of another player, or no player sees it; beside the field that opens it, what is looked at is taken to be open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import inside
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Program, Rule
from patolli.language.program.node import Node, walk
from patolli.language.program.preconditions import Preconditions, parts

CONTEXTS = 16
"""In so many ways of calling it a function or rule is looked at; of others nothing is reported."""


@check("P0466")
def revealing_question(reviewed: Reviewed) -> Iterator[Problem]:
    """Find conditions and lists of questions that depend on others' secrets."""
    program = reviewed.program
    visible = {place.visible for place in program.places.values()}
    visible |= {counter.visible for counter in program.counters.values()}
    fields = {field.visible for kind in program.kinds.values() for field in kind.fields.values()}
    if visible.isdisjoint({"owner", "others"}) and fields <= {"all"}:
        return
    sources = _sources(program)
    preconditions = Preconditions(reviewed.summaries, lambda name: True)
    for rule in program.rules.values():
        looking, reported = _Looking(program, _mine(rule), preconditions, sources), set[Span]()
        for node in walk(rule.block):
            for part in (*_list_option_conditions(node), *_list_menu_demands(node, preconditions)):
                found = next(looking.found_in(part), None)
                if found is not None and part.span not in reported and reviewed.written_here(part.span):
                    reported.add(part.span)
                    text = "the options here reveal what only another player may see"
                    help_ = "always offer this, and test it after the choice; or make it visible to everyone"
                    also = ((found.span, "the player who is asked cannot see this"),) if found is not part else ()
                    yield Problem("P0466", text, part.span, help_, also, "warning")


def _sources(program: Program) -> dict[Variable, x.Expr]:
    """Return from what each variable is taken, in rules and functions."""
    bodies = [*(rule.block for rule in program.rules.values()), *((one.body,) for one in program.functions.values())]
    binders = (node for body in bodies for node in walk(body) if isinstance(node, x.Binder))
    return {binder.variable: binder.source for binder in binders}


def _mine(rule: Rule) -> set[Variable]:
    """Return the variables of a rule that stand for the acting player."""
    found = {rule.me}
    for node in walk(rule.block):
        match node:
            case e.As():
                found.add(node.variable)
            case e.Simultaneously():
                found |= {node.variable, node.me}
    return found


def _list_option_conditions(node: Node) -> Iterator[x.Expr]:
    """Yield what decides about the options of a question, without what is chosen from itself."""
    match node:
        case e.Choose() | e.For(any_order=True):
            yield from _lists(node.binders)
            yield from (node.where,) if node.where is not None else ()
        case e.Option():
            yield from _lists(node.binders)
            yield from (node.condition,) if node.condition is not None else ()
        case e.UpTo():
            yield node.times


def _list_menu_demands(node: Node, preconditions: Preconditions) -> Iterator[x.Expr]:
    """Yield what a line of a menu demands of what it leads to."""
    if isinstance(node, e.Option):
        for demand in parts(preconditions.of(node.body)):
            yield from preconditions.looked_at(demand)


def _lists(binders: Iterable[x.Binder]) -> Iterator[x.Expr]:
    for binder in binders:
        if isinstance(binder.source, x.Held):
            yield from binder.source.indices
        else:
            yield binder.source


class _Looking:
    """Looks for what only another player may see; ``mine`` are the variables of the one who is asked."""

    def __init__(
        self, program: Program, mine: set[Variable], preconditions: Preconditions, sources: dict[Variable, x.Expr]
    ) -> None:
        self.program, self.mine, self.preconditions, self.sources = program, mine, preconditions, sources
        self.reveals: dict[
            str, dict[frozenset[Variable], bool]
        ] = {}  # of what is called, by its variables that are mine
        self.opening: set[tuple[str, str]] = set()  # the fields that are looked at in the same place

    def found_in(self, part: Node) -> Iterator[Node]:
        """Yield what is hidden from the one who is asked, in a whole condition or list."""
        self.opening = {(node.kind, node.field) for node in walk(part) if isinstance(node, x.FieldOf)}
        return self.secrets(part)

    def secrets(self, node: Node) -> Iterator[Node]:
        """Yield what is hidden from the one who is asked."""
        match node:
            case x.CounterAt() if self._of_another(self.program.counters[node.counter].visible, node.indices):
                yield node
            case x.Held() | x.RowSpot() if self._of_another(self.program.places[node.place].visible, node.indices):
                yield node
            case x.FieldOf() if self._hidden_field(node):
                yield node
            case x.FactOf() | x.FieldOf() | x.DesignOf() if self._is_held_unseen(node.of):
                yield node
            case x.FunctionCall():
                function = self.program.functions[node.function]
                variables, given = (function.me, *function.parameters), (node.me, *node.arguments)
                yield from self._find_revealing_calls(
                    node, f"function {node.function}", variables, given, [function.body]
                )
            case x.Can():
                rule = self.program.rules[node.rule]
                demands = parts(self.preconditions.of(rule.block))
                looked = [one for demand in demands for one in self.preconditions.looked_at(demand)]
                given = (node.me, *node.arguments)
                yield from self._find_revealing_calls(node, f"rule {node.rule}", rule.variables, given, looked)
            case x.After():
                rule = self.program.rules[node.rule]
                given = (node.me, *node.arguments)
                self.mine |= {one.variable for one in node.given if self._is_mine(one.source)}
                yield from self._find_revealing_calls(node, f"rule {node.rule}", rule.variables, given, rule.block)
        for part in inside(node):
            yield from self.secrets(part)

    def _find_revealing_calls(
        self, call: Node, name: str, variables: Iterable[Variable], given: Iterable[x.Expr], bodies: Iterable[Node]
    ) -> Iterator[Node]:
        """Yield a call that looks at others' secrets, with its variables for what is given."""
        mine = frozenset(variable for variable, one in zip(variables, given, strict=False) if self._is_mine(one))
        seen = self.reveals.setdefault(name, {})
        if mine not in seen and len(seen) < CONTEXTS:
            seen[mine] = False  # what comes back to itself reveals nothing new
            inner = _Looking(self.program, set(mine), self.preconditions, self.sources)
            inner.reveals = self.reveals
            seen[mine] = any(next(inner.found_in(body), None) is not None for body in bodies)
        if seen.get(mine):
            yield call

    def _hidden_field(self, node: x.FieldOf) -> bool:
        field = self.program.kinds[node.kind].fields[node.field]
        if field.visible == "all" or (node.kind, field.unless) in self.opening:
            return False
        return field.visible == "none" or self._is_anothers(node.of)

    def _is_anothers(self, piece: x.Expr) -> bool:
        """Return whether a piece surely lies in a place of a player who is not asked."""
        source = self.sources.get(piece.variable) if isinstance(piece, x.Local) else None
        if not isinstance(source, x.Held) or self.program.places[source.place].dims[:1] != ("player",):
            return False
        return not self._is_mine(source.indices[0])

    def _is_held_unseen(self, piece: x.Expr) -> bool:
        """Return whether a piece surely lies before the player who is asked, where only all others see it."""
        source = self.sources.get(piece.variable) if isinstance(piece, x.Local) else None
        if not isinstance(source, x.Held) or self.program.places[source.place].visible != "others":
            return False
        return self._is_mine(source.indices[0])

    def _of_another(self, visible: str, indices: tuple[x.Expr, ...]) -> bool:
        return visible == "owner" and bool(indices) and not self._is_mine(indices[0])

    def _is_mine(self, who: x.Expr) -> bool:
        return isinstance(who, x.Local) and who.variable in self.mine
