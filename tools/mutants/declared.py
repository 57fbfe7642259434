"""Weaken what kinds of nodes and built-in functions declare: one entry at a time, in the live objects.

A kind reads or writes locations through a function. The words of locations that it may give (``"counter"``,
``"pieces"``) are found in its code; each is left out once, and where several may come of one word, all but the first
are, too.
"""

from __future__ import annotations

import dis
import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mutants.mutant import Mutant
from patolli.language.program import effects, node
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS, Builtin

WORDS = frozenset(
    {"counter", "field", "pieces", "variable", "chance", "over", "function", "beginning", "purse", "paying"}
)
"""What a location may begin with, see ``node.Location``."""
LOADS = ("LOAD_CONST", "RETURN_CONST")
"""Instructions with a constant; newer CPythons return one in a single step."""
PARTS = node._PARTS
SOME: list[ty.AnyType] = [ty.Seq(ty.INT)] * 3
"""Arguments for any built-in function."""


def mutants() -> Iterator[Mutant]:
    """Yield a mutant for each entry that weakens what is declared."""
    assert effects.Effect in node.Node.__subclasses__()  # with the effects, every kind is declared
    for kind, declared in node.DECLARED.items():
        place = _place(kind)
        for change, weaker in weakened(declared):
            yield Mutant("declarations", place, kind.__name__, change, _declaring(kind, weaker))
        for part in PARTS[kind]:
            yield Mutant("declarations", place, kind.__name__, f"nothing stands in '{part}'", _without(kind, part))
    for builtin in BUILTINS.values():
        yield from _of_builtin(builtin)


def _place(kind: type[node.Node]) -> str:
    lines, first = inspect.getsourcelines(kind)
    at = next(i for i, line in enumerate(lines) if line.startswith("class "))
    return f"{Path(inspect.getsourcefile(kind) or '').name}:{first + at}"


def _declaring(kind: type[node.Node], weaker: node.Declaration) -> Callable[[], None]:
    def apply() -> None:
        node.DECLARED[kind] = weaker

    return apply


def _without(kind: type[node.Node], part: str) -> Callable[[], None]:
    def apply() -> None:
        PARTS[kind] = {name: type_ for name, type_ in PARTS[kind].items() if name != part}
        node._INSIDE[kind] = node._reader(PARTS[kind])

    return apply


# ---- kinds of nodes


def weakened(declared: node.Declaration) -> Iterator[tuple[str, node.Declaration]]:
    """Yield a declaration without each of its entries, with words for what is missing."""
    for word, several in given(declared.reads).items():
        for change, fewer in _fewer(declared.reads, word, several):
            yield f"reads {change}", replace(declared, reads=fewer)
    for word, several in given(declared.writes).items():
        for change, fewer in _fewer(declared.writes, word, several):
            yield f"writes {change}", replace(declared, writes=fewer)
    if declared.asks != "never":
        yield "never asks", replace(declared, asks="never")
    if declared.draws:
        yield "never draws", replace(declared, draws=False)
    if declared.leaves != "never":
        yield "never leaves", replace(declared, leaves="never")
    if declared.runs:
        yield "runs nothing", replace(declared, runs=False)
    for fault in declared.faults:
        rest = tuple(other for other in declared.faults if other != fault)
        yield f"no fault '{fault}'", replace(declared, faults=rest)


def given(locations: node.Locations) -> dict[str, bool]:
    """Return the words of the locations that a function may give, and whether several may come of one."""
    found: Counter[str] = Counter()
    assert isinstance(locations, FunctionType)
    _look(locations.__code__, locations.__globals__, found, 1, set())
    return {word: number > 1 for word, number in sorted(found.items())}


def _look(code: CodeType, names: dict[str, Any], found: Counter[str], times: int, seen: set[CodeType]) -> None:
    """Count the words in a function and in those that it calls; what stands in a generator comes more than once."""
    if code in seen:
        return
    seen.add(code)
    steps = list(dis.get_instructions(code))
    for step, after in zip(steps, [*steps[1:], steps[-1]], strict=True):
        if after.opname == "MATCH_CLASS":  # names of attributes
            continue
        constants = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        for constant in (*constants, *(inner for one in constants if isinstance(one, tuple) for inner in one)):
            if isinstance(constant, str) and constant in WORDS and step.opname in LOADS:
                found[constant] += times
            elif isinstance(constant, CodeType):
                _look(constant, names, found, 2, seen)
        if step.opname == "LOAD_GLOBAL" and isinstance(inner := names.get(step.argval), FunctionType):
            _look(inner.__code__, inner.__globals__, found, times, seen)


def _fewer(locations: node.Locations, word: str, several: bool) -> Iterator[tuple[str, node.Locations]]:
    def none(here: Any) -> Iterable[node.Location]:
        return [one for one in locations(here) if one[0] != word]

    def first(here: Any) -> Iterable[node.Location]:
        found = list(locations(here))
        kept = next((one for one in found if one[0] == word), None)
        return [one for one in found if one[0] != word or one == kept]

    yield f"no '{word}'", none
    if several:
        yield f"only the first '{word}'", first


# ---- built-in functions


def _of_builtin(builtin: Builtin) -> Iterator[Mutant]:
    def with_(changed: Builtin) -> Callable[[], None]:
        def apply() -> None:
            BUILTINS[builtin.name] = changed

        return apply

    place = "builtins.py:0"
    for at, parameter in enumerate(builtin.parameters):
        if parameter != "any":
            loose = (*builtin.parameters[:at], "any", *builtin.parameters[at + 1 :])
            change = f"argument {at + 1} may be anything, not only '{parameter}'"
            yield Mutant("declarations", place, builtin.name, change, with_(replace(builtin, parameters=loose)))
    change = "its result may be anything"
    if builtin.result(SOME) != ty.ANY:  # of some the place decides, where they are resolved
        yield Mutant("declarations", place, builtin.name, change, with_(replace(builtin, result=lambda types: ty.ANY)))
