"""What is being compiled: functions by file, the names that they see, and the variables in scope."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from patolli.analysis.model import Model
from patolli.analysis.traits import Traits
from patolli.compiler import build as b
from patolli.compiler.bounds import Bounds
from patolli.compiler.layout import Layout
from patolli.language import tree as t


@dataclass(slots=True)
class Unit:
    """One program in the making.

    ``files`` holds the generated functions by the YAML file that they come from, ``space`` the names that they see,
    ``origins`` what each function was made of, for people.
    """

    layout: Layout
    traits: Traits
    narrate: bool
    files: dict[str, list[ast.stmt]] = field(default_factory=dict)
    space: dict[str, Any] = field(default_factory=dict)
    bounds: Bounds = field(init=False)
    tabled: set[str] = field(default_factory=set)
    origins: dict[str, str] = field(default_factory=dict)
    current: str = ""
    count: int = 0

    def __post_init__(self) -> None:
        self.bounds = Bounds(self.layout.model, self.layout)

    @property
    def model(self) -> Model:
        """The checked ruleset."""
        return self.layout.model

    def fresh(self, prefix: str) -> str:
        """Return a name that nothing else has."""
        self.count += 1
        return f"{prefix}{self.count}"

    def define(self, id_: str, parameters: list[str], body: list[ast.stmt], node: t.Node) -> None:
        """Add a generated function that stems from *node*."""
        span = node.span
        self.origins[id_] = self.current
        definition = b.function(id_, parameters, body)
        b.place(definition, span.line)
        self.files.setdefault(span.path, []).append(definition)

    def keep(self, prefix: str, value: object) -> str:
        """Keep a ready-made value under a new name."""
        id_ = self.fresh(prefix)
        self.space[id_] = value
        return id_


Read = Callable[[], ast.expr]


class Context:
    """Variables in scope, as expressions of the generated code.

    A lifted function has a context of its own; what it reads from outside becomes a parameter.
    """

    def __init__(self, unit: Unit, variables: dict[str, Read], outer: Context | None = None) -> None:
        self.unit = unit
        self.variables = variables
        self.outer = outer
        self.captured: dict[str, ast.expr] = {}

    def read(self, name: str) -> ast.expr:
        """Return the expression that reads a variable."""
        if name in self.variables:
            return self.variables[name]()
        assert self.outer is not None, name
        if name not in self.captured:
            self.captured[name] = self.outer.read(name)
        return b.name(local(name))

    def child(self, *names: str) -> Context:
        """Return a context inside this one, where *names* are local variables of the same function."""
        inner = Context(self.unit, {**self.variables, **{n: reader(n) for n in names}}, self.outer)
        inner.captured = self.captured
        return inner

    def lifted(self) -> Context:
        """Return the context of a function that is lifted out of here."""
        return Context(self.unit, {}, self)


def local(name: str) -> str:
    """Return the name of a variable in generated code."""
    return "me" if name == "me" else f"v_{name}"


def reader(name: str) -> Read:
    """Return what reads a local variable."""
    id_ = local(name)
    return lambda: b.name(id_)
