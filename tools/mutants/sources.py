"""Weaken modules of the engine: each place of their code, by what can be done to code of its form.

In:     modules that are loaded.
Out:    a mutant for every change: a statement that is gone, a condition that is always met or never, a bound that is
        off by one, half a union, one case less, the other end of an interval.

A change is made in the syntax tree of the module; the module is compiled with it, and the function in which it stands
gets the new code, so that code that has imported the function is changed as well.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, GenericAlias, ModuleType, UnionType
from typing import Any

from mutants.mutant import Mutant, Spot
from mutants.operators import changes

MODULES = (
    "patolli.language.program.summaries",
    "patolli.language.program.preconditions",
    "patolli.check.proofs.intervals",
    "patolli.check.proofs.domain",
    "patolli.check.proofs.declared",
    "patolli.check.proofs.differences",
    "patolli.check.proofs.facts",
)
"""The summary, the precondition, the domain, and what is known of numbers."""


@dataclass(frozen=True)
class Slot:
    """Where something stands in a tree: in a field of its parent, as one of a list where there is an index.

    ``within`` is the innermost statement, or case of one, that it belongs to.
    """

    parent: ast.AST
    field: str
    index: int | None
    within: ast.AST

    def put(self, new: Any) -> Any:
        """Put something else there; return what stood there."""
        if self.index is None:
            old = getattr(self.parent, self.field)
            setattr(self.parent, self.field, new)
            return old
        here = getattr(self.parent, self.field)
        old, here[self.index] = here[self.index], new
        return old


class Source:
    """A module, and its syntax tree."""

    def __init__(self, name: str) -> None:
        """Load it."""
        self.module: ModuleType = importlib.import_module(name)
        self.path = Path(str(self.module.__file__))
        self.tree: ast.Module = ast.parse(self.path.read_text("utf-8"))

    def mutants(self) -> Iterator[Mutant]:
        """Yield all mutants of the module, in the order of its lines."""
        seen: dict[str, int] = {}
        for statement in self.tree.body:
            yield from self._of(statement, "", seen)

    def _of(self, statement: ast.stmt, outer: str, seen: dict[str, int]) -> Iterator[Mutant]:
        match statement:
            case ast.ClassDef():
                for inner in statement.body:
                    if isinstance(inner, ast.FunctionDef | ast.ClassDef):
                        yield from self._of(inner, f"{outer}{statement.name}.", seen)
            case ast.FunctionDef():
                name = f"{outer}{statement.name}"
                function = _function(self.module, name)
                for slot, node in _inside(statement, "body"):
                    yield from self._changed(name, slot, node, seen, lambda f=function, n=name: self._recoded(f, n))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if not outer:
                if isinstance(getattr(self.module, name), GenericAlias | UnionType):
                    return  # the name of a type, which nothing looks at
                for slot, node in _inside(statement, "value", within=self.tree):  # run as the module is imported
                    yield from self._changed(name, slot, node, seen, lambda s=statement, n=name: self._assigned(s, n))

    def _changed(
        self, owner: str, slot: Slot, node: ast.AST, seen: dict[str, int], take: Callable[[], None]
    ) -> Iterator[Mutant]:
        for words, new in changes(node):
            change = words or f"{_words(node)}  ->  {_words(new)}"
            seen[f"{owner}: {change}"] = number = seen.get(f"{owner}: {change}", 0) + 1
            change += f"  ({number})" if number > 1 else ""

            def apply(slot: Slot = slot, new: ast.AST = new) -> None:
                slot.put(ast.fix_missing_locations(ast.copy_location(new, node)))
                take()

            run = isinstance(slot.within, _RUN) and Spot(str(self.path), *_lines(slot.within))
            yield Mutant("sources", f"{self.path.name}:{_line(slot, node)}", owner, change, apply, run or None)

    def _recoded(self, function: FunctionType, name: str) -> None:
        """Give a function the code that stands in the tree now."""
        line = function.__code__.co_firstlineno
        codes = _codes(compile(self.tree, str(self.path), "exec"))
        function.__code__ = next(c for c in codes if c.co_qualname == name and c.co_firstlineno == line)

    def _assigned(self, statement: ast.Assign | ast.AnnAssign, name: str) -> None:
        """Give a name of the module, wherever it was imported to, the value that stands in the tree now."""
        assert statement.value is not None
        old = getattr(self.module, name)
        new = eval(compile(ast.Expression(statement.value), str(self.path), "eval"), vars(self.module))
        if isinstance(old, dict | set):
            old.clear()
            old.update(new)
            return
        for module in list(sys.modules.values()):
            if module.__name__.startswith("patolli") and vars(module).get(name) is old:
                setattr(module, name, new)


def _words(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]} .. {text[-26:]}"


def _inside(root: ast.AST, *only: str, within: ast.AST | None = None) -> Iterator[tuple[Slot, ast.AST]]:
    """Yield all nodes inside one with their slots, outer ones first; no annotations and no text for readers."""
    within = within or root
    for field in only or root._fields:
        if field in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        value = getattr(root, field, None)
        for index, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(node, ast.AST) and not _text(node):
                here = node if isinstance(node, _RUN) else within
                yield Slot(root, field, index, here), node
                yield from _inside(node, within=here)


_RUN = ast.stmt | ast.match_case


def _lines(statement: ast.stmt | ast.match_case) -> tuple[int, int]:
    """Return the first and the last line of a statement, of one with others inside only of its head."""
    first = statement.pattern.lineno if isinstance(statement, ast.match_case) else statement.lineno
    inner = next((one for name in ("body", "cases") for one in getattr(statement, name, ())), None)
    if inner is None:
        assert isinstance(statement, ast.stmt)
        return first, statement.end_lineno or first
    below = inner.pattern.lineno if isinstance(inner, ast.match_case) else inner.lineno
    return first, max(first, below - 1)


def _line(slot: Slot, node: ast.AST) -> int:
    """Return the line of a node; a case and the like have none of their own."""
    for one in (node, *ast.iter_child_nodes(node), slot.parent):
        if hasattr(one, "lineno"):
            return int(one.lineno)
    return 0


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _function(module: ModuleType, name: str) -> FunctionType:
    """Return the function behind a name, whatever it is wrapped in."""
    found: Any = module
    for part in name.split("."):
        found = vars(found)[part]
    for wrapped in ("fget", "func", "__func__", "__wrapped__"):
        found = getattr(found, wrapped, found)
    assert isinstance(found, FunctionType), name
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def mutants(modules: tuple[str, ...] = MODULES) -> Iterator[Mutant]:
    """Yield the mutants of some modules."""
    for name in modules:
        yield from Source(name).mutants()
