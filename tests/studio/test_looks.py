"""How panels look as tables: they say what is drawn, and a panel that they leave out is found."""

from __future__ import annotations

import json
import random

import pytest
from tiers import few

import patolli
from patolli.play.scene.declared import declared_of
from patolli.serve.studio import looks
from patolli.serve.studio.looks import Looks
from patolli.serve.studio.scene import scene_of


def derived(match):
    """Derive how all panels of a match look."""
    return Looks(match, [panel for panel in declared_of(match.labels).all_panels.values() if not panel.inside])


FORMS = {"number": lambda number: number, "marks": lambda number: [{"text": str(number)}]}


def looked_up(found, match):
    """Draw the panels of a match from tables, as ``native.js`` does."""
    panels = json.loads(json.dumps(found.base))
    for group in found.groups:
        values = [int(match.state[slot]) for slot in group.slots]
        row = group.looks.get("*") or group.looks[",".join(map(str, values))]
        for (*way, last), look in zip(group.paths, row, strict=True):
            part = panels
            for key in way:
                part = part[key]
            if look == looks.GONE:
                part.pop(last, None)
            else:
                part[last] = FORMS[look](values[0]) if "*" in group.looks else found.pool[look]
    return panels


ALONE = (
    "amazons backgammon breakthrough checkers chess connect_four dots_and_boxes go hex nine_mens_morris othello pig "
    "tic_tac_toe"
).split()
"""The packs that a page can show without a server."""


@pytest.mark.parametrize("pack", few(ALONE, "nine_mens_morris", "checkers", "pig"))
def test_tables_tell_what_is_drawn(pack):
    found = derived(patolli.load(pack).start(2, seed=0))
    assert set(found.panels) >= declared_of(found.match.labels).mains

    match, draw = patolli.load(pack).start(2, seed=77), random.Random(77)
    while not match.over and len(match.choices) < 80:
        there = {panel["id"]: panel for panel in json.loads(json.dumps(scene_of(match, 0)["panels"]))}
        assert looked_up(found, match) == [there[id_] for id_ in found.panels]
        match.pick(draw.randrange(len(match.pending)))


def test_ring_is_left_to_the_server():
    assert derived(patolli.load("patolli").start(2, seed=0)).panels == ["throw"]


def test_cell_that_may_look_in_too_many_ways_is_left_to_the_server(monkeypatch):
    monkeypatch.setattr(looks, "MOST", 2)

    assert derived(patolli.load("tic_tac_toe").start(2, seed=0)).panels == ["players"]
