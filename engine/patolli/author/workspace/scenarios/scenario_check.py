"""Check the scenarios of a pack without playing them: names, types, modules, options, players.

In:     a pack without errors, and the packs that it requires.
Out:    everything that would keep one of its scenarios from being played.
Errors: those of ``asking`` and ``binding``, and the errors of a ruleset that only scenarios ask for.

A text is typed against the packs that its scenario asks for. Of these the declarations are read; a rule is typed when a
text calls it, and nothing is proved of it. That takes a quarter of the time of a whole check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from patolli.author.workspace.inspection import declare_packs
from patolli.author.workspace.scenarios.scenario_binder import Binding
from patolli.author.workspace.scenarios.scenario_needs import find_packs
from patolli.author.workspace.scenarios.scenario_reader import Scenario, read_scenarios
from patolli.language.diagnostics import ContentError, Problem
from patolli.language.packs.manifest import Kept, Pack
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.model import Model
from patolli.language.sources import Mapping
from patolli.language.syntax.depth import room

Packs = tuple[str, ...]
"""The folders of the packs of a ruleset, the base first."""


class Stage:
    """Packs that some scenarios ask for: what they declare, and what was found in the files of scenarios."""

    def __init__(self, model: Model, effects: Effects) -> None:
        self.model = model
        self.effects = effects
        self.trees = list(_trees(model.composition.packs))
        files = {d.path for pack in model.composition.packs for d in pack.documents if d.kind == "scenarios"}
        self.errors = [p for p in model.problems if p.severity == "error" and p.span.path not in files]
        self._found: dict[str, tuple[Mapping, list[Problem]]] = {}

    @classmethod
    def declare_packs(cls, packs: list[Pack], options: dict[str, Any]) -> Stage:
        """Read what packs declare."""
        return cls(*declare_packs(packs, options))

    def is_of(self, packs: list[Pack]) -> bool:
        """Return whether nothing but scenarios has changed in the packs since they were read."""
        trees = list(_trees(packs))
        return len(trees) == len(self.trees) and all(one is two for one, two in zip(trees, self.trees, strict=True))

    def problems(self, tree: Mapping, scenarios: list[Scenario]) -> list[Problem]:
        """Say what is wrong with the scenarios of one file that belong here."""
        if self.errors:
            by = (scenarios[0].key.span, "this scenario asks for the packs of this ruleset")
            return [replace(error, also=(*error.also, by)) for error in self.errors]
        path = scenarios[0].path
        known = self._found.get(path)
        if known is None or known[0] is not tree:
            binding = Binding(self.model, self.effects)
            found = [problem for scenario in scenarios for problem in binding.bind(scenario).problems]
            known = self._found[path] = (tree, found)
        return known[1]


class ScenarioChecks:
    """Checks the scenarios of one pack, again and again; what cannot have changed is not looked at again."""

    def __init__(self) -> None:
        self._stages: dict[Packs, Stage] = {}

    def know(self, model: Model) -> None:
        """Take over a model that was typed as a whole and has no errors, unless its packs are known already."""
        packs = model.composition.packs
        known = self._stages.get(_key(packs))
        if known is None or not known.is_of(packs):
            effects = Effects(model)
            effects.done = set(model.rules)
            self._stages[_key(packs)] = Stage(model, effects)

    def check(self, name: str, base: str, modules: Iterable[str], files: Kept) -> Iterator[list[Problem]]:
        """Yield what is wrong, in parts, so that other work can come in between.

        Args:
            name: The pack whose scenarios are meant, by id or path.
            base: The pack at the bottom of what it requires.
            modules: The modules that are always active, the pack itself among them.
            files: Where packs are found, as they are now.
        """
        pack = files.pack(name)
        choices: dict[object, tuple[list[Pack], dict[str, Any]]] = {}
        wanted: dict[Packs, dict[str, list[Scenario]]] = {}
        for scenario in read_scenarios(pack, tuple(modules)):
            choice = (scenario.modules, scenario.options)
            try:
                packs, _ = choices[choice] = choices.get(choice) or find_packs(base, scenario, files)
            except ContentError as error:
                yield list(error.problems)
                continue
            wanted.setdefault(_key(packs), {}).setdefault(scenario.path, []).append(scenario)
        chosen = {_key(packs): (packs, options) for packs, options in choices.values()}
        self._stages = {key: stage for key, stage in self._stages.items() if key in wanted}
        trees = {document.path: document.tree for document in pack.documents}
        for key, by_file in wanted.items():
            for path, scenarios in by_file.items():
                with room():
                    found = self._stage(*chosen[key]).problems(trees[path], scenarios)
                yield found

    def _stage(self, packs: list[Pack], options: dict[str, Any]) -> Stage:
        stage = self._stages.get(_key(packs))
        if stage is None or not stage.is_of(packs):
            stage = self._stages[_key(packs)] = Stage.declare_packs(packs, options)
        return stage

    @property
    def packs(self) -> list[str]:
        """The ids of all packs that scenarios asked for."""
        return list(dict.fromkeys(pack.id for stage in self._stages.values() for pack in stage.model.composition.packs))


def _key(packs: list[Pack]) -> Packs:
    return tuple(str(pack.folder) for pack in packs)


def _trees(packs: list[Pack]) -> Iterator[Mapping]:
    for pack in packs:
        yield pack.manifest
        yield from (document.tree for document in pack.documents if document.kind != "scenarios")
