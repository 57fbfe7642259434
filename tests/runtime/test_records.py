"""Records are values that are made of several values. Each is one number of a kind of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from laws import play_by_the_laws, views_keep_secrets
from littlepacks import lay, scores, see_same_natively, told
from plain_views import plain_view
from twins import told_the_same

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import load
from patolli.measure.observations.relative import label, number_relative
from patolli.measure.simulation import Plan as Games
from patolli.measure.simulation import simulate
from patolli.serve.studio.scene.aims import Aims

HEDGEROWS = str(Path(__file__).parents[1] / "data" / "hedgerows")
MODEL = """enums: {face: [sun, moon]}
records:
  bid: {fields: {dice: int 1..6, face: face, sure: bool}, name: "{dice} of {face}"}
  oath: {fields: {what: bid or none, to: player}}
kinds:
  stone: {copies: 2}
grids:
  plot: {per: player, rows: 1, columns: 2, prefix: p_}
places:
  heap: {of: stone, type: area}
  under: {of: stone, per: bid, type: spot}
counters:
  point: {per: player}
  said: {per: [player, bid]}
table:
  called: {type: bid or none, told: true}
player:
  sworn: {type: oath, visible: owner}
  past: list of bid
constants:
  best: {type: bid, value: "bid(6, moon, true)"}
"""
RULES = """functions:
  raised(bid b): "[bid(n, f, true) for n in b.dice..6, f in face where n > b.dice or f != b.face]"
  higher(bid b): not called or b.dice > called.dice
rules:
  setup: |
    for s in stone: move s to heap
    for p in players: set p.sworn to oath(none, next(p))
  match: |
    repeat 3 times:
      simultaneously for p in players: swear()
      for p in players: as p: turn()
    end match
  swear(): |
    choose b in bid "Swear what?"
    set sworn.what to b
    set sworn.to to previous(me)
  turn(): |
    choose b in bid where higher(b) or b == best "Call what?"
    set called to b
    gain 1 said(b)
    set past to past + [b]
    set b.dice to 1
    set b.sure to size(reachable(b, raised)) > 3
    if b == bid(1, b.face, true): gain b.dice point
    if not under(b):
      for s in heap:
        if not under(b): move s to under(b)
