"""What a match needs: the compiled rules of a program for one number of seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from typing import Any

from patolli.kernel.indexes import Index
from patolli.kernel.money import Told
from patolli.kernel.state import State
from patolli.run.compiler.asked import Holding, Question
from patolli.run.compiler.layout import Layout
from patolli.run.compiler.scopes import Scope
from patolli.run.compiler.workings import Workings

RETURN, HEAD = 2, 3
"""Where a frame says which slot of the caller takes what is returned, and where its parameters begin."""
Block = Callable[[State, list[Any]], Any]
Numbers = Callable[[State, int], int]
Condition = Callable[[State, int], bool]


@dataclass(slots=True)
class Executable:
    """Everything that a match needs.

    ``blocks`` are called as ``blocks[f[0]](s, f)``; ``questions`` describe the blocks that ask. ``anytime`` returns the
    anytime options of a player as tuples of an action and its value; who knows that nothing is secret says so.
    ``events`` receives what is narrated. ``workings`` compile single parts of the program, to say why. ``secret`` are
    the blocks in which several answer at the same time, and ``quiet`` the anytime actions that are offered there,
    because nobody else notices them. ``holding`` says what lies in a frame that stands at a block. ``scopes`` are what
    is told of rules that begin and end, by their numbers; a program that does not narrate has none. ``answers`` says of
    each block that asks in which slot the answer goes, and which block goes on; ``fragile`` are those whose options may
    be spoilt while they wait, and ``marked`` these and the secret ones. ``indexes`` are what is kept up of the state
    while rules write.
    """

    layout: Layout
    blocks: list[Block]
    questions: dict[int, Question]
    slots: list[int]
    thens: list[int]
    start: list[list[Any]]
    anytime: Callable[..., list[tuple[int, int]]] | None
    take: Callable[[State, int, int, int], None] | None
    score: Numbers | None
    ties: list[Numbers]
    among: Condition | None
    wins: Condition | None
    values: dict[str, Numbers]
    invariants: dict[str, Condition]
    rules: dict[str, Callable[..., Any]]
    space: dict[str, Any]
    events: Told
    effects: list[str]
    workings: Workings
    secret: frozenset[int]
    quiet: frozenset[int]
    holding: dict[int, Holding]
    scopes: list[Scope]
    indexes: list[Index]
    answers: list[tuple[int, int, Block]] = field(init=False)
    fragile: frozenset[int] = field(init=False)
    marked: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        """Put together what is looked up at every answer."""
        to = zip(self.slots, self.thens, strict=True)
        self.answers = [(slot, then, self.blocks[then]) for slot, then in to]
        self.fragile = frozenset(number for number, question in self.questions.items() if question.fragile)
        self.marked = self.fragile | self.secret


def goes_on(frames: Iterable[list[Any]], action: int, values: list[int]) -> bool:
    """Tell whether an anytime action with these values is being carried out; *action* is its number.

    Its frame says so where others name the slot of a caller: it has none.
    """
    return any(frame[RETURN] == -1 - action and frame[HEAD : HEAD + len(values)] == values for frame in frames)


def is_secret(frames: Iterable[list[Any]], secret: Set[int]) -> bool:
    """Tell whether what goes on stays secret until all have answered: a frame stands in one of the blocks *secret*.

    That is so for a rule, too, that is called from there and for what a player does meanwhile.
    """
    if secret:
        for frame in frames:  # a loop, as this is asked at every question
            if frame[0] in secret:
                return True
    return False
