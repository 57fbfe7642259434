"""Tell quickly whether a document has the shape that a schema wants.

In:     a schema, with what it refers to put in its place, and plain data.
Out:    true only when the data is valid; what is wrong with other data, and whether anything is, jsonschema says.
Errors: none.

Most documents are valid, and jsonschema is slow to say so: it makes a path and a generator for each value and keyword.
Here a schema becomes a tree of functions that answer yes or no. Each keyword means what it means in JSON Schema 2020-12
for the data that YAML can give here: texts, whole numbers, truth values, none, lists and mappings. Where a keyword is
not known the answer is no, so that jsonschema decides. That is sound only where a yes of a part makes the whole more
valid, so what stands under ``if`` or ``anyOf`` has to be known, or the answer of the whole node is no.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Test = Callable[[Any], bool]
_ANNOTATIONS = frozenset(
    {"default", "$comment", "$defs", "$id", "$schema", "description", "examples", "title", "x-says"}
)
_TYPES: dict[str, Test] = {
    "string": lambda data: data.__class__ is str,
    "object": lambda data: data.__class__ is dict,
    "array": lambda data: data.__class__ is list,
    "integer": lambda data: data.__class__ is int,
    "boolean": lambda data: data.__class__ is bool,
    "null": lambda data: data is None,
}


class _UnknownError(Exception):
    """A keyword, or a use of one, that is left to jsonschema."""


def validity(schema: dict[str, Any]) -> Test:
    """Return the test of a schema; references in it lead to its own ``$defs``."""
    return _Maker(schema).test(schema)


def _no(data: Any) -> bool:
    return False


def _all(tests: list[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]
    return lambda data: all(test(data) for test in tests)


class _Maker:
    """Makes the tests of one schema."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._defs: dict[str, Any] = root.get("$defs", {})
        self._references: dict[str, Test] = {}

    def test(self, schema: Any) -> Test:
        """Return the test of a part; no to everything where it cannot be told."""
        try:
            return self.exact(schema)
        except _UnknownError:
            return _no

    def exact(self, schema: Any) -> Test:
        """Return the test of a part of which every keyword is known.

        Raises:
            _UnknownError: One is not, outside the parts that can only make the whole less valid.
        """
        if isinstance(schema, bool):
            return lambda data: schema
        return _all([self._keyword(key, schema) for key in schema if key not in _BESIDE])

    def _keyword(self, key: str, schema: dict[str, Any]) -> Test:
        value = schema[key]
        match key:
            case "$ref":
                return self._reference(value)
            case "type":
                kinds = tuple(_TYPES[name] for name in ([value] if isinstance(value, str) else value))
                return kinds[0] if len(kinds) == 1 else lambda data: any(kind(data) for kind in kinds)
            case "const":
                return _one_of([value])
            case "enum":
                return _one_of(value)
            case "allOf":
                return _all([self.test(part) for part in value])
            case "anyOf":
                parts = [self.test(part) for part in value]
                return lambda data: any(part(data) for part in parts)
            case "if":
                return self._choice(schema)
        if key in _OF_TEXTS:
            return _of_text(key, value)
        if key in _OF_NUMBERS:
            return _of_number(key, value)
        if key in _OF_LISTS:
            return self._of_list(key, value)
        return self._of_mapping(key, schema)

    def _reference(self, name: str) -> Test:
        """Return the test of a definition; one that holds itself is there before it is made."""
        if name not in self._references:
            self._references[name] = lambda data: made(data)
            made = self.test(self._defs[name.removeprefix("#/$defs/")])
        return self._references[name]

    def _choice(self, schema: dict[str, Any]) -> Test:
        condition = self.exact(schema["if"])
        then, other = self.test(schema.get("then", True)), self.test(schema.get("else", True))
        return lambda data: then(data) if condition(data) else other(data)

    def _of_list(self, key: str, value: Any) -> Test:
        match key:
            case "items":
                item = self.test(value)
                return lambda data: data.__class__ is not list or all(map(item, data))
            case "minItems":
                return lambda data: data.__class__ is not list or len(data) >= value
            case "maxItems":
                return lambda data: data.__class__ is not list or len(data) <= value
        return _unique if value else _all([])

    def _of_mapping(self, key: str, schema: dict[str, Any]) -> Test:
        value = schema[key]
        match key:
            case "required":
                return lambda data: data.__class__ is not dict or all(name in data for name in value)
            case "minProperties":
                return lambda data: data.__class__ is not dict or len(data) >= value
            case "propertyNames":
                name_test = self.test(value)
                return lambda data: data.__class__ is not dict or all(map(name_test, data))
            case "dependentRequired":
                return lambda data: (
                    data.__class__ is not dict
                    or all(other in data for name, others in value.items() if name in data for other in others)
                )
            case "properties":
                tests = {name: self.test(part) for name, part in value.items()}
                return lambda data: (
                    data.__class__ is not dict
                    or all(tests[name](inner) for name, inner in data.items() if name in tests)
                )
            case "patternProperties":
                patterns = [(re.compile(name), self.test(part)) for name, part in value.items()]
                return lambda data: (
                    data.__class__ is not dict
                    or all(test(inner) for name, inner in data.items() for at, test in patterns if at.search(name))
                )
            case "additionalProperties":
                return self._others(schema, value)
            case "unevaluatedProperties" if value is False:
                known = self._find_known_names(schema)
                return lambda data: data.__class__ is not dict or data.keys() <= known(data)
        raise _UnknownError(key)

    def _others(self, schema: dict[str, Any], value: Any) -> Test:
        """Return the test of what neither ``properties`` nor ``patternProperties`` names."""
        own, test = schema.get("properties", {}), self.test(value)
        patterns = [re.compile(name) for name in schema.get("patternProperties", {})]
        return lambda data: (
            data.__class__ is not dict
            or all(
                test(inner)
                for name, inner in data.items()
                if name not in own and not any(pattern.search(name) for pattern in patterns)
            )
        )

    def _find_known_names(self, schema: dict[str, Any]) -> Callable[[Any], set[str]]:
        """Return what tells the names of a mapping that a schema, or a part of it that applies, looks at."""
        if not schema.keys() <= _LOOKED_THROUGH:
            raise _UnknownError
        own = set(schema.get("properties", {}))
        parts = [self._find_known_names(part) for part in schema.get("allOf", ())]
        if "if" in schema:
            parts.append(self._known_by_choice(schema))
        return lambda data: own.union(*(part(data) for part in parts))

    def _known_by_choice(self, schema: dict[str, Any]) -> Callable[[Any], set[str]]:
        condition, looked = self.exact(schema["if"]), self._find_known_names(schema["if"])
        then, other = self._find_known_names(schema.get("then", {})), self._find_known_names(schema.get("else", {}))
        return lambda data: looked(data) | then(data) if condition(data) else other(data)


