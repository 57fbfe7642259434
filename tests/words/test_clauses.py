"""Clauses about fields and places that are no nouns, and about what already says no."""

from __future__ import annotations

import pytest
from packmaker import loaded

from patolli.check import prose
from patolli.check.prose.clauses import agreeing, attach_clause, lying_in, opposite, there, what


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("nobody can search", "a player can search"),
        ("no one has a boat", "a player has a boat"),
        ("no card has a value", "a card has a value"),
        ("no cards are left", "some cards are left"),
        ("nothing is left", "something is left"),
        ("none of the cards are used", "one of the cards is used"),
        ("never may a hut stand alone", "it is not so that never may a hut stand alone"),
        ("somebody can search", "somebody cannot search"),
        ("nobles are at home", "nobles are not at home"),
        ("there is a card", "there is no card"),
        ("there are cards on the hill", "there are no cards on the hill"),
    ],
)
def test_opposite(said, turned):
    assert opposite(said) == turned


def test_where_something_is():
    said = what("the hut", "on")
    assert said == "what the hut is on"
    assert (there(said), there(said, True)) == ("the hut is on something", "the hut is on nothing")
    assert agreeing("is a wood", "what the huts is on") == "is a wood"
    assert there("the hut", True) == "there is no hut"
    assert there("the helpers on the hills of it") == "there are helpers on the hills of it"


def test_a_field_of_the_table_is_said_by_its_text(tmp_path):
    """``text: Whether nobody can dig`` names a truth value; as a condition it says when that is so."""
    fog = (
        "document: model\ntable:\n  foggy: {type: bool = true, text: Whether nobody can dig}\n# fog.yaml\n"
        "document: rules\ntriggers:\n  fog: {after: dig, do: 'if not foggy: gain 1 nut'}\n  sun: {after: dig, do: set foggy to false}\n"
    )
    program = loaded(tmp_path, fog).model.program
    ((_, said),) = prose.describe_entry(program, "triggers", "fog")
    assert said.endswith("if a player can dig, gain 1 nut.")


@pytest.mark.parametrize(
    ("things", "place", "said"),
    [
        ("cards", "your hand", "the cards in your hand"),
        ("Discovery tiles", "your Discovery tiles", "your Discovery tiles"),
        ("Bonus tiles", "the Bonus tiles of that temple", "the Bonus tiles of that temple"),
        ("technologies", "the technologies", "the technologies"),
        ("tiles", "the tiles that you keep", "the tiles that you keep"),
        ("worship tiles", "your tiles", "your tiles"),
        ("cards", "that player's cards", "that player's cards"),
        ("cards", "the card offer", "the cards in the card offer"),
        ("helpers", "your helpers in the hut", "your helpers in the hut"),
        ("cards", "the cards deck", "the cards in the cards deck"),
    ],
)
def test_things_in_a_place(things, place, said):
    assert lying_in(things, place) == said


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("its size is 1 and its cube is gold", " whose size is 1 and whose cube is gold"),
        ("it is free and it has no cube", " that are free and that have no cube"),
        ("it is free or its cube is gold", " that are free or whose cube is gold"),
        ("you can pay its price and it is free", " where you can pay its price and it is free"),
    ],
)
def test_parts_of_a_clause_are_joined_alike(clause, said):
    assert attach_clause(clause, "are") == said
