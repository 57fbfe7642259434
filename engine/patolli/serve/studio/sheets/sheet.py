"""Selects cards and boards, and prints them to a PDF.

In:     a ruleset, and a selection of its pieces.
Out:    the bytes of a PDF, and its content.
Errors: :class:`SheetError` with one line; ``NotAllowed`` if a license forbids it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from patolli.language.diagnostics import nearest
from patolli.run.runtime import Ruleset
from patolli.serve.studio.drawing.fonts import strange
from patolli.serve.studio.drawing.marks import Drawing
from patolli.serve.studio.drawing.pdf import pdf
from patolli.serve.studio.drawing.vectors import Undrawable, picture_of
from patolli.serve.studio.gallery.board_drawings import board_drawing
from patolli.serve.studio.gallery.boards import boards_of
from patolli.serve.studio.gallery.card_drawings import HIGH, WIDE, card_drawing
from patolli.serve.studio.gallery.cards import Card, Cards
from patolli.serve.studio.sheets.licenses import License, check_licenses
from patolli.serve.studio.sheets.paper import PAPERS, Paper, board_sheet, card_sheets

MOST = 5_000
"""Limit for cards; more would be a mistake."""
SMALLEST = 20.0
"""The minimum side of a card, in millimeters."""


TOKEN = 25.0
"""The side of a token, in millimeters: a piece about which a card would say nothing but its name and sign."""


Named = tuple[str, Drawing]
"""A drawing with the name of what it shows."""


class SheetError(Exception):
    """A request that cannot be printed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A selection of pieces, and print options.

    Attributes:
        kinds: Ids of kinds; all if empty.
        pieces: Ids of pieces; all if empty.
        modules: Ids of packs whose pieces are printed; all if empty.
        paper: A key of ``PAPERS``.
        card: Width and height of a card in millimeters.
        boards: Whether to print boards.
        once: Whether to print each card only once.
    """

    kinds: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    paper: str = "a4"
    card: tuple[float, float] = (WIDE, HIGH)
    boards: bool = True
    once: bool = False


@dataclass(frozen=True, slots=True)
class Sheets:
    """A document and its content. ``short`` names the cards with cut texts."""

    data: bytes
    pages: int
    cards: int
    boards: int
    short: tuple[str, ...]
    licenses: tuple[License, ...]


def sheets_of(rules: Ruleset, wanted: Wanted | None = None) -> Sheets:
    """Return the sheets of a ruleset.

    Raises:
        NotAllowed: The license of one of its packs does not allow copies.
        NoPrinter: The PDF library is not installed.
        SheetError: A name is unknown, there is nothing to print, or the cards do not fit.
    """
    wanted = wanted or Wanted()
    paper = _paper(wanted)
    found = select_print(rules, wanted, paper.room)
    pages = [
        *card_sheets(paper, [drawing for _, drawing in found.cards], found.foot),
        *card_sheets(replace(paper, card=(TOKEN, TOKEN)), [drawing for _, drawing in found.tokens], found.foot),
        *(board_sheet(paper, drawing, found.foot) for _, drawing in found.boards),
    ]
    refuse_strange(pages)
    pieces = (*found.cards, *found.tokens)
    short = dict.fromkeys(name for name, drawing in pieces if drawing.short)
    data = pdf(pages, rules.title, _authors(rules), found.foot)
    return Sheets(data, len(pages), len(pieces), len(found.boards), tuple(short), tuple(found.licenses))


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed: the name and drawing of each copy.

    Attributes:
        decks: The cards of each kind, with the noun of the kind.
        tokens: The pieces that are tokens.
        boards: The boards.
        size: Width and height of a card in millimeters.
        foot: The packs, authors, and licenses in one line.
        licenses: The licenses of the packs.
    """

    decks: tuple[tuple[str, tuple[Named, ...]], ...]
    tokens: tuple[Named, ...]
    boards: tuple[Named, ...]
    size: tuple[float, float]
    foot: str
    licenses: tuple[License, ...]

    @property
    def cards(self) -> tuple[Named, ...]:
        """The cards of all decks."""
        return tuple(card for _, cards in self.decks for card in cards)


