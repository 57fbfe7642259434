"""No byte that is sent to a seat depends on what that seat may not see."""

from __future__ import annotations

from random import Random

import pytest
from studio.overheard import compared, opened, sent
from tiers import few

import patolli
from patolli.run.runtime import Match
from patolli.serve.studio import states
from patolli.serve.studio.seats import HOST, WATCH
from patolli.serve.studio.workbench import _why

PACKS = {
    "leduc_poker": (3, 2), "goofspiel": (2, 4), "battleship": (1, 40), "promises": (1, 30), "skerry": (1, 6),
    "city_of_gods": (1, 30), "founders": (1, 30), "beacons": (1, 8), "curios": (1, 16), "high_water": (1, 8),
}  # fmt: skip
"""How many matches are played, and at each how manieth choice it is looked."""


@pytest.mark.parametrize("pack", few(PACKS, 0))
def test_nothing_that_is_sent_depends_on_what_is_hidden(pack):
    low, _ = patolli.load(pack).players
    matches, stride = PACKS[pack]
    answers = 0
    for seed in range(matches):
        table, draw = opened(pack, max(2, low), seed), Random(seed)
        for number in range(60):
            if table.match.over:
                break
            if number % stride == stride - 1:
                for who in (*range(table.match.players), WATCH):
                    answers += compared(table, who, draw)
            index = draw.randrange(len(table.match.pending))
            table.choose(table.decider, table.revision, index, "")
    assert answers


def test_last_tricks_are_compared_too():
    table, draw, answers = opened("promises", 3, 0), Random(0), 0
    while not answers:
        table.choose(table.decider, table.revision, draw.randrange(len(table.match.pending)), "")
        if b'"taken":{' in sent(table, WATCH):
            answers = sum(compared(table, who, draw) for who in (0, 1, 2, WATCH))


def test_a_hint_from_the_true_match_is_noticed(monkeypatch):
    """The search looks at the match itself instead of an imagined one: the audit has to fail."""
    monkeypatch.setattr(Match, "determinize", lambda match, *_: match.clone())
    table = opened("curios", 3, 0)
    with pytest.raises(AssertionError, match="It is worth"):
        compared(table, table.decider, Random(0))


def test_the_seed_is_never_sent():
    table = opened("leduc_poker", 2, 8_765_432_109)
    for who in (0, 1, WATCH, HOST):
        assert b"8765432109" not in sent(table, who)


def test_who_has_a_seat_learns_no_token_of_another():
    table = opened("tic_tac_toe", 2, 1)
    tokens = [*(seat.token for seat in table.seats.places), table.seats.host, table.seats.watch]
    for who in (0, 1, WATCH, HOST):
        assert not [token for token in tokens if token.encode() in sent(table, who)]


def test_the_host_does_not_see_what_a_joined_player_sees():
    table = opened("leduc_poker", 2, 1)
    assert table.eye(HOST) == WATCH
    table.seats.places[1].taken = False
    for _ in range(3):
        assert table.eye(HOST) == 1
        table.choose(table.decider, table.revision, 0, "")


def test_what_was_chosen_secretly_is_not_sent():
    """Both choose at once: what the first has chosen is no byte of what the second is sent before it has chosen."""
    found = set()
    for index in range(3):
        table = opened("goofspiel", 2, 1)
        assert table.match.secret
        table.choose(table.decider, table.revision, index, "")
        found |= {sent(table, 1), sent(table, WATCH) + b"w"}

    assert len(found) == 2


def test_reasons_are_those_of_the_seat():
    table = opened("leduc_poker", 2, 1)
    refused = states.state_of(table, table.decider)["decision"]["options"][0]["label"]
    assert _why(table, table.decider, refused)["offered"]
