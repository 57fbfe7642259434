"""Read and check what a pack says that its things are called: words for people, which no rule can see.

In:     a model whose names are declared, and whose effects have their types.
Out:    :class:`Wording`: the names of the entries as they are written.
Errors: P0469 a word in braces that nothing declares, P0470 a name that contains itself, P0471 what cannot stand in a
        name.

What a name may hold is what is always known of a thing: facts, fields, and functions of it that look at nothing
else. What is put in is called by its own name, so that names must not go in a circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from patolli.check.analysis.check import check
from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.packs.composition import Composition, Entry
from patolli.language.program import types as ty
from patolli.language.resolve.model import UNKNOWN, Model
from patolli.language.resolve.sayings import HOLE
from patolli.language.resolve.stateless import functions_of
from patolli.language.sources import Mapping as YamlMapping
from patolli.language.sources import Scalar, Sequence
from patolli.language.sources.nodes import scalar_at
from patolli.language.syntax.node import Text
from patolli.language.syntax.phrases import Gap, gaps, stray

LONGEST = 1_000
"""The most characters of a name, with the names that are put into it."""
WORD = 10
"""How many characters are counted for a number, an id or a word of truth that is put into a name."""
_MUTE = (ty.EFFECT, ty.COST)
"""What has no name."""


@dataclass(slots=True)
class Wording:
    """What is called how, by id; what says nothing is not in it."""

    pieces: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)


def wording(composition: Composition) -> Wording:
    """Return what the entries of a ruleset are called."""
    found = Wording()
    named = (
        ("pieces", found.pieces), ("kinds", found.kinds), ("grids", found.kinds), ("records", found.kinds),
        ("places", found.places),
    )  # fmt: skip
    for section, into in named:
        for entry in composition.all(section):
            node = scalar_at(entry, "name")
            if node is not None:
                into[entry.id] = " ".join(node.value.split())
    for entry in composition.all("places"):
        node = scalar_at(entry, "phrase")
        if node is not None:
            found.phrases[entry.id] = " ".join(node.value.split())
    for entry in (*composition.all("kinds"), *composition.all("records")):
        nouns = entry.get("noun")
        if isinstance(nouns, Sequence):
            found.nouns[entry.id] = tuple(" ".join(x.value.split()) for x in nouns.items if isinstance(x, Scalar))
    return found


# ---- checks


@check
def check_names(model: Model) -> None:
    """Check everything that stands in braces in names; problems go to the model."""
    _Names(model).run()


class _Names:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.inside: dict[str, list[tuple[str, Span]]] = {}  # kinds in names of kinds, and where
        self._known: dict[str, dict[str, ty.AnyType]] = {}
        self.texts: list[
            tuple[Text, Mapping[str, ty.AnyType], str]
        ] = []  # all names, with what may stand in them, and whose
        self._lengths: dict[str, int] = {}

    def run(self) -> None:
        """Look at all names."""
        model = self.model
        for section in ("kinds", "grids", "records"):
            for entry in model.composition.all(section):
                self._of_kind(entry, entry.id)
        for entry in model.composition.all("pieces"):
            kind = model.kinds.get(entry.kind)
            if kind is not None and "name" not in kind.facts:
                self._of_kind(entry, kind.name)
        for entry in model.composition.all("places"):
            place = model.places[entry.id]
            if UNKNOWN not in place.dims:
                self._look(entry, {kind: ty.Ref(kind) for kind in place.dims}, "a kind that the place is for")
        for worded in {(one.text.place(0, 1), one.text.value): one for one in model.worded}.values():
            self._text(worded.text, worded.variables, "a variable of this question")
        before = len(model.problems)
        self._circles()
        if len(model.problems) == before:
            self._too_long()

    def _of_kind(self, entry: Entry, kind: str) -> None:
        """Look at the name of a kind, or of one of its pieces."""
        for of, span in self._look(entry, self._attributes(kind), f"a fact, field or function of {kind!r}", kind):
            self.inside.setdefault(kind, []).append((of, span))

    def _look(
        self, entry: Entry, known: Mapping[str, ty.AnyType], words: str, kind: str = ""
    ) -> list[tuple[str, Span]]:
        node = entry.get("name")
        if node is None:
            return []
        if not isinstance(node, Scalar):
            found = "a list" if not isinstance(node, YamlMapping) else "a table"
            self._wrong("P0471", f"a name is one text, found {found}", node.span)
            return []
        if "\n" in node.value.strip():
            self._wrong("P0471", "a name is one line", node.span, "write it without a line break")
            return []
        return self._text(node, known, words, kind)

    def _text(self, text: Text, known: Mapping[str, ty.AnyType], words: str, kind: str = "") -> list[tuple[str, Span]]:
        """Look at one name, of a *kind* where it is one; return the kinds whose names it holds, and where."""
        self.texts.append((text, known, kind))
        odd = stray(text.value)
        if odd >= 0:
            self._stray(text, odd, known)
            return []
        found = []
        for gap in gaps(text.value):
            type_ = self._leads(text, gap, known, words)
            while isinstance(type_, ty.Maybe | ty.Seq):
                type_ = type_.of
            place = text.place(gap.at, len(".".join(gap.path)))
            if type_ in _MUTE:
                self._wrong("P0471", f"{type_} has no name", place, "write what it does into the name itself")
            elif isinstance(type_, ty.Ref):
                found.append((type_.kind, place))
        return found

    def _stray(self, text: Text, at: int, known: Mapping[str, ty.AnyType]) -> None:
        """Report a brace without a partner, or with something between them that is no word."""
        hole = HOLE.match(text.value, at)
        inside = hole[1] if hole is not None else None
        help_ = "braces contain one name, such as {card} or {card.rank}"
        if inside is None:
            self._wrong("P0471", "an opening or closing brace is missing", text.place(at, 1), help_)
        elif inside.strip().lower().partition(".")[0] in known:  # only its letters are too large
            lower = inside.strip().lower()
            place = text.place(at + 1 + inside.index(inside.strip()), len(lower))
            self._wrong("P0471", f"there is no {inside.strip()!r}", place, f"did you mean {lower!r}?", lower)
        else:
            self._wrong("P0471", "nothing replaces these braces", text.place(at, 1), help_)

    def _leads(self, text: Text, gap: Gap, known: Mapping[str, ty.AnyType], words: str) -> ty.AnyType:
        """Return the type of what a gap leads to; anything where it leads nowhere, which is reported."""
        at = gap.at
        type_: ty.AnyType = ty.ANY
        for number, name in enumerate(gap.path):
            if number:
                inner = ty.strip(type_)
                if inner == ty.ANY:
                    return ty.ANY
                if not isinstance(inner, ty.Ref):
                    place = text.place(at, len(name))
                    self._wrong("P0471", f"{type_} has no {name!r}", place, "end the braces before it")
                    return ty.ANY
                known, words = self._attributes(inner.kind), f"a fact, field or function of {inner.kind!r}"
            if name not in known:
                self._unknown(name, text.place(at, len(name)), known, words)
                return ty.ANY
            type_ = known[name]
            at += len(name) + 1
        return type_

    def _unknown(self, name: str, place: Span, known: Mapping[str, ty.AnyType], words: str) -> None:
        near = nearest(name, known)
        help_ = f"did you mean {near!r}?" if near else (f"there are: {', '.join([*known][:8])}" if known else "")
        if name in self.model.functions:
            text = f"{name!r} cannot be used in a name: it reads more than the piece, or has other parameters"
            also = ((self.model.functions[name].span, "declared here"),)
            self.model.problems.append(Problem("P0471", text, place, help_, also, fixes=instead(place, near)))
        elif name in self.model.composition.lost_words:
            return
        else:
            message = f"unknown {name!r}; expected {words}"
            self.model.problems.append(
                Problem("P0469", message, place, help_, fixes=instead(place, near), missing=name if near else "")
            )

    def _attributes(self, kind: str) -> dict[str, ty.AnyType]:
        if kind not in self._known:
            self._known[kind] = _attributes(self.model, kind)
        return self._known[kind]

    def _circles(self) -> None:
        """Report names that hold themselves, by whatever way."""
        for kind, inside in self.inside.items():
            for of, span in inside:
                if kind in self._collect_kinds(of):
                    way = "itself" if of == kind else f"the name of {ty.article(of)}, which contains it"
                    help_ = "remove one of them"
                    self._wrong("P0470", f"the name of {ty.article(kind)} contains {way}", span, help_)

    def _too_long(self) -> None:
        """Report names that grow beyond every measure, because names are put into names."""
        for text, known, _ in self.texts:
            length = self._length(text, known)
            if length > LONGEST:
                message = f"this name may have more than {LONGEST:,} characters, with all its values"
                self._wrong("P0471", message, text.place(0, 1), "shorten it, or the names that it contains")
                return  # names that hold this one are too long for the same reason

    def _length(self, text: Text, known: Mapping[str, ty.AnyType]) -> int:
        """Return the most characters of a name, as far as that is written; beyond the limit, one more than it."""
        total = len(text.value)
        for gap in gaps(text.value):
            type_ = known.get(gap.path[0], ty.ANY)
            for name in gap.path[1:]:
                inner = ty.strip(type_)
                type_ = self._attributes(inner.kind).get(name, ty.ANY) if isinstance(inner, ty.Ref) else ty.ANY
            written, longest = self._fact_sizes.get(gap.path[-1], (1, WORD))
            items = 1
            while isinstance(type_, ty.Maybe | ty.Seq):
                items, type_ = (items if isinstance(type_, ty.Maybe) else written), type_.of
            one = self._of_thing(type_.kind) if isinstance(type_, ty.Ref) else longest if type_ == ty.TEXT else WORD
            total += one * items
        return min(total, LONGEST + 1)

    def _of_thing(self, kind: str) -> int:
        """Return how many characters the longest name of a thing of a kind has."""
        if kind not in self._lengths:
            lengths = [self._length(text, known) for text, known, of in self.texts if of == kind]
            self._lengths[kind] = max(lengths, default=WORD)
        return self._lengths[kind]

    @cached_property
    def _fact_sizes(self) -> dict[str, tuple[int, int]]:
        """By the name of a fact, how many items the longest list has that is written there, and the longest text."""
        found: dict[str, tuple[int, int]] = {}
        facts = {fact for _, known, _ in self.texts for fact in known}
        for entry in self.model.composition.all("pieces"):
            for fact in facts:
                node = entry.get(fact)
                items, longest = found.get(fact, (1, WORD))
                if isinstance(node, Sequence):
                    found[fact] = max(items, len(node.items)), longest
                elif isinstance(node, Scalar):
                    found[fact] = max(items, node.value.count(",") + 1), max(longest, len(node.value))
        return found

    def _collect_kinds(self, kind: str) -> set[str]:
        """Return the kinds whose names stand in the names of a kind, and the kind."""
        found: set[str] = set()
        open_ = [kind]
        while open_:
            here = open_.pop()
            if here not in found:
                found.add(here)
                open_ += [of for of, _ in self.inside.get(here, ())]
        return found

    def _wrong(self, code: str, message: str, span: Span, help_: str = "", meant: str | None = None) -> None:
        self.model.problems.append(Problem(code, message, span, help_, fixes=instead(span, meant)))


def _attributes(model: Model, kind: str) -> dict[str, ty.AnyType]:
    """Return what is known of a piece of a kind, with types."""
    declared = model.kinds.get(kind)
    if declared is None:
        return {}
    found = {one.name: one.type for one in (*declared.facts.values(), *declared.fields.values())}
    return found | {name: model.functions[name].type or ty.ANY for name in functions_of(model, kind)}


def named_in(composition: Composition, section: str) -> Iterator[tuple[Entry, Scalar]]:
    """Return the entries of a section that have a name of their own, with its text."""
    for entry in composition.all(section):
        node = scalar_at(entry, "name")
        if node is not None:
            yield entry, node
