"""``pay c.price coin as project for c``: conditions of discounts, substitutions and waivers look at what is paid for."""

from __future__ import annotations

import pytest
from laws import play_by_the_laws
from littlepacks import lay, see_same_natively, told

from patolli.author.workspace import load
from patolli.check.prose import describe_entry

MODEL = """enums: {tag: [building, space, earth]}
kinds:
  project: {facts: {price: int 0..40, tags: list of tag}, fields: {cubes: int 0..3 = 0}}
counters:
  coin: {per: player, start: 6, noun: [coin, coins]}
  steel: {per: player, start: 3, noun: [steel, steel]}
places:
  hand: {of: project, per: player, type: area}
  played: {of: project, per: player, type: area}
"""
PIECES = """document: pieces
kind: project
pieces:
  tower: {price: 9, tags: [building]}
  probe: {price: 5, tags: [space]}
  dig: {price: 7, tags: [earth, building]}
  office: {price: 4, tags: [earth]}
  far: {price: 20, tags: [space]}
"""
RULES = """substitutions:
  steel: {give: 1 steel, for: up to 2 coin, on: project, when: building in it.tags}
discounts:
  office: {on: project, less: 3 of coin, when: earth in it.tags and office in played(me)}
  fame: {on: project, more: 1 coin, when: it.cubes > 0}
rules:
  setup: |
    for c in project: move c to hand(players[0])
  match: |
    repeat 3 times: as players[0]: turn()
  turn(): |
    choose one "What do you do?":
      for c in hand(me) "play": play(c)
      "plant": pay 5 coin as standard
      "nothing": nothing
  play(project c): |
    pay c.price coin as project for c
    move c to played(me)
result: {score: coin}
"""


def begin(tmp_path, *given, rules=RULES):
    """Start a match, and change the start of player 1."""
    lines = "".join(f"\n    {line}" for line in given)
    return load(
        lay(tmp_path, MODEL, rules.replace("players[0])\n  match", f"players[0]){lines}\n  match"), pieces=PIECES)
    ).start(2, 1)


def labels(match):
    return [option.label for option in match.decision.options]


def test_only_buildings_are_paid_with_steel(tmp_path):
    match = begin(tmp_path)
    assert labels(match) == ["play tower", "play probe", "play dig", "play office", "plant", "nothing"]
    match.choose("play tower")
    assert len(labels(match)) == 2  # 5 coins and 2 steel, or 3 and 3; 6 and 2 takes more than 5 and 2
    match.choose(0)
    left = match.view(0)["counters"]
    assert (left["coin"]["player_1"], left["steel"]["player_1"]) == (1, 1)


def test_discount_looks_at_what_is_paid_for(tmp_path):
    match = begin(tmp_path, "set steel(players[0]) to 0", "move office to played(players[0])")
    assert labels(match) == ["play probe", "play dig", "plant", "nothing"]  # dig costs 4, the tower 9
    match.choose("play dig")
    assert match.view(0)["counters"]["coin"]["player_1"] == 2


def test_surcharge_looks_at_what_is_paid_for(tmp_path):
    match = begin(tmp_path, "set office.cubes to 1", "set probe.cubes to 1", "set steel(players[0]) to 0")
    match.choose("play office")
    assert match.view(0)["counters"]["coin"]["player_1"] == 1


def test_other_payments_take_no_steel(tmp_path):
    match = begin(tmp_path, "set coin(players[0]) to 4")
    assert "plant" not in labels(match)


def test_reasons_name_what_helps_in_this_payment_only(tmp_path):
    match = begin(tmp_path, "set coin(players[0]) to 2")
    assert labels(match) == ["play dig", "nothing"]


def test_matches_keep_the_laws(tmp_path):
    play_by_the_laws(load(lay(tmp_path, MODEL, RULES, pieces=PIECES)), 2, 1, 30)


def test_both_engines_play_the_same(tmp_path):
    see_same_natively(lay(tmp_path, MODEL, RULES, pieces=PIECES))


def test_sentences(tmp_path):
    program = load(lay(tmp_path, MODEL, RULES, pieces=PIECES)).model.program
    assert describe_entry(program, "rules", "play")[0][1] == (
        "Pay as many coins as the price of that project for that project, then move that project to your played."
    )
    assert "this project" in describe_entry(program, "substitutions", "steel")[0][1]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (
            "as project for c",
            "as project",
            "P0205: 'it' is what is paid for, and a payment as 'project' does not say that",
        ),
        ("as project for c", "as project for me", "P0301: a payment is for a piece, not for a player"),
        ("as project for c", "as project for 3", "P0301: expected a piece that is paid for, found a number"),
        ("as standard", "as project for tower.tags", "P0301: expected a piece that is paid for, found a list of tag"),
        ("as standard", "as project for tag", "P0301: expected a piece that is paid for, found a list of tag"),
        ("as standard", "as project for building", "P0301: 'it' would be a project and a tag"),
        ("on: project, when: building", "when: building", "P0205: nothing says which payments 'it' is of"),
        ("building in it.tags", "building in it.tag", "P0201: a project has no 'tag'"),
    ],
)
def test_mistakes_are_found(tmp_path, old, new, found):
    said = told(lay(tmp_path, MODEL, RULES.replace(old, new, 1), pieces=PIECES))
    assert len([one for one in said if one.startswith(found)]) == 1


LIFTED = RULES.replace(
    "rules:\n",
    "waivers:\n  lift: {each: c in played(me), on: project, of: coin, when: c.cubes == 0 and space in it.tags, do: set c.cubes to 1}\nrules:\n",
    1,
)


def test_waiver_looks_at_what_is_paid_for_and_at_what_it_takes(tmp_path):
    match = begin(tmp_path, "move office to played(players[0])", rules=LIFTED)
    assert "play far" in labels(match)  # 20 coins, which the office lifts
    assert "play tower" in labels(match)
    match.choose("play far")
    assert match.view(0)["counters"]["coin"]["player_1"] == 6
    assert "play probe" in labels(match)
    match.choose("play probe")  # two ways: the far probe lifts the price, or 5 coins are paid
    assert len(labels(match)) == 2
    assert "this card" not in describe_entry(match.ruleset.resolved_program, "waivers", "lift")[0][1]
    assert "cubes" in describe_entry(match.ruleset.resolved_program, "waivers", "lift")[0][1]


def test_waivers_with_it_are_alike_in_both_engines(tmp_path):
    folder = lay(tmp_path, MODEL, LIFTED, pieces=PIECES)
    see_same_natively(folder)
    play_by_the_laws(load(folder), 2, 1, 30)


@pytest.mark.parametrize("when", ["it.price > c.price", "c.cubes == 0 and it.price > c.price"])
def test_condition_of_a_waiver_looks_at_one_thing(tmp_path, when):
    waiver = f"  free: {{each: c in hand(me), on: project, of: coin, when: {when}, do: set c.cubes to 1}}\n"
    found = told(lay(tmp_path, MODEL, f"waivers:\n{waiver}{RULES}", pieces=PIECES))
    assert found[0].startswith("P0205: a condition of a waiver uses either 'it', which is paid for, or 'c', not both")
