"""Describe one thing that has a name to a player: a piece, a rule, a place, or anything else in a match.

Information that only authors need is left out: facts that nothing shows, conditions without a text, internal counters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from types import MappingProxyType
from typing import Any

from patolli.author.lookup.places import text_of
from patolli.check import prose
from patolli.check.prose.words import fill_phrase, join_words, small, words
from patolli.language.packs.composition import Entry
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Program
from patolli.language.program.types import article
from patolli.language.sources import Scalar
from patolli.language.syntax.phrases import HOLE
from patolli.play.scene.captions import STRONG, Caption, caption
from patolli.play.scene.seat_scene import Scene
from patolli.run.runtime.display_names import NO_PLAYER
from patolli.run.runtime.seat_visibility import Index
from patolli.run.runtime.vocabulary import first

Thing = tuple["Entry", "tuple[Index, ...]"]
"""What can be looked up: an entry of a pack, or some copies of the pieces that it declares."""
SORTS = {
    "pieces": "a piece", "rules": "a rule", "counters": "a counter", "places": "a place",
    "kinds": "a kind of pieces", "grids": "a board", "functions": "a condition or a number", "anytime": "an action",
    "triggers": "something automatic", "substitutions": "a way to pay", "discounts": "a discount",
    "waivers": "a waiver", "constants": "a fixed value", "enums": "a set of words",
    "groups": "a group of counters", "records": "a set of values",
}  # fmt: skip
"""Sections of a pack whose entries can be looked up, and what it is for a player."""
EXPLAINED = ("rules", "functions", "constants")
"""Sections whose entries are looked up only where the author says something of them."""
_ITEM = re.compile(r"(\w+)((?:\[\d+\])+)$")


def things(scene: Scene) -> list[tuple[Thing, str]]:
    """Return everything that can be looked up, with its ids and words; what the packs hide in rules is left out."""
    found: list[tuple[Thing, str]] = []
    for section in SORTS:
        for entry in scene.model.composition.sections.get(section, {}).values():
            if _is_meetable(scene, entry):
                names = dict.fromkeys((entry.id, words(entry.id), name_of(scene, entry), *_collect_headings(entry)))
                own = section != "pieces" or not _has_named_copies(
                    scene, entry
                )  # else the last would be that of its kind
                found += [((entry, ()), name) for name in names if own or name != name_of(scene, entry)]
    for kind, instances in scene.layout.instances.items():
        alike: dict[str, list[Index]] = {}
        for number, instance in enumerate(instances):
            piece = scene.model.composition.sections["pieces"].get(instance.design.id) if instance.design else None
            if piece is None or not _is_meetable(scene, piece):
                continue
            for name in dict.fromkeys(
                (instance.id, scene.seat_names.piece(kind, number), _bare_name(scene, (kind, number)))
            ):
                alike.setdefault(name, []).append((kind, number))
        found += [((_declaring_entry(scene, copies[0]), tuple(copies)), name) for name, copies in alike.items()]
    return found


def _declaring_entry(scene: Scene, copy: Index) -> Entry:
    """Return the entry that declares a copy of a piece."""
    kind, number = copy
    design = scene.layout.instances[kind][number].design
    assert design is not None
    return scene.model.composition.sections["pieces"][design.id]


def _collect_headings(entry: Entry) -> list[str]:
    """Return under which words people meet what a rule or action does: heading or label, and what points are for."""
    keys = {"rules": ("heading", "category"), "anytime": ("label",)}.get(entry.section, ())
    said = [node.value for key in keys if isinstance(node := entry.get(key), Scalar)]
    return [text for text in said if "{" not in text]


def _is_meetable(scene: Scene, entry: Entry) -> bool:
    """Return whether a player can meet something, or learn anything from it."""
    if "'" in entry.id or (entry.section in EXPLAINED and not text_of(entry)):
        return False
    if entry.section == "kinds":
        return not holds_only_what_goes_on(scene, entry.id)
    design = scene.model.designs.get(entry.id) if entry.section == "pieces" else None
    return design is None or not holds_only_what_goes_on(scene, design.kind)


def holds_only_what_goes_on(scene: Scene, kind: str) -> bool:
    """Return whether a kind has one piece that lies nowhere: it keeps what the rules remember, and is no thing."""
    designs = scene.model.kinds[kind].designs if kind in scene.model.kinds else []
    return len(designs) == 1 and designs[0].copies is None and kind not in scene.layout.at


def name_of(scene: Scene, entry: Entry) -> str:
    """Return what an entry is called: by its name, its words, or its text where that says what a value is."""
    model, id_ = scene.model, entry.id
    design = model.designs.get(id_) if entry.section == "pieces" else None
    if design is not None:
        kind = model.kinds[design.kind]
        if _has_named_copies(scene, entry):
            return scene.seat_names.noun(kind.name)
        return scene.seat_names.value(ty.Design(kind.name), kind.designs.index(design))
    if entry.section == "kinds" and id_ in model.kinds:
        return scene.seat_names.noun(id_)
    if entry.section == "counters" and id_ in model.counters:
        return small(scene.seat_names.amount(id_, 2))
    if entry.section == "places" and id_ in model.places:
        return _place_name(scene, id_)
    if entry.section == "constants" and (text := text_of(entry)):
        return small(text.rstrip("."))
    return words(id_)


def every_copy(scene: Scene, design: str) -> list[Index]:
    """Return all copies of a piece."""
    return [
        (kind, number)
        for kind, instances in scene.layout.instances.items()
        for number, one in enumerate(instances)
        if one.design is not None and one.design.id == design
    ]


def _has_named_copies(scene: Scene, entry: Entry) -> bool:
    """Return whether the copies of a piece have names of their own, by their facts or by their state now."""
    copies = every_copy(scene, entry.id)
    vocabulary = scene.seat_names.vocabulary
    texts = {vocabulary.find_name_text(kind, scene.layout.instances[kind][number]) for kind, number in copies}
    named = any(HOLE.search(text) for text in texts)
    return named and len({_bare_name(scene, copy, shown=True) for copy in copies}) > 1


def _bare_name(scene: Scene, copy: Index, shown: bool = False) -> str:
    """Return what a copy is called now, without its owner."""
    return scene.seat_names.about(scene.seat_names.owner(*copy)).piece(*copy, shown=shown)


def _place_name(scene: Scene, id_: str, given: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return what places of a sort are called: ``the general area of a board``, or of what is *given* of a kind."""
    wording = scene.seat_names.vocabulary.wording
    text = wording.places.get(id_) or wording.phrases.get(id_) or ""
    said = fill_phrase(
        text, {kind: article(scene.seat_names.noun(kind)) for kind in scene.place(id_).dims} | dict(given)
    )
    return said if any(word.isalpha() for word in HOLE.sub("", text).split()) else words(id_)


