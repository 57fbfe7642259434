"""The lab of the studio: runs that go on by themselves, what they show, and their matches at a table."""

from __future__ import annotations

import json
import time

import pytest
from studio.sitting_down import OWNER, Client

from patolli.cli.labplans import choose_panel
from patolli.measure.lab.measures import Estimate, measures
from patolli.serve.studio.lab.run_process import ALIVE, WANTED
from patolli.serve.studio.lab.runs import LATE, arguments_of, state_of

pytest.importorskip("pyarrow")
pytest.importorskip("numpy")


def waited(client, run, until=("done",)):
    for _ in range(300):
        found = client.get(f"/api/lab/{run}", OWNER)
        if found["state"] in until:
            return found
        time.sleep(0.2)
    raise AssertionError(found)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of two variants that is done, and a studio that was not open while it was played."""
    folder = tmp_path_factory.mktemp("lab")
    with Client(lab=folder) as client:
        body = {"pack": "pig", "players": 2, "games": 60, "bots": ["random", "random"]}
        made = client.post("/api/lab", OWNER, **body)
        assert "id" in made, made
    with Client(lab=folder) as client:
        waited(client, made["id"])
        yield client, made["id"], folder


@pytest.mark.deep
def test_a_run_goes_on_without_the_server_and_tells_its_intervals(played):
    client, run, folder = played
    found = client.get(f"/api/lab/{run}", OWNER)
    base = found["variants"][0]

    assert (base["name"], base["matches"]) == ("base", 60)
    from patolli.measure.lab.frame import open_run

    store = open_run(folder / run / "facts")
    for one in base["measures"]:
        direct = Estimate.over(measures(2)[one["name"]], store.rows("base", 60))
        assert (one["mean"], one["half"]) == (pytest.approx(direct.mean), pytest.approx(direct.half))
    assert [one["id"] for one in client.get("/api/lab", OWNER)] == [run]


@pytest.mark.deep
def test_a_number_leads_to_a_match_at_a_table(played):
    client, run, _ = played
    report = client.get(f"/api/lab/{run}/report", OWNER)
    wanted = report["matches"][0]

    made = client.post(f"/api/lab/{run}/matches/{wanted['match']}", OWNER)
    state = client.get(f"/api/tables/{made['table']}", made["tokens"]["host"])

    assert state["over"]
    assert state["results"]["scores"] == wanted["scores"]
    assert client.ask("POST", f"/api/lab/{run}/matches/9999", OWNER, json={}).status_code == 404
    json.loads(client.ask("GET", f"/api/lab/{run}/report", OWNER).text, parse_constant=pytest.fail)
    page = client.ask("GET", f"/api/lab/{run}/page", OWNER)
    assert page.text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        pytest.param({"pack": "../secret"}, "installed pack", id="a path for a pack"),
        pytest.param({"players": 0}, "number of players", id="no players"),
        pytest.param({"games": 10**9}, "number of matches", id="too many matches"),
        pytest.param({"vary": ["--out=/tmp"]}, "'vary'", id="an option of the command"),
        pytest.param({"vary": ["cost"]}, "SECTION/ID/KEY=VALUE", id="no address"),
        pytest.param({"bots": ["os:system"]}, "", id="a module for a bot"),
        pytest.param({"until": "--jobs=9"}, "'until'", id="an option for a goal"),
        pytest.param({"modules": ["--x"]}, "list of ids", id="an option for a module"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, more, words):
    with Client(lab=tmp_path) as client:
        got = client.ask("POST", "/api/lab", OWNER, json={"pack": "pig", "players": 2, "games": 5, **more})

        assert got.status_code == 422
        assert words in got.json()["error"]
        assert list(tmp_path.iterdir()) == []


def test_a_run_without_a_bot_is_one_run_and_no_panel():
    words = arguments_of({"pack": "pig", "players": 2})
    bot = words[words.index("--bot") + 1]

    assert choose_panel({"bot": bot, "games": None}) is None


def test_the_lab_is_for_the_owner(tmp_path):
    with Client(lab=tmp_path) as client:
        for method, path in (("GET", ""), ("POST", ""), ("GET", "/abcdefgh"), ("POST", "/abcdefgh/stop")):
            assert client.ask(method, f"/api/lab{path}", "somebody").status_code == 401
        assert client.ask("GET", "/api/lab/..%2F..%2Fetc", OWNER).status_code == 404
        assert client.ask("GET", "/api/lab/abcdefgh", OWNER).status_code == 404
    with Client() as client:
        assert "stores no runs" in client.ask("GET", "/api/lab", OWNER).json()["error"]


@pytest.mark.deep
def test_a_run_is_stopped_and_goes_on(tmp_path):
    with Client(lab=tmp_path) as client:
        run = client.post("/api/lab", OWNER, pack="pig", players=2, games=1_000_000)["id"]
        for _ in range(300):
            found = client.get(f"/api/lab/{run}", OWNER)
            if found["variants"] and found["variants"][0]["matches"]:
                break
            time.sleep(0.2)
        client.post(f"/api/lab/{run}/stop", OWNER)
        stopped = waited(client, run, ("stopped", "failed"))
        assert stopped["state"] == "stopped", stopped
        before = stopped["variants"][0]["matches"]
        client.post(f"/api/lab/{run}/on", OWNER)
        for _ in range(300):
            found = client.get(f"/api/lab/{run}", OWNER)
            if found["variants"][0]["matches"] > before:
                break
            time.sleep(0.2)
        client.post(f"/api/lab/{run}/stop", OWNER)
        after = waited(client, run, ("stopped", "failed"))
        assert after["variants"][0]["matches"] > before > 0


def test_a_run_without_a_sign_of_life_was_cut_off(tmp_path):
    import os

    (tmp_path / WANTED).write_text("{}", "utf-8")
    assert state_of(tmp_path) == "lost"
    (tmp_path / ALIVE).touch()
    assert state_of(tmp_path) == "running"
    then = time.time() - 2 * LATE
    os.utime(tmp_path / ALIVE, (then, then))
    assert state_of(tmp_path) == "lost"
    os.utime(tmp_path / ALIVE, (time.time() + 60 + LATE, time.time() + 60 + LATE))  # the clock was put back since
    assert state_of(tmp_path) == "lost"


@pytest.mark.deep
def test_cards_say_how_the_lab_rates_them(tmp_path):
    from patolli.author.workspace import load
    from patolli.serve.studio.gallery.ratings import NoReport, read_ratings

    with Client(lab=tmp_path) as client:
        assert "Seen in" not in client.ask("GET", "/gallery/skerry").text
        run = client.post("/api/lab", OWNER, pack="skerry", players=2, games=20)["id"]
        done = waited(client, run, ("done", "failed"))
        assert done["state"] == "done", done
        assert "Seen in" in client.ask("GET", "/gallery/skerry").text

    ratings = read_ratings(tmp_path / run / "facts", load("skerry"))
    assert ratings.about.startswith("The lab: 20 matches of random")
    with pytest.raises(NoReport):
        read_ratings(tmp_path, load("skerry"))
