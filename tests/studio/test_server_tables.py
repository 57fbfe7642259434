"""What people and bots do at a table, and what each of them reads."""

from __future__ import annotations

import json
import shutil

import pytest
from busy import until
from click.testing import CliRunner
from studio.sitting_down import OWNER, Client

import patolli
from patolli.cli import main
from patolli.language.packs.discovery import find
from patolli.play.players import BotError
from patolli.run.runtime.seals import add_checksums


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


def test_packs_are_listed_with_what_can_be_set(client):
    packs = {pack["id"]: pack for pack in client.get("/api/packs")}

    assert packs["city_of_gods"]["players"] == {"min": 2, "max": 4}
    assert "mansion" in [module["id"] for module in packs["city_of_gods"]["modules"]]
    assert "mansion" not in packs
    weights = {module["id"]: module.get("weight") for module in packs["city_of_gods"]["modules"]}
    assert weights["first_game"] < packs["city_of_gods"]["weight"]
    alone = next(one for one in packs["founders"]["modules"] if one["id"] == "founders_solo")
    assert alone["players"] == {"min": 1, "max": 1}
    assert [option["id"] for option in alone["options"]] == ["rival_level"]
    assert packs["patolli"]["options"][0].keys() >= {"id", "text", "default"}


def test_hot_seat(client):
    at = client.table("tic_tac_toe", seats=[{"name": "Anna"}, {"name": "Ben"}], seed=3)
    state = at.state()
    assert (state["seat"], state["names"], state["revision"]) == (0, ["Anna", "Ben"], 0)
    assert state["decision"]["mine"]
    assert len(state["decision"]["options"]) == 9

    for number, label in enumerate(("a1", "b1", "a2", "b2", "a3")):
        assert at.state()["seat"] == number % 2
        assert at.move(label).json() == {"revision": number + 1}
    state = at.state()

    assert state["over"]
    assert state["decision"] is None
    assert state["results"] == {"winners": [0], "ranks": [1, 2], "scores": [1, 0]}
    played = patolli.load("tic_tac_toe").replay(2, 3, client.registry.tables[at.id].match.choices)
    assert at.ask("GET", "inspect").json()["digest"] == played.digest()


def test_each_seat_decides_for_itself(client):
    at = client.table("tic_tac_toe")

    at.state(at.token(1))
    assert at.move("a1", at.token(1)).status_code == 403
    assert at.move("a1", at.tokens["watch"]).status_code == 403
    assert at.move("a1", at.token(0)).status_code == 200
    assert at.state(at.token(0))["decision"] == {
        "player": 1, "prompt": "", "simultaneous": False, "mine": False, "options": [],
    }  # fmt: skip
    assert at.state(at.token(1))["decision"]["mine"]
    assert at.move("b1").status_code == 403, "the host does not decide for a player who has come"


def test_who_watches_sees_what_all_see(client):
    at = client.table("leduc_poker", seed=1)
    watching, playing = at.state(at.tokens["watch"]), at.state()

    assert watching["seat"] is None
    assert watching["decision"]["options"] == []
    assert len(watching["scene"]["panels"]) == len(playing["scene"]["panels"])
    assert watching["telling"] == [line for line in playing["telling"] if line in watching["telling"]]


def test_who_sits_down_does_not_make_others_answers_stale(client):
    at = client.table("tic_tac_toe")
    at.state(at.token(1))

    assert at.state()["revision"] == 1
    assert at.move("a1", revision=0).status_code == 200
    assert at.move("b1", at.token(1), revision=1).status_code == 409


def test_a_request_is_done_once(client):
    at = client.table("tic_tac_toe")
    first = at.move("a1", key="one")
    again = at.move("a1", key="one", revision=0)

    assert first.json() == again.json() == {"revision": 1}
    stale = at.move("b1", key="two", revision=0)
    assert stale.status_code == 409
    assert stale.json()["state"]["revision"] == 1
    assert at.state()["moves"] == 1


