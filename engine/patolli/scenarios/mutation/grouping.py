"""What the mutants of a pack are tried with: its scenarios, grouped by what they ask for, and benches for some of them.

In:     scenarios that were played, and rulesets: the original, or a mutant.
Out:    the programs with which they are played; of rules that they cannot come by, nothing is left in them.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from patolli.compiler import Executable
from patolli.kernel.budget import scarce
from patolli.program.model import Program
from patolli.program.summaries import Summaries
from patolli.proofs.prover import Prover
from patolli.runtime import Ruleset
from patolli.scenarios.bench import Bench
from patolli.scenarios.judging import judge
from patolli.scenarios.mutation.cells import Column, loosened, worked_out
from patolli.scenarios.mutation.reach import WORD, Line, lines_of_code, names_of, noting
from patolli.scenarios.mutation.retyping import Retyping
from patolli.scenarios.mutation.trimming import BEGINNING, trimmed
from patolli.scenarios.outcome import Outcome
from patolli.scenarios.suites import Wish
from patolli.workspace.scenarios.binding import Bound, Extras
from patolli.workspace.scenarios.reading import SET_UP, Scenario

STEPS = 5_000_000
"""Steps from one answer to the next in which a mutant must have done what it does: far more than a scenario takes."""


@dataclass(slots=True)
class Known:
    """One scenario that passes: the lines that it comes by, its words, and whether it takes more than a few steps."""

    scenario: Scenario
    bound: Bound
    lines: set[Line]
    words: set[str]
    long: bool = False


@dataclass
class Group:
    """The scenarios that ask for the same packs and options, and what they are played with."""

    wish: Wish
    bench: Bench
    known: list[Known] = field(default_factory=list)
    early: set[Line] = field(default_factory=set)
    """Lines that are carried out when a program is made, for what no match changes."""

    @cached_property
    def usual(self) -> int:
        """The number of players that most scenarios have."""
        return Counter(one.bound.players for one in self.known).most_common(1)[0][0]

    @cached_property
    def programs(self) -> list[Executable]:
        """The programs for all numbers of players, without scenarios."""
        assert self.bench.ruleset is not None
        with noting(self.early):
            return list(programs_of(self.bench.ruleset))

    @cached_property
    def mentions(self) -> dict[str, set[Line]]:
        """By word, the lines of the rules in which it stands."""
        found: dict[str, set[Line]] = {}
        for path in sorted({path for path, _ in self.code}):
            for number, text in enumerate(Path(path).read_text("utf-8").split("\n"), 1):
                for word in set(WORD.findall(text)) if (path, number) in self.code else ():
                    found.setdefault(word, set()).add((path, number))
        return found

    def near(self, names: Iterable[str]) -> set[Line]:
        """Return the lines that mention the rarest word among names."""
        words = {word for name in names for word in WORD.findall(name)}
        return min((found for word in words if (found := self.mentions.get(word))), key=len, default=set())

    @cached_property
    def fixed(self) -> frozenset[Column]:
        """The facts and constants that are read when a program is made."""
        assert self.bench.ruleset is not None
        return worked_out(self.bench.ruleset.resolved)

    @cached_property
    def counts(self) -> list[int]:
        """The numbers of players that there may be, the usual one first."""
        assert self.bench.ruleset is not None
        least, most = self.bench.ruleset.players
        return sorted(range(least, most + 1), key=lambda players: players != self.usual)

    @cached_property
    def retyping(self) -> Retyping:
        """What resolves changed texts of the rules."""
        assert self.bench.ruleset is not None
        return Retyping(self.bench.ruleset.model)

    def with_program(self, program: Program) -> Ruleset:
        """Return a ruleset with another program."""
        assert self.bench.ruleset is not None
        model = copy.copy(self.bench.ruleset.model)
        model.program, model.prover = program, None
        return Ruleset(model, dict(self.bench.options))

    @cached_property
    def code(self) -> set[Line]:
        """The lines of the rules that matches carry out."""
        programs = self.programs
        return set().union(*map(lines_of_code, programs)) - self.early


class Variant(Bench):
    """A bench with other rules and some of the scenarios; their texts need not be read again."""

    selective = False  # a mutant may read what the rules do not

    def __init__(
        self, bench: Bench, ruleset: Ruleset, known: list[Known] | None, more: Iterable[str] = (),
        columns: Iterable[Column] = (),
    ) -> None:  # fmt: skip
        """Take the scenarios that are *known*, or all of them; *more* rules may be carried out by them.

        Nobody relies on what these *columns* say.
        """
        self._columns = sorted(set(columns))
        self.options, self.binding, self.marks = bench.options, bench.binding, None
        self.errors, self.ruleset, self._rulesets = [], ruleset, {}
        self._names = None if known is None else {name for one in known for name in names_of(one.bound)}
        self._first = {*more, *(self._names or ())}
        if known is not None and any(one.scenario.start == SET_UP for one in known):
            self._first.update(BEGINNING)

    def texts(self, players: int) -> Extras:
        """Return the texts of these scenarios."""
        whole, names = super().texts(players), self._names
        if names is None:
            return whole
        rules = {name: rule for name, rule in whole.rules.items() if name in names}
        return Extras(rules, {name: value for name, value in whole.values.items() if name in names})

    def made(self, players: int) -> Ruleset:
        """Return the ruleset with these texts, without what they cannot come by."""
        found = super().made(players)
        if self._columns:
            found.model.program = loosened(found.resolved, self._columns)
        if self._names is not None:
            summaries = Summaries(found.resolved)
            found.model.program = trimmed(found.resolved, summaries, self._first)
            found.model.prover = Prover(found.resolved, summaries)
        return found


def played(bench: Bench, one: Known) -> Outcome:
    """Play a scenario, with few steps once its program is made; what goes wrong in making it is told by playing it."""
    with suppress(Exception):
        bench.program(one.bound.players)
    with nullcontext() if one.long else scarce(STEPS):
        return judge(bench, one.scenario)


def programs_of(ruleset: Ruleset) -> Iterator[Executable]:
    """Yield the programs of a ruleset for all numbers of players; they are compiled when they are asked for."""
    least, most = ruleset.players
    for seats in range(least, most + 1):
        yield ruleset.program(seats + ruleset.model.automated, True)