def _of_text(key: str, value: Any) -> Test:
    match key:
        case "minLength":
            return lambda data: data.__class__ is not str or len(data) >= value
        case "maxLength":
            return lambda data: data.__class__ is not str or len(data) <= value
    search = re.compile(value).search
    return lambda data: data.__class__ is not str or search(data) is not None


def _of_number(key: str, value: Any) -> Test:
    if key == "minimum":
        return lambda data: data.__class__ is not int or data >= value
    return lambda data: data.__class__ is not int or data <= value


def _one_of(values: list[Any]) -> Test:
    """Return the test for one of some texts or numbers; 1 and true are different."""
    if any(value.__class__ not in (str, int, bool) for value in values):
        raise _UnknownError
    there = {(value.__class__, value) for value in values}
    return lambda data: data.__class__ in (str, int, bool) and (data.__class__, data) in there


def _unique(data: Any) -> bool:
    """Tell whether a list holds nothing twice; no where that takes a longer look."""
    if data.__class__ is not list:
        return True
    if any(item.__class__ not in (str, int, bool) for item in data):
        return False
    return len({(item.__class__, item) for item in data}) == len(data)


_BESIDE = _ANNOTATIONS | {"then", "else"}
_OF_TEXTS = frozenset({"minLength", "maxLength", "pattern"})
_OF_NUMBERS = frozenset({"minimum", "maximum"})
_OF_LISTS = frozenset({"items", "minItems", "maxItems", "uniqueItems"})
_LOOKED_THROUGH = _ANNOTATIONS | {
    "type", "required", "properties", "propertyNames", "dependentRequired", "minProperties", "allOf", "if", "then",
    "else", "unevaluatedProperties",
}  # fmt: skip
"""Keywords of which it is known which names of a mapping they look at."""
