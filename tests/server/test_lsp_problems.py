"""The language server reports problems while an author types: in packs, modules and scenarios."""

from __future__ import annotations

import time

import pytest
from lspclient import MODULE
from server.opened import LINE, power, rising, shown
from tiers import few

# ---- problems


def test_opened_file_is_without_problems(editor):
    assert editor.told[power(editor)] == []


@pytest.mark.parametrize(
    ("old", "new", "expected", "words"),
    few(
        [
            pytest.param(
                "power_here(space)\n      if",
                "power_hree(space)\n      if",
                ("P0201", 8, 7, 17),
                "did you mean 'power_here'?",
                id="misspelt rule",
            ),
            pytest.param(
                LINE,
                "set w.power to min(6, w.power +)",
                ("P0101", 30, 38, 39),
                "a value is missing",
                id="syntax of an effect",
            ),
            pytest.param(
                "    text: One of my unlocked workers on",
                "    txt: One of my",
                ("P0050", 12, 5, 8),
                "text",
                id="key",
            ),
            pytest.param(
                "text: One of my unlocked workers on",
                "text: One: of",
                ("P0031", 12, 14, 15),
                "quotes",
                id="syntax of YAML",
            ),
        ],
        0,
    ),
)
def test_mistake_is_reported_while_typing(editor, old, new, expected, words):
    path = power(editor)

    problems = editor.type(path, old, new)

    assert shown(problems) == [expected]
    assert words in problems[0].message


@pytest.mark.deep
def test_comment_allows_a_finding_while_typing(editor):
    path = power(editor)
    rule = "  power_here(space):"

    assert shown(editor.type(path, rule, "  nap: nothing\n" + rule))[0][0] == "P0430"
    assert editor.type(path, "  nap: nothing", "  nap: nothing  # patolli: allow P0430 it comes next week") == []
    assert shown(editor.type(path, "  nap: nothing  #", "  #"))[0][0] == "P0702"


def test_mended_file_is_without_problems(editor):
    path = power(editor)
    editor.type(path, LINE, "set w.powr to min(6, w.power + 1)")

    assert editor.type(path, "set w.powr", "set w.power") == []


@pytest.mark.deep
def test_time_from_an_edit_to_its_problems(editor, record_property):
    """Nothing is claimed of the time, which hangs on the machine; the figures stand below the tests."""
    path = power(editor)
    edits = [("+ 1", "+ 2"), ("+ 2", "+ two"), ("+ two", "+ 1")]
    took = []
    for old, new in edits * 4:
        start = time.perf_counter()
        problems = editor.type(path, f"min(6, w.power {old})", f"min(6, w.power {new})")
        took.append(1000 * (time.perf_counter() - start))
        assert bool(problems) == (new == "+ two")
    middle, worst = sorted(took)[len(took) // 2], max(took)
    record_property("figure", f"language server, edit to problems: {middle:.0f} ms (median), {worst:.0f} ms (worst)")


def test_columns_count_in_units_of_the_protocol(editor):
    """A letter beyond the basic plane is one column for us and two for the editor."""
    path = power(editor)

    problems = editor.type(path, 'may "power up again": power_here', 'may "🎲": power_hree')

    start = 'may "🎲": '
    assert problems[0].range.start.character == len("        ") + len(start) + 1


def test_problem_in_another_file_is_reported_there(editor):
    path = power(editor)
    model = editor.folder / "city_of_gods/model.yaml"

    editor.type(path, "power_up(worker w):", "power_up_once(worker w):")

    assert {str(p.code) for p in editor.told[path]} == {"P0201"}
    assert model not in editor.told or editor.told[model] == []


@pytest.mark.deep
def test_problem_of_a_module_is_found_with_what_it_requires(editor):
    path = editor.open(f"{MODULE}/changes.yaml")
    assert editor.told[path] == []
    target = next(line for line in editor.texts[path].splitlines() if "rules/" in line or "constants/" in line)

    problems = editor.type(path, target, target + "x")

    assert [str(p.code) for p in problems] == ["P0121"]


# ---- problems in scenarios


@pytest.mark.parametrize(
    ("old", "new", "expected", "words"),
    few(
        [
            pytest.param("set die_4.power to 3", "set die_4.powr to 3", ("P0201", 48, 95, 99), "'power'", id="field"),
            pytest.param(
                "text: At the dark disc",
                "with: [first_gam]\n    text: At the dark disc",
                ("P0613", 69, 12, 21),
                "'first_game'",
                id="module",
            ),
        ],
        0,
    ),
)
def test_mistake_in_a_scenario_is_reported_while_typing(editor, old, new, expected, words):
    path = rising(editor)
    assert editor.told[path] == []

    problems = editor.type(path, old, new)

    assert shown(problems) == [expected]
    assert f"did you mean {words}?" in problems[0].message
    assert editor.type(path, new, old) == []


@pytest.mark.deep
def test_scenarios_follow_a_rule_that_gets_another_name(editor):
    """The file of the rule is answered first, and the files of scenarios that name it follow by themselves."""
    path, scenarios = power(editor), rising(editor)
    before = editor.texts[path]
    editor.told.pop(scenarios)

    assert editor.type(path, before, before.replace("power_up(", "strengthen(")) == []
    problems = editor.follow(scenarios)

    assert {str(p.code) for p in problems} == {"P0201"}
    assert len(problems) == editor.texts[scenarios].count("power_up(")
    editor.told.pop(scenarios)
    editor.type(path, editor.texts[path], before)
    assert editor.follow(scenarios) == []


@pytest.mark.deep
def test_scenarios_of_a_module_are_checked_with_what_they_ask_for(editor):
    path = editor.open(f"{MODULE}/scenarios/tiles.yaml")
    assert editor.told[path] == []

    problems = editor.type(path, "royals(palace_left):", "royals(palace_lft):")

    assert [str(p.code) for p in problems] == ["P0201"]


# ---- speed


@pytest.mark.deep
def test_speed_of_checking_after_an_edit(editor, capsys):
    """Reported, not asserted: from a change to its problems, in the largest pack."""
    path = power(editor)
    times = []
    old, new = "w.power + 1", "w.power + one"
    for _ in range(6):
        start = time.perf_counter()
        editor.type(path, old, new)
        old, new = new, old
        times.append(1000 * (time.perf_counter() - start))
    with capsys.disabled():
        print(f"\n  didChange to publishDiagnostics: {', '.join(f'{ms:.0f}' for ms in times)} ms")
    assert len(times) == 6
