"""Tell a player about one thing: an option, a piece, a rule, whatever has a name; and the rules as a text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from patolli import prose
from patolli.compiler.unit import fact_table
from patolli.diagnostics import nearest
from patolli.program import types as ty
from patolli.prose.words import listed, words
from patolli.sources import Scalar
from patolli.terminal.foresight import consequences
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.packs.compose import Entry
    from patolli.program.model import Program
    from patolli.runtime import Decision, Match, Option
    from patolli.runtime.eyes import Index
    from patolli.terminal.prompt import Question
    from patolli.terminal.screen import Screen

Thing = tuple["Entry", "Index | None"]
"""What can be looked up: an entry of a pack, or one copy of the pieces that it declares."""
SORTS = {
    "pieces": "a piece", "rules": "a rule", "counters": "something that is counted", "places": "a place",
    "kinds": "a kind of pieces", "grids": "a board", "functions": "a condition or a number", "anytime": "an action",
    "triggers": "something that happens by itself", "substitutions": "a way to pay", "discounts": "a discount",
    "waivers": "a way not to pay", "enums": "several words of one sort", "groups": "several things that are counted",
}  # fmt: skip
"""Sections of a pack of which an entry can be looked up, and what it is for a player."""


def panel_named(screen: Screen, text: str) -> str:
    """Return the id of the panel that is called so, by its id or its title; nothing where none is."""
    lower = text.lower()
    return next((id_ for id_, panel in screen.panels.items() if lower in (id_, panel.title.lower())), "")


def names_of(screen: Screen) -> list[str]:
    """Return what all panels are called: their titles, or ids where two have the same."""
    titles = [panel.title for panel in screen.panels.values()]
    return [panel.title if titles.count(panel.title) == 1 else id_ for id_, panel in screen.panels.items()]


def unknown(screen: Screen, match: Match, seat: int, text: str) -> str:
    """Say what may have been meant by a word that nothing is called by."""
    known = [*screen.panels, *(panel.title.lower() for panel in screen.panels.values())]
    near = nearest(text.lower(), [*known, *(name.lower() for _, name in _called(Scene(match, seat)))])
    hint = f"did you mean {near!r}?" if near else f"there are panels: {', '.join(names_of(screen))}"
    return f"nothing is called {text!r}; {hint}"


# ---- one thing


def entry_page(match: Match, seat: int, text: str) -> list[Text] | None:
    """Return the lines about what is called so, by its id or its words; None where nothing is."""
    scene = Scene(match, seat)
    lower = text.lower()
    called = _called(scene)
    found = [thing for thing, name in called if name == text] or [one for one, name in called if name.lower() == lower]
    return _about(scene, *found[0]) if found else None


def _about(scene: Scene, entry: Entry, copy: Index | None) -> list[Text]:
    """Return the lines about an entry, or about one copy of a piece."""
    name = scene.match.naming(scene.seat).about(scene.seat).piece(*copy) if copy is not None else _name(scene, entry)
    lines = [Text.assemble((name, "bold"), f", {_sort(scene.model, entry)}")]
    lines += [Text(line) for line in [_text(entry)] if line]
    if entry.section == "pieces":
        lines += _facts(scene, entry, copy)
    lines += _does(scene.model, entry)
    lines += _now(scene, entry, copy)
    return lines


def _called(scene: Scene) -> list[tuple[Thing, str]]:
    """Return everything that can be looked up, with its ids and words; what the packs hide in rules is left out."""
    found: list[tuple[Thing, str]] = []
    for section in SORTS:
        for entry in scene.model.composition.sections.get(section, {}).values():
            if "'" not in entry.id:
                names = dict.fromkeys((entry.id, words(entry.id), _name(scene, entry)))
                found += [((entry, None), name) for name in names]
    names_ = scene.match.naming(scene.seat).about(scene.seat)
    for kind, instances in scene.layout.instances.items():
        for number, instance in enumerate(instances):
            piece = scene.model.composition.sections["pieces"].get(instance.design.id) if instance.design else None
            if piece is not None:
                said = names_.piece(kind, number)
                found += [((piece, (kind, number)), name) for name in (instance.id, said)]
    return found


def _name(scene: Scene, entry: Entry) -> str:
    """Return what an entry is called: a piece by its name, a rule or a place by the words of its id."""
    design = scene.model.designs.get(entry.id) if entry.section == "pieces" else None
    if design is None:
        return words(entry.id)
    kind = scene.model.kinds[design.kind]
    return scene.match.naming(scene.seat).value(ty.Design(kind.name), kind.designs.index(design))


def _sort(program: Program, entry: Entry) -> str:
    design = program.designs.get(entry.id) if entry.section == "pieces" else None
    return SORTS[entry.section] if design is None else f"a piece ({words(design.kind)})"


def _text(entry: Entry) -> str:
    node = entry.get("text")
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""


def _facts(scene: Scene, entry: Entry, copy: Index | None) -> list[Text]:
    """Return what is known of a piece, or of the first of its copies; effects and costs are said as sentences."""
    copy = copy or next(
        (
            (kind, number)
            for kind, instances in scene.layout.instances.items()
            for number, one in enumerate(instances)
            if one.design is not None and one.design.id == entry.id
        ),
        None,
    )
    if copy is None:
        return []
    found = []
    for fact in scene.model.kinds[copy[0]].facts.values():
        inner = ty.strip(fact.type)
        inner = ty.strip(inner.of) if isinstance(inner, ty.Seq) else inner
        said = "" if inner in (ty.EFFECT, ty.COST) else _fact(scene, copy, fact.name)
        found += [Text(f"  {words(fact.name)}: {said}")] if said else []
    return found


def _fact(scene: Scene, copy: Index, fact: str) -> str:
    """Return a fact in words, with names for what it names; nothing where it says nothing."""
    raw = scene.match.program.space[fact_table(copy[0], fact)][copy[1]]
    said = scene.match.naming(scene.seat).value(scene.model.kinds[copy[0]].facts[fact].type, raw)
    return "" if said in ("none", "nothing", "no") else said


def _does(program: Program, entry: Entry) -> Iterator[Text]:
    """Yield what a thing does, as sentences."""
    for part, said in prose.told(program, entry.section, entry.id):
        label = f"{words(part)}: " if part not in ("", "trigger") else ""
        for number, line in enumerate(said.split("\n")):
            yield Text(f"  {label if number == 0 else '  ' if label else ''}{line}")


def _now(scene: Scene, entry: Entry, copy: Index | None) -> Iterator[Text]:
    """Yield how it stands with a thing now, as far as the player can see."""
    view = scene.view
    if entry.section == "counters":
        yield from _counted(entry.id, view["counters"].get(entry.id))
    elif entry.section == "places":
        yield from _counted(entry.id, view["places"].get(entry.id))
    elif entry.section == "pieces":
        where = _holding(scene, entry.id, copy)
        if where:
            yield Text(f"  now: {listed(where)}")


def _counted(id_: str, value: Any) -> Iterator[Text]:
    """Yield the values of a counter or a place, for everything that it is for."""
    if isinstance(value, dict) and "hidden" not in value:
        for key, inner in value.items():
            if inner not in ([], None, 0):
                yield Text(f"  {words(str(key))}: {_held(inner)}")
    else:
        yield Text(f"  now: {_held(value)}")


def _held(value: Any) -> str:
    if isinstance(value, dict):
        hidden = value.get("hidden")
        inside = [f"{words(str(key))} {_held(inner)}" for key, inner in value.items() if key not in ("hidden", "top")]
        inside += [_held(value["top"])] if value.get("top") else []
        return ", ".join([*inside, *([f"{hidden} hidden"] if hidden else [])]) or "nothing"
    if isinstance(value, list):
        return ", ".join(_held(one) for one in value) or "nothing"
    return "hidden" if value is None else words(str(value))


def _holding(scene: Scene, design: str, copy: Index | None) -> list[str]:
    """Return the places where copies of a piece can be seen, or one of them, each with how many lie there."""
    names = scene.match.naming(scene.seat).about(scene.seat)
    eyes, found = names.eyes, dict[str, int]()
    for kind, instances in scene.layout.instances.items():
        at = scene.layout.at.get(kind)
        for number, instance in enumerate(instances):
            if at is None or instance.design is None or instance.design.id != design:
                continue
            if copy is not None and copy != (kind, number):
                continue
            slot = scene.match.state[at + number]
            if slot and eyes.piece(kind, number) and eyes.slot(slot, number):
                place = names.place(slot)
                found[place] = found.get(place, 0) + 1
    return [f"{place} ({number})" if number > 1 else place for place, number in found.items()]


# ---- an option


def option_page(question: Question, option: Option) -> list[Text]:
    """Return the lines about an option: what it names, what it costs, and what it changes at once."""
    scene = question.scene
    lines = [Text(option.words, "bold")]
    if option.anytime:
        lines.append(Text("  It can be done at any time; what is asked now is asked again afterwards."))
    hint = question.hints.tell(option)
    lines += [Text.assemble("  ", hint)] if hint.plain else []
    told = consequences(question.hints, option)
    if told is None:
        lines.append(Text("  What comes of it depends on chance, or on what you cannot see."))
    else:
        lines += [Text(f"  {line}") for line in told]
    for type_, value in question.hints.values(option):
        lines += _named(scene, ty.strip(type_), value)
    return lines


def _named(scene: Scene, type_: ty.AnyType, value: Any) -> list[Text]:
    """Return the lines about a piece that an option names."""
    if not isinstance(type_, ty.Ref) or not isinstance(value, int) or value < 0:
        return []
    design = scene.layout.instances[type_.kind][value].design
    entry = scene.model.composition.sections["pieces"].get(design.id) if design is not None else None
    return [Text(""), *_about(scene, entry, (type_.kind, value))] if entry is not None else []


# ---- the rules


def rules_page(match: Match, decision: Decision, word: str) -> list[Text]:
    """Return the texts of the rules, in the sections in which the packs have them, and what is asked now.

    With a *word* only those rules are told that speak of it, each with what it does.
    """
    program = match.program.layout.model
    lines: list[Text] = []
    if not word:
        lines += _pack(match)
    lower = word.lower()
    section = ""
    for entry in program.composition.all("rules"):
        text = _text(entry)
        if "'" in entry.id or not text or not any(lower in one.lower() for one in (entry.id, words(entry.id), text)):
            continue
        title = _section(match, entry)
        lines += [Text(""), Text(title, "bold")] if title != section else []
        section = title
        lines.append(Text.assemble((f"  {words(entry.id)}: ", "italic"), text))
        lines += [Text(f"  {line}") for line in _does(program, entry)] if word else []
    if not word:
        lines += _result(program)
        lines += _asked_now(match, decision)
    return lines


def _pack(match: Match) -> list[Text]:
    """Return what the packs say of themselves."""
    lines = []
    for number, pack in enumerate(match.ruleset.packs):
        lines += [Text("")] if number else []
        lines += [Text(pack.text("title", pack.id), "bold"), Text(" ".join(pack.text("text").split()))]
    return lines


def _section(match: Match, entry: Entry) -> str:
    """Return the title of the section of a rule: its file, and the module when it is one."""
    title = words(Path(entry.key.span.path).stem).capitalize()
    base = match.ruleset.packs[0]
    other = next((pack for pack in match.ruleset.packs if pack.id == entry.pack and pack is not base), None)
    return f"{other.text('title', other.id)}: {title}" if other is not None else title


def _result(program: Program) -> list[Text]:
    told = prose.told(program, "result", "result")
    heads = {"score": "Points", "ties": "When that is equal"}
    lines = [Text(f"  {heads[key] + ': ' if key in heads else ''}{said}") for key, said in told]
    return [Text(""), Text("The end", "bold"), *lines] if lines else []


def _asked_now(match: Match, decision: Decision) -> list[Text]:
    """Return what is asked now, and by which rule."""
    entry = match.program.layout.model.composition.sections["rules"].get(decision.question.rule)
    lines = [Text(""), Text("Now", "bold")]
    if entry is not None and _text(entry):
        lines.append(Text.assemble((f"  {words(entry.id)}: ", "italic"), _text(entry)))
    who = match.names[decision.player]
    return [*lines, Text(f"  {who}: {decision.prompt or 'What now?'} ('options' lists what can be chosen)")]
