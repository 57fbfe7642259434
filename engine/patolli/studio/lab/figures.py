"""What runs of the lab have shown so far, and their matches.

All of it is read by the functions of :mod:`patolli.lab`. Whoever asks for single matches reads a copy of a run that
goes on, in which no block is made a file meanwhile. Of the blocks that are whole only the sums are kept here, so that
a run of many matches is not read again whenever somebody looks.
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

from patolli.lab.measures import Estimate, Measure, measures
from patolli.lab.plans import changed
from patolli.lab.store import Store, StoreError
from patolli.lab.tables import BLOCK
from patolli.studio.lab.runs import Data, said_by, state_of, wanted_of
from patolli.studio.refusals import Refused

if TYPE_CHECKING:
    from patolli.lab.findings import Run
    from patolli.runtime import Match, Ruleset

SHOWN = 8
"""Measures of which a page shows the intervals."""
PLAN, LINES, BLOCKS = "plan.json", "*.jsonl", "*.parquet"


@dataclass(slots=True)
class Sums:
    """What the blocks of a variant say that are whole and were read."""

    seen: set[str] = field(default_factory=set)
    matches: int = 0
    estimates: list[Estimate] = field(default_factory=list)


_sums: dict[tuple[str, str], Sums] = {}


# ---- how a run is


def told(folder: Path, whole: bool = False) -> Data:
    """Return how a run is and what it has shown so far; its intervals where the *whole* is wanted."""
    wanted = wanted_of(folder)
    data: Data = {
        "id": folder.name, "state": state_of(folder), "made": wanted.get("made"),
        **{key: wanted.get(key) for key in ("pack", "modules", "options", "vary", "players", "bots", "games", "until")},
    }  # fmt: skip
    if data["state"] == "failed":
        data["said"] = said_by(folder)
    facts = folder / "facts"
    try:
        store = _opened(facts)
    except (StoreError, OSError):  # it has not begun to play
        return {**data, "variants": []}
    return {**data, "variants": [_variant(store, one, whole) for one in store.head["variants"]]}


def _opened(facts: Path) -> Store:
    from patolli.lab.frame import opened

    if not (facts / PLAN).is_file():
        raise StoreError(f"{facts} has no run yet")
    return opened(facts)


def _variant(store: Store, variant: Data, whole: bool) -> Data:
    name = variant["name"]
    words = changed(variant["vary"]) or "unchanged"
    if not whole:
        return {"name": name, "words": words}
    shown = [one for one in measures(int(store.head["players"])).values() if one.name != "first player"][:SHOWN]
    matches, estimates = _estimated(store, name, shown)
    return {
        "name": name, "words": words, "matches": matches,
        "measures": [
            {"name": measure.name, "share": measure.share, "mean": one.mean, "half": one.half}
            for measure, one in zip(shown, estimates, strict=True)
            if one.count and math.isfinite(one.half)
        ],
    }  # fmt: skip


def _estimated(store: Store, name: str, shown: list[Measure]) -> tuple[int, list[Estimate]]:
    """Return how many matches there are, and what they say; whole blocks are read once."""
    from patolli.lab.tables import read_rows

    files, left = store.there(name)
    end = math.inf if store.end is None else store.end
    columns = sorted({"match", *(column for one in shown for column in one.columns)})
    sums = _sums.setdefault((str(store.folder), name), Sums(estimates=[Estimate() for _ in shown]))
    for path in files:
        first = int(path.stem)
        if first + BLOCK > end:  # the run ends in it, or before
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
    """Open a run that nobody writes to: where it goes on, a copy of it as it is now.

    Raises:
        Refused: It has not begun, or there is none.
    """
    try:
        if not goes_on:
            yield _opened(facts)
            return
        with TemporaryDirectory() as place:
            copy = Path(place) / "run"
            shutil.copytree(facts, copy, ignore=shutil.ignore_patterns(BLOCKS, LINES))
            for form in (LINES, BLOCKS):  # in this order no block is missed; one may come twice
                for path in facts.rglob(form):
                    with suppress(FileNotFoundError):
                        (copy / path.relative_to(facts)).parent.mkdir(parents=True, exist_ok=True)
                        shutil.copy(path, copy / path.relative_to(facts))
            for path in copy.rglob(BLOCKS):
                path.with_suffix(".jsonl").unlink(missing_ok=True)
            yield _opened(copy)
    except (StoreError, OSError) as error:
        raise Refused(409, f"no report yet: {error}") from None


def reported(facts: Path, variant: str | None = None, goes_on: bool = False) -> Data:
    """Return what the report of a run says, as data; *facts* is what ``patolli lab run`` keeps.

    Raises:
        Refused: Nothing was played yet, or the run cannot be read.
    """
    from patolli.lab.report import report

    with _quiet(facts, goes_on) as store:
        data: Data = _finite(report(_run(store, variant, facts)))
        return data


def _finite(data: Any) -> Any:
    """Return data with nothing in the place of numbers that JSON does not know: an interval may have no end."""
    if isinstance(data, dict):
        return {key: _finite(one) for key, one in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(one) for one in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def page_of(facts: Path, variant: str | None, goes_on: bool) -> str:
    """Return the report of a run as a page.

    Raises:
        Refused: As of :func:`reported`, or what draws its pictures is missing.
    """
    from patolli.lab.page import page
    from patolli.lab.plots import pictures
    from patolli.lab.report import report
    from patolli.lab.tables import NoLibrary

    with _quiet(facts, goes_on) as store:
        run = _run(store, variant, facts)
        try:
            return page(report(run), pictures(run))
        except NoLibrary as error:
            raise Refused(409, str(error)) from None


def _run(store: Store, variant: str | None, facts: Path) -> Run:
    from patolli.lab.content import Content
    from patolli.lab.findings import Run
    from patolli.lab.frame import Frame, chosen_variant

    name = chosen_variant(store, variant)
    frame = Frame(store, name)
    if not len(frame):
        raise StoreError("no match has ended yet")
    run = Run.of(frame, Content(_rules(store, name), int(store.head["players"])))
    store.folder = facts  # what is told of it names the run, and not its copy
    return run


def _rules(store: Store, variant: str) -> Ruleset:
    from patolli.lab.content import variant_of
    from patolli.lab.varying import loaded

    return loaded(variant_of(store.head, variant), store.folder / "variants")


def match_of(facts: Path, variant: str | None, number: int, goes_on: bool) -> tuple[Match, Data]:
    """Play a match of a run again; return it with what a table needs to know to go on with it.

    Raises:
        Refused: There is none.
    """
    from patolli.lab.again import again
    from patolli.lab.content import variant_of
    from patolli.lab.frame import chosen_variant
    from patolli.lab.varying import loaded

    with _quiet(facts, goes_on) as store:
        name = chosen_variant(store, variant)
        what = variant_of(store.head, name)
        home = facts / "variants"
        try:
            played, _ = again(store, name, loaded(what, home), number)
        except StoreError as error:
            raise Refused(404, str(error)) from None
    own = [str((home / f"lab_{name}").absolute())] if what.vary else []
    return played, {"pack": what.pack, "modules": [*what.modules, *own], "options": dict(what.options)}
