"""What things are called: from templates, from ids, for each reader, and never more than that one may know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packmaker import problems

from patolli import ContentError, SaveError, load
from patolli.language.program import types as ty
from patolli.run.runtime import Match
from patolli.run.runtime.match_story import OTHER
from patolli.run.runtime.score_sheet import terms
from patolli.run.runtime.seals import add_checksums
from patolli.run.runtime.sentences import add_article, introduce_piece

GALLERY = sorted(folder for folder in (Path(__file__).parents[2] / "content" / "gallery").iterdir() if folder.is_dir())
MODEL = """
document: model
enums:
  suit: [wild_oak, elm]
kinds:
  card:
    name: "{rank} of {suit}"
    noun: [card, cards]
    facts: {rank: int, suit: suit, proud: bool = false}
  scout: {per: player, copies: 2, name: "scout after {steps} moves", fields: {steps: int = 0}}
  spy: {per: player, copies: 2, name: "spy with {gold} gold", fields: {gold: {type: int = 1, visible: none}}}
  herald: {per: player, name: "{owner's} herald"}
  stone: {facts: {weight: int}}
  shrub: {facts: {name: text}}
  chest: {name: "chest of {lid}", facts: {lid: card, inside: list of card}}
counters:
  coin: {per: player, start: 3, noun: [coin, coins]}
  votes: {per: [player, card], text: Votes of the town, noun: [vote, votes]}
places:
  deck: {of: card, type: pile, visible: none}
  offer: {of: card, type: row, size: 3, name: "the fair"}
  hand: {of: card, per: player, type: area, visible: owner, name: hand}
  road: {of: scout, per: card, type: area, name: "the road to {card}"}
  camp: {of: scout, per: [player, card], type: area}
grids:
  field: {rows: 2, columns: 2, name: "{row}/{column}"}
"""
PIECES = """
# cards.yaml
document: pieces
kind: card
place: deck
pieces:
  low_oak: {rank: 1, suit: wild_oak}
  high_oak: {rank: 2, suit: wild_oak, name: "the {proud} oak of {rank}", proud: true}
  low_elm: {rank: 1, suit: elm, copies: 3}
# stones.yaml
document: pieces
kind: stone
pieces:
  big_stone: {weight: 2, copies: 2}
  pebble: {weight: copy, copies: 2}
# shrubs.yaml
document: pieces
kind: shrub
pieces:
  shrub_1: {name: holly}
# chests.yaml
document: pieces
kind: chest
pieces:
  old_chest: {lid: low_oak, inside: "{low_oak, high_oak}"}
  new_chest: {lid: high_oak, name: "chest with {inside} under {lid.suit}", inside: "{low_oak, high_oak, low_elm_1}"}
"""


def started(
    folder: Path, body: str = "nothing", more: str = "", names: tuple[str, ...] = (), first: str = "nothing"
) -> Match:
    """A match of a little pack that is set up with *body*, and in which *first* happens."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    rules = (
        f"document: rules\nrules:\n  setup: |\n{lines}  match: |\n    {first}\n    repeat 3 times: choose n in 1..2\n"
    )
    files = {
        "pack.yaml": "document: pack\nid: town\nversion: 1.0.0\nlanguage: 1\ntitle: Town\nplayers: {min: 2, max: 2}\n"
    }
    files |= {"model.yaml": MODEL, "rules.yaml": rules}
    for part in (PIECES + more).split("\n# ")[1:]:
        name, _, text = part.partition("\n")
        files[name] = text
    pack = folder / "town"
    pack.mkdir(exist_ok=True)
    for name, text in files.items():
        (pack / name).write_text(text, "utf-8")
    return load(str(pack)).start(2, seed=1, narrate=True, names=names)


