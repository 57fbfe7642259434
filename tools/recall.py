"""Measure what is found: plant single random mistakes in shipped content, and count what is said about them.

For each kind of mistake: how many the checker reports, how many at the very line, and how many as a single problem.
With ``--scenarios`` what it does not report is given to the scenarios of the pack, and a column says how many are found
by the one or the others: what a user sees who runs ``patolli validate`` and ``patolli test``. What neither finds is
listed with ``--missed``. What leaves the file as it was, such as blanks before its only entry, counts for nothing, and
what is no mistake, as ``no_mistakes`` says, has a column of its own. The unchanged content must have no finding at all.

    python tools/recall.py city_of_gods founders --each 40 --seed 1 --scenarios
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import likely_mistakes
from mistake_kinds import KINDS, File, Slip, read
from no_mistakes import why_no_mistake

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import inspect
from patolli.language.diagnostics import Problem
from patolli.language.packs.discovery import find_content_folder

SETS = {"likely": likely_mistakes.NAMES, "hand": tuple(name for name in KINDS if name not in likely_mistakes.NAMES)}
"""Kinds of mistakes in thinking, and slips of the hand."""


@dataclass(slots=True)
class Score:
    """What came of the mistakes of one kind."""

    planted: int = 0
    reported: int = 0
    placed: int = 0
    single: int = 0
    noticed: int = 0
    harmless: int = 0
    missed: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Count another score in."""
        for part in ("planted", "reported", "placed", "single", "noticed", "harmless"):
            setattr(self, part, getattr(self, part) + getattr(other, part))


def plant(file: File, slip: Slip, pack: Path) -> tuple[list[Problem], bool]:
    """Make a slip for a while; return what is found, and whether some of it stands at the line of the slip."""
    file.path.write_text(slip.made_in(file.text), "utf-8")
    try:
        found = inspect(str(pack)).problems
    finally:
        file.path.write_text(file.text, "utf-8")
    line = file.text.count("\n", 0, slip.start) + 1
    near = {line, line - 1, line + 1} if slip.new.endswith("\n") or "\n" in file.text[slip.start : slip.end] else {line}
    spans = [(problem.span, *(span for span, _ in problem.also)) for problem in found]
    return found, any(
        s.path == str(file.path) and near & set(range(s.line, s.end_line + 1)) for all_ in spans for s in all_
    )


def notice(file: File, slip: Slip, pack: Path) -> bool:
    """Return whether the scenarios of the pack, or a random match, fail while a slip is in it."""
    file.path.write_text(slip.made_in(file.text), "utf-8")
    try:
        result = run_scenarios(Plan((str(pack),)))
    finally:
        file.path.write_text(file.text, "utf-8")
    return not all(outcome.is_passed for outcome in (*result.smoke, *result.outcomes))


def measure(
    name: str, each: int, seed: int, kinds: list[str] | None = None, scenarios: bool = False
) -> Iterator[tuple[str, Score]]:
    """Yield the score of each kind of mistake in a shipped pack.

    Raises:
        ValueError: There is a finding in the pack as it is.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PATOLLI_PATH"] = folder  # the pack is found by its id, as where it is shipped
        pack = Path(shutil.copytree(find_content_folder() / name, Path(folder) / name))
        findings = inspect(str(pack)).problems
        if findings:
            raise ValueError(f"{name} is not clean: {findings[0].message}")
        paths = [path for path in sorted(pack.rglob("*.yaml")) if "scenarios" not in path.parts]
        files = [read(path) for path in paths]
        for what in kinds or KINDS:
            draw, score = Random(f"{seed} {name} {what}"), Score()
            for _ in range(20 * each):
                if score.planted + score.harmless == each:
                    break
                file = draw.choices(files, [len(file.text) for file in files])[0]
                slip = KINDS[what](file, draw)
                if slip is None or file.means_the_same(slip):
                    continue
                path = file.path.relative_to(pack).as_posix()
                if why := why_no_mistake(name, path, file.text, slip.made_in(file.text)):
                    score.harmless += 1
                    score.reasons.append(f"{_described(file, slip, pack)} => {why}")
                    continue
                found, placed = plant(file, slip, pack)
                score.planted += 1
                score.reported += bool(found)
                score.placed += placed
                score.single += len({(problem.code, problem.message) for problem in found}) == 1
                if not found and scenarios and notice(file, slip, pack):
                    score.noticed += 1
                elif not found:
                    score.missed.append(_described(file, slip, pack))
                elif not placed or len(found) > 3:
                    said = "; ".join(f"{p.code} {Path(p.span.path).name}:{p.span.line} {p.message}" for p in found[:3])
                    score.missed.append(f"({len(found)}) {_described(file, slip, pack)} => {said}")
            yield what, score


def _described(file: File, slip: Slip, pack: Path) -> str:
    line = file.text.count("\n", 0, slip.start) + 1
    start = file.text.rfind("\n", 0, slip.start) + 1
    words = file.text[start : file.text.find("\n", slip.start)].strip()
    return (
        f"{file.path.relative_to(pack)}:{line}: {file.text[slip.start : slip.end]!r} -> {slip.new!r} in: {words[:100]}"
    )


def main() -> int:
    """Print a table of each pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--each", type=int, default=40, help="mistakes of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--set", choices=list(SETS), help="only mistakes in thinking, or slips of the hand")
    parser.add_argument("--scenarios", action="store_true", help="let the scenarios look at what is not reported")
    parser.add_argument("--missed", action="store_true", help="list what was not reported, or elsewhere")
    given = parser.parse_args()
    kinds = given.kind or list(SETS.get(given.set, KINDS))
    whole = {what: Score() for what in kinds}
    for name in given.packs:
        print(f"{name}, {given.each} of each kind, seed {given.seed}\n\n{_HEAD}")
        total, scores = Score(), []
        for what, score in measure(name, given.each, given.seed, kinds, given.scenarios):
            print(_row(what, score, given.scenarios), flush=True)
            scores.append((what, score))
            total.add(score)
            whole[what].add(score)
        print(_row("all", total, given.scenarios) + "\n")
        for what, score in scores:
            print(*(f"no mistake, {what}: {words}\n" for words in score.reasons), sep="", end="")
            print(*(f"{what}: {words}\n" for words in score.missed if given.missed), sep="", end="")
    if len(given.packs) > 1:
        total = Score()
        print(f"\nall packs, {given.each} of each kind, seed {given.seed}\n\n{_HEAD}")
        for what, score in whole.items():
            print(_row(what, score, given.scenarios))
            total.add(score)
        print(_row("all", total, given.scenarios))
    return 0


_HEAD = """\
| mistake | planted | by the checker | with scenarios | at its line | one problem | no mistake |
| --- | --- | --- | --- | --- | --- | --- |"""


def _row(what: str, score: Score, scenarios: bool) -> str:
    counted = (score.reported, score.reported + score.noticed, score.placed, score.single)
    parts = [f"{part} ({part / max(1, score.planted):.0%})" for part in counted]
    if not scenarios:
        parts[1] = "-"
    return f"| {what} | {score.planted} | {' | '.join(parts)} | {score.harmless} |"


if __name__ == "__main__":
    sys.exit(main())
