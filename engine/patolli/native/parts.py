"""What the classes that write code need of each other; each of them does its part.

They are put together in ``statements``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from patolli.native.kinds import Kind
from patolli.native.writer import Writer

Work = Callable[[], object]
"""Writes something."""


class Parts(Writer):
    """The methods that one class calls and another one has."""

    loose: frozenset[str] = frozenset()
    """Names of the loop that comes next that need not outlive a pass."""
    roomy = False
    """Whether there is room for all items of the list that is made."""

    def _address_of(self, position: int, word: int) -> None:
        """See the class below."""
        raise NotImplementedError

    def _any(self, source: ast.expr, all_: bool) -> None:
        """See the class below."""
        raise NotImplementedError

    def _classes(self, node: ast.expr) -> Iterator[str]:
        """See the class below."""
        raise NotImplementedError

    def _indirect(self, number: int) -> None:
        """See the class below."""
        raise NotImplementedError

    def _name(self, name: str) -> None:
        """See the class below."""
        raise NotImplementedError

    def _numbered(self, node: ast.Call) -> bool:
        """See the class below."""
        raise NotImplementedError

    def _raw_call(self, node: ast.Call) -> None:
        """See the class below."""
        raise NotImplementedError

    def _room(self, at: int) -> None:
        """See the class below."""
        raise NotImplementedError

    def _short_enough(self, first: int, last: int) -> None:
        """See the class below."""
        raise NotImplementedError

    def _bind_number(self, target: ast.expr) -> None:
        """See the class below."""
        raise NotImplementedError

    def _inside(self, work: Work, leave: int) -> None:
        """See the class below."""
        raise NotImplementedError

    def within(self, state: ast.expr, slot: ast.expr, mask: ast.expr) -> None:
        """Give whether all bits of a mask are in a set; see ``sets``."""
        raise NotImplementedError

    def _slot(self, state: ast.expr, slot: ast.expr) -> None:
        """See the class below."""
        raise NotImplementedError

    def one_within(self, state: ast.expr, slot: ast.expr, source: ast.expr) -> None:
        """Give whether all bits of one of some masks are in a set; see ``rows``."""
        raise NotImplementedError

    def marked_in(self, item: ast.expr, name: str) -> None:
        """Give whether a number is in a set that nothing else sees; see ``marks``."""
        raise NotImplementedError

    def mark(self, item: ast.expr, name: str) -> None:
        """Put a number into a set that nothing else sees; see ``marks``."""
        raise NotImplementedError

    def through_set(self, target: ast.expr, source: ast.Call, work: Work, leads: tuple[int, int]) -> None:
        """Go through the numbers of a set; see ``sets``."""
        raise NotImplementedError

    def all_of(self, tests: list[ast.expr]) -> None:
        """Give whether all of some sure conditions hold, without a jump."""
        raise NotImplementedError

    def attribute(self, node: ast.Attribute) -> None:
        """Give a field of a row of a table."""
        raise NotImplementedError

    def called(self, node: ast.Call) -> None:
        """Give what a call gives, as a word."""
        raise NotImplementedError

    def called_for_condition(self, node: ast.Call) -> bool:
        """Give what a call gives as a condition, where that is less work; tell whether it was done."""
        raise NotImplementedError

    def called_for_number(self, node: ast.Call) -> bool:
        """Give what a call gives as a number, where that is less work; tell whether it was done."""
        raise NotImplementedError

    def closure(self, node: ast.Lambda) -> None:
        """Give a function with what it has captured."""
        raise NotImplementedError

    def collected(self, node: Any, kind: int) -> None:
        """Give a list that a comprehension makes."""
        raise NotImplementedError

    def condition(self, node: ast.expr) -> None:
        """Give whether an expression holds."""
        raise NotImplementedError

    def constant(self, node: ast.expr) -> Any:
        """Return what a tuple of constants stands for."""
        raise NotImplementedError

    def each(self, source: ast.expr, work: Callable[[ast.expr], object]) -> None:
        """Do something with each item of a list or of a generator expression."""
        raise NotImplementedError

    def flat(self, node: ast.expr) -> None:
        """Give whether a sure condition holds, without a jump."""
        raise NotImplementedError

    def generate(
        self, generators: list[ast.comprehension], work: Work, calm: bool, end: tuple[int, ast.expr] | None = None
    ) -> None:
        """Go through the sources of a comprehension, one inside the other; see ``comprehensions``."""
        raise NotImplementedError

    def item(self, node: ast.Subscript) -> None:
        """Give an item, or a part, of a list as a word."""
        raise NotImplementedError

    def iterate(
        self, target: ast.expr, source: ast.expr, work: Work, other: list[ast.stmt] | None = None, calm: bool = False
    ) -> None:
        """Do something with each item of a source; see ``loops``."""
        raise NotImplementedError

    def number(self, node: ast.expr) -> None:
        """Give an expression as a whole number."""
        raise NotImplementedError

    def of_class(self, node: ast.expr, names: tuple[str, ...]) -> None:
        """Give whether a value is a list of one of some classes of Python."""
        raise NotImplementedError

    def put(self, node: ast.expr, kind: Kind) -> None:
        """Give an expression as a number where it is one, and else as a word."""
        raise NotImplementedError

    def sure(self, node: ast.expr, depth: int = 0) -> bool:
        """Tell whether an expression cannot fail, changes nothing, and is little work."""
        raise NotImplementedError

    def truth_of_word(self, kept: int, teed: bool = False) -> None:
        """Make a word whether it counts as true."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> None:
        """Give an expression as a word."""
        raise NotImplementedError

    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""
        raise NotImplementedError

    def store_item(self, target: ast.Subscript, value: Work) -> None:
        """Write a word, which a function gives, into an item of a list."""
        raise NotImplementedError
