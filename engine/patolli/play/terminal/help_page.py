"""The page of help: how to type, and what every sign and word on the screen means."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from patolli.check.prose.words import words
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal.flow import abreast, fold_text, pad
from patolli.play.terminal.lookup import names_of
from patolli.play.terminal.prompt import COMMANDS
from patolli.play.terminal.screen import Screen
from patolli.run.runtime import Match

SIGNS = (
    ("[ ]", "a cell that you can choose"),
    ("·", "an empty cell, or nothing"),
    ("+2, -1", "after an option: what it changes at once"),
    ("(anytime)", "can be done between the steps of a turn; then the question is asked again"),
    ("...", "there is more; the line names the command that shows it"),
    ("…", "there is more; 'about' with the option shows it"),
    ("4x", "four equal ones"),
    ("(1), (2)", "after options with the same words: equal things in one place, so either will do"),
    ("3 hidden", "the number of things there that you cannot see"),
    ("the box", "the place of everything that is out of the game"),
)
"""Signs and words that every game has, and what they mean."""


def page(screen: Screen, match: Match, seat: int) -> list[Text]:
    """Return all lines of the page."""
    width = screen.console.width
    ruleset = match.ruleset
    lines = [
        *fold_text(Text(f"{ruleset.title}: ", "bold"), Text(ruleset.packs[0].text("text")), width, 2),
        Text("Type the number or letter of an option, or its words (the beginning is enough).", "bold"),
        Text("If cells of a board are marked, type a cell. Other commands:", "bold"),
        *_format_table([(Text(name, "bold"), about) for name, about in COMMANDS.items()], width),
        Text("Signs and words in every game:", "bold"),
        *_format_table([(Text(sign), about) for sign, about in SIGNS], width),
    ]
    signs = screen.legend(match, seat)[1:]
    lines += [Text("Signs of this game:", "bold"), *signs] if signs else []
    scene = Scene(match, seat)
    counted = [(Text(_counter_name(scene, name)), text) for name, text in _explained_counters(scene)]
    lines += [Text("Counters:", "bold"), *_format_table(counted, width)] if counted else []
    shapes = [(Text(words(name)), scene.drawing(name)) for name in scene.model.shapes]
    turned = [(Text("turned"), "by one, two or three quarter turns; flipped: mirrored")] if shapes else []
    lines += [Text("Shapes, by their cells:", "bold"), *_format_table([*shapes, *turned], width)] if shapes else []
    lines += [Text("Panels for 'show':", "bold")]
    return [*lines, *abreast([Text(f"  {name}") for name in names_of(screen)], width)]


def signs_page(screen: Screen, match: Match, seat: int, text: str) -> list[Text]:
    """Return what a sign means, or the parts of one; or what a word on the screen is that is no name of a thing."""
    lower, width = text.lower(), screen.console.width
    rows = [*screen.signs(match, seat), *((Text(sign), said) for sign, said in SIGNS)]
    found = [row for row in rows if lower in (row[0].plain.lower(), row[1].lower())]
    if not found and not text.isalpha():
        found = [row for row in rows if row[0].plain in text and not row[0].plain.isspace()]
    found += [(Text(text), said) for said in _describe_words(match, lower)]
    return [line for sign, said in found for line in fold_text(Text.assemble(sign, "  "), Text(said), width, 2)]


def _describe_words(match: Match, text: str) -> Iterator[str]:
    """Yield for each sort of words that has this one which words these are."""
    model = match.program.layout.model
    for name in model.composition.sections["enums"]:
        called = [words(member) for member in model.kinds[name].members or ()]
        if text.replace("_", " ") in called:
            yield f"one of the words for {words(name)}: {', '.join(called)}"


def _format_table(rows: list[tuple[Text, str]], width: int) -> list[Text]:
    """Return pairs in two columns; what goes on in the next line stands below its beginning."""
    column = min(16, max((cell_len(left.plain) for left, _ in rows), default=0)) + 2
    return [
        line for left, about in rows for line in fold_text(Text.assemble("  ", pad(left, column)), Text(about), width)
    ]


def _counter_name(scene: Scene, counter: str) -> str:
    return scene.match.naming(scene.seat).amount(counter, 2)


def _explained_counters(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the counters whose text says more than their name."""
    for name, counter in scene.model.counters.items():
        text = " ".join(counter.text.split())
        if text and counter.visible != "none" and text.rstrip(".").lower() != _counter_name(scene, name).lower():
            yield name, text
