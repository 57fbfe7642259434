"""What packs put at one place of a rule: where the order matters, and where it never comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import module, patched
from packmaker import problems

STEPS = (
    "# rules3.yaml\ndocument: rules\nrules:\n  twice(int n):\n    steps: {first: gain n coin, second: gain n nut}\n"
    "triggers:\n  also: {after: earn, do: twice(n)}\n"
)
GAINS, DOUBLES, SETS = "gain 1 coin", "set coin to coin * 2", "set coin to 3"


def trigger(moment: str, do: str, pack: str = "", more: str = "") -> str:
    """Write a module with a trigger; without a name of a pack, a file of the base."""
    head = module(pack, '{sample: ">=1.0"}') if pack else ""
    return (
        f"{head}# {pack}/t.yaml\n".replace("# /", "# ")
        + f"document: rules\ntriggers:\n  {pack or 'own'}_does: {{{moment}, {more}do: {do}}}\n"
    )


def patch(moment: str, do: str, pack: str = "extra", manifest: str = "") -> str:
    """Write a module with a patch."""
    return patched(f"{{{moment}, do: {do}}}", pack).replace("title: A module\n", f"title: A module\n{manifest}")


def told(folder, example):
    """Code, pack and message of what is found."""
    return [(p.code, Path(p.span.path).parent.name, p.message) for p in problems(folder, STEPS + example)]


@pytest.mark.parametrize(("rule", "patch_at"), [("twice", "rules/twice"), ("twice/first", "rules/twice/first")])
def test_patch_that_comes_before_a_trigger_of_the_pack_below(tmp_path, rule, patch_at):
    found = problems(tmp_path, STEPS + trigger(f"after: {rule}", GAINS) + patch(f"after: {patch_at}", DOUBLES))

    assert [(p.code, Path(p.span.path).parent.name) for p in found] == [("P0125", "extra")]
    assert found[0].message == (
        f"this comes before the trigger 'own_does' of 'sample', and what they do to {rule!r} depends on the order"
    )
    assert found[0].also[0][1] == "this comes second"


def test_trigger_of_a_module_comes_after_that_of_the_pack_below(tmp_path):
    assert told(tmp_path, trigger("after: twice", GAINS) + trigger("after: twice", DOUBLES, "extra")) == []


def test_what_lasts_as_long_as_a_rule_is_set_back_behind_all_that_joins_it(tmp_path):
    lasts = "# heat.yaml\ndocument: model\ncounters:\n  heat: {max: 9, lasts: twice}\n"
    joins = trigger("after: twice", "gain 1 heat; gain heat coin", "extra")
    assert "P0125" not in [code for code, _, _ in told(tmp_path, lasts + joins)]


@pytest.mark.parametrize(
    ("one", "two", "matters"),
    [
        (GAINS, GAINS, False),
        (GAINS, "gain 1 nut", False),
        (GAINS, DOUBLES, True),
        (GAINS, SETS, True),
        (SETS, GAINS, True),
        ("gain coin nut", "lose 1 coin", True),
        ("gain coin nut", "gain 1 seed", False),
        (GAINS, "end match", True),
        ("end match", SETS, True),
        ("draw 1 from deck to hand(me)", "draw 1 from deck to hand(me)", True),
    ],
)
def test_order_is_reported_only_where_it_matters(tmp_path, one, two, matters):
    found = told(tmp_path, patch("after: rules/twice", one, "a") + patch("after: rules/twice", two, "b"))

    message = "this comes after the patch of 'a', and what they do to 'twice' depends on the order"
    assert found == ([("P0125", "b", message)] if matters else [])


def test_condition_of_a_trigger_counts(tmp_path):
    one, two = trigger("after: twice", GAINS, "a"), trigger("after: twice", "gain 1 nut", "b", "when: coin > 4, ")

    assert [code for code, *_ in told(tmp_path, one + two)] == ["P0125"]


def test_patches_after_a_step_come_in_the_order_of_the_packs(tmp_path):
    found = told(
        tmp_path, patch("after: rules/twice/first", GAINS, "a") + patch("after: rules/twice/first", DOUBLES, "b")
    )

    message = "this comes after the patch of 'a', and what they do to 'twice/first' depends on the order"
    assert found == [("P0125", "b", message)]


@pytest.mark.parametrize("where", ["rules/twice", "rules/twice/first"])
def test_order_that_a_module_declares_is_meant(tmp_path, where):
    knows = patch(f"after: {where}", DOUBLES, "b", "optional: [a]\n")

    assert told(tmp_path, patch(f"after: {where}", GAINS, "a") + knows) == []


def test_module_in_whose_way_another_one_is(tmp_path):
    joins, instead = trigger("after: twice/first", GAINS), patch("instead: rules/twice", "gain 1 seed")

    message = "because of this: the step 'first' of 'twice' never happens, so this is never done"
    assert told(tmp_path, joins + instead) == [("P0126", "extra", message)]
    assert told(tmp_path, joins + patch("instead: rules/twice", "original(n)")) == []


def test_patch_of_a_step_that_never_comes(tmp_path):
    joins = patch("after: rules/twice/first", GAINS, "a")

    message = "because of this: the step 'first' of 'twice' never happens, so this is never done"
    knows = patch("instead: rules/twice", "gain 1 seed", "b", "optional: [a]\n")
    assert told(tmp_path, joins + knows) == [("P0126", "b", message)]


def test_trigger_of_a_module_comes_before_those_of_pieces(tmp_path):
    found = problems(tmp_path, trigger("after: earn", "set point to 2", "extra"))

    assert [(p.code, Path(p.span.path).parent.name, p.span.line) for p in found] == [("P0125", "extra", 3)]
    assert found[0].message == (
        "this comes before the trigger 'greed' of 'sample', and what they do to 'earn' depends on the order"
    )
