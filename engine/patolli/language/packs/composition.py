"""What packs become when they are put together: entries by section and id, each with its history."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.diagnostics import Problem, Span
from patolli.language.packs.conflicts import Address, Change
from patolli.language.packs.manifest import Pack
from patolli.language.packs.precedence import Precedence
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.sources.documents import SECTIONS


@dataclass(slots=True)
class Entry:
    """One declared thing, with its history."""

    section: str
    id: str
    key: Scalar
    node: Node
    pack: str
    kind: str = ""  # for pieces: their kind
    of: Scalar | None = None  # for pieces: where their kind is named
    place: Scalar | None = None  # for pieces: where they start
    changed: list[tuple[str, str, Node]] = field(default_factory=list)  # pack, operation, node
    superseded: list[Node] = field(default_factory=list)  # changes that later ones put out of force
    declared: Node = field(init=False)  # the node before any change

    def __post_init__(self) -> None:
        """Keep the node as it was declared."""
        self.declared = self.node

    @property
    def in_force(self) -> list[tuple[str, str, Mapping]]:
        """The changes that no later one puts out of force."""
        return [
            (pack, name, node)
            for pack, name, node in self.changed
            if isinstance(node, Mapping) and not any(node is one for one in self.superseded)
        ]

    def get(self, key: str) -> Node | None:
        """Return the value of *key* when this entry is a mapping."""
        return self.node.get(key) if isinstance(self.node, Mapping) else None


@dataclass(frozen=True, slots=True)
class Conflict:
    """What two packs do to one entry without an order between them, unless a third pack decides it."""

    entry: tuple[str, str]
    addresses: tuple[Address, ...]
    packs: tuple[str, str]
    problem: Problem


@dataclass(slots=True)
class Composition:
    """All entries of a ruleset, by section and id."""

    base: Pack
    packs: list[Pack]
    sections: dict[str, dict[str, Entry]] = field(default_factory=lambda: {s: {} for s in SECTIONS})
    left_out: list[Mapping] = field(default_factory=list)  # documents for packs that are not active
    guests: set[str] = field(default_factory=set)  # pieces of documents that depend on other packs
    removed: dict[tuple[str, str], tuple[str, Scalar]] = field(default_factory=dict)  # by whom, and where
    problems: list[Problem] = field(default_factory=list)
    unused: set[str] = field(default_factory=set)  # words of what patches could not add
    order: tuple[Scalar, ...] = ()  # of modules, as the player wants it
    precedence: Precedence = field(init=False)
    conflicts: list[Conflict] = field(default_factory=list)
    changes: dict[tuple[str, str], list[Change]] = field(default_factory=dict)  # of each entry, in order
    copied: int = 0  # how many characters pieces have copied from others

    def __post_init__(self) -> None:
        """Work out which packs apply after which."""
        self.precedence = Precedence({pack.id: pack for pack in self.packs}, self.order)

    def language_of(self, path: str) -> int:
        """Return the version of the language that a file of these packs is written in."""
        later = (pack for pack in self.packs if pack.language > 1)
        return next((pack.language for pack in later if pack.holds(path)), 1)

    def advise_rename(self, id_: str, before: str, after: str) -> str:
        """Return what to do about an id of two packs that do not know each other; nothing for other packs."""
        if before == after or before in self.precedence.before(after):
            return ""
        ways = f"rename it in one of them, such as '{after}_{id_}', with a line under `renamed` in its pack.yaml"
        return f"{before!r} and {after!r} do not know each other: {ways}; or declare a conflict"

    def find_pack(self, path: str) -> str:
        """Return the id of the pack that a file is in; nothing if it is in none of these."""
        return next((pack.id for pack in self.packs if pack.holds(path)), "")

    @property
    def is_open(self) -> bool:
        """Whether demands may be left open, to be checked in each match: unless all packs want full proofs."""
        return any(pack.proofs != "full" for pack in self.packs)

    @property
    def removed_ids(self) -> dict[str, tuple[tuple[Span, str], ...]]:
        """The ids that a module removed, each with the place."""
        return {id_: ((place.span, f"{pack!r} removes it here"),) for (_, id_), (pack, place) in self.removed.items()}

    @property
    def lost_words(self) -> set[str]:
        """The words of what had to be left out of the packs."""
        return self.unused | self.unread

    @property
    def unread(self) -> set[str]:
        """The words of what is left out of the documents of the packs."""
        return set().union(*(pack.lost for pack in self.packs))

    def all(self, section: str) -> list[Entry]:
        """Return the entries of a section in order."""
        return list(self.sections[section].values())