def called(match: Match, id_: str, seat: int = 0) -> str:
    """What a piece is called, by its id."""
    kind = next(kind for kind, name in match.program.layout.index if name == id_)
    return match.naming(seat).piece(kind, match.program.layout.index[(kind, id_)], shown=True)


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        pytest.param("low_oak", "1 of wild oak", id="template of the kind"),
        pytest.param("high_oak", "the proud oak of 2", id="name of its own, with something that is true"),
        pytest.param("low_elm_2", "1 of elm", id="copies that are alike"),
        pytest.param("player_2.scout_1", "player 2's scout after 0 moves", id="of a player"),
        pytest.param("player_2.herald_1", "player 2's herald", id="names its owner itself"),
        pytest.param("big_stone_1", "big stone", id="id"),
        pytest.param("pebble_2", "pebble 2", id="copies with other facts"),
        pytest.param("shrub_1", "holly", id="a fact that is called so"),
        pytest.param("old_chest", "chest of 1 of wild oak", id="name inside a name"),
        pytest.param(
            "new_chest", "chest with 1 of wild oak/the proud oak of 2/1 of elm under wild oak", id="list and path"
        ),
        pytest.param("b2", "1/1", id="cell"),
    ],
)
def test_pieces(tmp_path, id_, name):
    assert called(started(tmp_path), id_) == name


def test_numbers_count_what_follows(tmp_path):
    match = started(tmp_path, "for s in scout where s.owner == players[1]: set s.steps to 1")

    assert called(match, "player_2.scout_1") == "player 2's scout after 1 move"


def test_whose_is_not_said_to_the_owner(tmp_path):
    match = started(tmp_path)
    number = match.program.layout.index[("scout", "player_2.scout_1")]

    assert match.naming(0).about(1).piece("scout", number) == "scout after 0 moves"
    assert match.naming(1).piece("scout", number) == "player 2's scout after 0 moves"


def test_a_hidden_piece_is_called_by_its_noun(tmp_path):
    match = started(tmp_path, "move low_oak to hand(players[0])")
    number = match.program.layout.index[("card", "low_oak")]

    assert [match.naming(seat).piece("card", number) for seat in (-2, 0, 1)] == ["card", "1 of wild oak", "card"]
    assert match.naming(1).value(ty.Seq(ty.Ref("card")), [number, number]) == "card and card"


def test_a_name_with_a_hidden_field_is_the_noun(tmp_path):
    match = started(tmp_path)

    assert called(match, "player_1.spy_1") == "player 1's spy"
    assert match.naming(-2).pieces("spy", [0, 1, 2]) == "player 1's 2 spies and player 2's spy"


def test_names_that_are_nouns_are_counted():
    rules = load(str(Path(__file__).parents[2] / "content" / "gallery" / "skerry"))
    match = rules.start(2, 1)
    kind, names = "card", {}
    for number, one in enumerate(match.program.layout.instances[kind]):
        names.setdefault(one.design.id, []).append(number)
    several = [*names["pebble"][:4], names["hut"][0]]

    assert match.naming(-2).pieces(kind, several, shown=True) == "4 pebbles and a hut"
    assert match.naming(-2).pieces(kind, several[3:], shown=True) == "a pebble and a hut"


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        pytest.param((3, 4), "1 of elm (2 times)", id="no noun in it"),
        pytest.param((0, 3, 4, 2), "1 of wild oak, 1 of elm (3 times)", id="others beside"),
    ],
)
def test_several_that_are_called_alike_are_counted(tmp_path, numbers, said):
    assert started(tmp_path).naming(-2).pieces("card", numbers, shown=True).replace(" and ", ", ") == said


@pytest.mark.parametrize(
    ("place", "offset", "name"),
    [
        pytest.param("deck", 0, "the deck", id="id"),
        pytest.param("offer", 1, "the fair, spot 2", id="spot of a row"),
        pytest.param("hand", 1, "player 2's hand", id="of a player"),
        pytest.param("camp", 5, "player 2's camp of 1 of wild oak", id="of a player and something else"),
    ],
)
def test_places(tmp_path, place, offset, name):
    match = started(tmp_path, "if not offer(0): move low_oak to offer(0)")
    base, _ = match.program.layout.places[place]

    assert match.naming().place(base + offset, spot=True) == name


def test_a_place_on_a_hidden_piece_does_not_say_which(tmp_path):
    match = started(tmp_path, "if not offer(0): move low_oak to offer(0)")
    base, _ = match.program.layout.places["road"]

    assert [match.naming().place(base + n) for n in (0, 1)] == ["the road to 1 of wild oak", "the road"]


def test_counters_and_amounts(tmp_path):
    match = started(tmp_path, "if not offer(0): move low_oak to offer(0)")
    (coin, _), (votes, _) = (match.program.layout.counters[name] for name in ("coin", "votes"))
    names = match.naming()

    assert [names.counter(coin), names.counter(votes), names.counter(votes + 1)] == [
        "coins", "votes (1 of wild oak)", "votes",
    ]  # fmt: skip
    assert names.way((coin, 1, coin, 2)) == "1 coin, 2 coins"


