"""Fields of the table and fields that hold lists: read, set, seen, saved, told and drawn like all others."""

from __future__ import annotations

import json

import pytest
from packmaker import loaded, problems, trigger
from plain_views import plain_view

from patolli.run.runtime import SaveError

TABLE = """document: model
table:
  ko: cell or none = none
  storm: {type: bool = false, told: true}
  rounds_left: {type: int 0..9 = 3, told: true}
  seen: list of list of int
  corners: list of cell = {a1, c3}
  fate: {type: "list of int = {1, 2}", visible: none}
"""
EFFECT = """set ko to a2
set storm to true
set rounds_left to max(0, rounds_left - 1)
set seen to {{1, 2}, {size(corners)}}
if ko: set corners to {ko, b2}
set fate to {3}
"""


@pytest.fixture
def rules(tmp_path):
    return loaded(tmp_path, f"# model2.yaml\n{TABLE}# rules2.yaml\n{trigger(EFFECT, 'turn')}")


def played(rules, narrate=False):
    """Return a match in which the rule has been carried out."""
    match = rules.start(2, seed=1, narrate=narrate)
    while of_table(match)["ko"] is None:
        match.pick(0)
    return match


def of_table(match, seat=0):
    return match.view(seat)["pieces"]["table"]["table"]


def test_it_begins_as_declared_and_changes(rules):
    layout, later = rules.program(2).layout, of_table(played(rules))
    begun = [layout.initial[layout.fields["table", name]] for name in ("ko", "storm", "rounds_left", "seen", "corners")]

    assert begun == [-1, 0, 3, (), (0, 8)]
    assert later == {"ko": "a2", "storm": True, "rounds_left": 2, "seen": [[1, 2], [2]], "corners": ["a2", "b2"]}


@pytest.mark.deep
def test_views_say_the_same_as_what_is_asked_one_by_one(rules):
    match = played(rules)

    assert (match.view(1)["counters"], match.view(1)["places"], match.view(1)["pieces"]) == plain_view(match, 1)


def test_a_save_brings_lists_back(rules):
    match = played(rules)
    again = rules.restore(match.to_json())

    assert again.state == match.state
    while again.decision is not None:
        again.pick(0)
        match.pick(0)
    assert again.state == match.state


@pytest.mark.parametrize(
    "wrong", [[[1, "x"]], [7], 3, [[True]]], ids=["a word", "a number in a list of lists", "a number", "truth"]
)
def test_a_save_with_another_list_is_damaged(rules, wrong):
    match = played(rules)
    data = json.loads(match.to_json())
    data["state"][match.program.layout.fields["table", "seen"]] = wrong

    with pytest.raises(SaveError, match="damaged"):
        rules.restore(json.dumps(data))


def test_what_the_seat_cannot_see_is_imagined(rules):
    match = played(rules)
    world = match.determinize(0, 5)

    assert world.state[match.program.layout.fields["table", "fate"]] in ((), (1, 2), (3,))


def test_changes_are_reported_without_an_owner(rules):
    told = "\n".join(played(rules, narrate=True).told(0))

    assert "Storm is now yes" in told
    assert "Rounds left fall to 2" in told


WRONG = [
    pytest.param("ko: cell\n  ko2: bool = 3", "P0301", "", id="a default of another type"),
    pytest.param("ko: {type: bool = false, visible: owner}", "P0205", "write 'none'", id="no player owns the table"),
    pytest.param("ko: list of cell or none", "P0205", "remove 'or none'", id="a list that may be none"),
    pytest.param("coin: int", "P0203", "rename one", id="the name of a counter"),
    pytest.param("last: cel or none", "P0201", "did you mean 'cell'?", id="an unknown type"),
]


@pytest.mark.parametrize(("declared", "code", "help_"), WRONG)
def test_mistakes_in_declarations(tmp_path, declared, code, help_):
    found = [p for p in problems(tmp_path, f"document: model\ntable:\n  {declared}\n") if p.severity == "error"]

    assert [p.code for p in found] == [code]
    assert help_ in found[0].help


USED = [
    pytest.param("set kko to a1", "P0201", "did you mean 'ko'?", id="misspelt"),
    pytest.param("set ko.row to 1", "P0303", "test it first", id="perhaps none"),
    pytest.param("set ko(a1) to a1", "P0201", "", id="called"),
    pytest.param("set seen to {1}", "P0301", "", id="a list of another type"),
]


@pytest.mark.parametrize(("effect", "code", "help_"), USED)
def test_mistakes_in_use(tmp_path, effect, code, help_):
    found = problems(tmp_path, f"# model2.yaml\n{TABLE}# rules2.yaml\n{trigger(effect)}")
    found = [p for p in found if p.severity == "error"]

    assert [p.code for p in found] == [code]
    assert help_ in found[0].help
