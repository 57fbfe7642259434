"""A named step that is called as a rule: ``twice/first(n)``."""

from __future__ import annotations

import pytest
from examples import patched
from packmaker import SAMPLE, loaded, problems

OLD = "# pack.yaml\n" + (SAMPLE / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 1")


def steps(first: str = "gain n coin", second: str = "gain n nut", do: str = "twice/second(3)") -> str:
    """Write a rule of two steps, and a trigger of earned coins."""
    return (
        f"# rules3.yaml\ndocument: rules\nrules:\n  twice(int n):\n    steps:\n      first: |\n        {first}\n"
        f"      second: |\n        {second}\n  all_of_it: twice(1)\ntriggers:\n  also:\n    after: earn\n    do: |\n      {do}\n"
    )


def held(rules, *counters):
    """What the player who begins has after earning."""
    match = rules.start(2, 3)
    for step in ("0", "0", "earn"):
        match.choose(step)
    return tuple(match.view(0)["counters"][name]["player_2"] for name in counters)


def test_only_the_step_is_carried_out(tmp_path):
    assert held(loaded(tmp_path, steps()), "coin", "nut") == (3, 3)


def test_stop_leaves_the_step_alone(tmp_path):
    rules = loaded(tmp_path, steps(second="stop if n > 2; gain n nut", do="twice/second(3); gain 1 coin"))

    assert held(rules, "coin", "nut") == (4, 0)


def test_what_a_step_returns_is_a_value(tmp_path):
    assert held(loaded(tmp_path, steps(second="return n + 1", do="let k = twice/second(3); gain k nut")), "nut") == (4,)


def test_whether_a_step_can_be_done_is_asked_as_of_a_rule(tmp_path):
    do = "if can(twice/second(3)): gain 1 nut\n      else: gain 2 nut"

    assert held(loaded(tmp_path, steps("nothing", "require coin > n + 9", do)), "nut") == (2,)


@pytest.mark.parametrize("operation", ["before", "after"])
def test_what_joins_a_step_comes_with_it(tmp_path, operation):
    more = patched(f"{{{operation}: rules/twice/second, do: gain 2 nut}}")

    assert held(loaded(tmp_path, steps() + more), "nut") == (5,)


def test_triggers_of_a_step_come_with_it(tmp_path):
    text = steps() + "  more: {after: twice/second, do: gain n nut}\n  less: {after: twice/first, do: gain 9 nut}\n"

    assert held(loaded(tmp_path, text), "nut") == (6,)


def test_step_in_another_place_is_what_took_it(tmp_path):
    assert held(loaded(tmp_path, steps() + patched("{instead: rules/twice/second, do: gain 7 nut}")), "nut") == (7,)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("let k = n + 1", "gain k nut"),
        ("random k in 1..n", "gain k nut"),
        ('choose k in 1..n "How many?"', "if n > 2: gain k nut"),
        ("let k = n", "set nut to k"),
    ],
)
def test_step_that_needs_a_variable_of_an_earlier_one_is_refused(tmp_path, first, second):
    (found,) = problems(tmp_path, steps(first, second))

    assert (found.code, found.message) == (
        "P0202",
        "step 'second' of rule 'twice' needs 'k', which an earlier step names",
    )


def test_step_may_name_what_it_needs_itself(tmp_path):
    text = steps("let k = n; gain k coin", "let j = n + 1; gain j nut")

    assert held(loaded(tmp_path, text), "nut") == (4,)


@pytest.mark.parametrize(
    ("do", "code", "message", "fix"),
    [
        ("twice/secnd(3)", "P0121", "rule 'twice' has no step 'secnd'", "second"),
        ("earn/first(3)", "P0121", "rule 'earn' has no step 'first'", None),
        ("twicc/second(3)", "P0201", "unknown rule 'twicc/second'", None),
        ("twice/second()", "P0302", "'twice/second' takes 1 argument, found 0", None),
    ],
)
def test_mistakes(tmp_path, do, code, message, fix):
    (found,) = problems(tmp_path, steps(do=do))

    assert (found.code, found.message) == (code, message)
    assert [edit.text for one in found.fixes for edit in one.edits] == ([fix] if fix else [])


def test_packs_of_the_first_version_read_on_as_before(tmp_path):
    assert problems(tmp_path, OLD + steps())[0].code == "P0101"


@pytest.mark.parametrize("joins", ["after: twice/second", "before: twice/second"])
@pytest.mark.parametrize("caller", ["the pack", "a module"])
def test_a_step_that_triggers_join_can_be_called(tmp_path, joins, caller):
    called = "called(): twice/second(2)\n"
    late = f"triggers:\n  late: {{{joins}, do: gain 1 point}}\n  later: {{{joins}, do: gain 2 point}}\n"
    module = "# more/pack.yaml\ndocument: pack\nid: more\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: More\nrequires: {sample: '>=1'}\n"
    if caller == "the pack":
        text = f"{steps()}# late.yaml\ndocument: rules\nrules:\n  {called}{late}"
    else:
        text = f"{steps()}{module}# more/rules.yaml\ndocument: rules\nrules:\n  {called}{late}"

    assert [problem.code for problem in problems(tmp_path, text)] == []
    assert held(loaded(tmp_path, text), "nut", "point") == (3, 3)
