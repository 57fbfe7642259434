"""Print and play: every copy is on paper, inside of it, in letters that can be read; and only what a license allows."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from packmaker import SAMPLE, loaded
from pypdf import PdfReader
from tutorial import BLOCK, PAGE, edit

from patolli.author.workspace import load
from patolli.cli import main
from patolli.language.packs.archive_writer import build_archive
from patolli.language.packs.discovery import list_bundled
from patolli.language.packs.manifest import read_manifest, read_pack
from patolli.serve.studio.drawing.fonts import FILES, POINT, broken, cut, face, strange, width
from patolli.serve.studio.drawing.marks import Box, Stroke, bounds
from patolli.serve.studio.gallery.card_drawings import card_drawing
from patolli.serve.studio.gallery.cards import cards_of
from patolli.serve.studio.sheets.licenses import License, NotAllowed, check_licenses, license_of
from patolli.serve.studio.sheets.paper import MARGIN, MARK, PAPERS, Paper, card_sheets
from patolli.serve.studio.sheets.sheet import SheetError, Wanted, select_cards, sheets_of

ROOT = Path(__file__).resolve().parents[2]


def read(sheets):
    return PdfReader(BytesIO(sheets.data))


def lines(sheets):
    """Return how often each line of text is on the pages; numbers of copies are left out."""
    every = (line for page in read(sheets).pages for line in page.extract_text().splitlines())
    return Counter(re.sub(r"^Plain \d$", "Plain", line.strip()) for line in every)


# ---- what is on paper


def test_every_copy_is_there(tmp_path):
    sheets = sheets_of(loaded(tmp_path, ""))

    names = lines(sheets)
    assert {name: names[name] for name in ("Plain", "Rich", "Bold", "Luck", "Greed")} == {
        "Plain": 6, "Rich": 4, "Bold": 2, "Luck": 2, "Greed": 1,
    }  # fmt: skip
    assert (sheets.cards, sheets.boards, sheets.pages) == (15, 1, 3)  # nine cards on a page
    assert len(read(sheets).pages) == 3
    assert [names[word] for word in ("Gain 1 coin.", "The field", "Cell")] == [6, 0, 1]


def test_shipped_cards_are_there_as_often_as_in_a_match():
    rules = load("skerry")
    sheets = sheets_of(rules)
    names = lines(sheets)
    copies = {card.name: card.copies for card in cards_of(rules) if card.played}

    assert copies == {name: names[name] for name in copies}
    assert sheets.cards == sum(copies.values()) == 192


def test_pieces_of_which_only_the_sign_matters_are_small_tokens():
    sheets = sheets_of(load("chess"), Wanted(kinds=("man",)))
    words = lines(sheets_of(load("high_water")))

    assert (sheets.cards, sheets.pages) == (12, 1), "cards of this number need two pages"
    assert words["Report of Aln"] > 0
    assert not any("About: Aln" in line for line in words), "the name of the card says so already"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(kinds=("charm",)), {"Luck": 2, "Greed": 1}),
        (Wanted(pieces=("rich", "greed")), {"Rich": 4, "Greed": 1}),
        (Wanted(kinds=("card",), pieces=("rich",)), {"Rich": 4}),
        (Wanted(kinds=("card",), once=True), {"Plain": 6, "Rich": 1, "Bold": 1}),  # each plain card has another number
        (Wanted(boards=False), {"Plain": 6, "Rich": 4, "Bold": 2, "Luck": 2, "Greed": 1}),
    ],
)
def test_what_is_wanted(tmp_path, wanted, found):
    sheets = sheets_of(loaded(tmp_path, ""), wanted)
    names = lines(sheets)

    assert {name: names[name] for name in ("Plain", "Rich", "Bold", "Luck", "Greed") if names[name]} == found
    assert (sheets.cards, sheets.boards) == (sum(found.values()), 0)


def test_pieces_of_players_say_whose_they_are(tmp_path):
    token = "document: model\nkinds:\n  pawn: {per: player, copies: 3}\nplaces:\n  yard: {of: pawn, per: player, type: area}\n"
    sheets = sheets_of(loaded(tmp_path, token), Wanted(kinds=("pawn",)))

    found = lines(sheets)
    assert [found[f"player {seat}"] for seat in (1, 2, 3, 4)] == [3, 3, 3, 3]
    assert [found[f"{seat}"] for seat in (1, 2, 3, 4)] == [3, 3, 3, 3]  # nothing else stands on them, so that is large


@pytest.mark.parametrize("card", [(63.0, 88.0), (30.0, 30.0), (44.0, 68.0), (100.0, 70.0), (150.0, 200.0)])
@pytest.mark.parametrize("name", PAPERS)
def test_nothing_is_outside_the_paper(tmp_path, card, name):
    sheets = sheets_of(loaded(tmp_path, ""), Wanted(card=card, paper=name))

    wide, high = PAPERS[name]
    for page in read(sheets).pages:
        assert [round(float(side) * POINT, 1) for side in page.mediabox[2:]] == [wide, high]
    paper = Paper(wide, high, card)
    cards = [card_drawing(one, face_, *card) for one in cards_of(loaded(tmp_path, "")) for face_ in one.faces]
    for sheet in card_sheets(paper, cards, "foot"):
        for mark in sheet.marks:
            left, top, right, bottom = bounds(mark)
            assert left >= MARGIN - 0.1, mark
            assert top >= MARGIN - 0.1, mark
            assert right <= wide - MARGIN + 0.1, mark
            assert bottom <= high - MARGIN + 0.5, mark


def test_marks_stand_at_every_cut_and_cross_no_card():
    paper = Paper(210, 297, (60.0, 80.0))
    cards = [card_drawing(next(iter(cards_of(load(str(SAMPLE))))), None, 60, 80)] * 5
    sheet = next(card_sheets(paper, cards, ""))
    frames = [mark for mark in sheet.marks if isinstance(mark, Box) and mark.wide == 59.8]
    cuts = [mark for mark in sheet.marks if isinstance(mark, Stroke) and mark.thick == 0.15]

    left, top = min(box.x for box in frames) - 0.1, min(box.y for box in frames) - 0.1
    assert sorted({round(cut.x - left, 3) for cut in cuts if cut.x == cut.to_x}) == [0, 60, 120, 180]
    assert sorted({round(cut.y - top, 3) for cut in cuts if cut.y == cut.to_y}) == [0, 80, 160]
    assert len(cuts) == 2 * (4 + 3)
    inner = (left, top, left + 180, top + 160)
    assert [
        c for c in cuts if inner[0] <= min(c.x, c.to_x) < inner[2] and inner[1] <= min(c.y, c.to_y) < inner[3]
    ] == []
    assert left > MARK


def test_same_input_same_bytes(tmp_path):
    rules = loaded(tmp_path, "")

    assert sheets_of(rules).data == sheets_of(rules).data


def test_text_that_has_no_room_is_named(tmp_path):
    long = "document: pieces\nkind: charm\nplace: bag\npieces:\n  odd: {text: " + "Many words. " * 90 + "}\n"
    rules = loaded(tmp_path, long)

    assert sheets_of(rules, Wanted(card=(30, 30))).short == ("Odd",)
    assert sheets_of(rules, Wanted(card=(150, 200))).short == ()
    drawing = card_drawing(next(card for card in cards_of(rules) if card.id == "odd"), None, 30, 30)
    assert any(text.endswith("…") for text in drawing.texts())


# ---- type


def test_every_sign_of_the_shipped_packs_is_in_the_typefaces():
    signs = {sign for file in (ROOT / "content").rglob("*.yaml") for sign in file.read_text("utf-8")}

    assert [sign for sign in signs if not sign.isspace() and not (face(False).has(sign) and face(True).has(sign))] == []


def test_widths_are_those_of_the_files():
    from reportlab.pdfbase.ttfonts import TTFontFile

    for bold, path in FILES.items():
        known = TTFontFile(str(path))
        for sign in "Aiw .á♜●→Ω½":
            assert abs(face(bold).width(sign) - known.charWidths[ord(sign)] / 1000) < 0.002


def test_lines_are_no_wider_than_their_room():
    text = "A worker that stands on a very_long_word_that_has_no_blank_at_all may move.\nNew line"

    for room in (10, 20, 40):
        found = broken(text, room, 8)
        assert max(width(line, 8) for line in found) <= room
        assert "".join(found).replace(" ", "") == text.replace(" ", "").replace("\n", "")
        assert width(cut(text, room, 8), 8) <= room


def test_a_sign_that_cannot_be_drawn_is_refused(tmp_path):
    odd = "document: pieces\nkind: charm\nplace: bag\npieces:\n  odd: {text: A 龍 dragon.}\n"

    assert strange("A 龍 龍 dragon") == "龍"
    with pytest.raises(SheetError, match="the font has no character '龍'"):
        sheets_of(loaded(tmp_path, odd))


# ---- licenses


@pytest.mark.parametrize(
    ("name", "text", "said", "allows"),
    [
        ("LICENSE", "MIT License\n\nCopyright", "MIT", True),
        ("LICENCE.txt", "Creative Commons Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0", True),
        ("LICENSE.md", "# Creative Commons Attribution-NonCommercial 4.0", "CC-BY-NC-4.0", True),
        ("LICENSE", "Attribution-NoDerivatives 4.0 International", "CC-BY-ND-4.0", False),
        ("LICENSE", "SPDX-License-Identifier: CC0-1.0\n", "CC0-1.0", True),
        ("LICENSE", "SPDX-License-Identifier: (LicenseRef-Ours OR CC-BY-4.0)", "(LicenseRef-Ours OR CC-BY-4.0)", True),
        ("LICENSE", "SPDX-License-Identifier: MIT AND LicenseRef-Ours", "MIT AND LicenseRef-Ours", False),
        ("LICENSE", "All rights reserved.", "", False),
        ("LICENSE", "", "", False),
        ("notes.txt", "All rights reserved.", "", True),  # nothing is said: a folder belongs to the user
    ],
)
def test_license_of_a_folder(tmp_path, name, text, said, allows):
    shutil.copytree(SAMPLE, tmp_path / "sample")
    (tmp_path / "sample" / name).write_text(text, "utf-8")
    found = license_of(read_pack(str(tmp_path / "sample")))

    assert (found.said, found.allows) == (said, allows)
    if not allows:
        with pytest.raises(NotAllowed, match="cannot print 'sample'"):
            check_licenses([read_pack(str(tmp_path / "sample"))])


def test_license_in_a_comment_of_the_manifest(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "sample")
    manifest = tmp_path / "sample" / "pack.yaml"
    manifest.write_text("# SPDX-License-Identifier: CC-BY-NC-ND-4.0\n" + manifest.read_text("utf-8"), "utf-8")

    assert license_of(read_pack(str(tmp_path / "sample"))) == License("sample", "CC-BY-NC-ND-4.0", "pack.yaml", False)


def test_an_archive_without_a_license_is_not_printed(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "sample")
    archive = tmp_path / "sample-1.2.0.zip"
    archive.write_bytes(build_archive(str(tmp_path / "sample")).data)
    with pytest.raises(NotAllowed, match=r"it is installed and has no license.* in a file LICENSE beside pack.yaml"):
        sheets_of(load(str(archive)))

    with ZipFile(archive, "a") as file:
        file.writestr("LICENSE", "SPDX-License-Identifier: CC-BY-4.0")
    assert sheets_of(load(str(archive)), Wanted(pieces=("greed",))).cards == 1


def test_what_is_installed_belongs_to_another_user(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "patolli" / "packs" / "sample"
    shutil.copytree(SAMPLE, folder)

    assert not license_of(read_pack("sample")).allows


def test_shipped_packs_may_be_printed():
    licenses = check_licenses(read_manifest(folder) for folder in list_bundled().values())

    assert {license.words for license in licenses} == {"MIT"}


def test_licenses_stand_on_every_sheet(tmp_path):
    text = [page.extract_text() for page in read(sheets_of(loaded(tmp_path, ""))).pages]

    assert all("The sample 1.2.0" in page and "prototype without a license" in page for page in text)


# ---- the command


def call(*arguments):
    return CliRunner().invoke(main, ["sheet", *map(str, arguments)], catch_exceptions=False)


def test_command(tmp_path):
    out = tmp_path / "sheet.pdf"
    result = call(SAMPLE, "--kind", "charm", "--paper", "letter", "--out", out)

    assert (result.exit_code, result.stdout) == (0, f"{out}: 1 page with 3 cards and 0 boards\n")
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kind", "cart"], "unknown kind 'cart'; did you mean 'card'?"),
        (["--pieces", "rich,xyzzy"], "unknown piece 'xyzzy'; pieces: plain, rich, bold, luck, greed"),
        (["--of", "feast"], "unknown module 'feast'; packs with pieces: sample"),
        (["--card", "63"], "'63' is not of the form WIDTHxHEIGHT in millimeters, such as 63x88"),
        (["--card", "10x10"], "--card: a card must be at least 20 mm wide and high"),
        (["--card", "300x400"], "--card: 300x400 mm does not fit on the paper"),
        (["--card", "9999x9999"], "--card: 9999x9999 mm does not fit on the paper"),
    ],
)
def test_mistakes_are_reported_in_a_line(tmp_path, arguments, words):
    result = call(SAMPLE, "--out", tmp_path / "x.pdf", *arguments)

    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert not (tmp_path / "x.pdf").exists()


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "reportlab.pdfbase", None)
    result = call(SAMPLE, "--out", tmp_path / "x.pdf")

    assert result.exit_code == 2
    assert "reportlab is missing; pip install 'patolli[print]' brings it" in " ".join(result.stderr.split())


def test_only_what_is_played_with_is_chosen_by_itself(tmp_path):
    more = "# a.yaml\ndocument: model\nkinds:\n  plan: {}\n# b.yaml\ndocument: pieces\nkind: plan\npieces:\n  hut: {}\n  registry: {}\n"
    cards = cards_of(loaded(tmp_path, more))

    assert {card.kind for card in cards} == {"card", "charm", "plan"}
    assert {card.kind for card in select_cards(cards, Wanted())} == {"card", "charm"}
    assert {card.kind for card in select_cards(cards, Wanted(kinds=("plan",)))} == {"plan"}
    assert {card.kind for card in select_cards([card for card in cards if card.kind == "plan"], Wanted())} == {"plan"}


# ---- the guide

GUIDE = ROOT / "docs" / "how-to" / "print-a-prototype.md"


def test_guide_is_carried_out(tmp_path, monkeypatch):
    """Every command of it works on the game of the tutorial, and prints what stands there."""
    monkeypatch.chdir(tmp_path)
    Path("lanterns/scenarios").mkdir(parents=True)
    for language, name, text in BLOCK.findall(PAGE.read_text("utf-8")):
        if language == "diff":
            edit(Path(name), text)
        elif name:
            Path(name).write_text(text, "utf-8")
    guide = GUIDE.read_text("utf-8")
    said = []
    for command in re.findall(r"^    patolli (.+)$", guide, re.M):
        result = CliRunner().invoke(main, command.split(), catch_exceptions=False)
        assert result.exit_code == 0, result.output
        said.append(result.stdout)

    assert said[0] == re.search(r"```text\n(lanterns\.pdf.*?)```", guide, re.S)[1]
    assert {"lanterns.pdf", "some.pdf", "each.pdf", "small.pdf", "lanterns.html"} <= {
        file.name for file in tmp_path.iterdir()
    }
