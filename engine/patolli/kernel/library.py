"""What compiled rules may call, by the names that they use; each function says above itself what a call takes.

@library(item=20, keeps=True)
def reverse(items): ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import signature
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
SOLVING = 100
"""The steps of beginning with a payment; the search for ways to pay draws by itself."""


@dataclass(frozen=True, slots=True)
class Work:
    """The steps that a call takes at most beside its arguments and what the function draws by itself.

    Attributes:
        steps: In any case; of what goes through a list or row, this does not count.
        item: In fourths of a step, for each item of the list that is the first argument, which is gone through.
        row: Which argument is the length of a row that is gone through; -1 for none.
        searches: Whether a place is looked through for a piece, besides.
        keeps: Whether a list comes back that is no longer than the first argument.
    """

    steps: int = 10
    item: int = 0
    row: int = -1
    searches: bool = False
    keeps: bool = False


LIBRARY: dict[str, Callable[..., Any]] = {}
WORK: dict[str, Work] = {
    "len": Work(1), "bool": Work(1), "abs": Work(1), "min": Work(3), "max": Work(3),
    "sum": Work(item=2), "list": Work(item=1, keeps=True), "tuple": Work(item=1, keeps=True),
    "enumerate": Work(1, keeps=True),
}  # fmt: skip
"""What all that rules may call takes: functions of Python, and those of the library. ``enumerate`` counts while a loop
goes on, which is part of its passes."""


NATIVE: dict[str, Callable[..., Any]] = {}
"""By name what stands for a function of the kernel where it is translated; see ``kernel.flat_map``."""

Writes = Callable[..., Iterable[int]]


@dataclass(frozen=True, slots=True)
class Spelt:
    """What a function writes, in Python: slots, and a condition without which it writes nothing, over its parameters.

    What begins with ``at`` is where a piece is, and so is a list of slots, which begins with a star.
    """

    parameters: tuple[str, ...]
    slots: tuple[str, ...]
    when: str

    def function(self) -> Writes:
        """Return the function that gives the slots for a call."""
        source = f"lambda {', '.join(self.parameters)}: ({', '.join(self.slots)},) if {self.when or True} else ()"
        found: Writes = eval(source)  # what is written beside the functions of the kernel, and nothing from outside
        return found


WRITES: dict[str, Writes] = {}
"""What moves pieces: from the arguments of a call, and the state before it, the slots that change."""
SPELT: dict[str, Spelt] = {}
"""The same of those that are described in Python."""


def library(
    steps: int = 10, *, item: int = 0, row: int = -1, searches: bool = False, keeps: bool = False,
    writes: Writes | tuple[str, ...] | None = None, when: str = "",
) -> Callable[[Function], Function]:  # fmt: skip
    """Let compiled rules call a function under its name; see :class:`Work` and ``WRITES``.

    What it ``writes`` may be said as in :class:`Spelt`, with ``when``: then it is said without a call.
    """

    def register(function: Function) -> Function:
        LIBRARY[function.__name__] = function
        if isinstance(writes, tuple):
            spelt = SPELT[function.__name__] = Spelt(tuple(signature(function).parameters), writes, when)
            WRITES[function.__name__] = spelt.function()
        elif writes is not None:
            WRITES[function.__name__] = writes
        WORK[function.__name__] = Work(steps, item, row, searches, keeps)
        return function

    return register


def flat(name: str) -> Callable[[Function], Function]:
    """Let a function stand for the one of the kernel with a name, where rules are translated."""

    def register(function: Function) -> Function:
        NATIVE[name] = function
        return function

    return register
