"""What a match needs: the compiled rules of a program for one number of seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from patolli.kernel.indexes import Index
from patolli.kernel.money import Events, Money
from patolli.kernel.state import State
from patolli.run.compiler.asked import Holding, Question
from patolli.run.compiler.layout import Layout
from patolli.run.compiler.scopes import Scope
from patolli.run.compiler.unit import fact_table, function_name
from patolli.run.compiler.watch_hooks import Watching
from patolli.run.compiler.workings import Workings

RETURN, HEAD = 2, 3
"""Where a frame says which slot of the caller takes what is returned, and where its parameters begin."""
Block = Callable[[State, list[Any]], Any]
Numbers = Callable[[State, int], int]
Condition = Callable[[State, int], bool]


@dataclass(frozen=True, slots=True)
class Acting:
    """What the functions of anytime actions are made of.

    Attributes:
        lists: What lists the values of each.
        runs: What carries it out.
        binds: Whether it takes a value.
        active: Who is active, if that is said.
        several: Whether these may be several.
    """

    lists: list[Callable[..., Any]]
    runs: list[Any]
    binds: list[bool]
    active: Callable[..., Any] | None
    several: bool


@dataclass(slots=True)
class Executable:
    """Everything that a match needs.

    ``blocks`` are called as ``blocks[f[0]](s, f)``; ``questions`` describe the blocks that ask. ``anytime`` returns the
    anytime options of a player as tuples of an action and its value; who knows that nothing is secret says so.
    ``events`` receives what is narrated. ``workings`` compile single parts of the program, to say why. ``secret`` are
    the blocks in which several answer at the same time, and ``quiet`` the anytime actions that are offered there,
    because no other player notices them. ``holding`` says what lies in a frame that stands at a block. ``scopes`` are
    what is reported of rules that begin and end, by their numbers; a program that does not narrate has none.
    ``answers`` says of each block that asks in which slot the answer goes, and which block goes on; ``fragile`` are
    those whose options may be spoiled while they wait, and ``marked`` these and the secret ones. ``indexes`` are what
    is kept up of the state while rules write.

    Attributes:
        plain_start: The rules of the set-up that ask no player.
        entries: The first block of each rule that may ask.
        calls: The file, line and rule of the call behind which a block goes on.
        origins: What each generated function was made of, for people.
        tellers: The functions that report that a rule begins, by rule; a program that does not narrate has none.
        money: The payments of the program.
        sides: A code for each rule that is the condition of a waiver.
        acting: The anytime actions, as generated functions; None without any.
        watching: What is reported of a watched program; None for others.
        measures: The functions of measures, by "measure NAME".
        circular: The generated functions whose calls are counted, see ``call_depth``.
        report_forced: Keeps a forced answer for the narration; None in a program that does not narrate.
        space: The globals of generated code, to be read only. For facts, constants and functions there are methods.
        floor: The block below a call of a scenario, if there is one; see ``author.scenarios.scenario_player``.
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
    space: Mapping[str, Any]
    events: Events
    effects: list[str]
    workings: Workings
    secret: frozenset[int]
    quiet: frozenset[int]
    holding: dict[int, Holding]
    scopes: list[Scope]
    indexes: list[Index]
    plain_start: list[Callable[..., Any]]
    entries: Mapping[str, int]
    calls: Mapping[int, tuple[str, int, str]]
    origins: Mapping[str, str]
    tellers: Mapping[str, Callable[..., Any]]
    money: Money
    sides: Mapping[str, int]
    acting: Acting | None
    watching: Watching | None
    measures: Mapping[str, Callable[..., Any]]
    circular: Set[str]
    report_forced: Callable[..., None] | None
    floor: int | None = None
    answers: list[tuple[int, int, Block]] = field(init=False)
    fragile: frozenset[int] = field(init=False)
    marked: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        """Put together what is looked up at every answer."""
        to = zip(self.slots, self.thens, strict=True)
        self.answers = [(slot, then, self.blocks[then]) for slot, then in to]
        self.fragile = frozenset(number for number, question in self.questions.items() if question.fragile)
        self.marked = self.fragile | self.secret

    def fact(self, kind: str, name: str) -> Any:
        """Return the values of a fact, by the number of the piece."""
        return self.space[fact_table(kind, name)]

    def designs(self, kind: str) -> Any:
        """Return the numbers of designs, by the number of the piece; -1 without one."""
        return self.space[f"D_{kind}"]

    def constant(self, name: str) -> Any:
        """Return the value of a constant."""
        return self.space[f"C_{name}"]

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function of the packs as it was generated."""
        found: Callable[..., Any] = self.space[function_name(name)]
        return found


def goes_on(frames: Iterable[list[Any]], action: int, values: list[int]) -> bool:
    """Return whether an anytime action with these values is being carried out; *action* is its number.

    Its frame says so where others name the slot of a caller: it has none.
    """
    return any(frame[RETURN] == -1 - action and frame[HEAD : HEAD + len(values)] == values for frame in frames)


def is_secret(frames: Iterable[list[Any]], secret: Set[int]) -> bool:
    """Return whether what goes on stays secret until all have answered: a frame stands in one of the blocks *secret*.

    That is so for a rule, too, that is called from there and for what a player does meanwhile.
    """
    if secret:
        for frame in frames:  # a loop, as this is asked at every question
            if frame[0] in secret:
                return True
    return False
