"""The panels of a match on a screen: which there are, which of them are drawn, how they are printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from patolli.analysis.panels import Panel, panels_of
from patolli.terminal import boards, grids, legend, lists, tracks
from patolli.terminal.boards import DIM
from patolli.terminal.defaults import default_panels
from patolli.terminal.flow import folded
from patolli.terminal.layout import FRAME, Block, arranged, column_width, framed, headed, lines_of
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.resolve.model import Model
    from patolli.runtime import Match

DRAW: dict[str, Callable[[Scene, Panel], RenderableType]] = {
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
WIDEST = 160
"""Cells of the widest page; lines that are longer are hard to read."""


@dataclass(slots=True)
class Seen:
    """What one seat has seen: the panels as they were drawn, the signs that were explained, and what it knew."""

    panels: dict[str, str] = field(default_factory=dict)
    signs: set[str] = field(default_factory=set)
    view: dict[str, Any] | None = None


class Screen:
    """Prints matches of one ruleset, plain where nobody looks, in colours at a terminal."""

    def __init__(self, model: Model, console: Console | None = None) -> None:
        """Take the panels of *model*, and sensible ones for what it declares none for."""
        self.console = console or make_console()
        declared = panels_of(model)
        self.panels = {panel.id: panel for panel in declared or default_panels(model)}
        self.mains = {id_ for id_, panel in self.panels.items() if panel.main} or _first_board(self.panels.values())
        more = default_panels(model, declared) if declared else []
        self.undeclared = {panel.id for panel in more if panel.id not in self.panels}
        self.panels |= {panel.id: panel for panel in more if panel.id in self.undeclared}

    def draw(self, match: Match, seat: int, only: str = "", marked: frozenset[str] = frozenset()) -> None:
        """Print the panels as *seat* sees them in which something lies, or one; the cells *marked* stand out.

        Those that are drawn only when asked for, and those inside others, are left out.

        Raises:
            KeyError: There is no such panel.
        """
        chosen = [self.panels[only]] if only else self._drawn_by_themselves()
        blocks = self._blocks(self._scene(match, seat, marked), chosen, empty=bool(only))
        self._print(self._ordered(blocks))

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
        scene = self._scene(match, seat, marked)
        blocks = self._blocks(scene, self._drawn_by_themselves(), empty=False)
        now = {id_: "\n".join(line.plain for line in block.lines) for id_, block in blocks.items()}
        changed = [id_ for id_ in blocks if now[id_] != seen.panels.get(id_)]
        asked = [id_ for id_ in blocks if id_ in set(concerned)]
        lying = [id_ for id_ in asked if self.panels[id_].shows != "list"]  # and not only what is known of each
        must = self.mains | {id_ for id_ in lying if id_ in changed}
        shown = self._fitting(blocks, must, [*lying, *changed, *asked, *blocks], self.console.height - below)
        told = self._scene(match, seat, marked)
        told.before = seen.view
        drawn = self._blocks(told, [self.panels[id_] for id_ in blocks if id_ in shown], empty=False)
        self._print(legend.news(told, [self.panels[id_] for id_ in drawn], seen.signs, self.console.width))
        page = self._ordered(drawn)
        self._print(page if len(page) + below <= self.console.height else self._ordered(drawn, last=True))
        news, same = [i for i in changed if i not in shown], [i for i in blocks if i not in {*shown, *changed}]
        self._name({"Changed" if seen.panels else "Also there": news, "As before": same})
        seen.panels, seen.view = now, told.view

    def legend(self, match: Match, seat: int) -> list[Text]:
        """Return what all signs mean, and what is to be known about the panels, in lines."""
        scene = self._scene(match, seat, frozenset())
        panels = [panel for panel in self.panels.values() if not panel.inside]
        self._blocks(scene, panels, empty=False)
        return legend.lines(scene, list(self.panels.values()), self.console.width)

    def say(self, text: str, style: str = "") -> None:
        """Print lines that may be long; what goes on in the next line is set in as far as its beginning, and more."""
        for line in text.split("\n"):
            words = line.lstrip()
            before = Text(line[: len(line) - len(words)])
            for part in folded(before, Text(words, style), self.console.width, 4):
                self.console.print(part, no_wrap=True)

    def picture(self, scene: Scene, panels: Iterable[Panel]) -> RenderableType:
        """Return panels as one thing that rich can print."""
        scene.width = column_width(self.console.width) - FRAME
        blocks = self._blocks(scene, panels, empty=True)
        return Group(*arranged(list(blocks.values()), self.console.width))

    # -- which panels

    def _drawn_by_themselves(self) -> list[Panel]:
        return [panel for panel in self.panels.values() if not panel.inside and not panel.asked]

    def _fitting(self, blocks: dict[str, Block], must: set[str], others: Iterable[str], room: int) -> set[str]:
        """Return the panels to draw: those that must be, and of the others, in order, those that there is room for."""
        shown = {id_ for id_ in blocks if id_ in must}
        for id_ in others:
            page = [blocks[x] for x in blocks if x in shown or x == id_]
            if id_ not in shown and len(arranged(page, self.console.width)) <= room:
                shown.add(id_)
        return shown

    def _name(self, left: dict[str, list[str]]) -> None:
        """Name the panels that are not drawn, by why that is so."""
        declared = [panel for panel in self.panels.values() if panel.id not in self.undeclared]
        asked = [panel.id for panel in declared if panel.asked and not panel.inside]
        kinds = [*left.items(), ("When asked", asked)]
        told = "; ".join(f"{words}: {' · '.join(self.title(id_) for id_ in ids)}" for words, ids in kinds if ids)
        for line in folded(Text(""), Text(f"{told} ('show NAME' draws one, 'show' all)", DIM), self.console.width, 2):
            if told:
                self.console.print(line, no_wrap=True)

    def title(self, panel: str) -> str:
        """Return what a panel is called: what its title says before a colon or semicolon."""
        return re.split("[:;]", self.panels[panel].title)[0].strip()

    def named(self, words: str) -> str:
        """Return the id of the panel that is called so, or whose name is the only one that begins so; or nothing."""
        wanted = " ".join(words.lower().replace("_", " ").split())
        called = {id_: (id_.replace("_", " "), self.title(id_).lower()) for id_ in self.panels}
        exact = [id_ for id_, names in called.items() if wanted in names]
        begun = [id_ for id_, names in called.items() if any(name.startswith(wanted) for name in names)]
        found = exact or (begun if len(begun) == 1 and wanted else [])
        return found[0] if found else ""

    # -- how they are printed

    def _scene(self, match: Match, seat: int, marked: frozenset[str]) -> Scene:
        return Scene(match, seat, marked, column_width(self.console.width) - FRAME)

    def _blocks(self, scene: Scene, panels: Iterable[Panel], empty: bool) -> dict[str, Block]:
        """Return panels as blocks of lines; *empty* ones, too."""
        wide = scene.width
        found = {}
        for panel in panels:
            main = panel.id in self.mains
            scene.width = wide if main else wide + FRAME
            drawn = DRAW[panel.shows](scene, panel)
            if drawn is not lists.NONE or empty:
                lines = lines_of(self.console, drawn, scene.width)
                block = framed(self.console, panel.title, lines, wide + FRAME) if main else None
                found[panel.id] = block or headed(panel.title, lines, wide + FRAME)
        scene.width = wide
        return found

    def _ordered(self, blocks: dict[str, Block], last: bool = False) -> list[Text]:
        """Return the lines of a page, the main boards first; or *last*, where the beginning scrolls away."""
        ids = sorted(blocks, key=lambda id_: (id_ in self.mains) == last)  # the others stay in their order
        return arranged([blocks[id_] for id_ in ids], self.console.width)

    def _print(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self.console.print(line, soft_wrap=False, no_wrap=True, overflow="crop")


def _first_board(panels: Iterable[Panel]) -> set[str]:
    """Return the first panel that is a board, as the main one of packs that name none."""
    boards_ = [panel.id for panel in panels if panel.shows in ("grid", "ring", "columns") and not panel.inside]
    return set(boards_[:1])


class _Console(Console):
    """A console that leaves it to whoever prints what is to be done when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Let the fault through; rich would end the program here."""
        raise


def make_console(file: IO[str] | None = None) -> Console:
    """Make a console: in colours at a terminal unless ``NO_COLOR`` is set, at most ``WIDEST`` wide."""
    console = Console(file=file, highlight=False, markup=False, emoji=False)
    return _Console(file=file, highlight=False, markup=False, emoji=False, width=min(console.width, WIDEST))
