"""Clocks of a table: whose time runs, what is stored, and what happens when it is up."""

from __future__ import annotations

import asyncio
import json

import pytest
from studio.sitting_down import OWNER, At, Client

from patolli.serve.studio import clocks
from patolli.serve.studio.store import Sqlite
from patolli.serve.studio.stream import _events

NAMES = [{"name": "Ada"}, {"name": "Bob"}]


class Time:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def moment(monkeypatch):
    found = Time()
    monkeypatch.setattr(clocks, "now", found)
    return found


@pytest.fixture
def client():
    with Client() as found:
        yield found


def timed(client, pack="tic_tac_toe", players=2, seconds=60, increment=5, **more):
    """A table with a clock at which all players have come by their links."""
    clock = {"seconds": seconds, "increment": increment}
    at = client.table(pack, players, clock=clock, seats=NAMES, **more)
    for seat in range(players):
        at.state(at.token(seat))
    return at


def clock(at, token=""):
    return at.state(token)["clock"]


def move(at, cell, seat):
    assert at.move(cell, at.token(seat)).is_success
    return clock(at)  # from here on, the time of the next seat runs


def up(client, at):
    """Do what the task of the table does at its next look."""
    return client.run(client.registry._clocks.look(at.id))


def begun(client, moment, **more):
    """A table at which both have made their first choice, and the first seat has to choose."""
    at = timed(client, **more)
    move(at, "a1", 0)
    move(at, "b1", 1)
    return at


def test_time_runs_for_the_asked_seat_from_its_second_choice(client, moment):
    at = timed(client)
    moment.at += 500
    assert clock(at) == {"seconds": 60, "increment": 5, "left": [60, 60], "running": []}, (
        "the players may not be here yet"
    )
    move(at, "a1", 0)
    moment.at += 500
    move(at, "b1", 1)
    moment.at += 20
    assert clock(at) == {"seconds": 60, "increment": 5, "left": [45, 65], "running": [0]}
    assert clock(at, at.tokens["watch"]) == clock(at, at.token(1)) == clock(at)
    move(at, "a2", 0)
    assert clock(at)["running"] == [1]
    assert clock(at)["left"] == [50, 65]
    assert client.table("tic_tac_toe").state()["clock"] is None


def test_no_time_runs_after_the_end(client, moment):
    at = begun(client, moment)
    move(at, "a2", 0)
    move(at, "b2", 1)
    before = move(at, "a3", 0)
    moment.at += 1000
    assert clock(at) == before
    assert before["running"] == []


def test_when_time_is_up_a_bot_chooses_and_the_player_can_take_over(client, moment):
    at = begun(client, moment)
    moment.at += 64
    assert up(client, at) == pytest.approx(1)
    assert at.state()["bots"] == ["", ""]
    moment.at += 2

    async def seen():
        """The states of the player, until the bot has chosen: the task of the table does all of it."""
        client.registry.stir(client.registry.tables[at.id])
        async for event in _events(client.registry, at.id, at.token(0)):
            state = json.loads(event.split(b"data: ")[1]) if b"event: state" in event else {}
            if state.get("moves", 0) > 2:
                return state

    state = client.run(seen())
    assert (state["seat"], state["away"]) == (None, {"seat": 0, "why": "bot"})
    assert state["clock"]["left"][0] == 0
    assert at.ask("POST", "seats/0", at.token(0), person=True).is_success, "the bot has chosen"
    state = at.state(at.token(0))
    assert (state["seat"], state["bots"][0], state["clock"]["left"][0]) == (0, "", clocks.LEAST)


def test_the_choice_whose_time_was_up_is_made_by_the_bot(client, moment, monkeypatch):
    monkeypatch.setattr(client.registry._drivers, "wake", lambda table: None)  # a bot that thinks for long
    at = begun(client, moment)
    moment.at += 66
    up(client, at)
    refused = at.ask("POST", "seats/0", at.token(0), person=True)
    assert refused.status_code == 409
    assert "the bot makes this choice" in refused.json()["error"]


def test_a_bot_that_was_wanted_hands_back_without_more_time(client, moment):
    at = begun(client, moment)
    assert at.ask("POST", "seats/1", bot="random").is_success
    moment.at += 100
    assert at.ask("POST", "seats/1", at.token(1), person=True).is_success
    assert clock(at)["left"][1] == 65


def test_undo_neither_gives_nor_takes_time(client, moment):
    at = begun(client, moment)
    for _ in range(5):
        moment.at += 3
        left = move(at, "a2", 0)["left"][0]
        assert at.ask("POST", "undo", at.token(0), revision=at.state()["revision"]).is_success
        assert clock(at)["left"][0] == left
    assert clock(at)["left"][0] == 70 - 5 * 3, "a choice that replaces an undone one adds nothing"


