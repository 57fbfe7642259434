"""Find what is to be translated: functions of a program, of the kernel, of the driver, and what they name."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any

from patolli.kernel import money
from patolli.run.compiler.purity import nodes_of
from patolli.run.native import driver
from patolli.run.native.kinds import ANNOTATED, ANY, Kind


@dataclass
class Source:
    """A program as it is translated.

    Attributes:
        functions: The functions that were generated, by name.
        space: What names stand for there.
        tables: What names in capitals of the driver stand for.
        entries: The first blocks of rules on frames.
        blocks: The functions of the blocks.
        layout: The layout of a state.
        files: By function, the file of the author.
        origins: By function, the name of the rule or function that it stems from.
        circular: The functions whose calls are counted, see ``compiler.call_depth``.
    """

    functions: Mapping[str, ast.FunctionDef]
    space: Mapping[str, Any]
    tables: Mapping[str, Any]
    entries: Mapping[str, int]
    blocks: list[str]
    layout: Any
    files: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    circular: Set[str] = frozenset()


@cache
def parse_functions(module: ModuleType) -> dict[str, ast.FunctionDef]:
    """Return the functions of a module of Python."""
    tree = ast.parse(inspect.getsource(module))
    return {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}


def driving(name: str) -> Any:
    """Return a function of the driver."""
    return next(getattr(one, name) for one in driver.MODULES if name in parse_functions(one))


def natives() -> dict[str, Any]:
    """Return what is carried out natively instead of functions of the kernel, by their names."""
    import patolli.kernel.flat_map  # noqa: F401 - it enters them
    from patolli.kernel.library import NATIVE

    return NATIVE


def read_annotation(node: ast.expr | None) -> Kind:
    """Return the kind of a parameter, as far as its annotation says it."""
    return ANNOTATED.get(node.id, ANY) if isinstance(node, ast.Name) else ANY


@cache
def fields_of_rows() -> dict[str, int]:
    """Return where the fields of rows of tables stand, as far as all agree."""
    found: dict[str, set[int]] = {}
    for one in vars(money).values():
        if isinstance(one, type) and (is_dataclass(one) or hasattr(one, "fields_of_rows")):
            names = [f.name for f in fields(one)] if is_dataclass(one) else list(one.fields_of_rows)
            for position, name in enumerate(names):
                found.setdefault(name, set()).add(position)
    return {name: min(places) for name, places in found.items() if len(places) == 1}


def find_number_parameters(function: ast.FunctionDef, parameters: set[str]) -> set[str]:
    """Return the parameters that are surely numbers, as something is counted or looked up with them."""
    numbers: set[str] = set()
    others: set[str] = set()
    for node in nodes_of(function):
        match node:
            case ast.BinOp(left=left, right=right):
                numbers.update(one.id for one in (left, right) if isinstance(one, ast.Name))
            case ast.Subscript(value=of, slice=index):
                numbers.update(one.id for one in (index,) if isinstance(one, ast.Name))
                others.update(one.id for one in (of,) if isinstance(one, ast.Name))
            case ast.Assign(targets=targets):
                for target in targets:
                    others.update(
                        one.id
                        for one in nodes_of(target)
                        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                    )
    return (numbers & parameters) - others
