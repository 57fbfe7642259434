"""Expressions that select by name: ``red and not (slow or late)``, each word a part of the name."""

from __future__ import annotations

import re
from collections.abc import Callable

Filter = Callable[[str], bool]
DEEPEST = 50
"""Brackets and `not` that may stand inside each other."""
_TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+)")


def compile_filter(text: str) -> Filter:
    """Return the test that an expression stands for; without one all pass. Raises ValueError: it is unreadable."""
    tokens = _TOKEN.findall(text)
    if not tokens:
        return lambda name: True
    parser = _Parser(tokens)
    found = parser.either()
    if parser.tokens:
        raise ValueError(f"{parser.tokens[-1]!r} is not expected in {text!r}")
    return found


class _Parser:
    """Reads tokens from the front; one method per level."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]
        self.depth = 0

    def next_is(self, word: str) -> bool:
        """Take the next token if it is a certain one."""
        if self.tokens[-1:] != [word]:
            return False
        self.tokens.pop()
        return True

    def either(self) -> Filter:
        tests = [self.both()]
        while self.next_is("or"):
            tests.append(self.both())
        return lambda name: any(test(name) for test in tests)

    def both(self) -> Filter:
        tests = [self.single()]
        while self.next_is("and"):
            tests.append(self.single())
        return lambda name: all(test(name) for test in tests)

    def single(self) -> Filter:
        if not self.tokens:
            raise ValueError("the expression ends too early")
        token = self.tokens.pop()
        if token in ("not", "("):
            return self.inner(token)
        if token in ("and", "or", ")"):
            raise ValueError(f"{token!r} is not expected here")
        return lambda name: token.lower() in name.lower()

    def inner(self, token: str) -> Filter:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"more than {DEEPEST} brackets and 'not' inside each other")
        if token == "not":
            inner = self.single()
            self.depth -= 1
            return lambda name: not inner(name)
        found = self.either()
        self.depth -= 1
        if not self.next_is(")"):
            raise ValueError("a bracket is not closed")
        return found
