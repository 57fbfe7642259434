"""Every scenario of every shipped pack passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.packs.discovery import shipped
from patolli.scenarios import Plan, run_scenarios
from patolli.scenarios.coverage.measure import report_coverage
from patolli.scenarios.reporting import failure_text

COVERED = ("tic_tac_toe", "connect_four", "breakthrough", "patolli", "city_of_gods")
TESTED = sorted(folder.name for folder in shipped().iterdir() if any((folder / "scenarios").glob("*.yaml")))


@pytest.mark.parametrize("pack", TESTED)
def test_scenarios_pass(pack):
    result = run_scenarios(Plan((str(Path(shipped()) / pack),), coverage=pack in COVERED))

    assert result.problems == []
    assert not result.failed, "\n".join(failure_text(outcome) for outcome in result.failed)
    if result.marks is not None:
        totals = report_coverage(result.marks).totals
        assert (totals.missed, totals.branch_rate >= 0.95) == (0, True)
    if pack == "city_of_gods":
        assert len(result.outcomes) >= 250
