"""Search for settings of a game that reach goals, near to what it was.

Every setting that is tried is a run of its own in the folder, with the same seeds as all others, so that any two of
them can be compared, reported and played again. A trial ends early when another setting, which is no farther from the
pack, surely misses the goals by less. What looks best of many looks better than it is; so the best are played again
with other seeds, and what is reported of them rests on these matches alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from patolli.language.diagnostics import ContentError
from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.bounded import read_bounded
from patolli.measure.lab.goals import Wish
from patolli.measure.lab.measures import Estimate
from patolli.measure.lab.paired_runs import Side
from patolli.measure.lab.parameters import Setting, Space
from patolli.measure.lab.plans import Variant
from patolli.measure.lab.proposals import Tried, propose_setting
from patolli.measure.lab.store import Store, StoreError, hash_of
from patolli.measure.lab.variant_modules import load_variant
from patolli.measure.simulation.estimates import judge_in_stages
from patolli.measure.simulation.games import Plan
from patolli.run.runtime import Ruleset

LOOKS = 4
"""In how many parts a trial is played; after each it is seen whether it is worth going on."""
BEST = 5
"""Settings that are played again with other seeds, at most."""
UNKNOWN = 1e9
"""Half an interval about which nothing is known, as JSON has no number for it."""
FORM, VERSION = "patolli lab tune", 1


@dataclass(slots=True)
class Trial:
    """What came of a setting.

    ``known`` holds for each goal mean, half of the interval of 95 % and matches; ``miss`` is the sum of the misses,
    each in widths of its goal, and ``moved`` how far it is from the pack. ``left`` says why it was not played to its
    end, and ``broken`` that it cannot be played at all.
    """

    number: int
    setting: Setting
    matches: int = 0
    known: list[tuple[float, float, int]] = field(default_factory=list)
    miss: float = 0.0
    moved: float = 0.0
    left: str = ""
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is searched: the pack, what may be turned, what is wanted, and how it is played."""

    base: Variant
    space: Space
    wishes: tuple[Wish, ...]
    plan: Plan
    games: int
    trials: int
    check: int

    def head(self, content: str) -> dict[str, Any]:
        """Return what makes two searches the same; the number of trials does not count."""
        return {
            "base": self.base.data(), "parameters": [[one.name, list(one.values)] for one in self.space.parameters],
            "goals": [one.text for one in self.wishes], "games": self.games, "players": self.plan.players,
            "seed": self.plan.seed, "bots": list(map(str, self.plan.kinds())), "limit": self.plan.limit,
            "content": content,
        }  # fmt: skip


Play = Callable[[Store, Side, int], object]
"""Plays so many matches of a side in its folder; see :meth:`MatchPool.play`."""


