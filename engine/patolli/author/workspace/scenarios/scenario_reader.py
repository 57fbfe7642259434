"""Read scenarios from the documents of a pack.

In:     a pack, read; its documents were checked against the schema already.
Out:    a :class:`Scenario` for each entry, with the defaults of its file filled in.

Texts of the language stay as they are, with their places; ``bench`` parses them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from patolli.language.packs.manifest import Document, Pack
from patolli.language.packs.selection_file import is_selection
from patolli.language.sources import Mapping, Node, Scalar, Sequence, plain
from patolli.language.sources.nodes import forget, list_scalars, scalar_at

EMPTY, SET_UP = "empty", "set_up"


@dataclass(slots=True)
class Scenario:
    """One content test.

    If ``players`` is None, the match has the least number of the pack. ``me`` counts from 0.
    ``given`` holds the text of the file first, then its own. Of ``checks`` the keys are ``then``,
    ``pending``, ``over``, ``winners``, ``scores`` and ``fails``. ``added`` are modules that the caller adds to
    ``modules``. ``players_at``, ``me_at``, ``modules_at`` and ``options_at`` say where these things are written.
    """

    pack: str
    path: str
    key: Scalar
    text: str = ""
    source: str = ""
    players: int | None = None
    seed: int = 0
    modules: tuple[str, ...] = ()
    options: tuple[tuple[str, str | int], ...] = ()
    me: int = 0
    start: str = EMPTY
    given: list[Scalar] = field(default_factory=list)
    call: Scalar | None = None
    choose: list[Node] = field(default_factory=list)
    checks: dict[str, Node] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    players_at: Node | None = None
    me_at: Scalar | None = None
    modules_at: dict[str, Scalar] = field(default_factory=dict)
    options_at: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its id, unique in the pack."""
        return self.key.value

    @property
    def name(self) -> str:
        """The name under which it can be selected: pack and id."""
        return f"{self.pack}::{self.id}"

    @property
    def active(self) -> tuple[str, ...]:
        """All modules that it is played with."""
        return tuple(dict.fromkeys([*self.modules, *self.added]))

    def seats(self) -> Iterator[Scalar]:
        """Yield where players are named outside the texts of the language."""
        if self.me_at is not None:
            yield self.me_at
        for answer in self.choose:
            for name, (key, _) in answer.items.items() if isinstance(answer, Mapping) else ():
                if name.startswith("player_"):
                    yield key
        yield from list_scalars(self.checks.get("winners"))

    def forget(self) -> None:
        """Drop how the texts were parsed; of thousands of scenarios that is most of their memory."""
        forget(*self.given, self.call, *self.choose, *self.checks.values())


CHECKS = ("then", "pending", "over", "winners", "scores", "fails")


def read_scenarios(pack: Pack, own: tuple[str, ...] = ()) -> list[Scenario]:
    """Return the scenarios of a pack in the order of files and lines; modules in *own* are always active."""
    found: list[Scenario] = []
    for document in pack.documents:
        if document.kind == "scenarios":
            entries = document.tree.get("scenarios")
            for key, node in entries.items.values() if isinstance(entries, Mapping) else ():
                if isinstance(node, Mapping):
                    found.append(_read_scenario(pack, document, key, node, own))
    return found


def _read_scenario(pack: Pack, document: Document, key: Scalar, node: Mapping, own: tuple[str, ...]) -> Scenario:
    file = document.tree

    def value(name: str) -> Node | None:
        here = node.get(name)
        return here if here is not None else file.get(name)

    scenario = Scenario(pack.id, document.path, key, _read_word(node.get("text")), _read_word(node.get("source")))
    scenario.players_at = value("players")
    scenario.players = _read_number(scenario.players_at)
    scenario.seed = _read_number(value("seed")) or 0
    named = (*list_scalars(file.get("with")), *list_scalars(node.get("with")))
    scenario.modules_at = {_locate_module(document, item.value): item for item in named}
    scenario.modules = tuple(dict.fromkeys([*own, *scenario.modules_at]))
    for settings in (file.get("options"), node.get("options")):
        scenario.options_at.update(settings.items if isinstance(settings, Mapping) else {})
    scenario.options = tuple(sorted((name, _read_setting(node)) for name, (_, node) in scenario.options_at.items()))
    me = value("me")
    scenario.me_at = me if isinstance(me, Scalar) else None
    scenario.me = int((_read_word(me) or "player_1").rpartition("_")[2]) - 1
    scenario.start = _read_word(value("start")) or EMPTY
    scenario.given = [text for tree in (file, node) if isinstance(text := tree.get("given"), Scalar)]
    scenario.call = scalar_at(node, "call")
    choose = node.get("choose")
    if choose is not None:
        scenario.choose = list(choose.items) if isinstance(choose, Sequence) else [choose]
    scenario.checks = {name: check for name in CHECKS if (check := node.get(name)) is not None}
    return scenario


def _locate_module(document: Document, name: str) -> str:
    """Return the name of a module; a selection file lies beside the file that names it."""
    return str(Path(document.path).parent / name) if is_selection(name) else name


def _read_word(node: Node | None) -> str:
    return node.value if isinstance(node, Scalar) else ""


def _read_number(node: Node | None) -> int | None:
    return int(node.value) if isinstance(node, Scalar) and node.value.isdigit() else None


def _read_setting(node: Node) -> str | int:
    data = plain(node)
    return data if isinstance(data, str | int) else str(data)
