"""Answer whether a rule could be called with certain values, and find the values that people name.

In:     what the player typed, such as ``buy(card_1)``, and who explains the state.
Out:    a ``Why``; None where the words are no call of a rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from patolli.language.diagnostics import nearest
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Rule
from patolli.run.runtime.explainer import Explainer, describe_call
from patolli.run.runtime.reasons import Why, met

_CALL = re.compile(r"([\w.]+)\s*\((.*)\)")


class Calls:
    """Calls of rules by the player on a *seat*, as *explainer* explains them to the player who decides."""

    def __init__(self, explainer: Explainer, seat: int) -> None:
        self.explainer, self.program, self.labels = explainer, explainer.program, explainer.labels
        self.model, self.seat = explainer.model, seat

    def answer(self, words: str) -> Why | None:
        """Answer whether a rule could be called; None where the words are no call. Raises ValueError: wrong values."""
        found = _CALL.fullmatch(words)
        name = found[1] if found else words
        rule = self.model.rules.get(name)
        if rule is None or rule.hidden or (found is None and rule.parameters):
            return None
        texts = [part.strip() for part in found[2].split(",")] if found and found[2].strip() else []
        values = [self.seat, *self._arguments(rule, texts)]
        at = self.explainer.begin_situation(rule.variables, values)
        reasons = self.explainer.demands(self.program.workings.preconditions.of(rule.block), at)
        return Why(describe_call(name, texts), self.seat, met(reasons), True, rule.span, tuple(reasons))

    def _arguments(self, rule: Rule, texts: list[str]) -> list[Any]:
        """Return the values that a call names. Raises ValueError: their number or a kind is wrong."""
        if len(texts) != len(rule.parameters):
            wanted = ", ".join(f"{one.name}: {one.type}" for one in rule.parameters)
            raise ValueError(f"{describe_call(rule.name, [wanted])} was called with {len(texts)} values")
        return [self._argument(one, text) for one, text in zip(rule.parameters, texts, strict=True)]

    def _argument(self, parameter: x.Variable, text: str) -> Any:
        type_ = parameter.type
        plain = ty.strip(type_)
        if text == "none" and isinstance(type_, ty.Maybe):
            return -1
        if plain == ty.BOOL and text in ("true", "false", "yes", "no"):
            return text in ("true", "yes")
        known = self._values_of(plain)
        value = known.get(text, self.value(text, plain, ()))
        if value is None:
            near = nearest(text, known)
            raise ValueError(f"{text!r} is not {type_}" + (f"; did you mean {near!r}?" if near else ""))
        return value

    def _values_of(self, type_: ty.AnyType) -> dict[str, Any]:
        """Return the values of a type by their labels, where they are few."""
        layout = self.program.layout
        match type_:
            case ty.Ref():
                return {self.labels.value(type_, number, self.seat): number for number in self._all_of(type_)}
            case ty.Group():
                return {name: layout.counters[name][0] for name in self.model.groups[type_.name]}
            case ty.Design():
                return {design.id: number for number, design in enumerate(self.model.kinds[type_.kind].designs)}
            case ty.Choice():
                return {str(one): number for number, one in enumerate(self.model.options[type_.option].choices)}
        return {}

    def value(self, label: str, type_: ty.AnyType, listed: Sequence[Any]) -> Any:
        """Return the value that a label names: one of a list, or another one of its type; None for none."""
        for value in listed:
            if self.labels.value(type_, value, self.seat) == label:
                return value
        plain = ty.strip(type_)
        if isinstance(plain, ty.Ref):
            return next((n for n in self._all_of(plain) if self.labels.value(plain, n, self.seat) == label), None)
        return int(label) if plain == ty.INT and re.fullmatch(r"-?\d{1,9}", label) else None

    def _all_of(self, type_: ty.Ref) -> range:
        """Return all instances of a kind."""
        return range(self.program.layout.size(type_.kind))


def example(rules: dict[str, Rule]) -> str:
    """Return how a rule of the pack would be asked about."""
    for rule in rules.values():
        if rule.parameters and not rule.hidden and "'" not in rule.name:
            return describe_call(rule.name, [one.name for one in rule.parameters])
    return "name()"
