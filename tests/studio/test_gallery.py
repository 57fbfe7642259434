"""The cards of a gallery: all pieces are there, told in words; what modules change; and no text is ever markup."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import golden
import pytest
from click.testing import CliRunner
from examples import module
from packmaker import loaded, spliced
from tiers import few

from patolli.author.workspace import load, requirements
from patolli.cli import main
from patolli.language.packs.discovery import list_bundled
from patolli.serve.studio.drawing.marks import bounds
from patolli.serve.studio.gallery.board_drawings import board_drawing
from patolli.serve.studio.gallery.boards import boards_of
from patolli.serve.studio.gallery.card_drawings import card_drawing
from patolli.serve.studio.gallery.cards import Cards, cards_of
from patolli.serve.studio.gallery.differences import base_of, differences
from patolli.serve.studio.gallery.page import Filter, gallery_of, page
from patolli.serve.studio.gallery.ratings import NoReport, read_ratings

GOLDEN = Path(__file__).parent / "cards"
ROOT = Path(__file__).resolve().parents[2]
FEAST = module("feast", '{sample: ">=1.0"}', "components: {card: 1}\n") + (
    "# feast/change.yaml\ndocument: patch\nchange:\n"
    "  - {replace: pieces/rich/effect, with: gain 3 seed}\n"
    "  - {replace: pieces/rich/text, with: Gain 3 seeds.}\n"
    "# feast/cards.yaml\ndocument: pieces\nkind: card\nplace: deck\npieces:\n"
    "  lavish: {number: 30, cost: 3 coin, text: Nothing but pride.}\n"
)
LOOKS = (
    "document: panels\nsymbols:\n  card: {show: [number], colour: blue}\n  luck: {sign: ☘, colour: green}\n"
    "panels:\n  board: {title: The field, shows: grid, of: cell, show: owner}\n  shop: {title: Shop, shows: row, of: shop}\n"
)
MODULES = {
    "city_of_gods": (
        ("increased_workforce",),
        ("mansion", "altars", "empire", "abrupt_eclipse", "solo", "bot_movement", "random_pyramid"),
    ),
    "founders": (("founders_solo",),),
}
"""All modules of the shipped packs, in rulesets in which they go together."""


class Page(HTMLParser):
    """What a browser makes of a page: the elements, the text, and the text in the cards without code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style", "pre", "code"} & set(self.open):
            self.words.append(data)


def rulesets():
    for id_ in list_bundled():
        if requirements(id_).base == id_:
            yield from ((id_, modules) for modules in MODULES.get(id_, ((),)))


@cache
def shipped(pack, modules=()):  # cached, as it takes a while
    """Return what reads the cards of a shipped pack."""
    return Cards(load(pack, dict.fromkeys(name for one in modules for name in requirements(one).modules)))


def test_all_modules_are_looked_at():
    needed = {id_ for id_ in list_bundled() if requirements(id_).base != id_}
    chosen = {one for rulesets in MODULES.values() for modules in rulesets for one in modules}
    have = {name for one in chosen for name in requirements(one).modules}
    assert needed - have == {"draft", "first_game"}  # they have no pieces


# ---- every piece


@pytest.mark.parametrize(
    ("pack", "modules"),
    few(list(rulesets()), 0, 1, 2, deep=8),
    ids=lambda one: one if isinstance(one, str) else "+".join(one),
)
def test_every_piece_has_a_card(pack, modules):
    rules = shipped(pack, modules).rules
    cards = shipped(pack, modules).all()

    entries = rules.model.composition.sections["pieces"]
    assert {card.id for card in cards if card.section == "pieces"} == set(entries)
    assert {kind.name for kind in rules.resolved_program.kinds.values() if kind.placed} - {
        card.kind for card in cards
    } == set()
    folders = {one.id: one.folder for one in rules.packs}
    for card in cards:
        pack_id, _, rest = card.where.partition("/")
        file, _, line = rest.rpartition(":")
        assert card.id in (folders[pack_id] / file).read_text("utf-8").splitlines()[int(line) - 1]
        words = [card.name, card.noun, card.module, *(line for label, said in card.does for line in (label, *said))]
        words += [text for fact in card.facts for text in (fact.label, fact.said)] + [said for said, _ in card.used]
        words = [re.sub("`[^`]*`", "", text) for text in words]  # the text of a rule that words would make a riddle
        assert [text for text in words if re.search(r"[a-z0-9]_[a-z0-9]|\w'(?!s\b|t\b)\w", text)] == []
        assert card.name
        for face in card.faces[:3]:
            drawing = card_drawing(card, face)
            assert [mark for mark in drawing.marks if not inside(mark, drawing)] == []


def inside(mark, drawing):
    left, top, right, bottom = bounds(mark)
    return left >= 0 and top >= 0 and right <= drawing.wide + 0.01 and bottom <= drawing.high + 0.01


def test_copies_are_those_of_a_match(tmp_path):
    rules = loaded(tmp_path, "")
    layout = rules.program(4).layout

    for card in cards_of(rules):
        ids = [one.design.id for one in layout.instances[card.kind] if one.design]
        assert card.copies == ids.count(card.id)


