"""Say in an author's words how a document differs from its schema.

In:     the errors of jsonschema, and the tree of the document.
Out:    problems P0050 to P0058, one per mistake; P0034 where only a margin is wrong.

A schema can fail in several ways for one mistake: a wrong type fails the type, the list of values and the pattern; a
misspelt key is one too many and one too few. So each error first becomes a finding with a rank, and of the findings
about one value only the first in rank is reported.

A row of ``HANDLERS`` is a keyword of JSON Schema. What a value should be is said by the schema itself: ``x-says`` ("a
whole number from 1"), then ``examples``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Fix, Problem, Span
from patolli.language.diagnostics.suggest import nearest
from patolli.language.sources import phrases
from patolli.language.sources.blocktext import ADVICE
from patolli.language.sources.lookalikes import advice, name_character, plain_form
from patolli.language.sources.margins import too_deep, too_shallow
from patolli.language.sources.nodes import Mapping, Node, Scalar, Sequence, node_at, plain
from patolli.language.sources.notes import Schema, find_key, instead_of, notes

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One way in which a schema failed.

    ``path`` leads to the value it is about; ``key`` is the one that is unknown
    or missing there, ``meant`` the known key that an unknown one resembles;
    ``others`` are keys that would do as well as the missing one.
    """

    path: Path
    rank: int
    problem: Problem
    key: str = ""
    meant: str | None = None
    others: tuple[str, ...] = ()


class Failure(NamedTuple):
    """An error of jsonschema with the node that it speaks of."""

    error: ValidationError
    root: Node
    path: Path
    rules: Schema

    @property
    def schema(self) -> Schema:
        """The schema that failed, with the words that are nearest to the author."""
        schema = self.error.schema
        own = schema if isinstance(schema, dict) else {}
        return {**own, **notes(self.rules, self.error.absolute_schema_path)}

    @property
    def node(self) -> Node:
        """The node that failed."""
        return node_at(self.root, self.path)

    @property
    def anchor(self) -> Span:
        """A short place for a whole collection: its key, else its own first key or sign."""
        parent = node_at(self.root, self.path[:-1]) if self.path else None
        if isinstance(parent, Mapping):
            return parent.key(str(self.path[-1])).span
        node = self.node
        if isinstance(node, Mapping) and node.items:
            return next(iter(node.items.values()))[0].span
        return node.span

    def finding(self, rank: int, code: str, message: str, help: str = "", fixes: tuple[Fix, ...] = ()) -> Finding:
        """Report the value itself."""
        problem = Problem(code, f"{phrases.describe_path(self.path)} {message}", self.node.span, help, fixes=fixes)
        return Finding(self.path, rank, problem)


Handler: TypeAlias = Callable[[Failure], Iterator[Finding]]


def explain_failures(errors: Iterable[ValidationError], root: Node, rules: Schema) -> list[Problem]:
    """Turn the errors of jsonschema into problems, in the order of the file.

    Args:
        errors: What jsonschema found.
        root: The tree that was checked.
        rules: The whole schema that it was checked against.
    """
    findings: dict[tuple[Path, str], Finding] = {}
    for error in errors:
        for finding in _findings(Failure(error, root, tuple(error.relative_path), rules)):
            subject = (finding.path, finding.key)
            if subject not in findings or finding.rank < findings[subject].rank:
                findings[subject] = finding
    _pair(findings)
    meant = {(finding.path, finding.meant) for finding in findings.values() if finding.meant}
    # What may stand beside a value depends on it, so a wrong one says nothing about its neighbors.
    unsure = {finding.path[:-1] for finding in findings.values() if finding.problem.code == "P0053"}
    parts = rules.get("properties", {})
    deep = too_deep([finding.path for finding in findings.values()], root, parts) if "document" in parts else {}
    kept = [
        finding.problem
        for subject, finding in findings.items()
        if subject not in meant
        and not any((finding.path, other) in meant for other in finding.others)
        and finding.path[:2] not in deep
        and not (finding.problem.code == "P0058" and finding.path in unsure)
    ]
    return sorted([*kept, *deep.values()], key=lambda problem: (problem.span, problem.code, problem.message))


