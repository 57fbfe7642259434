"""Offer what may be written at the cursor.

In:     the lines of a file, a position, and the newest model of its pack, which may be older than the text.
Out:    offers; the editor filters them by what has been typed.

Keys and fixed values come from the schemas. Inside effects and expressions names come from the model, facts
after a dot from the type of what stands before it: that part is parsed and typed on the spot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from patolli.author.lookup import descriptions
from patolli.language.diagnostics import Span
from patolli.language.packs.discovery import installed
from patolli.language.packs.likeness import LIKE
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.calls import reads_me
from patolli.language.resolve.addresses import own_steps
from patolli.language.resolve.model import Model, Rule
from patolli.language.resolve.relations import NEIGHBORS
from patolli.language.sources.documents import SECTIONS
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import QUANTIFIERS, STATEMENTS
from patolli.language.syntax.syntax_walk import nodes
from patolli.serve.lsp import keywords, scopes
from patolli.serve.lsp.braces import Word, words_at
from patolli.serve.lsp.expectations import CHAIN, Wanted, related_at, type_of_name, wanted_at
from patolli.serve.lsp.shapes import Shape, kind_of, shape_at
from patolli.serve.lsp.spot import Spot, spot_at

WORDS = "and or not in div mod if else where for any none true false to from as with times unless by of number".split()
TYPES = "int bool text effect cost player list none".split()
PACKS = {"pack": (("requires",), ("optional",), ("conflicts",))}
"""Where other packs are named, by the kind of document."""
_DOT = re.compile(rf"(?P<before>{CHAIN})\.(?P<typed>\w*)$")
_START = re.compile(r"(?:^|[;:\n])[ ]*[a-z_]*(?:/[a-z_]*)?$")
_RULE = re.compile(r"\b(?:can|after)\([a-z_/]*$|(?:^|[;:\n]) *(?:let\s+\w+\s*=|set\s+[^;\n]+\s+to|return)\s+[a-z_/]*$")
"""What stands before a rule that is called inside an expression, or whose value is taken."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that may be written.

    ``sort`` is as in references, or ``key``, ``keyword``, ``value``; ``rank`` is 0 for the likely ones, to 9.
    """

    label: str
    sort: str
    detail: str = ""
    text: str = ""
    rank: int = 5


def offers_at(lines: list[str], line: int, column: int, model: Model | None) -> list[Offer]:
    """Return what may be written at a line and column, both from 1."""
    kind = kind_of(lines)
    spot = spot_at(lines, line, column)
    shape = shape_at(kind, spot.path)
    if spot.path in PACKS.get(kind, ()) or spot.path == ("when_active",):
        return list(_packs(model, spot.path == ("when_active",)))
    if spot.key:
        found = [Offer(key, "key", "", text, 1) for key, text in shape.keys.items()]
        return found + (list(_facts(lines, kind, spot, model)) if model else [])
    named = words_at(model, spot, _kind(lines)) if model is not None else None
    if model is not None and named is not None:
        return [_in_braces(model, name, word) for name, word in named.items()]
    if shape.values:
        return [Offer(value, "value", rank=1) for value in shape.values]
    sort = _sort(lines, kind, spot, shape, model)
    spot = _of_fact(lines, kind, spot, model)
    if model is None:
        return [Offer(word, "keyword") for word in STATEMENTS] if sort == "effect" else []
    return list(_texts(model, spot, sort))


def keyword_at(lines: list[str], line: int, column: int) -> tuple[str, int] | None:
    """Return the word of the language at a place, and where it begins; None in prose, keys and names."""
    spot = spot_at(lines, line, column)
    sort = shape_at(kind_of(lines), spot.path).sort
    if spot.key or sort not in ("effect", "expression", "cost"):
        return None
    return keywords.word_at(lines[line - 1], column, spot.before)


def variable_type(model: Model, lines: list[str], span: Span) -> str:
    """Return the type of the variable at a place, as an author writes it; empty where it is not known."""
    name = lines[span.line - 1][span.column - 1 : span.end_column - 1]
    rest = lines[span.line - 1][span.column - 1 :].partition(";")[0]
    for column in (span.column + len(rest), span.end_column):  # what names it may stand behind it
        spot = spot_at(lines, span.line, column)
        type_ = scopes.variables(model, spot).get(name) if spot.path else None
        if type_ is not None:
            return descriptions.plain_type(type_)
    return ""


def _texts(model: Model, spot: Spot, sort: str) -> Iterator[Offer]:
    """Offer what a text may go on with."""
    if sort in ("effect", "expression", "cost"):
        dot = _DOT.search(spot.before)
        if dot:
            wanted = wanted_at(model, spot, spot.before[: dot.start()])
            yield from _attributes(model, scopes.type_of(model, spot, dot["before"]), wanted)
        elif not re.search(r"\d\.\.?$|\.\w*$", spot.before):
            yield from _names(model, spot, sort)
    elif sort == "type":
        yield from (Offer(word, "keyword", rank=4) for word in TYPES)
        yield from (_offer(model, "kind", name, 3) for name in model.kinds)
        yield from (_offer(model, "group", name, 3) for name in model.groups)
    elif sort == "id" and spot.path[-1] == "unless":
        kind = model.kinds.get(spot.path[1])
        fields = kind.fields.values() if kind else ()
        yield from (Offer(f.name, "fact", "bool", f.text) for f in fields if f.type == ty.BOOL)
    elif sort == "id":
        named = IDS.get(spot.path[-1], ())
        yield from (_offer(model, what, name) for name, (what, _) in model.names.items() if not named or what in named)
        if "kind" in named:
            yield _offer(model, "builtin", "player")
    elif sort == "target":
        yield from _targets(model)
    elif sort == "event" and (found := re.match(r" *(gain|move)\s+(?:\w+\s+(?:(to|from)\s+)?)?\w*$", spot.before)):
        yield from _happening(model, found[2] or found[1])
    elif sort in ("moment", "event"):
        if sort == "event" and spot.path[-1] != "instead":  # what happens anywhere cannot be replaced
            yield from (Offer(word, "keyword", rank=6) for word in ("gain", "move"))
        yield from (_offer(model, "rule", rule.name) for rule in _rules(model))
        yield from _steps(model, "")
    elif sort == "payment":
        yield from (Offer(tag, "tag", rank=2) for tag in _tags(model))
        yield from _steps(model, "")


def _happening(model: Model, word: str) -> Iterator[Offer]:
    """Offer what a trigger may follow behind a word: counters that are gained, kinds that are moved, places."""
    named = {"gain": [*model.counters], "move": [*model.kinds], "to": [*model.places]}["to" if word == "from" else word]
    sort = {"gain": "counter", "move": "kind"}.get(word, "place")
    yield from (_offer(model, sort, name, 1) for name in named if name in model.names)
    if word == "move":
        yield from (Offer(way, "keyword", rank=2) for way in ("to", "from"))


def _tags(model: Model) -> list[str]:
    """Return the tags that payments of the rules have."""
    found = {node.tag for rule in model.rules.values() for node in nodes(rule.block) if isinstance(node, t.Pay)}
    return sorted(tag for tag in found if tag)


def _rules(model: Model) -> Iterator[Rule]:
    return (rule for rule in model.rules.values() if not rule.hidden)


IDS = {
    "kind": ("kind",), "of": ("kind", "counter", "group"), "per": ("kind",), "over": ("kind",),
    "spend": ("rule",), "groups": ("counter",), "lasts": ("rule",), LIKE: ("piece",),
}  # fmt: skip
"""What the value of a key names."""


def _sort(lines: list[str], kind: str, spot: Spot, shape: Shape, model: Model | None) -> str:
    """Return how the text at the cursor is read; a fact of a piece as its kind says."""
    if len(spot.path) > 1 and spot.path[-2] == "groups":
        return "id"
    if kind == "pieces" and len(spot.path) == 3 and spot.path[0] == "pieces" and model is not None:
        attribute = descriptions.attribute_of(model, _kind(lines), spot.path[2])
        if attribute is not None:
            return next((s for s in ("effect", "cost") if s in descriptions.plain_type(attribute.type)), "expression")
        if spot.path[2] == LIKE:
            return "id"
    return shape.sort


def _of_fact(lines: list[str], kind: str, spot: Spot, model: Model | None) -> Spot:
    """Note the type of the fact of a piece whose value is written; an item of a list has that of the list's items."""
    if kind != "pieces" or len(spot.path) != 3 or spot.path[0] != "pieces" or model is None:
        return spot
    attribute = descriptions.attribute_of(model, _kind(lines), spot.path[2])
    type_ = attribute.type if attribute is not None else None
    type_ = ty.strip(type_) if isinstance(type_, ty.Maybe) else type_
    return replace(spot, of=type_.of if isinstance(type_, ty.Seq) else type_)


