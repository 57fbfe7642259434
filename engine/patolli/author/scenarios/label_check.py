"""Return whether a question could ever offer something with a certain label, whatever the position is.

A scenario that says what is *not* offered says nothing with a label that no position gives: a slip of the keys, or a
name that has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.program import types as ty
from patolli.run.compiler.asked import DONE, Question
from patolli.run.runtime.labels import Labels


def ever_offered(labels: Labels, question: Question, label: str) -> bool:
    """Return whether a label is one that a question may have, or an anytime action meanwhile."""
    if any(_starts_label(labels, label, one.label, _is_action_label(one.binder)) for one in labels.model.anytime):
        return True
    match question.kind:
        case "choose" | "order":
            return label == question.decline or _list_values(labels, question.types, label)
        case "several":
            return label == DONE or _is_value(labels, question.types[0], label)
        case "menu" | "repeat":
            again = "again" if question.kind == "repeat" else ""
            return any(_starts_label(labels, label, one or again, types) for one, types in question.labels)
        case "pause":
            return label == (question.labels[0][0] or "go on")
    return all(_is_payment_part(labels, part) for part in label.split(", "))


def _is_payment_part(labels: Labels, text: str) -> bool:
    """Return whether something is a part of a way to pay or gain."""
    amount, _, counter = text.partition(" ")
    return text == "nothing" or amount in ("use", "with") or (amount.isdigit() and counter in labels.layout.counters)


def _is_action_label(binder: object) -> tuple[ty.AnyType, ...]:
    source = getattr(getattr(binder, "source", None), "type", None)
    return (source.of,) if isinstance(source, ty.Seq) else ()


def _starts_label(labels: Labels, text: str, label: str, types: tuple[ty.AnyType, ...]) -> bool:
    if not types:
        return text == label
    return text.startswith(label) and _list_values(labels, types, text[len(label) :].strip())


def _list_values(labels: Labels, types: Iterable[ty.AnyType], text: str) -> bool:
    parts, wanted = text.split(" -> "), list(types)
    return len(parts) == len(wanted) and all(_is_value(labels, *pair) for pair in zip(wanted, parts, strict=True))


def _is_value(labels: Labels, type_: ty.AnyType, text: str) -> bool:
    if isinstance(type_, ty.Maybe) and text == "none":
        return True
    match ty.strip(type_):
        case ty.Ref(kind=kind):
            owner, dot, name = text.rpartition(".")
            return any(
                one.id == name and (not dot or owner == labels.player(one.owner))
                for one in labels.layout.instances[kind]
            )
        case ty.Design(kind=kind):
            return any(design.id == text for design in labels.model.kinds[kind].designs)
        case ty.Group():
            return text in labels.layout.counters
        case ty.Choice(option=option):
            return text in map(str, labels.model.options[option].choices)
        case ty.Seq(of=inner):
            return text == "nothing" or all(_is_value(labels, inner, part) for part in text.split("+"))
        case ty.INT:
            return text.lstrip("-").isdigit()
        case ty.BOOL:
            return text in ("yes", "no")
    return True
