"""Changing the state by hand: what may be changed, to what, and that a match goes on from there as any other."""

from __future__ import annotations

import json
import re

import pytest

import patolli
from patolli.language.program import types as ty
from patolli.run.runtime import SaveError, value_parser
from patolli.run.runtime.edits import Edit, apply_edit, editable
from patolli.run.runtime.seals import add_checksums


def change(match, kind, name, to):
    return apply_edit(match, Edit(len(match.choices), kind, name, to))


@pytest.fixture(scope="module")
def chess():
    return patolli.load("chess")


@pytest.fixture(scope="module")
def city():
    return patolli.load("city_of_gods")


@pytest.mark.parametrize(
    ("kind", "name", "to", "words"),
    [
        pytest.param("counter", "cocoo(player_1)", 1, "no counter is called 'cocoo(player_1)'", id="unknown counter"),
        pytest.param("counter", "cocoa(player_1)", -1, "cannot be -1", id="below its bound"),
        pytest.param("counter", "cocoa(player_1)", "many", "is a whole number", id="a text for a number"),
        pytest.param("field", "player_1.die_1.power", 7, "goes from 1 to", id="field above its bound"),
        pytest.param("piece", "player_1.die_9", "the box", "no piece that can be moved", id="unknown piece"),
        pytest.param("piece", "player_1.die_1", "nowhere", "cannot lie in 'nowhere'", id="unknown place"),
        pytest.param("turn", "", "player_3", "'player_3' is not a player", id="unknown player"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(city, kind, name, to, words):
    match = city.start(2, seed=1)
    before = match.digest()

    with pytest.raises(ValueError, match=re.escape(words)):
        change(match, kind, name, to)

    assert match.digest() == before


def test_counters_fields_and_pieces_are_changed_within_what_is_declared(city):
    match = city.start(2, seed=1)
    there = editable(match)
    die = next(one for one in there["pieces"] if one["name"] == "player_1.die_1")
    elsewhere = next(place for place in there["places"][die["kind"]] if place != die["at"])

    match = change(match, "counter", "cocoa(player_1)", 4)
    match = change(match, "field", "player_1.die_1.power", 3)
    match = change(match, "piece", "player_1.die_1", elsewhere)

    now = editable(match)
    assert {"name": "cocoa(player_1)", "value": 4} in [
        {k: one[k] for k in ("name", "value")} for one in now["counters"]
    ]
    assert next(one for one in now["fields"] if one["name"] == "player_1.die_1.power")["value"] == 3
    assert next(one for one in now["pieces"] if one["name"] == "player_1.die_1")["at"] == elsewhere
    assert [edit.at for edit in match.edits] == [0, 0, 0]


def test_every_value_that_is_offered_is_taken(chess):
    """What ``editable`` lists is what may be said: nothing else would be honest in a list to choose from."""
    match = chess.start(2, seed=1)
    there = editable(match)
    for one in there["counters"][:5]:
        low = one["low"] if one["low"] is not None else 0
        assert change(match, "counter", one["name"], low).edits
    for one in there["fields"][:10]:
        wanted = one["values"][-1] if "values" in one else one["value"] if "list" in one else one["low"] or 0
        assert change(match, "field", one["name"], wanted).edits


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("[3, 4]", "[3, 4]", id="as it is shown"),
        pytest.param(" 6,6 , 6", "[6, 6, 6]", id="without brackets"),
        pytest.param("[]", "[]", id="nothing"),
    ],
)
def test_list_is_written_as_text(text, kept):
    match = patolli.load("backgammon").start(2, seed=1)

    match = change(match, "field", "table.played_moves", text)

    assert next(one["value"] for one in editable(match)["fields"] if one["name"] == "table.played_moves") == kept


@pytest.mark.parametrize("text", ["[3", "3]", "[3], [4", "three", "3,,4", "9" * 30])
def test_text_that_is_no_list_is_refused(text):
    with pytest.raises(ValueError, match=r"played_moves' is a list, such as '\[a, b\]'"):
        change(patolli.load("backgammon").start(2, seed=1), "field", "table.played_moves", text)


def test_lists_of_lists_and_of_names_are_read_as_they_are_written(chess):
    layout = chess.start(2, seed=1).program.layout
    numbers = ty.Seq(ty.Seq(ty.INT))
    cells = ty.Seq(ty.Maybe(ty.Ref("cell")))
    for type_, text in ((numbers, "[[1, -2], [], [3]]"), (cells, "[a1, none, h8]"), (ty.Seq(ty.BOOL), "[true, false]")):
        assert value_parser.format_value(layout, type_, value_parser.parse_value(layout, type_, text)) == text
    with pytest.raises(ValueError, match="and not 'z9'"):
        value_parser.parse_value(layout, cells, "[a1, z9]")


@pytest.mark.deep
def test_one_of_several_counters_is_chosen_by_name():
    match = patolli.load("founders").start(2, seed=1)
    row = next(one for one in editable(match)["fields"] if one["name"] == "player_1.a1.cube")
    assert (row["value"], row["values"]) == ("none", ["none", "wood", "stone", "gold"])

    match = change(match, "field", "player_1.a1.cube", "gold")

    assert next(one["value"] for one in editable(match)["fields"] if one["name"] == "player_1.a1.cube") == "gold"


def test_moves_follow_from_the_edited_state(chess):
    """Chess works out all moves before it asks; the rule has only looked so far, so it begins again."""
    match = chess.start(2, seed=1)
    assert not any(label.startswith("a1") for label in match.decision.labels)

    pawn = next(one for one in editable(match)["fields"] if one["name"].startswith("a2."))
    holder = pawn["name"].partition(".")[2]
    free = change(match, "field", f"a2.{holder}", "none")

    assert any(label.startswith("a1") for label in free.decision.labels)
    black = change(match, "turn", "", "player_2")
    assert black.decision.player == 1
    assert all(label[1] in "78" for label in black.decision.labels)


def test_a_save_holds_the_edits_and_replays(city):
    match = city.start(2, seed=3, narrate=True)
    match.pick(0)
    match = change(match, "counter", "cocoa(player_2)", 9)
    match.pick(0)

    kept = city.restore(match.to_json(), narrate=True)

    assert kept.edits == match.edits
    assert kept.digest() == match.digest()
    again = city.replay(2, 3, match.choices, narrate=True, edits=match.edits)
    assert again.digest() == match.digest()
    assert [line.words for line in kept.telling()] == [line.words for line in again.telling()]
    assert "The state was changed by hand." in [line.words for line in kept.telling()]
    assert not kept.doubt()


def test_copies_and_take_back_keep_the_edits(city):
    match = city.start(2, seed=3)
    match = change(match, "counter", "cocoa(player_1)", 9)
    copy = match.clone()
    copy.pick(0)

    assert copy.edits == match.edits
    assert match.determinize(0, 1).edits == ()


def test_a_save_with_an_edit_of_no_form_is_damaged(city):
    match = change(city.start(2, seed=3), "counter", "cocoa(player_1)", 9)
    data = json.loads(match.to_json())
    data["edits"] = [[0, "magic", "cocoa(player_1)", 9]]

    with pytest.raises(SaveError, match="'edits' is not what it should be"):
        city.restore(json.dumps(add_checksums(data)))


def test_what_cannot_be_changed_so_is_reported_a_replay(city):
    with pytest.raises(SaveError, match="changed by hand after choice 0 cannot be: no counter"):
        city.replay(2, 3, (), edits=[Edit(0, "counter", "gold", 1)])


@pytest.mark.deep
def test_a_bot_goes_on_from_an_edited_state(city):
    match = change(city.start(2, seed=3), "counter", "cocoa(player_1)", 9)
    bot = patolli.adviser("mcts:20")

    assert match.advice(bot).options


def test_no_player_is_given_the_turn_while_all_answer_at_once():
    match = patolli.load("goofspiel").start(2, seed=1)

    with pytest.raises(ValueError, match="at the same time"):
        change(match, "turn", "", "player_2")
