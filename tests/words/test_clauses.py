"""Clauses about fields and places that are no nouns, and about what already says no."""

from __future__ import annotations

import pytest
from packmaker import loaded

from patolli.check import prose
from patolli.check.prose.clauses import agreeing, opposite, there, what


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("nobody can search", "it is not so that nobody can search"),
        ("no card has a value", "it is not so that no card has a value"),
        ("somebody can search", "somebody cannot search"),
        ("nobles are at home", "nobles are not at home"),
        ("there is a card", "there is no card"),
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


def test_a_field_of_the_table_is_said_by_its_text(tmp_path):
    """``text: Whether nobody can dig`` names a truth value; as a condition it says when that is so."""
    fog = (
        "document: model\ntable:\n  foggy: {type: bool = true, text: Whether nobody can dig}\n# fog.yaml\n"
        "document: rules\ntriggers:\n  fog: {after: dig, do: 'if not foggy: gain 1 nut'}\n  sun: {after: dig, do: set foggy to false}\n"
    )
    program = loaded(tmp_path, fog).model.program
    ((_, said),) = prose.describe_entry(program, "triggers", "fog")
    assert said.endswith("if it is not so that nobody can dig, gain 1 nut.")
