"""Read scenarios from the documents of a pack.

In:     a pack, read; its documents were checked against the schema already.
Out:    a :class:`Scenario` for each entry, with the defaults of its file filled in.

Texts of the language stay as they are, with their places; ``bench`` parses them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.packs.manifest import Document, Pack
from patolli.sources import Mapping, Node, Scalar, Sequence, plain

EMPTY, SET_UP = "empty", "set_up"


@dataclass(slots=True)
class Scenario:
    """One content test.

    ``players`` is None where nobody says it; then the least number of the pack. ``me`` counts from 0.
    ``given`` holds the text of the file first, then its own. Of ``checks`` the keys are ``then``,
    ``pending``, ``over``, ``winners``, ``scores`` and ``fails``.
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

    @property
    def id(self) -> str:
        """Its id, unique in the pack."""
        return self.key.value

    @property
    def name(self) -> str:
        """The name under which it can be selected: pack and id."""
        return f"{self.pack}::{self.id}"


CHECKS = ("then", "pending", "over", "winners", "scores", "fails")


def read_scenarios(pack: Pack, own: tuple[str, ...] = ()) -> list[Scenario]:
    """Return the scenarios of a pack in the order of files and lines; modules in *own* are always active."""
    found: list[Scenario] = []
    for document in pack.documents:
        if document.kind == "scenarios":
            entries = document.tree.get("scenarios")
            for key, node in entries.items.values() if isinstance(entries, Mapping) else ():
                if isinstance(node, Mapping):
                    found.append(_scenario(pack, document, key, node, own))
    return found


def _scenario(pack: Pack, document: Document, key: Scalar, node: Mapping, own: tuple[str, ...]) -> Scenario:
    file = document.tree

    def value(name: str) -> Node | None:
        here = node.get(name)
        return here if here is not None else file.get(name)

    scenario = Scenario(pack.id, document.path, key, _word(node.get("text")), _word(node.get("source")))
    scenario.players = _number(value("players"))
    scenario.seed = _number(value("seed")) or 0
    scenario.modules = tuple(dict.fromkeys([*own, *_words(file.get("with")), *_words(node.get("with"))]))
    scenario.options = _options(file.get("options"), node.get("options"))
    scenario.me = int((_word(value("me")) or "player_1").rpartition("_")[2]) - 1
    scenario.start = _word(value("start")) or EMPTY
    scenario.given = [text for tree in (file, node) if isinstance(text := tree.get("given"), Scalar)]
    call = node.get("call")
    scenario.call = call if isinstance(call, Scalar) else None
    choose = node.get("choose")
    if choose is not None:
        scenario.choose = list(choose.items) if isinstance(choose, Sequence) else [choose]
    scenario.checks = {name: check for name in CHECKS if (check := node.get(name)) is not None}
    return scenario


def _word(node: Node | None) -> str:
    return node.value if isinstance(node, Scalar) else ""


def _words(node: Node | None) -> list[str]:
    return [_word(item) for item in node.items] if isinstance(node, Sequence) else []


def _number(node: Node | None) -> int | None:
    return int(node.value) if isinstance(node, Scalar) and node.value.isdigit() else None


def _options(*nodes: Node | None) -> tuple[tuple[str, str | int], ...]:
    found: dict[str, str | int] = {}
    for node in nodes:
        if isinstance(node, Mapping):
            for name, (_, value) in node.items.items():
                data = plain(value)
                found[name] = data if isinstance(data, str | int) else str(data)
    return tuple(sorted(found.items()))