def _pair(findings: dict[tuple[Path, str], Finding]) -> None:
    """Say once that a key is unknown and another one missing, where the one may stand for the other."""
    missing: dict[Path, list[str]] = {}
    for (path, key), finding in findings.items():
        if finding.problem.code == "P0051" and finding.rank == 3:
            missing.setdefault(path, []).append(key)
    for (path, _), finding in list(findings.items()):
        names = missing.get(path)
        if finding.problem.code == "P0050" and not finding.meant and names:
            help = f"perhaps {' or '.join(map(repr, names))} is meant, which is missing"
            fixes = instead(finding.problem.span, names[0] if len(names) == 1 else None)
            findings[path, finding.key] = replace(finding, problem=replace(finding.problem, help=help, fixes=fixes))
    for path, names in missing.items():
        if any(where == path and f.problem.code == "P0050" and not f.meant for (where, _), f in findings.items()):
            for name in names:
                del findings[path, name]


def _findings(failure: Failure) -> Iterator[Finding]:
    if "propertyNames" in failure.error.absolute_schema_path:
        return _key_name(failure)
    return HANDLERS.get(str(failure.error.validator), _other)(failure)


def _key_name(failure: Failure) -> Iterator[Finding]:
    """``propertyNames``: the value that failed is a key."""
    name = str(failure.error.instance)
    node = failure.node
    if not isinstance(node, Mapping) or name not in node:
        return
    what = phrases.describe_expected(failure.schema) or "written differently"
    span = node.key(name).span
    head, bracket, rest = name.strip().partition("(")
    lower = re.sub(r"\W+", "_", head.strip(" :")).lower() + bracket + rest
    fits = re.search(str(failure.schema.get("pattern", "$^")), lower)
    help = f"write {lower!r}" if fits else phrases.hint(failure.schema)
    key = node.key(name)
    fixes = instead(span, lower) if fits and lower not in node else ()
    shallow = too_shallow(key.source, key.start) if key.source is not None and " " in head.strip() else None
    if shallow is not None:
        yield Finding(failure.path, 2, shallow, key=name)
        return
    odd = next((letter for letter in name if plain_form(letter) is not None), None)
    if odd:
        help = f"it contains a {name_character(odd)}: {advice(odd)}"
        fixes = instead(key.place(name.index(odd)), plain_form(odd), sure=True)
    elif re.search(r"[\"'\[\]{}]", name):
        help, fixes = "if it belongs to the text above it, indent it further", ()
    problem = Problem("P0057", f"the key {name!r} must be {what}", span, help, fixes=fixes)
    yield Finding(failure.path, 2, problem, key=name)


_ELSEWHERE = {
    **dict.fromkeys(("add", "append", "insert"), ("extend",)),
    **dict.fromkeys(("delete", "drop"), ("remove",)),
    **dict.fromkeys(("change", "set", "override", "modify"), ("replace", "do")),
    **dict.fromkeys(("if", "condition", "where", "only_if"), ("when",)),
    **dict.fromkeys(("then", "action", "actions", "run", "code"), ("do",)),
    **dict.fromkeys(("description", "desc", "comment", "name", "help"), ("text", "title")),
    **dict.fromkeys(("count", "amount", "quantity", "number"), ("copies", "size")),
    **dict.fromkeys(("initial", "init", "begin", "from"), ("start",)),
    **dict.fromkeys(("properties", "props", "data"), ("facts",)),
    **dict.fromkeys(("state", "variables"), ("fields",)),
    **dict.fromkeys(("hidden", "private", "secret"), ("visible",)),
    **dict.fromkeys(("type", "kind"), ("shows", "type", "of")),
    **dict.fromkeys(("width", "cols"), ("columns",)),
    "height": ("rows",),
    **dict.fromkeys(("scoring", "score", "victory", "winner"), ("result", "winners", "wins")),
    **dict.fromkeys(("winners", "win", "won"), ("wins",)),
    "depends": ("requires",),
    "expect": ("expects", "then"),
}
"""How keys are called elsewhere; the first one that may stand there is meant."""


