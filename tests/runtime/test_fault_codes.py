"""Every fault of a match has a code with a page, and its example ends in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from packmaker import loaded, spliced, trigger

from patolli.author.scenarios import Plan, run_scenarios
from patolli.cli import main
from patolli.language.diagnostics.codes import CODES
from patolli.run.runtime import MatchError, Ruleset
from patolli.run.runtime.invariants import Watch

SHOWN = [code for code in CODES.values() if code.wrong and "P0800" < code.code < "P0900"]
UNPROVEN = [code for code in SHOWN if "document: scenarios" in code.wrong]
"""What rules are refused for: only a scenario, which has no proofs, ends so."""
PLAYED = [code for code in SHOWN if code not in UNPROVEN]


def earn_again_and_again(rules: Ruleset, times: int = 3, narrate: bool = False) -> None:
    """Begin a match of the sample pack, and earn; its invariants are held, as by all who play."""
    match = rules.start(2, 1, narrate=narrate)
    watch = Watch(match)
    for _ in range(2):  # the bids
        match.pick(0)
    watch.check(match)
    for _ in range(times):
        match.choose("earn")
        watch.check(match)
        while match.decision is not None and "earn" not in [option.label for option in match.decision.options]:
            match.pick(0)


@pytest.mark.parametrize("code", PLAYED, ids=lambda code: code.code)
def test_wrong_example_ends_in_its_code(code, tmp_path):
    rules = loaded(tmp_path, code.wrong)
    with pytest.raises(MatchError) as caught:
        earn_again_and_again(rules, narrate="narration" in code.title)

    assert caught.value.code == code.code
    assert caught.value.text().endswith(f"error[{code.code}]: {caught.value.reason}")
    assert any(path.endswith("example.yaml") for path, _, _ in caught.value.stack)


@pytest.mark.parametrize("code", PLAYED, ids=lambda code: code.code)
def test_right_example_plays(code, tmp_path):
    earn_again_and_again(loaded(tmp_path, code.right), narrate="narration" in code.title)


def test_what_is_refused_is_shown_by_scenarios():
    assert [code.code for code in UNPROVEN] == ["P0808", "P0809", "P0810", "P0811"]


@pytest.mark.parametrize("code", UNPROVEN, ids=lambda code: code.code)
def test_scenario_ends_in_the_code_or_passes(code, tmp_path):
    """The pack validates, and the fault is reported at the text that was called."""
    outcomes = []
    for name, example in (("wrong", code.wrong), ("right", code.right)):
        folder = tmp_path / name
        folder.mkdir()
        pack, _ = spliced(folder, example)
        result = run_scenarios(Plan((pack,), select="tried"))
        assert result.problems == []
        outcomes += result.outcomes
    wrong, right = outcomes
    (problem,) = wrong.problems

    assert (problem.code, problem.span.line, problem.help) == ("P0608", 5, f"patolli explain {code.code} says more")
    assert right.problems == []


def place(path_and_line):
    path, line = path_and_line
    return Path(path).name, line


def test_loop_that_used_the_steps_up_is_named_not_the_one_that_came_last(tmp_path):
    """The long loop takes nearly all steps, the short one behind it what is left."""
    effect = (
        "repeat 90 times:\n"
        "  let v = count(a + b for a in 1..1000, b in 1..190 where a != b)\n"
        "  if v < 0: gain 1 coin\n"
        "repeat 90000 times:\n"
        "  let w = count(a + b for a in 1..1000, b in 1..1000 where a != b)\n"
        "  if w < 0: gain 1 coin"
    )
    with pytest.raises(MatchError) as caught:
        earn_again_and_again(loaded(tmp_path, trigger(effect)))

    assert caught.value.code == "P0801"
    assert place(caught.value.spent) in {("example.yaml", 6 + n) for n in range(6)}
    assert "most of their steps went into:\n" in caught.value.text()


def test_asking_loop_that_never_asks_is_named(tmp_path):
    effect = (
        "gain 1 coin\nloop:\n  gain 1 nut\n  if nut < 0:\n    choose x in 1..2\n    gain x coin\n    break\ngain 1 coin"
    )
    with pytest.raises(MatchError) as caught:
        earn_again_and_again(loaded(tmp_path, trigger(effect)))

    assert caught.value.code == "P0801"
    assert place(caught.value.spent)[0] == "example.yaml"
    assert 7 <= caught.value.spent[1] <= 9
    assert caught.value.stack[-1][2] == "tested"


def test_fault_in_the_set_up_does_not_name_the_match(tmp_path):
    example = trigger("gain count(1..(200000 + coin(player_1))) coin for player_1", "setup")
    rules = loaded(tmp_path, example)
    match = rules.start(2, 1)
    match.pick(0)
    with pytest.raises(MatchError) as caught:
        match.pick(0)

    assert [rule for _, _, rule in caught.value.stack if rule == "match"] == []
    assert caught.value.stack[-1][2] == "tested"


@pytest.mark.parametrize("command", ["simulate", "test"])
def test_commands_show_the_code(tmp_path, command):
    scenario = "# scenarios.yaml\ndocument: scenarios\nscenarios:\n  one: {call: earn(1), then: {coin(player_1): 2}}\n"
    pack, _ = spliced(tmp_path, trigger("gain count(1..(200000 + coin)) coin") + scenario)
    words = [command, pack, *(["--players", "2", "--games", "2", "--jobs", "1"] if command == "simulate" else [])]
    ran = CliRunner().invoke(main, words)

    assert "P0804" in ran.output
    assert "a range of 20000" in ran.output


def test_explain_has_a_page_for_each():
    for code in (code for code in CODES if "P0800" < code < "P0900"):
        assert CliRunner().invoke(main, ["explain", code]).output.startswith(code)


def test_stack_names_the_calls_not_what_stands_behind_them(tmp_path):
    """The rules ask, so they are frames; each is reported at its call, whatever follows that."""
    example = trigger("first(3)\ngain 1 coin") + (
        "rules:\n"
        "  first(int n): |\n"
        "    gain 1 coin\n"
        "    second(n)\n"
        "    gain 1 nut\n"
        "  second(int n): |\n"
        "    choose x in 1..2\n"
        "    third(x + n)\n"
        "    gain 1 seed\n"
        "  third(int n): |\n"
        "    gain count(1..(200000 + coin)) coin\n"
        '    may "more": gain n coin\n'
    )  # fmt: skip
    with pytest.raises(MatchError) as caught:
        earn_again_and_again(loaded(tmp_path, example))
    calls = [(Path(path).name, line, rule) for path, line, rule in caught.value.stack]

    assert calls[-4:] == [
        ("example.yaml", 6, "tested"),
        ("example.yaml", 11, "first"),
        ("example.yaml", 15, "second"),
        ("example.yaml", 18, "third"),
    ]


def test_stack_names_the_step_of_a_call_and_the_trigger_that_comes_first(tmp_path):
    """A rule goes on in its next step, and the rule that a trigger comes before has not begun."""
    example = trigger("first(3)") + (
        "  early: {before: second, do: third(n)}\n"
        "rules:\n"
        "  first(int n):\n"
        "    steps:\n"
        "      one: |\n"
        "        gain 1 coin\n"
        "        second(n)\n"
        "      two: gain 1 nut\n"
        "  second(int n): gain n seed\n"
        "  third(int n): |\n"
        "    choose x in 1..2\n"
        "    gain count(1..(200000 + coin)) * x * n coin\n"
    )  # fmt: skip
    with pytest.raises(MatchError) as caught:
        earn_again_and_again(loaded(tmp_path, example))
    calls = [(Path(path).name, line, rule) for path, line, rule in caught.value.stack]

    assert calls[-5:] == [
        ("example.yaml", 6, "tested"),
        ("example.yaml", 13, "first"),
        ("example.yaml", 7, "second"),
        ("example.yaml", 7, "early"),
        ("example.yaml", 18, "third"),
    ]
