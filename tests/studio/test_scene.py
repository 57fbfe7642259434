"""A scene tells a page what a seat sees, and nothing else."""

from __future__ import annotations

import json
import random

import pytest
from littlepacks import lay, told
from packmaker import DATA
from tiers import few

import patolli
from patolli.run.runtime.seat_visibility import SeatVisibility
from patolli.serve.studio.scene import named_by, scene_of
from patolli.serve.studio.scene.aims import Aims

PACKS = ("tic_tac_toe", "chess", "backgammon", "skerry", "patolli", "battleship", "high_water", "leduc_poker")
LARGE = ("city_of_gods", "founders")


def started(pack, choices, seed=3, **more):
    match = patolli.load(pack, **more).start(players=2, seed=seed)
    chance = random.Random(seed)
    for _ in range(choices):
        if match.decision is not None:
            match.choose(chance.randrange(len(match.decision.options)))
    return match


def panel(match, id_, seat=0):
    return next(one for one in scene_of(match, seat)["panels"] if one["id"] == id_)


def cell(board, id_):
    return next(one for one in board["cells"] if one["id"] == id_)


def ids(thing):
    """All ids in a scene."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from [value] if key in ("id", "below") else value if key == "ids" else ids(value)
    elif isinstance(thing, list):
        for one in thing:
            yield from ids(one)


# ---- what is reported


def test_cells_say_what_lies_there_in_words_and_signs():
    match = patolli.load("tic_tac_toe").start(players=2, seed=1)
    match.choose("b2")
    board = panel(match, "board")["boards"][0]

    assert board["letters"] == ["a", "b", "c"]
    assert cell(board, "cell:b2") == {
        "id": "cell:b2", "row": 1, "column": 1, "says": "b2: player 1",
        "marks": [{"id": "player:player_1", "says": "player 1", "owner": 0, "sign": "X", "colour": "red"}],
    }  # fmt: skip
    assert cell(board, "cell:a1") == {"id": "cell:a1", "row": 0, "column": 0, "says": "a1"}


def test_grids_say_how_they_look():
    chess, morris, hexes = (panel(started(pack, 0), "board") for pack in ("chess", "nine_mens_morris", "hex"))

    assert (chess["pattern"], chess["up"], chess["hex"]) == ("checkered", True, False)
    assert len(morris["lines"]) == 16
    assert morris["lines"][0] == [[0, 0], [0, 3], [0, 6]]
    assert hexes["hex"]


def test_what_is_written_behind_a_sign_is_a_tag():
    board = panel(started("backgammon", 0), "board")["boards"][0]
    tags = {one["name"]: one["marks"][0]["tag"] for one in board["cells"] if one.get("marks")}

    assert tags == {"24": "2", "13": "5", "8": "3", "6": "5", "1": "2", "12": "5", "17": "3", "19": "5"}


def test_field_that_names_a_counter_has_the_icon_of_the_counter():
    match = started("founders", 40, seed=4)
    cells = [one for seat in (0, 1) for one in panel(match, "city", seat)["boards"][0]["cells"]]
    cubes = {mark["icon"]: mark["says"] for one in cells for mark in one.get("marks", ()) if "id" not in mark}
    assert cubes["log"].startswith("Wood")


def test_steps_of_a_track_show_what_they_give():
    lines = panel(patolli.load("city_of_gods").start(2, 1), "temples")["lines"]
    assert {one["id"]: one["colour"] for one in lines} == {f"temple:{one}": one for one in ("blue", "red", "green")}
    red = next(one for one in lines if one["id"] == "temple:red")["rewards"]
    assert [[(one["amount"], one["icon"]) for one in step] for step in red[:4]] == [
        [], [(1, "star")], [(1, "star")], [(2, "star")],
    ]  # fmt: skip
    blue = next(one for one in lines if one["id"] == "temple:blue")["rewards"]
    assert (len(blue), blue[1], blue[7][0]["says"]) == (12, [], "Victory points"), (
        "what is more than a gain is left out"
    )
    assert "rewards" not in panel(patolli.load("city_of_gods").start(2, 1), "avenue")["lines"][0]


def test_stacks_lie_over_the_cells_that_they_cover():
    board = panel(started("city_of_gods", 0), "pyramid")["boards"][0]
    tile = board["raised"][0]

    assert tile["level"] == 1
    assert len(tile["cells"]) == 4
    assert [len(row) for row in tile["mark"]["picture"]] == [2, 2]
    assert [one["level"] for one in board["raised"]] == sorted(one["level"] for one in board["raised"])


def test_owners_are_reported_beside_the_sign():
    match = started("city_of_gods", 30)
    boxes = panel(match, "ring")["boxes"]
    marks = [
        mark for box in boxes for line in box["lines"] for mark in line["marks"] if mark["id"].startswith("worker:")
    ]

    assert {mark["owner"] for mark in marks if "owner" in mark} == {0, 1}
    assert all(mark["sign"].isdigit() for mark in marks if "owner" in mark)


def test_equal_pieces_stand_once_with_their_number():
    hand = panel(started("skerry", 0), "hand")["groups"][0]["items"]

    assert sum(item.get("number", 1) for item in hand) == 5
    assert all(len(item["ids"]) == item["number"] for item in hand if "number" in item)


def test_inset_stands_where_the_outer_board_has_its_cells():
    board = panel(started("founders", 12), "city")["boards"][0]
    inner = [one for one in board["cells"] if one.get("inner")]

    assert len(board["cells"]) == 144
    assert len(inner) == 36
    assert all(one["below"].startswith("city:player_1.") for one in inner)


def test_parts_have_colours_of_seats_and_legend_says_what_signs_mean():
    scene = scene_of(started("city_of_gods", 10), 0)

    assert [(mark["owner"], mark["colour"]) for mark in scene["players"]] == [(0, "orange"), (1, "green")]
    assert {"sign": "locked", "colour": "", "means": "a worker that is locked in a place of worship"} in scene["signs"]


# ---- where answers lie


def test_answers_name_places_of_the_scene():
    match = started("chess", 4)
    decision = match.decision
    found = {option.label: named_by(match, decision.player, option) for option in decision.options}

    assert all(at == [f"cell:{cell}" for cell in label.split(" -> ")] for label, at in found.items())
    assert {id_ for at in found.values() for id_ in at} <= set(ids(scene_of(match, decision.player)))


def test_what_is_laid_names_all_its_cells_and_a_column_those_of_the_board():
    match = started("battleship", 0)
    option = match.decision.options[0]

    assert named_by(match, 0, option) == ["sea:player_1.a1", "sea:player_1.b1"]
    match = started("connect_four", 0)
    assert named_by(match, 0, match.decision.options[0]) == [f"cell:a{row}" for row in range(1, 7)]


def test_free_spots_of_a_stack_are_there_for_the_player_who_may_build():
    match = started("founders", 0)
    while not any(id_.startswith("square:") for id_ in asked(match)):
        match.choose(0)
    seat = match.decision.player
    mine, other = (panel(match, "city", one)["boards"][0] for one in (seat, 1 - seat))

    assert {spot["id"] for spot in mine["spots"]} == set(asked(match))
    assert "spots" not in other


def asked(match):
    decision = match.decision
    return [id_ for option in decision.options for id_ in named_by(match, decision.player, option)]


def test_none_but_the_one_who_decides_is_reported_answers():
    match = started("chess", 0)
    with pytest.raises(ValueError, match="no question is open to seat 1"):
        named_by(match, 1, match.decision.options[0])


# ---- what may not be told


@pytest.mark.parametrize("pack", few([*PACKS, *LARGE], 0, 1, 2))
def test_scene_follows_from_what_the_seat_sees(pack):
    match = started(pack, 0)
    chance = random.Random(5)
    for number in range(6 if pack in LARGE else 40):
        if match.decision is None:
            break
        if number % 5 == 0:
            for seat in range(match.players):
                told = json.dumps(scene_of(match, seat))
                assert json.dumps(scene_of(match.determinize(seat, number), seat)) == told
        match.choose(chance.randrange(len(match.decision.options)))


def test_hand_of_another_is_not_told():
    match = started("skerry", 0)
    own, other = (panel(match, "hand", seat)["groups"] for seat in (0, -1))

    assert sum(item.get("number", 1) for item in own[0]["items"]) == 5
    assert [(group["items"], group["hidden"]) for group in other] == [([], 5), ([], 5)]


def test_there_must_be_such_a_seat():
    with pytest.raises(ValueError, match="there is no seat 2"):
        scene_of(started("tic_tac_toe", 0), 2)


@pytest.mark.parametrize(("pack", "players"), [("go", 2), ("goofspiel", 4), ("curios", 3), ("dots_and_boxes", 2)])
def test_who_only_watches_has_a_scene_too(pack, players):
    match = patolli.load(pack).start(players=players, seed=1)
    for seat in (*range(players), -1):
        assert json.loads(json.dumps(scene_of(match, seat)))["seat"] == seat


def test_who_watches_has_no_hand_of_their_own():
    match = started("goofspiel", 0)

    assert panel(match, "hand", 1)["title"] == "Your hand"
    assert panel(match, "hand", -1)["title"] == "Hand"
    assert panel(match, "bids", -1)["title"] == "Bids"


def test_card_in_the_hand_means_its_design_where_the_option_moves_it():
    match = patolli.load("skerry").start(2, 3)
    chance = random.Random(1)
    while match.decision.prompt != "Which action do you play?":
        match.pick(chance.randrange(len(match.decision.options)))
    aims = Aims(match, match.decision.player)
    twins = {option.words: aims.twins(option) for option in match.decision.options}
    hand = scene_of(match, match.decision.player)
    cards = {name for panel in hand["panels"] if panel["id"] == "hand" for name in _ids(panel)}

    assert any(twins.values())
    for found in twins.values():
        assert set(found) <= cards
    while match.decision.prompt != "What do you buy?":
        match.pick(0)
    aims = Aims(match, match.decision.player)
    assert not any(aims.twins(option) for option in match.decision.options), "what is bought comes from the supply"


def _ids(panel):
    return [
        id_ for group in panel["groups"] for item in group["items"] for id_ in item.get("ids", [item["mark"]["id"]])
    ]


def test_map_has_lines_between_neighbors_and_declared_spots():
    found = panel(started("high_water", 0), "villages")
    names = [item["title"] for item in found["items"]]
    lines = {frozenset((names[a], names[b])) for a, b in found["links"]}

    assert frozenset(("Aln", "Brook")) in lines
    assert frozenset(("Aln", "Carr")) not in lines
    assert len(lines) == len(found["links"])
    assert found["spots"][names.index("Brook")] == (400, 70)
    assert next(fact for fact in found["items"][0]["facts"] if fact["fact"] == "water")["icon"] == "drop"


def test_spectators_see_no_hand_in_a_game_in_which_players_decide_for_others():
    match = patolli.load(str(DATA / "puppets")).start(2, 1)
    hands = panel(match, "hand", -1)["groups"]

    assert [(hand["items"], hand["hidden"]) for hand in hands] == [([], 5), ([], 5)]
    assert match.program.layout.list_viewing_seats(match.state, -1) == (-1,)
    assert not SeatVisibility(match.program.layout, match.state, -1).is_open("owner", 0)


def test_lines_of_a_map_may_be_pieces_in_the_color_of_their_player():
    match = started("packways", 0)
    while not any("open " in label for label in match.decision.labels):
        match.choose(match.decision.labels[-1])
    match.choose(next(label for label in match.decision.labels if label.startswith("open alder_ford")))
    while "send" in match.decision.prompt:
        match.choose(0)
    found = panel(match, "map")
    names = [item["title"] for item in found["items"]]
    lines = {frozenset((names[a], names[b])): held for a, b, *held in found["links"]}

    assert len(lines) == len(found["links"]) == 24
    assert {ends: held for ends, held in lines.items() if held} == {frozenset(("alder", "ford")): ["red"]}


def test_panels_on_a_ring_say_on_which_board_they_are():
    match = started("city_of_gods", 12)
    offer, worship = panel(match, "technologies"), panel(match, "worship")
    boards = {box["id"] for box in panel(match, "ring")["boxes"] if box}

    assert offer["box"] == "space:alchemy"
    assert {item["box"] for item in worship["items"]} <= boards


def test_playing_cards_have_rank_and_suit():
    match = patolli.load("promises").start(3, 3)
    hand = next(one for one in scene_of(match, match.decision.player)["panels"] if one["id"] == "hand")
    card = hand["groups"][0]["items"][0]["mark"]["card"]

    assert card["rank"]["text"].isdigit()
    assert card["suit"]["icon"] in ("fire", "wave", "plant", "wind")


FEES = """
kinds:
  stall: {text: A stall}
  token: {facts: {big: bool = false}}
