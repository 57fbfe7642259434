"""Several things are typed in one line, where several are chosen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sitting import sit

import patolli
from patolli.author.workspace import load
from patolli.play.scene.several import Several

PACK = "document: pack\nid: gifts\nversion: 1.0.0\nlanguage: 2\ntitle: Gifts\nplayers: {min: 1, max: 1}\ncomponents: {card: 4}\n"
MODEL = "document: model\nkinds:\n  card: {facts: {rank: int}}\ncounters:\n  point: {per: player}\nplaces:\n  hand: {of: card, per: player, type: area}\n"
PIECES = (
    "document: pieces\nkind: card\npieces:\n  ace: {rank: 1}\n  two: {rank: 2}\n  ten: {rank: 10}\n  king: {rank: 13}\n"
)
RULES = """\
document: rules
rules:
  setup: "for c in card: move c to hand(player_1)"
  match: |
    choose 0 to 3 of c in hand(me) as given "Give which?"
    require sum(c.rank for c in given) <= 15
    gain sum(c.rank for c in given) point
    choose n in 1..2 "And now?"
result: {score: point}
"""


@pytest.fixture
def pack(tmp_path: Path) -> str:
    folder = tmp_path / "gifts"
    folder.mkdir()
    for name, text in (("pack", PACK), ("model", MODEL), ("pieces", PIECES), ("rules", RULES)):
        (folder / f"{name}.yaml").write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    ("typed", "points", "said"),
    [
        ("1 2", 3, ""),
        ("2, 4", 15, ""),
        ("1 2 4", 0, "'king' cannot be chosen with the others"),
        ("king ace", 14, ""),
        ("1 1 2", 3, ""),
        ("3 4", 0, "'king' cannot be chosen with the others"),
        ("1 9", 0, "there is no option '9'"),
    ],
)
def test_typed_together(pack: str, typed: str, points: int, said: str):
    sat = sit(load(pack), [typed], "human")
    assert "(several at once: 1 2)" in sat.asked[0]
    assert said in sat.text
    assert sat.session.match.scores == [points]


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        pytest.param("ace ace", 2, id="two by their name"),
        pytest.param("ace ace ace", 3, id="all of them"),
        pytest.param("1 2", 2, id="by number, one each"),
        pytest.param("2 2", 1, id="one number is one copy"),
        pytest.param("king ace", 14, id="with others"),
    ],
)
def test_equal_copies(pack: str, typed: str, points: int):
    pieces = PIECES.replace("ace: {rank: 1}", "ace: {rank: 1, copies: 3}")
    Path(pack, "pieces.yaml").write_text(pieces)
    Path(pack, "pack.yaml").write_text(PACK.replace("card: 4", "card: 6"))
    sat = sit(load(pack), [typed, "done"], "human")

    assert "1 ace (1)" in sat.asked[0]
    assert sat.session.match.scores == [points]


def test_one_of_several_copies_by_its_name(pack: str):
    Path(pack, "pieces.yaml").write_text(PIECES.replace("ace: {rank: 1}", "ace: {rank: 1, copies: 3}"))
    Path(pack, "pack.yaml").write_text(PACK.replace("card: 4", "card: 6"))
    sat = sit(load(pack), ["ace", "done"], "human")

    assert sat.session.match.scores == [1]
    assert "ten      +11 points" in sat.asked[1]


@pytest.fixture
def pair(pack: str) -> str:
    Path(pack, "rules.yaml").write_text(
        RULES.replace("0 to 3 of", "2 of").replace(
            "    require sum(c.rank for c in given) <= 15", "    otherwise: return"
        )
    )
    return pack


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        pytest.param(["king ace"], 14, id="the last one among them"),
        pytest.param(["4", "1"], 14, id="the last one first"),
        pytest.param(["3", "2"], 12, id="the greater first"),
        pytest.param(["1", "3"], 11, id="in the order of the rules"),
        pytest.param(["3", "undo", "1", "2"], 3, id="one undone"),
    ],
)
def test_any_order(pair: str, typed: list[str], points: int):
    sat = sit(load(pair), typed, "human")

    assert "4 king" in sat.asked[0]
    assert sat.session.match.scores == [points]
    assert "And now?" in sat.text


def test_what_is_chosen_so_far_is_reported_and_its_neighbours_stay(pair: str):
    sat = sit(load(pair), ["3", "ten", "why xyz", "undo", "4"], "human")

    assert "Chosen so far: ten\n  1 ace" in sat.asked[1]
    assert "  2 two" in sat.asked[1]
    assert "  4 king" in sat.asked[1]
    assert "3 ten" not in sat.asked[1]
    assert "'ten' is already chosen; 'undo' undoes it" in sat.asked[2]
    assert "removed from your choices: ten" in sat.text
    assert "Chosen so far: king" in sat.asked[-1]
    assert sat.session.match.choices == []


def test_things_that_do_not_go_with_what_is_chosen_are_not_listed(pack: str):
    sat = sit(load(pack), ["king", "ten", "done"], "human")

    assert "3 ten" not in sat.asked[1]
    assert "'ten' cannot be chosen with the others" in sat.asked[2]
    assert sat.session.match.scores == [13]


def test_same_question_for_another_player_is_another_one(pack: str):
    """What the next player may choose is no business of the one who chooses now."""
    Path(pack, "pack.yaml").write_text(PACK.replace("min: 1, max: 1", "min: 2, max: 2").replace("card: 4", "card: 6"))
    Path(pack, "model.yaml").write_text(MODEL.replace("type: area}", "type: area, visible: owner}"))
    Path(pack, "pieces.yaml").write_text(PIECES + "  six: {rank: 6}\n  nine: {rank: 9}\n")
    Path(pack, "rules.yaml").write_text(
        "document: rules\nrules:\n"
        '  setup: "for c in card: move c to hand(player_1 if c.rank in {1, 2, 10} else player_2)"\n'
        '  match: |\n    for p in players: as p: give()\n    choose n in 1..2 "And now?"\n'
        '  give: |\n    choose 2 of c in hand(me) as given "Give which?"\n    otherwise: return\n'
        "    gain sum(c.rank for c in given) point\nresult: {score: point}\n"
    )
    sat = sit(load(pack), ["ten", "ace"], "human greedy")

    assert "Give which?" in sat.asked[0]
    assert not {"king", "six", "nine"} & set(" ".join(sat.asked[:2]).split())
    assert "  3 ten" in sat.asked[0]
    assert sat.session.match.scores[0] == 11


@pytest.mark.parametrize(
    ("amount", "typed", "said"),
    [
        pytest.param("0 to 3", ["why 3 4"], ["'ten and king' is not offered", "the given: 23"], id="in one line"),
        pytest.param(
            "0 to 3", ["3", "why king"], ["'ten and king' is not offered", "the given: 23"], id="chosen before"
        ),
        pytest.param("2", ["why 1 2 3"], ["'ace, two and ten' is not offered", "at most 2 are taken"], id="too many"),
        pytest.param("2", ["why 4"], ["'king' can be chosen with others"], id="only behind another one"),
        pytest.param("0 to 3", ["why 1 4"], ["'ace and king' is offered", "the given: 14"], id="possible"),
    ],
)
def test_why_speaks_of_the_combination(pack: str, amount: str, typed: list[str], said: list[str]):
    Path(pack, "rules.yaml").write_text(RULES.replace("0 to 3", amount))
    text = sit(load(pack), typed, "human").text

    assert [words for words in said if words not in text] == []


def test_too_few_chosen_is_said(pack: str):
    Path(pack, "rules.yaml").write_text(RULES.replace("0 to 3", "2 to 3"))

    assert "too few are chosen: 1 of at least 2" in sit(load(pack), ["ace", "done"], "human").text


def test_no_two_things_read_alike():
    """The last of those if two are wanted comes later, and is counted with the others."""
    match = patolli.load("packways").start(2, 1, narrate=True)
    draw = random.Random(1)
    seen = 0
    for _ in range(70):
        assert match.decision is not None
        if match.decision.question.kind == "several":
            words = [option.words for option in Several(match).every]
            assert len(set(words)) == len(words)
            seen += len(words) > len(match.decision.options) + 1
        match.pick(draw.randrange(len(match.decision.options)))
    assert seen