def test_copies_with_facts_of_their_own_have_faces(tmp_path):
    card = next(card for card in cards_of(loaded(tmp_path, "")) if card.id == "plain")

    assert [(face.copies, [fact.said for fact in face.facts]) for face in card.faces] == [
        (1, [str(n)]) for n in range(1, 7)
    ]
    assert [fact.said for fact in card.facts] == ["1, 2, 3, 4, 5, 6"]


def test_a_name_does_not_tell_what_changes(tmp_path):
    token = "document: model\nkinds:\n  pawn: {name: pawn at {step}, per: player, copies: 2, fields: {step: int = 0}}\n"
    token += "places:\n  yard: {of: pawn, per: player, type: area}\n"
    card = next(
        card
        for card in cards_of(loaded(tmp_path, token.replace("name: pawn at {step}", 'name: "pawn at {step}"')))
        if card.kind == "pawn"
    )

    assert {face.name for face in card.faces} == {"Pawn"}
    assert [(face.owner, face.copies) for face in card.faces] == [(0, 2), (1, 2), (2, 2), (3, 2)]


# ---- golden cards


@pytest.mark.parametrize("name", ["rich", "greed", "luck"])
def test_card_is_written_as_before(tmp_path, name):
    rules = loaded(tmp_path, "# looks.yaml\n" + LOOKS + FEAST)
    html = page(gallery_of(rules, base_of(rules)))
    card = re.search(rf'<article id="pieces-{name}">.*?</article>', html, re.S)[0]

    golden.check(GOLDEN / f"{name}.html", re.sub(r">(?=<)", ">\n", card) + "\n")


# ---- what modules change


def test_before_stands_beside_after(tmp_path):
    rules = loaded(tmp_path, FEAST)
    found = differences(base_of(rules), rules)

    assert list(found) == ["pieces/rich"]
    assert found["pieces/rich"].before.text == "Gain 2 seeds."
    assert found["pieces/rich"].lines == (
        ("removed", "effect: Gain 2 seeds."),
        ("added", "effect: Gain 3 seeds."),
        ("removed", "text: Gain 2 seeds."),
        ("added", "text: Gain 3 seeds."),
    )
    assert "<del>" not in page(gallery_of(rules))
    shown = Page(page(gallery_of(rules, base_of(rules))))
    assert [tag for tag, _ in shown.tags if tag in ("del", "ins")] == ["del", "ins", "del", "ins"]


def test_nothing_is_compared_without_modules(tmp_path):
    assert base_of(loaded(tmp_path, "")) is None


@pytest.mark.parametrize(
    ("shown", "ids"),
    [
        (Filter(), ["plain", "rich", "bold", "lavish", "luck", "greed"]),
        (Filter(kind="charm"), ["luck", "greed"]),
        (Filter(pack="feast"), ["rich", "lavish"]),
        (Filter(text="SCORE point"), ["bold"]),
        (Filter(kind="charm", text="seed"), []),
    ],
)
def test_filters(tmp_path, shown, ids):
    rules = loaded(tmp_path, FEAST)
    html = page(gallery_of(rules), shown, "/files")

    assert [attrs["id"] for tag, attrs in Page(html).tags if tag == "article"] == [f"pieces-{id_}" for id_ in ids]
    assert ("No card matches." in html) == (not ids)
    assert f"{len(ids)} of 6 cards" in html or len(ids) == 6


# ---- no text is markup

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\\\"'&"


def test_texts_are_never_markup(tmp_path):
    bad = EVIL.replace("\\\\", "\\")
    example = (
        f'# looks.yaml\ndocument: panels\nsymbols:\n  luck: {{sign: "<b", means: "{bad}"}}\npanels:\n'
        f'  board: {{title: "{bad}", note: "{bad}", shows: grid, of: cell, show: owner}}\n'
        f"# more.yaml\ndocument: pieces\nkind: charm\nplace: bag\npieces:\n"
        f'  odd: {{name: "{bad}", text: "{bad}", source: "{bad}"}}\n'
        + module("feast", '{sample: ">=1.0"}').replace("title: ", f'title: "{bad}" # ')
        + f'# feast/change.yaml\ndocument: patch\nchange:\n  - {{replace: pieces/rich/text, with: "{bad}"}}\n'
    )
    rules = loaded(tmp_path, example)
    html = page(gallery_of(rules, base_of(rules)))
    found = Page(html)

    assert found.open == []
    assert [tag for tag, _ in found.tags if tag in ("script", "img", "b")] == ["script"]
    assert not [name for _, attrs in found.tags for name in attrs if name.startswith("on")]
    assert "<script>alert" in "".join(found.words)


def test_a_served_page_has_nothing_inside_that_its_policy_forbids(tmp_path):
    found = Page(page(gallery_of(loaded(tmp_path, LOOKS)), served="/files"))

    assert [attrs for tag, attrs in found.tags if tag == "style" or "style" in attrs] == []
    assert [attrs["src"] for tag, attrs in found.tags if tag == "script"] == ["/files/gallery.js"]


