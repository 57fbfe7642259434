"""What people read of a match holds no id of a pack or of the engine; ``tools/ids.py`` says where it is looked for."""

from __future__ import annotations

import pytest
from ids import RULESETS, ask_match, called, ids_in, read_match, wrong

from patolli import load

MATCHES = 5
"""How many whole matches of a game are read; with modules it is one, and the tool reads as many."""
ROWS = [pytest.param(*row, id=called(row)) for row in RULESETS]


@pytest.mark.parametrize(("pack", "modules", "players"), ROWS)
def test_nobody_reads_an_id(pack, modules, players):
    rules, read = load(pack, modules), dict[str, str]()
    for seed in range(1 if modules else MATCHES):
        read |= read_match(rules, players, seed)

    assert not (found := wrong(rules, read)), "\n".join(found[:20])


@pytest.mark.parametrize(("pack", "modules", "players"), ROWS)
def test_nobody_reads_an_id_who_asks(pack, modules, players):
    rules = load(pack, modules)

    assert not (found := wrong(rules, ask_match(rules, players, seed=2))), "\n".join(found[:20])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("player_1 gains 1 bead", ["player_1"], id="player"),
        pytest.param("move to hand(player 2)", ["hand(player 2)"], id="index"),
        pytest.param("tech_5", ["tech_5", "tech_5"], id="piece"),
        pytest.param("technology of tech 5, p00", ["p00", "tech 5"], id="piece as words"),
        pytest.param("2 wood, 1 vp", ["vp"], id="abbreviation"),
        pytest.param("player 1's worker (the Palace), a1, 12 victory points", [], id="words"),
    ],
)
def test_an_id_is_seen(text, found):
    assert ids_in(load("city_of_gods"), text) == found
