"""Words of the machine, for ``support``: they stand for single instructions and are never carried out in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

budget: list[int] = []
"""The step budget, which lies in memory; see ``kernel.budget.Meter``."""


def _refuse(*_: object) -> Any:
    raise NotImplementedError


load8: Callable[[int], int] = _refuse
"""Read a byte."""
load32: Callable[[int], int] = _refuse
"""Read 32 bits without a sign."""
load64: Callable[[int], int] = _refuse
"""Read 64 bits."""
store8: Callable[[int, int], None] = _refuse
"""Write a byte."""
store32: Callable[[int, int], None] = _refuse
"""Write 32 bits."""
store64: Callable[[int, int], None] = _refuse
"""Write 64 bits."""
store_float: Callable[[int, int], None] = _refuse
"""Write a whole number in floating point, with 32 bits."""
copy: Callable[[int, int, int], None] = _refuse
"""Copy bytes, which may overlap."""
grow: Callable[[int], int] = _refuse
"""Ask for more memory, in pages of 64 kilobytes; return how many there were, or -1."""
shift_unsigned: Callable[[int, int], int] = _refuse
"""Shift to the right without a sign."""
less_unsigned: Callable[[int, int], int] = _refuse
"""Compare without signs."""
quotient: Callable[[int, int], int] = _refuse
"""Divide without signs."""
scale_fraction: Callable[[int, int], int] = _refuse
"""Return ``int(numerator / 2 ** 53 * number)``, in floating point."""
sum64: Callable[[int, int], int] = _refuse
"""Add numbers in floating point, of 64 bits each; those that are not below 0 lie in the order of their bits."""
difference64: Callable[[int, int], int] = _refuse
"""Subtract a number in floating point from another one."""
product64: Callable[[int, int], int] = _refuse
"""Multiply numbers in floating point."""
ratio64: Callable[[int, int], int] = _refuse
"""Divide a number in floating point by another one."""
root64: Callable[[int], int] = _refuse
"""Return the square root of a number in floating point."""
float64: Callable[[int], int] = _refuse
"""Return a whole number in floating point."""
call_block: Callable[[int, Any, Any], Any] = _refuse
"""Carry out a block by its place in the table of functions; all but that are words."""
fail: Callable[[], None] = _refuse
"""Give up: this match is played in Python."""
word_at: Callable[[int], Any] = _refuse
"""Read a word."""
put_word: Callable[[int, Any], None] = _refuse
"""Write a word."""
item_there: Callable[[Any, int], Any] = _refuse
"""Return an item of a list at a position that the list is known to have."""