def test_a_written_page_needs_no_other_file(tmp_path):
    found = Page(page(gallery_of(loaded(tmp_path, LOOKS))))

    assert [attrs for tag, attrs in found.tags if tag == "link" or "src" in attrs] == []


# ---- boards


@pytest.mark.parametrize(
    ("pack", "known"),
    few(
        [
            ("city_of_gods", ["Action boards", "Temples", "Avenue of the Dead", "Calendar", "Pyramid"]),
            ("founders", ["Your city"]),
            ("chess", ["The board"]),
            ("hex", ["The board"]),
            ("go", ["The board"]),
            ("backgammon", ["The board"]),
            ("nine_mens_morris", ["The board"]),
            ("patolli", ["The board"]),
        ],
        0,
        1,
    ),
)
def test_boards_are_drawn_inside_their_paper(pack, known):
    boards = boards_of(shipped(pack, MODULES.get(pack, ((),))[-1]))

    assert [board.title for board in boards][: len(known)] == known
    for board in boards:
        for size in ((190.0, 270.0), (120.0, 90.0)):
            drawing = board_drawing(board, *size)
            assert [mark for mark in drawing.marks if not inside(mark, drawing)] == []
            assert len(drawing.marks) > 9


def test_boards_show_what_never_changes_and_nothing_else():
    board = boards_of(shipped("founders", ("founders_solo",)))[0]
    text = list(board_drawing(board, 190, 270).texts())

    assert board.copies == 1
    assert {"ws", "tg", "+4"} <= set(text)  # rewards below the pyramid
    chess = boards_of(shipped("chess"))[0]
    assert {"♔", "♙"}.isdisjoint(board_drawing(chess, 190, 270).texts())  # no men on it


# ---- how the lab rates it

RICH = {
    "name": "card/rich", "matches": 40, "taken": 25, "believed": 0.01,
    "score": {"value": 2.25, "low": 1.0, "high": 3.5}, "wins": {"value": 0.12, "low": -0.01, "high": 0.25},
}  # fmt: skip
REPORT = {
    "about": {"pack": "sample", "matches": 50, "bots": ["random", "greedy"], "content": "other"},
    "pieces": [RICH, {"name": "card/bold", "matches": 9, "taken": 0, "score": None, "wins": None, "believed": 1.0}],
}


def test_the_lab_rates_pieces(tmp_path):
    rules = loaded(tmp_path, "")
    (tmp_path / "report.json").write_text(json.dumps(REPORT), "utf-8")
    found = Page(page(gallery_of(rules, None, read_ratings(tmp_path / "report.json", rules))))

    words = "".join(found.words)
    assert "The lab: 50 matches of random, greedy, of different rules." in words
    assert (
        "Seen in 40 matches, taken 25 times. Taking it brings +2.2 points (95 %: +1.0 to +3.5). "
        "Taking it brings +12.0 % of the wins (95 %: -1.0 to +25.0). This difference is significant."
    ) in words
    assert "Seen in 9 matches, never taken." in words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "is not a report of the lab; use a folder of 'patolli lab run'"),
        ("no JSON", "is not a report of the lab"),
        ("[]", "is not a report of the lab"),
        ('{"about": {"pack": "sample"}, "pieces": []}', "is not a report of the lab"),
        (json.dumps(REPORT).replace("sample", "promises"), "is a report about 'promises', not about 'sample'"),
    ],
)
def test_what_is_no_report_is_reported(tmp_path, text, words):
    rules = loaded(tmp_path, "")
    if text is not None:
        (tmp_path / "report.json").write_text(text, "utf-8")

    with pytest.raises(NoReport, match=re.escape(words)):
        read_ratings(tmp_path / "report.json", rules)


def test_written_by_the_command(tmp_path, monkeypatch):
    spliced(tmp_path, FEAST)
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    out = tmp_path / "cards.html"
    result = CliRunner().invoke(main, ["gallery", str(tmp_path / "feast"), "--out", str(out)])

    assert (result.exit_code, result.stdout) == (0, f"{out}: 6 cards and 1 board\n"), result.output
    assert "Changes by the modules" in out.read_text("utf-8")


def test_cards_show_what_a_panel_shows_of_all_copies_and_no_nothing():
    cards = {card.id: card for card in cards_of(load("skerry"))}
    facts = {fact.label: fact for fact in cards["pebble"].facts}

    assert facts["Price"].shown, "the supply shows it"
    assert facts["Price"].said == "0", "which every card has to say"
    assert facts["What it brings when you buy"].said == "1"
    assert "Points" not in facts
    assert {fact.label: fact.said for fact in cards["silt"].facts}["Points"] == "-1"


@pytest.mark.deep
def test_cards_show_the_numbers_of_a_constant_that_their_effect_reads():
    """The effect says "as many as the set points at the size of set 1"; how many that is stands in a constant."""
    card = next(card for card in cards_of(load("city_of_gods")) if card.id == "bonus_masks")

    assert ("Set points", ("0, 1, 3, 6, 10, 15, 21, 28, from 0 on.",)) in card.does
    others = [card for card in cards_of(load("city_of_gods")) if card.id == "bonus_flat"]
    assert len(others[0].does) == 1
