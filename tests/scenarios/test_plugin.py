"""The plugin for pytest: one item per scenario, and a failure that shows the difference."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

pytest_plugins = ["pytester"]

SCENARIOS = """\
scenarios:
  good: {call: gain 1 coin, then: {coin: 1}}
  bad:
    text: A coin is a coin.
    call: gain 1 coin
    then:
      coin: 2
"""


ALONE = ("--disable-plugin-autoload", "-p", "patolli.author.scenarios.pytest_plugin")
"""Without other plugins, for which pytest would compile modules again."""
INSTALLED = any(entry.name == "patolli" for entry in entry_points(group="pytest11"))


def start(pytester, folder, plugins=ALONE):
    return pytester.runpytest_inprocess(*plugins, "-p", "no:cacheprovider", str(folder))


def test_one_item_per_scenario(pytester, market):
    folder = market(SCENARIOS).parent

    result = start(pytester, folder, () if INSTALLED else ALONE)

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "market::bad: A coin is a coin.",
            "*scenarios.yaml:8:13: error?P0602?: expected coin to be 2, found 1",
            "*8 |       coin: 2",
            "what happened:",
            "*Player 1 gains 1 coin",
        ]
    )


def test_other_yaml_files_are_left_alone(pytester, tmp_path, market):
    folder = market(SCENARIOS.replace("coin: 2", "coin: 1")).parent
    (folder.parent / "loose.yaml").write_text("document: scenarios\nscenarios: {}\n")
    (folder.parent / "other.yaml").write_text("a: [1, 2]\n")
    (folder.parent / "late.yaml").write_text("# document: scenarios\nkind: other\n")

    start(pytester, folder.parent).assert_outcomes(passed=2)


def test_comments_may_come_first(pytester, market):
    file = market("scenarios:\n  good: {then: {coin: 0}}\n")
    file.write_text("# About coins.\n\n" + file.read_text())

    start(pytester, file).assert_outcomes(passed=1)


def test_broken_file_is_an_error(pytester, market):
    file = market("scenarios: {}\n")

    start(pytester, file).assert_outcomes(errors=1)


def test_broken_rules_are_reported(pytester, market):
    file = market("scenarios:\n  good: {then: {coin: 0}}\n")
    (file.parent / "rules.yaml").write_text("document: rules\nrules:\n  match: gain 1 coyn\n")

    result = start(pytester, file)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*P0201*unknown counter 'coyn'*"])


def test_plugin_is_light():
    program = "import sys, patolli.author.scenarios.pytest_plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    heavy = {
        "lark",
        "jsonschema",
        "ruamel",
        "coverage",
        "patolli.check.analysis",
        "patolli.language.resolve",
        "patolli.run.runtime",
        "patolli.run.compiler",
    }
    assert heavy & set(done.stdout.split()) == set()


def test_fault_of_the_program_is_reported_as_one(pytester, market, monkeypatch):
    folder = market("scenarios:\n  good: {call: gain 1 coin, then: {coin: 1}}\n").parent
    monkeypatch.setattr("patolli.author.scenarios.scenario_player.Play.run", lambda _: 1 // 0)

    result = start(pytester, folder)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*error?P0900?: this is an internal error, not a mistake in the content: ZeroDivision*"]
    )
    result.stdout.fnmatch_lines(["please report it, with everything below:", "Traceback (most recent call last):"])
