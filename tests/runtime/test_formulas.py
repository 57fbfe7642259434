"""Facts that are formulas: evaluated when they are read, for the piece and for the acting player."""

from __future__ import annotations

import pytest
from laws import play_by_the_laws
from littlepacks import lay, see_same_natively, told

from patolli.author.workspace import inspect, load
from patolli.check.prose import describe_entry

MODEL = """kinds:
  deed: {facts: {hue: int = 0, worth: {type: formula = it.hue}, fame: formula = 0}, fields: {marks: int 0..9 = 0}}
counters:
  point: {per: player, max: 20}
places:
  stock: {of: deed, type: area}
  built: {of: deed, per: player, type: area}
"""
PIECES = """document: pieces
kind: deed
place: stock
pieces:
  plain: {hue: 2, copies: 2}
  guild: {worth: count(d in built(me) where d.hue == 2)}
  hoard: {worth: point div 2}
  tower: {worth: it.marks * 2, hue: 1}
  again: {like: tower, fame: 1}
  proud: {worth: 5, fame: sum(d.worth for d in built(me) where d != it)}
"""
RULES = """functions:
  mine(): sum(d.worth + d.fame for d in built(me))
rules:
  setup: nothing
  match: |
    loop:
      choose d in stock "Build what?"
      otherwise: break
      move d to built(me)
      gain d.worth point
      for x in built(me): set x.marks to min(9, x.marks + 1)
      pass to next(me)
result: {score: mine(me) + 100 * mine(next(me))}
"""


def folder_of(tmp_path, pieces=PIECES, model=MODEL, rules=RULES, **more):
    return lay(tmp_path, model, rules, pieces=pieces, **more)


def test_formulas_are_evaluated_when_they_are_read(tmp_path):
    match = load(folder_of(tmp_path)).start(2, 1)
    for piece in ("plain_1", "hoard", "plain_2", "again", "guild", "tower"):  # proud is the only one left
        match.choose(piece)
    assert match.view(0)["counters"]["point"] == {"player_1": 11, "player_2": 0}
    # plain 2 + plain 2 + guild 2 + proud 5 and its fame 6; hoard 0, again 2 * 2 + 1, tower 2 * 1
    assert match.scores == [17 + 100 * 7, 7 + 100 * 17]


def test_matches_keep_the_laws(tmp_path):
    play_by_the_laws(load(folder_of(tmp_path)), 2, 1, 30)


def test_both_engines_play_the_same(tmp_path):
    see_same_natively(folder_of(tmp_path))


def test_sentence_of_a_piece_says_its_formulas(tmp_path):
    program = load(folder_of(tmp_path)).model.program
    assert describe_entry(program, "pieces", "proud") == [
        ("fame", "See the rule: `sum(d.worth for d in built(me) where d != it)`.")
    ]


def test_number_of_a_formula_may_stand_in_the_text_of_its_piece(tmp_path):
    model = MODEL.replace("hue: int = 0", "hue: int = 0, act: effect = nothing")
    rules = RULES.replace("gain d.worth point", "gain d.worth point; do d.act")
    for formula in ("7", "7 * it.hue"):
        piece = f"  gift: {{worth: {formula}, act: gain 2 point, text: Gain 2 points; worth 7.}}\n"
        assert not [one for one in told(folder_of(tmp_path, PIECES + piece, model, rules)) if "P0440" in one]


def test_many_designs_nest_a_few_times_only(tmp_path):
    pieces = "".join(f"  one_{n}: {{worth: it.marks + {n}}}\n" for n in range(300))
    match = load(folder_of(tmp_path, PIECES + pieces)).start(2, 1)
    match.choose("one_123")
    match.choose("one_17")
    assert match.view(0)["counters"]["point"]["player_2"] == 17


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("point div 2", "poin div 2", "P0201: unknown name 'poin'"),
        ("point div 2", "me", "P0301: expected a number, found a player"),
        ("point div 2", "[1, 2]", "P0301: 'worth' is a formula: one expression"),
        ("{worth: 5", "{worth: {by: seats, 2: 1, else: 2}", "P0301: 'worth' is a formula: one expression"),
        (
            "hue == 2)",
            "worth == 2)",
            "P0441: the function 'deed.worth.guild' depends on itself, and no condition stops it",
        ),
        ("worth: 5", "wort: 5", "P0204: 'deed' has no fact 'wort'"),
    ],
)
def test_mistakes_in_pieces_are_found(tmp_path, old, new, found):
    assert found in told(folder_of(tmp_path, PIECES.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("formula = it.hue", "formula = it.hues", "P0201: a deed has no 'hues'"),
        ("formula = it.hue", "formula", "P0204: 'plain' lacks the fact 'worth'"),
        ("fame: formula = 0", "marks: formula = 0", "P0203: 'marks' is declared twice in 'deed'"),
        ("marks: int 0..9 = 0", "marks: formula = 0", "P0201: unknown type 'formula'"),
        ("hue: int = 0", "hue: list of formula", "P0201: unknown type 'formula'"),
        ("hue: int = 0", "hue: formula 0..3 = 0", "P0201: unknown type 'formula'"),
    ],
)
def test_mistakes_in_the_kind_are_found(tmp_path, old, new, found):
    assert found in told(folder_of(tmp_path, model=MODEL.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("do", "found"),
    [
        ("set d.worth to 3", "P0306: 'worth' is a formula, which is evaluated when it is read"),
        ("let k = d.design\n      gain k.worth point", "P0201: a design of deed has no 'worth'"),
        ("gain d.worht point", "P0201: a deed has no 'worht'"),
    ],
)
def test_mistakes_in_rules_are_found(tmp_path, do, found):
    assert found in told(folder_of(tmp_path, rules=RULES.replace("gain d.worth point", do)))


def test_numbers_of_copies_are_read_from_a_fact(tmp_path):
    folder = folder_of(tmp_path, rules=RULES.replace("gain d.worth point", "gain copy point"))
    found = [one.help for one in inspect(folder).problems if one.message == "unknown name 'copy'"]
    assert found == ["facts of pieces know it; write a fact such as 'nth: copy', and read it.nth"]


def test_a_name_offers_formulas_under_no_other_name(tmp_path):
    found = inspect(folder_of(tmp_path, model=MODEL.replace("deed: {", 'deed: {name: "deed {fame}", ')))
    assert [one.help for one in found.problems if one.code == "P0469"] == ["there are: hue, marks"]