@pytest.mark.parametrize("answer", [-1, 9, "z9", ""])
def test_what_is_not_offered_is_refused(client, answer):
    at = client.table("tic_tac_toe")
    refused = at.move(answer)

    assert refused.status_code == 422
    assert refused.json()["error"]
    assert at.state()["moves"] == 0


def test_bots_play(client):
    at = client.table("pig", players=2, seats=[{"name": "Anna"}, {"bot": "random"}])
    assert until(lambda: at.state()["decision"] is None or at.state()["decision"]["mine"])
    course = client.registry.tables[at.id].course
    for number in range(60):
        if 1 in {one.seat for one in course.line}:
            break
        at.move(number % 2, key=str(number))
        assert until(lambda: (now := at.state())["over"] or now["decision"]["mine"])

    assert {one.seat for one in course.line} == {0, 1}
    assert at.state()["bots"] == ["", "random"]


def test_a_seat_is_handed_to_a_bot_and_back(client):
    at = client.table("tic_tac_toe")
    assert at.state(at.token(1))["taken"] == [False, True]
    at.move("a1")
    assert at.ask("POST", "seats/1", at.token(0), bot="greedy").status_code == 403
    assert at.ask("POST", "seats/1", at.token(1), bot="greedy", name="Robot").status_code == 200
    assert until(lambda: at.state()["moves"] == 2)
    at.ask("POST", "seats/1", person=True)

    assert at.state()["names"] == ["player 1", "Robot"]
    assert at.state()["bots"] == ["", ""]
    assert at.state(at.token(1))["seat"] == 1


@pytest.mark.parametrize("bot", ["nobody", "os:system", "x=os:system", "learned:/etc/passwd", "mcts:10h", "mcts:1sx8"])
def test_only_harmless_bots_are_seated(client, bot):
    at = client.table("tic_tac_toe")
    refused = at.ask("POST", "seats/0", bot=bot)

    assert refused.status_code == 422
    assert refused.json()["error"]


def test_two_players_are_not_called_the_same(client):
    at = client.table("tic_tac_toe", seats=[{"name": "Anna"}])

    assert "same name" in at.ask("POST", "seats/1", name="anna").json()["error"]
    assert at.state()["names"] == ["Anna", "player 2"]


def test_the_past_of_a_match(client):
    at = client.table("tic_tac_toe")
    for label in ("a1", "b1", "a2"):
        at.move(label)
    past = at.ask("GET", "at/1").json()

    assert (past["moves"], past["of"], past["decision"]["mine"]) == (1, 3, False)
    assert at.ask("GET", "at/4").status_code == 404
    assert [line["words"] for line in at.ask("GET", "telling").json()] == [
        line["words"] for line in at.state()["telling"]
    ]


def test_a_fork_goes_on_from_there(client):
    at = client.table("tic_tac_toe", seed=4)
    for label in ("a1", "b1", "a2"):
        at.move(label)
    made = at.ask("POST", "fork", at=2).json()
    state = client.get(f"/api/tables/{made['table']}", made["tokens"]["host"])

    assert state["moves"] == 2
    assert at.state()["moves"] == 3
    assert at.ask("POST", "fork", at=7).status_code == 422


def test_a_save_goes_out_and_comes_in(client):
    at = client.table("patolli", seed=4, open=True)
    for _ in range(12):
        at.move(0)
    save = at.ask("GET", "save").json()
    made = client.post("/api/import", OWNER, save=save)
    state = client.get(f"/api/tables/{made['table']}", made["tokens"]["host"])

    assert (
        patolli.load("patolli").restore(at.ask("GET", "save").text).digest()
        == at.ask("GET", "inspect").json()["digest"]
    )
    assert state["scores"] == at.state()["scores"]
    assert state["moves"] == at.state()["moves"]
    assert "is not a save" in client.post("/api/import", OWNER, save="{}")["error"]
    save["choices"] = save["choices"][:-1]
    assert "damaged" in client.post("/api/import", OWNER, save=save)["error"]


