"""What lasts as long as a rule: fields and counters that are set back when it ends.

``freed: {type: bool, lasts: turn}`` means a trigger that no author has to write: after `turn`, and all that follows it,
the field is what it was at the start, on whatever piece it was changed. So is a counter, for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.language.diagnostics import Span
from patolli.language.program import types as ty
from patolli.language.program.model import LASTS
from patolli.language.resolve.model import Attribute, Model, ReportSettings, Rule, Step, Trigger
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Scalar
from patolli.language.syntax import tree as t

_EACH = "_each"
"""The variables that go over what is set back; no author's text is beside them."""


def declare_lasting(model: Model, reader: Reader) -> None:
    """Add a trigger for each field and counter that lasts as long as a rule; all other triggers are there already."""
    for name, lasts, effect in _lasting(model):
        rule = model.rules.get(lasts.value)
        if rule is None or rule.hidden:
            reader.unknown("rule", lasts, lasts.value, [one.name for one in model.rules.values() if not one.hidden])
            continue
        body = f"{name}{LASTS}"
        made = Rule(body, lasts.span, [*rule.parameters], [Step("do", [effect], lasts.span)], hidden=True)
        made.used, made.report_settings = True, ReportSettings([], [], False, "")
        rule.used = True
        model.rules[body] = made
        trigger = Trigger(body, lasts.span, rule.name, None, body)
        model.triggers.append(trigger)
        rule.after.append(trigger)


def _lasting(model: Model) -> Iterator[tuple[str, Scalar, t.Effect]]:
    """Yield what lasts as long as a rule, with the effect that sets it back."""
    for kind in model.kinds.values():
        for field in kind.fields.values():
            if field.lasts is not None:
                write = _Writer(field.lasts.span)
                target = t.Attribute(write.name(_EACH), field.name, at=write.at)
                yield f"{kind.name}.{field.name}", field.lasts, write.back([kind.name], target, write.beginning(field))
    for counter in model.counters.values():
        if counter.lasts is not None:
            write = _Writer(counter.lasts.span)
            named = [write.name(_variable(number)) for number in range(len(counter.dims))]
            call = t.Call(counter.name, [*named], at=write.at) if named else write.name(counter.name)
            start = counter.start or t.Number(0, at=write.at)
            yield counter.name, counter.lasts, write.back([*counter.dims], call, start)


def _variable(number: int) -> str:
    return f"{_EACH}{number}" if number else _EACH


class _Writer:
    """Writes the effect that sets something back; all of it stands where its author says how long it lasts."""

    def __init__(self, span: Span) -> None:
        self.at = t.At(t.FixedText(span), 0, 1)

    def name(self, id_: str) -> t.Name:
        """Write a name."""
        return t.Name(id_, at=self.at)

    def beginning(self, field: Attribute) -> t.Expr:
        """Write what a field begins with: its default, else an empty list, none, false, or the least number."""
        if field.default is not None:
            return field.default
        if isinstance(field.type, ty.Seq):
            return t.Listing([], at=self.at)
        if isinstance(field.type, ty.Maybe):
            return t.NoValue(at=self.at)
        return t.Truth(False, at=self.at) if field.type == ty.BOOL else t.Number(field.low or 0, at=self.at)

    def back(self, kinds: list[str], target: t.Expr, value: t.Expr) -> t.Effect:
        """Write that a target is set where it is something else, for all of some kinds."""
        back = t.SetTo(target, value, at=self.at)
        differs = t.Compare(target, [("!=", value)], at=self.at)
        if not kinds:
            return t.If(differs, [back], [], at=self.at)
        binders = [t.Binder(_variable(number), self.name(kind), at=self.at) for number, kind in enumerate(kinds)]
        return t.For(binders, differs, False, None, [back], at=self.at)
