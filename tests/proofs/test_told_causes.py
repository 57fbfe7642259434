"""What is proven of payments and choices is reported where it fails, and with what it fails for."""

from __future__ import annotations

import pytest
from examples import after
from packmaker import problems

RULES = "rules:\n  more(int n): {{do: {}, text: More.}}\n"


def told(folder, body: str, rule: str) -> list[str]:
    return [p.code for p in problems(folder, after(body) + RULES.format(rule)) if p.code < "P0430"]


@pytest.mark.parametrize(
    ("rule", "codes"),
    [
        ("gain n coin", []),
        ("gain n - 2 coin", ["P0401"]),  # may be below 0
        ("gain 2 coin", []),
        ("gain 2 coin for p", []),
        ("gain 2 coin; gain 1 coin", []),
        ("lose 1 coin", ["P0401"]),
        ("set coin to 5", ["P0401"]),
        ("gain 1 coin; pay 1 coin", ["P0401"]),
        ('gain 1 coin; may "a": gain 1 coin', ["P0401"]),  # anything may be done meanwhile
    ],
)
def test_a_call_that_only_gains_takes_nothing_away(tmp_path, rule, codes):
    rule = f"|\n      for p in players: {rule}" if "for p" in rule else rule
    rule = rule if ";" not in rule else "|\n      " + rule
    example = after("if coin >= 2:\n  more(1)\n  pay 2 coin") + f"rules:\n  more(int n):\n    do: {rule}\n"

    assert [p.code for p in problems(tmp_path, example) if p.code < "P0430"] == codes


def test_a_call_that_calls_what_takes_is_followed(tmp_path):
    example = after("if coin >= 2:\n  more()\n  pay 2 coin") + "rules:\n  more: fewer()\n  fewer: lose 1 coin\n"

    assert [p.code for p in problems(tmp_path, example) if p.code < "P0430"] == ["P0401"]


def test_a_choice_that_may_be_empty_names_the_line_that_narrows_it(tmp_path):
    (problem,) = problems(tmp_path, after('choose p in players "Who?"\nrequire coin(p) > 3\ngain 1 coin for p'))

    assert problem.code == "P0402"
    ((span, words),) = problem.also
    assert (span.line, words) == (problem.span.line + 1, "only what makes this possible is offered")


def test_a_choice_from_what_may_be_empty_blames_nothing_else(tmp_path):
    (problem,) = problems(tmp_path, after('choose c in hand(me) "Which?"\nrequire c.number > 3\nmove c to deck'))

    assert (problem.code, problem.also) == ("P0402", ())


def test_a_call_that_pays_may_take_what_stands_in(tmp_path):
    example = after("if coin >= 2 and can(more()):\n  more()\n  pay 2 coin") + (
        "rules:\n  more: pay 1 nut\nsubstitutions:\n  swap: {give: 1 coin, for: 1 nut}\n"
    )

    assert [p.code for p in problems(tmp_path, example) if p.code < "P0430"] == ["P0401"]


def test_a_call_with_a_trigger_that_takes_is_followed(tmp_path):
    example = after("if coin >= 2:\n  more()\n  pay 2 coin") + (
        "rules:\n  more: gain 1 coin\n# more.yaml\ndocument: rules\ntriggers:\n  thief: {after: more, do: lose 2 coin}\n"
    )

    assert [p.code for p in problems(tmp_path, example) if p.code < "P0430"] == ["P0401"]


def test_a_call_in_a_loop_keeps_what_is_enough(tmp_path):
    example = after("if coin >= 2:\n  for p in players: as p: more()\n  pay 2 coin") + "rules:\n  more: gain 1 coin\n"

    assert [p.code for p in problems(tmp_path, example) if p.code < "P0430"] == []
