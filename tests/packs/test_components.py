"""Component lists: each pack states what it adds, and modules that know nothing of each other add up."""

from __future__ import annotations

import pytest
from examples import module
from packmaker import loaded, problems
from tiers import few

from patolli.author.workspace import inspect
from patolli.run.compiler.layout import lay_out

BASE = '{sample: ">=1.0"}'


def adding(name: str, number: int | str, components: str = "") -> str:
    """Write a module with *number* more cards, and what its list says."""
    card = f"  {name}_card: {{copies: {number}, number: 1, effect: nothing, text: Does nothing.}}\n"
    listed = f"components: {components}\n" if components else ""
    return (
        module(name, BASE, listed) + f"# {name}/cards.yaml\ndocument: pieces\nkind: card\nplace: deck\npieces:\n{card}"
    )


def told(found):
    """Code, place and words of what was found."""
    return [(p.code, p.span.path.split("/")[-2:], p.message, p.help) for p in found]


def test_two_modules_that_add_pieces_of_one_kind_add_up(tmp_path):
    rules = loaded(tmp_path, adding("fair", 2, "{card: 2}") + adding("guild", 3, "{card: 3}"))

    assert lay_out(rules.resolved_program, 2).size("card") == 17


@pytest.mark.parametrize("name", ["fair", "guild"])
def test_each_of_them_stands_alone(tmp_path, name):
    assert problems(tmp_path, adding(name, 3, "{card: 3}")) == []


def test_a_list_that_states_the_total_is_reported_what_to_say(tmp_path):
    found = problems(tmp_path, adding("fair", 3, "{card: 15}"))

    message = "the component lists together say 27 of 'card', the packs have 15"
    help_ = "a list says what its pack adds, not how many there are then: 'fair' adds 3"
    assert told(found) == [("P0410", ["fair", "pack.yaml"], message, help_)]
    assert [words for _, words in found[0].also] == ["'sample' says 12", "declared here"]


def test_only_the_list_that_is_wrong_is_reported(tmp_path):
    found = problems(tmp_path, adding("fair", 2, "{card: 1}") + adding("guild", 3, "{card: 3}"))

    message = "the component lists together say 16 of 'card', the packs have 17"
    assert told(found) == [("P0410", ["fair", "pack.yaml"], message, "'fair' adds 2")]


def test_pieces_of_which_no_list_speaks_are_reported_where_they_stand(tmp_path):
    found = problems(tmp_path, adding("fair", 2))

    message = "'fair' adds 2 of 'card', and its component list does not say so"
    assert told(found) == [("P0410", ["fair", "cards.yaml"], message, "write 'components: {card: 2}' in its pack.yaml")]


def test_a_module_may_take_pieces_away(tmp_path):
    change = "# fair/change.yaml\ndocument: patch\nchange:\n  - remove: pieces/rich\n"

    assert problems(tmp_path, module("fair", BASE, "components: {card: -4}\n") + change) == []


def test_a_list_of_what_is_taken_away_is_corrected(tmp_path):
    change = "# fair/change.yaml\ndocument: patch\nchange:\n  - remove: pieces/rich\n"
    found = problems(tmp_path, module("fair", BASE, "components: {card: -1}\n") + change)

    message = "the component lists together say 11 of 'card', the packs have 8"
    assert told(found) == [("P0410", ["fair", "pack.yaml"], message, "'fair' adds -4")]


def test_a_module_that_takes_pieces_away_without_a_list_learns_what_to_say(tmp_path):
    change = "# fair/change.yaml\ndocument: patch\nchange:\n  - remove: pieces/rich\n"
    found = problems(tmp_path, module("fair", BASE, "") + change)

    message = "because of this: the component list says 12 of 'card', the pack has 8"
    help_ = "say in the 'components' of 'fair' what it adds, below zero for what it removes"
    assert told(found) == [("P0410", ["fair", "change.yaml"], message, help_)]


def test_a_list_may_speak_of_copies_of_one_piece(tmp_path):
    assert problems(tmp_path, adding("fair", 2, "{card: 2, fair_card: 2}")) == []


def test_a_module_may_have_a_list_where_its_base_has_none(tmp_path):
    base = "# pack.yaml\n" + (
        "document: pack\nid: sample\nversion: 1.2.0\nlanguage: 1\nproofs: full\ntitle: S\nplayers: {min: 2, max: 4}\n"
        "options:\n  length: {choices: [long, short], default: long}\n  bonus: {range: [0, 3], default: 1}\n"
    )
    errors = [p for p in problems(tmp_path, base + adding("fair", 2, "{card: 2}")) if p.severity == "error"]

    assert errors == []


