"""Take a ruleset through its stages: choose, compose, check, lay out.

In:     a pack with modules and options, as they were chosen.
Out:    everything that was found, and a ruleset where none of it is an error.
Errors: those of every stage; a stage is left out when it would only repeat what an earlier one reported.

Nothing else in the program composes packs or checks what was composed.
"""

from __future__ import annotations

import copyreg
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from patolli.author.workspace.attribution import attribute_problems
from patolli.author.workspace.pack_choice import choose, wrong_options
from patolli.author.workspace.proven import Proven
from patolli.check.analysis import analyze, check_types
from patolli.check.lints import lint
from patolli.check.proofs.prover import prover_of
from patolli.language.diagnostics import ContentError, Problem, given
from patolli.language.diagnostics.memory import without_garbage_collection
from patolli.language.packs.compose import compose
from patolli.language.packs.composition import Composition
from patolli.language.packs.manifest import DISK, Files, Kept, Pack
from patolli.language.packs.name_history import explain_old_names, rename_options
from patolli.language.packs.selection_file import ORDER, list_ordered
from patolli.language.resolve.declare import declare
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.facts import check_facts
from patolli.language.resolve.model import Model, Rule
from patolli.language.syntax.depth import room
from patolli.language.syntax.syntax_walk import nodes
from patolli.run.compiler.layout import lay_out
from patolli.run.runtime import Ruleset, SaveError
from patolli.run.runtime.save_matching import find_changes


@dataclass(slots=True)
class Inspection:
    """What was found in a ruleset: ``model`` if the packs could be composed, ``ruleset`` if there are no errors."""

    problems: list[Problem]
    model: Model | None = None
    ruleset: Ruleset | None = None

    @property
    def errors(self) -> list[Problem]:
        """What keeps the ruleset from being used."""
        return [problem for problem in self.problems if problem.severity == "error"]


def load(
    pack: str | PathLike[str], modules: Iterable[str | PathLike[str]] = (), options: Mapping[str, Any] | None = None
) -> Ruleset:
    """Load and check a pack with its modules. Its scenarios are not checked, because no match depends on them.

    Args:
        pack: The id of an installed pack, or the path of a folder.
        modules: Ids or paths of modules.
        options: Options by name; the others have their defaults.

    Raises:
        TypeError: An argument has the wrong type, such as one text for *modules*.
        ContentError: The pack has problems; ``problems`` lists all of them.
    """
    wanted = given.path(pack, "a pack is named by its id or the path of its folder")
    more, chosen = given.paths(modules, "modules"), given.table(options, "options")
    with without_garbage_collection():
        files = Kept(tests=False)
        found = inspect(wanted, more, chosen, warnings=False, files=files, remember=True)
        if any(problem.code == "P0130" for problem in found.problems):  # a save has names of its time
            chosen = rename_options(choose(wanted, more, {}, files)[0], chosen)
            found = inspect(wanted, more, chosen, warnings=False, files=files, remember=True)
    if found.ruleset is None:
        raise ContentError(found.errors)
    return found.ruleset


_LIVE: WeakValueDictionary[str, Ruleset] = WeakValueDictionary()
"""Rulesets by the hash of their content, so that many pickles share one."""
_LATEST: deque[Ruleset] = deque(maxlen=2)
"""Those that were loaded for a pickle last; they outlive it, as more may follow."""


def _reduce_ruleset(rules: Ruleset) -> tuple[Callable[..., Ruleset], tuple[dict[str, Any]]]:
    """Return what a ruleset is in a pickle: from where it was loaded, and a hash of each of its files."""
    _LIVE[rules.content_hash] = rules
    return _restore_ruleset, ({
        "pack": rules.id, "modules": rules.module_ids, "options": dict(rules.chosen), "content": rules.content_hash,
        "files": rules.file_hashes, "folders": [str(pack.folder) for pack in rules.packs],
    },)  # fmt: skip


def _restore_ruleset(kept: dict[str, Any]) -> Ruleset:
    """Return the ruleset of a pickle: the one that is there, or else one that is loaded from where it was.

    Raises:
        SaveError: There is none with the same content; the message says what is other.
    """
    rules = _LIVE.get(kept["content"])
    if rules is None:
        ids = [kept["pack"], *kept["modules"]]
        base, *modules = (
            folder if Path(folder).exists() else id_ for folder, id_ in zip(kept["folders"], ids, strict=True)
        )
        try:
            rules = load(base, modules, kept["options"])
        except ContentError as error:
            raise SaveError(f"{kept['pack']!r} of the pickle cannot be loaded: {error}") from error
        if rules.content_hash != kept["content"]:
            raise SaveError(find_changes(rules, kept, "pickle"))
        _LIVE[kept["content"]] = rules
        _LATEST.append(rules)
    return rules


copyreg.pickle(Ruleset, _reduce_ruleset)  # the room ``runtime`` knows no folders


