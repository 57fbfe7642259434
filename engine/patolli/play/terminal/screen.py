"""The panels of a match on a screen: which there are, which of them are drawn, how they are printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import IO

from rich.console import Console, RenderableType
from rich.text import Text

from patolli.check.analysis.panels import Panel, panels_of
from patolli.language.resolve.model import Model
from patolli.play.scene.declared import panel_title
from patolli.play.scene.defaults import default_panels, main_panels
from patolli.play.scene.sign_meanings import entries
from patolli.play.scene.tricks import has_taken_tricks_only
from patolli.play.terminal import boards, grids, legend, lists, tracks
from patolli.play.terminal.canvas import Canvas, ink
from patolli.play.terminal.flow import fold_text
from patolli.play.terminal.layout import FRAME, Block, arrange_page, column_width, frame_panel, head_panel, lines_of
from patolli.play.terminal.page import Page, Seen
from patolli.run.runtime import Match
from patolli.run.runtime.last_tricks import LastTrick

DRAW: dict[str, Callable[[Canvas, Panel], RenderableType]] = {
    "grid": grids.grid,
    "ring": boards.ring,
    "columns": boards.columns,
    "track": tracks.track,
    "table": tracks.table,
    "row": lists.row,
    "goods": tracks.goods,
    "pieces": lists.pieces,
    "list": lists.members,
}
"""Every way of drawing a panel."""
LEAST, WIDEST = 20, 160
"""Cells of the narrowest and of the widest page; longer lines are hard to read."""


class Screen:
    """Prints matches of one ruleset, in colors at a terminal, plain elsewhere."""

    def __init__(self, model: Model, console: Console | None = None) -> None:
        """Take the panels of *model*, and sensible ones for what it declares none for."""
        self.console = console or make_console()
        self.put: Callable[[Sequence[Text]], None] = self._print_lines
        self.find_last_tricks: Callable[[], Mapping[str, Sequence[LastTrick]]] = dict
        declared = panels_of(model)
        self.panels = {panel.id: panel for panel in declared or default_panels(model)}
        self.mains = main_panels(self.panels.values())
        more = default_panels(model, declared) if declared else []
        self.undeclared = {panel.id for panel in more if panel.id not in self.panels}
        self.panels |= {panel.id: panel for panel in more if panel.id in self.undeclared}

    def draw(self, match: Match, seat: int, only: str = "", marked: frozenset[str] = frozenset()) -> None:
        """Print the panels as *seat* sees them in which something lies, or one; the cells *marked* stand out.

        Those that are drawn only when asked for, those inside others, and those with only a past trick are left out.

        Raises:
            KeyError: There is no such panel.
        """
        scene = self.scene(match, seat, marked)
        shown = [panel for panel in self.drawn_by_themselves() if not has_taken_tricks_only(scene, panel)]
        blocks = self._make_blocks(scene, [self.panels[only]] if only else shown, empty=bool(only))
        ids = sorted(blocks, key=lambda id_: id_ not in self.mains)  # the others stay in their order
        self.put(arrange_page([blocks[id_] for id_ in ids], self.console.width))

    def page(
        self, match: Match, seat: int, seen: Seen, concerned: Iterable[str] = (),
        marked: frozenset[str] = frozenset(), below: int = 0,
    ) -> None:  # fmt: skip
        """Print what *seat* has to see now, and name the rest; *seen* is brought up to date.

        The main boards are drawn in any case, and so is where that lies which may be chosen (*concerned*), if it looks
        otherwise than in *seen*. While the page is no longer than the screen, there follow the rest of what the
        question is about, other panels that have changed, and at last all others. *below* is how many lines will stand
        below it. Signs that were not explained before are explained above.
        """
        self.put(Page(self, match, seat, seen, concerned, marked).all_that_must(below))

    def legend(self, match: Match, seat: int) -> list[Text]:
        """Return what all signs mean, and what is to be known about the panels, in lines."""
        scene = self.scene(match, seat, frozenset())
        panels = [panel for panel in self.panels.values() if not panel.inside]
        self._make_blocks(scene, panels, empty=False)
        return legend.lines(scene, list(self.panels.values()), self.console.width)

    def signs(self, match: Match, seat: int) -> list[tuple[Text, str]]:
        """Return all signs with what each means."""
        scene = self.scene(match, seat, frozenset())
        self._make_blocks(scene, [panel for panel in self.panels.values() if not panel.inside], empty=False)
        return [(ink(sign), words) for sign, words in entries(scene, scene.used)]

    def say(self, text: str, style: str = "") -> None:
        """Print lines that may be long; what goes on in the next line is set in as far as its beginning, and more."""
        for line in text.split("\n"):
            words = line.lstrip()
            before = Text(line[: len(line) - len(words)])
            self.put(fold_text(before, Text(words, style), self.console.width, 4))

    def picture(self, scene: Canvas, panels: Iterable[Panel]) -> list[Text]:
        """Return panels as lines."""
        scene.width = column_width(self.console.width) - FRAME
        blocks = self._make_blocks(scene, panels, empty=True)
        return arrange_page(list(blocks.values()), self.console.width)

    def _print_lines(self, lines: Sequence[Text]) -> None:
        for line in lines:
            self.console.print(line, soft_wrap=False, no_wrap=True, overflow="crop")

    # -- which panels

    def drawn_by_themselves(self) -> list[Panel]:
        """Return the panels that are drawn without a request; those inside others are drawn with these."""
        return [panel for panel in self.panels.values() if not panel.inside and not panel.asked]

    def only_when_asked(self) -> list[str]:
        """Return the panels that the packs want to be drawn only on request."""
        panels = (panel for panel in self.panels.values() if panel.id not in self.undeclared)
        return [panel.id for panel in panels if panel.asked and not panel.inside]

    def title(self, panel: str) -> str:
        """Return what a panel is called: what its title says before a colon or semicolon."""
        return re.split("[:;]", self.panels[panel].title)[0].strip()

    # -- how they are printed

    def scene(self, match: Match, seat: int, marked: frozenset[str]) -> Canvas:
        """Return what a seat sees, as wide as a column of the screen."""
        canvas = Canvas(match, seat, marked, column_width(self.console.width) - FRAME)
        canvas.last_tricks = self.find_last_tricks()
        return canvas

    def block(self, scene: Canvas, panel: Panel, empty: bool = False) -> Block | None:
        """Return a panel as lines; None where nothing lies there, unless *empty* ones are wanted, too."""
        wide, main = scene.width, panel.id in self.mains
        scene.width = wide if main else wide + FRAME
        drawn = DRAW[panel.shows](scene, panel)
        lines = lines_of(self.console, drawn, scene.width)
        scene.width = wide
        if drawn is lists.NONE and not empty:
            return None
        make = partial(frame_panel, self.console) if main else head_panel
        return make(panel_title(panel, scene.seat), lines, wide + FRAME)

    def _make_blocks(self, scene: Canvas, panels: Iterable[Panel], empty: bool) -> dict[str, Block]:
        """Return panels as blocks of lines; *empty* ones, too."""
        found = ((panel.id, self.block(scene, panel, empty)) for panel in panels)
        return {id_: block for id_, block in found if block is not None}


class _Console(Console):
    """A console that raises an error in the code that prints when its output is closed."""

    def on_broken_pipe(self) -> None:
        """Let the fault through; rich would end the program here."""
        raise


def make_console(file: IO[str] | None = None) -> Console:
    """Make a console: in colors at a terminal unless ``NO_COLOR`` is set, from ``LEAST`` to ``WIDEST`` wide.

    ``COLUMNS`` can say any width, also 0, at which nothing would be printed.
    """
    console = Console(file=file, highlight=False, markup=False, emoji=False)
    width = max(LEAST, min(console.width, WIDEST))
    return _Console(file=file, highlight=False, markup=False, emoji=False, width=width)
