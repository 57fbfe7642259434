"""A saved object of Tabletop Simulator has every card as often as a match, and its pictures show the right faces."""

from __future__ import annotations

import json
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from click.testing import CliRunner
from littlepacks import lay
from packmaker import loaded

import patolli
from patolli.cli import main
from patolli.serve.studio.drawing.marks import Area, Box, Dot, Drawing, Image, Line, Stroke
from patolli.serve.studio.drawing.raster import raster
from patolli.serve.studio.drawing.vectors import trace_path
from patolli.serve.studio.sheets.licenses import NotAllowed
from patolli.serve.studio.sheets.sheet import Wanted, sheets_of
from patolli.serve.studio.sheets.tabletop import LARGEST, write_tabletop

pytest.importorskip("PIL", reason="the extra print is not installed")


def written(rules, folder, wanted=None):
    saved, *pictures = write_tabletop(rules, folder, wanted).files
    return json.loads(saved.read_text("utf-8"))["ObjectStates"], pictures


def opened(address):
    from PIL import Image as Pillow

    with Pillow.open(url2pathname(urlparse(address).path)) as image:
        return image.copy()


def face(sheet, index, picture=None):
    """The picture of one card."""
    image = picture or opened(sheet["FaceURL"])
    wide, high = image.width / sheet["NumWidth"], image.height / sheet["NumHeight"]
    x, y = index % sheet["NumWidth"] * wide, index // sheet["NumWidth"] * high
    return image.crop((round(x), round(y), round(x + wide), round(y + high)))


def colours(image):
    return len(image.getcolors(1_000_000))


# ---- decks


@pytest.fixture(scope="module")
def promises(tmp_path_factory):
    return written(patolli.load("promises"), tmp_path_factory.mktemp("promises"))


def test_deck_has_each_card_of_a_match(promises):
    (deck,), pictures = promises
    cards = deck["ContainedObjects"]

    assert deck["Name"] == "DeckCustom"
    assert deck["DeckIDs"] == [card["CardID"] for card in cards]
    assert len({card["Nickname"] for card in cards}) == len(set(deck["DeckIDs"])) == 40
    assert sorted(path.name for path in pictures) == ["back.png", "faces_1.png"]
    for card in cards:
        (key,) = card["CustomDeck"]
        assert card["CardID"] // 100 == int(key)
        assert card["CustomDeck"][key] == deck["CustomDeck"][key]


def test_each_card_has_its_face_on_the_sheet(promises):
    (deck,), _ = promises
    (sheet,) = deck["CustomDeck"].values()
    picture = opened(sheet["FaceURL"])
    faces = [face(sheet, id_ % 100, picture).resize((63, 88)) for id_ in deck["DeckIDs"]]

    assert len({one.tobytes() for one in faces}) == 40
    assert min(map(colours, faces)) > 20
    assert colours(face(sheet, sheet["NumWidth"] * sheet["NumHeight"] - 1).crop((9, 9, 90, 90))) == 1  # it stays free
    assert max(opened(sheet["FaceURL"]).size) <= LARGEST


def test_copies_share_a_face(tmp_path):
    decks, _ = written(loaded(tmp_path, ""), tmp_path / "out")
    ids = {card["Nickname"]: set() for deck in decks for card in deck.get("ContainedObjects", ())}
    for deck in decks:
        for card in deck.get("ContainedObjects", ()):
            ids[card["Nickname"]].add(card["CardID"])
    number = sum(len(deck.get("DeckIDs", (0,))) for deck in decks if "Card" in deck["Name"] or "Deck" in deck["Name"])

    assert number == sheets_of(loaded(tmp_path, "")).cards
    assert len(ids["Rich"]) == 1