def asked(folder: Path, question: str, names: tuple[str, ...] = ()) -> list[str]:
    """The words for the answers of a question, behind which the match ends."""
    rules = "\n# rules.yaml\ndocument: rules\nrules:\n  setup: |\n    if not offer(0): move low_elm_1 to offer(0)\n    if not offer(2): move low_elm_2 to offer(2)\n"
    rules += (
        "  match: |\n"
        + "".join(f"    {line}\n" for line in question.splitlines())
        + "    otherwise: nothing\n    end match\n"
    )
    decision = started(folder, more=rules, names=names).decision
    assert decision is not None
    return [option.words for option in decision.options]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        pytest.param('choose n in 1..2 "How many?" as "{n} cubes"', ["1 cube", "2 cubes"], id="number"),
        pytest.param(
            'choose s in stone, n in 1..2 where s in {big_stone_1, pebble_2} as "{n} times {s.weight}, {s}"',
            ["1 times 2, big stone", "2 times 2, big stone", "1 times 2, pebble 2", "2 times 2, pebble 2"], id="several",
        ),
        pytest.param("choose s in stone where s.weight == 1 or s == big_stone_1", ["big stone", "pebble 1"], id="no words"),
        pytest.param(
            'choose one:\n  for s in scout where s.owner == me "send" as "send {s} away": set s.steps to 2\n  "wait": nothing\nchoose n in 0..1 where false',
            ["send scout after 0 moves away (1)", "send scout after 0 moves away (2)", "wait"], id="line of a menu",
        ),
        pytest.param("choose c in [x in offer]", ["1 of elm (the fair, spot 1)", "1 of elm (the fair, spot 3)"], id="by place"),
        pytest.param("choose s in {big_stone_1, big_stone_2}", ["big stone (1)", "big stone (2)"], id="by number"),
        pytest.param('choose p in players or "nobody" as "give it to {p}"', ["give it to Anna", "give it to player 2", "nobody"], id="players"),
    ],
)  # fmt: skip
def test_answers(tmp_path, question, words):
    assert asked(tmp_path, question, names=("Anna",)) == words


def test_labels_stay_what_they_are(tmp_path):
    match = load("breakthrough").start(2, seed=1)

    assert (match.decision.options[0].label, match.decision.options[0].words) == ("a2 -> a3", "a2 to a3")


def test_players_have_names_that_are_no_part_of_the_match(tmp_path):
    first = "gain 2 coin; for s in scout where s.owner == players[1]: move s to road(low_oak)"
    laid = "if not offer(0): move low_oak to offer(0)"
    match = started(tmp_path, laid, names=("Anna", "Ben"), first=first)
    plain = started(tmp_path, laid, first=first)

    assert "Anna gains 2 coins" in match.log
    assert any(line.endswith("to the road to 1 of wild oak") and line.startswith("Ben's") for line in match.log), (
        match.log
    )
    assert match.digest() == plain.digest()
    again = match.ruleset.restore(match.to_json(), narrate=True)
    assert (again.names, again.clone().names) == (("Anna", "Ben"), ("Anna", "Ben"))
    match.choose(0)
    assert match.undo()
    assert match.names == ("Anna", "Ben")


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ((), ("player 1", "player 2")),
        (("Anna",), ("Anna", "player 2")),
        (("", "Ben"), ("player 1", "Ben")),
    ],
)
def test_every_player_is_called_something(given, names):
    rules = load("tic_tac_toe")
    match = rules.start(2, 1, names=given)

    assert match.names == names
    assert rules.restore(match.to_json()).names == match.clone().names == names
    assert rules.replay(2, 1, [0, 0], names=match.names).names == names
    assert ("names" in json.loads(match.to_json())) == bool(given)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("A", "B", "C"), id="too many"),
        pytest.param(("A", "A"), id="twice the same"),
        pytest.param(("Anna", "anna"), id="the same for readers"),
        pytest.param(("Anna", "\uff21nna"), id="the same with a wide letter"),
        pytest.param(("player 2",), id="what another one is called"),
        pytest.param(("Player 2", "Ben"), id="what another one would be called"),
        pytest.param(("player 2", "player 1"), id="each like the other one"),
        pytest.param(("", "player  1"), id="what the first one is called"),
        pytest.param("AB", id="one text"),
        pytest.param(("A\x1b[2J",), id="what cannot be printed"),
        pytest.param(("x" * 61,), id="too long"),
    ],
)
def test_names_that_are_none(names):
    with pytest.raises((TypeError, ValueError), match="name"):
        load("tic_tac_toe").start(2, names=names)


