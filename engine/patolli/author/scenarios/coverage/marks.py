"""Put marks into the rules of a model, which note when an effect is reached and which way is taken.

In:     a checked model that nothing else uses.
Out:    the same model, whose rules hold :class:`~patolli.language.syntax.tree.Mark` effects; here the points and the
hits.

Lines of generated code would not do: several effects stand on one line, a rule that asks is cut into blocks,
and tests of what is possible run through the beginnings of rules that are never carried out. What is counted
is described in docs/explanation/coverage.md.
"""

from __future__ import annotations

import dataclasses as dc
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program, Step
from patolli.run.compiler import Executable
from patolli.run.compiler.unit import function_name

Point = tuple[str, int, int, str]
"""File, line, column, and the way that was taken; without a way the point is the effect itself."""

TRUE, FALSE = "the condition was never true", "the condition was never false"


@dataclass(slots=True)
class Marks:
    """All points of the rules that were seen, and those that were reached."""

    points: set[Point] = field(default_factory=set)
    hits: set[Point] = field(default_factory=set)

    def merge_marks(self, other: Marks) -> Marks:
        """Return the marks of two runs together."""
        return Marks(self.points | other.points, self.hits | other.hits)

    def keep(self, folders: Iterable[Path]) -> None:
        """Forget the points of files that lie in none of the folders: those of packs that are not tested."""
        kept = tuple(f"{os.path.abspath(folder)}{os.sep}" for folder in folders)  # as '.' is no part of the paths in it
        self.points = {point for point in self.points if os.path.abspath(point[0]).startswith(kept)}

    def instrument(self, program: Program) -> None:
        """Put marks into all rules of a program; tests of conditions and options stay as they are."""
        for name, rule in program.rules.items():
            steps = tuple(Step(step.name, self._mark_block(step.block), step.span) for step in rule.steps)
            program.rules[name] = dc.replace(rule, steps=steps)
        for function in program.functions.values():
            self.points.add(_point_at(function.body.span))

    def watch(self, program: Executable) -> None:
        """Note from now on which functions of a program are evaluated; call it once for each program."""
        for function in program.layout.model.functions.values():
            point, id_ = _point_at(function.body.span), function_name(function.name)
            plain = program.function(function.name)
            space = plain.__globals__
            if f"T_{id_}" in space:
                self.hits.add(point)  # computed for all arguments when the program was made
            for search in (id_, *space["SPREADING"].get(function.name, ())):
                space[search] = _watch_function(space[search], partial(self.hits.add, point))

    # -- blocks

    def _mark_rule(self, span: Span, way: str = "") -> e.Mark:
        point = _point_at(span, way)
        self.points.add(point)
        return e.Mark(partial(self.hits.add, point), span=span)

    def _mark_block(self, block: e.Block) -> e.Block:
        found: list[e.Effect] = []
        for effect in block:
            if not isinstance(effect, e.Nothing) and not _for_the_next(effect):
                found.append(self._mark_rule(effect.span))
            found.extend(self._mark_effect(effect))
        return tuple(found)

    def _mark_way(self, span: Span, way: str, block: e.Block) -> e.Block:
        return (self._mark_rule(span, way), *self._mark_block(block))

    def _mark_effect(self, effect: e.Effect) -> e.Block:
        match effect:
            case e.If():
                return (self._mark_stop(effect) if _is_stop_if(effect) else self._if(effect),)
            case e.Choose():
                return self._mark_choose(effect)
            case e.Menu():
                return (self._mark_menu(effect),)
            case _ if isinstance(effect, e.Looping | e.Elsewhere):
                return (dc.replace(effect, body=self._mark_block(effect.body)),)
        return (effect,)

    def _if(self, effect: e.If) -> e.If:
        where = effect.condition.span
        then = self._mark_way(where, TRUE, effect.then)
        inner = effect.other[0] if len(effect.other) == 1 else None
        if isinstance(inner, e.If) and not _is_stop_if(inner):
            other: e.Block = (self._if(inner),)  # an elif has no place of its own
        else:
            other = self._mark_block(effect.other)
        return dc.replace(effect, then=then, other=(self._mark_rule(where, FALSE), *other))

    def _mark_stop(self, effect: e.If) -> e.If:
        """Part the ways of ``stop if``."""
        gone = (self._mark_rule(effect.span, "it never stopped here"), *effect.then)
        on = (self._mark_rule(effect.span, "it always stopped here"),)
        return dc.replace(effect, then=gone, other=on)

    def _mark_choose(self, effect: e.Choose) -> e.Block:
        if effect.decline is None and effect.otherwise is None:
            return (effect,)
        where, new = effect.span, effect
        if effect.otherwise is not None:
            otherwise = self._mark_way(where, "there was always something to choose", effect.otherwise)
            new = dc.replace(effect, otherwise=otherwise)
        variable = effect.binders[0].variable
        chosen = x.Local(variable, type=ty.Maybe(variable.type), span=where)
        taken = self._mark_rule(where, "nothing was ever chosen")
        declined: e.Block = ()
        if effect.decline is not None:
            declined = (self._mark_rule(where, f"{effect.decline!r} was never taken"),)
        return (new, e.If(x.Present(chosen, type=ty.BOOL, span=where), (taken,), declined, span=where))

    def _mark_menu(self, effect: e.Menu) -> e.Menu:
        options = []
        for option in effect.options:
            place = f" on line {option.span.line}" if option.span.line != effect.span.line else ""
            words = f"the option {option.label!r}{place} was never taken"
            options.append(dc.replace(option, body=self._mark_way(effect.span, words, option.body)))
        otherwise = effect.otherwise
        if otherwise is not None:
            otherwise = self._mark_way(effect.span, "there was always an option", otherwise)
        return dc.replace(effect, options=tuple(options), otherwise=otherwise)


def _for_the_next(effect: e.Effect) -> bool:
    """Return whether an effect is the part of the next one that carries out a rule."""
    return isinstance(effect, e.CallRule) and effect.into is not None and not effect.into.name


def _is_stop_if(effect: e.If) -> bool:
    """Return whether an effect is ``stop if``: the leaving has no place of its own."""
    inner = effect.then[0] if len(effect.then) == 1 and not effect.other else None
    return isinstance(inner, e.Return) and inner.value is None and inner.span == effect.span


def _watch_function(function: Callable[..., Any], note: Callable[[], None]) -> Callable[..., Any]:
    def call_noted(*arguments: Any) -> Any:
        note()
        return function(*arguments)

    return call_noted


def _point_at(span: Span, way: str = "") -> Point:
    return (span.path, span.line, span.column, way)