def _kind(lines: list[str]) -> str:
    """Return the kind of the pieces in a document."""
    return next((line.partition(":")[2].split("#")[0].strip() for line in lines if line.startswith("kind:")), "")


def _facts(lines: list[str], kind: str, spot: Spot, model: Model) -> Iterator[Offer]:
    """Offer the facts of a piece."""
    there = (
        model.kinds.get(_kind(lines))
        if kind == "pieces" and spot.path[:1] == ("pieces",) and len(spot.path) == 2
        else None
    )
    for name, fact in {**there.facts, **there.formulas}.items() if there else ():
        yield Offer(name, "fact", descriptions.plain_type(fact.type), fact.text, 0)


def _packs(model: Model | None, waits: bool) -> Iterator[Offer]:
    """Offer the packs that are installed, and those and the roles that the packs here adapt to."""
    known = {name for pack in (model.composition.packs if model else ()) for name in (*pack.optional, *pack.provides)}
    yield from (Offer(name, "value") for name in sorted({*installed(), *known}))
    if waits:
        yield Offer("not", "keyword", text="Applies only while this is not active.")


def _targets(model: Model) -> Iterator[Offer]:
    for section in SECTIONS:
        for id_ in model.composition.sections[section]:
            yield Offer(f"{section}/{id_}", "value", "", descriptions.text(model, section, id_))
    yield from _steps(model, "rules/")


