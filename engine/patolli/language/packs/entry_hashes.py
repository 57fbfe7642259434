"""Hash what decides how a match goes, entry by entry, so that a save can say which changes of its content matter.

In:     a composition, and names that it has for older ones.
Out:    a short hash for each entry that is part of the rules, by its address. Texts for people, panels, scenarios, and
        what a manifest says of the pack and not of the game are left out.

The order of the entries belongs to the hashes: the state of a match is laid out in this order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from patolli.language.packs.composition import Composition, Entry
from patolli.language.packs.statements import MANIFEST_KEYS
from patolli.language.sources import Mapping as YamlMapping
from patolli.language.sources import plain
from patolli.language.sources.documents import ASIDE, DOCUMENTS
from patolli.language.sources.schema import prose_keys

DIGITS = 8
_NAMED = frozenset({"steps", "fields", "facts", "legend", "value", "values", "rows", "map"})
"""Keys below which the keys are names that the author chose."""
_ORDERED = frozenset({"steps", "fields"})
"""Keys below which the order matters to a match."""
_SECTIONS = tuple(section for kind, sections in DOCUMENTS.items() if kind not in ASIDE for section in sections)
_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\n]*')
_SAME_WORD = re.compile(r"\b(\w+) \1(?=[,)])")
"""A parameter with the name of its kind, which need not be written: ``take(card card)`` is ``take(card)``."""
_DECIDING = tuple(key for key in MANIFEST_KEYS if key != "components")


def hash_entries(composition: Composition, older: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a hash of each entry and of what each manifest says of the game.

    Args:
        composition: The packs.
        older: For names of now, the names that they had; the hashes are those that the content has with these.
    """
    found: dict[str, str] = {}
    for address, essence in _list_essences(composition):
        text = _write_essence(essence)
        if older:
            words = re.compile(rf"\b({'|'.join(map(re.escape, older))})\b")
            text, address = (words.sub(lambda found: older[found[0]], one) for one in (text, address))
            text = _write_essence(json.loads(text))  # keys are sorted by the names that they had
        text = _SAME_WORD.sub(r"\1", text)
        found[address] = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    return found


def _write_essence(essence: Any) -> str:
    return json.dumps(essence, sort_keys=True, ensure_ascii=False)


def _list_essences(composition: Composition) -> Iterator[tuple[str, Any]]:
    for pack in composition.packs:
        kept = {key: pack.manifest.get(key) for key in _DECIDING}
        said = {key: strip_prose(plain(node)) for key, node in kept.items() if node is not None}
        yield f"pack/{pack.id}", [said, pack.language]
    for section in _SECTIONS:
        for entry in composition.all(section):
            yield f"{section}/{entry.id}", _find_essence(entry)


def _find_essence(entry: Entry) -> Any:
    changes = [
        [name, strip_prose(plain(node))] for _, name, node in entry.in_force if name not in ("replace", "extend")
    ]
    places = [one.value if one is not None else "" for one in (entry.of, entry.place)]
    named = entry.section in ("enums", "table", "player") or not isinstance(entry.node, YamlMapping)
    return [entry.key.value, *places, strip_prose(plain(entry.node), named), changes]


def _keep_order(key: str, value: Any) -> Any:
    return [*map(list, value.items())] if key in _ORDERED and isinstance(value, dict) else value


def strip_prose(value: Any, named: bool = False) -> Any:
    """Leave out texts for people: under keys for them, and in the texts of rules what stands in quotes or comments.

    What is played or laid out in its order becomes a list. A text in a list is a row of a map or shape, not of a rule.
    """
    if isinstance(value, dict):
        return {
            key: _keep_order(key, strip_prose(inner, key in _NAMED))
            for key, inner in value.items()
            if named or key not in prose_keys() or not isinstance(inner, str)
        }
    if isinstance(value, list):
        return [inner if isinstance(inner, str) else strip_prose(inner) for inner in value]
    if isinstance(value, str):
        lines = _SIGN.sub(lambda found: '""' if found[0][0] == '"' else "", value).split("\n")
        return "\n".join(line.rstrip() for line in lines if line.strip())
    return value
