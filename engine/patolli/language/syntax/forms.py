"""The form of a statement, said once beside its node: grammar, words, parser and printer follow it.

A form is the statement as it is written, with its fields in braces and what may be left out in brackets::

    @statement("move {what:expr_in} to {to:postfix} [bottom]", shown="move x to place [bottom]", means="Moves a piece.")

Behind the colon stands what the grammar calls the part: a rule of ``grammar.lark``, or ``NAME`` and ``STRING``. A word
alone in brackets is a field of truth. A colon at the end opens a block, which is the field ``body``. Words with ``~``
between them are read as one, so that the first of them alone is a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

_PART = re.compile(r"\[([^\]]*)\]|([^\[]+)")
_SLOT = re.compile(r"\{(\w+):(\w+)\}|(\S+)")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """Words, or a field with the words that come with it; ``kind`` is empty for a field of truth."""

    words: tuple[str, ...]
    field: str = ""
    kind: str = ""
    optional: bool = False

    @property
    def grammar(self) -> str:
        """The part in the notation of lark."""
        if self.field and not self.kind:
            return f"[{self.field.upper()}]"
        words = [_phrase(word) if "~" in word else f'"{word}"' for word in self.words]
        text = " ".join([*words, *([self.kind] if self.kind else [])])
        return f"[{text}]" if self.optional else text


@dataclass(frozen=True, slots=True)
class Form:
    """How a statement is written; ``since`` is the version of the language that brings it.

    ``shown`` is how authors are shown the form, and ``means`` what it does: hovers and completion take them from here.
    """

    rule: str
    parts: tuple[Part, ...]
    block: bool
    since: int
    shown: str
    means: str

    @property
    def words(self) -> list[str]:
        """All its words, the one that it begins with first."""
        written = " ".join(word for part in self.parts for word in part.words)
        return re.findall("[a-z]+", written)

    @property
    def fields(self) -> list[Part]:
        """The parts that are fields, in order; the parser gives a child for each, and one more for a block."""
        return [part for part in self.parts if part.field]

    def grammar(self) -> Iterator[str]:
        """Write the lines of the grammar."""
        since = f"  // since {self.since}" if self.since > 1 else ""
        behind = ' ":" _suite' if self.block else ""
        yield f"{self.rule}: {' '.join(part.grammar for part in self.parts)}{behind}{since}"
        for part in self.parts:
            if part.field and not part.kind:
                yield f'{part.field.upper()}: "{part.field}"{since}'
            yield from (f"{_phrase(word)}.3: {_pattern(word)}{since}" for word in part.words if "~" in word)

    def values(self, children: Sequence[Any]) -> dict[str, Any]:
        """Return the fields of the node for what the parser made of each."""
        return {part.field: _value(part.kind, child) for part, child in zip(self.fields, children, strict=False)}

    def text(self, node: Any, spelled: Callable[[str, Any], str]) -> str:
        """Write a node on a line, without the colon and the rest; *spelled* writes a part of a kind."""
        said: list[str] = []
        for part in self.parts:
            value = getattr(node, part.field) if part.field else None
            if part.optional and value in (None, False, []):
                continue
            said += (word.replace("~", " ") for word in part.words)
            if part.kind:
                said.append(spelled(part.kind, value))
        return " ".join(said)


def _phrase(words: str) -> str:
    """Return the name of the token that words read as one are."""
    return f"_{words.replace('~', '_').upper()}"


def _pattern(words: str) -> str:
    return "/" + words.replace("~", r"\s+") + r"\b/"


def _value(kind: str, child: Any) -> Any:
    match kind:
        case "":
            return child is not None
        case "NAME":
            return None if child is None else str(child)
        case "STRING":
            return None if child is None else str(child)[1:-1]
        case "arguments":
            return child or []
    return child


FORMS: dict[type, Form] = {}
"""All statements that have one form, in the order in which they are declared."""


@dataclass_transform(kw_only_default=False)
def statement(form: str, *, shown: str, means: str, since: int = 1) -> Callable[[type[T]], type[T]]:
    """Declare a node by the form in which it is written, and the version of the language that brings it.

    Args:
        form: The form, for grammar, parser and printer.
        shown: The same for people, with short names.
        means: What it does, in a sentence.
        since: The version of the language.
    """

    def declare_form(cls: type[T]) -> type[T]:
        made: type[T] = dataclass(slots=True)(cls)
        rule = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
        FORMS[made] = Form(rule, tuple(_parts(form.removesuffix(":"))), form.endswith(":"), since, shown, means)
        return made

    return declare_form


def _parts(form: str) -> Iterator[Part]:
    for inner, outer in _PART.findall(form):
        words: list[str] = []
        for field, kind, word in _SLOT.findall(inner or outer):
            if word:
                words.append(word)
            else:
                yield Part(tuple(words), field, kind, bool(inner))
                words.clear()
        if words:
            yield Part(tuple(words), words[0] if inner else "", "", bool(inner))


def grammar() -> str:
    """Write what the statements add to the grammar: ``_formed`` those of a line, ``_headed`` those with a block."""
    lines = []
    for name, block in (("_formed", False), ("_headed", True)):
        forms = [form for form in FORMS.values() if form.block is block]
        for number, form in enumerate(forms):
            since = f"  // since {form.since}" if form.since > 1 else ""
            lines.append(f"{'       |' if number else f'{name}:'} {form.rule}{since}")
        lines += ["", *(line for form in forms for line in form.grammar()), ""]
    return "\n".join(lines)
