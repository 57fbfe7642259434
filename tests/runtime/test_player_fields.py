"""Fields of players: mine by their name, those of others behind a point, hidden and kept like all others."""

from __future__ import annotations

import pytest
from laws import play_by_the_laws, views_keep_secrets
from littlepacks import lay, see_same_natively, told
from plain_views import plain_view
from twins import told_the_same

from patolli.author.workspace import load

MODEL = """enums: {plan: [build, raise, sell]}
grids:
  cell: {rows: 3, columns: 3}
counters:
  point: {per: player}
player:
  at: {type: cell or none, text: Where the player stands.}
  chosen: {type: plan = sell, visible: owner}
  ally: player or none
  seen: list of cell
  fresh: {type: bool = true, lasts: turn}
"""
RULES = """rules:
  setup: |
    for p in players: set p.ally to next(p)
  match: |
    repeat 3 times:
      simultaneously for p in players:
        choose x in plan "What?"
        set chosen to x
      for p in players: as p: turn()
    end match
  turn(): |
    choose c in cell where not any(q in players where q.at == c) "Go where?"
    otherwise: stop
    set at to c
    set seen to seen + [c]
    set fresh to false
    if chosen == build: gain 2 point
    let f = ally
    if f:
      if f.at and f.at in adjacent(c): gain 1 point for f
      elif f.fresh: gain 3 point
result: {score: point + size(seen) + (1 if at == b2 else 0)}
"""


@pytest.fixture
def folder(tmp_path):
    return lay(tmp_path, MODEL, RULES)


def players_of(match, seat):
    return match.view(seat)["pieces"]["player"]


def test_views_show_what_a_seat_may_see(folder):
    match = load(folder).start(2, 1)
    match.choose("raise")
    match.choose("build")
    match.choose("b2")

    own, others = players_of(match, 0)["player_1"], players_of(match, 1)["player_1"]
    assert own == {"at": "b2", "chosen": "raise", "ally": "player_2", "seen": ["b2"], "fresh": True}
    assert others == {name: value for name, value in own.items() if name != "chosen"}
    assert (match.view(1)["counters"], match.view(1)["places"], match.view(1)["pieces"]) == plain_view(match, 1)


def test_matches_keep_the_laws_and_the_secrets(folder):
    rules = load(folder)
    play_by_the_laws(rules, 3, 1, 30)
    views_keep_secrets(rules, 3, 1, 12)
    assert told_the_same(rules, 3, 1, 12, 3, bots=1)["views"]


def test_both_engines_play_the_same(folder):
    see_same_natively(folder)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (
            "result:",
            "invariants: {alone: {always: not ally}}\nresult:",
            "P0302: no player is acting here, so 'ally' needs one",
        ),
        ("set at to c", "set at to me", "P0301: expected a cell or none, found a player"),
        ("f.fresh", "f.frsh", "P0201: a player has no 'frsh'"),
        ("set fresh to false", "let at = 3", "P0203: the variable 'at' hides a field of that name"),
        ("if chosen == build", "if next(me).chosen == build", ""),
    ],
)
def test_mistakes_are_found(tmp_path, old, new, found):
    said = told(lay(tmp_path, MODEL, RULES.replace(old, new, 1)))

    assert found in (*said, "")


def test_earlier_versions_have_no_such_section(tmp_path):
    assert "P0201: 'player' comes with a later version of the language" in told(lay(tmp_path, MODEL, RULES, 2))


def test_a_field_of_its_own_name_is_refused(tmp_path):
    said = told(
        lay(tmp_path, MODEL.replace("  point: {per: player}", "  at: {per: player}"), "rules: {match: end match}\n")
    )

    assert "P0203: 'at' is already the name of a field" in said


def test_a_field_that_nothing_reads_is_found(tmp_path):
    said = told(lay(tmp_path, MODEL.replace("  seen:", "  idle: bool\n  seen:"), RULES))

    assert "P0452: nothing reads 'idle', a field of a player" in said
