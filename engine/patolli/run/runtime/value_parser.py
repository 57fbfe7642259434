"""What a field may hold, and how that is written by hand: ``4``, ``true``, ``player_1.die_2``, ``[e2, [1, 2]]``.

In:     the program of a match, and the type of a field.
Out:    its possible values by their texts, or a value from a text and back.
Errors: ValueError with one sentence, where a text says nothing that the field may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from patolli.kernel.values import LARGEST
from patolli.language.program import types as ty
from patolli.run.compiler.layout import Layout

NONE = "none"


def piece_of(layout: Layout, kind: str, number: int) -> str:
    """Return the id of a piece, behind that of its owner where it has one."""
    instance = layout.instances[kind][number]
    owned = instance.owner >= 0 and kind != "player"
    return f"player_{instance.owner + 1}.{instance.id}" if owned else str(instance.id)


def texts_of(layout: Layout, type_: ty.AnyType) -> dict[str, int] | None:
    """Return what a value of a type may be, by its text; None for numbers and lists."""
    inner, model = ty.strip(type_), layout.model
    found = {NONE: -1} if isinstance(type_, ty.Maybe) else {}
    match inner:
        case ty.Ref():
            return found | {piece_of(layout, inner.kind, number): number for number in range(layout.size(inner.kind))}
        case ty.Group():
            return found | {name: layout.counters[name][0] for name in model.groups[inner.name]}
        case ty.Design():
            return found | {one.id: number for number, one in enumerate(model.kinds[inner.kind].designs)}
        case ty.Choice():
            return found | {str(one): number for number, one in enumerate(model.options[inner.option].choices)}
    return {"false": 0, "true": 1} if inner == ty.BOOL else None


def format_value(layout: Layout, type_: ty.AnyType, value: Any) -> str:
    """Return a value as it is written by hand; ``none`` for one that nothing is called."""
    inner = ty.strip(type_)
    if isinstance(inner, ty.Seq):
        return f"[{', '.join(format_value(layout, inner.of, item) for item in value)}]"
    texts = texts_of(layout, type_)
    if texts is None:
        return str(value)
    return next((text for text, number in texts.items() if number == value), NONE)


def parse_value(layout: Layout, type_: ty.AnyType, text: str) -> Any:
    """Return the value of a text; outermost brackets may be left out. Raises ValueError: it stands for none."""
    inner, text = ty.strip(type_), text.strip()
    if isinstance(inner, ty.Seq):
        return tuple(parse_value(layout, inner.of, part) for part in _parts(text))
    texts = texts_of(layout, type_)
    if texts is None:
        number = text.removeprefix("-")
        if not (number.isascii() and number.isdigit() and len(number) < 17 and int(number) <= LARGEST):
            raise ValueError(f"{text!r} is not a whole number")
        return int(text)
    if text not in texts:
        raise ValueError(f"a value may be {join_names(texts)}, and not {text!r}")
    return bool(texts[text]) if inner == ty.BOOL else texts[text]


def _parts(text: str) -> Iterator[str]:
    """Yield the items of a list; brackets belong together. Raises ValueError: they do not."""
    if text.startswith("[") and _find_closing_bracket(text) == len(text) - 1:
        text = text[1:-1].strip()
    depth = start = 0
    for at, letter in enumerate(text):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth < 0:
            break
        if letter == "," and not depth:
            yield text[start:at]
            start = at + 1
    if depth:
        raise ValueError(f"the brackets of {text!r} do not belong together")
    if text:
        yield text[start:]


def _find_closing_bracket(text: str) -> int:
    """Return where the bracket is closed with which a text begins; -1 where it is not."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if not depth:
            return at
    return -1


def join_names(names: Iterable[str]) -> str:
    """Return names for a sentence, the first of many."""
    shown = list(names)
    return ", ".join(shown[:8]) + (" ..." if len(shown) > 8 else "")