def test_bots_of_a_save_play_on(client):
    at = client.table("patolli", seed=4, seats=[{"name": "Ana"}, {"bot": "easy"}])
    save = at.ask("GET", "save").json()

    made = client.post("/api/import", OWNER, save=save, asks=True)

    state = client.get(f"/api/tables/{made['table']}", made["tokens"]["host"])
    assert state["bots"] == ["", "easy"]
    assert state["names"] == ["Ana", "player 2"]


@pytest.mark.parametrize("bots", [None, ["", "one that there is not"], [""]], ids=["none", "unknown", "too few"])
def test_a_save_that_does_not_say_who_plays_is_asked_about(client, bots):
    match = patolli.load("patolli").start(players=2, seed=4)
    match.names = ("Ana", "player 2")
    save = match.to_json() if bots is None else json.dumps(add_checksums({**json.loads(match.to_json()), "bots": bots}))

    assert client.post("/api/import", OWNER, save=save, asks=True) == {"ask": ["Ana", "player 2"]}
    seats = [{"name": "Ana"}, {"name": "Bo", "bot": "easy"}]
    made = client.post("/api/import", OWNER, save=save, asks=True, seats=seats)
    assert client.get(f"/api/tables/{made['table']}", made["tokens"]["host"])["bots"] == ["", "easy"]
    made = client.post("/api/import", OWNER, save=save)
    assert client.get(f"/api/tables/{made['table']}", made["tokens"]["host"])["bots"] == ["", ""]


def test_a_preview_has_no_signs_of_a_terminal(client):
    at = client.table("founders", seed=1)
    options = at.state()["decision"]["options"]
    tile = next(one["index"] for one in options if one["label"] == "green_tile_12")
    found = at.ask("GET", f"preview?index={tile}").json()
    assert found["tells"] == "", "the page draws the tile itself, a terminal writes g"


def test_a_preview_tells_what_an_option_brings(client):
    at = client.table("patolli", seed=4)
    found = at.ask("GET", "preview?index=0").json()

    assert found["index"] == 0
    assert set(found) == {"revision", "index", "tells", "comes", "lies"}
    assert at.ask("GET", "preview?index=400").status_code == 404
    assert at.ask("GET", "preview?index=x").status_code == 422


# ---- taking back


def test_a_player_undoes_what_has_revealed_nothing(client):
    at = client.table("tic_tac_toe")
    at.state(at.token(1))
    at.state(at.token(0))
    at.move("a1", at.token(0))
    assert at.state(at.token(0))["undo"]["may"]
    assert at.ask("POST", "undo", at.token(0), revision=3, key="u").status_code == 200
    assert at.ask("POST", "undo", at.token(0), revision=3, key="u").json() == {"revision": 4}, "it is done once"
    assert at.state()["moves"] == 0
    at.move("a1", at.token(0))
    at.move("b1", at.token(1))
    refused = at.ask("POST", "undo", at.token(0), revision=6)

    assert refused.status_code == 409
    assert "player 2 has chosen since" in refused.json()["error"]
    assert not at.state(at.token(0))["undo"]["may"]


def test_all_together_take_back_what_one_may_not(client):
    at = client.table("tic_tac_toe")
    for seat, label in enumerate(("a1", "b1")):
        at.state(at.token(seat))
        at.move(label, at.token(seat))
    revision = at.state()["revision"]
    at.ask("POST", "undo", at.token(0), revision=revision, all=True, to=0)
    wish = at.state(at.token(1))["undo"]["wish"]
    assert wish == {"to": 0, "by": 0, "agreed": [0]}
    assert at.state()["moves"] == 2
    at.ask("POST", "undo", at.token(1), revision=revision + 1, agree=True)

    assert at.state()["moves"] == 0
    assert at.state()["undo"]["wish"] is None


def test_a_wish_ends_when_a_player_does_not_agree(client):
    at = client.table("tic_tac_toe")
    for seat, label in enumerate(("a1", "b1")):
        at.state(at.token(seat))
        at.move(label, at.token(seat))
    at.ask("POST", "undo", at.token(0), revision=4, all=True)
    at.ask("POST", "undo", at.token(1), revision=5, agree=False)

    assert at.state()["undo"]["wish"] is None
    assert at.state()["moves"] == 2
    assert at.ask("POST", "undo", at.token(1), revision=6, agree=True).status_code == 409


