"""Safe HTML: all texts are escaped, except markup from this module."""

from __future__ import annotations

from html import escape

VOID = ("br", "input", "link", "meta")


class Markup(str):
    """HTML from this module."""

    __slots__ = ()


def el(name: str, /, *inner: object, **attributes: object) -> Markup:
    """Return an element.

    Args:
        name: Its tag.
        inner: Its content: markup is not escaped, other values are; lists are joined.
        attributes: By name, with an underscore for a hyphen, and ``css`` for ``class``. None and False are dropped.
    """
    found = "".join(map(_attribute, attributes, attributes.values()))
    if name in VOID:
        return Markup(f"<{name}{found}>")
    return Markup(f"<{name}{found}>{many(*inner)}</{name}>")


def many(*inner: object) -> Markup:
    """Join several values to one markup."""
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
