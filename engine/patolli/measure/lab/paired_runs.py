"""Paired runs: several sides play the same seeds, in stages, until a judgment is certain.

Match n has the same seed on every side, so the matches n of all sides form a pair, and differences between sides are
estimated from pairs. ``compare`` pairs two finished runs. ``regress``, ``worth`` and ``tune`` play the sides
themselves: a :class:`MatchPool` plays what a side lacks, ``judge_in_stages`` decides when there are enough matches (as
in tournaments), and :func:`pair_rows` returns the pairs. What was played stays in the folders, so the same call
continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from patolli.measure.lab.clusters import Cluster
from patolli.measure.lab.facts import Row
from patolli.measure.lab.plans import WHERE, Variant, folders_of
from patolli.measure.lab.run_loop import Goal, run
from patolli.measure.lab.store import Store
from patolli.measure.simulation.estimates import Interrupted
from patolli.measure.simulation.games import Plan
from patolli.run.runtime import Ruleset

PAIRED = ("players", "seed", "bots", "limit")
"""Keys of the plans of two runs that must be equal, so that matches of the same number form pairs."""


@dataclass(frozen=True, slots=True)
class Side:
    """Variants played together in one folder: ``rules`` are loaded variants by name, ``more`` is added to its plan."""

    variants: Sequence[Variant]
    rules: Mapping[str, Ruleset]
    plan: Plan
    more: Mapping[str, Any] = field(default_factory=dict)

    def open(self, folder: Path) -> Store:
        """Open or create the folder. Raises StoreError: it contains something else; OSError: it cannot be written."""
        return Store(folder, head_of(self.variants, next(iter(self.rules.values())), self.plan, self.more))


def head_of(
    variants: Iterable[Variant], rules: Ruleset, plan: Plan, more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the plan of a run as plain data; *rules* is the first variant."""
    played = list(variants)
    return {
        "players": plan.players, "seed": plan.seed, "bots": list(map(str, plan.kinds())), "limit": plan.limit,
        "variants": [one.data() for one in played], "content": rules.content_hash, **(more or {}),
        WHERE: folders_of(played),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class MatchPool:
    """Plays matches in *processes* (by their number) or on a cluster, and calls ``report`` after each match."""

    processes: Callable[[int], int]
    cluster: Cluster | None = None
    report: Callable[[int], object] = lambda played: None

    def play(self, store: Store, side: Side, matches: int) -> None:
        """Play the matches that a side lacks of its first *matches*.

        Raises:
            Interrupted: The user stopped the run; finished matches are stored.
            OSError: Facts cannot be written.
            NoCluster: The cluster is gone; finished matches are stored.
        """
        jobs = self.processes(matches)
        if run(
            store, side.rules, side.plan, Goal(matches), jobs, report_progress=self.report, cluster=self.cluster
        ).interrupted:
            raise Interrupted


def pair_rows(sides: Sequence[Iterable[Row]]) -> tuple[list[int], list[list[Row]]]:
    """Return the numbers of the matches that all sides have, and by side their rows, in this order."""
    found = [{row["match"]: row for row in rows} for rows in sides]
    both = sorted(found[0].keys() & set.intersection(*(set(one) for one in found)))
    return both, [[side[number] for number in both] for side in found]


def find_unpaired_key(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Return the first key of two plans that keeps their matches from forming pairs; None if they do."""
    return next((key for key in PAIRED if one[key] != other[key]), None)