def about(scene: Scene, entry: Entry, copies: tuple[Index, ...] = ()) -> list[Caption]:
    """Return the lines about an entry, or about some copies of a piece."""
    groups = _group_copies(scene, copies or every_copy(scene, entry.id)) if entry.section == "pieces" else {}
    names = list(dict.fromkeys(_bare_name(scene, copy) for copy in copies))
    name = names[0] if len(names) == 1 and len(groups) != 1 else name_of(scene, entry)
    if copies and len(groups) == 1:
        name = scene.seat_names.piece(*copies[0])
    lines = [caption(name, tone=STRONG) + caption(f", {_describe_sort(scene, entry)}")]
    text = text_of(entry)
    same = entry.section in ("pieces", "constants") and text.rstrip(".").lower() == name.lower().removeprefix("the ")
    reported = [text] if text and not same else []
    if len(groups) == 1:
        reported += [f"  {fact}" for facts in groups for fact in facts[1:]]
    reported += _list_members(scene, entry)
    reported += does(scene.model, entry)
    reported += _describe_now(scene, entry)
    reported += _describe_positions(scene, groups)
    return [*lines, *map(caption, reported)]


def _group_copies(scene: Scene, copies: Sequence[Index]) -> dict[tuple[str, ...], list[Index]]:
    """Return copies by what they are called and the facts that people are shown of them."""
    found: dict[tuple[str, ...], list[Index]] = {}
    for copy in copies:
        found.setdefault((scene.seat_names.about(NO_PLAYER).piece(*copy), *_describe_facts(scene, copy)), []).append(
            copy
        )
    return found


