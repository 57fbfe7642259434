"""Writes the gallery of a ruleset as one HTML page.

The page works without the script and with screen readers: all content of the drawings is also there as text. With the
script, filters work in the page; otherwise the server applies them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from patolli.check.prose.words import capital
from patolli.run.runtime import Ruleset
from patolli.serve.studio.drawing.svg import svg
from patolli.serve.studio.gallery.board_drawings import board_drawing
from patolli.serve.studio.gallery.boards import Board, boards_of
from patolli.serve.studio.gallery.card_drawings import card_drawing
from patolli.serve.studio.gallery.cards import Card, Cards, Change
from patolli.serve.studio.gallery.differences import Difference, differences
from patolli.serve.studio.gallery.markup import Markup, el, many
from patolli.serve.studio.gallery.ratings import Rating, Ratings

FILES = Path(__file__).parent / "files"
"""The style sheet and the script of the page."""
BOARD = 170.0, 230.0
"""The size of the drawing of a board, in millimeters."""
SIGNS = {"removed": ("del", "before: "), "added": ("ins", "now: ")}


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter for cards: by kind, by pack, and by words; empty for all."""

    kind: str = ""
    pack: str = ""
    text: str = ""

    def takes(self, card: Card) -> bool:
        """Return whether a card matches."""
        return (
            self.kind in ("", card.kind)
            and (self.pack in ("", card.pack) or any(self.pack == one.by for one in card.changed))
            and all(word in search_text(card) for word in self.text.lower().split())
        )


@dataclass(frozen=True, slots=True)
class Gallery:
    """The content of a gallery page."""

    rules: Ruleset
    cards: Sequence[Card]
    boards: Sequence[Board]
    changed: dict[str, Difference]
    ratings: Ratings | None = None


def gallery_of(rules: Ruleset, base: Ruleset | None = None, ratings: Ratings | None = None) -> Gallery:
    """Collect the content of a page; with *base*, the game without modules, include their changes."""
    reader = Cards(rules)
    changed = differences(base, rules) if base is not None else {}
    return Gallery(rules, reader.all(), boards_of(reader), changed, ratings)


def search_text(card: Card) -> str:
    """Return all texts of a card in lowercase, for the filter by words."""
    does = (line for label, said in card.does for line in (label, *said))
    facts = (f"{fact.label} {fact.said}" for fact in card.facts)
    return " ".join((card.name, card.noun, card.text, card.source, card.id, *facts, *does)).lower()


# ---- the page


def page(gallery: Gallery, shown: Filter | None = None, served: str = "", printed: str = "", played: str = "") -> str:
    """Return the page.

    Args:
        gallery: The content.
        shown: The filter for cards; all by default.
        served: The address of the page's files. If empty, the page includes them, and needs no other file.
        printed: The address of the PDF.
        played: The address to play the game.
    """
    shown = shown or Filter()
    rules = gallery.rules
    body = el(
        "body",
        el("a", "To the cards", href="#cards", css="skip"),
        el("header", *_head(gallery, printed, played)),
        _filters(gallery, shown, bool(served)),
        el("main", *_sections(gallery, shown), id="cards", tabindex="-1"),
        None if served else el("script", Markup((FILES / "gallery.js").read_text("utf-8")), type="module"),
    )
    return f"<!doctype html>\n{el('html', head(rules.title, served), body, lang='en')}\n"


def head(title: str, served: str, live: bool = True) -> Markup:
    """Return the head of a page, with its files, or with links to the address *served*."""
    if served:
        files = many(
            el("link", rel="icon", href="/static/icon.svg"),
            el("link", rel="stylesheet", href=f"{served}/gallery.css"),
            el("script", src=f"{served}/gallery.js", type="module") if live else None,
        )
    else:
        files = el("style", Markup((FILES / "gallery.css").read_text("utf-8")))
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{title}: gallery"),
        files,
    )


def _head(gallery: Gallery, printed: str, played: str) -> Iterator[Markup]:
    rules = gallery.rules
    base = rules.packs[0]
    modules = [pack for pack in rules.packs if pack.id in rules.module_ids]
    yield el("h1", rules.title)
    yield el("p", base.text("text"), css="lead")
    if modules:
        yield el("p", "With ", ", ".join(pack.text("title", pack.id) for pack in modules), ".", css="lead")
    if gallery.ratings is not None:
        yield el("p", gallery.ratings.about, css="lead")
    if printed:
        links = {"Play it": played, "Cards and boards on paper (PDF)": printed, "All games": "/gallery"}
        shown = [el("a", said, href=at) for said, at in links.items() if at]
        yield el("p", *[one for link in shown for one in (" · ", link)][1:])


def _filters(gallery: Gallery, shown: Filter, served: bool) -> Markup:
    kinds = dict.fromkeys((card.kind, card.noun) for card in gallery.cards)
    packs = {card.pack: card.module for card in gallery.cards}
    modules = ",".join(gallery.rules.module_ids) if served else ""
    return el(
        "form",
        _choice("Kind", "kind", kinds, shown.kind),
        _choice("From", "pack", packs.items(), shown.pack) if len(packs) > 1 else None,
        el("label", "Words", el("input", type="search", name="text", value=shown.text, autocomplete="off")),
        el("input", type="hidden", name="modules", value=modules) if modules else None,
        el("button", "Show", type="submit"),
        el("p", _count(sum(map(shown.takes, gallery.cards)), len(gallery.cards)), role="status", id="count"),
        method="get", role="search", aria_label="Cards", css="filters", hidden=not served, data_live=True,
    )  # fmt: skip


