"""A pack with script in every text that it may have: on the page all of it is only text."""

from __future__ import annotations

from studio.browsing import browse
from studio.sitting_down import OWNER, Client

NASTY = "<img src=x onerror=window.caught=1>"
FILES = {
    "pack.yaml": """document: pack
id: nasty
version: 1.0.0
language: 1
title: 'T NASTY'
authors: ['A NASTY']
text: 'X NASTY'
players: {min: 2, max: 2}
options:
  long: {range: [1, 3], default: 1, text: 'O NASTY'}
""",
    "model.yaml": """document: model
kinds:
  card: {facts: {number: int}, text: 'K NASTY', noun: ['card NASTY', 'cards NASTY']}
counters:
  point: {per: player, text: 'C NASTY'}
places:
  shop: {of: card, type: area, text: 'P NASTY'}
""",
    "pieces.yaml": """document: pieces
kind: card
place: shop
pieces:
  first: {number: 1, text: 'F NASTY'}
  second: {number: 2, text: 'S NASTY'}
""",
    "panels.yaml": """document: panels
panels:
  shop: {title: 'N NASTY', shows: pieces, of: shop, note: 'E NASTY', facts: [number]}
""",
    "rules.yaml": """document: rules
rules:
  match:
    text: 'R NASTY'
    heading: 'H NASTY'
    do: |
      choose one "Q NASTY":
        "L NASTY": say "W NASTY"; gain 1 point
        "other": end match
      choose one "Z NASTY":
        "one more": end match
        "or this": end match
""",
}
SHOWN = ["T", "N", "E", "Q", "L"]
"""Texts that stand on the page before the first choice, by their first letter."""


def written(folder):
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text.replace("NASTY", NASTY), "utf-8")
    return str(folder)


def harmless(page):
    """Whether nothing of the texts became part of a page."""
    return page.locator("img[src=x]").count() == 0 and page.evaluate("window.caught") is None


def test_on_the_table_it_is_text(base, page, tmp_path):
    at = browse.At(base, written(tmp_path / "nasty"), 2, seed=1, seats=[{"name": "<b>Eve</b>"}, {}])
    page.goto(at.link)
    page.wait_for_selector("main.table")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.locator("p.note").first.wait_for(state="attached")

    words = page.locator("main").text_content()
    assert [one for one in SHOWN if f"{one} {NASTY}" not in f"{page.title()} {words}"] == []
    assert "<b>Eve</b>" in words
    for entry in ("first", "match", "point", "shop"):
        page.get_by_label("Id of a piece, rule").fill(entry)
        page.get_by_role("button", name="Look up").click()
        page.locator(".entry h4", has_text=entry).wait_for()
        assert harmless(page)
    page.locator('.choice[data-place="answer:0"]').click()
    page.wait_for_selector('main.table[data-moves="1"]')
    assert f"W {NASTY}" in page.locator(".story").inner_text()
    page.locator('.choice[data-place="answer:0"]').click()
    page.wait_for_selector("h2#ended")
    assert harmless(page)


def test_in_what_is_sent_as_a_page_it_is_escaped(tmp_path):
    pack = written(tmp_path / "nasty")
    with Client(packs=[pack]) as client:
        offered = client.ask("GET", "/api/packs", OWNER)
        assert offered.headers["content-type"].startswith("application/json")
        assert f"T {NASTY}" in [one["title"] for one in offered.json()]
        gallery = client.ask("GET", "/gallery", OWNER)
        assert NASTY not in gallery.text
