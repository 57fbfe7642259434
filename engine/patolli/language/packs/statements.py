"""The single things that a pack says: each entry that it declares, each change of a patch, each fact of its manifest.

A statement can be left out of its pack, which shows what it causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from patolli.language.diagnostics import Span
from patolli.language.packs.manifest import Document, Pack
from patolli.language.packs.operations import list_operations
from patolli.language.packs.recovery import collect_words
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.documents import ASIDE, DOCUMENTS, SINGLE

MANIFEST_KEYS = ("players", "automated", "components", "options", "provides")
"""What a manifest says of the game, not of the pack."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One thing that a pack says.

    ``path`` leads to it from ``document``, the tree of a file; ``ids`` are what it declares, changes or stands at;
    ``span`` is the place that names it.
    """

    pack: Pack
    document: Mapping
    path: tuple[str | int, ...]
    first: Node
    last: Node
    span: Span
    ids: frozenset[str]

    @classmethod
    def of_all(cls, pack: Pack) -> Statement:
        """Return what stands for all that a pack says: its id."""
        place = pack.manifest.get("id") or pack.manifest
        return cls(pack, pack.manifest, (), place, place, place.span, frozenset())

    def holds(self, span: Span) -> bool:
        """Return whether a place lies in this statement."""
        start, end = self.first.span, self.last.span
        within = (start.line, start.column) <= (span.line, span.column) <= (end.end_line, end.end_column)
        return span.path == start.path and within

    @property
    def replaces(self) -> bool:
        """Return whether it is a change that puts a list or a whole entry in the place of another."""
        change = self.first
        return isinstance(change, Mapping) and "replace" in change and not isinstance(change.get("with"), Scalar)

    @property
    def words(self) -> set[str]:
        """Everything in it that could be a name."""
        return collect_words(self.first, self.last)

    def left_out(self) -> Pack:
        """Return the pack without this statement."""
        tree = _without(self.document, self.path)
        if self.document is self.pack.manifest:
            return replace(self.pack, manifest=tree)
        documents = [
            Document(one.kind, one.path, tree) if one.tree is self.document else one for one in self.pack.documents
        ]
        return replace(self.pack, documents=documents)


def _without(node: Mapping, path: tuple[str | int, ...]) -> Mapping:
    if not path:
        return node
    name, *rest = path
    items = dict(node.items)
    key, value = items[str(name)]
    if not rest:
        del items[str(name)]
    elif isinstance(value, Mapping):
        items[str(name)] = (key, _without(value, tuple(rest)))
    elif isinstance(value, Sequence):
        left = [item for number, item in enumerate(value.items) if number != rest[0]]
        items[str(name)] = (key, Sequence(left, value.span, value.source))
    return Mapping(items, node.span, node.source)


def statements(pack: Pack) -> Iterator[Statement]:
    """Go through all that a pack says, patches and what joins rules first."""
    for document in pack.documents:
        if document.kind == "patch":
            yield from _change_statements(pack, document.tree)
    rest = [document for document in pack.documents if document.kind != "patch" and document.kind not in ASIDE]
    for joining in (True, False):
        for document in rest:
            for section in DOCUMENTS[document.kind]:
                if (section in ("triggers", "anytime", "waivers", "discounts", "substitutions")) is joining:
                    yield from _entry_statements(pack, document.tree, section)
    for name in MANIFEST_KEYS:
        if name in pack.manifest.items:
            key, value = pack.manifest.items[name]
            several = name in ("components", "options") and isinstance(value, Mapping)
            for inner, (one, of) in value.items.items() if several and isinstance(value, Mapping) else ():
                yield Statement(pack, pack.manifest, (name, inner), one, of, one.span, frozenset({inner}))
            if not several:
                ids = frozenset({name, "seats"} if name in ("players", "automated") else {name})
                yield Statement(pack, pack.manifest, (name,), key, value, key.span, ids)


def _change_statements(pack: Pack, tree: Mapping) -> Iterator[Statement]:
    changes = tree.get("change")
    for number, change in enumerate(changes.items if isinstance(changes, Sequence) else ()):
        names = list_operations(change) if isinstance(change, Mapping) else []
        target = change.get(names[0]) if isinstance(change, Mapping) and names else None
        if isinstance(target, Scalar):
            section, *rest = target.value.split("/")
            ids = frozenset({section} if section in SINGLE else rest[:1])
            yield Statement(pack, tree, ("change", number), change, change, target.span, ids)


def _entry_statements(pack: Pack, tree: Mapping, section: str) -> Iterator[Statement]:
    node = tree.get(section)
    if isinstance(node, Mapping) and section not in SINGLE:
        ofs = frozenset(n.value for n in (tree.get("kind"), tree.get("place")) if isinstance(n, Scalar))
        for name, (key, value) in node.items.items():
            joins = None
            if isinstance(value, Mapping):
                joins = next((joined for one in ("after", "before", "instead") if (joined := value.get(one))), None)
            rule = {joins.value.partition("/")[0]} if isinstance(joins, Scalar) else set()
            ids = {key.value.partition("(")[0].strip(), *rule, *(ofs if section == "pieces" else ())}
            yield Statement(pack, tree, (section, name), key, value, key.span, frozenset(ids))
    elif node is not None:
        key = tree.items[section][0]
        yield Statement(pack, tree, (section,), key, node, key.span, frozenset({section}))