places:
  open: {of: token, per: stall, type: area}
  covered: {of: token, per: stall, type: pile, visible: none}
"""
STALLS = """document: pieces
kind: stall
pieces: {fish: {name: fish}, bread: {name: bread}}
"""
TOKENS = """document: pieces
kind: token
pieces: {small: {copies: 2, name: small}, large: {copies: 1, big: true, name: large}}
"""
CALLING = """
functions:
  seen(stall s): {is: size(open(s)), text: Coins for a visit.}
  unseen(stall s): {is: count(t in covered(s) where t.big), text: Coins for a guess.}
rules:
  match:
    text: Tokens are covered, one after the other.
    do: |
      for t in token: move t to open(fish)
      loop:
        choose one "What?":
          "cover": cover()
          "stop": end match
  cover():
    text: A token disappears below the bread.
    do: |
      choose t in open(fish) "Which?"
      otherwise: stop
      move t to covered(bread)
"""


def _stalls(folder, fee):
    panels = "document: panels\nsymbols: {seen: {icon: coin, colour: yellow}}\npanels:\n"
    panels += f"  ring: {{title: Stalls, shows: ring, of: stall, lines: [open], fee: {fee}}}\n"
    return lay(folder, FEES, CALLING, stalls=STALLS, tokens=TOKENS, panels=panels)


def test_fee_of_a_board_is_shown_if_it_is_not_nothing(tmp_path):
    boxes = panel(patolli.load(_stalls(tmp_path, "seen")).start(2, 1), "ring")["boxes"]
    fees = {box["title"]: box.get("fee") for box in boxes}

    assert fees["fish"] == {"amount": 3, "says": "Coins for a visit.", "icon": "coin", "colour": "yellow"}
    assert fees["bread"] is None


def test_fee_that_reads_what_lies_hidden_is_not_shown(tmp_path):
    match = patolli.load(_stalls(tmp_path, "unseen")).start(2, 1)
    for _ in range(6):
        match.choose(0)

    stall = match.program.layout.instances["stall"]
    assert [match.program.function("unseen")(match.state, 0, number) for number in range(len(stall))] == [0, 1]
    for seat in (-1, 0, 1):
        assert not any("fee" in box for box in panel(match, "ring", seat)["boxes"])


def test_copies_in_the_place_of_their_own_kind_are_counted(tmp_path):
    supply = {item["title"]: item["facts"] for item in panel(started("skerry", 0), "supply")["items"]}
    facts = {fact["fact"]: fact["marks"] for fact in supply["pearl"]}

    assert next(mark["text"] for mark in facts["supply"]).isdigit(), "the text of the card is written once, by itself"
    assert facts["text"] == [{"text": "2 coins."}]


def test_lines_of_a_map_have_facts_and_can_be_chosen():
    match = started("packways", 0)
    found = panel(match, "map")
    ways = {way["id"]: way for way in found["ways"]}
    mule = ways["track:alder_birch"]

    assert len(ways) == len(found["links"])
    assert mule["says"] == "track from alder to birch. 2, mule"
    assert [mark.get("icon") or mark["text"] for mark in mule["marks"]] == ["2", "horse"]


def test_tile_has_the_sides_as_it_lies_and_as_it_is_printed():
    match = started("drystone", 0)
    first = next(cell for cell in panel(match, "hills")["boards"][0]["cells"] if cell.get("marks"))["marks"][0]
    offered = panel(match, "offer")["groups"][0]["items"][0]["mark"]["tile"]

    assert [side["look"] for side in first["tile"]["sides"]] == ["line"] * 4
    assert [side["says"] for side in first["tile"]["sides"]] in (["wall", "beck"] * 2, ["beck", "wall"] * 2)
    assert first["tile"]["ground"] == "green", "a tile without grass has the same ground"
    assert len(offered["sides"]) == 4


@pytest.mark.parametrize(
    ("pack", "grid"), [("drystone", "hills"), (str(DATA / "hedgerows"), "fields")], ids=["directions", "numbers"]
)
def test_pieces_stand_at_the_sides_of_a_tile(pack, grid):
    """What lies there is seen by all; sides to which a piece may go are there for the player who is asked."""
    match = started(pack, 0)
    while not any(id_.startswith("side:") for id_ in asked(match)):
        match.choose(0)
    seat, option = match.decision.player, match.decision.options[0]
    mine, other = (panel(match, grid, one)["boards"][0]["sides"] for one in (seat, 1 - seat))
    place, *_, side = named_by(match, seat, option)

    assert place.startswith("cell:"), "a click on the side names it whole, as it comes last"
    assert side in [one["id"] for one in mine]
    assert other == []
    match.choose(0)
    here = next(cell for cell in panel(match, grid)["boards"][0]["cells"] if cell["id"] == place)
    (stands,) = panel(match, grid)["boards"][0]["sides"]
    assert (stands["id"], stands["row"], stands["column"]) == (side, here["row"], here["column"])
    assert [mark["owner"] for mark in stands["marks"]] == [seat]
    way = side.rpartition("/")[2]
    assert stands["side"] == {"north": 0, "east": 1, "south": 2, "west": 3}.get(way, int(way) if way.isdigit() else -1)


def test_sides_are_of_a_place_of_cells_and_directions(tmp_path):
    model = """document: model