def test_a_player_may_be_called_what_it_is_called_anyway():
    assert load("tic_tac_toe").start(2, names=("Player 1", "")).names == ("Player 1", "player 2")


def test_a_save_with_names_that_are_none_is_refused():
    rules = load("tic_tac_toe")
    saved = json.loads(rules.start(2, names=("Anna", "Ben")).to_json())
    saved["names"] = ["Anna", "Anna"]

    with pytest.raises(SaveError, match="damaged"):
        rules.restore(json.dumps(add_checksums(saved)))


def test_a_module_may_change_a_name(tmp_path):
    started(tmp_path)
    module = tmp_path / "renamed"
    module.mkdir()
    (module / "pack.yaml").write_text(
        "document: pack\nid: renamed\nversion: 1.0.0\nlanguage: 1\ntitle: Renamed\nrequires: {town: '>=1.0'}\n", "utf-8"
    )
    (module / "changes.yaml").write_text(
        "document: patch\nchange:\n  - replace: pieces/high_oak/name\n    with: the old oak\n"
        "  - extend: kinds/stone\n    with: {name: 'stone of {weight}'}\n", "utf-8"
    )  # fmt: skip
    match = load(str(tmp_path / "town"), [str(module)]).start(2)

    assert (called(match, "high_oak"), called(match, "pebble_2")) == ("the old oak", "stone of 2")


def test_a_pack_with_facts_of_these_names_goes_on(tmp_path):
    example = (
        "document: model\nkinds:\n  tool: {facts: {name: int, noun: int = 2}}\n"
        "# tools.yaml\ndocument: pieces\nkind: tool\npieces:\n  saw: {name: 3}\n  axe: {name: 4, noun: 5}\n"
    )

    assert [p for p in problems(tmp_path, example) if p.severity == "error"] == []


def test_names_change_no_rule(tmp_path):
    plain = started(tmp_path, "gain 1 coin").digest()
    model = tmp_path / "town" / "model.yaml"
    model.write_text(model.read_text("utf-8").replace('name: "{rank} of {suit}"', "name: thing"), "utf-8")

    assert load(str(tmp_path / "town")).start(2, seed=1).digest() == plain


def test_an_unknown_word_is_no_name(tmp_path):
    with pytest.raises(ContentError, match="unknown 'ranks'"):
        started(
            tmp_path,
            more="\n# chests.yaml\ndocument: pieces\nkind: chest\npieces:\n  old: {lid: low_oak, inside: '{low_oak}', name: '{lid.ranks}'}\n",
        )


@pytest.mark.parametrize("pack", [*(str(folder) for folder in GALLERY), "patolli", "city_of_gods", "founders"])
def test_every_part_of_a_score_has_a_name(pack):
    """Not ``Other``: a pack gives what it counts a function with a text, or a counter that rules with names change."""
    program = load(pack).model.program

    named = [] if program.score is None else [term.name for term in terms(program, program.score)]
    assert OTHER not in named


@pytest.mark.parametrize(
    ("name", "noun", "said"),
    [
        ("storm", "plan", "a storm"),
        ("globe of 5", "curio", "a globe of 5"),
        ("technology 3", "technology", "technology 3"),
        ("7 of mosses", "card", "7 of mosses"),
        ("red tile", "tile", "the red tile"),
        ("the runner", "role", "the runner"),
        ("Dell", "village", "Dell"),
        ("player 1's card", "card", "player 1's card"),
    ],
)
def test_a_noun_comes_with_an_article(name, noun, said):
    assert introduce_piece(name, noun) == said


@pytest.mark.parametrize(
    ("name", "said"), [("deck", "the deck"), ("the shop", "the shop"), ("player 2's deck", "player 2's deck")]
)
def test_a_place_comes_with_an_article(name, said):
    assert add_article(name) == said