def _unknown_keys(failure: Failure) -> Iterator[Finding]:
    """``additionalProperties`` and its kin: keys that the schema does not know."""
    node, schema = failure.node, failure.schema
    if not isinstance(node, Mapping):
        return
    known = dict.fromkeys(_known_keys(schema, []))
    free = set(known) - set(node.items)
    patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", {})]
    for name, (key, _) in node.items.items():
        if name in known or any(pattern.search(name) for pattern in patterns):
            continue
        near = nearest(name, free) or next((key for key in _ELSEWHERE.get(name, ()) if key in free), None)
        help = f"did you mean {near!r}?" if near else _choices(sorted(free))
        where = f" in {phrases.owner(failure.path, schema)}"
        fixes = instead(key.span, near)
        problem = Problem("P0050", f"unknown key {name!r}{where}", key.span, help, fixes=fixes)
        yield Finding(failure.path, 1, problem, key=name, meant=near)


def _known_keys(schema: Any, seen: list[Any]) -> Iterator[str]:
    """Collect the keys that a schema speaks of, in its branches too."""
    if not isinstance(schema, dict) or schema in seen:
        return
    seen.append(schema)
    yield from schema.get("properties", {})
    for word in ("if", "then", "else"):
        yield from _known_keys(schema.get(word), seen)
    for part in [*schema.get("allOf", []), *schema.get("anyOf", []), *schema.get("oneOf", [])]:
        yield from _known_keys(part, seen)


LISTED = 14
"""Keys that a help line names."""


def _choices(names: list[str]) -> str:
    return f"known here: {', '.join(names)}" if 0 < len(names) <= LISTED else ""


def _missing_keys(failure: Failure) -> Iterator[Finding]:
    """``required``: keys that are not there."""
    node, schema = failure.node, failure.schema
    if not isinstance(node, Mapping):
        return
    others = tuple(instead_of(failure.rules, failure.error.absolute_schema_path))
    for name in schema.get("required", ()):
        if name not in node:
            about = find_key(failure.rules, failure.error.absolute_schema_path, name)
            help = phrases.hint(about) if isinstance(about, dict) else ""
            keys = " or ".join(map(repr, (name, *others)))
            message = f"the key {keys} is missing in {phrases.owner(failure.path, schema)}"
            yield Finding(failure.path, 3, Problem("P0051", message, failure.anchor, help), key=name, others=others)


def _companions(failure: Failure) -> Iterator[Finding]:
    """``dependentRequired``: a key that needs another one beside it."""
    node = failure.node
    if not isinstance(node, Mapping):
        return
    for name, needed in failure.schema.get("dependentRequired", {}).items():
        for other in needed:
            if name in node and other not in node:
                message = f"the key {name!r} needs the key {other!r} beside it"
                yield Finding(failure.path, 3, Problem("P0051", message, node.key(name).span), key=other)


def _kind(failure: Failure) -> Iterator[Finding]:
    """``type``: a value of another kind."""
    what = phrases.describe_expected(failure.schema)
    if isinstance(failure.error.instance, int) and what.startswith("text"):
        fixes = instead(failure.node.span, f'"{failure.node.value}"') if isinstance(failure.node, Scalar) else ()
        yield _unlike(failure, what, "if text is meant, put it in quotes", fixes)
    elif bracketed := _in_brackets(failure):
        yield _unlike(failure, what, f"write {bracketed}", instead(failure.node.span, bracketed))
    else:
        yield _unlike(failure, what, _cure(failure) or phrases.hint(failure.schema))


