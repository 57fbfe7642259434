"""Expressions that select by name: ``red and not (slow or late)``, each word a part of the name."""

from __future__ import annotations

import re
from collections.abc import Callable

Filter = Callable[[str], bool]
_TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+)")


def compile_filter(text: str) -> Filter:
    """Return the test that an expression stands for; without an expression everything passes.

    Raises:
        ValueError: The expression cannot be read.
    """
    tokens = _TOKEN.findall(text)
    if not tokens:
        return lambda name: True
    parser = _Parser(tokens)
    found = parser.either()
    if parser.tokens:
        raise ValueError(f"{parser.tokens[0]!r} is not expected in {text!r}")
    return found


class _Parser:
    """Reads tokens from the front; one method per level."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def either(self) -> Filter:
        left = self.both()
        while self.tokens[:1] == ["or"]:
            del self.tokens[0]
            left = _any(left, self.both())
        return left

    def both(self) -> Filter:
        left = self.single()
        while self.tokens[:1] == ["and"]:
            del self.tokens[0]
            left = _all(left, self.single())
        return left

    def single(self) -> Filter:
        if not self.tokens:
            raise ValueError("the expression ends too early")
        token = self.tokens.pop(0)
        if token == "not":
            inner = self.single()
            return lambda name: not inner(name)
        if token == "(":
            found = self.either()
            if self.tokens[:1] != [")"]:
                raise ValueError("a bracket is not closed")
            del self.tokens[0]
            return found
        if token in ("and", "or", ")"):
            raise ValueError(f"{token!r} is not expected here")
        return lambda name: token.lower() in name.lower()


def _any(left: Filter, right: Filter) -> Filter:
    return lambda name: left(name) or right(name)


def _all(left: Filter, right: Filter) -> Filter:
    return lambda name: left(name) and right(name)
