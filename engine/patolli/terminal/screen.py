"""The panels of a match on a screen: which there are, how they are arranged, how they are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.panel import Panel as Box
from rich.table import Table
from rich.text import Text

from patolli.analysis.panels import Panel, panels_of
from patolli.terminal import boards, grids, lists
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.resolve.model import Model
    from patolli.runtime import Match

DRAW: dict[str, Callable[[Scene, Panel], RenderableType]] = {
    "grid": grids.grid,
    "ring": boards.ring,
    "columns": boards.columns,
    "track": lists.track,
    "table": lists.table,
    "row": lists.row,
    "goods": lists.goods,
    "pieces": lists.pieces,
    "list": lists.members,
}
"""Every way of drawing a panel."""
Drawn = tuple[Box, bool]


class Screen:
    """Prints matches of one ruleset, plain where nobody looks, in colours at a terminal."""

    def __init__(self, model: Model, console: Console | None = None) -> None:
        """Take the panels of *model*, or sensible ones where it declares none."""
        self.console = console or make_console()
        self.panels = {panel.id: panel for panel in panels_of(model) or default_panels(model)}

    def draw(self, match: Match, seat: int, only: str = "", marked: frozenset[str] = frozenset()) -> None:
        """Print the panels as *seat* sees them in which something lies, or one; the cells *marked* stand out.

        Those that are drawn only when asked for, and those inside others, are left out.

        Raises:
            KeyError: There is no such panel.
        """
        chosen = [self.panels[only]] if only else self._drawn_by_themselves()
        self._print(self._boxes(Scene(match, seat, marked), chosen, empty=bool(only)))

    def draw_news(self, match: Match, seat: int, marked: frozenset[str], seen: dict[str, str]) -> None:
        """Print the panels, or where they are more than a screenful, those that look otherwise than in *seen*.

        *seen* holds the panels as they were drawn last, and is brought up to date.
        """
        boxes = self._boxes(Scene(match, seat, marked), self._drawn_by_themselves(), empty=False)
        now = {id_: self._text(box) for id_, (box, _) in boxes.items()}
        news = {id_: box for id_, box in boxes.items() if now[id_] != seen.get(id_)}
        tall = sum(text.count("\n") for text in now.values()) > self.console.height
        self._print(news if tall else boxes)
        same = [id_ for id_ in boxes if tall and id_ not in news]
        asked = [id_ for id_, panel in self.panels.items() if panel.asked and not panel.inside]
        if same or asked:
            why = " or ".join([*(["as before"] if same else []), *(["when asked"] if asked else [])])
            names = ", ".join([*same, *asked])
            self.console.print(Text(f"{why.capitalize()} ('show NAME' draws one): {names}", "bright_black"))
        seen.clear()
        seen.update(now)

    def _drawn_by_themselves(self) -> list[Panel]:
        return [panel for panel in self.panels.values() if not panel.inside and not panel.asked]

    def picture(self, scene: Scene, panels: Iterable[Panel]) -> RenderableType:
        """Return panels as one thing that rich can print."""
        return self._arranged(self._boxes(scene, panels, empty=True))

    def _boxes(self, scene: Scene, panels: Iterable[Panel], empty: bool) -> dict[str, Drawn]:
        """Return panels in frames, and whether each is to stand beside the one before; *empty* ones, too."""
        found = {}
        for panel in panels:
            drawn = DRAW[panel.shows](scene, panel)
            if drawn is not lists.NONE or empty:
                box = Box(drawn, title=Text(panel.title, "bold"), title_align="left", expand=False)
                found[panel.id] = (box, panel.beside)
        return found

    def _arranged(self, boxes: dict[str, Drawn]) -> RenderableType:
        rows: list[list[RenderableType]] = []
        used = 0
        for box, beside in boxes.values():
            width = Measurement.get(self.console, self.console.options, box).maximum
            if beside and rows and used + width + 1 <= self.console.width:
                rows[-1].append(box)
                used += width + 1
            else:
                rows.append([box])
                used = width
        return Group(*(_abreast(row) for row in rows))

    def _print(self, boxes: dict[str, Drawn]) -> None:
        self.console.print(self._arranged(boxes), soft_wrap=False, no_wrap=True, overflow="ellipsis")

    def _text(self, box: Box) -> str:
        return "".join("".join(part.text for part in line) + "\n" for line in self.console.render_lines(box))


def _abreast(row: list[RenderableType]) -> RenderableType:
    if len(row) == 1:
        return row[0]
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_row(*row)
    return table


class _Console(Console):
    """A console that leaves it to whoever prints what is to be done when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Let the fault through; rich would end the program here."""
        raise


def make_console(file: IO[str] | None = None) -> Console:
    """Make a console: in colours at a terminal unless ``NO_COLOR`` is set, at most 100 wide."""
    console = Console(file=file, highlight=False, markup=False, emoji=False)
    return _Console(file=file, highlight=False, markup=False, emoji=False, width=min(console.width, 100))


def default_panels(model: Model) -> list[Panel]:
    """Return panels for a pack that declares none: its grids, its counters, and its open places."""
    panels: list[Panel] = []
    for kind in model.kinds.values():
        shown = [*kind.fields, *(p.name for p in model.places.values() if p.dims == (kind.name,))]
        if kind.grid and not kind.over and shown:
            panels.append(Panel(kind.name, "grid", _title(kind.name), of=kind.name, show=shown[0]))
    counters = [c.name for c in model.counters.values() if c.dims == ("player",)]
    held = [p.name for p in model.places.values() if p.dims == ("player",)]
    if counters or held:
        panels.append(Panel("players", "table", "Players", rows=(*counters, *held)))
    common = tuple(c.name for c in model.counters.values() if not c.dims)
    if common:
        panels.append(Panel("common", "goods", "Table", rows=common))
    on_grids = {panel.show for panel in panels}
    for place in model.places.values():
        if place.name in on_grids or place.visible == "none" or len(place.dims) > 1:
            continue
        shows = "row" if place.type == "row" else "pieces"
        panels.append(Panel(place.name, shows, _title(place.name), of=place.name))
    return panels


def _title(id_: str) -> str:
    return id_.replace("_", " ").capitalize()
