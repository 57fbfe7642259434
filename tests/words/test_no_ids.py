"""What people read of a match holds no id of a pack or of the engine; ``tools/ids.py`` says where it is looked for."""

from __future__ import annotations

import re
from random import Random

import pytest
from ids import ASKED, RULESETS, SHOWN, TOLD, ask_match, called, ids_in, questions, read_match, wrong
from tiers import few

from patolli import load

MATCHES = 1
"""How many whole matches of a game are read; the tool reads as many as one likes."""
ROWS = [pytest.param(*row, id=called(row)) for row in RULESETS]


@pytest.mark.parametrize(("pack", "modules", "players"), few(ROWS, 0, deep=14))
def test_no_player_reads_an_id(pack, modules, players):
    rules = load(pack, modules)
    read = ask_match(rules, players, seed=2)
    for seed in range(MATCHES):
        read |= read_match(rules, players, seed)

    assert not (found := wrong(rules, read)), "\n".join(found[:20])


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


CALLED = [
    pytest.param(
        "city_of_gods", ("mansion", "obsidian", "solo", "bot_movement"), 1, "(?i)palace", "the Mansion", id="mansion and solo"
    ),
    pytest.param(
        "city_of_gods", ("increased_workforce", "obsidian"), 5, "(?i)fourth|four (dice|workers)", "one more worker", id="workers"
    ),
    pytest.param(
        "founders", (), 2,
        "(?i)take the (green|red|blue)$|move this worship|second size|exact_cubes|architect.* -?[0-9] -> [0-9]",
        "take the green worship tile: ", id="founders",
    ),
]  # fmt: skip
"""What is played, what no player may read there, and what is said instead: a module that replaces a board names it again."""


@pytest.mark.parametrize(("pack", "modules", "players", "misnamed", "right"), few(CALLED, 2))
def test_things_are_called_what_they_are_in_this_game(pack, modules, players, misnamed, right):
    match, draw, read = load(pack, modules).start(players, seed=1, narrate=True), Random(1), dict[str, str]()
    while match.decision is not None and len(match.choices) < 60:
        read |= {text: "questions" for text in questions(match)}
        if len(match.choices) in (0, 59):
            read |= {text: what for what, asked in {**SHOWN, **ASKED}.items() for text in asked(match)}
        match.choose(draw.randrange(len(match.decision.options)))
    read |= {text: what for what, told in TOLD.items() for text in told(match)}

    assert any(right in text for text in read)
    said = {re.sub("`[^`]*`", "", text): what for text, what in read.items()}  # without the text of a rule
    assert [f"{what}: {text}" for text, what in said.items() if re.search(misnamed, text)] == []