def select_print(rules: Ruleset, wanted: Wanted, room: tuple[float, float] | None = None) -> Print:
    """Return what is printed of a ruleset; boards are as large as fits into a *room*, by default that of the paper.

    Raises:
        NotAllowed: The license of one of its packs does not allow copies.
        SheetError: A name is unknown, there is nothing to print, or the cards do not fit.
    """
    licenses = check_licenses(rules.packs)
    reader = Cards(rules, whole=False)
    picked = select_cards(reader.all(), wanted)
    tokens = [card for card in picked if is_token(card)] if min(wanted.card) > TOKEN else []
    kinds = dict.fromkeys((card.kind, card.noun) for card in picked if card not in tokens)
    decks = [
        (
            noun,
            tuple(_fronts([card for card in picked if card.kind == kind and card not in tokens], wanted, wanted.card)),
        )
        for kind, noun in kinds
    ]
    small = tuple(_fronts(tokens, wanted, (TOKEN, TOKEN)))
    boards = boards_of(reader) if wanted.boards and not (wanted.kinds or wanted.pieces or wanted.modules) else []
    number = sum(len(cards) for _, cards in decks) + len(small)
    if not number and not boards:
        raise SheetError("nothing to print: the pack has neither pieces nor boards")
    if number > MOST:
        raise SheetError(f"too many cards: {number}, and the limit is {MOST}; choose some with --pieces")
    wide, high = room or _paper(wanted).room
    plans = [
        (board.title, board_drawing(board, wide, high))
        for board in boards
        for _ in range(1 if wanted.once else board.copies)
    ]
    return Print(tuple(decks), small, tuple(plans), wanted.card, _foot(rules, licenses), tuple(licenses))


def is_token(card: Card) -> bool:
    """Return whether a card would say nothing but its name and sign: no text, effect, fact, picture or art."""
    said = card.text or card.does or any(fact.shown for fact in card.facts)
    plain = all(face.sign.text and not (face.picture or face.art or face.shape) for face in card.faces)
    return not said and plain


def select_cards(cards: Sequence[Card], wanted: Wanted) -> list[Card]:
    """Return the selected cards; by default, pieces with a place in a match. Raises SheetError: a name is unknown."""
    _check_names("kind", wanted.kinds, [card.kind for card in cards], "kinds of pieces")
    _check_names("piece", wanted.pieces, [card.id for card in cards], "pieces")
    _check_names("module", wanted.modules, [card.pack for card in cards], "packs with pieces")
    named = [
        card
        for card in cards
        if (not wanted.kinds or card.kind in wanted.kinds)
        and (not wanted.pieces or card.id in wanted.pieces)
        and (not wanted.modules or card.pack in wanted.modules)
        and card.copies
    ]
    if wanted.kinds or wanted.pieces:
        return named
    return [card for card in named if card.played] or named


def _check_names(what: str, names: Sequence[str], known: Sequence[str], several: str) -> None:
    for name in names:
        if name not in known:
            near = nearest(name, known)
            some = ", ".join(list(dict.fromkeys(known))[:8])
            hint = f"did you mean {near!r}?" if near else f"{several}: {some}" if some else f"it has no {several}"
            raise SheetError(f"unknown {what} {name!r}; {hint}")


def _paper(wanted: Wanted) -> Paper:
    wide, high = PAPERS[wanted.paper]
    paper = Paper(wide, high, wanted.card)
    if min(wanted.card) < SMALLEST:
        raise SheetError(f"--card: a card must be at least {SMALLEST:g} mm wide and high")
    if 0 in paper.grid:
        raise SheetError("--card: {:g}x{:g} mm does not fit on the paper".format(*wanted.card))
    return paper


def _fronts(cards: Sequence[Card], wanted: Wanted, size: tuple[float, float]) -> Iterator[tuple[str, Drawing]]:
    """Yield the name and drawing of each card, once per printed copy."""
    for card in cards:
        for face in card.faces:
            if face.art is not None and not _printable(face.art):
                face = replace(face, art=None)  # the card shows the sign
            drawing = card_drawing(card, face, *size)
            yield from [(face.name, drawing)] * (1 if wanted.once else face.copies)


def _printable(file: Path) -> bool:
    """Return whether a picture can be printed."""
    try:
        if file.suffix == ".svg":
            picture_of(file.read_bytes())
    except (OSError, Undrawable):
        return False
    return True


def _foot(rules: Ruleset, licenses: Sequence[License]) -> str:
    """Return the foot of each sheet: the packs, authors, and licenses."""
    parts = [f"{pack.text('title', pack.id)} {pack.version}" for pack in rules.packs]
    said = dict.fromkeys(license.words for license in licenses)
    return f"{' + '.join(parts)}, {_authors(rules)} · {'; '.join(said)} · made with Patolli"


def _authors(rules: Ruleset) -> str:
    from patolli.language.sources import plain

    found: dict[str, None] = {}
    for pack in rules.packs:
        node = pack.manifest.get("authors")
        names = plain(node) if node is not None else []
        found.update(dict.fromkeys(map(str, names if isinstance(names, list) else [])))
    return ", ".join(found) or "unknown author"


def refuse_strange(pages: Iterable[Drawing]) -> None:
    """Refuse characters that the font does not have, because they would print as empty boxes."""
    for text in (text for page in pages for text in page.texts()):
        odd = strange(text)
        if odd:
            raise SheetError(f"cannot print {text!r}: the font has no character {odd!r}")
