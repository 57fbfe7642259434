"""Find the names in scenarios: their effects and expressions are typed against the model, and then forgotten.

In:     a typed model without errors.
Out:    references, see ``references``. What is wrong in a scenario is not reported here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from patolli.author.lookup.references import Reference, references_of
from patolli.language.resolve.effects import Effects
from patolli.language.resolve.expressions import PLAYER, Scope
from patolli.language.resolve.model import Model
from patolli.language.resolve.presence import certain
from patolli.language.resolve.texts import Reader
from patolli.language.resolve.uses import identify_name
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import parse_effect
from patolli.language.syntax.syntax_walk import nodes

_PART = re.compile(r"[a-z_][a-z0-9_]*")


def scenario_references(model: Model, folder: Path | None = None, word: str = "") -> Iterator[Reference]:
    """Yield references in scenarios: of all packs or one *folder*; with a *word* only in texts that hold it."""
    before = len(model.problems)
    effects = Effects(model)
    effects.done.update(model.made.rules)  # of required packs not all are gone through
    written = _Written(model)
    for pack in model.composition.packs:
        for document in pack.documents if folder in (None, pack.folder) else ():
            if document.kind == "scenarios" and _contains_place(document.tree, word):
                yield from _read_scenario(model, effects, document.tree, "file", written, word)
                entries = document.tree.get("scenarios")
                for key, node in entries.items.values() if isinstance(entries, Mapping) else ():
                    yield Reference(key.place(0, len(key.value)), "scenarios", key.value, True)
                    if isinstance(node, Mapping) and _contains_place(node, word):
                        yield from _read_scenario(model, effects, node, key.value, written, word)
    del model.problems[before:]
    yield from references_of(effects.uses)


class _Written:
    """The labels that authors have written out; what looks like a name in them is prose."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @cached_property
    def labels(self) -> frozenset[str]:
        """All of them; looked for when a scenario has a label that counts."""
        found = {action.label for action in self._model.anytime}
        for rule in self._model.rules.values():
            for node in nodes(rule.block):
                if isinstance(node, t.Option | t.UpTo | t.Pause):
                    found.add(node.label or "")
                elif isinstance(node, t.Choose):
                    found.add(node.decline or "")
        return frozenset(found - {""})


def _contains_place(node: Mapping, word: str) -> bool:
    """Return whether the text of a node holds a word."""
    source = node.source
    return source is None or source.text.find(word, node.start, node.end) >= 0


def _read_scenario(
    model: Model, effects: Effects, node: Mapping, id_: str, written: _Written, word: str
) -> Iterator[Reference]:
    owner = f"scenario {id_}"
    scope = Scope.of(node.span, me=PLAYER)
    scope.proven += certain(model, model.players[1], node.span)  # each player who is named takes part
    for key in ("given", "call"):
        text = node.get(key)
        if isinstance(text, Scalar) and word in text.value:
            block, _ = parse_effect(text)
            with effects.uses.of(owner):
                effects.block(block or [], scope)
    for text in _list_texts(node.get("then")):
        expr = Reader(model).expression(text) if word in text.value else None
        if expr is not None:
            with effects.uses.of(owner):
                effects.check(expr, scope.child())
    for text in (*_list_texts(node.get("choose")), *_list_texts(node.get("pending"))):
        if word in text.value:
            yield from _find_label(model, text, written.labels)
    options = node.get("options")
    for name, value in options.items.values() if isinstance(options, Mapping) else ():
        yield from _find_label(model, name, frozenset())
        if isinstance(value, Scalar):
            yield from _find_label(model, value, frozenset())


def _list_texts(node: Node | None) -> Iterator[Scalar]:
    """Yield all keys and values below a node."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _list_texts(item)
    elif isinstance(node, Mapping):
        for key, value in node.items.values():
            yield key
            yield from _list_texts(value)


def _find_label(model: Model, text: Scalar, written: frozenset[str]) -> Iterator[Reference]:
    """Yield the ids in the label of an option, such as ``card_2 -> hand``, perhaps behind an author's own words."""
    start = max((len(label) for label in written if f"{text.value} ".startswith(f"{label} ")), default=0)
    value = text.value[start:]
    words = list(_PART.finditer(value))
    strange = _PART.sub("", value).replace("->", "").strip(" ,0123456789")
    found = [(start + word.start(), identify_name(model, word[0])) for word in words]
    if not strange and all(one is not None for _, one in found):
        for offset, one in found:
            if one is not None:
                yield Reference(text.place(offset, len(one.name)), one.sort, one.id)
