"""The page that lists all games with galleries."""

from __future__ import annotations

from typing import Any

from patolli.serve.studio.gallery.markup import Markup, el
from patolli.serve.studio.gallery.page import head

Data = dict[str, Any]


def index(packs: list[Data], served: str) -> str:
    """Return a page with a form for each game, to select modules.

    Args:
        packs: The games, from ``studio.catalogue``.
        served: The address of the style sheet.
    """
    items = el("ul", [_game(pack) for pack in packs], css="cards", role="list")
    lead = el("p", "Every piece of a game as a card, with its facts and effects.", css="lead")
    body = el(
        "body", el("header", el("h1", "Gallery"), lead, el("p", el("a", "To the tables", href="/"))), el("main", items)
    )
    return f"<!doctype html>\n{el('html', head('Games', served, live=False), body, lang='en')}\n"


def _game(pack: Data) -> Markup:
    modules = [
        el("li", el("label", el("input", type="checkbox", name="modules", value=one["id"]), " ", one["title"]))
        for one in pack["modules"]
    ]
    return el(
        "li",
        el(
            "form",
            el("h2", pack["title"]),
            el("p", pack["text"], css="text"),
            _fold_items(f"With modules ({len(modules)})", modules) if modules else None,
            el("button", "Show the cards of ", pack["title"], type="submit"),
            action=f"/gallery/{pack['id']}", method="get", css="game",
        ),
    )  # fmt: skip


def _fold_items(said: str, items: list[Markup]) -> Markup:
    return el("details", el("summary", said), el("ul", items, role="list"))
