"""One match at a terminal, from its start, or from a save, to its score sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.text import Text

from patolli.compiler.layout import FRAMES, SEED
from patolli.diagnostics import nearest
from patolli.diagnostics.text import harmless
from patolli.players import BOTS, make_bot
from patolli.runtime.errors import LIMIT, MatchError, endless
from patolli.runtime.invariants import Watch
from patolli.runtime.saves import write_save
from patolli.terminal.prompt import COMMANDS, Question
from patolli.terminal.renewal import ContentChanged, Editing, carry_over
from patolli.terminal.scene import SEATS, STYLES, Scene
from patolli.terminal.scores import sources
from patolli.terminal.screen import Screen, Seen
from patolli.terminal.sheet import score_sheet

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset

Answer = TypeVar("Answer")
HUMAN = "human"
REFUSED = 24
"""How many options are listed that are not offered."""


class Session:
    """Runs a match between people and bots.

    A second match that narrates makes the same choices, so that ``match`` itself stays fast, and is what is
    saved.
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
        self.screen = Screen(rules.model, console)
        self.save: Path | None = None
        self.editing: Editing | None = None
        self.quiet = False
        self.unsaved = False  # whether the file of the match could not be written when it should have been
        self.in_front = False  # whether somebody sits in front: what is laid on a board is shown before it is taken
        self._bots = {i: make_bot(kind, match.state[SEED], i) for i, kind in enumerate(seats) if kind in BOTS}
        self._teller = self._retell()
        self._told = len(self._story)
        self._last = -1
        self._handed = -1  # which person looks at the screen, where others must not
        self._seen: dict[int, Seen] = {}
        self._elsewhere = False  # whether somebody else did something since the panels were drawn
        self._deciders: list[int] = []  # who made the choices of this sitting
        self._before = len(match.choices)  # choices of earlier sittings
        self._watch = Watch(match)

    def play(self) -> bool:
        """Play until the match is over, or a person leaves; return whether it is over.

        Raises:
            MatchError: The content fails, an invariant does not hold, or bots alone go on for ever.
        """
        alone = 0
        self._watch.check(self.match)
        while not self.match.over:
            if self.editing is not None and self.editing.changed():
                self._renew()
                continue
            seat = self.match.state[FRAMES][-1][1]
            if seat not in self._bots:
                if not self._person(seat):
                    return False
                alone = 0
            else:
                alone += 1
                if alone > LIMIT:
                    raise endless(self.match, LIMIT)
                self._choose(self._bots[seat].decide(self.match))
                self._tell()
            self._last = seat
        self._tell()
        self.screen.draw(self.match, max(0, self._viewer()))
        self.console.print(score_sheet(self.match, self.seats))
        if (points := sources(self._teller)) is not None:
            self.console.print(points)
        return True

    def _viewer(self) -> int:
        return self.seats.index(HUMAN) if HUMAN in self.seats else 0

    # -- choices

    def _choose(self, index: int) -> None:
        self._deciders.append(self.match.state[FRAMES][-1][1])
        self.match.choose(index)
        self._teller.choose(index)
        self.keep()
        self._watch.check(self.match)

    def keep(self) -> None:
        """Write the match to its file; when that fails, say so, and go on with the match."""
        if self.save is None:
            return
        try:
            write_save(self.match, self.save)
        except OSError as error:
            if not self.unsaved:
                words = "'save FILE' keeps it elsewhere"
                self.console.print(Text(f"{_name(self.save)} cannot be written: {error.strerror}; {words}", "yellow"))
            self.unsaved = True
        else:
            self.unsaved = False

    def _retell(self) -> Match:
        match = self.match
        return self.rules.replay(match.players, match.state[SEED], match.choices, narrate=True)

    def _renew(self) -> None:
        """Go on with the content as it is now, or with the old one when it has problems."""
        assert self.editing is not None
        rules = self.editing.load()
        if rules is None:
            self.console.print(Text("the match goes on with the content as it was", "yellow"))
            return
        try:
            carried = carry_over(self.match, rules)
        except (MatchError, ValueError) as error:
            words = error.text() if isinstance(error, MatchError) else str(error)
            self.console.print(Text(f"{words}\nthe match goes on with the content as it was", "yellow"))
            return
        self.rules, self.match = rules, carried.match
        self._watch = Watch(self.match)
        self.screen = Screen(rules.model, self.console)
        self._teller = self._retell()
        self._told = len(self._story)
        self._deciders = self._deciders[: max(0, carried.kept - self._before)]
        self._last = -1
        self.console.print(Text("the content has changed; the match goes on with it", "green"))
        if carried.lost:
            words = f"choice {carried.kept + 1}, {carried.lost!r}, is not offered any more; it goes on from there"
            self.console.print(Text(words, "yellow"))

    @property
    def _story(self) -> list[str]:
        """What is told at this screen: all that a person who sits here alone may know, else what everybody may."""
        people = [seat for seat, kind in enumerate(self.seats) if kind not in BOTS]
        return self._teller.told(people[0]) if len(people) == 1 else self._teller.log

    def _tell(self) -> None:
        """Print what happened since the last time."""
        lines = self._story[self._told :]
        self._told = len(self._story)
        others = {f"player_{seat + 1}" for seat in range(self.match.players) if seat != self._last}
        self._elsewhere |= any(re.split("[ :.]", line, maxsplit=1)[0] in others for line in lines)
        if not self.quiet:
            for line in lines:
                self.console.print(self._styled(line))

    def _styled(self, line: str) -> Text:
        text = Text(f"  {line}")
        scene = Scene(self.match, 0)
        for seat in range(self.match.players):
            name = f"player_{seat + 1}"
            style = scene.mark("player", name).style or STYLES[SEATS[seat]]
            text.highlight_words([name], style)
        return text

    # -- a person

    def _person(self, seat: int) -> bool:
        """Let a person decide, or do what was typed; return whether the match goes on."""
        self._tell()
        if self._handed != seat and self._has_secrets():
            return self._hand_over(seat)
        question = Question(self.screen, self.match)
        first = self._last != seat or self._elsewhere
        self._elsewhere = False
        if first:
            self._draw(seat, question)
        self._last = seat
        answer = self._answered(lambda: question.ask(self.read, drawn=first, preview=self.in_front))
        if isinstance(answer, bool):
            return answer
        if isinstance(answer, int):
            self._choose(answer)
            return True
        word, _, rest = answer.partition(" ")
        actions = {
            "help": self._help,
            "show": self._show,
            "log": self._log,
            "why": self._why,
            "undo": self._undo,
            "save": self._save,
            "quit": self._quit,
        }
        return actions[word.lower()](rest.strip())

    def _answered(self, ask: Callable[[], Answer]) -> Answer | bool:
        """Ask a person; where nothing is answered, return whether the match goes on all the same."""
        try:
            return ask()
        except ContentChanged:
            self._renew()
            return True
        except EOFError:
            return self._quit("")
        except KeyboardInterrupt:
            self._quit("")
            raise

    def _has_secrets(self) -> bool:
        """Tell whether several people share the screen, and one may see what another may not."""
        model = self.rules.model
        visible = [c.visible for c in model.counters.values()] + [p.visible for p in model.places.values()]
        visible += [field.visible for kind in model.kinds.values() for field in kind.fields.values()]
        return self.seats.count(HUMAN) > 1 and "owner" in visible

    def _hand_over(self, seat: int) -> bool:
        """Wait until the next person is in front of the screen; return whether the match goes on."""
        if self.in_front:
            self.console.clear()
        self.console.print(Text(f"\nplayer {seat + 1} decides, and nobody else looks at the screen", "bold"))
        typed = self._answered(lambda: self.read("Enter when that is so> "))
        if isinstance(typed, bool):
            return typed
        if typed.strip().lower() == "quit":
            return self._quit("")
        self._handed, self._last = seat, -1
        return True

    def _draw(self, seat: int, question: Question) -> None:
        """Draw the panels that matter now."""
        seen = self._seen.setdefault(seat, Seen())
        self.screen.page(self.match, seat, seen, question.concerned, question.marked_at_first, question.height)

    def _help(self, rest: str) -> bool:
        self.console.print(Text("Type the number of an option, its words, or the beginning of them;", "bold"))
        self.console.print(Text("where cells of a board are marked, type a cell. Also:", "bold"))
        for name, words in COMMANDS.items():
            self.console.print(Text(f"  {name:<6}", "bold") + Text(words))
        self.screen.say(f"  panels: {', '.join(self.screen.panels)}")
        for line in self.screen.legend(self.match, self.match.state[FRAMES][-1][1]):
            self.console.print(line, no_wrap=True)
        return True

    def _show(self, rest: str) -> bool:
        seat = self.match.state[FRAMES][-1][1]
        panel = self.screen.named(rest)
        if rest and not panel:
            near = nearest(rest, self.screen.panels)
            hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(self.screen.panels)}"
            self.console.print(Text(f"there is no panel {rest!r}; {hint}", "yellow"))
        else:
            self.screen.draw(self.match, seat, panel)
        return True

    def _log(self, rest: str) -> bool:
        for line in self._story:
            self.console.print(self._styled(line))
        return True

    def _why(self, rest: str) -> bool:
        """Say why something is not offered, or what is not."""
        try:
            said = str(self.match.why(rest)) if rest else self._refused()
        except ValueError as error:
            self.console.print(Text(str(error), "yellow"))
            return True
        self.screen.say(said)
        return True

    def _refused(self) -> str:
        refused = self.match.refused()
        more = f"\n  and {len(refused) - REFUSED} more" if len(refused) > REFUSED else ""
        listed = "".join(f"\n  {label}" for label in refused[:REFUSED])
        return f"not offered:{listed}{more}" if refused else "everything that there is is offered"

    def _undo(self, rest: str) -> bool:
        seat = self.match.state[FRAMES][-1][1]
        if self._deciders[-1:] == [seat] and self.match.undo():
            self._deciders.pop()
            self._teller = self._retell()
            self._told = len(self._story)
            self.console.print("taken back")
            self.keep()
        else:
            self.console.print(Text("nothing can be taken back here", "yellow"))
        return True

    def _save(self, rest: str) -> bool:
        path = Path(rest) if rest else self.save
        if path is None:
            self.console.print(Text("say where: save FILE", "yellow"))
            return True
        try:
            write_save(self.match, path)
        except OSError as error:
            self.console.print(Text(f"{_name(path)} cannot be written: {error.strerror}", "yellow"))
            return True
        self.unsaved = False
        self.console.print(f"saved to {_name(path)}", soft_wrap=True)
        return True

    def _quit(self, rest: str) -> bool:
        self.keep()
        if self.save is not None and not self.unsaved:
            self.console.print(
                f"\nThe match is kept in {_name(self.save)}; the same call goes on with it.", soft_wrap=True
            )
        else:
            self.console.print("\nThe match ends here.")
        return False


def _name(path: Path) -> str:
    return harmless(str(path))
