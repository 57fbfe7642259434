"""No byte that is sent to a seat depends on what that seat may not see."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest
from twins import twin

import patolli
from patolli.runtime import MatchError
from patolli.studio import states
from patolli.studio.acts import Setup
from patolli.studio.past import Past
from patolli.studio.seats import HOST, WATCH, Seats
from patolli.studio.table import Table, places
from patolli.studio.wire import written
from patolli.studio.workbench import _why

PACKS = {
    "leduc_poker": (3, 2), "goofspiel": (2, 4), "battleship": (1, 8), "promises": (1, 8),
    "city_of_gods": (1, 30), "founders": (1, 30),
}  # fmt: skip
"""How many matches are played, and at each how manieth choice it is looked."""


def opened(pack, players, seed):
    rules = patolli.load(pack)
    setup = Setup(pack, (), {}, players, seed)
    seats = Seats.new(places([], players, rules.model.automated))
    for seat in seats.places:
        seat.taken = True
    return Table("table", setup, rules, seats, lambda id_, act: None)


def with_match(table, match):
    """The same table in another world."""
    other = copy(table)
    other.match, other.past = match, Past(match)
    return other


def sent(table, who):
    """All bytes of the answers to somebody who asks for everything that may be asked for."""
    parts = [states.state_of(table, who), states.telling(table.match, table.eye(who))]
    return b"\n".join(map(written, parts))


@pytest.mark.parametrize("pack", PACKS)
def test_nothing_that_is_sent_depends_on_what_is_hidden(pack):
    low, _ = patolli.load(pack).players
    matches, stride = PACKS[pack]
    compared = 0
    for seed in range(matches):
        table, draw = opened(pack, max(2, low), seed), Random(seed)
        for number in range(60):
            if table.match.over:
                break
            if number % stride == stride - 1:
                for who in (*range(table.match.players), WATCH):
                    compared += _compared(table, who, draw)
            index = draw.randrange(len(table.match.pending))
            table.choose(table.decider, table.revision, index, "")
    assert compared


def _compared(table, who, draw):
    """Hold what one is sent against what one is sent in a world that differs in what that one may not see."""
    match, seat = table.match, who if who >= 0 else 0
    other = twin(match, seat, draw)
    if other.state == match.state:
        return 0
    if match.decision.player == seat:
        try:
            other.run()
        except MatchError:
            return 0  # such a world there cannot be
        decision = other.decision
        if decision is None or decision.player != seat or decision.question != match.decision.question:
            return 0
    else:
        other.pending = match.pending
    world = with_match(table, other)
    if who == WATCH and any(other.view(one) != match.view(one) for one in range(match.players)):
        return 0  # a twin of one seat may be another world for the others, and so for all
    assert sent(world, who) == sent(table, who)
    return 1


def test_the_seed_is_never_sent():
    table = opened("leduc_poker", 2, 8_765_432_109)
    for who in (0, 1, WATCH, HOST):
        assert b"8765432109" not in sent(table, who)


def test_who_has_a_seat_learns_no_token_of_another():
    table = opened("tic_tac_toe", 2, 1)
    tokens = [*(seat.token for seat in table.seats.places), table.seats.host, table.seats.watch]
    for who in (0, 1, WATCH, HOST):
        assert not [token for token in tokens if token.encode() in sent(table, who)]


def test_the_host_does_not_see_with_the_eyes_of_somebody_who_has_come():
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
