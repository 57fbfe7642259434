"""The tool that weakens the checker: what it changes, and that its judge tells the noticed from the unnoticed."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from mutants import declared, sources
from mutants.equivalents import EQUIVALENT
from mutants.reaching import Reach, Watch

from patolli.check.proofs import intervals
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.node import DECLARED, nothing

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[1]


@cache
def weaken_declarations():
    return list(declared.mutants())


@cache
def weaken_sources():
    return list(sources.mutants())


def changes(owner: str) -> list[str]:
    return [mutant.change for mutant in weaken_declarations() if mutant.owner == owner]


def test_every_entry_of_a_declaration_is_weakened():
    assert changes("Shuffle") == [
        "reads no 'pieces'", "writes no 'chance'", "writes no 'pieces'", "never draws", "nothing stands in 'place'",
    ]  # fmt: skip
    assert "writes only the first 'counter'" in changes("Gain")
    assert {"never asks", "runs nothing", "reads no 'purse'", "writes no 'paying'"} <= set(changes("Pay"))
    assert {"never leaves", "writes no 'over'"} <= set(changes("EndMatch"))
    assert "no fault 'division'" in changes("Arithmetic")


def test_no_kind_is_left_out(subtests):
    for kind in DECLARED:
        with subtests.test(kind.__name__):
            entries = DECLARED[kind]
            found = changes(kind.__name__)

            assert any(change.startswith("reads") for change in found) == (entries.reads is not nothing)
            assert any(change.startswith("writes") for change in found) == (entries.writes is not nothing)
            assert ("never asks" in found) == (entries.asks != "never")
            assert ("never leaves" in found) == (entries.leaves != "never")
            assert ("never draws" in found, "runs nothing" in found) == (entries.draws, entries.runs)
            assert sum("no fault" in change for change in found) == len(entries.faults)


def test_every_built_in_function_is_weakened():
    assert {mutant.owner for mutant in weaken_declarations()} >= BUILTINS.keys()


@pytest.mark.parametrize("module", sources.MODULES)
def test_modules_are_changed_all_over(module):
    name = f"{module.rpartition('.')[2]}.py"
    lines = {int(mutant.place.partition(":")[2]) for mutant in weaken_sources() if mutant.place.startswith(f"{name}:")}
    total = len((ROOT / "engine" / module.replace(".", "/")).with_suffix(".py").read_text().splitlines())

    assert len(lines) > total / 8
    assert max(lines) > total * 0.9


def test_mutants_are_distinguished():
    keys = [mutant.key for mutant in (*weaken_declarations(), *weaken_sources())]

    assert len(keys) == len(set(keys))


def test_mutants_that_count_as_equivalent_are_there():
    assert set(EQUIVALENT) <= {mutant.key for mutant in (*weaken_declarations(), *weaken_sources())}


def test_mutants_stand_in_lines_that_are_run():
    placed = [mutant for mutant in weaken_sources() if mutant.spot is not None]

    assert all(one.spot.first <= int(one.place.partition(":")[2]) <= one.spot.last for one in placed)
    tables = {one.owner for one in weaken_sources() if one.spot is None}  # computed before any test begins
    assert "ROUNDS" in tables
    assert not tables & {one.owner for one in placed}


def test_tests_that_run_a_place_are_known():
    file = intervals.__file__
    watch, mutant = Watch([file]), next(one for one in weaken_sources() if one.owner == "Interval.join")
    with watch.during("a.py::joins"):
        intervals.Interval(1, 2).join(intervals.Interval(4, 5))
    with watch.during("a.py::does_not"):
        intervals.Interval(1, 2).meet(intervals.Interval(1, 5))
    with watch.during("b.py::does_not"):
        pass
    reach = Reach().refreshed([mutant])
    reach.add(["a.py::joins"], watch.lines())
    reach.add(["a.py::does_not", "b.py::does_not"], watch.lines())

    assert reach.of(mutant.spot) == (["a.py::joins"], ["a.py::does_not"])
    again = Reach.from_data(json.loads(json.dumps(reach.data())))
    assert again == reach
    assert again.refreshed([mutant]) is again
    again.texts[file] = "as it was"
    assert not again.refreshed([mutant]).tests


@pytest.mark.parametrize(
    ("only", "test", "noticed", "more"),
    [
        ("Move: writes no 'pieces'", "program/test_declarations.py::test_summary_is_what_happens[move]", True, []),
        ("Move: writes no 'pieces'", "program/test_declarations.py", False, ["--within", "0"]),
        ("Interval.join: other.low is None", "proofs/test_intervals.py", True, []),
        ("ROUNDS: 6  ->  7", "proofs/test_intervals.py", False, []),
    ],
)
def test_judge(tmp_path, only, test, noticed, more):
    command = [
        sys.executable,
        "tools/mutants",
        "--only",
        only,
        "--memory",
        str(tmp_path / "m"),
        "--tests",
        f"tests/{test}",
        *more,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == (0 if noticed else 1), done.stdout + done.stderr
    assert ("noticed by" if noticed else "SURVIVES") in done.stdout
