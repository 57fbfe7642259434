"""A person who decides: the question, numbered options, and what may be typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from patolli.diagnostics import nearest
from patolli.terminal.boards import DIM, pad
from patolli.terminal.hints import Hints
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.runtime import Match, Option

COMMANDS = {
    "help": "this page",
    "show": "all panels again; 'show NAME' draws one",
    "log": "what happened so far",
    "undo": "take back your last choice, if nothing was revealed since",
    "save": "write the match to a file: 'save FILE'",
    "quit": "leave; with --save the match can be gone on with later",
}
"""What may be typed instead of an option."""
TALL = 24
"""Options that are listed one below the other; more are set in columns."""


def tags(options: Sequence[Option]) -> list[str]:
    """Return what stands before each option: numbers from 1, or letters where labels are numbers."""
    if any(option.label.lstrip("-").isdigit() for option in options):
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [letters[n] if n < 26 else letters[n // 26 - 1] + letters[n % 26] for n in range(len(options))]
    return [str(n + 1) for n in range(len(options))]


def find(options: Sequence[Option], typed: str) -> int:
    """Return the index of the option that is meant: by label, by number, or by the only label that begins so.

    Raises:
        ValueError: None is meant, or several; the message says so.
    """
    words = " ".join(typed.split())
    for option in options:
        if option.label == words:
            return option.index
    marked = tags(options)
    if words in marked:
        return options[marked.index(words)].index
    lower = words.lower()
    begun = [option for option in options if option.label.lower().startswith(lower)]
    if len(begun) == 1:
        return begun[0].index
    if begun:
        raise ValueError(f"several options begin with {words!r}: {', '.join(o.label for o in begun[:4])}")
    near = nearest(words, [*(option.label for option in options), *COMMANDS])
    raise ValueError(f"there is no option {words!r}" + (f"; did you mean {near!r}?" if near else "; try 'help'"))


def ask(console: Console, match: Match, read: Callable[[str], str]) -> int | str:
    """Ask the player whose turn it is; return the index of an option, or the command that was typed."""
    decision = match.decision
    assert decision is not None
    scene = Scene(match, decision.player)
    _question(console, scene, decision.prompt, _listing(scene, decision.options, Hints(scene, decision)))
    while True:
        typed = read("> ").strip()
        if not typed:
            continue
        if typed.split()[0].lower() in COMMANDS and typed not in [option.label for option in decision.options]:
            return typed
        try:
            return find(decision.options, typed)
        except ValueError as error:
            console.print(Text(str(error), "yellow"))


def _question(console: Console, scene: Scene, prompt: str, lines: list[Text]) -> None:
    sign = scene.mark("player", scene.me)
    number = str(scene.seat + 1)
    who = Text.assemble("\nplayer ", Text(number, sign.style), " " if sign.plain != number else "")
    who += sign if sign.plain != number else Text("")
    console.print(who + Text(f": {prompt or 'What now?'}", "bold"))
    for line in lines:
        console.print(line, no_wrap=True, overflow="ellipsis")


def _listing(scene: Scene, options: Sequence[Option], hints: Hints) -> list[Text]:
    """Return the lines that list the options, with what is known about each."""
    marked = tags(options)
    wide = max(len(tag) for tag in marked)
    heads = [
        Text(f"{tag:>{wide + 2}} ", DIM) + Text(option.label) + Text(" (anytime)" if option.anytime else "", DIM)
        for tag, option in zip(marked, options, strict=True)
    ]
    if len(options) > TALL:
        return _columns(heads)
    told = [hints.tell(option) for option in options]
    width = min(40, max(cell_len(head.plain) for head in heads))
    return [
        (pad(head, width) if cell_len(head.plain) <= width else head) + Text("  ") + more if more.plain else head
        for head, more in zip(heads, told, strict=True)
    ]


def _columns(heads: list[Text]) -> list[Text]:
    width = max(cell_len(head.plain) for head in heads) + 2
    across = max(1, 78 // width)
    down = -(-len(heads) // across)
    return [Text("").join(pad(head, width) for head in heads[row::down]) for row in range(down)]
