"""Every scenario of every shipped pack passes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.coverage.measure import report_coverage
from patolli.author.scenarios.scenario_report import failure_text
from patolli.author.workspace.proven import Proven
from patolli.language.packs.discovery import find_content_folder, list_bundled

MODULES = (
    "solo", "bot_movement", "obsidian", "mansion", "altars", "empire", "increased_workforce", "first_game",
    "founders", "founders_solo",
)  # fmt: skip
"""Packs whose pieces and options all occur in a scenario; those of another box in the stand-in for it."""
OTHER_BOX = Path(__file__).parents[1] / "data" / "boxes" / "late"
TESTED = [id_ for id_, folder in list_bundled().items() if any((folder / "scenarios").glob("*.yaml"))]
LITTLE = frozenset(id_ for id_, folder in list_bundled().items() if folder.parent.name == "gallery")


SEARCHED = 5_000
"""How many choices of random matches are searched in each pack; the command makes 200,000."""
QUICK = [id_ for id_ in TESTED if id_ not in MODULES or id_ in ("first_game", "founders")]
"""The games, and a few modules: of each set of modules that a scenario asks for, the rules are compiled again."""


@pytest.mark.parametrize("pack", QUICK)
def test_scenarios_pass(pack, monkeypatch):
    monkeypatch.setattr(Proven, "is_proven", lambda self: True)  # as each module is in other tests
    assert outcomes_of(pack, Plan((), search=0)).smoke


@pytest.mark.deep
@pytest.mark.parametrize("pack", TESTED)
def test_scenarios_reach_the_rules(pack, monkeypatch):
    monkeypatch.setattr(Proven, "is_proven", lambda self: True)
    smoke = pack not in QUICK  # the matches of the others are played above
    result = outcomes_of(pack, Plan((), coverage=True, search=SEARCHED, smoke=smoke))
    assert bool(result.smoke) == smoke

    assert all(search.choices >= SEARCHED for search in result.searches)
    assert result.marks is not None
    totals = report_coverage(result.marks).totals
    small = pack in LITTLE  # in a game of a few rules one test of what cannot happen is many in a hundred
    assert (totals.missed, totals.branch_rate >= (0.8 if small else 0.95)) == (0, True)


def outcomes_of(pack, plan):
    """Run the scenarios of a pack, which all pass."""
    result = run_scenarios(replace(plan, packs=(str(list_bundled()[pack]),)))

    assert result.problems == []
    assert not result.failed_outcomes, "\n".join(failure_text(outcome) for outcome in result.failed_outcomes)
    assert len(result.outcomes) >= {"city_of_gods": 250, "founders": 120}.get(pack, 1)
    return result


@pytest.mark.parametrize("module", MODULES)
def test_every_piece_and_option_is_in_a_scenario(module):
    folder = find_content_folder() / module
    documents = [YAML(typ="safe").load(file.read_text("utf-8")) for file in sorted(folder.rglob("*.yaml"))]
    declared = [id_ for d in documents if d["document"] == "pieces" for id_ in d["pieces"]]
    declared += [id_ for d in documents if d["document"] == "pack" for id_ in d.get("options", ())]
    scenarios = [*(folder / "scenarios").glob("*.yaml"), *(OTHER_BOX / "scenarios").glob("*.yaml")]
    told = "".join(file.read_text("utf-8") for file in scenarios)

    assert declared
    assert [id_ for id_ in declared if not re.search(rf"\b{id_}(_\d+)?\b", told)] == []
