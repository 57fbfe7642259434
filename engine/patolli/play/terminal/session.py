"""One match at a terminal, from its start, or from a save, to its score sheet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from patolli.check.prose.words import capital
from patolli.play.players import is_bot, make_bot
from patolli.play.scene.several import Several
from patolli.play.terminal import files
from patolli.play.terminal.chronicle import Chronicle
from patolli.play.terminal.commands import Left, obey
from patolli.play.terminal.layout import lines_of
from patolli.play.terminal.news import Writer, news
from patolli.play.terminal.page import Seen
from patolli.play.terminal.paper import Paper
from patolli.play.terminal.prompt import Question
from patolli.play.terminal.question_screen import Standing
from patolli.play.terminal.renewal import ContentChanged, Editing, carry_over
from patolli.play.terminal.save_keeper import Keeper
from patolli.play.terminal.scores import sources
from patolli.play.terminal.screen import Screen
from patolli.play.terminal.sheet import score_sheet
from patolli.play.terminal.turnover import confirm_turn_end
from patolli.run.compiler.asked import DONE
from patolli.run.compiler.layout import SEED
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.errors import LIMIT, MatchError, endless
from patolli.run.runtime.invariants import Watch
from patolli.run.runtime.last_tricks import find_last_tricks
from patolli.run.runtime.match_story import Line

HUMAN = "human"
NOT_DRAWN = (-1, -1)


class Session:
    """Runs a match between people and bots.

    Attributes:
        keeper: Saves the match in a file.
        editing: Reports whether the content was edited.
        quiet: Whether the actions of bots are not shown.
        confirm: Whether a person is asked before a choice that ends the turn.
        in_front: Whether a person sits at a terminal. Then a piece is shown on the board before it is placed, only
            changed panels are drawn, and long texts stop at the end of the screen.
    """

    def __init__(
        self, rules: Ruleset, match: Match, seats: list[str], console: Console, read: Callable[[str], str]
    ) -> None:
        """Sit down: *seats* names who decides for each seat, *read* asks a person for a line."""
        self.rules = rules
        self.match = match
        self.seats = seats
        self.console = console
        self.read = read
        self.paper = Paper(console, lambda prompt: self.read(prompt))
        self.screen = self._make_screen(rules)
        self.keeper: Keeper | None = None
        self.editing: Editing | None = None
        self.quiet = self.confirm = False
        self._bots = {i: make_bot(kind, match.state[SEED], i) for i, kind in enumerate(seats) if is_bot(kind)}
        self.people = [seat for seat, kind in enumerate(seats) if kind == HUMAN]
        self.you = self.people[0] if len(self.people) == 1 else -1  # who needs no other name
        self.shown = False  # whether a command has just drawn the board
        self.chosen: list[str] = []  # of several things that are chosen, those that a person has taken so far
        self._chosen_at = 0  # at which choice that was
        self._handed = -1  # which person looks at the screen, where others must not
        self.seen: dict[int, Seen] = {}  # what each seat has seen
        self._read_until: dict[int | None, int] = {}  # after how many choices each reader has read the news
        self._first_read = len(match.choices) or -1  # what came before the first question is news, too
        self.adopt(match)

    def _make_screen(self, rules: Ruleset) -> Screen:
        screen = Screen(rules.model, self.console)
        screen.put = self.paper.print_lines
        screen.find_last_tricks = lambda: find_last_tricks(self.chronicle.teller)
        return screen

    @property
    def in_front(self) -> bool:
        """Whether the terminal is interactive."""
        return self.paper.in_front

    @in_front.setter
    def in_front(self, value: bool) -> None:
        self.paper.in_front = value

    def adopt(self, match: Match) -> None:
        """Go on with a match as it is now: another one, or this one after some of its choices were undone."""
        self.match = match
        self.writer = Writer(match, self.you)
        self.chronicle = Chronicle(self.rules, match, self._reader)
        self._read_until = {reader: min(read, len(match.choices)) for reader, read in self._read_until.items()}
        self._first_read = min(self._first_read, len(match.choices))
        self._drawn = NOT_DRAWN  # for which player, and the one who acts, the panels were drawn as they are now
        self._watch = Watch(match)

    def play(self) -> bool:
        """Play until the match is over, or a person leaves; return whether it is over.

        Raises:
            MatchError: The content fails, an invariant does not hold, or bots alone go on for ever.
        """
        alone = 0
        self._watch.check(self.match)
        while not self.match.over:
            if self.editing is not None and self.editing.detect_change():
                self._reload_content()
            elif self.seat not in self._bots:
                if not self._let_person_decide():
                    return False
                alone = 0
            else:
                alone += 1
                if alone > LIMIT:
                    raise endless(self.match, LIMIT)
                self.choose(self._bots[self.seat].decide(self.match))
                self._drawn = NOT_DRAWN
                if not self.people:
                    self._report(-1)
        self._end()
        return True

    @property
    def seat(self) -> int:
        """Who decides now."""
        return self.match.decider

    def choose(self, index: int) -> None:
        """Make a choice for the deciding player."""
        self.match.choose(index)
        self.chronicle.choose(index)
        files.keep(self)
        self._watch.check(self.match)

    def _end(self) -> None:
        reader, self.paper.ending = self.people[0] if self.people else -1, True
        if len(self.people) > 1:
            self.chronicle.read_as(None)
        self.screen.draw(self.match, max(0, reader))
        self._report(reader)
        self.draw(score_sheet(self.match, self.seats, self.you))
        if (points := sources(self.chronicle.teller, you=self.you)) is not None:
            self.draw(points)
        if files.in_the_way(self):
            files.close(self)

    # -- what is printed

    def say(self, words: str, style: str = "") -> None:
        """Print a line of the program itself."""
        self.screen.say(words, style)

    def warn(self, words: str) -> None:
        """Print what is not as it was wanted."""
        self.say(words, "yellow")

    def print_lines(self, lines: Sequence[Text]) -> None:
        """Print lines, each on a line of its own; in front of a screen, a screenful at a time."""
        self.paper.print_lines(lines)

    def page(self, lines: Sequence[Text | str]) -> None:
        """Print lines that may be long; in front of a screen, a screenful at a time."""
        self.paper.flow(lines)

    def draw(self, drawing: RenderableType) -> None:
        """Print whatever rich can draw."""
        self.paper.print_lines(lines_of(self.console, drawing, self.console.width))

    def ask(self, prompt: str) -> str:
        """Return the line that was typed where a long text stopped, or else ask for one."""
        return self.paper.read_line(prompt)

    def _report(self, seat: int) -> None:
        """Print what happened since the last time."""
        shown = self.news(seat, None)
        self._note_read()
        self.print_lines(shown)

    def _note_read(self) -> None:
        """Note that the reader has read everything so far; what all may know was part of it."""
        self._read_until |= dict.fromkeys((self.chronicle.reader, None), len(self.match.choices))

    def _list_news(self) -> list[Line]:
        """Return what happened since the reader looked at the screen."""
        read = self._read_until.get(self.chronicle.reader, self._first_read)
        return self.chronicle.lines[bisect_right(self.chronicle.lines, read, key=lambda line: line.at) :]

    def news(self, seat: int, room: int | None) -> list[Text]:
        """Return what happened since the last time, for the player on a seat, in so many lines."""
        lines = self._list_news()
        if self.quiet:
            lines = [line for line in lines if self.chronicle.decider(line) not in self._bots]
        return news(lines, self.chronicle, self.writer, seat, room, self.console.width)

    # -- a person

    def _let_person_decide(self) -> bool:
        """Let a person decide, or do what was typed; return whether the match goes on."""
        try:
            self._ask_decision(self.seat)
        except ContentChanged:
            self._reload_content()
        except (EOFError, Left) as leaving:
            self.in_front = self.in_front and isinstance(leaving, Left)  # without input, nothing waits
            files.close(self)
            return False
        except KeyboardInterrupt:
            files.close(self)
            raise
        return True

    def _ask_decision(self, seat: int) -> None:
        if self._handed != seat and self._has_secrets():
            self._hand_over(seat)
            return
        if self._chosen_at != len(self.match.choices):
            self.chosen = []
        question = Question(self.screen, self.match, self.console.height if self.in_front else None, self.chosen)
        question.alone = self.you >= 0
        viewers = (seat, question.decision.acts)
        old = self._drawn != viewers or any(line.seat not in (seat, -1) for line in self._list_news())
        Standing(self, seat, question, old).print_page()
        self._drawn, self.shown = viewers, False
        self._note_read()
        files.notice(self)
        answer = question.ask(self.ask, preview=self.in_front, known=self.paper.asked_ahead)
        if isinstance(answer, int) and question.several is not None and not question.every[answer].anytime:
            answer = [question.every[answer].label]
        if isinstance(answer, str) and self.chosen and answer in ("undo", "undo turn"):
            back = question.several.words[-1] if question.several is not None and answer == "undo" else "all of it"
            self.say(f"removed from your choices: {back}")
            self.chosen = self.chosen[:-1] if answer == "undo" else []
        elif isinstance(answer, str):
            obey(self, answer)
        elif answer is None:
            return  # it was not taken; the question is asked again
        elif isinstance(answer, list):
            self._choose_all(answer, question)
        elif not self.confirm or confirm_turn_end(self, question, answer):
            self.choose(answer)

    def _choose_all(self, labels: Sequence[str], question: Question) -> None:
        """Choose several things, in any order; they are answered when all are chosen.

        If the things in one typed line are sufficient, nothing else is asked.
        """
        several = question.several
        assert several is not None
        wanted = [label for label in dict.fromkeys([*self.chosen, *labels]) if label != DONE]
        if not several.possible(wanted):
            self._report_refused(several, labels)
            return
        together = Several(self.match, wanted)
        ends = DONE in labels or len(labels) > 1
        if not (together.enough and (ends or not together.more)):
            self.chosen, self._chosen_at = wanted, len(self.match.choices)
            return
        for label in [*together.order(), *([DONE] if together.goes_on else [])]:
            assert self.match.decision is not None
            self.choose(self.match.decision.labels.index(label))

    def _report_refused(self, several: Several, labels: Sequence[str]) -> None:
        """Say which of the things that were typed is the first that cannot be chosen with the others."""
        taken = list(self.chosen)
        for label in labels:
            if not several.possible([*taken, label]):
                words = next(option.words for option in several.every if option.label == label)
                self.warn(f"{words!r} cannot be chosen with the others ('why' with all of them says why)")
                return
            taken.append(label)

    def _has_secrets(self) -> bool:
        """Return whether several people share the screen, and one may see, or is shown, what another may not."""
        if len(self.people) < 2:
            return False
        if self.rules.visibility(self.match.program).reveals:
            return True
        model = self.rules.model
        visible = [c.visible for c in model.counters.values()] + [p.visible for p in model.places.values()]
        visible += [field.visible for kind in model.kinds.values() for field in kind.fields.values()]
        return not {"owner", "others"}.isdisjoint(visible)

    @property
    def _reader(self) -> int | None:
        """Who alone reads the screen: the only person, or the one in front of it while the others look away."""
        if len(self.people) == 1:
            return self.people[0]
        return self._handed if self._handed >= 0 else None

    def _hand_over(self, seat: int) -> None:
        """Wait until the next person is in front of the screen."""
        if self.in_front:
            self.paper.clear()
        self.say(f"\n{capital(self.writer.names[seat])} decides; the other players look away", "bold")
        if self.ask("Enter when ready> ").strip().lower() == "quit":
            raise Left
        self._handed, self._drawn = seat, NOT_DRAWN
        self.chronicle.read_as(seat)

    def _reload_content(self) -> None:
        """Continue with the current content, or with the old one if the current content has problems."""
        assert self.editing is not None
        rules = self.editing.load()
        if rules is None:
            self.warn("the match continues with the old content")
            return
        try:
            carried = carry_over(self.match, rules)
        except (MatchError, ValueError) as error:
            words = error.text() if isinstance(error, MatchError) else str(error)
            self.warn(f"{words}\nthe match continues with the old content")
            return
        self.rules, self.screen = rules, self._make_screen(rules)
        self.adopt(carried.match)
        self.say("the content has changed; the match continues with the new content", "green")
        if carried.lost:
            self.warn(
                f"choice {carried.kept + 1}, {carried.lost!r}, is not offered any more; the match continues from there"
            )
