"""Collect what the schemas say, in words, of the value that an error of jsonschema is about.

The words for people stand where a key is declared; the rule that failed often
stands further in, behind a ``$ref`` or in a branch. So the path of the error is
walked from the root, and on the way to one value the outer words win: `copies`
is "how many copies there are" before it is "an expression".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

_WORDS = ("x-says", "description", "examples")
_SAME_VALUE = frozenset({"if", "then", "else", "not"})
_SAME_VALUE_LISTED = frozenset({"allOf", "anyOf", "oneOf", "dependentSchemas"})
_INNER = frozenset({"items", "additionalProperties", "unevaluatedProperties", "propertyNames", "contains"})
_INNER_LISTED = frozenset({"properties", "patternProperties", "prefixItems"})


def notes(root: Schema, path: Iterable[str | int]) -> Schema:
    """Give ``x-says``, ``description`` and ``examples`` for the value that failed.

    Args:
        root: The whole schema; references inside it are followed.
        path: Keywords and their keys, as in ``absolute_schema_path`` of an
            error: references and ``if`` are not part of it.
    """
    here: Any = root
    words = _words(root)
    steps = iter(path)
    for step in steps:
        here, words = _follow(root, here, step, words)
        if not isinstance(here, dict) or step not in here:
            break
        if step in _SAME_VALUE or step in _INNER:
            here = here[step]
        elif step in _SAME_VALUE_LISTED or step in _INNER_LISTED:
            name = next(steps, None)
            if name is None:
                break
            here = here[step][name]
        else:
            break
        inner = step in _INNER or step in _INNER_LISTED
        words = _words(here) if inner else {**_words(here), **words}
    return words


def _follow(root: Schema, here: Any, step: str | int, words: Schema) -> tuple[Any, Schema]:
    """Go on to what *here* refers to, as long as it does not have *step* itself."""
    while isinstance(here, dict) and step not in here and str(here.get("$ref", "")).startswith("#/"):
        target: Any = root
        for name in here["$ref"][2:].split("/"):
            target = target[name]
        here = target
        words = {**_words(here), **words}
    return here, words


def _words(schema: Any) -> Schema:
    if not isinstance(schema, dict):
        return {}
    return {word: schema[word] for word in _WORDS if word in schema}


def find_key(root: Schema, path: Iterable[str | int], name: str) -> Any:
    """Return the schema of a key, from the innermost schema on a path that declares it; a branch declares only some.

    Args:
        root: The whole schema; references inside it are followed.
        path: As :func:`notes` takes it.
        name: The key.
    """
    here: Any = root
    found: Any = None
    for step in path:
        here, _ = _follow(root, here, step, {})
        if isinstance(here, dict):
            found = here.get("properties", {}).get(name, found)
        here = here.get(step) if isinstance(here, dict) else here[int(step)] if isinstance(here, list) else None
    return found


def instead_of(root: Schema, path: Iterable[str | int]) -> list[str]:
    """Return the keys that would make another branch count: the ``else`` of an error is only there without them.

    Args:
        root: The whole schema; references inside it are followed.
        path: As :func:`notes` takes it.
    """
    here: Any = root
    found: list[str] = []
    steps = iter(path)
    for step in steps:
        here, _ = _follow(root, here, step, {})
        if step == "else":
            found += here.get("if", {}).get("required", ())
        here = here.get(step) if isinstance(here, dict) else None
        if step in _SAME_VALUE_LISTED or step in _INNER_LISTED:
            name = next(steps, "")
            here = here[name] if here else None
        if not isinstance(here, dict):
            break
    return found
