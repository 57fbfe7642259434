"""What the classes that write code need of each other; each of them does its part.

They are put together in ``statements``.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from patolli.run.native.kinds import Kind
from patolli.run.native.writer import Writer

Work = Callable[[], object]
"""Writes something."""


class Parts(Writer, ABC):
    """The methods that one class calls and another one has."""

    roomy = False
    """Whether there is room for all items of the list that is made."""

    @abstractmethod
    def _address_of(self, position: int, word: int) -> None:
        """Give where an item of a list is."""

    @abstractmethod
    def _any(self, source: ast.expr, all_: bool) -> None:
        """Give whether a condition holds of one item of a source, or of all."""

    @abstractmethod
    def _classes(self, node: ast.expr) -> Iterator[str]:
        """Return the names of the classes that an expression stands for."""

    @abstractmethod
    def _indirect(self, number: int) -> None:
        """Call the function whose place in the table was given, with so many words."""

    @abstractmethod
    def _name(self, name: str) -> None:
        """Give what a name stands for, as a word."""

    @abstractmethod
    def _emit_numeric_builtin(self, node: ast.Call) -> bool:
        """Give what a built-in of Python gives as a number; tell whether it is one of those."""

    @abstractmethod
    def _raw_call(self, node: ast.Call) -> None:
        """Write an instruction of the machine; see ``machine_words``."""

    @abstractmethod
    def _short_enough(self, first: int, last: int) -> None:
        """Give up where a range is too long to be made a list."""

    @abstractmethod
    def _bind_number(self, target: ast.expr) -> None:
        """Give a name to the number that was given."""

    @abstractmethod
    def _inside(self, work: Work, leave: int) -> None:
        """Write the work of one pass, which ``continue`` leaves."""

    @abstractmethod
    def all_of(self, tests: list[ast.expr]) -> None:
        """Give whether all of some sure conditions hold, without a jump."""

    @abstractmethod
    def attribute(self, node: ast.Attribute) -> None:
        """Give a field of a row of a table."""

    @abstractmethod
    def emit_call(self, node: ast.Call) -> None:
        """Give what a call gives, as a word."""

    @abstractmethod
    def called_for_condition(self, node: ast.Call) -> bool:
        """Give what a call gives as a condition, where that is less work; tell whether it was done."""

    @abstractmethod
    def called_for_number(self, node: ast.Call) -> bool:
        """Give what a call gives as a number, where that is less work; tell whether it was done."""

    @abstractmethod
    def closure(self, node: ast.Lambda) -> None:
        """Give a function with what it has captured."""

    @abstractmethod
    def emit_comprehension(self, node: Any, kind: int) -> None:
        """Give a list that a comprehension makes."""

    @abstractmethod
    def condition(self, node: ast.expr) -> None:
        """Give whether an expression holds."""

    @abstractmethod
    def constant(self, node: ast.expr) -> Any:
        """Return what a tuple of constants stands for."""

    @abstractmethod
    def each(self, source: ast.expr, work: Callable[[ast.expr], object]) -> None:
        """Do something with each item of a list or of a generator expression."""

    @abstractmethod
    def flat(self, node: ast.expr) -> None:
        """Give whether a sure condition holds, without a jump."""

    @abstractmethod
    def generate(
        self, generators: list[ast.comprehension], work: Work, calm: bool, end: tuple[int, ast.expr] | None = None
    ) -> None:
        """Go through the sources of a comprehension, one inside the other; see ``comprehensions``."""

    @abstractmethod
    def item(self, node: ast.Subscript) -> None:
        """Give an item, or a part, of a list as a word."""

    @abstractmethod
    def iterate(
        self, target: ast.expr, source: ast.expr, work: Work, other: list[ast.stmt] | None = None, calm: bool = False
    ) -> None:
        """Do something with each item of a source; see ``loops``."""

    @abstractmethod
    def number(self, node: ast.expr) -> None:
        """Give an expression as a whole number."""

    @abstractmethod
    def of_class(self, node: ast.expr, names: tuple[str, ...]) -> None:
        """Give whether a value is a list of one of some classes of Python."""

    @abstractmethod
    def emit_operand(self, node: ast.expr, kind: Kind) -> None:
        """Give an expression as a number where it is one, and else as a word."""

    @abstractmethod
    def sure(self, node: ast.expr, depth: int = 0) -> bool:
        """Tell whether an expression cannot fail, changes nothing, and is little work."""

    @abstractmethod
    def truth_of_word(self, kept: int, teed: bool = False) -> None:
        """Make a word whether it counts as true."""

    @abstractmethod
    def value(self, node: ast.expr) -> None:
        """Give an expression as a word."""

    @abstractmethod
    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""

    @abstractmethod
    def store_item(self, target: ast.Subscript, value: Work) -> None:
        """Write a word, which a function gives, into an item of a list."""