def test_many_faces_are_on_several_sheets(tmp_path):
    pieces = "document: pieces\nkind: card\nplace: deck\npieces:\n"
    pieces += "".join(f'  card_{n}: {{name: "Card {n}", text: "Number {n}."}}\n' for n in range(75))
    model = "kinds: {card: {text: A card}}\nplaces: {deck: {of: card, type: pile}}\n"
    rules = 'rules:\n  match: {do: "end match"}\n'
    objects, _ = written(patolli.load(lay(tmp_path, model, rules, pieces=pieces)), tmp_path / "out")
    deck = next(one for one in objects if len(one.get("CustomDeck", ())) > 1)
    first, second = deck["CustomDeck"].values()

    assert (first["NumWidth"], first["NumHeight"]) == (10, 7)
    assert max(id_ % 100 for id_ in deck["DeckIDs"]) == 68
    assert len({id_ // 100 for id_ in deck["DeckIDs"]}) == 2
    assert second["NumWidth"] * second["NumHeight"] < 70


def test_single_card_is_no_deck(tmp_path):
    (card,), _ = written(loaded(tmp_path, ""), tmp_path / "out", Wanted(pieces=("greed",)))

    assert (card["Name"], card["Nickname"], "DeckIDs" in card) == ("CardCustom", "Greed", False)


# ---- tokens and boards


def test_tokens_and_boards_are_tiles(tmp_path):
    objects, _ = written(patolli.load("chess"), tmp_path)
    tiles = [one for one in objects if one["Name"] == "Custom_Tile"]
    tokens = [one for one in tiles if not one["Locked"]]

    assert len(tiles) - len(tokens) == 1
    assert sum("king" in one["Nickname"] for one in tokens) == 2
    for one in tiles:
        assert colours(opened(one["CustomImage"]["ImageURL"])) > 5


# ---- the command


def test_command_writes_it(tmp_path):
    folder = str(tmp_path / "chess")
    result = CliRunner().invoke(main, ["sheet", "chess", "--kind", "man", "--tabletop-simulator", folder])

    assert result.exit_code == 0, result.output
    assert result.output == f"{folder}/tabletop.json: a saved object with 12 pictures\n"


@pytest.mark.parametrize("more", [[], ["--out", "a.pdf", "--tabletop-simulator", "b"]])
def test_one_of_pdf_and_folder_is_named(more):
    result = CliRunner().invoke(main, ["sheet", "promises", *more])

    assert result.exit_code == 2
    assert "name either the PDF with --out or the folder with --tabletop-simulator" in result.output


def test_license_counts_here_too(tmp_path, monkeypatch):
    from patolli.serve.studio.sheets import sheet

    def refuse(packs):
        raise NotAllowed("no copies")

    monkeypatch.setattr(sheet, "check_licenses", refuse)
    with pytest.raises(NotAllowed):
        write_tabletop(patolli.load("promises"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


# ---- what is painted

CROSS = b'<svg viewBox="0 0 10 10"><path fill-rule="evenodd" fill="#ff0000" d="M0 0h10v10h-10z M3 3h4v4h-4z"/></svg>'
RING = b'<svg viewBox="0 0 10 10"><path fill="#00ff00" d="M0 0h10v10h-10z M3 3v4h4v-4z"/></svg>'
CURVED = (
    b'<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="#0000ff" fill-opacity="0.5" stroke="#000000"/></svg>'
)


def test_every_mark_is_painted():
    marks = [
        Box(0, 0, 10, 10, "#ff0000", "#000000", 0.5, 2), Dot(15, 5, 4, "#00ff00"),
        Area(((20, 0), (30, 0), (25, 10)), "#0000ff", "#000000"), Stroke(30, 5, 40, 5, "#ff00ff", 2),
        Line(41, 8, "W", 20, "#000000", True),
    ]  # fmt: skip
    image = raster(Drawing(50, 10, marks), 10)

    assert image.size == (500, 100)
    assert [image.getpixel((x, 50)) for x in (50, 150, 250, 350)] == [
        (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 0, 255),
    ]  # fmt: skip
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert image.crop((410, 0, 500, 100)).getextrema()[0][0] < 20


@pytest.mark.parametrize(("data", "colour"), [(CROSS, (255, 0, 0)), (RING, (0, 255, 0))])
def test_holes_of_vectors_stay_empty(data, colour):
    image = raster(Drawing(10, 10, [Image(0, 0, 10, 10, data, "image/svg+xml")]), 10)

    assert image.getpixel((15, 15)) == colour
    assert image.getpixel((50, 50)) == (255, 255, 255)


def test_vectors_may_be_clear_and_round():
    image = raster(Drawing(10, 10, [Image(0, 0, 10, 10, CURVED, "image/svg+xml")]), 10)

    assert image.getpixel((50, 50)) == (127, 127, 255)
    assert image.getpixel((2, 2)) == (255, 255, 255)
    assert max(image.getpixel((10, 50))) < 60
    assert trace_path("M0 0h1")[0][0] == "M"


def test_pictures_keep_their_shape():
    from io import BytesIO

    from PIL import Image as Pillow

    buffer = BytesIO()
    Pillow.new("RGB", (20, 10), "#ff0000").save(buffer, "PNG")
    image = raster(Drawing(10, 10, [Image(0, 0, 10, 10, buffer.getvalue(), "image/png")]), 10)

    assert image.getpixel((50, 50)) == (255, 0, 0)
    assert image.getpixel((50, 10)) == (255, 255, 255)
