"""Every fault of a match has a code with a page, and its example ends in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from packmaker import loaded, spliced, trigger

from patolli.cli import main
from patolli.diagnostics.codes import CODES
from patolli.diagnostics.problem import ContentError
from patolli.runtime import MatchError, Ruleset

SHOWN = [code for code in CODES.values() if code.wrong and "P0800" < code.code < "P0900"]
FORESEEN = {"P0808": "P0415", "P0809": "P0414", "P0810": "P0416", "P0811": "P0417"}
"""Faults whose examples are refused before a match can start: with which code."""
CHECKED_OUTSIDE = {"P0814"}
"""What the commands look for after each choice; ``test_invariants.py`` plays it."""


def earn_again_and_again(rules: Ruleset, times: int = 3) -> None:
    """Begin a match of the sample pack, and earn."""
    match = rules.start(2, 1)
    for _ in range(2):  # the bids
        match.pick(0)
    for _ in range(times):
        match.choose("earn")
        while match.decision is not None and "earn" not in [option.label for option in match.decision.options]:
            match.pick(0)


ENDING = [code for code in SHOWN if code.code not in {*FORESEEN, *CHECKED_OUTSIDE}]


@pytest.mark.parametrize("code", FORESEEN)
def test_wrong_example_is_refused_before_it_is_played(code, tmp_path):
    with pytest.raises(ContentError) as caught:
        loaded(tmp_path, CODES[code].wrong)

    assert {problem.code for problem in caught.value.problems} == {FORESEEN[code]}


@pytest.mark.parametrize("code", ENDING, ids=lambda code: code.code)
def test_wrong_example_ends_in_its_code(code, tmp_path):
    rules = loaded(tmp_path, code.wrong)
    with pytest.raises(MatchError) as caught:
        earn_again_and_again(rules)

    assert caught.value.code == code.code
    assert caught.value.text().endswith(f"error[{code.code}]: {caught.value.reason}")
    assert any(path.endswith("example.yaml") for path, _, _ in caught.value.stack)


@pytest.mark.parametrize("code", SHOWN, ids=lambda code: code.code)
def test_right_example_plays(code, tmp_path):
    earn_again_and_again(loaded(tmp_path, code.right))


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
    """The rules ask, so they are frames; each is told at its call, whatever follows that."""
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
