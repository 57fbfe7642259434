"""What all answer at the same time is answered in any order, each at their own page, and revealed to none before."""

from __future__ import annotations

import pytest
from studio.sitting_down import Client

from patolli.serve.studio.store import Sqlite


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


def bidding(client, **more):
    """A table at which three people, each at their own page, bid a card at the same time."""
    at = client.table("goofspiel", players=3, seed=4, **more)
    for seat in range(3):
        at.state(at.token(seat))
    return at


def asked(at, seat):
    return at.state(at.token(seat))["decision"]


def bid(at, seat, index=0, **more):
    return at.move(index, at.token(seat), **more)


def test_all_are_asked_at_once_and_answer_in_any_order(client):
    at, other = bidding(client), bidding(client)
    assert [asked(at, seat)["mine"] for seat in range(3)] == [True] * 3
    assert len(asked(at, 2)["options"]) == len(asked(at, 0)["options"])

    for seat, index in ((2, 5), (1, 3)):
        assert bid(at, seat, index).is_success
        assert at.state()["moves"] == 0, "it is played when the rules ask for it"
        decision = asked(at, seat)
        assert (decision["mine"], decision["answered"], decision["options"]) == (False, True, [])
    assert bid(at, 0, 1).is_success
    for index, seat in ((1, 0), (3, 1), (5, 2)):
        bid(other, seat, index)
    assert client.registry.tables[at.id].match.state == client.registry.tables[other.id].match.state
    assert client.registry.tables[at.id].course.ahead == {}
    assert [asked(at, seat)["mine"] for seat in range(3)] == [True] * 3, "the next round has begun"


def test_no_player_reads_what_another_player_chose_before_they_were_asked(client):
    at, other = bidding(client), bidding(client)
    bid(at, 2, 5)
    bid(other, 2, 9)

    for token in ("host", "watch", 0, 1):
        here, there = (
            one.state(one.token(token) if isinstance(token, int) else one.tokens[token]) for one in (at, other)
        )
        assert {**here, "table": ""} == {**there, "table": ""}


def test_an_answer_is_undone_before_the_rules_ask_for_it(client):
    at = bidding(client)
    bid(at, 1, 3)
    assert at.state(at.token(1))["undo"]["may"]

    revision = at.state()["revision"]
    assert at.ask("POST", "undo", at.token(1), revision=revision).is_success
    assert asked(at, 1)["mine"]
    bid(at, 1, 7)
    bid(at, 0, 0)
    assert [made.index for made in client.registry.tables[at.id].course.line] == [0, 7]


def test_one_answer_is_given_once_however_often_it_comes(client):
    at = bidding(client)
    revision = at.state()["revision"]
    first = bid(at, 1, 3, key="one", revision=revision)
    again = bid(at, 1, 3, key="one", revision=revision)
    other = bid(at, 1, 4, key="another", revision=revision)

    assert first.json() == again.json()
    assert other.status_code == 409
    assert bid(at, 0, 2, revision=revision).is_success, "what others answer at the same time changes nothing for a seat"
    assert bid(at, 0, 2, revision=revision, key="late").status_code == 409


def test_several_questions_in_a_row_are_answered_ahead(client):
    at = client.table("city_of_gods", players=2, seed=4, options={"start": "normal"})
    for seat in range(2):
        at.state(at.token(seat))
    assert asked(at, 1)["mine"]
    first = [one["label"] for one in asked(at, 1)["options"]]
    bid(at, 1, 2)
    second = asked(at, 1)
    assert second["mine"]
    assert len(second["options"]) == len(first) - 1
    bid(at, 1, 0)
    assert asked(at, 1)["answered"]
    bid(at, 0, 0)
    bid(at, 0, 0)

    labels = [made.label for made in client.registry.tables[at.id].course.line]
    assert labels[2:4] == [first[2], first[0]]


def test_what_was_answered_ahead_is_there_after_a_kill(tmp_path):
    path = tmp_path / "tables.sqlite"
    with Client(Sqlite(path)) as one:
        at = bidding(one)
        bid(at, 2, 5)
        bid(at, 1, 3)
        id_, tokens = at.id, at.tokens
    with Client(Sqlite(path)) as two:
        state = two.get(f"/api/tables/{id_}", tokens["seat"][2])
        assert state["decision"]["answered"]
        data = {"revision": state["revision"], "index": 0, "key": "last"}
        assert two.ask("POST", f"/api/tables/{id_}/moves", tokens["seat"][0], json=data).is_success
        assert [made.index for made in two.registry.tables[id_].course.line] == [0, 3, 5]


def test_at_one_screen_all_are_asked_one_after_the_other(client):
    at = client.table("goofspiel", players=3, seed=4)
    revision = at.state()["revision"]
    assert at.state()["decision"]["player"] == 0
    at.move(0, revision=revision)
    assert at.state()["decision"]["player"] == 1
    assert at.move(0, revision=revision).status_code == 409, "a double click is no answer of the next"