def _steps(model: Model, lead: str) -> Iterator[Offer]:
    """Offer the named steps of rules, which a patch or a trigger can join."""
    for rule in model.rules.values():
        names = [step.name for step in own_steps(rule) if step.name != "do"]
        if not rule.hidden:
            yield from (Offer(f"{lead}{rule.name}/{name}", "value", "", f"A step of {rule.name!r}.") for name in names)


def _attributes(model: Model, type_: ty.AnyType | None, wanted: Wanted | None) -> Iterator[Offer]:
    """Offer what may follow a dot behind something of a type; what has the type that is *wanted* comes first."""
    type_ = ty.strip(type_) if type_ is not None else None
    if not isinstance(type_, ty.Ref):
        return
    kind = model.kinds.get(type_.kind)
    for name, attribute in kind.attributes.items() if kind else ():
        fit = wanted is None or wanted.fits("fact", attribute.type)
        yield _offer(model, "fact", f"{type_.kind}.{name}", 0 if fit else 1)
    if type_.kind == "player":
        whole = wanted is not None and wanted.fits("counter", ty.INT)
        counters = (c for c in model.counters.values() if c.dims == ("player",))
        yield from (_offer(model, "counter", c.name, 0 if whole else 1) for c in counters)
        made = model.made.functions.values()
        own = [one for one in made if not one.parameters and "'" not in one.name and reads_me(model.made, one)]
        yield from (_offer(model, "function", one.name, 1) for one in own)
    elif kind and kind.designs:
        yield Offer("design", "builtin", "", descriptions.WORDS["design"], 2)


