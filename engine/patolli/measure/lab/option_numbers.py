"""Numbers for the names of options (``players.option_names``): facts of matches hold these, and one list of names."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from patolli.play.players.option_names import action_name, option_name
from patolli.run.compiler.asked import Question
from patolli.run.runtime.labels import Labels

NUMBER = "<i4"
"""How the number of a name is written, as numpy calls it."""


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

    def name(self, value: Any) -> str:
        """Return the name of an option."""
        return option_name(self._labels, self._question, value)


class ActionNames(Names):
    """Names of anytime actions."""

    def __init__(self, labels: Labels, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        self._labels = labels

    def name(self, value: tuple[int, int]) -> str:
        """Return the name of an action."""
        return action_name(self._labels, value)
