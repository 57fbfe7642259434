"""Lists from which something is chosen: their items, and why something is among them or not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from patolli.check.prose import expressions as say
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.run.runtime.reasons import Reason
from patolli.run.runtime.situations import Situation, Situations

DEEP = 4
"""How deep is looked into functions and rules that are called."""


class Lists(Situations):
    """Looks into lists; explaining builds on it."""

    @abstractmethod
    def conditions(self, condition: x.Expr, at: Situation) -> list[Reason]:
        """Return the parts of a condition, one after another."""

    def note_dependence(self, reason: Reason, at: Situation) -> Reason:
        """Note that the part after a condition may rest on it."""
        at.sure = at.sure and reason.holds is True
        return reason

    def candidates(self, binders: Sequence[x.Binder], at: Situation) -> Iterator[tuple[Situation, str]]:
        """Yield the situations with each value of some variables, and the words for the values."""
        if not binders:
            yield at, ""
            return
        binder, *more = binders
        type_ = binder.source.type.of if isinstance(binder.source.type, ty.Seq) else binder.variable.type
        for value in self.value(binder.source, at) or ():
            here = at.fork()
            self.bind(here, binder.variable, value)
            label = self.words(type_, value)
            for inner, words in self.candidates(more, here):
                yield inner, f"{label} -> {words}" if words else label

    def body(self, call: x.FunctionCall, at: Situation) -> tuple[x.Expr, Situation]:
        """Return what a function computes, and the situation in it."""
        function = self.model.functions[call.function]
        return function.body, self.inside(at, (function.me, *function.parameters), (call.me, *call.arguments))

    def wider(self, source: x.Expr, at: Situation) -> Sequence[Any]:
        """Return the items that contain a list as a part."""
        match source:
            case x.Quantifier(op="list" | "sorted" | "distinct", binders=(binder,), value=None):
                return self.wider(binder.source, at) or self.value(binder.source, at) or ()
            case x.Whole(op="list" | "sorted" | "distinct"):
                return self.wider(source.of, at)
            case x.FunctionCall() if at.depth < DEEP:
                return self.wider(*self.body(source, at))
        return ()

    def among(self, value: Any, label: str, variable: x.Variable, source: x.Expr, at: Situation) -> list[Reason]:
        """Say why a value is, or is not, in a list: by what the list is made of, where that can be said."""
        match source:
            case x.Quantifier(op="list" | "sorted" | "distinct", binders=(binder,), value=None):
                found = self.among(value, label, variable, binder.source, at)
                inner = at.fork()
                self.bind(inner, binder.variable, value)
                found += self.conditions(source.where, inner) if source.where is not None else []
                at.sure = at.sure and inner.sure
                return found
            case x.Whole(op="list" | "sorted" | "distinct"):
                return self.among(value, label, variable, source.of, at)
            case x.Instances() | x.GroupNamed():
                return []
            case x.FunctionCall() if at.depth < DEEP:
                body, inner = self.body(source, at)
                found = self.among(value, label, variable, body, inner)
                at.sure = at.sure and inner.sure
                return found
        return [self.note_dependence(self._member(value, label, variable, source, at), at)]

    def _member(self, value: Any, label: str, variable: x.Variable, source: x.Expr, at: Situation) -> Reason:
        """Say whether a value is in a list."""
        hidden = self.hidden_reads.hides(source, at.scope)
        listed = None if hidden else self.value(source, at)
        values = (("there", self.words(source.type, listed)),) if listed is not None else ()
        item = x.Local(variable, type=variable.type, span=source.span)
        test = x.Compare("in", item, source, type=ty.BOOL, span=source.span)
        holds = None if listed is None else value in listed
        label = (self.words(variable.type, value) if self.names is not None else "") or label
        what = f"{label} is among {say.value(source, at.speech)}"
        scope = {**at.scope, variable: value}
        return Reason(holds, what, source.span, values, hidden=hidden, node=test, scope=scope)