def _names(model: Model, spot: Spot, sort: str) -> Iterator[Offer]:
    """Offer variables, declared names, functions and words of the language."""
    start = sort == "effect" and _START.search(spot.before) is not None and not _open(spot.before)
    wanted = _find_wanted(model, spot, sort)
    for name, type_ in scopes.variables(model, spot).items():
        said = descriptions.plain_type(type_) if type_ is not None else ""
        yield Offer(name, "variable", said, rank=0 if wanted and wanted.fits("variable", type_) else 2)
    if start:
        yield from (Offer(word, "keyword", rank=3) for word in STATEMENTS)
        yield from _offer_rules(model, 2)
        if not {"triggers", "change"}.isdisjoint(map(str, spot.path)):
            yield Offer("original", "rule", *keywords.WORDS["original"], 2)
        return
    if _RULE.search(spot.before):
        yield from _offer_rules(model, 1 if spot.before.endswith("(") else 3)
    if related_at(spot.before):
        yield from _relations(model)
    if wanted is not None and "counter" in wanted.sorts:
        yield from _nouns(model)
    for name, (what, owner) in model.names.items():
        if what == "field":
            fields = model.kinds[owner].fields
            fit = wanted is not None and name in fields and wanted.fits("fact", fields[name].type)
            yield _offer(model, "fact", f"{owner}.{name}", 1 if fit else 4)
        elif what != "rule":
            fit = wanted is not None and wanted.fits(what, type_of_name(model, what, name))
            yield _offer(model, what, name, 1 if fit else 4 if what in LIKELY else 5)
    for name in (*BUILTINS, "players", "seats"):
        fit = wanted is not None and wanted.fits("builtin", type_of_name(model, "builtin", name))
        yield _offer(model, "builtin", name, 3 if fit else 6)
    truth = wanted is not None and wanted.type == ty.BOOL
    for word in (*sorted(QUANTIFIERS - {"list"}), *WORDS):
        yield Offer(word, "keyword", rank=3 if truth and word in ("any", "all", "not", "true", "false") else 7)


def _open(before: str) -> bool:
    """Return whether a bracket is open, so that a new line begins no effect."""
    code = re.sub(r'"[^"\n]*"|#[^\n]*', "", before)
    return sum(code.count(sign) for sign in "([{") > sum(code.count(sign) for sign in ")]}")


def _offer_rules(model: Model, rank: int) -> Iterator[Offer]:
    """Offer the rules, and the steps of rules that can be called."""
    yield from (_offer(model, "rule", rule.name, rank) for rule in _rules(model))
    yield from (replace(step, rank=rank + 1) for step in _steps(model, ""))


def _relations(model: Model) -> Iterator[Offer]:
    """Offer what leads from one thing to some of its kind: functions of one, and lists that things have."""
    for function in model.functions.values():
        types = [type_ for _, type_ in function.parameters]
        if function.name.isidentifier() and len(types) == 1 and function.type in (None, ty.Seq(types[0])):
            yield _offer(model, "function", function.name, 0)
    for kind in model.kinds.values():
        wanted = ty.Seq(ty.Ref(kind.name))
        lists = [name for name, one in {**kind.facts, **kind.fields}.items() if one.type == wanted]
        yield from (_offer(model, "fact", f"{kind.name}.{name}", 1) for name in lists)
    yield from (_offer(model, "builtin", name, 1) for name in NEIGHBORS)


def _nouns(model: Model) -> Iterator[Offer]:
    """Offer counters by what people call them."""
    for counter in model.counters.values():
        if counter.noun:
            yield replace(_offer(model, "counter", counter.name, 2), label=counter.noun[-1].replace(" ", "_"))


LIKELY = ("function", "place", "counter")
"""What is named most often where nothing says what fits."""


def _find_wanted(model: Model, spot: Spot, sort: str) -> Wanted | None:
    """Return what fits at the cursor: in a cost counters, in the fact of a piece what has its type."""
    if sort == "cost" and re.search(r"(?:\d|\bany|\))\s+[a-z_]*$", spot.before):
        return Wanted(frozenset(("counter", "group")))
    if sort == "expression" and spot.of is not None and not re.search(r"[^\w\s]", spot.before):
        return Wanted(type=spot.of)
    return wanted_at(model, spot, spot.before)


def _in_braces(model: Model, name: str, word: Word) -> Offer:
    """Offer a word in what people read, and say what it stands for."""
    if word.sort in ("variable", "builtin"):
        return Offer(name, word.sort, descriptions.plain_type(word.type) if word.type is not None else "", rank=0)
    return replace(_offer(model, word.sort, word.id, 1), label=name)


def _offer(model: Model, sort: str, id_: str, rank: int = 5) -> Offer:
    label = id_.rpartition(".")[2]
    said = descriptions.text(model, sort, id_) if sort != "builtin" else descriptions.description(model, sort, id_)
    return Offer(label, sort, descriptions.signature(model, sort, id_), said, rank)
