"""The whole screen of every shipped game, narrow and wide, as a person sees it at a question and at the next one."""

from __future__ import annotations

import re

import pytest
from frames import SIZES, compare, later, looks
from rich.cells import cell_len
from tiers import few

import patolli
from patolli.cli.streams import plain
from patolli.play.scene.seat_scene import Scene

GAMES = {
    "tic_tac_toe": ((), 2, 3),
    "connect_four": ((), 2, 14),
    "breakthrough": ((), 2, 20),
    "patolli": ((), 2, 30),
    "city_of_gods": ((), 3, 60),
    "founders": ((), 2, 60),
}
"""For each game: modules, players, and the choices that are made before."""


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("pack", few(GAMES, 0, 1, 2))
def test_screen_looks_as_it_did(pack, width):
    modules, players, choices = GAMES[pack]
    found = looks(later(patolli.load(pack, modules), players, choices), width)
    text = "\n".join(f"{look.rstrip()}\n{'=' * width}" for look in found)

    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    assert not re.search(r"\x1b", text)
    compare(f"{pack}_{width}.txt", f"{text}\n")


@pytest.mark.parametrize("pack", few(GAMES, 0))
def test_players_differ_without_colour(pack):
    """In signs of any encoding, for every viewer; no sign of a player is a plain number, which could be an amount."""
    rules = patolli.load(pack)
    match = rules.start(rules.model.players[1], 1)
    for seat in range(match.players):
        marks = [Scene(match, seat).mark("player", f"player_{number + 1}").plain for number in range(match.players)]

        written = ["".join(map(plain, mark)) for mark in marks]
        assert len(set(written)) == match.players
        assert not any(mark.isdigit() for mark in written)
