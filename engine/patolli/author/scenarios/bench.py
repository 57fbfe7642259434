"""Compile the texts of scenarios together with the ruleset that they test.

In:     the scenarios that want the same packs and options.
Out:    for each number of players one program that holds their texts: rules for what is given and called, values for
        what is expected.
Errors: those of the ruleset, and of ``asking`` and ``binding``.
"""

from __future__ import annotations

import copy

from patolli.author.scenarios.coverage.marks import Marks
from patolli.author.workspace import inspect
from patolli.author.workspace.scenarios.scenario_binder import Binding, Bound
from patolli.author.workspace.scenarios.scenario_needs import OF_CHOICES, find_packs
from patolli.author.workspace.scenarios.scenario_reader import Scenario
from patolli.language.diagnostics import ContentError
from patolli.language.packs.manifest import DISK, Files
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.model import Model
from patolli.run.compiler import Executable
from patolli.run.runtime import Ruleset


class Bench:
    """One ruleset, ready for its scenarios."""

    def __init__(
        self, base: str, first: Scenario, marks: Marks | None = None, files: Files = DISK, proofs: bool = True
    ) -> None:
        """Load what the *first* scenario asks for; all others want the same. Without *proofs*, only check types."""
        self.options = dict(first.options)
        found = inspect(base, first.active, self.options, False, files, proofs, remember=True)
        self.errors = found.errors
        """What keeps the ruleset itself from being used."""
        self.ruleset = ruleset = found.ruleset
        self.marks = marks
        self._rulesets: dict[int, Ruleset] = {}
        if ruleset is None:
            self._move_blame(base, first, files)
            return
        if marks is not None:
            marks.instrument(ruleset.resolved_program)
        effects = Effects(ruleset.model)
        effects.done = set(ruleset.model.rules)
        self.binding = Binding(ruleset.model, effects)

    def _move_blame(self, base: str, first: Scenario, files: Files) -> None:
        """Return where the scenario asks for what is not there, unless the caller did."""
        if any(problem.code in OF_CHOICES for problem in self.errors):
            try:
                find_packs(base, first, files)
            except ContentError as error:
                self.errors = list(error.problems)

    def bind(self, scenario: Scenario) -> Bound:
        """Parse and type the texts of a scenario; ``problems`` of the result say what is wrong with them."""
        bound = self.binding.bind(scenario)
        self._rulesets.pop(bound.players, None)  # a program that was made before lacks these texts
        return bound

    def find_bound(self, scenario: Scenario) -> Bound:
        """Return a scenario that was bound."""
        return self.binding.bound[scenario.name]

    def program(self, players: int) -> tuple[Ruleset, Executable]:
        """Return the ruleset and the program with the texts of all bound scenarios for so many players."""
        assert self.ruleset is not None
        seats = players + self.ruleset.model.automated
        if players not in self._rulesets:
            self._rulesets[players] = self.build_ruleset(players)
            if self.marks is not None:
                self.marks.watch(self._rulesets[players].program(seats, True))
        return self._rulesets[players], self._rulesets[players].program(seats, True)

    def build_ruleset(self, players: int) -> Ruleset:
        """Return the ruleset with these texts."""
        assert self.ruleset is not None
        extras = self.binding.extras[players]
        made = copy.copy(self.ruleset.resolved_program)
        made.rules = {**made.rules, **extras.rules}
        made.values = {**made.values, **extras.values}
        model: Model = copy.copy(self.ruleset.model)
        model.program, model.prover = made, None
        return Ruleset(model, dict(self.options))
