"""Write HTML in which no text can be markup: whatever is not made here is escaped."""

from __future__ import annotations

from html import escape

VOID = ("br", "input", "link", "meta")


class Markup(str):
    """HTML that was made here."""

    __slots__ = ()


def el(name: str, /, *inner: object, **attributes: object) -> Markup:
    """Return an element.

    Args:
        name: Its tag.
        inner: What stands in it: markup as it is, everything else as text; lists one after the other.
        attributes: By name, a low line for a hyphen and ``css`` for ``class``; none where the value is None or False.
    """
    found = "".join(map(_attribute, attributes, attributes.values()))
    if name in VOID:
        return Markup(f"<{name}{found}>")
    return Markup(f"<{name}{found}>{many(*inner)}</{name}>")


def many(*inner: object) -> Markup:
    """Return several things one after the other."""
    return Markup("".join(_text(one) for one in inner))


def _text(one: object) -> str:
    if isinstance(one, Markup):
        return one
    if isinstance(one, list | tuple):
        return many(*one)
    return "" if one is None else escape(str(one))


def _attribute(name: str, value: object) -> str:
    name = "class" if name == "css" else name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


__all__ = ["Markup", "el", "many"]