def inspect(
    pack: str,
    modules: Iterable[str] = (),
    options: dict[str, Any] | None = None,
    warnings: bool = True,
    files: Files = DISK,
    proofs: bool = True,
    remember: bool = False,
) -> Inspection:
    """Load as far as possible and report all that was found; without *warnings*, all errors at least.

    Who wants no warnings may *remember*: a ruleset that was found to be without errors is noted, and not proved again.

    Without *proofs* it is only seen that everything has its type. Such a ruleset can be tried, but its rules may come
    to where they cannot go on.
    """
    try:
        packs, left = choose(pack, modules, options or {}, files)
    except ContentError as error:
        return Inspection(list(error.problems))
    try:
        with room():
            composition = compose(packs[0], packs[1:], list_ordered(left))
            if not proofs:
                return _try_stage(composition, left)
            found = (_inspect_with_notes if remember and not warnings else _inspect_rules)(composition, left, warnings)
            if found.problems and len(packs) > 1:
                look = partial(_look, options=left, warnings=warnings)
                found.problems = attribute_problems(composition, found.problems, look)
            found.problems = explain_old_names(found.problems, packs, lambda path: files.text(path)[0])
            return found
    except RecursionError:
        help_ = "split what lies deep inside other things, as rules and functions of their own"
        words = "this pack is nested too deeply to be checked"
        return Inspection([Problem("P0101", words, packs[0].manifest.span, help_)])


def _look(packs: list[Pack], options: dict[str, Any], warnings: bool) -> tuple[Composition, list[Problem]]:
    """Compose some packs of a ruleset, which may not have all its options, and return what is found in them."""
    composition = compose(packs[0], packs[1:], list_ordered(options))
    known = {ORDER, *(option.name for pack in packs for option in pack.options())}
    left = {name: value for name, value in options.items() if name in known}
    return composition, _inspect_rules(composition, left, warnings).problems


def _inspect_rules(composition: Composition, options: dict[str, Any], warnings: bool) -> Inspection:
    wrong = list(wrong_options(composition.packs, options).values())
    if wrong or not all(pack.whole for pack in composition.packs):
        return Inspection([*composition.problems, *wrong])
    model = analyze(composition, options)
    found = Inspection(list(model.problems), model)
    if model.program is not None and model.prover is not None and not found.errors:
        found.problems += lint(model.program, prover_of(model).summaries, warnings)
    if not found.errors:
        found.problems += [problem for problem in check_layouts(model) if problem not in found.problems]
    if not found.errors:
        found.ruleset = Ruleset(model, dict(options))
    return found


def _inspect_with_notes(composition: Composition, options: dict[str, Any], warnings: bool) -> Inspection:
    """Inspect a ruleset, and prove it only if that has not been done before."""
    proven = Proven(composition.packs, options)
    if (
        proven.is_proven()
        and all(pack.whole for pack in composition.packs)
        and not wrong_options(composition.packs, options)
    ):
        found = _try_stage(composition, options)
        if found.ruleset is not None:
            return found
    found = _inspect_rules(composition, options, warnings)
    if found.ruleset is not None:
        proven.note()
    return found


def _try_stage(composition: Composition, options: dict[str, Any]) -> Inspection:
    model = check_types(composition, options)
    return Inspection(list(model.problems), model, Ruleset(model, dict(options)) if model.program is not None else None)


def check_layouts(model: Model) -> list[Problem]:
    """Lay the state out for every number of players, and say what does not fit."""
    least, most = model.players
    assert model.program is not None
    layouts = (lay_out(model.program, players + model.automated) for players in range(least, most + 1))
    found: dict[object, Problem] = {}
    for problem in (problem for layout in layouts for problem in layout.problems):
        once = (problem.code, problem.span, problem.help) if problem.code == "P0410" else problem
        found.setdefault(once, problem)  # a number that differs with the players is wrong once
    return list(found.values())


def declare_packs(packs: list[Pack], options: dict[str, Any]) -> tuple[Model, Effects]:
    """Read what packs declare, and with it what types the rules of scenarios; of their own rules nothing is proved."""
    model = declare(compose(packs[0], packs[1:], list_ordered(options)), options)
    return model, check_facts(model)


def resolve_folder(pack: str, modules: Iterable[str], files: Files, folder: Path) -> Model | None:
    """Return a model in which every name in the files of one *folder* is looked up; None where it cannot be read.

    Rules that stand elsewhere are only gone through as far as those use them, so nothing else may be asked of it.
    """
    try:
        packs, left = choose(pack, modules, {}, files)
        with room():
            model, effects = declare_packs(packs, left)
            for rule in list(model.rules.values()):
                if _stands_in(rule, f"{folder}{os.sep}", model.composition):
                    effects.rule_(rule)
            model.uses = effects.uses
    except (ContentError, RecursionError):
        return None
    return model


def _stands_in(rule: Rule, folder: str, composition: Composition) -> bool:
    """Return whether a rule, or a part that a patch has put into it, stands in a file of a folder."""
    if rule.span.path.startswith(folder):
        return True
    entry = composition.sections["rules"].get(rule.name.partition("'")[0])
    if entry is not None and not entry.changed:
        return False
    return any(node.span.path.startswith(folder) for node in nodes([rule.given, *rule.block]))


def parse_texts(pack: Pack) -> None:
    """Read all texts of a pack, so that every check of it, alone or with modules, finds them read."""
    with room():
        declare(compose(pack, []), {})
