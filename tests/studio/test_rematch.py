"""A rematch: the same people at a new table, with the links that they have."""

from __future__ import annotations

import pytest
from studio.sitting_down import Client

MOVES = ("a1", "a2", "b1", "b2", "c1")
"""A match of tic-tac-toe that the first player wins."""


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


def test_rematch_keeps_people_and_links_one_seat_on(client):
    at = client.table("tic_tac_toe", seats=[{"name": "Ada"}, {"name": "Bob"}])
    ada, watch = at.token(0), at.tokens["watch"]
    assert at.state(ada)["seat"] == 0
    assert at.ask("POST", "rematch").status_code == 409
    for number, cell in enumerate(MOVES):
        assert at.move(cell, at.host if number % 2 else ada).status_code == 200
    assert at.state()["over"]

    assert at.ask("POST", "rematch", watch).status_code == 403
    new = at.ask("POST", "rematch", ada).json()["table"]
    assert at.ask("POST", "rematch").json()["table"] == new, "there is one rematch for all"
    assert at.state(watch)["rematch"] == new
    state = client.get(f"/api/tables/{new}", ada)
    assert (state["seat"], state["names"], state["moves"]) == (1, ["Bob", "Ada"], 0)
    assert client.get(f"/api/tables/{new}", at.host)["host"]
    assert client.get(f"/api/tables/{new}", watch)["seat"] is None

    assert client.ask("DELETE", f"/api/tables/{new}", at.host).status_code == 200
    assert at.ask("POST", "rematch").json()["table"] != new, "a deleted one is replaced"


def test_rematch_is_read_from_the_store(client):
    at = client.table("tic_tac_toe")
    for cell in MOVES:
        at.move(cell)
    new = at.ask("POST", "rematch").json()["table"]
    client.registry.tables.clear()
    assert at.state()["rematch"] == new
    assert client.get(f"/api/tables/{new}", at.host)["moves"] == 0
