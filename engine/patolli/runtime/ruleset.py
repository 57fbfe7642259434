"""A loaded ruleset: the front door of the engine."""

from __future__ import annotations

import json
import re
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from patolli.analysis import Model, analyse
from patolli.analysis.declare import declare
from patolli.analysis.lowering import lower
from patolli.compiler import Executable, compile_program
from patolli.compiler.layout import lay_out
from patolli.compiler.unproven import Unproven
from patolli.diagnostics import ContentError, Problem, Span, nearest
from patolli.language.depth import room
from patolli.packs.compose import Composition, compose
from patolli.packs.manifest import DISK, Files, Pack
from patolli.packs.selection import select, switched_on, switches
from patolli.program.model import Program
from patolli.runtime.labels import Labels
from patolli.runtime.match import Match
from patolli.runtime.saves import SaveError, read_save
from patolli.sources.archive import read_bytes, yaml_files

_SHOWS_ONLY = re.compile(rb"(?:\s*(?:#[^\n]*)?\n)*document:\s*(?:scenarios|panels)\b")


class Ruleset:
    """A checked pack with its modules and options. Made by :func:`load`."""

    def __init__(self, model: Model, chosen: dict[str, Any]) -> None:
        self.model = model
        self.chosen = chosen
        self._programs: dict[tuple[int, bool], Executable] = {}
        self._labels: dict[int, Labels] = {}

    @cached_property
    def resolved(self) -> Program:
        """What the ruleset means, with every name resolved."""
        return lower(self.model)

    @cached_property
    def _proven(self) -> Unproven:
        return Unproven(self.resolved)

    # -- what it is

    @property
    def packs(self) -> list[Pack]:
        """The base pack and the active modules, in order of composition."""
        return self.model.composition.packs

    @property
    def id(self) -> str:
        """The id of the base pack."""
        return self.packs[0].id

    @property
    def module_ids(self) -> list[str]:
        """The ids of the active modules."""
        return [pack.id for pack in self.packs[1:]]

    @property
    def title(self) -> str:
        """The title of the base pack."""
        return self.packs[0].text("title", self.id)

    @property
    def players(self) -> tuple[int, int]:
        """The least and the greatest number of players."""
        return self.model.players

    @property
    def file_hashes(self) -> dict[str, str]:
        """A hash of each file that decides how a match goes, by pack and file name; tests and panels do not."""
        found = {}
        for pack in self.packs:
            for path in yaml_files(pack.folder):
                if _SHOWS_ONLY.match(read_bytes(path)):
                    continue
                found[f"{pack.id}/{path.relative_to(pack.folder).as_posix()}"] = sha256(read_bytes(path)).hexdigest()[
                    :16
                ]
        return found

    @property
    def content_hash(self) -> str:
        """A hash of all content and options: two rulesets with the same hash play the same."""
        text = json.dumps([self.file_hashes, self.chosen], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:32]

    def program(self, players: int, narrate: bool = False) -> Executable:
        """Return the compiled program for a number of players."""
        key = (players, narrate)
        if key not in self._programs:
            with room():
                self._programs[key] = compile_program(self.resolved, players, narrate, self._proven)
        return self._programs[key]

    def labels(self, program: Executable) -> Labels:
        """Return the words for values of a program."""
        key = id(program)
        if key not in self._labels:
            self._labels[key] = Labels(program)
        return self._labels[key]

    # -- matches

    def start(self, players: int | None = None, seed: int = 0, narrate: bool = False) -> Match:
        """Start a match.

        Args:
            players: The number of seats; the least allowed one when left out.
            seed: Decides everything that is random, together with the choices.
            narrate: Whether ``match.log`` is to tell what happens.

        Raises:
            ValueError: The pack cannot be played with so many players.
            MatchError: The content fails during the set-up.
        """
        low, high = self.players
        number = low if players is None else players
        if not low <= number <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise ValueError(f"{self.title} is for {wanted} players, not {number}")
        program = self.program(number + self.model.automated, narrate)
        state = program.layout.fresh()
        state[0] = [frame[:] for frame in program.start]
        state[1], state[3] = seed, {}
        match = Match(self, program, state, narrate)
        match.begin()
        return match

    def replay(self, players: int, seed: int, choices: list[int], narrate: bool = False) -> Match:
        """Start a match with *players* seats, automated ones included, and make the same choices again.

        Raises:
            SaveError: There are other options than when the choices were made.
        """
        match = self.start(players - self.model.automated, seed, narrate)
        for number, choice in enumerate(choices, 1):
            if match.pending is None:
                raise SaveError(f"the match is over before choice {number}")
            if not 0 <= choice < len(match.pending):
                raise SaveError(f"choice {number} is {choice}, but there are {len(match.pending)} options")
            match._mark()
            match.pick(choice)
        return match

    def restore(self, text: str, narrate: bool = False) -> Match:
        """Read a match that :meth:`Match.to_json` wrote.

        Raises:
            SaveError: The text is no save, or was made with other content; the message says what changed.
        """
        return read_save(self, text, narrate)


