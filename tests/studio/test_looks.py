"""How panels look as tables: they tell what is drawn, and a panel of which they do not is found."""

from __future__ import annotations

import json
import random

import pytest
from tiers import few

import patolli
from patolli.studio import looks
from patolli.studio.looks import Looks
from patolli.studio.scene import scene_of


@pytest.mark.parametrize(
    ("pack", "panels", "right"),
    few(
        [
            pytest.param("nine_mens_morris", ["board", "men"], ["board", "men"], id="layers and counters"),
            pytest.param("checkers", ["board"], ["board"], id="a sign behind another"),
            pytest.param("pig", ["players", "turn"], ["players", "turn"], id="numbers without bounds"),
            pytest.param("patolli", ["board", "throw"], ["throw"], id="what lies in places"),
        ],
        0,
    ),
)
def test_tables_tell_what_is_drawn(pack, panels, right):
    match = patolli.load(pack).start(2, seed=0)
    found = Looks(match, panels)
    assert found.panels == right

    match, draw = patolli.load(pack).start(2, seed=77), random.Random(77)
    while not match.over and len(match.choices) < 80:
        there = {panel["id"]: panel for panel in json.loads(json.dumps(scene_of(match, 0)["panels"]))}
        assert found.told(match) == [there[id_] for id_ in right]
        match.pick(draw.randrange(len(match.pending)))


def test_panel_that_takes_too_long_is_left_to_the_server(monkeypatch):
    monkeypatch.setattr(looks, "DRAWN", 20)

    assert Looks(patolli.load("tic_tac_toe").start(2, seed=0), ["board"]).panels == []
