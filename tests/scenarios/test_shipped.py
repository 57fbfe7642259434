"""Every scenario of every shipped pack passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.packs.discovery import shipped
from patolli.scenarios import Plan, run_scenarios
from patolli.scenarios.reporting import failure_text

TESTED = sorted(folder.name for folder in shipped().iterdir() if any((folder / "scenarios").glob("*.yaml")))
SMALL = ("tic_tac_toe", "connect_four", "breakthrough", "patolli")


@pytest.mark.parametrize("pack", TESTED)
def test_scenarios_pass(pack):
    result = run_scenarios(Plan((str(Path(shipped()) / pack),)))

    assert result.problems == []
    assert not result.failed, "\n".join(failure_text(outcome) for outcome in result.failed)


@pytest.mark.parametrize("pack", SMALL)
def test_small_packs_are_covered(pack):
    from patolli.scenarios.coverage.measure import report_coverage

    report = report_coverage(run_scenarios(Plan((pack,), coverage=True)).marks)

    assert report.missed == []


def test_city_is_covered():
    from patolli.scenarios.coverage.measure import report_coverage

    result = run_scenarios(Plan(("city_of_gods",), coverage=True))
    totals = report_coverage(result.marks).totals

    assert len(result.outcomes) >= 250
    assert totals.line_rate == 1.0
    assert totals.branch_rate >= 0.95
