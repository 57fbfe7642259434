"""A person who decides: the question, numbered options, and what may be typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rich.text import Text

from patolli.diagnostics import nearest
from patolli.program import types as ty
from patolli.terminal.aiming import Targets, preview, targets_of
from patolli.terminal.boards import DIM
from patolli.terminal.concern import concerned
from patolli.terminal.hints import Hints
from patolli.terminal.options import TALL, listing, tags
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.runtime import Match, Option
    from patolli.terminal.screen import Screen

COMMANDS = {
    "help": "this page",
    "show": "all panels again; 'show NAME' draws one",
    "log": "what happened so far",
    "why": "why something is not offered: 'why WORDS' for an option or 'why RULE(VALUES)'; 'why' lists what is not",
    "undo": "take back your last choice, if nothing was revealed since",
    "save": "write the match to a file: 'save FILE'",
    "quit": "leave; with --save the match can be gone on with later",
}
"""What may be typed instead of an option."""
TURNS = 8
"""Ways of lying on a board between which one turns; a shape has no more at one place."""
TAKE = ("y", "yes", "ok", "take")
TURN = ("t", "turn", "next")
BACK = ("b", "back", "no")
"""What may be typed when an option is shown on the board."""


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


class Question:
    """The open question of a match, asked at a terminal."""

    def __init__(self, screen: Screen, match: Match) -> None:
        """Look at the question that is open in *match*."""
        decision = match.decision
        assert decision is not None
        self.screen = screen
        self.console = screen.console
        self.decision = decision
        self.scene = Scene(match, decision.player)
        self.hints = Hints(self.scene, decision)
        self.targets = targets_of(screen, self.scene, self.hints)

    @cached_property
    def ways_only(self) -> bool:
        """Whether only one cell is left, and only the way to lie there is asked."""
        if self.targets is None or self.targets.others:
            return False
        every = [value for option in self.targets.options() for value in self.hints.values(option)]
        laid = (isinstance(type_, ty.Ref) and bool(self.scene.model.kinds[type_.kind].lays) for type_, _ in every)
        return len(every) <= TURNS and all(laid)

    @cached_property
    def concerned(self) -> set[str]:
        """The panels that show what one may choose."""
        return concerned(self.scene, self.hints, self.screen.panels.values())

    @property
    def height(self) -> int:
        """About how many lines the question takes."""
        return 4 + min(TALL, len(self.decision.options))

    @property
    def marked(self) -> frozenset[str]:
        """The cells of a board to which the person may point."""
        return self.targets.anchors if self.targets is not None else frozenset()

    @property
    def marked_at_first(self) -> frozenset[str]:
        """The cells that are marked when all panels are drawn; not where a short list of cells stands below."""
        targets = self.targets
        few = len(self.decision.options) <= TALL
        plain = targets is not None and all(len(cells) == 1 for cells in targets.covered.values())
        return frozenset() if few and plain else self.marked

    def ask(self, read: Callable[[str], str], drawn: bool, preview: bool) -> int | str:
        """Ask; return the index of an option, or the command that was typed.

        Args:
            read: Asks for a line.
            drawn: Whether the panels have just been drawn, with the marked cells.
            preview: Whether what takes or changes several cells of a board is shown before it is taken.
        """
        if preview and self.targets is not None and self.ways_only:
            self._head()
            answer = Aim(self, self.targets, read).confirm(self.targets.options()[0])
            return "undo" if answer is None else answer
        if not drawn:
            self._board()
        self._head()
        self._list()
        while True:
            typed = read("> ").strip()
            if not typed:
                continue
            if typed == "?":
                return "help"
            if self.is_command(typed):
                return typed
            try:
                option = self.find(typed)
            except ValueError as error:
                self.complain(error)
                continue
            answer = option.index
            if preview and self.targets is not None and option.index in self.targets.covered:
                answer = Aim(self, self.targets, read).confirm(option)
            if answer is not None:
                return answer
            self._board()
            self._head()
            self._list()

    def is_command(self, typed: str) -> bool:
        """Tell whether a line is a command and not the label of an option."""
        return typed.split()[0].lower() in COMMANDS and typed not in [option.label for option in self.decision.options]

    def complain(self, error: ValueError) -> None:
        """Print what was wrong with a line."""
        self.console.print(Text(str(error), "yellow"))

    def find(self, typed: str) -> Option:
        """Return the option that is meant: by a cell of the board, or as :func:`find` does.

        Raises:
            ValueError: None is meant, or several; the message says so.
        """
        options = self.decision.options
        if self.targets is not None and typed not in [option.label for option in options]:
            here = self.targets.at.get(typed.lower(), [])
            if here:
                return here[0]
            if typed.lower() in self.targets.board.coordinates.values():
                raise ValueError(f"there is no option at {typed}; those that there are have marks on the board")
        return options[find(options, typed)]

    def _board(self) -> None:
        """Draw the board to which the person may point, if there is one."""
        if self.targets is not None:
            self.screen.draw(self.scene.match, self.scene.seat, self.targets.panel.id, self.marked)

    def _head(self) -> None:
        sign = self.scene.mark("player", self.scene.me)
        number = str(self.scene.seat + 1)
        who = Text.assemble("\nplayer ", Text(number, sign.style), " " if sign.plain != number else "")
        who += sign if sign.plain != number else Text("")
        self.console.print(who + Text(f": {self.decision.prompt or 'What now?'}", "bold"))

    def _list(self) -> None:
        options = self.decision.options
        if self.targets is not None and len(options) > TALL:
            cells = list(self.targets.at)
            self.console.print(f"  Type a marked cell, such as {cells[0]} or {cells[-1]}.")
            options = tuple(self.targets.others)
        for line in listing(self, options, self.console.width):
            self.console.print(line, no_wrap=True)


class Aim:
    """Shows an option on the board before it is taken; a person takes it, turns it, moves it, or goes back."""

    def __init__(self, question: Question, targets: Targets, read: Callable[[str], str]) -> None:
        """Point to options of *question*."""
        self.question = question
        self.targets = targets
        self.read = read

    def confirm(self, option: Option) -> int | str | None:
        """Return the index of the option that is taken, a command, or None to go back to the question."""
        question = self.question
        while True:
            scene = preview(question.scene, self.targets, question.hints, option)
            if scene is None:
                return option.index
            ways = self._ways(option)
            self._show(scene, option, ways)
            typed = self.read("> ").strip()
            word = typed.lower()
            if not word or word in TAKE:
                return option.index
            if word in BACK:
                return None
            if word in TURN and len(ways) > 1:
                option = ways[(ways.index(option) + 1) % len(ways)]
            elif word in TURN:
                question.complain(ValueError("there is only one way to lie here"))
            elif question.is_command(typed):
                return typed
            else:
                try:
                    option = question.find(typed)
                except ValueError as error:
                    question.complain(error)

    def _ways(self, option: Option) -> list[Option]:
        """Return the options between which 'turn' changes: at the same cell, or all where only the way is asked."""
        if self.question.ways_only or self.targets.compared:
            return self.targets.options()
        return self.targets.at[self.targets.board.coordinates[self.targets.covered[option.index][0]]]

    def _show(self, scene: Scene, option: Option, ways: list[Option]) -> None:
        question = self.question
        console = question.console
        picture = question.screen.picture(scene, [self.targets.panel])
        console.print(picture, soft_wrap=False, no_wrap=True, overflow="ellipsis")
        told = question.hints.tell(option)
        several = f" ({ways.index(option) + 1} of {len(ways)})" if len(ways) > 1 else ""
        line = Text("  ") + Text(option.label, "bold") + Text(several) + (Text("  ") + told if told.plain else told)
        console.print(line, no_wrap=True, overflow="ellipsis")
        turn = "'turn' it, " if len(ways) > 1 else ""
        other = "option" if self.targets.compared or len(self.targets.at) == 1 else "cell"
        console.print(Text(f"  Enter takes it; {turn}type another {other}, or go 'back'.", DIM))
