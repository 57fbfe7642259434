"""What a pack declares about its looks, read once for all matches: symbols and panels."""

from __future__ import annotations

import re
from functools import cached_property
from weakref import WeakKeyDictionary

from patolli.check.analysis.panels import Panel, panels_of
from patolli.check.analysis.symbols import Symbol, symbols_of
from patolli.play.scene.defaults import default_panels, main_panels
from patolli.run.runtime.labels import Labels


class Declared:
    """The symbols and panels of one program; read only."""

    def __init__(self, labels: Labels) -> None:
        self._layout, self._numbers = labels.layout, labels.pieces
        self._ids: dict[tuple[str, str], str] = {}

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """The declared symbols by id."""
        return symbols_of(self._layout.model)

    @cached_property
    def panels(self) -> list[Panel]:
        """The declared panels in order."""
        return panels_of(self._layout.model)

    @cached_property
    def all_panels(self) -> dict[str, Panel]:
        """All panels by id: the declared ones, and those for what they leave out."""
        model = self._layout.model
        found = {panel.id: panel for panel in self.panels or default_panels(model)}
        for panel in default_panels(model, self.panels) if self.panels else ():
            found.setdefault(panel.id, panel)
        return found

    @cached_property
    def mains(self) -> set[str]:
        """The ids of the main panels."""
        return main_panels(self.panels or self.all_panels.values())

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The names of all pieces by kind, in order."""
        return {kind: list(numbers) for kind, numbers in self._numbers.items()}

    def symbol_id(self, kind: str, name: str) -> str:
        """Return the id of the symbol of a piece, of its design, or of its kind; nothing where none has one."""
        found = self._ids.get((kind, name))
        if found is None:
            number = self._numbers[kind].get(name)
            design = self._layout.instances[kind][number].design if number is not None else None
            ids = (name, design.id if design is not None else "", kind)
            found = self._ids[kind, name] = next((id_ for id_ in ids if id_ in self.symbols), "")
        return found


_OWN = re.compile(r"Your (\w)")


def panel_title(panel: Panel, seat: int) -> str:
    """Return the title of a panel for a *seat*; a spectator (-1) owns nothing, so "your" is removed."""
    return panel.title if seat >= 0 else _OWN.sub(lambda found: found[1].upper(), panel.title)


_known: WeakKeyDictionary[Labels, Declared] = WeakKeyDictionary()


def declared_of(labels: Labels) -> Declared:
    """Return what the program with these labels declares about how it looks."""
    found = _known.get(labels)
    if found is None:
        found = _known[labels] = Declared(labels)
    return found
