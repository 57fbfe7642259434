"""Names of options in the facts of matches and in strategies: the same in every match and every variant.

A name consists of the rule that asks, the line of the menu, and the designs of the pieces in the option, such as ``buy:
market rich``. It does not say which copies of the pieces. It also leaves out the amount of a payment, members of large
kinds, and members next to another named thing, such as the destination of a piece. Therefore a pack has hundreds of
names and not millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from patolli.language.program import types as ty
from patolli.language.program.model import Anytime
from patolli.run.compiler.asked import DONE, Question
from patolli.run.runtime.labels import Labels

MEMBERS = 100
"""The maximum size of a kind whose members occur in option names."""
ANYTIME = "anytime"
"""The prefix of anytime actions; other names start with the rule that asks."""


def rule_of(question: Question) -> str:
    """Return the rule that asks."""
    return question.rule.partition("'")[0].partition("#")[0]


def option_name(labels: Labels, question: Question, value: Any) -> str:
    """Return the name of an option of a question, given by its raw value."""
    said = " ".join(word for word in _describe_choice(labels, question, value) if word)
    return f"{rule_of(question)}: {said or question.kind}"


def action_name(labels: Labels, value: tuple[int, int]) -> str:
    """Return the name of an anytime action."""
    action = labels.model.anytime[value[0]]
    what = "".join(name_part(labels, type_, value[1]) for type_ in bound_by(action))
    return f"{ANYTIME}: {action.label} {what}".rstrip()


def bound_by(action: Anytime) -> list[ty.AnyType]:
    """Return the type of the choice of an action; empty if the action has no choice."""
    type_ = action.binder.source.type if action.binder is not None else None
    return [type_.of] if isinstance(type_, ty.Seq) else []


def name_part(labels: Labels, type_: ty.AnyType, value: Any, alone: bool = True) -> str:
    """Return the part of a value that names an option: its design or, if *alone*, the member of a kind."""
    type_ = ty.strip(type_)
    if isinstance(type_, ty.Ref) and isinstance(value, int) and value >= 0:
        there = labels.layout.instances[type_.kind]
        design = there[value].design
        if design is not None:
            return design.id
        return "" if type_.kind == "player" or not alone or len(there) > MEMBERS else there[value].id
    if isinstance(type_, ty.Seq) or type_ == ty.INT:
        return ""
    return labels.value(type_, value, -1)


def heads(labels: Labels, questions: Iterable[Question]) -> Iterator[tuple[str, set[str]]]:
    """Yield the beginnings of option names, each with the words that may follow: the other parts of the choice."""
    for question in questions:
        rule = rule_of(question)
        match question.kind:
            case "menu" | "repeat":
                for number, (label, types) in enumerate(question.labels):
                    yield f"{rule}: {label or f'line {number + 1}'}", _list_names(labels, types)
            case "pay" | "gain":
                yield f"{rule}: {question.kind}", {"waiver", "nothing", "and", *labels.layout.counters}
            case "pause":
                yield f"{rule}:", {_describe_pause(question)}
            case kind:
                yield f"{rule}:", {question.decline or DONE, kind, *_list_names(labels, question.types)}
    for action in labels.model.anytime:
        yield f"{ANYTIME}: {action.label}", _list_names(labels, bound_by(action))


def _describe_choice(labels: Labels, question: Question, value: Any) -> Iterable[str]:
    match question.kind:
        case "choose" | "order":
            values = value if len(question.types) > 1 else (value,)
            if question.decline is not None and all(one == -1 for one in values):
                return [question.decline]
            return _name_value(labels, question.types, values)
        case "several":
            return [DONE] if value[0] == 0 else _name_value(labels, question.types, value[1:])
        case "menu" | "repeat":
            label, types = question.labels[value[0]]
            return [label or f"line {value[0] + 1}", *_name_value(labels, types, value[1:])]
        case "pause":
            return [_describe_pause(question)]
        case "pay" | "gain":
            sides = sorted({labels.counters[one][0] if one >= 0 else "waiver" for one in value[::2]})
            return [question.kind, " and ".join(sides) or "nothing"]
    return []


def _describe_pause(question: Question) -> str:
    return question.labels[0][0] or "go on"


def _name_value(labels: Labels, types: Iterable[ty.AnyType], values: Iterable[Any]) -> list[str]:
    pairs = list(zip(types, values, strict=True))
    return [name_part(labels, type_, one, len(pairs) == 1) for type_, one in pairs]


def _list_names(labels: Labels, types: Iterable[ty.AnyType]) -> set[str]:
    """Return the names of all values of some types, if they have one."""
    found = {"none"}
    for type_ in map(ty.strip, types):
        match type_:
            case ty.Ref():
                there = range(len(labels.layout.instances[type_.kind]))
                found.update(name_part(labels, type_, one) for one in there)
            case ty.Design():
                found.update(str(one.id) for one in labels.model.kinds[type_.kind].designs)
            case ty.Choice():
                found.update(map(str, labels.model.options[type_.option].choices))
            case ty.Group():
                found.update(labels.layout.counters)
            case ty.Type("bool"):
                found |= {"yes", "no"}
    return found - {""}