def test_a_rematch_has_a_new_clock_and_a_branch_has_none(client, moment):
    at = begun(client, moment)
    moment.at += 20
    for cell, seat in (("a2", 0), ("b2", 1), ("a3", 0)):
        move(at, cell, seat)
    new = At(client, at.ask("POST", "rematch").json()["table"], at.tokens)
    assert clock(new)["left"] == [60, 60]
    branch = at.ask("POST", "fork", at=2).json()
    assert At(client, branch["table"], branch["tokens"]).state()["clock"] is None


@pytest.mark.parametrize("graceful", [True, False])
def test_the_clock_stands_still_while_the_studio_is_down(tmp_path, moment, graceful):
    path = tmp_path / "tables.sqlite"
    with Client(Sqlite(path)) as one:
        at = begun(one, moment)
        moment.at += 20
        up(one, at)
        assert one.run(one.registry.store.ask(lambda store: store.clock(at.id))) == [20, 0] * 2
        moment.at += 0 if graceful else clocks.KEEP - 1  # killed before the next write
        id_, tokens = at.id, at.tokens
    moment.at += 5000
    with Client(Sqlite(path)) as two:
        moment.at += 5000
        at = At(two, id_, tokens)
        assert clock(at)["left"] == [45, 65]
        assert clock(at)["running"] == [0]
        moment.at += 5
        assert clock(at)["left"] == [40, 65]
        two.run(two.registry.remove(two.registry.tables[id_]))
        two.run(two.registry.store.ask(lambda store: store.keep_clock(id_, [1, 1])))
        assert two.run(two.registry.store.ask(lambda store: store.clock(id_))) == [], "a deleted table stays deleted"


def test_the_end_of_the_studio_leaves_no_task():
    with Client() as client:
        at = client.table("tic_tac_toe", 2, clock={"seconds": 60}, seats=[{"bot": "medium"}, {"bot": "medium"}])
        at.state()
    assert asyncio.all_tasks(client.loop) == set()


def test_simultaneous_time_shows_neither_who_is_asked_nor_who_has_chosen(client, moment):
    at = client.table("goofspiel", 3, seed=4, clock={"seconds": 60, "increment": 5})
    for seat in range(3):
        at.state(at.token(seat))
    for seat in (2, 1, 0):
        at.move(0, at.token(seat))
    assert clock(at, at.token(0))["running"] == [0, 1, 2], "all are asked"
    moment.at += 10
    clock(at)
    at.move(0, at.token(2))
    at.state(at.token(2))
    moment.at += 10
    assert clock(at, at.token(2)) == {"seconds": 60, "increment": 5, "left": [45, 45, 55], "running": [0, 1]}
    for token in (at.token(0), at.token(1), at.host, at.tokens["watch"]):
        assert clock(at, token) == {"seconds": 60, "increment": 5, "left": [45, 45, 45], "running": [0, 1, 2]}
    at.move(0, at.token(1))
    at.move(0, at.token(0))
    assert clock(at, at.token(0))["left"] == [50, 50, 60], "afterwards, everyone sees what each has used"


def test_simultaneous_time_shows_no_more_after_a_restart(tmp_path, moment):
    path = tmp_path / "tables.sqlite"
    with Client(Sqlite(path)) as one:
        at = one.table("goofspiel", 3, seed=4, clock={"seconds": 60, "increment": 5})
        for seat in range(3):
            at.state(at.token(seat))
        for seat in (2, 1, 0):
            at.move(0, at.token(seat))
        clock(at)
        moment.at += 10
        clock(at)
        at.move(0, at.token(2))
        clock(at)
        moment.at += 10
        shown = clock(at, at.token(0))
        up(one, at)
        id_, tokens = at.id, at.tokens
    with Client(Sqlite(path)) as two:
        at = At(two, id_, tokens)
        assert shown["left"] == [45, 45, 45]
        assert clock(at, at.token(0)) == clock(at, tokens["watch"]) == shown, "early choices stay hidden"
        assert clock(at, at.token(2))["left"] == [45, 45, 55]
        moment.at += 5
        assert clock(at, at.token(0))["left"] == [40, 40, 40]


def test_no_digest_depends_on_a_clock(client, moment):
    at, other = begun(client, moment, seed=1), client.table("tic_tac_toe", seed=1)
    for cell in ("a1", "b1"):
        other.move(cell)
    digests = [client.registry.tables[one.id].match.digest() for one in (at, other)]
    assert digests[0] == digests[1]


BAD = [5, [], {}, "60", {"seconds": "60"}, {"seconds": 9}, {"seconds": 10**12}, {"seconds": 60.5}, {"seconds": True}]
BAD += [{"seconds": 60, "increment": -1}, {"seconds": 60, "increment": 3601}, {"seconds": 60, "increment": None}]


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_an_invalid_clock_is_refused(client, bad):
    answer = client.ask("POST", "/api/tables", OWNER, json={"pack": "tic_tac_toe", "players": 2, "clock": bad})
    assert answer.status_code == 422
    assert answer.json()["error"] == (
        "'clock' needs 'seconds' from 10 to 86400, and may have 'increment' from 0 to 3600"
    )
