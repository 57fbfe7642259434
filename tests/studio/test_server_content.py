"""A table while its content is edited, and its match as a scenario."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from random import Random

import pytest
from busy import until, within
from studio.sitting_down import OWNER, Client

import patolli
from patolli.author.scenarios.suites import Plan, run_scenarios
from patolli.language.packs.discovery import find
from patolli.serve.studio import table


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


@pytest.fixture
def pack(tmp_path):
    folder = tmp_path / "my_game"
    shutil.copytree(find("tic_tac_toe"), folder)
    return folder


@pytest.fixture
def at(client, pack):
    """A table of a pack that can be edited, with a client that watches it."""
    found = client.table(str(pack))

    async def look():
        return client.registry.look(found.id, found.host)

    event = client.run(look())
    yield found
    client.registry.look_away(found.id, event)


NOTHING = {"lost": None, "differs": [], "problems": [], "fault": ""}


def edit(file, old, new):
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_the_match_goes_on_with_the_new_content(at, pack):
    for label in ("a1", "b1", "a2"):
        at.move(label)
    before = at.state()
    assert before["content"] == NOTHING
    edit(pack / "rules.yaml", "score: point", "score: 5 * point")
    assert until(lambda: at.state()["revision"] > before["revision"])
    at.move("b2")
    at.move("a3")

    assert at.state()["results"]["scores"] == [5, 0]
    assert at.state()["content"]["differs"] == []


def test_moves_go_on_while_a_match_is_played_again_with_new_content(client, at, pack, monkeypatch):
    other, begun, free, replay = client.table("tic_tac_toe"), threading.Event(), threading.Event(), table.replay_choices

    def wait(*given):
        begun.set()
        free.wait(60)
        return replay(*given)

    at.move("a1")
    monkeypatch.setattr(table, "replay_choices", wait)
    edit(pack / "rules.yaml", "score: point", "score: 5 * point")
    assert begun.wait(60)
    moves = [asyncio.run_coroutine_threadsafe(move(client, one), client.loop) for one in (other, at)]
    answered = until(lambda: all(one.done() for one in moves), 20)
    free.set()

    assert answered, "a table waits"
    assert [one.result(60).status_code for one in moves] == [200, 200]
    assert until(lambda: at.state()["revision"] > 2)
    assert at.state()["moves"] == 2, "what was chosen meanwhile stays"
    for label in ("a2", "b2", "a3"):
        at.move(label)
    assert at.state()["results"]["scores"] == [5, 0]


async def move(client, at):
    """Choose b1 for the acting player."""
    data = {"revision": client.registry.tables[at.id].revision, "label": "b1", "key": ""}
    headers = {"authorization": f"Bearer {at.host}"}
    return await client._ask("POST", f"{at.path}/moves", headers=headers, json=data)


def test_problems_are_reported_and_the_match_waits(at, pack):
    at.move("a1")
    edit(pack / "rules.yaml", "gain 1 point", "gain 1 pint")
    assert until(lambda: at.state()["content"]["problems"])
    problem = at.state()["content"]["problems"][0]

    assert problem["severity"] == "error"
    assert "pint" in problem["message"]
    assert problem["file"].endswith("rules.yaml")
    assert at.move("b1").status_code == 200, "it continues with the content as it was"
    assert at.client.ask("POST", "/api/tables", OWNER, json={"pack": str(pack), "players": 2}).status_code == 422
    assert at.state(at.token(0))["content"]["problems"] == [], "they are for the author"
    edit(pack / "rules.yaml", "gain 1 pint", "gain 2 point")
    assert until(lambda: not [one for one in at.state()["content"]["problems"] if one["severity"] == "error"])
    assert at.state()["moves"] == 2


def test_a_choice_that_is_gone_is_named_and_comes_back(at, pack):
    for label in ("a1", "c3", "a2"):
        at.move(label)
    edit(pack / "rules.yaml", "where c.mark == none ", "where c.mark == none and c != c3 ")
    assert until(lambda: at.state()["content"]["lost"])
    state = at.state()
    lost = state["content"]["lost"]

    assert (lost["number"], lost["seat"], lost["label"]) == (1, 1, "c3")
    assert state["moves"] == 1
    assert state["content"]["differs"] == [0], "other cells were offered then"
    edit(pack / "rules.yaml", " and c != c3", "")
    assert until(lambda: at.state()["content"]["lost"] is None)
    assert at.state()["moves"] == 3


def test_small_packs_are_there_in_half_a_second(at, pack):
    for label in ("a1", "b1"):
        at.move(label)
    took = []
    for points in (2, 3, 4, 5, 6):
        before, began = at.state()["revision"], time.monotonic()
        file = pack / "rules.yaml"
        file.write_text(file.read_text("utf-8").replace(f"gain {points - 1} point", f"gain {points} point"), "utf-8")
        assert until(lambda before=before: at.state()["revision"] > before)
        took.append(time.monotonic() - began)

    assert sorted(took)[2] < within(1.5), "0.5 s on a quiet machine"


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "leduc_poker", "goofspiel", "breakthrough"])
def test_recordings_pass(client, name, tmp_path):
    folder = tmp_path / name
    shutil.copytree(find(name), folder)
    draw = Random(name)
    for seed in range(3):
        at = client.table(str(folder), seed=seed, open=True)
        table = client.registry.tables[at.id]
        for _ in range(draw.randrange(1, 60)):
            if table.match.over:
                break
            table.choose(-10, table.revision, draw.randrange(len(table.match.pending)), "")
        made = at.client.ask("POST", f"{at.path}/record", at.host, json={})
        assert made.status_code == 201, made.text
    result = run_scenarios(Plan((str(folder),), select="played", smoke=False))

    assert len(result.outcomes) == 3
    assert [one.problems for one in result.failed_outcomes] == []


def test_a_recording_that_is_changed_fails(client, tmp_path):
    folder = tmp_path / "pig"
    shutil.copytree(find("pig"), folder)
    at = client.table(str(folder), seed=1, open=True)
    for _ in range(6):
        at.move(0)
    made = at.ask("GET", "record").json()
    path = folder / "scenarios" / made["name"]
    path.write_text(made["text"].replace("scores: [", "scores: [9"), "utf-8")

    assert run_scenarios(Plan((str(folder),), select="played", smoke=False)).failed_outcomes
    assert patolli.load(str(folder)).id == "pig"
