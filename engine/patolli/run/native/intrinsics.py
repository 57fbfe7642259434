"""Words of the machine, for ``support``: they stand for single instructions and are never carried out in Python."""

from __future__ import annotations

from typing import Any

budget: list[int] = []
"""The step budget, which lies in memory; see ``kernel.budget.Meter``."""


def load8(address: int) -> int:
    """Read a byte."""
    raise NotImplementedError


def load32(address: int) -> int:
    """Read 32 bits without a sign."""
    raise NotImplementedError


def load64(address: int) -> int:
    """Read 64 bits."""
    raise NotImplementedError


def store8(address: int, value: int) -> None:
    """Write a byte."""
    raise NotImplementedError


def store32(address: int, value: int) -> None:
    """Write 32 bits."""
    raise NotImplementedError


def store64(address: int, value: int) -> None:
    """Write 64 bits."""
    raise NotImplementedError


def copy(to: int, source: int, number: int) -> None:
    """Copy bytes, which may overlap."""
    raise NotImplementedError


def grow(pages: int) -> int:
    """Ask for more memory, in pages of 64 kilobytes; return how many there were, or -1."""
    raise NotImplementedError


def shift_unsigned(value: int, by: int) -> int:
    """Shift to the right without a sign."""
    raise NotImplementedError


def less_unsigned(left: int, right: int) -> int:
    """Compare without signs."""
    raise NotImplementedError


def quotient(left: int, right: int) -> int:
    """Divide without signs."""
    raise NotImplementedError


def scale_fraction(numerator: int, number: int) -> int:
    """Return ``int(numerator / 2 ** 53 * number)``, in floating point."""
    raise NotImplementedError


def sum64(left: int, right: int) -> int:
    """Add numbers in floating point, of 64 bits each; those that are not below 0 lie in the order of their bits."""
    raise NotImplementedError


def difference64(left: int, right: int) -> int:
    """Subtract a number in floating point from another one."""
    raise NotImplementedError


def product64(left: int, right: int) -> int:
    """Multiply numbers in floating point."""
    raise NotImplementedError


def ratio64(left: int, right: int) -> int:
    """Divide a number in floating point by another one."""
    raise NotImplementedError


def root64(value: int) -> int:
    """Return the square root of a number in floating point."""
    raise NotImplementedError


def float64(value: int) -> int:
    """Return a whole number in floating point."""
    raise NotImplementedError


def call_block(number: int, s: Any, f: Any) -> Any:
    """Carry out a block by its place in the table of functions; all but that are words."""
    raise NotImplementedError


def fail() -> None:
    """Give up: this match is played in Python."""
    raise NotImplementedError


def word_at(address: int) -> Any:
    """Read a word."""
    raise NotImplementedError


def put_word(address: int, word: Any) -> None:
    """Write a word."""
    raise NotImplementedError


def item_there(of: Any, index: int) -> Any:
    """Return an item of a list at a position of which it is known that the list has it."""
    raise NotImplementedError
