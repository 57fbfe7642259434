"""Triggers and triggers of pieces that join a step of a rule."""

from __future__ import annotations

import pytest
from examples import module, patched
from packmaker import held, loaded, problems

STEPS = (
    "# rules3.yaml\ndocument: rules\nrules:\n  twice(int n):\n    steps:\n      first: gain n coin\n"
    "      second: gain n nut\ntriggers:\n  also: {after: earn, do: twice(n)}\n"
)
"""After 'earn' with 2 coins each player who earned gains 2 coins and then 2 nuts."""


def trigger(moment: str, do: str, more: str = "", name: str = "mine") -> str:
    """Write a document with a trigger."""
    return f"# t_{name}.yaml\ndocument: rules\ntriggers:\n  {name}: {{{moment}, {more}do: {do}}}\n"


@pytest.mark.parametrize(
    ("moment", "wanted"),
    [("before: twice/first", 3), ("after: twice/first", 5), ("before: twice/second", 5), ("after: twice/second", 7)],
)
def test_trigger_of_a_step_acts_where_it_stands(tmp_path, moment, wanted):
    steps = STEPS.replace("gain n nut", "gain n coin")

    assert held(loaded(tmp_path, steps + trigger(moment, "gain coin point")), "coin", "point") == (7, wanted)


def test_parameters_of_the_rule_are_known(tmp_path):
    assert held(loaded(tmp_path, STEPS + trigger("after: twice/first", "gain n point", "when: n > 1, ")), "point") == (
        2,
    )
    assert problems(tmp_path, trigger("after: twice/first", "gain m point"))[0].message == "unknown name 'm'"


def test_triggers_come_after_patches(tmp_path):
    text = trigger("after: twice/first", "gain coin point") + patched("{after: rules/twice/first, do: gain 4 coin}")

    assert held(loaded(tmp_path, STEPS + text), "coin", "point") == (9, 9)


def test_several_triggers_of_a_step_act_in_order(tmp_path):
    one, two = (
        trigger("after: twice/first", "gain 1 coin"),
        trigger("after: twice/first", "gain coin point", "", "other"),
    )

    assert held(loaded(tmp_path, STEPS + one + two), "point") == (6,)


def test_step_lives_on_where_a_module_does_something_instead(tmp_path):
    text = trigger("after: twice/first", "gain 1 point") + patched("{instead: rules/twice, do: original(n + 1)}")

    assert held(loaded(tmp_path, STEPS + text), "coin", "point") == (6, 1)


def test_pieces_join_a_step_while_they_are_active(tmp_path):
    pieces = (
        "# charms.yaml\ndocument: pieces\nkind: charm\nplace: bag\npieces:\n"
        "  greed:\n    copies: 3\n    triggers: [{after: twice/first, do: gain coin point}]\n    text: Points.\n"
    )

    assert held(loaded(tmp_path, STEPS + pieces), "point") == (5,)


def test_module_joins_a_step(tmp_path):
    text = module("extra", '{sample: ">=1.0"}') + trigger("before: twice/second", "gain n point").replace(
        "# t", "# extra/t"
    )

    assert held(loaded(tmp_path, STEPS + text), "point") == (2,)


@pytest.mark.parametrize(
    ("moment", "code", "message", "help_"),
    [
        ("after: twice/frist", "P0121", "rule 'twice' has no step 'frist'", "did you mean 'first'?"),
        ("after: twise/first", "P0201", "unknown rule 'twise'", "did you mean 'twice'?"),
        ("after: rules/twice", "P0202", "a trigger names a rule without its section", "write after: twice"),
        ("after: price/first", "P0202", "'price' is a function; only a rule can be followed", ""),
    ],
)
def test_step_that_is_not_there(tmp_path, moment, code, message, help_):
    found = problems(tmp_path, STEPS + trigger(moment, "gain 1 point"))

    assert [(p.code, p.message, p.help) for p in found] == [(code, message, help_)]
