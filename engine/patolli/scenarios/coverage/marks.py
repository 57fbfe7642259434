"""Put marks into the rules of a model, which note when an effect is reached and which way is taken.

In:     a checked model that nothing else uses.
Out:    the same model, whose rules hold :class:`~patolli.language.tree.Mark` effects; here the points and the
hits.

Lines of generated code would not do: several effects stand on one line, a rule that asks is cut into blocks,
and tests of what is possible run through the beginnings of rules that are never carried out. What is counted
is told in docs/explanation/coverage.md.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from patolli.analysis.model import Model, Step
from patolli.compiler import Executable
from patolli.compiler.bounds import function_name
from patolli.diagnostics import Span
from patolli.language import tree as t
from patolli.program import types as ty

Point = tuple[str, int, int, str]
"""File, line, column, and the way that was taken; without a way the point is the effect itself."""

TRUE, FALSE = "the condition was never true", "the condition was never false"


@dataclass(slots=True)
class Marks:
    """All points of the rules that were seen, and those that were reached."""

    points: set[Point] = field(default_factory=set)
    hits: set[Point] = field(default_factory=set)

    def joined(self, other: Marks) -> Marks:
        """Return the marks of two runs together."""
        return Marks(self.points | other.points, self.hits | other.hits)

    def keep(self, folders: Iterable[Path]) -> None:
        """Forget the points of files that lie in none of the folders: those of packs that are not tested."""
        kept = tuple(f"{folder}{os.sep}" for folder in folders)
        self.points = {point for point in self.points if point[0].startswith(kept)}

    def instrument(self, model: Model) -> None:
        """Put marks into all rules of a model; tests of conditions and options stay as they are."""
        for rule in model.rules.values():
            rule.steps = [Step(step.name, self._block(step.block), step.span) for step in rule.steps]
        for function in model.functions.values():
            if function.body is not None:
                self.points.add(_point(function.body.span))

    def watch(self, program: Executable) -> None:
        """Note from now on which functions of a program are evaluated; call it once for each program."""
        for function in program.layout.model.functions.values():
            point, id_ = _point(function.body.span), function_name(function.name)
            plain = program.space[id_]
            space = plain.__globals__
            if f"T_{id_}" in space:
                self.hits.add(point)  # worked out for all arguments when the program was made
            space[id_] = _watched(plain, partial(self.hits.add, point))

    # -- blocks

    def _mark(self, span: Span, way: str = "") -> t.Mark:
        point = _point(span, way)
        self.points.add(point)
        at = t.At(t.FixedText(span), 0, 0)
        return t.Mark(partial(self.hits.add, point), at=at)

    def _block(self, block: t.Block) -> t.Block:
        found: t.Block = []
        for effect in block:
            if not isinstance(effect, t.Nothing):
                found.append(self._mark(effect.span))
            found.extend(self._effect(effect))
        return found

    def _way(self, span: Span, way: str, block: t.Block) -> t.Block:
        return [self._mark(span, way), *self._block(block)]

    def _effect(self, effect: t.Effect) -> t.Block:
        match effect:
            case t.If():
                return [self._if(effect)]
            case t.Return() if effect.condition is not None:
                return [self._stop(effect)]
            case t.Choose():
                return self._choose(effect)
            case t.Menu():
                return [self._menu(effect)]
            case t.UpTo():
                return [self._with(effect, body=self._block(effect.body))]
            case t.For() | t.Repeat() | t.Loop() | t.As() | t.Simultaneously():
                return [self._with(effect, body=self._block(effect.body))]
        return [effect]

    def _with(self, effect: t.Effect, **changes: Any) -> t.Effect:
        new = copy.copy(effect)
        for name, value in changes.items():
            setattr(new, name, value)
        return new

    def _if(self, effect: t.If) -> t.Effect:
        where = effect.condition.span
        then = self._way(where, TRUE, effect.then)
        other: t.Block = [self._mark(where, FALSE)]
        if len(effect.other) == 1 and isinstance(effect.other[0], t.If):
            other.append(self._if(effect.other[0]))  # an elif has no place of its own
        else:
            other += self._block(effect.other)
        return self._with(effect, then=then, other=other)

    def _stop(self, effect: t.Return) -> t.Effect:
        """Part the ways of ``stop if``: it becomes an ``if`` around the ``stop``."""
        assert effect.condition is not None
        where = effect.span
        leave = self._with(effect, condition=None, negated=False)
        gone: t.Block = [self._mark(where, "it never stopped here"), leave]
        on: t.Block = [self._mark(where, "it always stopped here")]
        then, other = (on, gone) if effect.negated else (gone, on)
        return t.If(effect.condition, then, other, at=effect.at)

    def _choose(self, effect: t.Choose) -> t.Block:
        if effect.decline is None and effect.otherwise is None:
            return [effect]
        where = effect.span
        new = effect
        if effect.otherwise is not None:
            new_otherwise = self._way(where, "there was always something to choose", effect.otherwise)
            new = self._with(effect, otherwise=new_otherwise)  # type: ignore[assignment]
        name = t.Name(effect.binders[0].id, at=effect.binders[0].at, note=("variable", effect.binders[0].id))
        source = effect.binders[0].source.type
        name.type = ty.Maybe(source.of) if isinstance(source, ty.Seq) else ty.ANY
        taken = self._mark(where, "nothing was ever chosen")
        declined: t.Block = []
        if effect.decline is not None:
            declined = [self._mark(where, f"{effect.decline!r} was never taken")]
        if _whole(source):
            name_taken: t.Expr = t.Compare(name, [(">=", t.Number(0, at=effect.at))], at=effect.at, type=ty.BOOL)
        else:
            name_taken = name
        return [new, t.If(name_taken, [taken], declined, at=effect.at)]

    def _menu(self, effect: t.Menu) -> t.Effect:
        options = []
        for option in effect.options:
            new = copy.copy(option)
            place = f" on line {option.span.line}" if option.span.line != effect.span.line else ""
            words = f"the option {option.label!r}{place} was never taken"
            new.body = self._way(effect.span, words, option.body)
            options.append(new)
        otherwise = effect.otherwise
        if otherwise is not None:
            otherwise = self._way(effect.span, "there was always an option", otherwise)
        return self._with(effect, options=options, otherwise=otherwise)


def _whole(type_: object) -> bool:
    return isinstance(type_, ty.Seq) and type_.of == ty.INT


def _watched(function: Callable[..., Any], note: Callable[[], None]) -> Callable[..., Any]:
    def watched(*arguments: Any) -> Any:
        note()
        return function(*arguments)

    return watched


def _point(span: Span, way: str = "") -> Point:
    return (span.path, span.line, span.column, way)


__all__ = ["Marks", "Point"]
