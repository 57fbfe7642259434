"""Results of runs of the lab so far, and their matches.

The functions of :mod:`patolli.measure.lab` read the data. Reports and single matches of an active run use a copy, so
that no block changes during the read. Sums of complete blocks are cached, so that long runs are not read again each
time.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from patolli.measure.lab.measures import Estimate, Measure, measures
from patolli.measure.lab.plans import format_changes
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.lab.tables import BLOCK
from patolli.serve.studio.lab.runs import Data, said_by, state_of, wanted_of
from patolli.serve.studio.refusals import Refused

if TYPE_CHECKING:
    from patolli.measure.lab.findings import Run
    from patolli.run.runtime import Match, Ruleset

SHOWN = 8
"""Number of measures with intervals on the page."""
PLAN, LINES, BLOCKS = "plan.json", "*.jsonl", "*.parquet"


@dataclass(slots=True)
class Sums:
    """The cached sums of the complete blocks of a variant."""

    seen: set[str] = field(default_factory=set)
    matches: int = 0
    estimates: list[Estimate] = field(default_factory=list)


_sums: dict[tuple[str, str], Sums] = {}


# ---- the state of a run


def run_state(folder: Path, whole: bool = False) -> Data:
    """Return the state of a run and its results so far; with *whole*, include the intervals."""
    wanted = wanted_of(folder)
    data: Data = {
        "id": folder.name, "state": state_of(folder), "made": wanted.get("made"),
        **{key: wanted.get(key) for key in ("pack", "modules", "options", "vary", "players", "bots", "games", "until")},
    }  # fmt: skip
    if data["state"] == "failed":
        data["said"] = said_by(folder)
    facts = folder / "facts"
    try:
        store = _open_store(facts)
    except (StoreError, OSError):  # it has not started to play
        return {**data, "variants": []}
    return {**data, "variants": [_variant(store, one, whole) for one in store.head["variants"]]}


def _open_store(facts: Path) -> Store:
    from patolli.measure.lab.frame import open_run

    if not (facts / PLAN).is_file():
        raise StoreError(f"{facts} has no run yet")
    return open_run(facts)


def _variant(store: Store, variant: Data, whole: bool) -> Data:
    name = variant["name"]
    words = format_changes(variant["vary"]) or "unchanged"
    if not whole:
        return {"name": name, "words": words}
    shown = [one for one in measures(int(store.head["players"])).values() if one.name != "first player"][:SHOWN]
    matches, estimates = _estimate_run(store, name, shown)
    return {
        "name": name, "words": words, "matches": matches,
        "measures": [
            {"name": measure.name, "share": measure.share, "mean": one.mean, "half": one.half}
            for measure, one in zip(shown, estimates, strict=True)
            if one.count and math.isfinite(one.half)
        ],
    }  # fmt: skip


def _estimate_run(store: Store, name: str, shown: list[Measure]) -> tuple[int, list[Estimate]]:
    """Return the number of matches and the estimates; complete blocks are read once."""
    from patolli.measure.lab.tables import read_rows

    files, left = store.there(name)
    end = math.inf if store.end is None else store.end
    columns = sorted({"match", *(column for one in shown for column in one.columns)})
    sums = _sums.setdefault((str(store.folder), name), Sums(estimates=[Estimate() for _ in shown]))
    for path in files:
        first = int(path.stem)
        if first + BLOCK > end:  # the run ends in or before this block
            left += read_rows(path, columns)
        elif path.name not in sums.seen:
            sums.matches += _add(sums.estimates, shown, read_rows(path, columns))
            sums.seen.add(path.name)
    found = [Estimate(one.count, one.total, one.squares) for one in sums.estimates]
    return sums.matches + _add(found, shown, (row for row in left if row["match"] < end)), found


def _add(estimates: list[Estimate], shown: list[Measure], rows: Iterable[Any]) -> int:
    number = 0
    for row in rows:
        number += 1
        for measure, one in zip(shown, estimates, strict=True):
            one.add(measure.of(row))
    return number


# ---- the report, and its matches


@contextmanager
def _quiet(facts: Path, goes_on: bool) -> Iterator[Store]:
    """Open a run that does not change; copy an active one. Raises Refused: it has not started, or is missing."""
    try:
        if not goes_on:
            yield _open_store(facts)
            return
        with TemporaryDirectory() as place:
            copy = Path(place) / "run"
            shutil.copytree(facts, copy, ignore=shutil.ignore_patterns(BLOCKS, LINES))
            for form in (LINES, BLOCKS):  # this order misses no block, but one may come twice
                for path in facts.rglob(form):
                    with suppress(FileNotFoundError):
                        (copy / path.relative_to(facts)).parent.mkdir(parents=True, exist_ok=True)
                        shutil.copy(path, copy / path.relative_to(facts))
            for path in copy.rglob(BLOCKS):
                path.with_suffix(".jsonl").unlink(missing_ok=True)
            yield _open_store(copy)
    except (StoreError, OSError) as error:
        raise Refused(409, f"no report yet: {error}") from None


def report_data(facts: Path, variant: str | None = None, goes_on: bool = False) -> Data:
    """Return the report of ``patolli lab run`` in folder *facts*. Raises Refused: no matches yet, or unreadable."""
    from patolli.measure.lab.plaindata import replace_unknown
    from patolli.measure.lab.report import report

    with _quiet(facts, goes_on) as store:
        data: Data = replace_unknown(report(_run(store, variant, facts)))
        return data


def page_of(facts: Path, variant: str | None, goes_on: bool) -> str:
    """Return the report of a run as a page. Raises Refused: see :func:`report_data`, or no library for pictures."""
    from patolli.measure.lab.page import page
    from patolli.measure.lab.plots import pictures
    from patolli.measure.lab.report import report
    from patolli.measure.lab.tables import NoLibrary

    with _quiet(facts, goes_on) as store:
        run = _run(store, variant, facts)
        try:
            return page(report(run), pictures(run))
        except NoLibrary as error:
            raise Refused(409, str(error)) from None


def _run(store: Store, variant: str | None, facts: Path) -> Run:
    from patolli.measure.lab.content import Content
    from patolli.measure.lab.findings import Run
    from patolli.measure.lab.frame import Frame, chosen_variant

    name = chosen_variant(store, variant)
    frame = Frame(store, name)
    if not len(frame):
        raise StoreError("no match has ended yet")
    run = Run.of(frame, Content(_rules(store, name), int(store.head["players"])))
    store.folder = facts  # the report names the run, not its copy
    return run


def _rules(store: Store, variant: str) -> Ruleset:
    from patolli.measure.lab.content import variant_of
    from patolli.measure.lab.variant_modules import load_variant

    return load_variant(variant_of(store.head, variant), store.folder / "variants")


def match_of(facts: Path, variant: str | None, number: int, goes_on: bool) -> tuple[Match, Data]:
    """Replay a match of a run; return it with the setup for a table. Raises Refused: there is no such match."""
    from patolli.measure.lab.content import variant_of
    from patolli.measure.lab.frame import chosen_variant
    from patolli.measure.lab.replays import replay_match
    from patolli.measure.lab.variant_modules import load_variant

    with _quiet(facts, goes_on) as store:
        name = chosen_variant(store, variant)
        what = variant_of(store.head, name)
        home = facts / "variants"
        try:
            played, _ = replay_match(store, name, load_variant(what, home), number)
        except StoreError as error:
            raise Refused(404, str(error)) from None
    own = [str((home / f"lab_{name}").absolute())] if what.vary else []
    return played, {"pack": what.pack, "modules": [*what.modules, *own], "options": dict(what.options)}
