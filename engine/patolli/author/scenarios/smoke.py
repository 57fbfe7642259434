"""Play a ruleset once with every number of players, and with every value of its options, before its scenarios.

Of options that are numbers the ends of the range stand for all. All matches together have ``STEPS`` steps, and there
are at most ``MOST`` of them: a heavy game is stopped before its end, and with many options some values are not played.

In:     a sound ruleset, with the texts of scenarios where they are compiled already.
Out:    an :class:`Outcome` for each match: all choices are made at random, always the same ones.
Errors: P0608 the match could not go on, had no end, asked a seat that the rules play, or an invariant did not hold;
        P0900 the program failed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter

from patolli.author.scenarios.outcome import Outcome, fault_places
from patolli.kernel.budget import BUDGET, Allowance
from patolli.language.diagnostics import Problem, start_of
from patolli.language.diagnostics.fault import NOT_THE_CONTENT, EngineFault
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import Pack
from patolli.run.runtime import Match, MatchError, Ruleset
from patolli.run.runtime.errors import LIMIT, asked_of_rules, endless
from patolli.run.runtime.evidence import save_evidence
from patolli.run.runtime.invariants import BrokenInvariant, Watch

SEED = 0
MOST = 60
STEPS = 2 * BUDGET
SETTING = 2_000_000
"""The steps of making a ruleset for other options."""
NAME = "smoke"
"""The name under which all these matches are selected, behind the id of a pack."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One match: how many players, and options that are not at their defaults, if any, with a name for them."""

    players: int
    settings: tuple[tuple[str, str], ...] = ()
    name: str = ""

    @property
    def id(self) -> str:
        """Its name among the tests of the pack."""
        number = f"{NAME}_{self.players}_player{'s' * (self.players > 1)}"
        return f"{number}_{self.name}" if self.name else number

    @property
    def words(self) -> str:
        """What makes it repeatable."""
        number = f"{self.players} player{'s' * (self.players > 1)}, seed {SEED}"
        return ", ".join([number, *(f"{option}={value}" for option, value in self.settings)])


def trials(rules: Ruleset, pack: Pack) -> list[Trial]:
    """Return the matches to play: all numbers of players, then the other values of the pack's own options.

    Each choice is tried by itself. The options that are numbers all have their least values in one match, and their
    largest ones in another: there games break, and each ruleset takes time to make.
    """
    least, most = rules.players
    found = [Trial(players) for players in range(least, most + 1)]
    options = pack.options()
    others: list[tuple[tuple[tuple[str, str], ...], str]] = [
        (((option.name, value),), f"{option.name}_{value}")
        for option in options
        for value in option.choices
        if value != str(option.default)
    ]
    ranges = [option for option in options if not option.choices]
    for name, ends in (("least", [o.low for o in ranges]), ("largest", [o.high for o in ranges])):
        settings = tuple((o.name, str(end)) for o, end in zip(ranges, ends, strict=True) if end != o.default)
        others += [(settings, name)] if settings else []
    for number, (settings, name) in enumerate(others):  # not always with the fewest players
        found.append(Trial(least + number % (most - least + 1), settings, name))
    return found[:MOST]


def play_trial(pack: Pack, trial: Trial, load: Callable[[Trial], Ruleset], allowance: Allowance) -> Outcome:
    """Play one of the matches to its end, or as long as the allowance lasts; *load* returns its ruleset."""
    began = perf_counter()
    path = str(pack.folder / MANIFEST)
    outcome = Outcome(pack.id, trial.id, path, 1, f"a random match with {trial.words}")
    match: Match | None = None
    try:
        rules = load(trial)
        match = _start_trial(rules, trial)
        allowance.draw(SETTING if trial.settings else 0)
        _to_the_end(match, allowance)
        outcome.stopped = match.pending is not None
    except MatchError as error:
        outcome.problems = [_make_problem(error, path, trial, match)]
        outcome.log, outcome.spent = _replay_log(match), error.spent is not None
    except Exception as error:
        break_off(outcome, error)
    outcome.seconds = perf_counter() - began
    return outcome


def break_off(outcome: Outcome, error: Exception) -> Outcome:
    """Put down that the program itself failed over a match of the smoke run."""
    fault = outcome.fault = EngineFault.of(error, pack=outcome.pack, test=outcome.text)
    words = f"{NOT_THE_CONTENT}: {fault.what}"
    outcome.problems = [Problem("P0900", words, start_of(outcome.path), "please report it")]
    return outcome


def _start_trial(rules: Ruleset, trial: Trial) -> Match:
    """Begin with the program that scenarios use, which reports what happens; the reports are ignored."""
    match = rules.start(trial.players, SEED, narrate=True)
    match.narrating = False
    return match


def _to_the_end(match: Match, allowance: Allowance) -> None:
    watch, draw, events = Watch(match), Random(SEED).random, match.program.events
    watch.check(match)
    automated = match.ruleset.model.automated > 0
    while match.pending is not None and allowance.draw():
        if len(match.choices) == LIMIT:
            raise endless(match, LIMIT)
        if automated and (asked := asked_of_rules(match)) is not None:
            raise asked
        match.pick(int(draw() * len(match.pending)))
        events.clear()
        watch.check(match)


def _make_problem(error: MatchError, path: str, trial: Trial, match: Match | None) -> Problem:
    """Report a failure at the innermost line of the rules, with all that is needed to see it again."""
    places = fault_places(error)
    at = places.pop(-2 if error.spent is not None and len(places) > 1 else -1)[0] if places else start_of(path)
    help_ = f"patolli explain {error.code} says more"
    if match is not None and isinstance(error, BrokenInvariant):
        help_ += f"; see it again: {save_evidence(match.ruleset, match.players, SEED, error.choices)}"
    words = f"in a random match ({trial.words}) {error.reason}"
    return Problem("P0608", words, at, help_, tuple(places))


def _replay_log(match: Match | None) -> list[str]:
    """Say what happened before the last choice, by making the choices again; nothing if that is too much to keep."""
    if match is None:
        return []
    try:
        return match.ruleset.replay(match.players, SEED, match.choices[:-1], narrate=True).log
    except MatchError:
        return []
