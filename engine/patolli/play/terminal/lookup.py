"""Answer a player's questions: about an option, about things with a name, and the rules as a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.text import Text

from patolli.author.lookup.places import text_of
from patolli.check import prose
from patolli.check.prose.words import address_player, words
from patolli.language.diagnostics import nearest
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.play.scene.foresight import consequences
from patolli.play.scene.seat_scene import Scene
from patolli.play.scene.things import about, does, things
from patolli.play.terminal.canvas import ink
from patolli.play.terminal.prompt import Question
from patolli.play.terminal.screen import Screen
from patolli.run.runtime import Decision, Match, Option


def panel_named(screen: Screen, text: str) -> str:
    """Return the id of the panel that is called so, by its id or its title; nothing where none is."""
    lower = text.lower()
    return next((id_ for id_, panel in screen.panels.items() if lower in (id_, panel.title.lower())), "")


def names_of(screen: Screen) -> list[str]:
    """Return what all panels are called: their titles, of several with the same one the first."""
    return list(dict.fromkeys(panel.title for panel in screen.panels.values()))


def unknown(screen: Screen, match: Match, seat: int, text: str) -> str:
    """Say what may have been meant by a word that nothing is called by."""
    known = [*screen.panels, *(panel.title.lower() for panel in screen.panels.values())]
    near = nearest(text.lower(), [*known, *(name.lower() for _, name in things(Scene(match, seat)))])
    hint = f"did you mean {near!r}?" if near else f"there are panels: {', '.join(names_of(screen))}"
    return f"nothing has the name {text!r}; {hint}"


# ---- one thing


def entry_page(match: Match, seat: int, text: str) -> list[Text] | None:
    """Return the lines about what is called so, by its id or its words; None where nothing is."""
    scene = Scene(match, seat)
    lower = text.lower()
    called = things(scene)
    found = [thing for thing, name in called if name == text] or [one for one, name in called if name.lower() == lower]
    return [ink(line) for line in about(scene, *found[0])] if found else None


# ---- an option


def option_page(question: Question, option: Option) -> list[Text]:
    """Return the lines about an option: what it names, what it costs, and what it changes at once."""
    scene = question.scene
    lines = [Text(option.words, "bold")]
    if option.anytime:
        lines.append(Text("  You can do it at any time; then the current question is asked again."))
    hint = ink(question.hints.describe(option))
    lines += [Text.assemble("  ", hint)] if hint.plain else []
    shown = consequences(question.hints, option)
    if shown is None:
        lines.append(Text("  The result is random, or depends on things that you cannot see."))
    else:
        lines += [Text(f"  {address_player(line, scene.match.names[scene.seat])}") for line in shown]
        asked = question.hints.asks_next(option)
        lines += [Text(f"  Then you are asked: {asked}")] if asked else []
    for type_, value in question.hints.values(option):
        lines += _describe_named(scene, ty.strip(type_), value)
    return lines


def _describe_named(scene: Scene, type_: ty.AnyType, value: Any) -> list[Text]:
    """Return the lines about a piece that an option names."""
    if not isinstance(type_, ty.Ref) or not isinstance(value, int) or value < 0:
        return []
    design = scene.layout.instances[type_.kind][value].design
    entry = scene.model.composition.sections["pieces"].get(design.id) if design is not None else None
    return [Text(""), *map(ink, about(scene, entry, ((type_.kind, value),)))] if entry is not None else []


# ---- the rules


def rules_page(match: Match, decision: Decision, word: str) -> list[Text]:
    """Return the open question and the texts of rules by section; with a *word*, those with it and what they do."""
    program = match.program.layout.model
    lines: list[Text] = []
    if not word:
        lines += _describe_pack(match)
    lower = word.lower()
    section = ""
    for entry in program.composition.all("rules"):
        text = text_of(entry)
        if "'" in entry.id or not text or not any(lower in one.lower() for one in (entry.id, words(entry.id), text)):
            continue
        title = _section_title(match, entry)
        lines += [Text(""), Text(title, "bold")] if title != section else []
        section = title
        lines.append(Text.assemble((f"  {words(entry.id)}: ", "italic"), text))
        lines += [Text(f"  {line}") for line in does(program, entry)] if word else []
    if not word:
        lines += _describe_result(program)
        lines += _describe_question(match, decision)
    return lines


def _describe_pack(match: Match) -> list[Text]:
    """Return what the packs say of themselves."""
    lines = []
    for number, pack in enumerate(match.ruleset.packs):
        lines += [Text("")] if number else []
        lines += [Text(pack.text("title", pack.id), "bold"), Text(" ".join(pack.text("text").split()))]
    return lines


def _section_title(match: Match, entry: Entry) -> str:
    """Return the title of the section of a rule: its file, and the module when it is one."""
    title = words(Path(entry.key.span.path).stem).capitalize()
    base = match.ruleset.packs[0]
    other = next((pack for pack in match.ruleset.packs if pack.id == entry.pack and pack is not base), None)
    return f"{other.text('title', other.id)}: {title}" if other is not None else title


def _describe_result(program: Program) -> list[Text]:
    shown = prose.describe_entry(program, "result", "result")
    heads = {"score": "Points", "ties": "If that is equal"}
    lines = [Text(f"  {heads[key] + ': ' if key in heads else ''}{said}") for key, said in shown]
    return [Text(""), Text("The end", "bold"), *lines] if lines else []


def _describe_question(match: Match, decision: Decision) -> list[Text]:
    """Return the open question, and its rule."""
    entry = match.program.layout.model.composition.sections["rules"].get(decision.question.rule)
    lines = [Text(""), Text("Now", "bold")]
    if entry is not None and text_of(entry):
        lines.append(Text.assemble((f"  {words(entry.id)}: ", "italic"), text_of(entry)))
    return [*lines, Text(f"  {decision.prompt or 'What now?'} ('options' lists what can be chosen)")]