def load(pack: str, modules: list[str] | tuple[str, ...] = (), options: dict[str, Any] | None = None) -> Ruleset:
    """Load a pack with modules: read, compose, check.

    Args:
        pack: The id of an installed pack, or the path of a folder.
        modules: Ids or paths of modules.
        options: Options by name; those left out take their default.

    Raises:
        ContentError: With every problem that was found.
    """
    ruleset, problems = inspect(pack, modules, options, warnings=False)
    errors = tuple(p for p in problems if p.severity == "error")
    if errors or ruleset is None:
        raise ContentError(errors)
    return ruleset


def inspect(
    pack: str,
    modules: list[str] | tuple[str, ...] = (),
    options: dict[str, Any] | None = None,
    warnings: bool = True,
    files: Files = DISK,
) -> tuple[Ruleset | None, list[Problem]]:
    """Load as far as possible and return all findings; without *warnings*, all errors at least."""
    try:
        more, options = switched_on(pack, options or {}, files)
        base, active = select(pack, [*modules, *more], files)
    except ContentError as error:
        return None, list(error.problems)
    try:
        with room():
            return _inspected(compose(base, active), options or {}, warnings)
    except RecursionError:
        help_ = "split what lies deep inside other things, as rules and functions of their own"
        return None, [Problem("P0101", "this pack is nested too deeply to be checked", base.manifest.span, help_)]


def _inspected(
    composition: Composition, options: dict[str, Any], warnings: bool
) -> tuple[Ruleset | None, list[Problem]]:
    base, *active = composition.packs
    wrong = list(wrong_options([base, *active], options).values())
    if wrong or not all(pack.whole for pack in composition.packs):
        problems = [*composition.problems, *wrong]
        return None, problems
    model = analyse(composition, options, warnings)
    problems = list(model.problems)
    if any(p.severity == "error" for p in problems):
        return None, problems
    ruleset = Ruleset(model, dict(options))
    for players in range(model.players[0], model.players[1] + 1):
        problems.extend(p for p in lay_out(ruleset.resolved, players + model.automated).problems if p not in problems)
    return ruleset, problems


def wrong_options(packs: list[Pack], options: dict[str, Any]) -> dict[str, Problem]:
    """Say for each option what is wrong with it, when something is; the base comes first in *packs*."""
    known = {option.name: option for pack in packs for option in pack.options()}
    problems = {}
    for name, value in options.items():
        option = known.get(name)
        if option is None:
            problems[name] = _no_option(packs[0].id, list(known), name, value)
        elif option.choices and str(value) not in option.choices:
            help_ = f"one of {', '.join(option.choices)}"
            problems[name] = Problem("P0131", f"option {name!r} cannot be {value!r}", option.span, help_)
        elif not option.choices and not (str(value).lstrip("-").isdigit() and option.low <= int(value) <= option.high):
            help_ = f"a number from {option.low} to {option.high}"
            problems[name] = Problem("P0131", f"option {name!r} cannot be {value!r}", option.span, help_)
    return problems


def _no_option(base: str, known: list[str], name: str, value: Any) -> Problem:
    offered = sorted({f"{option}={choice}" for by in switches(base).values() for option, choice in by.items()})
    near = nearest(name, known) or nearest(f"{name}={value}", offered)
    help_ = f"did you mean {near!r}?" if near else f"there are: {', '.join([*known, *offered]) or 'none'}"
    return Problem("P0130", f"there is no option {name!r}", Span("options", 1, 1, 1, 1), help_)


__all__ = ["Path", "Ruleset", "declare", "inspect", "load", "wrong_options"]