def _describe_positions(scene: Scene, groups: dict[tuple[str, ...], list[Index]]) -> Iterator[str]:
    """Yield where copies of a piece lie, and what lies with them; of unlike ones each with its name and facts."""
    for (name, *facts), copies in groups.items():
        where = _places_holding(scene, copies)
        if len(groups) == 1:
            yield from [f"  now: {join_words(where)}"] if where else []
            yield from _describe_contents(scene, copies[0]) if len(copies) == 1 else []
        elif where:
            apart = [fact for fact in facts if not all(fact in reported for reported in groups)]
            owner = (
                f"{words('owner')}: {scene.seat_names.player(scene.seat_names.owner(*copies[0]))}"  # the name says it
            )
            apart = [fact for fact in apart if fact != owner]
            yield f"  {', '.join([name, *apart])}: {join_words(where)}"


def _describe_contents(scene: Scene, copy: Index) -> Iterator[str]:
    """Yield what lies in the places that a piece has, as far as the player can see it."""
    kind, number = copy
    for place in scene.model.places.values():
        if place.told and kind in place.dims:
            each = [[scene.names(kind)[number]] if dim == kind else scene.names(dim) for dim in place.dims]
            for index in product(*each):
                others = [
                    _index_names(scene, dim, one) for dim, one in zip(place.dims, index, strict=True) if dim != kind
                ]
                if said := _describe_lying(scene, place.name, index):
                    called = _place_name(scene, place.name, {kind: scene.seat_names.piece(kind, number)})
                    yield f"  {', '.join([called, *others])}: {said}"


def _describe_sort(scene: Scene, entry: Entry) -> str:
    design = scene.model.designs.get(entry.id) if entry.section == "pieces" else None
    return SORTS[entry.section] if design is None else f"a piece ({scene.seat_names.noun(design.kind)})"


# ---- what it is


def _describe_facts(scene: Scene, copy: Index) -> list[str]:
    """Return what people are shown of a copy of a piece anywhere, as it is with it."""
    found = []
    for fact in scene.model.kinds[copy[0]].facts.values():
        inner = ty.strip(fact.type)
        inner = ty.strip(inner.of) if isinstance(inner, ty.Seq) else inner
        if inner not in (ty.EFFECT, ty.COST, ty.TEXT) and (fact.text or fact.name in shown_facts(scene, copy[0])):
            said = scene.seat_names.value(fact.type, scene.number(copy[0], scene.names(copy[0])[copy[1]], fact.name))
            found += [f"{label_of(fact)}: {said}"] if said not in ("none", "nothing", "no", "") else []
    return found


def label_of(fact: Attribute) -> str:
    """Return what a fact is called for people."""
    return small(first(fact.text)) or words(fact.name)


def shown_facts(scene: Scene, kind: str) -> set[str]:
    """Return the facts of a kind that a panel or a sign shows."""
    symbols = [symbol for id_, symbol in scene.symbols.items() if id_ == kind]
    symbols += [symbol for id_, symbol in scene.symbols.items() if _kind_of(scene, id_) == kind]
    found = {fact for symbol in symbols for facts in symbol.show for fact in facts}
    for panel in scene.declared.panels:
        of = scene.model.places[panel.of].of if panel.of in scene.model.places else panel.of
        if of == kind or panel.levels == kind:
            found.update(panel.facts, panel.rows, [panel.show])
    return found


def _kind_of(scene: Scene, design: str) -> str:
    declared = scene.model.designs.get(design)
    return declared.kind if declared is not None else ""


def _list_members(scene: Scene, entry: Entry) -> Iterator[str]:
    """Yield what there is of a sort: the words of an enum, the counters of a group, the pieces of a kind."""
    model, id_ = scene.model, entry.id
    if entry.section == "groups" and id_ in model.groups:
        yield f"  {join_words([small(scene.seat_names.amount(counter, 2)) for counter in model.groups[id_]])}"
    elif entry.section == "enums":
        yield f"  {join_words([scene.label(id_, name) for name in scene.names(id_)])}"
    elif entry.section == "kinds" and id_ in model.kinds:
        designs = range(len(model.kinds[id_].designs))
        said = list(dict.fromkeys(name for number in designs for name in _copy_names(scene, id_, number)))
        if len(said) > 1:
            yield f"  there are: {join_words(said)}"


