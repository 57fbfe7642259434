"""What people see of modules: their boards as pictures, and that texts beside tables say what the tables do."""

from __future__ import annotations

import io
import re
from random import Random

import pytest
from frames import compare
from rich.console import Console
from tiers import few

import patolli
from patolli.language.sources import plain
from patolli.play.terminal.screen import Screen

PANELS = {
    "obsidian": ("yields", "goods", "majors", "promised", "majors_seen"),
    "mansion": ("worship", "mansion_tile", "ownership", "owned_tiles"),
    "altars": ("altars", "altar_tiles", "altar_spaces"),
    "empire": ("yields", "empire", "regions", "special_offer", "special_masks"),
    "increased_workforce": ("ring",),
}
"""For each module: the panels in which something of it is seen."""


def after(modules: tuple[str, ...], players: int, choices: int, seed: int = 2) -> patolli.Match:
    match = patolli.load("city_of_gods", modules).start(players, seed)
    draw = Random(seed)
    for _ in range(choices):
        if match.pending is not None:
            match.pick(draw.randrange(len(match.pending)))
    return match


def drawn(match: patolli.Match, panels: tuple[str, ...]) -> str:
    out = io.StringIO()
    screen = Screen(match.ruleset.model, Console(file=out, width=80, highlight=False, markup=False, emoji=False))
    for panel in panels or tuple(screen.panels):
        screen.draw(match, 0, panel)
    return out.getvalue()


@pytest.mark.parametrize("module", few(PANELS, 0, 1))
def test_module_looks_as_it_did(module):
    compare(f"{module}.txt", drawn(after((module,), 3, 60), PANELS[module]))


@pytest.mark.deep
@pytest.mark.parametrize("modules", [(*(m for m in PANELS if m != "increased_workforce"), "solo"), tuple(PANELS)])
def test_everything_fits_into_80_columns(modules):
    match = after(modules, 1 if "solo" in modules else 5, 40)

    assert max(map(len, drawn(match, ()).splitlines())) <= 80


@pytest.mark.deep
@pytest.mark.parametrize("modules", [(), ("obsidian",), ("empire",)])
def test_yields_for_people_say_what_they_do(modules):
    pieces = patolli.load("city_of_gods", modules).model.composition.sections["pieces"]
    told = 0
    for entry in pieces.values():
        table, texts = entry.get("yields"), entry.get("yield_texts")
        if table is not None:
            assert texts is not None, entry.id
            assert plain(texts) == [" | ".join(map(words, row)) for row in plain(table)], entry.id
            told += 1
    assert told == (4 if "empire" in modules else 3)


def words(effect: str) -> str:
    """Return the effect of one cell in the words that the texts use."""
    parts = []
    for part in re.split("; | and ", effect):
        if found := re.fullmatch(r"harvest\((\w+), (\d), (\d)\)", part):
            parts += [f"{found[2]} {found[1]}", *([f"{found[3]} obsidian"] if found[3] != "0" else [])]
        elif found := re.fullmatch(r"conquest\((\d), (\d), (true|false)\)", part):
            warriors = f"{found[1]} Warrior{'s' * (found[1] != '1')}"
            houses = f"{found[2]} building{'s' * (found[2] != '1')}"
            parts.append(f"{warriors} or {houses}" if found[3] == "true" else f"{warriors}, {houses}")
        elif part != "advance_any()":
            points = re.fullmatch(r"(?:gain )?(\d) vp", part)
            parts.append(f"{points[1]} point{'s' * (points[1] != '1')}" if points else part.removeprefix("gain "))
    steps = effect.count("advance_any()")
    return ", ".join([*parts, *([f"{steps} temple steps" if steps > 1 else "1 temple step"] if steps else [])])


@pytest.mark.deep
@pytest.mark.parametrize(
    ("module", "gone"), [("mansion", "Palace"), ("empire", "Nobles"), ("increased_workforce", "four dice")]
)
def test_texts_name_the_board_that_lies_there(module, gone):
    """A board that a module replaces is called by its new name, in every text of a piece."""
    model = patolli.load("city_of_gods", [module]).model
    pieces = model.composition.sections["pieces"]
    texts = {id_: entry.get("text") for id_, entry in pieces.items()}

    assert [id_ for id_, text in texts.items() if text is not None and gone in text.value] == []
