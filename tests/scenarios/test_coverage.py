"""What counts as covered, on the pack that has every feature of the language."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.coverage.measure import report_coverage
from patolli.author.scenarios.coverage.pages import Page
from patolli.author.scenarios.coverage.plugin import RulesFile

LAB = Path(__file__).resolve().parent.parent / "data" / "lab"


@pytest.fixture
def measure(tmp_path):
    """Run scenarios of the lab; return what was missed, as texts of lines and ways."""

    def go(scenarios: str) -> list[tuple[str, str]]:
        folder = tmp_path / "lab"
        shutil.copytree(LAB, folder, dirs_exist_ok=True)
        (folder / "scenarios.yaml").write_text(f"document: scenarios\nscenarios:\n{scenarios}", encoding="utf-8")
        result = run_scenarios(Plan((str(folder),), coverage=True))
        assert (result.failed_outcomes, result.problems) == ([], [])
        report = report_coverage(result.marks)
        lines = {path: Path(path).read_text(encoding="utf-8").splitlines() for path, _, _ in report.missed}
        return [(lines[path][line - 1].strip(), way) for path, line, way in report.missed]

    return go


def test_lines_of_a_rule(measure):
    missed = measure(
        "  it:\n    given: set nut to 1\n    call: trade()\n    choose: [sun, seed, seed]\n    then: {nut: 0}\n"
    )

    assert not any(line in ("pay 1 nut", "gain 1 pips(w)", "gain 1 g") for line, _ in missed)
    assert ("shuffle deck", "") in missed


def test_both_ways_of_an_if(measure):
    text = (
        "  {0}:\n    given: set meeple_1.power to {1}\n    call: walk()\n    choose: [0]\n"
        "    then: [meeple_1.power >= 1]\n"
    )
    missed = measure(text.format("one", 1))
    line = "if m.power == 6: crown(m)"

    assert (line, "the condition was never true") in missed
    assert (line, "the condition was never false") not in missed
    assert (line, "") in missed, "one of two effects on the line was not carried out"

    missed = measure(text.format("one", 1) + text.format("two", 6))

    assert [found for found in missed if found[0] == line] == []


def test_options_of_a_menu(measure):
    given = "    given: move player_2.meeple_1 to throne\n"
    missed = measure(
        f"  it:\n{given}    call: crown(meeple_1)\n    choose: [{{player_2: coin}}]\n    then: {{coin(player_2): 2}}\n"
    )
    ways = [way for line, way in missed if line == "as old.owner: choose one:"]

    (way,) = ways
    assert way.startswith("the option 'point' on line")


def test_tests_of_what_is_possible_do_not_count(measure):
    missed = measure("  it: {then: [can(buy(plain_1))]}\n")

    assert ("pay card.price as purchase", "") in missed


def test_effects_of_pieces_and_triggers(measure):
    missed = measure(
        "  it:\n    given: |\n      move watcher_1 to hand(me); move plain_1 to hand(me)\n"
        '    call: do plain_1.effect; buy(plain_2)\n    choose: ["no"]\n    then: {point: 1}\n'
    )

    assert not any(line.startswith("plain:") for line, _ in missed)
    assert not any(line == "do: gain 1 point" for line, _ in missed)
    assert any(line.startswith("guarded:") for line, _ in missed)


def test_functions_count_when_they_are_evaluated(measure):
    missed = measure("  it: {then: {factorial(3): 6}}\n")
    names = [line.partition("(")[0] for line, way in missed if not way]

    assert [name for name in ("factorial", "mine") if name in names] == ["mine"]


PROSE = """document: rules
rules:
  turn():
    text: Choose one, then move it.
    source: rulebook, page 2 # let it be
    do: |
      choose c in card "Move which?"
      set x to 1
functions:
  far(card): {is: c.rank > 3, text: Move if far., source: "for 2, 3"}
  near(card):
    is: not far(c)
    text: >-
      If it is near,
      let it stay.