def test_chance_is_not_undone(client):
    at = client.table("pig")
    label = next(one["label"] for one in at.state()["decision"]["options"] if "roll" in one["label"])
    at.move(label)
    refused = at.ask("POST", "undo", revision=1)

    assert refused.status_code == 409
    assert "chance" in refused.json()["error"]
    assert at.ask("POST", "undo", revision=1, all=True).status_code == 200, "alone at the table one may"
    assert at.state()["moves"] == 0


# ---- the workbench


def test_why_something_is_not_offered(client):
    at = client.table("tic_tac_toe")
    at.move("a1")
    why = at.ask("GET", "why?text=a1").json()

    assert why["offered"] is False
    assert "there is no mark of a1" in why["words"]
    assert why["path"].endswith("rules.yaml")
    assert at.ask("GET", "refused").json() == [{"label": "a1", "words": "a1"}]
    assert at.ask("GET", "why?text=z9").status_code == 404
    assert at.ask("GET", "why", at.token(1)).status_code == 422
    told = at.ask("GET", "why?text=a1", at.token(1)).json()
    assert "path" not in str(told)
    assert "yaml" not in str(told), "files are for the host"
    assert at.ask("GET", "why?text=a1", at.token(0)).status_code == 403


def test_why_takes_what_the_page_shows(client):
    at = client.table("chess")
    shown = at.state()["decision"]["options"][0]
    assert shown["words"] != shown["label"]
    assert at.ask("GET", f"why?text={shown['words']}").json()["offered"]
    label, words = next((one["label"], one["words"]) for one in at.ask("GET", "refused").json())
    told = at.ask("GET", f"why?text={words.upper()}").json()

    assert told["offered"] is False
    assert told["words"] == at.ask("GET", f"why?text={label}").json()["words"]


def test_what_stands_behind_a_rule(client):
    at = client.table("patolli")
    found = at.ask("GET", "source?entry=rules/match").json()

    assert found["does"]
    assert found["file"].endswith(".yaml")
    assert found["layers"][0]["how"] == "wrote"
    assert "match" in found["written"]
    assert "card" not in found
    assert at.ask("GET", "source?entry=nothing_such").status_code == 404
    told = at.ask("GET", "source?entry=rules/match", at.token(0)).json()
    assert told["does"] == found["does"]
    assert "file" not in told


def test_a_piece_has_its_card_in_the_gallery(client, tmp_path):
    card = client.table("skerry").ask("GET", "source?entry=pearl").json()["card"]
    page, _, name = card.partition("#")
    shutil.copytree(find("skerry"), tmp_path / "mine")
    own = client.table(str(tmp_path / "mine"))

    assert f'id="{name}"' in client.ask("GET", page).text
    assert "card" not in own.ask("GET", "source?entry=pearl").json(), "the gallery shows installed packs alone"


def test_the_whole_truth_is_for_the_host_alone(client):
    at = client.table("leduc_poker", seed=1)
    for what in ("inspect", "record", "coverage"):
        assert at.ask("GET", what).status_code == 403, "not before the end, though no other player has come yet"
    assert not at.state()["all"]
    for what in ("inspect", "record", "save"):
        assert at.ask("GET", what, at.token(0)).status_code == 403
        assert at.ask("GET", what).status_code == 403, "not when another player plays, too"
    assert at.ask("POST", "fork", at=0).status_code == 403
    assert at.ask("GET", "save?seat=", at.token(0)).json()["seat"] == 0
    assert at.ask("GET", "save?seat=", at.tokens["watch"]).status_code == 403
    open_ = client.table("leduc_poker", seed=1, open=True)
    assert open_.state(open_.token(0))["open"]
    truth = open_.ask("GET", "inspect").json()
    assert {place["place"] for place in truth["places"]}
    assert truth["seed"] == 1


# ---- lists