def _choice(label: str, name: str, options: Iterable[tuple[str, str]], chosen: str) -> Markup:
    every = [("", "all"), *options]
    inner = [el("option", capital(said), value=value, selected=value == chosen) for value, said in every]
    return el("label", label, el("select", inner, name=name))


def _count(number: int, of: int) -> str:
    return f"{number} of {of} cards" if number != of else f"{of} cards" if of != 1 else "1 card"


def _sections(gallery: Gallery, shown: Filter) -> Iterator[Markup]:
    whole = shown == Filter()
    if gallery.boards and whole:
        figures = [_board(board) for board in gallery.boards]
        yield el("section", el("h2", "Boards", id="boards"), el("div", *figures, css="boards"), css="whole")
    cards = [card for card in gallery.cards if shown.takes(card)]
    for kind, some in groupby(cards, lambda card: card.kind):
        found = list(some)
        head = el("h2", capital(found[0].noun), el("small", f" {len(found)}"), id=f"kind-{kind}")
        about = el("p", found[0].about, css="about") if found[0].about else None
        items = [_card(card, gallery) for card in found]
        yield el("section", head, about, el("ul", *items, css="cards", role="list"))
    if not cards:
        yield el("p", "No card matches.", css="none")


def _board(board: Board) -> Markup:
    times = f", {board.copies} copies" if board.copies > 1 else ""
    caption = el("figcaption", el("strong", board.title), times, f": {board.note}" if board.note else None)
    return el("figure", Markup(svg(board_drawing(board, *BOARD, titled=False), "board")), caption)


# ---- a card


def _card(card: Card, gallery: Gallery) -> Markup:
    change = gallery.changed.get(f"{card.section}/{card.id}")
    rating = gallery.ratings.pieces.get(f"{card.kind}/{card.id}") if gallery.ratings is not None else None
    return el(
        "li",
        el(
            "article",
            el("div", Markup(svg(card_drawing(card), "face")) if card.faces else None, css="picture"),
            el("div", *_describe_card(card, change, rating), css="told"),
            id=f"{card.section}-{card.id}",
        ),
        data_kind=card.kind, data_pack=" ".join([card.pack, *(one.by for one in card.changed)]),
        data_words=search_text(card),
    )  # fmt: skip


def _describe_card(card: Card, change: Difference | None, rating: Rating | None) -> Iterator[Markup]:
    copies = f", {card.copies} copies" if card.copies > 1 else "" if card.copies else ", not used with these modules"
    yield el("h3", card.name)
    yield el("p", f"{capital(card.noun)}{copies} · {card.module}", css="meta")
    if card.text:
        yield el("p", card.text, css="text")
    if card.facts:
        yield el("dl", [(el("dt", fact.label), el("dd", fact.said)) for fact in card.facts])
    if card.does:
        yield el("ul", [_effect(label, said) for label, said in card.does], css="does", role="list")
    source = card.source or "not specified"
    yield el("p", el("span", "Source: ", css="label"), source, " · ", el("code", card.where), css="source")
    if rating is not None:
        yield el("p", " ".join(rating.lines), css="rating found" if rating.found else "rating")
    if change is not None:
        yield _compare_cards(card, change)
    if card.changed:
        lines = [_describe_change(one) for one in card.changed]
        yield el("details", el("summary", f"Changed by modules ({len(lines)})"), el("ul", lines))
    if card.used:
        links = [el("li", el("a", said, href=f"#pieces-{id_}") if id_ else said) for said, id_ in card.used]
        yield el("details", el("summary", f"Used by ({len(links)})"), el("ul", links))
    yield el("details", el("summary", "YAML"), el("pre", card.written.rstrip(), tabindex="0"))


def _effect(label: str, said: Sequence[str]) -> Markup:
    head = el("span", f"{label}: ", css="label") if label else None
    lines = [
        el("span", line.strip(), css="line", data_deep=min(3, (len(line) - len(line.lstrip())) // 2)) for line in said
    ]
    return el("li", head, lines)


def _describe_change(one: Change) -> Markup:
    return el("li", f"{one.pack}: {one.how} {one.what}".rstrip(), " · ", el("code", one.where))


def _compare_cards(card: Card, change: Difference) -> Markup:
    """Return a piece without and with the modules, side by side, and the differences."""
    before, after = (
        el("figure", Markup(svg(card_drawing(one), "face")) if one.faces else None, el("figcaption", said))
        for one, said in ((change.before, "without modules"), (card, "with modules"))
    )
    lines = [
        el("li", el(tag, el("span", said, css="unseen"), text)) for tag, said, text in map(_split_sign, change.lines)
    ]
    summary = el("summary", f"Changes by the modules ({len(lines)})")
    return el("details", summary, el("div", before, after, css="beside"), el("ul", lines, css="differs", role="list"))


def _split_sign(line: tuple[str, str]) -> tuple[str, str, str]:
    return *SIGNS[line[0]], line[1]