@pytest.mark.deep
def test_modules_that_are_shipped_state_what_they_add():
    assert inspect("city_of_gods", ["obsidian", "mansion", "bot_movement"], warnings=False).problems == []


@pytest.mark.parametrize(
    ("copies", "when", "total"),
    few(
        [
            pytest.param("{by: seats, 2: 4, 3: 8, 4: 10}", "with 2 players", 16, id="a table by seats"),
            pytest.param("2 * seats", "with 2 players", 16, id="an expression with seats"),
            pytest.param("seats + 1", "with 3 players", 16, id="right for two players"),
            pytest.param("{by: length, long: 4, short: 1}", "with length=long", 16, id="a table by an option"),
            pytest.param("3 + bonus", "with bonus=1", 16, id="an expression with an option"),
            pytest.param("seats + bonus + 1", "with 2 players and bonus=1", 16, id="both"),
        ],
        0,
        2,
    ),
)
def test_a_number_that_differs_from_match_to_match_is_reported_once(tmp_path, copies, when, total):
    found = problems(tmp_path, adding("fair", copies, "{card: 3}"))

    message = f"the component lists together say 15 of 'card', {when} there are {total}"
    help_ = "leave 'card' out of the list, its number differs from match to match"
    assert told(found) == [("P0410", ["fair", "pack.yaml"], message, help_)]


@pytest.mark.parametrize("copies", ["{by: seats, 2: 4, 3: 8, 4: 10}", "3 + bonus"])
def test_a_pack_may_leave_out_what_differs_from_match_to_match(tmp_path, copies):
    assert problems(tmp_path, adding("fair", copies)) == []


def with_tokens(number, copies="3"):
    """Write a base for up to four players whose list says *number* of what every player has."""
    return (
        "# pack.yaml\ndocument: pack\nid: sample\nversion: 1.2.0\nlanguage: 1\nproofs: full\ntitle: The sample\n"
        "players: {min: 2, max: 4}\n"
        "options:\n  length: {choices: [long, short], default: long}\n  bonus: {range: [0, 3], default: 1}\n"
        f"components: {{card: 12, token: {number}}}\n"
        f"# tokens.yaml\ndocument: model\nkinds:\n  token: {{per: player, copies: {copies}}}\n"
    )


def lists_of(found):
    """What is reported about the numbers of pieces."""
    return [words for words in told(found) if words[0] == "P0410"]


def test_of_what_every_player_has_the_list_says_what_the_most_players_need(tmp_path):
    assert lists_of(problems(tmp_path, with_tokens(12))) == []


@pytest.mark.parametrize("number", [3, 11, 13])
def test_another_number_of_what_every_player_has_is_reported(tmp_path, number):
    found = lists_of(problems(tmp_path, with_tokens(number)))

    what = "add a piece, or raise some 'copies'" if number > 12 else "a piece or its 'copies' are too many"
    message = f"the component list says {number} of 'token', the pack has 12"
    help_ = f"{what}; or correct the list (up to 4 players have 3 each)"
    assert [(where[-1], *words) for _, where, *words in found] == [("pack.yaml", message, help_)]


def test_what_every_player_has_more_of_with_fewer_players_is_left_out(tmp_path):
    found = lists_of(problems(tmp_path, with_tokens(12, "{by: seats, 2: 4, 3: 3, 4: 3}")))

    message = "the component list says 12 of 'token', with 2 players there are 16"
    assert [words for _, _, words, _ in found] == [message]


def test_a_module_for_fewer_players_takes_nothing_away(tmp_path):
    alone = module("alone", BASE, "players: {min: 1, max: 1}\nautomated: 1\n")

    assert lists_of(problems(tmp_path, with_tokens(12) + alone)) == []


def test_a_module_for_more_players_need_not_know_what_they_all_have(tmp_path):
    crowd = module("crowd", BASE, "players: {min: 2, max: 5}\n")

    assert lists_of(problems(tmp_path, with_tokens(12) + crowd)) == []


GRID = "# board.yaml\ndocument: model\ngrids:\n  field: {{prefix: f_, rows: 2, columns: 3{}}}\n"


@pytest.mark.parametrize(
    ("more", "listed", "help_"),
    [
        ("", 6, ""),
        ("", 8, "correct its size; or correct the list"),
        (", per: player", 24, ""),
        (", per: player", 6, "correct its size; or correct the list (up to 4 players have 6 each)"),
    ],
)
def test_cells_of_a_grid_are_mended_by_its_size(tmp_path, more, listed, help_):
    pack = with_tokens(12).replace("token: 12}", f"token: 12, field: {listed}}}")

    assert [words for *_, words in lists_of(problems(tmp_path, pack + GRID.format(more)))] == [help_] * bool(help_)
