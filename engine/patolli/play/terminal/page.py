"""The page that one seat sees now: the panels that matter, their signs, and the names of the other panels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.text import Text

from patolli.play.scene.tricks import has_taken_tricks_only
from patolli.play.terminal import legend
from patolli.play.terminal.canvas import DIM, Canvas
from patolli.play.terminal.flow import fold_text
from patolli.play.terminal.layout import Block, arrange_page

if TYPE_CHECKING:
    from patolli.play.scene.seat_scene import Used
    from patolli.play.terminal.screen import Screen
    from patolli.run.runtime import Match


@dataclass(slots=True)
class Seen:
    """What one seat has seen: the panels as they were drawn, the signs that were explained, and what it knew."""

    panels: dict[str, str] = field(default_factory=dict)
    signs: set[str] = field(default_factory=set)
    hinted: bool = False  # whether it was said where signs are explained
    view: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One panel as it is drawn now, and the signs that it uses."""

    block: Block
    used: Used


class Page:
    """A page for one seat: which panels there are, and which of them are drawn.

    Attributes:
        must: The panels that belong on the page: of main boards and of those where that lies which may be chosen,
            all that look otherwise than before.
    """

    def __init__(
        self, screen: Screen, match: Match, seat: int, seen: Seen, concerned: Iterable[str] = (),
        marked: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        """Look at a match; what can be chosen lies in the panels *concerned*, and on the cells *marked*."""
        self.screen, self.seen = screen, seen
        plain, self._changing_scene = screen.scene(match, seat, marked), screen.scene(match, seat, marked)
        self._changing_scene.before = seen.view
        panels = screen.drawn_by_themselves()
        drawn = {panel.id: part for panel in panels if (part := self._part(plain, panel.id)) is not None}
        self._now = {id_: "\n".join(line.plain for line in part.block.lines) for id_, part in drawn.items()}
        self._changed = [id_ for id_ in drawn if self._now[id_] != seen.panels.get(id_)]
        known = seen.view is not None  # what looks as before has no change to be shown in it
        again = {id_: self._part(self._changing_scene, id_) for id_ in self._changed if known}
        self._parts = {id_: again.get(id_) or part for id_, part in drawn.items()}
        self._asked = [id_ for id_ in self._parts if id_ in set(concerned)]
        # What one may choose lies there; a list of what is known of each thing only explains it.
        self._lying = [id_ for id_ in self._asked if screen.panels[id_].shows != "list"]
        self._past = {panel.id for panel in panels if has_taken_tricks_only(plain, panel)}
        self.must = {id_ for id_ in self._changed if id_ in screen.mains or id_ in self._lying} - self._past
        order = [*self._lying, *self._changed, *self._asked, *self._parts]  # one may find room behind another
        self._order = sorted(order, key=lambda id_: id_ in self._past)  # what is past comes last

    def _part(self, scene: Canvas, panel: str) -> Part | None:
        """Draw a panel; return None where nothing lies there."""
        scene.used = {}
        block = self.screen.block(scene, self.screen.panels[panel])
        return Part(block, scene.used) if block is not None else None

    @property
    def hints(self) -> int:
        """How many lines it takes at least to say where signs are explained that were not explained before."""
        return 0 if self.seen.hinted else min(1, len(self._explain_signs(set(self._parts))))

    def height(self, panels: Iterable[str]) -> int:
        """Return how many lines some of the panels take."""
        return len(self._draw_body(set(panels)))

    def lines(self, room: int, first: Iterable[str] = ()) -> list[Text]:
        """Return a page of at most *room* lines: the panels *first*, then those that must be, then all that fit.

        Signs are explained above where there is room for that, and what is left out is named below.
        """
        wanted = set(first)
        first = [id_ for id_ in dict.fromkeys([*self._lying, *self._parts]) if id_ in wanted]
        must = [id_ for id_ in dict.fromkeys([*self._lying, *self._parts]) if id_ in self.must]
        shown: set[str] = set()
        for id_ in [*first, *must, *self._order]:
            least = 0 if id_ in wanted else 1 if id_ in self.must else None
            if self._has_room({*shown, id_}, room, least):
                shown.add(id_)
        return self._write_page(shown, room)

    def only(self, panels: Iterable[str], room: int) -> list[Text]:
        """Return some panels, as far as there is room for them, and nothing else."""
        shown: set[str] = set()
        for id_ in sorted(panels, key=lambda id_: (id_ not in self._lying, list(self._parts).index(id_))):
            if self.height({*shown, id_}) <= room:
                shown.add(id_)
        return self._draw_body(shown)

    def all_that_must(self, below: int) -> list[Text]:
        """Return a page that may be longer than the screen: what must be, and of the rest as much as there is room for.

        *below* is how many lines of the screen are wanted for something else.
        """
        room, shown = self.screen.console.height - below, set(self.must)
        for id_ in self._order:
            if self.height({*shown, id_}) <= room:
                shown.add(id_)
        last = self.height(shown) + below > self.screen.console.height
        found = [*self._explain_signs(shown), *self._draw_body(shown, last), *self._name_rest(shown)]
        self._note_seen(shown, signs=True)
        return found

    def _has_room(self, shown: set[str], room: int, most: int | None) -> bool:
        """Return whether some panels find room, with at most so many lines that explain signs and name what is left."""
        signs, names = len(self._explain_signs(shown)), min(1, len(self._name_rest(shown)))
        return room >= self.height(shown) + (signs + names if most is None else min(most, signs) + min(most, names))

    def _write_page(self, shown: set[str], room: int) -> list[Text]:
        """Return the page: signs are explained or it is said where, and what is left is named, if there is room."""
        body, names, signs = self._draw_body(shown), self._name_rest(shown), self._explain_signs(shown)
        left = room - len(body)
        explained = len(signs) + min(1, len(names)) <= left
        if not explained:
            signs = [Text("'?' explains the signs", DIM)] if left > 0 and not self.seen.hinted else []
            self.seen.hinted = self.seen.hinted or left > 0
        if len(names) > left - len(signs):
            names = [Text("There are more panels: 'show' draws them, '?' lists them", DIM)] if left > len(signs) else []
        self._note_seen(shown, explained)
        return [*signs, *body, *names]

    def _note_seen(self, shown: set[str], signs: bool) -> None:
        """Bring up to date what the seat has seen."""
        if signs:
            self._explain_signs(shown, self.seen.signs)
        self.seen.panels, self.seen.view = self._now, self._changing_scene.view

    def _explain_signs(self, shown: set[str], known: set[str] | None = None) -> list[Text]:
        """Return what explains the signs that were not explained before; they are added to *known*."""
        self._changing_scene.used = {
            id_: sign for panel in self._parts if panel in shown for id_, sign in self._parts[panel].used.items()
        }
        panels = [self.screen.panels[id_] for id_ in self._parts if id_ in shown]
        return legend.news(
            self._changing_scene, panels, set(self.seen.signs) if known is None else known, self.screen.console.width
        )

    def _draw_body(self, shown: set[str], last: bool = False) -> list[Text]:
        """Return the lines of panels, the main boards first; or *last*, where the beginning scrolls away."""
        mains = self.screen.mains
        ids = sorted((id_ for id_ in self._parts if id_ in shown), key=lambda id_: (id_ in mains) == last)
        return arrange_page([self._parts[id_].block for id_ in ids], self.screen.console.width)

    def _name_rest(self, shown: set[str]) -> list[Text]:
        """Return the names of the panels that are not drawn, by why that is so."""
        left = [id_ for id_ in self._parts if id_ not in shown and id_ not in self._past]
        news = [id_ for id_ in left if id_ in self._changed]
        same = [id_ for id_ in left if id_ not in self._changed]
        kinds = {"Changed" if self.seen.panels else "Also there": news, "Unchanged": same}
        kinds["When asked"] = self.screen.only_when_asked()
        reported = "; ".join(
            f"{words}: {' · '.join(self.screen.title(id_) for id_ in ids)}" for words, ids in kinds.items() if ids
        )
        line = Text(f"{reported} ('show NAME' draws one, 'show' all)", DIM)
        return fold_text(Text(""), line, self.screen.console.width, 2) if reported else []