def test_tables_are_listed_without_playing_them_again(client):
    at = client.table("tic_tac_toe", seats=[{"name": "Anna"}])
    at.move("a1")
    at.move("b1")
    at.ask("POST", "undo", revision=2)
    known = client.get("/api/tables", OWNER)[0]
    del client.registry.tables[at.id]
    again = client.get("/api/tables", OWNER)[0]

    assert known == {
        "table": at.id, "pack": "tic_tac_toe", "title": "Tic-tac-toe", "moves": 1, "over": False, "next": 1,
        "yours": True, "latest": "Anna: a1", "names": ["Anna", "player 2"], "tokens": at.tokens,
    }  # fmt: skip
    assert again == {**known, "latest": ""}
    assert at.id not in client.registry.tables
    assert at.state()["moves"] == 1


def test_a_table_is_removed_by_its_host(client):
    at, other = client.table("tic_tac_toe"), client.table("tic_tac_toe")
    at.move("a1")
    assert client.ask("DELETE", at.path, at.token(0)).status_code == 403
    assert client.ask("DELETE", at.path, other.host).status_code == 401
    assert client.ask("DELETE", at.path, at.host).json() == {"removed": at.id}

    assert client.ask("GET", at.path, at.host).status_code == 401
    listed = [one["table"] for one in client.get("/api/tables", OWNER)]
    assert at.id not in listed
    assert listed[0] == other.id, "the newest first"
    assert client.registry.store.call(lambda store: store.acts(at.id)) == []


def test_a_pack_by_its_path_is_offered_first():
    with Client(packs=["tests/data/kuhn"]) as client:
        first = client.get("/api/packs")[0]
        made = client.post("/api/tables", OWNER, pack=first["id"], players=2)

    assert first["id"] == "tests/data/kuhn"
    assert "table" in made


@pytest.mark.parametrize(("pack", "words"), [("tik_tac_toe", "did you mean 'tic_tac_toe'"), ("mansion", "is a module")])
def test_what_cannot_be_opened_is_reported_before_a_browser_is(pack, words):
    found = CliRunner().invoke(main, ["studio", pack, "--no-browser"])

    assert found.exit_code == 2
    assert words in found.output


def test_a_bot_that_fails_is_reported_and_another_takes_its_place(client, monkeypatch):
    async def broken(self, question):
        raise BotError(question.kind, question.seat, "it has no idea", [])

    monkeypatch.setattr("patolli.serve.studio.bots.Bots.decide", broken)
    at = client.table("tic_tac_toe", seats=[{"bot": "random"}])
    assert until(lambda: at.state()["content"]["fault"])
    assert "it has no idea" in at.state()["content"]["fault"]
    monkeypatch.undo()
    at.ask("POST", "seats/0", bot="greedy")
    assert until(lambda: at.state()["moves"] == 1)

    assert at.state()["content"]["fault"] == ""


def test_list_says_of_tables_that_are_not_in_memory_who_decides_and_whether_they_are_over(client):
    running, over = (
        client.table("tic_tac_toe"),
        client.table("tic_tac_toe", seats=[{"bot": "random"}, {"bot": "random"}]),
    )
    running.move("a1")
    assert until(lambda: over.state()["over"])
    listed = [one for one in client.get("/api/tables", OWNER) if one["table"] in (running.id, over.id)]
    for at in (running, over):
        client.registry.tables.pop(at.id, None)
    again = [one for one in client.get("/api/tables", OWNER) if one["table"] in (running.id, over.id)]

    assert [(one["over"], one["next"], one["yours"]) for one in again] == [(True, None, False), (False, 1, True)]
    assert [{**one, "latest": ""} for one in listed] == again


def test_spectators_and_hosts_of_bots_get_the_score_sheet_at_the_end(client):
    at = client.table("goofspiel", seats=[{"bot": "random"}, {"bot": "random"}])
    assert until(lambda: at.state()["over"])
    sheets = [client.get(at.path, token)["sheet"] for token in (at.host, at.tokens["watch"])]

    assert sheets[0]["categories"]
    assert None not in sheets[0]["totals"]
    assert sheets[0] == sheets[1]
