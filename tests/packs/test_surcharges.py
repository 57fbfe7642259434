"""Entries among the discounts that say ``more``: payments with a tag cost more."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems

RULES = (
    "# rules3.yaml\ndocument: rules\nrules:\n  treat: |\n    pay 2 coin as feast\n    gain 1 seed\n"
    "triggers:\n  also:\n    after: earn\n    do: |\n      {given}\n      if can(treat()): treat()\n"
)


def entry(text: str, name: str = "mine") -> str:
    """Write a document with a discount."""
    return f"# off_{name}.yaml\ndocument: rules\ndiscounts:\n  {name}: {{{text}}}\n"


def pack(more: str, given: str = "gain 4 nut") -> str:
    """Write a rule that pays 2 of 3 coins, and what is more."""
    return RULES.format(given=given) + entry(f"on: feast, {more}")


def played(rules, *then):
    """What the player who begins has after earning."""
    match = rules.start(2, 3)
    for step in ("0", "0", "earn", *then):
        match.choose(step)
    counters = match.view(0)["counters"]
    return tuple(counters[name]["player_2"] for name in ("coin", "nut", "seed"))


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ("more: 1 coin", (0, 4, 1)),
        ("more: 3 nut", (1, 1, 1)),
        ("more: 3 of nut", (1, 1, 1)),
        ("more: 2 coin", (3, 4, 0)),
        ("more: 5 nut", (3, 4, 0)),
        ("more: 5 nut, when: coin > 3", (1, 4, 1)),
    ],
)
def test_more_is_always_paid_and_what_cannot_be_paid_is_not_possible(tmp_path, more, left):
    assert played(loaded(tmp_path, pack(more))) == left


def test_player_picks_where_there_are_several(tmp_path):
    match = loaded(tmp_path, pack("more: 1 of coin or nut")).start(2, 3)
    for step in ("0", "0", "earn"):
        match.choose(step)

    assert [choice.label for choice in match.decision.options] == ["3 coin", "2 coin, 1 nut"]


def test_discounts_are_taken_off_afterwards(tmp_path):
    text = pack("more: 2 coin") + entry("on: feast, less: 2 of coin", "other")

    assert played(loaded(tmp_path, text)) == (1, 4, 1)


def test_substitutions_stand_for_what_is_more(tmp_path):
    stands = "# stands.yaml\ndocument: rules\nsubstitutions:\n  nuts: {give: 1 nut, for: 1 coin}\n"
    text = pack("more: 4 coin").replace("pay 2 coin", "pay 1 coin and 1 nut") + stands

    assert sum(played(loaded(tmp_path, text.replace("gain 4 nut", "gain 3 nut")))[:2]) == 0


def test_why_counts_what_is_more(tmp_path):
    text = pack("more: 2 nut").replace("after: earn", "after: dig") + (
        "# menu.yaml\ndocument: patch\nchange:\n  - offer: rules/turn\n    do: |\n      choose one:\n"
        '        "feast": treat()\n'
    )
    match = loaded(tmp_path, text.replace("pay 2 coin", "pay 1 coin")).start(2, 3)
    for step in ("0", "0"):
        match.choose(step)

    assert "2 nut" in str(match.why("feast"))


def test_payment_that_was_safe_is_no_longer(tmp_path):
    """More may have to be paid than the line names, so what is there for it proves nothing."""
    sure = RULES.format(given="gain 2 nut").replace("if can(treat()): treat()", "if coin >= 2: treat()")

    assert problems(tmp_path / "sure", sure) == []
    (found,) = problems(tmp_path / "dearer", sure + entry("on: feast, more: 1 nut"))
    assert found.code == "P0401"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("on: feast", "P0051", "missing key 'less' or 'more'"),
        ("on: feast, less: 1 coin, more: 1 nut", "P0058", "'less' has no meaning beside 'more'"),
        ("on: feast, more: 1 nut, do: gain 1 seed", "P0058", "'do' has no meaning beside 'more'"),
        ("on: feast, more: 1 nutt", "P0201", "unknown counter 'nutt'"),
        ("on: feast, more: -1 nut", "P0055", None),
        ("on: feats, more: 1 nut", "P0444", "no payment has the tag 'feats' of 'mine'"),
    ],
)
def test_mistakes(tmp_path, text, code, message):
    (found,) = problems(tmp_path, RULES.format(given="nothing") + entry(text))

    assert found.code == code
    assert message is None or found.message == message


def test_floor_of_an_adjustment_bounds_what_it_makes(tmp_path):
    """A module takes something off what a function says, and says itself below what it does not go."""
    change = "# change.yaml\ndocument: patch\nchange:\n  - {adjust: functions/fee, by: -4, at_least: 1}\n"
    text = RULES.format(given="gain 0 nut").replace("pay 2 coin", "pay fee() coin")
    text = text.replace("rules:\n  treat", "functions:\n  fee(): 3\nrules:\n  treat")

    assert played(loaded(tmp_path / "without", text))[0] == 0
    assert (
        played(
            loaded(
                tmp_path / "with",
                text + "# extra/pack.yaml\ndocument: pack\nid: extra\nversion: 1.0.0\n"
                'language: 2\ntitle: Extra\nrequires: {sample: ">=1.0"}\n' + change.replace("# ", "# extra/"),
            )
        )[0]
        == 2
    )
