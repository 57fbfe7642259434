"""States, what the variables are there, and the values of expressions; explaining builds on it.

Every value is computed by what the compiler of the rules made of the expression (``compiler.workings``). What may
only be looked at because something before it holds is not looked at where that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from patolli.check.prose.words import Speech
from patolli.kernel.budget import renew
from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program import preconditions as p
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.language.program.node import walk
from patolli.run.compiler.executable import Executable
from patolli.run.compiler.workings import Working
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.hidden_reads import HiddenReads
from patolli.run.runtime.labels import Labels
from patolli.run.runtime.shortage import Purse

LISTED = 10
"""How many items of a list are named."""
FAULTS = (RuleFault, ArithmeticError, LookupError, ValueError, RecursionError)
"""What a condition may run into that is looked at although one before it does not hold."""
_QUIET = (ty.COST, ty.EFFECT, ty.TEXT, ty.ANY)


@dataclass(slots=True)
class Situation:
    """A state, what the variables are there, and whether everything before holds."""

    state: State
    scope: dict[x.Variable, Any]
    speech: Speech
    sure: bool = True
    depth: int = 0

    def fork(self) -> Situation:
        """Return another way from here."""
        return replace(self, scope=dict(self.scope))


class Situations:
    """Works out values on one state, as the player on *seat* may know them."""

    def __init__(self, program: Executable, labels: Labels, state: State, seat: int) -> None:
        self.program, self.labels, self.seat = program, labels, seat
        self.names: Names | None = None  # what people call things, where these are shown instead of labels
        self.model, self.workings = program.layout.model, program.workings
        self.hidden_reads = HiddenReads(
            program.layout, self.workings.preconditions, state, seat, lambda one, s: self.find_value(one, s)
        )
        self.start = Situation(state, {}, Speech(self.model))
        self.purse = Purse(program, labels)

    # -- situations and values

    def bind(self, at: Situation, variable: x.Variable, value: Any) -> None:
        """Give a variable its value, and the words that this value has."""
        self.hidden_reads.unveil(variable)
        at.scope.pop(variable, None)
        if value is None:
            return
        at.scope[variable] = value
        type_ = ty.strip(variable.type)
        if variable.name == "me" and value == self.seat:
            at.speech = at.speech.calling(variable, "you")
        elif isinstance(type_, ty.Ref | ty.Design | ty.Group | ty.Choice) and value >= 0:
            at.speech = at.speech.calling(variable, self._name_value(type_, value))
        else:
            at.speech = at.speech.knowing(variable)

    def let(self, at: Situation, variable: x.Variable, expr: x.Expr, outer: Situation | None = None) -> None:
        """Give a variable the value of an expression, without its words where the player cannot see it."""
        there = outer or at
        hidden = self.hidden_reads.hides(expr, there.scope)
        self.bind(at, variable, self.value(expr, there))
        if hidden:
            self.veil(at, variable)

    def veil(self, at: Situation, variable: x.Variable) -> None:
        """Note that the player cannot know the value of a variable."""
        at.speech = at.speech.knowing(variable)
        self.hidden_reads.veil(variable)

    def inside(self, at: Situation, variables: Sequence[x.Variable], given: Iterable[x.Expr]) -> Situation:
        """Return the situation inside something that is called."""
        inner = Situation(at.state, {}, Speech(self.model), at.sure, at.depth + 1)
        for variable, expr in zip(variables, given, strict=True):
            self.let(inner, variable, expr, at)
        return inner

    def begin_situation(self, variables: Sequence[x.Variable], values: Sequence[Any]) -> Situation:
        """Return a situation with certain values of variables."""
        at = self.start.fork()
        for variable, value in zip(variables, values, strict=True):
            self.bind(at, variable, value)
        return at

    def find_value(self, expr: x.Expr, scope: Any) -> Any:
        """Return the value of an expression; None where it cannot be said."""
        return self.run(self.workings.value(expr), self.start.state, scope)

    def value(self, expr: x.Expr, at: Situation) -> Any:
        """Return the value of an expression in a situation; None if the player may not see it there."""
        if not at.sure and is_narrowed(expr, self.model):
            return None
        return self.run(self.workings.value(expr), at.state, at.scope)

    def run(self, working: Working, state: State, scope: Any) -> Any:
        """Work something out; a state on which that fails is as it was."""
        if any(variable not in scope for variable in working.variables):
            return None
        before = state[:]
        renew()
        try:
            return working.function(state, *(scope[variable] for variable in working.variables))
        except FAULTS:
            state[:] = before
            return None

    def possible(self, demand: p.Demand, at: Situation, span: Span) -> bool | None:
        """Return whether a demand holds, without saying why."""
        found = self.run(self.workings.possible(demand, at.scope, span), at.state, at.scope)
        return None if found is None else bool(found)

    def words(self, type_: ty.AnyType, value: Any) -> str:
        """Return the words for a value; nothing where there are none."""
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq):
            if type_.of in _QUIET or not hasattr(value, "__len__"):
                return ""
            named = [self.words(type_.of, one) for one in value[:LISTED]]
            more = f", .. ({len(value)} in all)" if len(value) > LISTED else ""
            return ", ".join(named) + more if named else "nothing"
        return "" if type_ in _QUIET or isinstance(type_, ty.Many) else self._name_value(type_, value)

    def _name_value(self, type_: ty.AnyType, value: Any) -> str:
        """Return the name of a value for people, or its label."""
        if self.names is not None and isinstance(ty.strip(type_), ty.Ref | ty.Design):
            return self.names.value(type_, value)
        return self.labels.value(type_, value, self.seat)


def is_narrowed(expr: x.Expr, model: Program) -> bool:
    """Return whether an expression rests on a test that something is not none."""
    return any(_is_narrowed(node, model) for node in walk(expr) if isinstance(node, x.Expr))


def _is_narrowed(node: x.Expr, model: Program) -> bool:
    declared: ty.AnyType | None = None
    match node:
        case x.Local():
            declared = node.variable.type
        case x.FieldOf():
            declared = model.kinds[node.kind].fields[node.field].type
        case x.FactOf() if node.fact in model.kinds[node.kind].facts:
            declared = model.kinds[node.kind].facts[node.fact].type
        case x.FunctionCall():
            declared = model.functions[node.function].type
        case x.RowSpot():
            return not isinstance(node.type, ty.Maybe)
        case x.Held():
            return not isinstance(node.type, ty.Maybe | ty.Seq)
        case x.BuiltinCall(builtin="top" | "place_of" | "cell_at" | "shift"):
            return not isinstance(node.type, ty.Maybe)
        case x.Quantifier(op="first" | "lowest" | "highest") | x.Whole(op="first"):
            return not isinstance(node.type, ty.Maybe)
    return isinstance(declared, ty.Maybe) and not isinstance(node.type, ty.Maybe)
