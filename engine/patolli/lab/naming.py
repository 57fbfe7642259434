"""What an option is called in the facts: the same in every match and every variant.

The name says the rule that asks, the line of the menu, and the designs of the pieces that the answer names, not which
copies of them: ``buy: market rich``. How much is paid is left out, and so are members of large kinds, and members
beside something else that is named, such as where a piece moves: a pack has hundreds of names and not millions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from patolli.compiler.asked import DONE, Question
from patolli.program import types as ty
from patolli.runtime.labels import Labels

NUMBER = "<i4"
"""How the number of a name is written, as numpy calls it."""
MEMBERS = 100
"""How many members a kind may have, for them to be named in options."""


class Vocabulary:
    """All names that were met so far, each with a number; whose numbers they are does not show in the facts."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, bytes] = {}

    def number(self, name: str) -> bytes:
        """Return the number of a name, which may be new, as bytes (:data:`NUMBER`), the same object for each option."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.names).to_bytes(4, "little")
            self.names.append(name)
        return found


class Names(dict[Any, bytes]):
    """Numbers of the names of options by their raw values, found when first asked for.

    They are bytes (:data:`NUMBER`): of many of these numpy makes numbers in a tenth of the time.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, value: Any) -> bytes:
        number = self[value] = self._vocabulary.number(self.name(value))
        return number

    @abstractmethod
    def name(self, value: Any) -> str:
        """Return the name of an option; several may have the same."""


class OptionNames(Names):
    """Names of the options of one question."""

    def __init__(self, labels: Labels, question: Question, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        self._labels, self._question = labels, question
        self._rule = question.rule.partition("'")[0].partition("#")[0]

    def name(self, value: Any) -> str:
        """Return the name of an option."""
        said = " ".join(word for word in self._said(value) if word)
        return f"{self._rule}: {said or self._question.kind}"

    def _said(self, value: Any) -> Iterable[str]:
        question = self._question
        match question.kind:
            case "choose" | "order":
                values = value if len(question.types) > 1 else (value,)
                if question.decline is not None and all(one == -1 for one in values):
                    return [question.decline]
                return self._named(question.types, values)
            case "several":
                return [DONE] if value[0] == 0 else self._named(question.types, value[1:])
            case "menu" | "repeat":
                label, types = question.labels[value[0]]
                return [label or f"line {value[0] + 1}", *self._named(types, value[1:])]
            case "pause":
                return [question.labels[0][0] or "go on"]
            case "pay" | "gain":
                sides = sorted({self._labels.counters[one][0] if one >= 0 else "waiver" for one in value[::2]})
                return [question.kind, " and ".join(sides) or "nothing"]
        return []

    def _named(self, types: Iterable[ty.AnyType], values: Iterable[Any]) -> list[str]:
        pairs = list(zip(types, values, strict=True))
        return [named(self._labels, type_, one, len(pairs) == 1) for type_, one in pairs]


class ActionNames(Names):
    """Names of anytime actions."""

    def __init__(self, labels: Labels, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        self._labels = labels

    def name(self, value: tuple[int, int]) -> str:
        """Return the name of an action."""
        action = self._labels.model.anytime[value[0]]
        type_ = action.binder.source.type if action.binder is not None else None
        what = named(self._labels, type_.of, value[1]) if isinstance(type_, ty.Seq) else ""
        return f"anytime: {action.label} {what}".rstrip()


def named(labels: Labels, type_: ty.AnyType, value: Any, alone: bool = True) -> str:
    """Return what of a value belongs to the name of an option: the design of a piece, *alone* a member of a kind."""
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
