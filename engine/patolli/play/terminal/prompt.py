"""A question to a person: the numbered options, and the commands that may be typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from rich.text import Text

from patolli.check.prose.words import capital, join_words
from patolli.language.diagnostics import nearest
from patolli.language.program import types as ty
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene
from patolli.play.scene.several import Several
from patolli.play.terminal.canvas import DIM, Canvas, ink
from patolli.play.terminal.cell_targets import Targets, preview, targets_of
from patolli.play.terminal.concern import find_concerned
from patolli.play.terminal.flow import fold_text
from patolli.play.terminal.options import TALL, listing, tags
from patolli.play.terminal.screen import Screen
from patolli.run.compiler.asked import DONE
from patolli.run.runtime import Match, Option
from patolli.run.runtime.why import count_chosen

COMMANDS = {
    "help": "how to type, and what every sign on the screen means; '?' is the same",
    "legend": "the meaning of the signs on the screen",
    "options": "all options that you can choose now",
    "about": "what an option costs and does: 'about 3', or '?3'; '?WORD' explains a word or sign",
    "show": "all panels again; 'show NAME' draws one panel, or explains a piece, a rule or another name",
    "rules": "the rules; 'rules WORD' shows the rules that mention a word",
    "why": "why an option is not offered: 'why WORDS' or 'why RULE(VALUES)'; 'why' lists these options",
    "advice": "what a search would do, and what may follow; 'advice mcts:2000' thinks longer, 'advice all' shows all",
    "log": "what happened last; 'log 2' shows the second chapter, 'log all' everything",
    "undo": "undo your last choice; 'undo turn' undoes your turn",
    "save": "save the match to a file: 'save FILE'",
    "reload": "continue with the match that another window has saved to the same file",
    "quit": "leave; with --save you can continue the match later",
}
"""What may be typed instead of an option."""
AROUND = 8
"""Lines of a screen that are left for the question, for what happened, and for what is typed."""
TURNS = 8
"""Ways of lying on a board between which one turns; a shape has no more at one place."""
NAMED = 4
"""Options that are named where a line may mean several."""
_COPY = re.compile(r" \(\d+\)$")
"""What distinguishes copies that differ in nothing else."""
TAKE = ("y", "yes", "ok", "take")
TURN = ("t", "turn", "next")
BACK = ("b", "back", "no")
"""What may be typed when an option is shown on the board."""


def find(options: Sequence[Option], typed: str) -> int:
    """Return the index of the option that is meant: by label, words or number, or by the only ones that begin so.

    Raises:
        ValueError: None is meant, or several; the message says so.
    """
    words = " ".join(typed.split())
    lower = words.lower()
    marked = tags(options)
    found = [option for option in options if option.label == words]
    found = found or [option for option in options if option.words.lower() == lower]
    found = found or [option for option in options if marked[option.index] == lower]
    if found:
        return found[0].index
    begun = [option for option in options if option.label.lower().startswith(lower)]
    begun = begun or [option for option in options if option.words.lower().startswith(lower)]
    copies = {_COPY.sub("", option.words) if _COPY.search(option.words) else option for option in begun}
    if len(copies) == 1:
        return begun[0].index
    if begun:
        raise ValueError(f"several options begin with {words!r}: {_name_options(begun, marked)}")
    raise ValueError(f"there is no option {words!r}; {_suggest_near(options, words)}")


def _name_options(options: Sequence[Option], marked: Sequence[str]) -> str:
    """Name a few options with what may be typed for each; their words may have commas of their own."""
    named = "; ".join(f"'{marked[option.index]}' {option.words}" for option in options[:NAMED])
    return f"{named}; and {len(options) - NAMED} more" if len(options) > NAMED else named


def _suggest_near(options: Sequence[Option], words: str) -> str:
    """Say what may have been meant instead: an option, a command, or one with something behind it."""
    near = nearest(words, [*(option.label for option in options), *(option.words for option in options), *COMMANDS])
    first, _, rest = words.partition(" ")
    if near is None and rest and (command := nearest(first, COMMANDS)):
        near = f"{command} {rest}"
    begun = [command for command in COMMANDS if command.startswith(words.lower())]
    near = begun[0] if near is None and len(begun) == 1 else near
    return f"did you mean {near!r}?" if near else "try 'help'"


class Question:
    """The open question of a match, asked at a terminal."""

    def __init__(self, screen: Screen, match: Match, height: int | None = None, chosen: Sequence[str] = ()) -> None:
        """Look at the question that is open in *match*; if a screen has a *height*, it must find room there.

        Where several things are chosen, *chosen* are the labels of those that a person has taken so far.
        """
        decision = match.decision
        assert decision is not None
        self.screen = screen
        self.console = screen.console
        self.decision = decision
        self.scene = Canvas(match, decision.player)
        self.hints = Hints(self.scene, decision)
        self.targets = targets_of(screen, self.scene, self.hints)
        self.several = Several(match, chosen) if decision.question.kind == "several" else None
        self.tall = TALL if height is None else max(6, min(TALL, height - AROUND))
        self._whole = height is None  # whether all options are listed, however many there are
        self.tight = False  # whether no line is left empty
        self.alone = False  # whether only one person sits at the screen, who needs no name
        self.pointing = False  # whether cells are only marked on the board, and not listed

    @cached_property
    def ways_only(self) -> bool:
        """Whether only one cell is left, and only the way to lie there is asked."""
        if self.targets is None or self.targets.others:
            return False
        every = [value for option in self.targets.options() for value in self.hints.values(option)]
        laid = (isinstance(type_, ty.Ref) and bool(self.scene.model.kinds[type_.kind].lays) for type_, _ in every)
        return len(every) <= TURNS and all(laid)

    @cached_property
    def concerned_panels(self) -> set[str]:
        """The panels that show what one may choose."""
        return find_concerned(self.scene, self.hints, self.screen.panels.values())

    @cached_property
    def every(self) -> Sequence[Option]:
        """All options, each at its index; where several things are chosen, in whatever order."""
        return self.decision.options if self.several is None else self.several.every

    @cached_property
    def options(self) -> Sequence[Option]:
        """The options that are left, where some of several things are chosen."""
        return self.decision.options if self.several is None else self.several.open_options

    def describe(self, option: Option, drawn: bool = True) -> Text:
        """Return a few words about an option, with those that are chosen already."""
        behind = self.several.behind(option) if self.several is not None and self.several.chosen else None
        if behind is None:
            return ink(self.hints.describe(option, drawn))
        match, same = behind
        assert match.decision is not None
        return ink(Hints(Scene(match, self.scene.seat), match.decision).describe(same, drawn))

    @property
    def marked_cells(self) -> frozenset[str]:
        """The cells of a board to which the person may point."""
        return self.targets.anchors if self.targets is not None else frozenset()

    @property
    def can_point(self) -> bool:
        """Whether what may be chosen need not be listed, as it can be pointed to on a board."""
        targets = self.targets
        return targets is not None and not targets.compared and len(targets.at) > 1

    def fit(self, room: int) -> None:
        """List no more than there is room for."""
        self.tall = max(3, min(self.tall, room - len(self.head())))

    def squeeze(self, room: int) -> bool:
        """Ask in so many lines if everything can be listed there, if only in columns; return whether it can."""
        if self.ways_only:
            return False
        was, self.tight = (self.tight, self.tall), True
        left = room - len(self.head())
        self.tall = max(1, min(self.tall, left))
        if len(self._format_options()) <= self.tall and left > 0:
            return True
        self.tight, self.tall = was
        return False

    @property
    def marked_at_first(self) -> frozenset[str]:
        """The cells that are marked when all panels are drawn; not where a short list of cells stands below."""
        targets = self.targets
        few = len(self.decision.options) <= self.tall and not self.pointing
        plain = targets is not None and all(len(cells) == 1 for cells in targets.covered.values())
        return frozenset() if few and plain else self.marked_cells

    def show_board(self, preview: bool) -> None:
        """Draw the board to which the person may point, marked as on the page, if nothing is drawn on it at once."""
        if self.targets is not None and not (preview and self.ways_only):
            self.screen.draw(self.scene.match, self.scene.seat, self.targets.panel.id, self.marked_at_first)

    @property
    def lines(self) -> list[Text]:
        """The question, and the options as they are listed below."""
        return [*self.head(), *self._print_options()]

    def ask(self, read: Callable[[str], str], preview: bool, known: bool = False) -> int | str | list[str] | None:
        """Ask below what was drawn; return the index of an option, or the command that was typed.

        Where several things are chosen, all may be typed at once; then their labels are returned, in order. None where
        an option that was shown on the board was not taken.

        Args:
            read: Asks for a line.
            preview: Whether what takes or changes several cells of a board is shown before it is taken.
            known: Whether a line was typed already, so that the question need not be printed unless it fits nothing.
        """
        if preview and self.targets is not None and self.ways_only:
            self.screen.put(self.head())
            answer = Aim(self, self.targets, read).confirm(self.targets.options()[0])
            return "undo" if answer is None else answer
        self.screen.put([] if known else self.lines)
        while True:
            typed = read("> ").strip()
            if not typed:
                continue
            if command := self.command(typed):
                return command
            try:
                if several := self.together(typed):
                    return several
                option = self.find(typed)
            except ValueError as error:
                self.complain(error)
                self.screen.put(self.lines if known else [])
                known = False
                continue
            answer = option.index
            if preview and self.targets is not None and option.index in self.targets.covered:
                answer = Aim(self, self.targets, read).confirm(option)
            return answer

    def together(self, typed: str) -> list[str]:
        """Return the labels of several things that a line names; else nothing. Raises ValueError: one is no option."""
        parts = typed.replace(",", " ").split()
        if self.several is None or len(parts) < 2 or self._is_one(typed):
            return []
        found: list[Option] = []
        for part in parts:
            left = [option for option in self.options if option not in found]
            copies = [option for option in left if _COPY.sub("", option.words).lower() == part.lower()]
            found.append(copies[0] if copies else self.find(part))  # who names a piece twice means two of them
        return [option.label for option in found]

    def _is_one(self, typed: str) -> bool:
        try:
            find(self.every, typed)
        except ValueError:
            return False
        return True

    def command(self, typed: str) -> str:
        """Return the command that a line is, with what stands behind it; nothing where an option is called so."""
        if any(typed in (option.label, option.words) for option in self.decision.options):
            return ""
        if typed.startswith("?"):
            return f"about {typed[1:].strip()}" if typed[1:].strip() else "help"
        first, _, rest = typed.partition(" ")
        return f"{first.lower()} {rest.strip()}".strip() if first.lower() in COMMANDS else ""

    def complain(self, error: ValueError) -> None:
        """Print what was wrong with a line."""
        self.screen.put(fold_text(Text(""), Text(str(error), "yellow"), self.console.width, 2))

    def find(self, typed: str) -> Option:
        """Return the option meant by a cell of the board, or as by :func:`find`. Raises ValueError: unclear."""
        options = self.every
        if self.targets is not None and not any(typed in (option.label, option.words) for option in options):
            here = self.targets.at.get(typed.lower(), [])
            if here:
                return here[0]
            if typed.lower() in self.targets.board.coordinates.values():
                raise ValueError(f"there is no option at {typed}; the cells with an option are marked on the board")
        option = options[find(options, typed)]
        if self.several is not None and option not in self.options:
            if option.label in self.several.chosen:
                raise ValueError(f"{option.words!r} is already chosen; 'undo' undoes it")
            counted = count_chosen(self.scene.match) if option.label == DONE else None
            if counted is not None and (chosen := counted[0] + len(self.several.chosen)) < counted[1]:
                raise ValueError(f"too few are chosen: {chosen} of at least {counted[1]}")
            raise ValueError(f"{option.words!r} cannot be chosen with the others ('why {typed}' says why)")
        return option

    def head(self) -> list[Text]:
        """Return who is asked and what, below an empty line where there is room for one."""
        sign = ink(self.scene.mark("player", self.scene.me))
        name = "You" if self.alone else capital(self.scene.match.names[self.scene.seat])
        who = Text.assemble((name, sign.style), " ", sign) if sign.plain not in name else Text(name, sign.style)
        if self.decision.acts != self.decision.player:
            who.append(f" for {self.scene.match.names[self.decision.acts]}")
        asked = Text.assemble(who, Text(f": {self.decision.prompt or 'What now?'}", "bold"))
        if self.several is not None and not self.several.chosen and len(self.every) > 2:
            asked.append(f"  (several at once: {' '.join(tags(self.every)[:2])})", DIM)
        so_far = join_words(self.several.words) if self.several is not None else ""
        more = fold_text(Text("  Chosen so far: "), Text(so_far), self.console.width, 2) if so_far else []
        return [*([] if self.tight else [Text("")]), asked, *more]

    def _print_options(self) -> list[Text]:
        lines = self._format_options()
        if self._whole or len(lines) <= self.tall:
            return lines
        return [*lines[: self.tall - 1], Text("  ... 'options' lists all of them", DIM)]

    def _format_options(self) -> list[Text]:
        """Return the lines that list all options, or say which cells can be typed."""
        options = self.options
        if self.targets is None or not (self.pointing or len(options) > self.tall):
            return self.listing(options)
        cells = list(self.targets.at)
        such = f"a marked cell, such as {cells[0]} or {cells[-1]}" if len(cells) > 1 else f"the marked cell, {cells[0]}"
        head = Text(f"  Type {such}.")
        return [head, *self.listing(tuple(self.targets.others))]

    def listing(self, options: Sequence[Option]) -> list[Text]:
        """Return the lines that list options, with what is known about each; in columns where they are many."""
        return listing(self, options, self.console.width, self.tall)


class Aim:
    """Shows an option on the board before it is taken; a person takes it, turns it, moves it, or goes back."""

    def __init__(self, question: Question, targets: Targets, read: Callable[[str], str]) -> None:
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
            ways = self._list_turns(option)
            self._show_option(scene, option, ways)
            typed = self.read("> ").strip()
            word = typed.lower()
            if not word or word in TAKE:
                return option.index
            if word in BACK:
                return None
            if word in TURN and len(ways) > 1:
                option = ways[(ways.index(option) + 1) % len(ways)]
            elif word in TURN:
                question.complain(ValueError("there is only one way to place it here"))
            elif command := question.command(typed):
                return command
            else:
                try:
                    option = question.find(typed)
                except ValueError as error:
                    question.complain(error)

    def _list_turns(self, option: Option) -> list[Option]:
        """Return the options between which 'turn' changes: at the same cell, or all where only the way is asked."""
        if self.question.ways_only or self.targets.compared:
            return self.targets.options()
        return self.targets.at[self.targets.board.coordinates[self.targets.covered[option.index][0]]]

    def _is_laid(self, option: Option) -> bool:
        """Return whether an option is a way in which something lies."""
        kinds = self.question.scene.model.kinds
        values = self.question.hints.values(option)
        return any(isinstance(type_, ty.Ref) and bool(kinds[type_.kind].lays) for type_, _ in values)

    def _show_option(self, scene: Canvas, option: Option, ways: list[Option]) -> None:
        question = self.question
        console, put = question.console, question.screen.put
        put(question.screen.picture(scene, [self.targets.panel]))
        shown = ink(question.hints.describe(option))
        several = f" ({ways.index(option) + 1} of {len(ways)})" if len(ways) > 1 else ""
        words = Text.assemble((option.words, "bold"), several, "  " if shown.plain else "", shown)
        put(fold_text(Text("  "), words, console.width, 2))
        turned = all(self._is_laid(way) for way in ways)
        turn = "" if len(ways) < 2 else "'turn' it, " if turned else "'next' shows another, "
        other = "option" if self.targets.compared or len(self.targets.at) == 1 else "cell"
        put([Text(f"  Enter takes it; {turn}type another {other}, or go 'back'.", DIM)])
