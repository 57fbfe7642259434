"""What is being compiled: functions by file, the names that they see, and the variables in scope."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator, MutableSequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from patolli.kernel.ahead import Touched
from patolli.language.diagnostics import Span
from patolli.language.program.expressions import Expr, Variable
from patolli.language.program.model import Program
from patolli.language.program.node import Location
from patolli.language.program.preconditions import Demand, Preconditions
from patolli.language.program.summaries import Summaries
from patolli.run.compiler import build as b
from patolli.run.compiler.ahead import summarize_writes
from patolli.run.compiler.framed_rules import Framing
from patolli.run.compiler.layout import Layout

if TYPE_CHECKING:
    from patolli.run.compiler.scopes import Scoped
    from patolli.run.compiler.watch_hooks import Watched


class Proven(Protocol):
    """What was proven of a program, as far as it spares looking at things while a match runs."""

    @property
    def preconditions(self) -> Preconditions:
        """What the blocks of the program demand."""

    def prune_demand(self, demand: Demand) -> Demand:
        """Return a demand without what holds in any case; for the same demand, the same object."""

    def never_negative(self, expr: Expr) -> bool:
        """Return whether a number cannot be below 0."""


def fact_table(kind: str, fact: str) -> str:
    """Return the name of the table of a fact; ids may have underscores, so it says where that of the kind ends."""
    return f"F{len(kind)}_{kind}_{fact}"


def function_name(name: str) -> str:
    """Return the name of a declared function in generated code; ids have no capitals."""
    return "f_" + "".join(ch if ch.isalnum() or ch == "_" else f"X{ord(ch)}" for ch in name)


Lifted = tuple[str, list[Variable]]
"""A function that was lifted out of another one: its name, and the variables that it takes behind the state."""


@dataclass(slots=True)
class Unit:
    """One program in the making.

    ``files`` holds the generated functions by the YAML file that they come from, ``space`` the names that they see,
    ``origins`` what each function was made of, for people.
    """

    layout: Layout
    proven: Proven
    framing: Framing
    narrate: bool
    files: dict[str, list[ast.FunctionDef]] = field(default_factory=dict)
    space: dict[str, Any] = field(default_factory=dict)
    tabled: set[str] = field(default_factory=set)
    origins: dict[str, str] = field(default_factory=dict)
    tests: dict[str, str] = field(default_factory=dict)  # by rule, the function that tests whether it is possible
    lifted: dict[int, tuple[Demand, list[Lifted]]] = field(default_factory=dict)  # what tests a demand
    meeting: dict[int, Demand] = field(default_factory=dict)  # demands in which several ways meet
    held: dict[int, tuple[ast.expr, int]] = field(default_factory=dict)  # how many pieces there may be in a place
    scopes: dict[str, Scoped] = field(default_factory=dict)  # by rule, of what begins and ends
    watched: dict[str, Watched] = field(default_factory=dict)  # by rule, what is said of it to who watches
    heard: bool = False  # whether the match is watched
    notes: list[MutableSequence[Any]] = field(default_factory=list)  # what grows while rules are carried out
    spreading: dict[str, list[str]] = field(default_factory=dict)  # by relation, the searches that it became part of
    items: set[Variable] = field(default_factory=set)  # variables that stand for items of lists
    once: dict[int, tuple[Expr, Variable]] = field(default_factory=dict)  # parts of loops that are remembered
    geometry: dict[tuple[Any, ...], str] = field(default_factory=dict)  # tables of what lies around cells
    geometry_numbers: int = 0  # how many cells are in those that may be large
    copy: int = 0  # in the facts of a piece, which copy it is
    current: str = ""
    count: int = 0
    circular: set[str] = field(default_factory=set)  # generated functions whose calls are counted
    _locals: dict[Variable, str] = field(default_factory=dict)
    _named: dict[str, int] = field(default_factory=dict)
    _touched: dict[str, str] = field(default_factory=dict)
    _tables: dict[tuple[str, tuple[Hashable, ...]], str] = field(default_factory=dict)

    @property
    def model(self) -> Program:
        """The resolved ruleset."""
        return self.layout.model

    @property
    def summaries(self) -> Summaries:
        """What rules and effects may do."""
        return self.proven.preconditions.summaries

    def fresh(self, prefix: str) -> str:
        """Return a name that nothing else has."""
        self.count += 1
        return f"{prefix}{self.count}"

    def local(self, variable: Variable) -> str:
        """Return the name of a variable in generated code; each has its own.

        The number stands in front: behind it, the second `n` would be called like the first `n_2`.
        """
        if variable not in self._locals:
            number = self._named[variable.name] = self._named.get(variable.name, 0) + 1
            self._locals[variable] = f"v_{variable.name}" if number == 1 else f"v{number}_{variable.name}"
        return self._locals[variable]

    def define(self, id_: str, parameters: list[str], body: list[ast.stmt], span: Span) -> None:
        """Add a generated function that stems from a place in a file."""
        self.origins[id_] = self.current
        definition = b.function(id_, parameters, body)
        b.place(definition, span.line)
        self.files.setdefault(span.path, []).append(definition)

    def lift(self, prefix: str, inner: Context, body: list[ast.stmt], span: Span) -> Lifted:
        """Add a function that was compiled in a lifted context."""
        id_ = self.fresh(prefix)
        self.define(id_, inner.parameters, body, span)
        return id_, list(inner.captured)

    def taken_over(self, value: ast.expr, span: Span) -> list[ast.stmt]:
        """Return the body of a function that was lifted just now, if a value is its call alone; it is gone then.

        Its parameters are variables of the function that it was lifted out of, so its body means the same there.
        """
        made = self.files.get(span.path)
        if not made or not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            return []
        named = [argument.id for argument in value.args if isinstance(argument, ast.Name)]
        last = made[-1]
        if last.name != value.func.id or named != [one.arg for one in last.args.args] or len(named) < len(value.args):
            return []
        made.pop()
        return last.body

    def keep(self, prefix: str, value: object) -> str:
        """Keep a ready-made value under a new name."""
        id_ = self.fresh(prefix)
        self.space[id_] = value
        return id_

    def keep_writes(self, rule: str) -> str:
        """Keep what a rule may change, for looking ahead; the same only once."""
        if rule not in self._touched:
            writes = self.summaries.rules[rule].writes
            self._touched[rule] = self.keep("A", summarize_writes(self.layout, writes, tuple(self.notes)))
        return self._touched[rule]

    def lookaheads(self) -> Iterator[tuple[Touched, Iterable[Location]]]:
        """Yield what looks ahead keep, each with what its rule writes."""
        for rule, id_ in self._touched.items():
            yield self.space[id_], self.summaries.rules[rule].writes

    def table(self, prefix: str, rows: tuple[Hashable, ...]) -> str:
        """Keep a table of numbers, the same one only once."""
        if (prefix, rows) not in self._tables:
            self._tables[prefix, rows] = self.keep(prefix, rows)
        return self._tables[prefix, rows]


Read = Callable[[], ast.expr]


class Context:
    """Variables in scope, as expressions of the generated code.

    A lifted function has a context of its own; what it reads from outside becomes a parameter.
    """

    def __init__(self, unit: Unit, variables: dict[Variable, Read], outer: Context | None = None) -> None:
        self.unit = unit
        self.variables = variables
        self.outer = outer
        self.captured: dict[Variable, ast.expr] = {}

    def read_variable(self, variable: Variable) -> ast.expr:
        """Return the expression that reads a variable."""
        if variable in self.variables:
            return self.variables[variable]()
        assert self.outer is not None, variable
        if variable not in self.captured:
            self.captured[variable] = self.outer.read_variable(variable)
        return b.name(self.unit.local(variable))

    def with_(self, more: dict[Variable, Read]) -> Context:
        """Return a context of the same function, in which some variables are read in a certain way."""
        inner = Context(self.unit, {**self.variables, **more}, self.outer)
        inner.captured = self.captured
        return inner

    def child(self, *variables: Variable) -> Context:
        """Return a context of the same function, with more local variables."""
        return self.with_({v: self.reader(v) for v in variables})

    def reader(self, variable: Variable) -> Read:
        """Return what reads a local variable."""
        id_ = self.unit.local(variable)
        return lambda: b.name(id_)

    def lift_context(self) -> Context:
        """Return the context of a function that is lifted out of here."""
        return Context(self.unit, {}, self)

    @property
    def parameters(self) -> list[str]:
        """The parameters of a lifted function: the state, and what it reads from outside."""
        return ["s", *map(self.unit.local, self.captured)]


def of_variables(unit: Unit, *variables: Variable) -> Context:
    """Return the context of a function with some parameters."""
    return Context(unit, {}).child(*variables)