class Search:
    """A search in a folder: ``trials.json`` says what was tried, and below ``trials`` are the matches of each trial."""

    def __init__(self, tuning: Tuning, folder: Path, rules: Ruleset, play: Play) -> None:
        """Begin a search, or go on with it. Raises StoreError: the folder holds something else; OSError: no access."""
        self.tuning, self.folder, self._play = tuning, folder, play
        self._head = tuning.head(rules.content_hash)
        self.trials = self._read_trials()

    def _read_trials(self) -> list[Trial]:
        path = self.folder / "trials.json"
        if not path.exists():
            if self.folder.exists() and any(one.name != "trials" for one in self.folder.iterdir()):
                raise StoreError(f"{self.folder} is not empty and has no search; use another folder")
            return []
        try:
            found = json.loads(read_bounded(path))
            there, trials = found["hash"], [Trial(**one) for one in found["trials"]]
        except (ValueError, TypeError, KeyError):
            raise StoreError(f"{path} is not a list of trials; use another folder") from None
        if there != hash_of(self._head):
            raise StoreError(
                f"{self.folder} has another search, because the plan or the pack has changed; use another folder"
            )
        return [_restore_trial(one) for one in trials]

    def _keep(self) -> None:
        data = {
            FORM: VERSION,
            "hash": hash_of(self._head),
            **self._head,
            "trials": [asdict(one) for one in self.trials],
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / "trials.json", json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    def run(self, report_progress: Callable[[Trial], object]) -> None:
        """Try what is left to try; report each trial. Raises Interrupted: the user stopped it; OSError: no writing."""
        tuning = self.tuning
        while len(self.trials) < tuning.trials:
            setting = self._next()
            if setting is None:
                break
            self.trials.append(trial := self._try_setting(len(self.trials), setting))
            self._keep()
            report_progress(trial)

    def _next(self) -> Setting | None:
        if not self.trials:
            return ()  # the pack as it is, whether or not that is among the settings
        home = self.tuning.space.home
        tried: list[Tried] = [
            (setting, None if one.broken else (one.miss, one.moved))
            for one in self.trials
            if (setting := one.setting or home) is not None
        ]
        return propose_setting(self.tuning.space, tried, self.tuning.trials, self.tuning.plan.seed)

    def variant(self, number: int, setting: Setting) -> Variant:
        """Return what a trial plays."""
        base, space = self.tuning.base, self.tuning.space
        return space.variant(base, f"t{number}", setting) if setting else base

    def _try_setting(self, number: int, setting: Setting) -> Trial:
        """Play a setting, as long as that is worth while."""
        tuning, trial = self.tuning, Trial(number, setting)
        trial.moved = tuning.space.measure_distance(setting) if setting else 0.0
        folder = self.folder / "trials" / f"{number:04d}"
        try:
            self._play_trial(self.variant(number, setting), folder, tuning.plan, tuning.games, trial, self._better)
        except ContentError as error:
            if not number:
                raise
            trial.broken, trial.left = True, f"invalid pack: {error.problems[0].message}"
        return trial

    def _play_trial(
        self, variant: Variant, folder: Path, plan: Plan, games: int, trial: Trial,
        better: Callable[[Trial, Sequence[Estimate]], int | None] = lambda trial, found: None,
    ) -> None:  # fmt: skip
        """Play so many matches of a variant, or fewer if another trial is *better*, and note what is known.

        Raises:
            ContentError: It has a mistake.
            Interrupted: The user stopped the search.
            OSError: Facts cannot be written.
        """
        side = Side([variant], {variant.name: load_variant(variant, folder / "variants")}, plan)
        store = side.open(folder)

        def judge(matches: int) -> list[Estimate]:
            found = self._estimates(store, variant.name, matches)
            trial.matches = matches
            trial.known = [(one.mean, min(one.half, UNKNOWN), one.count) for one in found]
            trial.miss = sum(w.miss(one.mean) for w, one in zip(self.tuning.wishes, found, strict=True))
            return found

        def is_worse(found: list[Estimate]) -> bool:
            number = better(trial, found) if trial.matches < games else None
            if number is not None:
                trial.left = f"trial {number} is closer to the goals, and not farther from the pack"
            return number is not None

        try:
            looks = [-(-games * look // LOOKS) for look in range(1, LOOKS + 1)]
            judge_in_stages(looks, lambda matches: self._play(store, side, matches), judge, is_worse)
        finally:
            store.close()

    def _estimates(self, store: Store, variant: str, matches: int) -> list[Estimate]:
        wishes = self.tuning.wishes
        found = [Estimate() for _ in wishes]
        columns = sorted({column for one in wishes for column in one.measure.columns})
        for row in store.rows(variant, matches, columns):
            for one, estimate in zip(wishes, found, strict=True):
                estimate.add(one.measure.of(row))
        return found

    def _better(self, trial: Trial, found: Sequence[Estimate]) -> int | None:
        least = sum(w.least_miss(one.mean, one.half) for w, one in zip(self.tuning.wishes, found, strict=True))
        return next(
            (
                one.number for one in self.trials
                if not one.left and one.moved <= trial.moved and self.most_miss(one) < least
            ),
            None,
        )  # fmt: skip

    def most_miss(self, trial: Trial) -> float:
        """Return by how much a trial misses the goals at most, as far as is sure."""
        return sum(
            max(wish.miss(mean - half), wish.miss(mean + half))
            for wish, (mean, half, _) in zip(self.tuning.wishes, trial.known, strict=True)
        )

    # -- what is best

    def front(self) -> list[Trial]:
        """Return the trials that no other one beats in both: misses and distance; the nearest to the pack first."""
        done = sorted((one for one in self.trials if not one.left), key=lambda one: (one.moved, one.miss, one.number))
        found: list[Trial] = []
        for one in done:
            if not found or one.miss < found[-1].miss:
                found.append(one)
        return found

    def check_front(self, report_progress: Callable[[Trial], object]) -> list[Trial]:
        """Play the pack and the best of the front with other seeds. Raises Interrupted: by the user; OSError."""
        tuning = self.tuning
        front = self.front()
        best = [*front[:1], *sorted(front[1:], key=lambda one: one.miss)[: BEST - 1]]
        plan = Plan(tuning.plan.players, tuning.check, tuning.plan.seed + 1, tuning.plan.kinds(), tuning.plan.limit)
        found = []
        for one in sorted({self.trials[0].number, *(trial.number for trial in best)}):
            first = self.trials[one]
            trial = Trial(one, first.setting, moved=first.moved)
            folder = self.folder / "trials" / f"check_{one:04d}"
            self._play_trial(self.variant(one, first.setting), folder, plan, tuning.check, trial)
            found.append(trial)
            report_progress(trial)
        return found

    def choose_best(self, checked: Sequence[Trial]) -> Trial:
        """Return the best of those that were checked: most goals reached, then least missed, then nearest."""
        wishes = self.tuning.wishes

        def order(trial: Trial) -> tuple[int, float, float]:
            missed = sum(wish.miss(mean) > 0 for wish, (mean, _, _) in zip(wishes, trial.known, strict=True))
            return missed, round(trial.miss, 6), trial.moved

        return min(checked, key=order)


def _restore_trial(trial: Trial) -> Trial:
    trial.setting = tuple(trial.setting)
    trial.known = [(mean, half, count) for mean, half, count in trial.known]
    return trial