"""


def test_what_is_written_for_people_is_not_coloured_as_code(tmp_path):
    file = tmp_path / "rules.yaml"
    file.write_text(PROSE, "utf-8")

    lines = list(RulesFile(Page(str(file))).source_token_lines())

    assert ["".join(word for _, word in line) for line in lines] == PROSE.splitlines()
    prose = [[word for kind, word in line if kind == "txt"] for line in lines]
    assert [words for words in prose if words] == [
        ["Choose one, then move it."], ["rulebook, page 2"], ["Move if far.", '"for 2, 3"'],
        [">-"], ["      If it is near,"], ["      let it stay."],
    ]  # fmt: skip
    keys = [word for line in lines for kind, word in line if kind == "key"]
    assert keys == ["do", "choose", "set"]


def test_branches_of_coverage_py_are_the_ways(tmp_path):
    folder = tmp_path / "lab"
    shutil.copytree(LAB, folder)
    (folder / "scenarios.yaml").write_text("document: scenarios\nscenarios:\n  it: {call: roll(), then: {coin: 1}}\n")
    result = run_scenarios(Plan((str(folder),), coverage=True))

    report = report_coverage(result.marks)

    total = next(line for line in report.table.splitlines() if line.startswith("TOTAL")).split()
    assert [int(number) for number in total[1:4]] == [
        report.totals.lines,
        report.totals.missed,
        report.totals.branches,
    ]


@pytest.mark.parametrize(("where", "name"), [("", "./lab"), ("lab", "."), ("lab", "../lab"), ("lab", "")])
def test_relative_path(tmp_path, monkeypatch, where, name):
    shutil.copytree(LAB, tmp_path / "lab")
    (tmp_path / "lab" / "scenarios.yaml").write_text(
        "document: scenarios\nscenarios:\n  it: {call: roll(), then: {coin: 1}}\n"
    )
    monkeypatch.chdir(tmp_path / where)

    result = run_scenarios(Plan((name,), coverage=True))

    assert "rules.yaml" in report_coverage(result.marks).table


def test_a_relation_counts_where_a_search_follows_it(tmp_path):
    """Whether it became part of the search or not."""
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: small\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Small\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text(
        "document: model\ngrids:\n  cell: {rows: 2, columns: 2, fields: {mark: bool = false}}\n"
    )
    (tmp_path / "rules.yaml").write_text(
        "document: rules\nfunctions:\n"
        '  alike(cell c): "[d in adjacent(c) where d.mark == c.mark]"\n'
        '  near(cell c): "adjacent(c) if c.mark else around(c)"\n'
        "  group(cell c): reachable(c, alike)\n  way(cell c): path(c, a1, near)\n"
        'rules:\n  match: "for c in group(a1): set c.mark to true"\n  other: "for c in way(b2): set c.mark to true"\n'
        "result: {score: count(c in cell where c.mark)}\n"
    )
    scenarios = "document: scenarios\nscenarios:\n  one: {call: match(), then: {a1.mark: true}}\n"
    (tmp_path / "scenarios.yaml").write_text(scenarios)

    def missed() -> set[int]:
        result = run_scenarios(Plan((str(tmp_path),), coverage=True))
        assert (result.failed_outcomes, result.problems) == ([], [])
        return {line for _, line, _ in report_coverage(result.marks).missed}

    assert missed() == {4, 6, 9}
    (tmp_path / "scenarios.yaml").write_text(f"{scenarios}  two: {{call: other(), then: {{a1.mark: true}}}}\n")
    assert missed() == set()


def test_nothing_is_left_open(measure, monkeypatch):
    """Newer CPythons warn of what is left open."""
    opened = []

    def connect(*args, **kwargs):
        opened.append(sqlite3.connect(*args, **kwargs))
        return opened[-1]

    monkeypatch.setattr("coverage.sqlitedb.sqlite3", SimpleNamespace(**{**vars(sqlite3), "connect": connect}))
    measure("  it:\n    given: set nut to 1\n    call: trade()\n    choose: [sun, seed, seed]\n    then: {nut: 0}\n")

    assert opened
    for base in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            base.execute("select 1")