def _in_brackets(failure: Failure) -> str:
    """Return the list that one text was likely meant to be; nothing where a list of texts is not what is needed."""
    node, schema = failure.node, failure.schema
    items = schema.get("items")
    if schema.get("type") != "array" or not isinstance(items, dict) or items.get("type") != "string":
        return ""
    if not isinstance(node, Scalar) or node.source is None or not isinstance(failure.error.instance, str):
        return ""
    written = node.source.text[node.start : node.end]
    return "" if re.search(r"[\[\]{}\n:#]", written) else f"[{written}]"


def _cure(failure: Failure) -> str:
    """Say how a table by seats is written, that a step has no keys of its own, and that a text begins with ``|``."""
    node = failure.node
    if isinstance(node, Sequence) and {"integer", "object"} <= set(failure.schema.get("type", ())):
        rows = {str(seats): plain(item) for seats, item in enumerate(node.items, 2)}
        return f"a table by seats is written {phrases.format_value({'by': 'seats', **rows})}"
    if isinstance(node, Mapping) and failure.path[-2:-1] == ("steps",) and "do" in node:
        what = "only rules have headings" if "heading" in node else "only rules have such keys"
        return f"{what}; make the step a rule, and call it here"
    if isinstance(node, Mapping) and not node.flow and failure.schema.get("type") == "string":
        return ADVICE
    return ""


def _unlike(failure: Failure, what: str, help: str, fixes: tuple[Fix, ...] = ()) -> Finding:
    message = f"must be {what or 'something else'}, found {phrases.describe_value(failure.error.instance)}"
    bare, node = phrases.find_unquoted_expression(failure.node), failure.node
    if bare and node.source is not None:
        written = node.source.text[node.start : node.end]
        fixes = instead(node.span, f'"{written}"' if '"' not in written and "\n" not in written else None)
    return failure.finding(0, "P0052", message, bare or help, fixes)


LISTED = 100
"""Letters up to which all words to choose from are listed."""


def _values(failure: Failure) -> Iterator[Finding]:
    """``enum`` and ``const``: a value that is none of a few."""
    schema, value = failure.schema, failure.error.instance
    values = schema["enum"] if "enum" in schema else [schema.get("const")]
    names = [phrases.format_value(item) for item in values if item is not None]
    near = nearest(value, names) if isinstance(value, str) else None
    help = f"did you mean {near!r}?" if near else ""
    if len(", ".join(names)) > LISTED:
        what = phrases.describe_expected({**schema, "enum": None, "type": None}) or f"one of {len(names)} words"
    else:
        what = names[0] if len(names) == 1 else "one of " + ", ".join(names)
    help = help or phrases.hint(schema, examples=False)
    fixes = instead(failure.node.span, near)
    yield failure.finding(1, "P0053", f"must be {what}, found {phrases.describe_value(value)}", help, fixes)


_BOUNDS = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
}


def _explain_bound(failure: Failure) -> Iterator[Finding]:
    """``minimum`` and its kin: a number outside of its range."""
    words = _BOUNDS[str(failure.error.validator)].format(failure.error.validator_value)
    yield failure.finding(2, "P0054", f"{words}, found {failure.error.instance}", phrases.hint(failure.schema))


def _form(failure: Failure) -> Iterator[Finding]:
    """``pattern`` and its kin: text that is not written as it should be."""
    word, limit = failure.error.validator, failure.error.validator_value
    schema, value = failure.schema, str(failure.error.instance)
    what = phrases.describe_expected({**schema, "type": None})
    if not value.strip():
        message, rank = "may not be empty", 2
    elif word == "maxLength":
        message, rank = f"may have {limit} characters at most, has {len(value)}", 3
    elif word == "minLength":
        message, rank = f"must have at least {limit} characters, has {len(value)}", 3
    else:
        message, rank = (
            f"must be {what}, found {phrases.describe_value(value)}"
            if what
            else f"may not be {phrases.describe_value(value)}",
            4,
        )
    bare = re.match(r"[a-z_]\w*(?=\(.*\)$)", value)
    help = phrases.hint(schema, examples=not what)
    fixes: tuple[Fix, ...] = ()
    if bare and word == "pattern" and re.search(str(limit), bare[0]):
        help = f"write the name alone: {bare[0]!r}"
        fixes = instead(failure.node.span, bare[0])
    if word == "pattern" and "\n" in value and re.search(str(limit), " ".join(value.split())):
        help = phrases.on_one_line(value)
    yield failure.finding(rank, "P0055", message, help, fixes)


