"""What the names of one program have in common, for every reader: templates, nouns, and names that never change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING
from unicodedata import normalize

from patolli.check.analysis.names import Wording, wording
from patolli.check.prose.words import plural, words
from patolli.language.program import types as ty
from patolli.language.program.model import Counter, Design, Kind
from patolli.language.syntax.phrases import Gap, parts_of
from patolli.run.compiler.layout import Instance
from patolli.run.runtime.seat_visibility import Index

if TYPE_CHECKING:
    from patolli.run.runtime.labels import Labels

LONGEST = 60
"""Letters of the longest text that stands for a counter, and of the longest name of a player."""


class Vocabulary:
    """What things are called, as far as it does not depend on the state: made once, and kept with its labels."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.layout, self.model = labels, labels.layout, labels.model
        self.program = labels.program
        self.known: dict[Index, str] = {}  # names that follow from declarations alone
        self._templates: dict[str, list[str | Gap]] = {}
        self._fixed: dict[str, bool] = {}
        self._alike: dict[int, bool] = {}  # by the identity of a design, which lives as long as the model

    @cached_property
    def wording(self) -> Wording:
        """What the pack says that things are called."""
        return wording(self.model.composition)

    def template(self, text: str) -> list[str | Gap]:
        """Return a name as texts and what is put between them."""
        if text not in self._templates:
            self._templates[text] = parts_of(text)
        return self._templates[text]

    def noun(self, kind: str, number: int = 1) -> str:
        """Return what one of a kind is called, or several."""
        said = self.wording.nouns.get(kind)
        if said:
            return said[0] if number == 1 else said[-1]
        return words(kind) if number == 1 else plural(words(kind))

    def find_name_text(self, kind: str, instance: Instance) -> str:
        """Return what is written about what a piece is called; nothing where it goes by its id."""
        said, name = self.wording, self.model.kinds[kind].facts.get("name")
        own = said.pieces.get(instance.design.id, "") if instance.design is not None and name is None else ""
        return own or said.kinds.get(kind, "") or ("{name}" if name is not None and name.type == ty.TEXT else "")

    def alike(self, kind: str, design: Design) -> bool:
        """Return whether the copies of a piece have the same facts."""
        if id(design) not in self._alike:
            tables = [self.program.fact(kind, fact) for fact in self.model.kinds[kind].facts if fact != "owner"]
            copies = (at for at, one in enumerate(self.layout.instances[kind]) if one.design is design)
            self._alike[id(design)] = len({tuple(table[at] for table in tables) for at in copies}) < 2
        return self._alike[id(design)]

    def is_fixed(self, kind: str) -> bool:
        """Return whether the names of a kind are the same in every state, for every reader."""
        if kind not in self._fixed:
            self._fixed[kind] = False  # where names go in a circle, which is a problem of its own
            self._fixed[kind] = self._has_fixed_names(self.model.kinds[kind])
        return self._fixed[kind]

    def _has_fixed_names(self, kind: Kind) -> bool:
        if kind.name == "player" or kind.per_player or kind.name in self.model.hidden_kinds:
            return False
        texts = {self.find_name_text(kind.name, instance) for instance in self.layout.instances[kind.name]}
        return all(
            self._lasting(kind, gap.path) for text in texts for gap in self.template(text) if isinstance(gap, Gap)
        )

    def _lasting(self, kind: Kind, path: tuple[str, ...]) -> bool:
        """Return whether what a path leads to never changes."""
        type_: ty.AnyType = ty.Ref(kind.name)
        for name in path:
            here = ty.strip(type_)
            if not isinstance(here, ty.Ref) or name in self.model.kinds[here.kind].fields:
                return False
            type_ = self.type_of(here.kind, name)
        while isinstance(type_, ty.Maybe | ty.Seq):
            type_ = type_.of
        return not isinstance(type_, ty.Ref) or self.is_fixed(type_.kind)

    def type_of(self, kind: str, name: str) -> ty.AnyType:
        """Return the type of a fact, a field, or a function of a piece."""
        declared = self.model.kinds[kind]
        attribute = declared.facts.get(name) or declared.fields.get(name)
        return attribute.type if attribute is not None else self.model.functions[name].type


def title(counter: Counter) -> str:
    """Return the words for a counter: what its text says up to a comma or semicolon, or its id."""
    return first(counter.text) or words(counter.name)


def first(text: str) -> str:
    """Return what a text says up to a comma or semicolon; nothing where that is long."""
    said = re.split("[;,]", text)[0].strip().rstrip(".")
    return said if len(said) <= LONGEST else ""


@cache
def by_seat(players: int) -> tuple[str, ...]:
    """Return what players are called without a name of their own."""
    return tuple(f"player {seat}" for seat in range(1, players + 1))


def name_players(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Return what all players are called, as it is shown; those without a name are ``player 1`` and so on.

    Raises:
        TypeError: The names are no list of texts.
        ValueError: There are more names than players, two read the same or like ``player 2`` of another seat, or one is
            no plain line.
    """
    if isinstance(names, str) or not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"the names of the players are a list of texts, not {names!r}")
    found = tuple(" ".join(name.split()) for name in names)
    if len(found) > players:
        raise ValueError(f"there are {len(found)} names for {players} players")
    for name in found:
        if not name.isprintable() or len(name) > LONGEST:
            raise ValueError(f"{name!r} is not a name: it has more than {LONGEST} letters, or unprintable ones")
    plain = by_seat(players)
    full = tuple(given or own for given, own in zip_longest(found, plain))
    read = [_normalize_name(name) for name in full]
    others = [own for seat, own in enumerate(plain) if read[seat] != own]
    if len({*read, *others}) < len(read) + len(others):
        raise ValueError(f"two players have the same name, or one has that of another seat: {', '.join(full)}")
    return full


def _normalize_name(name: str) -> str:
    """Return a name as it is compared: readers take Anna and ANNA for the same."""
    return normalize("NFKC", normalize("NFKC", name).casefold())