grids: {cell: {rows: 2, columns: 2}, spot: {rows: 2, columns: 2}}
records:
  side: {fields: {at: cell, way: int 0..3}}
  half: {fields: {at: cell, way: int 0..1}}
  other: {fields: {at: spot, way: int 0..3}}
kinds: {token: {copies: 4}}
places:
  box: {of: token, type: pile}
  sided: {of: token, per: side, type: spot}
  halved: {of: token, per: half, type: spot}
  elsewhere: {of: token, per: other, type: spot}
  lying: {of: token, per: cell, type: spot}
"""
    rules = "document: rules\nrules: {match: {do: end match}}\n"
    pack = "document: pack\nid: p\nversion: 1.0.0\nlanguage: 3\ntitle: P\nplayers: {min: 2, max: 2}\n"
    panels = "document: panels\npanels:\n" + "".join(
        f"  {name}s: {{shows: grid, of: cell, show: lying, sides: {name}}}\n"
        for name in ("sided", "halved", "elsewhere", "lying")
    )
    home = tmp_path / "p"
    home.mkdir()
    for name, text in (("pack", pack), ("model", model), ("rules", rules), ("panels", panels)):
        (home / f"{name}.yaml").write_text(text, "utf-8")

    wrong = [problem for problem in told(str(home)) if problem.startswith(("P0501", "P0502"))]
    assert [problem.split("'")[1] for problem in wrong] == ["halved", "elsewhere", "lying"]


def test_tile_names_what_is_declared(tmp_path):
    panels = "document: panels\nsymbols: {token: {tile: {sides: edges, draw: {big: line}, node: bug}}}\npanels: {}\n"
    lay(tmp_path, FEES, CALLING, stalls=STALLS, tokens=TOKENS, panels=panels)

    assert {problem.split("'")[1] for problem in told(str(tmp_path)) if problem.startswith("P0501")} == {
        "edges",
        "bug",
        "big",
    }
