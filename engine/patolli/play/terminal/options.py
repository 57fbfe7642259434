"""The options of a question, as lines that a person can read and choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from patolli.play.terminal.canvas import DIM, ink_rows
from patolli.play.terminal.flow import abreast, fold_text, pad
from patolli.play.terminal.thumbs import GAP, NARROW, beside, thumb

if TYPE_CHECKING:
    from patolli.play.terminal.prompt import Question
    from patolli.run.runtime import Option

TALL = 24
"""Options that are listed one below the other; more are set in columns, or marked on a board."""
HEAD = 40
"""Cells for the words of an option where more is shown behind them."""


def tags(options: Sequence[Option]) -> list[str]:
    """Return what stands before each option: numbers from 1, or letters where an option begins with a number itself."""
    if any(text.lstrip("+-")[:1].isdigit() for option in options for text in (option.label, option.words)):
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [letters[n] if n < 26 else letters[n // 26 - 1] + letters[n % 26] for n in range(len(options))]
    return [str(n + 1) for n in range(len(options))]


def listing(question: Question, options: Sequence[Option], width: int, tall: int = TALL) -> list[Text]:
    """Return the lines that list options of a question, with what is known about each, at most *width* cells wide.

    Where it matters how something lies or looks, each option is drawn. More than *tall* of them stand in columns, and
    so do those that would need more lines with what is known.
    """
    marked = tags(question.every)
    wide = max((len(tag) for tag in marked), default=0) + 2
    heads = [_format_head(option, marked[option.index].rjust(wide)) for option in options]
    if len(options) > tall:
        return abreast(heads, width)
    seen, flat = _draw_options(question, options, heads, width)
    if seen and len(seen) <= tall and not flat:
        return seen
    lines = _list_options(question, options, heads, wide, width)
    if seen and len(seen) <= min(tall, len(lines)):
        return seen
    return lines if len(lines) <= max(tall, len(heads)) or tall >= TALL else abreast(heads, width)


def _list_options(
    question: Question, options: Sequence[Option], heads: list[Text], wide: int, width: int
) -> list[Text]:
    """Return options one below the other, each with what is known about it behind its words."""
    shown = [_describe_option(question, option) for option in options]
    column = min(HEAD, max((cell_len(head.plain) for head in heads), default=0))
    return [
        line
        for head, more in zip(heads, shown, strict=True)
        for line in (
            _format_option(head, more, column, wide + 1, width) if more.plain else fold_text(head, Text(""), width)
        )
    ]


def _draw_options(
    question: Question, options: Sequence[Option], heads: list[Text], width: int
) -> tuple[list[Text], bool]:
    """Return the lines that draw options side by side, as wide as makes them fewest; none where they have no pictures.

    And whether every picture is so *flat* that a list shows it as well.
    """
    pictures = _option_pictures(question, options)
    if not pictures:
        return [], False
    distinct = len({tuple(line.plain for line in lines) for lines in pictures}) == len(options)
    brief = distinct and any(len(option.words) > 2 * NARROW for option in options)
    indent = max((_tag_width(head) for head in heads), default=0) + GAP
    columns = {max(NARROW, width // across - indent) for across in range(1, len(options) + 1)}
    ways = []
    for column in sorted(columns):
        parts = zip(options, heads, pictures, strict=True)
        ways.append(beside([_draw_option(question, *each, brief, column) for each in parts], width))
    compared = question.targets is not None and question.targets.compared
    return min(ways, key=len), not compared and max(map(len, pictures)) < 2


def _option_pictures(question: Question, options: Sequence[Option]) -> list[list[Text]]:
    """Return how each option looks; empty where fewer than two do."""
    targets = question.targets
    compared = targets is not None and bool(targets.pictures)
    found = [
        targets.small(option) if targets is not None and compared else ink_rows(question.hints.picture(option))
        for option in options
    ]
    return found if sum(map(bool, found)) > 1 else []


def _draw_option(
    question: Question, option: Option, head: Text, picture: list[Text], brief: bool, column: int
) -> list[Text]:
    """Return one option as it is drawn among others: its number and words, how it looks, and what it brings.

    If it is *brief*, its words are left out, as they would only say what is seen.
    """
    shown, tag = question.describe(option, drawn=False), _tag_width(head)
    return thumb(head[:tag], Text("") if brief and picture else head[tag:], picture, [shown], column)


def _tag_width(head: Text) -> int:
    """Return how many cells the tag of an option takes, with the blanks around it."""
    return len(head.plain) - len(head.plain.lstrip()) + len(head.plain.split()[0]) + 1


def _format_head(option: Option, tag: str) -> Text:
    return Text.assemble((tag, DIM), " ", option.words, (" (anytime)" if option.anytime else "", DIM))


def _format_option(head: Text, more: Text, column: int, indent: int, width: int) -> list[Text]:
    """Return an option with what is known of it behind it, or below it where there is no room."""
    head = pad(head, column) if cell_len(head.plain) <= column else head
    if cell_len(head.plain) + 2 + min(cell_len(more.plain), width // 3) > width:
        head.rstrip()
        return [*fold_text(head[:indent], head[indent:], width, 2), *fold_text(Text(" " * (indent + 2)), more, width)]
    return fold_text(Text.assemble(head, "  "), more, width)


def _describe_option(question: Question, option: Option) -> Text:
    """Return what is known about an option, and where it lies when its label does not say it."""
    shown, targets = question.describe(option), question.targets
    covered = targets.covered.get(option.index) if targets is not None else None
    if covered is None or targets is None or targets.compared or len(targets.at) == 1:
        return shown
    where = targets.board.coordinates[covered[0]]
    if where in (option.label, option.words):
        return shown
    return Text("  ").join(part for part in (Text(where, "green"), shown) if part.plain)
