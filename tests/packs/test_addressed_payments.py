"""Discounts and waivers of a module on payments to which their author gave no tag."""

from __future__ import annotations

import pytest
from packmaker import held, loaded, problems

from patolli.cli.seams import seams, seams_text

RULES = (
    "# rules3.yaml\ndocument: rules\nrules:\n  journey(int n):\n    steps:\n      toll: |\n        if coin > 2: pay 2 coin\n        gain 1 nut\n"
    "      inn: |\n        if n > 1 and coin > 3:\n          pay 3 coin\n          gain 1 seed\n"
    "        if nut > 0: pay 1 nut as supper\n"
    "  twist: |\n    if nut > 0: pay 1 nut as supper\ntriggers:\n"
    "  also:\n    after: earn\n    do: |\n      gain 10 coin\n      journey(n)\n      twist()\n"
)


def entry(section: str, text: str, name: str = "mine") -> str:
    """Write a document with a discount or waiver."""
    return f"# off_{name}.yaml\ndocument: rules\n{section}:\n  {name}: {{{text}}}\n"


@pytest.mark.parametrize(
    ("on", "left"),
    [
        ("supper", 8),
        ("journey/toll", 9),
        ("journey/inn", 9),
        ("journey/1", 9),
        ("journey/2", 9),
        ("[journey/1, journey/2]", 10),
        ("[journey/toll, journey/inn]", 10),
    ],
)
def test_payments_are_addressed_by_step_or_number(tmp_path, on, left):
    assert held(loaded(tmp_path, RULES + entry("discounts", f"on: {on}, less: 1 of coin")), "coin") == (left,)


def test_step_reaches_payments_with_a_tag_and_only_those_that_stand_there(tmp_path):
    step = entry("discounts", "on: journey/inn, less: 1 of nut")
    tag = entry("discounts", "on: supper, less: 1 of nut")
    twist = RULES.replace("gain 10 coin", "gain 10 coin; gain 5 nut")

    assert held(loaded(tmp_path / "none", twist), "nut") == (4,)
    assert held(loaded(tmp_path / "step", twist + step), "nut") == (5,)
    assert held(loaded(tmp_path / "tag", twist + tag), "nut") == (6,)


def test_tag_goes_on_to_reach_what_another_addresses_by_its_step(tmp_path):
    step, tag = (
        entry("waivers", "on: journey/inn, of: seed, when: coin < 0, do: nothing", "other"),
        entry("discounts", "on: supper, less: 1 of nut"),
    )
    twist = RULES.replace("gain 10 coin", "gain 10 coin; gain 5 nut")

    assert held(loaded(tmp_path, twist + step + tag), "nut") == (6,)


@pytest.mark.parametrize(
    ("on", "code", "message"),
    [
        ("journey/in", "P0121", "rule 'journey' has no step 'in'"),
        ("earn/1", "P0134", "rule 'earn' has no payment 1: it pays nothing"),
        ("journey/3", "P0134", "rule 'journey' has no payment 3: 2 without a tag"),
        ("twist/1", "P0134", "rule 'twist' has no payment 1: all that it has have tags"),
        ("jorney/inn", "P0201", "unknown rule 'jorney'"),
        ("earn/first", "P0121", "rule 'earn' has no step 'first'"),
        ("journey/0", "P0055", None),
    ],
)
def test_mistakes(tmp_path, on, code, message):
    (found,) = problems(tmp_path, RULES + entry("discounts", f"on: {on}, less: 1 of coin"))

    assert found.code == code
    assert message is None or found.message == message


def test_step_that_pays_nothing(tmp_path):
    text = RULES.replace("if coin > 2: pay 2 coin", "gain 1 coin")
    (found,) = problems(tmp_path, text + entry("waivers", "on: journey/toll, of: coin"))

    assert (found.code, found.message) == ("P0134", "step 'toll' of rule 'journey' pays nothing")


def test_seams_list_payments_without_a_tag_and_what_is_taken_off(tmp_path):
    rules = loaded(tmp_path, RULES + entry("discounts", "on: journey/inn, less: 1 of coin"))
    found = {one["tag"]: (one["paid_in"], one["discounts"]) for one in seams(rules)["payments"]}

    assert found["journey/1"] == (["journey/toll"], [])
    assert found["journey/2"] == (["journey/inn"], ["mine"])
    assert found["supper"] == (["journey/inn", "twist"], ["mine"])
    assert "2 payments without a tag" in seams_text(seams(rules), 140)