_COUNTS = {
    "minItems": "needs at least {} {}, has {}",
    "maxItems": "may have at most {} {}, has {}",
    "minProperties": "needs at least {} {}, has {}",
    "maxProperties": "may have at most {} {}, has {}",
}


def _count(failure: Failure) -> Iterator[Finding]:
    """``minItems`` and its kin: too few or too many entries."""
    word, limit = str(failure.error.validator), failure.error.validator_value
    entries: Any = failure.error.instance
    size = len(entries)
    if size == 0:
        yield failure.finding(2, "P0056", "may not be empty", phrases.hint(failure.schema))
        return
    noun = "entry" if limit == 1 else "entries"
    yield failure.finding(2, "P0056", _COUNTS[word].format(limit, noun, size), phrases.hint(failure.schema))


def _explain_repeat(failure: Failure) -> Iterator[Finding]:
    """``uniqueItems``: an entry that stands in the list twice."""
    node = failure.node
    if not isinstance(node, Sequence):
        return
    seen: dict[str, Node] = {}
    reported: set[str] = set()
    for at, item in enumerate(node.items):
        mark = repr(plain(item))
        first = seen.setdefault(mark, item)
        if first is not item and mark not in reported:
            reported.add(mark)
            what = repr(item.value) if isinstance(item, Scalar) else "an entry"
            message = f"{phrases.describe_path(failure.path)} has {what} twice"
            also = ((first.span, "first given here"),)
            problem = Problem("P0056", message, item.span, "keep one of them", also)
            yield Finding((*failure.path, at), 3, problem)


def _branches(failure: Failure) -> Iterator[Finding]:
    """``anyOf`` and ``oneOf``: speak of the branch that fits the kind of value, if there is one."""
    branches: dict[Any, list[ValidationError]] = {}
    for error in failure.error.context or ():
        branches.setdefault(error.schema_path[0], []).append(error)
    fitting = [
        errors
        for errors in branches.values()
        if not any(error.validator in ("type", "const") and len(error.relative_path) <= 0 for error in errors)
    ]
    if fitting:
        for error in min(fitting, key=len):
            path = (*failure.path, *error.relative_path)
            yield from _findings(failure._replace(error=error, path=path))
        return
    choices = [phrases.describe_expected(errors[0].schema) for errors in branches.values()]
    what = phrases.describe_expected(failure.schema) or " or ".join(dict.fromkeys(filter(None, choices)))
    yield _unlike(failure, what, phrases.hint(failure.schema))


def _other(failure: Failure) -> Iterator[Finding]:
    """Whatever else a schema may forbid."""
    node, help = failure.node, phrases.hint(failure.schema)
    if failure.error.schema is False and isinstance(node, Mapping):
        # jsonschema does not say which key it was; the value has to do.
        for name, (key, value) in node.items.items():
            if plain(value) == failure.error.instance:
                message = f"the key {name!r} is not allowed in {phrases.place(failure.path)}"
                yield Finding(failure.path, 1, Problem("P0058", message, key.span, help), key=name)
                return
    yield failure.finding(5, "P0058", "is not allowed like this", help)


HANDLERS: dict[str, Handler] = {
    "additionalProperties": _unknown_keys,
    "unevaluatedProperties": _unknown_keys,
    "required": _missing_keys,
    "dependentRequired": _companions,
    "type": _kind,
    "enum": _values,
    "const": _values,
    **dict.fromkeys(_BOUNDS, _explain_bound),
    "pattern": _form,
    "format": _form,
    "minLength": _form,
    "maxLength": _form,
    **dict.fromkeys(_COUNTS, _count),
    "uniqueItems": _explain_repeat,
    "anyOf": _branches,
    "oneOf": _branches,
}
