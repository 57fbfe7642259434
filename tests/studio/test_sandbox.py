"""Changing the state by hand at an open table, through the doors of the studio."""

from __future__ import annotations

import pytest
from studio.sitting_down import Client
from tiers import few

from patolli.serve.studio.store import Sqlite


@pytest.fixture
def client():
    with Client() as one:
        yield one


def edit(table, kind, name, to, token="", **more):
    revision = table.client.registry.tables[table.id].revision
    return table.ask("POST", "edits", token, revision=revision, kind=kind, name=name, to=to, **more)


def cell(table, name):
    found = table.ask("GET", "editable").json()["fields"]
    return next(one["value"] for one in found if one["name"] == name)


def test_the_host_changes_the_state_of_an_open_table(client):
    table = client.table("tic_tac_toe", open=True, seed=1)
    assert cell(table, "a1.mark") == "none"

    assert edit(table, "field", "a1.mark", "player_2").status_code == 200

    state = table.state()
    assert cell(table, "a1.mark") == "player_2"
    assert "The state was changed by hand." in [line["words"] for line in state["telling"]]
    assert "a1" not in [option["label"] for option in state["decision"]["options"]]
    assert table.ask("GET", "inspect").json()["edits"] == [{"at": 0, "words": "a1.mark = player_2"}]


def test_elsewhere_and_for_others_it_is_refused(client):
    closed, open_ = client.table("tic_tac_toe"), client.table("tic_tac_toe", open=True)

    assert edit(closed, "field", "a1.mark", "player_2").status_code == 403
    assert closed.ask("GET", "editable").status_code == 403
    assert edit(open_, "field", "a1.mark", "player_2", open_.token(0)).status_code == 403
    assert edit(open_, "field", "a1.mark", "player_7").status_code == 422
    assert edit(open_, "magic", "a1.mark", "player_2").status_code == 422
    assert open_.ask("GET", "editable").json()["edits"] == []


@pytest.mark.parametrize("to", few([1.5, None, True, [1]], 0), ids=str)
def test_what_is_no_value_is_reported_with_the_name_of_the_field(client, to):
    table = client.table("city_of_gods", open=True, seed=1)

    told = edit(table, "counter", "cocoa(player_1)", to)

    assert told.status_code == 422
    assert told.json()["error"].startswith("'cocoa(player_1)' must be a whole number")
    assert "'to'" not in told.json()["error"]


def test_an_edit_is_undone_as_a_choice_is(client):
    table = client.table("tic_tac_toe", open=True, seed=1)
    table.move("b2")
    edit(table, "field", "a1.mark", "player_2")
    assert table.state()["undo"]["may"]

    take_back(table)
    assert cell(table, "a1.mark") == "none"
    assert table.state()["moves"] == 1

    edit(table, "field", "c3.mark", "player_1")
    table.move("a2")
    take_back(table)
    assert cell(table, "c3.mark") == "player_1"
    take_back(table)
    take_back(table)
    assert (cell(table, "b2.mark"), cell(table, "c3.mark"), table.state()["moves"]) == ("none", "none", 0)


def take_back(table):
    revision = table.client.registry.tables[table.id].revision
    answer = table.ask("POST", "undo", revision=revision)
    assert answer.status_code == 200, answer.text


def test_a_doubled_edit_is_done_once_and_a_stale_one_is_refused(client):
    table = client.table("city_of_gods", open=True, seed=1)
    first = table.ask("POST", "edits", revision=0, kind="counter", name="cocoa(player_1)", to=4, key="one")
    again = table.ask("POST", "edits", revision=0, kind="counter", name="cocoa(player_1)", to=4, key="one")

    assert first.json() == again.json()
    stale = table.ask("POST", "edits", revision=0, kind="counter", name="cocoa(player_1)", to=5, key="two")
    assert stale.status_code == 409
    assert stale.json()["state"]["revision"] == 1


def test_a_server_that_comes_back_a_save_and_a_fork_hold_the_edits(tmp_path):
    with Client(Sqlite(tmp_path / "studio.db")) as client:
        table = client.table("tic_tac_toe", open=True, seed=1)
        table.move("b2")
        edit(table, "field", "a1.mark", "player_2")
        edit(table, "turn", "", "player_1")
        table.move("c3")
        before = table.ask("GET", "inspect").json()
        save = table.ask("GET", "save").json()
        then = table.ask("GET", "at/1").json()
        id_, tokens = table.id, table.tokens
    assert [edit["words"] for edit in before["edits"]] == ["a1.mark = player_2", "player_1 acts"]
    assert then["telling"][-1]["words"] == "The state was changed by hand."

    with Client(Sqlite(tmp_path / "studio.db")) as client:
        table.client = client
        table.id, table.tokens = id_, tokens
        assert table.ask("GET", "inspect").json() == before
        taken = client.post("/api/import", "the-owner", save=save)
        other = client.get(f"/api/tables/{taken['table']}/inspect", taken["tokens"]["host"])
        assert (other["digest"], other["edits"]) == (before["digest"], before["edits"])
        assert client.get(f"/api/tables/{taken['table']}", taken["tokens"]["host"])["open"]
        forked = table.ask("POST", "fork", at=2).json()
        copy = client.get(f"/api/tables/{forked['table']}/inspect", forked["tokens"]["host"])
        assert (copy["digest"], copy["edits"]) == (before["digest"], before["edits"])
        assert table.ask("GET", "record").status_code == 409


@pytest.mark.deep
def test_bots_decide_in_the_edited_match(client):
    table = client.table("tic_tac_toe", open=True, seed=1, seats=[{}, {"bot": "greedy"}])
    for name in ("a1", "a2"):
        edit(table, "field", f"{name}.mark", "player_2")
    table.move("b2")
    for _ in range(200):
        state = table.state()
        if state["over"] or state["decision"]["player"] == 0:
            break
        client.run(wait())
    assert cell(table, "a3.mark") == "player_2", "a greedy bot completes its line"


async def wait():
    import asyncio

    await asyncio.sleep(0.1)