result: {score: "point + sum(x.dice for x in past) + sum(said(b) for b in bid where b.face == moon) + (sworn.what.dice if sworn.what else 0)"}
"""


@pytest.fixture
def folder(tmp_path):
    return lay(tmp_path, MODEL, RULES)


def see(tmp_path, match, *conditions, records="pair: {fields: {left: int 0..3, right: bool}}", model=""):
    """See that conditions hold in a match that does something."""
    tests = " and ".join(conditions)
    rules = f"rules:\n  match: |\n    {match}\n    if {tests}: gain 1 point\n    end match\nresult: {{score: point}}\n"
    folder = lay(tmp_path, f"records:\n  {records}\ncounters: {{point: {{per: player}}}}\n{model}", rules)
    return list(load(folder).start(2, 1).scores)


def test_labels_views_and_saves_join_the_values(folder):
    rules = load(folder)
    match = rules.start(2, 1)
    assert [option.label for option in match.decision.options][:3] == ["1/sun/false", "1/sun/true", "1/moon/false"]
    assert match.decision.options[2].words.startswith("1 of moon")
    match.choose("2/sun/true")
    match.choose("3/moon/true")
    match.choose("4/moon/false")

    assert match.view(0)["pieces"]["table"]["table"]["called"] == "4/moon/false"
    assert match.view(0)["pieces"]["player"]["player_1"]["sworn"] == "2/sun/true/player_2"
    assert "sworn" not in match.view(1)["pieces"]["player"]["player_1"]
    assert (match.view(1)["counters"], match.view(1)["places"], match.view(1)["pieces"]) == plain_view(match, 1)
    assert rules.restore(match.to_json()).state == match.state


def test_matches_keep_the_laws_and_the_secrets(folder):
    rules = load(folder)
    play_by_the_laws(rules, 2, 1, 20)
    views_keep_secrets(rules, 2, 1, 8)
    assert told_the_same(rules, 2, 1, 8, 3, bots=1)["views"]


def test_both_engines_play_the_same(folder):
    see_same_natively(folder)


def test_observations_turn_the_players_in_records(tmp_path):
    model = "records:\n  oath: {fields: {n: int 1..2, to: player or none}}\n  pair: {fields: {a: oath, b: player, c: bool}}\ntable: {t: pair or none}\n"
    rules = "rules:\n  match: |\n    set t to pair(oath(1, me), me, true)\n    if t: end match\n    end match\n"
    layout = load(lay(tmp_path, model, rules)).program(3).layout
    names = [one.id for one in layout.instances["pair"]]
    turned = number_relative(layout, "pair", 1)

    assert sorted(turned) == list(range(len(names)))
    assert names[turned[names.index("2/player_2/player_1/true")]] == "2/player_1/player_3/true"
    assert label(layout, "pair", names.index("1/none/player_2/false")) == "1/none/next_1/false"
    assert label(layout, "oath", 1) == "1/me"


@pytest.mark.parametrize(
    ("match", "conditions"),
    [
        pytest.param("let p = pair(2, true)", ["p.left == 2", "p.right", "number(p) == 6"], id="made and read"),
        pytest.param("let p = pair(2, true)", ["p == pair(1 + 1, true)", "p != pair(2, false)"], id="compared"),
        pytest.param("let p = pair(2, true); let q = p; set p.left to 0", ["q.left == 2", "p.left == 0"], id="a value"),
        pytest.param("let p = pair(0, false)", ["count(pair) == 8", "p in pair", "pair[0] == p"], id="all of them"),
        pytest.param("let p = first(x in pair where x.left == 3 and x.right) or pair(0, false)", ["p == pair(3, true)"], id="found"),
        pytest.param("let p = none; set p to pair(1, true); set p.left to 2", ["p == pair(2, true)"], id="begins as none"),
    ],
)  # fmt: skip
def test_records_are_values(match, conditions, tmp_path):
    assert see(tmp_path, match, *conditions) == [1, 0]


def test_records_hold_records_players_and_cells_of_players(tmp_path):
    records = (
        "spot: {fields: {at: plot, whose: player or none}}\n  way: {fields: {from: spot, to: spot}}\n"
        "  tie: {fields: {a: low, b: low}}\n  low: {fields: {n: int -2..-1}}"
    )
    model = "grids: {plot: {per: player, rows: 1, columns: 2, prefix: p_}}\n"
    match = (
        "let w = way(spot(plot[1], none), spot(plot[3], me)); set w.from.whose to next(me); "
        "let t = tie(low(-2), low(-1)); set t.a.n to -1"
    )
    conditions = (
        "count(spot) == 12", "count(way) == 144", "w.from.whose == next(me)", "w.to.at == plot[3]", "w.to.whose == me",
        "w.from.at == plot[1]", "t == tie(low(-1), low(-1))", "count(tie) == 4",
    )  # fmt: skip
    assert see(tmp_path, match, *conditions, records=records, model=model) == [1, 0]


def test_records_stand_in_facts_defaults_constants_and_places(tmp_path):
    model = (
        "kinds:\n  card: {facts: {start: pair, all: list of pair}, fields: {now: 'pair = pair(2, true)'}}\n"
        "places: {slot: {of: card, per: pair, type: spot}}\n"
        "constants:\n  low: {type: pair, value: 'pair(0, false)'}\n  by_seats: {type: pair, value: {by: seats, 2: low, else: 'pair(1, true)'}}\n"
    )  # fmt: skip
    cards = (
        "document: pieces\nkind: card\npieces:\n"
        "  ace: {start: 'pair(3, true)', all: [low, 'pair(1, false)'], place: 'slot(pair(2, false))'}\n  two: {start: low}\n"
    )  # fmt: skip
    rules = (
        "rules:\n  match: |\n    set ace.now.left to 1\n    if slot(pair(2, false)) == ace: gain 1 point\n"
        "    if ace.start.left == 3 and ace.all[1] == pair(1, false): gain 10 point\n    if by_seats == low: gain 100 point\n"
        "    if ace.now == pair(1, true) and two.now == pair(2, true): gain 1000 point\n    end match\nresult: {score: point}\n"
    )  # fmt: skip
    model = "records: {pair: {fields: {left: int 0..3, right: bool}}}\ncounters: {point: {per: player}}\n" + model
    assert scores(lay(tmp_path, model, rules, cards=cards)) == [1111, 0]


@pytest.mark.parametrize(
    ("records", "match", "said"),
    [
        ("pair: {fields: {a: int, b: bool}}", "", "P0205: the values of 'a' cannot be counted: it is a number"),
        ("pair: {fields: {a: list of player}}", "", "P0205: the values of 'a' cannot be counted: it is a list of players"),
        ("pair: {fields: {a: text}}", "", "P0205: the values of 'a' cannot be counted: it is a text"),
        ("pair: {fields: {a: int 0..3 or none}}", "", "P0103: 'int 0..3 or none' is not a type"),
        ("pair: {fields: {a: int 0..3 = 1}}", "", "P0205: 'a' has a default, and a record is made with all its values"),
        ("pair: {fields: {a: {type: bool, visible: none}}}", "", "P0205: 'a' is in a record, where 'visible' has no meaning"),
        ("pair: {fields: {a: {type: bool, told: true}}}", "", "P0205: 'a' is in a record, where 'told' has no meaning"),
        ("pair: {fields: {a: {type: bool, lasts: turn}}}", "", "P0205: 'a' is in a record, where 'lasts' has no meaning"),
        ("pair: {fields: {a: piar}}", "", "P0201: unknown type 'piar'"),
        ("pair: {fields: {}}", "", "P0056: `fields` of `pair` may not be empty"),
        ("pair: {fields: {a: int 0..400, b: int 0..400}}", "", "P0054: all records have more than 100,000 values, with these"),
        ("pair: {fields: {a: other}}\n  other: {fields: {b: pair}}", "", "P0205: a pair would be in itself, by 'b'"),
        ("pair: {fields: {a: card}}", "", "P0205: a card may be hidden, and everybody sees what is in a record"),
        ("pair: {fields: {a: int 0..3}}", "let p = pair(4)", "P0417: 'a' goes from 0 to 3, and this is 4"),
        ("pair: {fields: {a: int 0..3}}", "let p = pair(0); set p.a to 5", "P0417: 'a' goes from 0 to 3, and this is 5"),
        ("pair: {fields: {a: int 0..3}}", "let p = pair(me)", "P0301: expected a number, found a player"),
        ("pair: {fields: {a: int 0..3}}", "let p = pair()", "P0302: 'pair' takes 1 argument, found 0"),
        ("pair: {fields: {a: int 0..3}}", "set pair(1).a to 2", "P0306: this cannot be set"),
        ("pair: {fields: {a: player}}", "let p = pair(none)", "P0301: expected a player, found none"),
    ],
)  # fmt: skip
def test_mistakes_are_reported_once(records, match, said, tmp_path):
    model = f"records:\n  {records}\nkinds: {{card: {{copies: 2}}}}\nplaces: {{deck: {{of: card, type: pile, visible: none}}}}\n"
    rules = f"rules:\n  match: |\n    {match or 'let x = 1'}\n    for c in card: move c to deck\n    let q = first(pair)\n    end match\n"
    found = [one for one in told(lay(tmp_path, model, rules)) if not one.startswith("P04") or "P0417" in one]
    assert found == [said]


def test_older_versions_have_no_records(tmp_path):
    folder = lay(tmp_path, "records: {pair: {fields: {a: bool}}}\n", "rules:\n  match: end match\n", 2)
    assert "P0201: a record comes with a later version of the language" in told(folder)


def test_a_number_outside_the_bounds_fails_in_the_match(tmp_path):
    manifest = "document: pack\nid: little\nversion: 1.0.0\nlanguage: 3\ntitle: Little\nplayers: {min: 1, max: 1}\n"
    rules = "rules:\n  match: |\n    choose n in 1..9\n    let p = pair(n)\n    if p.a > 2: end match\n"
    folder = lay(tmp_path, "records: {pair: {fields: {a: int 1..8}}}\n", rules, pack=manifest)
    match = load(folder).start(1, 1)
    with pytest.raises(Exception, match="'a' goes from 1 to 8, and would be 9"):
        match.choose("9")


# ---- a game of tiles whose sides are records


def test_a_click_on_a_cell_means_its_sides():
    match = load(HEDGEROWS).start(2, 1)
    match.choose(0)
    found = Aims(match, match.decision.player).places(match.decision.options[0])
    assert (match.decision.options[0].label, found) == ("to c2/2", ["cell:c2", "side:c2/2"])


def test_scenarios_of_hedgerows_pass():
    result = run_scenarios(Plan((HEDGEROWS,), smoke=False))
    assert (result.problems, result.failed_outcomes) == ([], [])


@pytest.mark.deep
def test_hedgerows_keeps_the_laws_and_is_the_same_in_both_engines():
    rules = load(HEDGEROWS)
    play_by_the_laws(rules, 3, 1, 60)
    views_keep_secrets(rules, 2, 1, 10)
    see_same_natively(HEDGEROWS)
    python, native = (simulate(rules, Games(2, 200, seed=1), engine=engine) for engine in ("python", "native"))
    assert python.games == native.games
    assert all(game.scores for game in python.games)