def _copy_names(scene: Scene, kind: str, number: int) -> list[str]:
    """Return what the copies of a design are called, those that can be seen where each has a name of its own."""
    design = scene.model.kinds[kind].designs[number].id
    entry = scene.model.composition.sections["pieces"].get(design)  # none where the kind alone declares it
    if entry is None or not _has_named_copies(scene, entry):
        return [scene.seat_names.value(ty.Design(kind), number)]
    return sorted(
        {_bare_name(scene, copy) for copy in every_copy(scene, design) if scene.seat_names.seat_visibility.piece(*copy)}
    )


def does(program: Program, entry: Entry) -> Iterator[str]:
    """Yield what a thing does, as sentences; what stands in a list in one paragraph, numbered as people count."""
    reported = [
        (_ITEM.match(part), part, said) for part, said in prose.describe_entry(program, entry.section, entry.id)
    ]
    for item, group in groupby(reported, lambda one: (one[0][1] if one[0] else "", "" if one[0] else one[1])):
        if item[0]:
            yield from _format_effects(words(item[0]), [(found[2], said) for found, _, said in group if found])
            continue
        for _, part, said in group:
            label = f"{words(part)}: " if part not in ("", "trigger") else ""
            for number, line in enumerate(said.split("\n")):
                yield f"  {label if number == 0 else '  ' if label else ''}{line}"


def _format_effects(fact: str, items: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the effects in a list, or in a list of lists, one line for each of the outermost items."""
    for number, (_, row) in enumerate(groupby(items, lambda item: item[0].partition("]")[0]), 1):
        said = [" ".join(line.strip() for line in text.split("\n")) for _, text in row]
        yield f"  {fact}, {number}: {' | '.join(said)}"


# ---- how it stands now


def _describe_now(scene: Scene, entry: Entry) -> Iterator[str]:
    """Yield how it stands with a thing now, as far as the player can see."""
    if entry.section == "counters":
        yield from _describe_each(
            scene, scene.counter(entry.id).dims, lambda index: _describe_amount(scene, entry.id, index)
        )
    elif entry.section == "constants" and entry.id in scene.model.constants:
        value = scene.model.constants[entry.id].value
        yield from [f"  it is {value.value}"] if isinstance(value, x.Number) else []
    elif entry.section == "places":
        yield from _describe_each(
            scene, scene.place(entry.id).dims, lambda index: _describe_lying(scene, entry.id, index)
        )


def _describe_each(scene: Scene, dims: tuple[str, ...], say: Any) -> Iterator[str]:
    """Yield what is said of everything that a counter or place is for; what is nothing, only where there is no more."""
    for index in product(*(scene.names(kind) for kind in dims)):
        said = say(index)
        if not dims:
            yield f"  now: {said or 'nothing'}"
        elif said:
            names = [_index_names(scene, kind, one) for kind, one in zip(dims, index, strict=True)]
            yield f"  {', '.join(names)}: {said}"


def _index_names(scene: Scene, kind: str, name: str) -> str:
    return scene.seat_names.piece(kind, scene.names(kind).index(name), shown=True)


def _describe_amount(scene: Scene, counter: str, index: tuple[str, ...]) -> str:
    value = scene.count(counter, *index)
    return "hidden" if value is None or isinstance(value, dict) else str(value or "")


def _describe_lying(scene: Scene, place: str, index: tuple[str, ...]) -> str:
    """Return what lies in a place, as far as the player can see it."""
    kind = scene.place(place).of
    found, hidden = scene.pieces(place, *index)
    numbers = [scene.names(kind).index(piece) for piece in found if piece is not None]
    said = [scene.seat_names.pieces(kind, numbers, shown=True)] if numbers else []
    return ", ".join([*said, *([f"{hidden} hidden"] if hidden else [])])


def _places_holding(scene: Scene, copies: Sequence[Index]) -> list[str]:
    """Return the places where copies of a piece can be seen, each with how many lie there."""
    names = scene.seat_names
    seat_visibility, found = names.seat_visibility, dict[str, int]()
    for kind, number in copies:
        at = scene.layout.at.get(kind)
        slot = scene.match.state[at + number] if at is not None else 0
        if slot and seat_visibility.piece(kind, number) and seat_visibility.slot(slot, number):
            place = names.place(slot)
            found[place] = found.get(place, 0) + 1
    return [f"{place} ({number} of them)" if number > 1 else place for place, number in found.items()]
