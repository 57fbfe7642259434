"""Whose a seat is: its link, a bot in its place, what the host may look into, and what may be undone."""

from __future__ import annotations

from functools import partial

import pytest
from busy import until
from studio.sitting_down import OWNER, Client


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


def places(state):
    """Return the scene of a state as text, for comparing what is seen."""
    return str(state["scene"])


# ---- one screen, several hands


def test_the_past_is_seen_as_the_player_who_sits_there_now(client):
    at = client.table("promises", players=3, seed=3, seats=[{"name": name} for name in ("Ada", "Bob", "Cleo")])
    state = at.state()
    while state["seat"] == 0:
        at.move(0)
        state = at.state()
    other = state["seat"]
    for number in range(state["moves"]):
        past = at.ask("GET", f"at/{number}").json()
        assert past["seat"] == other, "not with the eyes of who decided then"
        assert past["decision"]["options"] == []


def test_where_nothing_is_hidden_the_past_shows_what_was_offered(client):
    at = client.table("tic_tac_toe")
    at.move("a1")

    assert len(at.ask("GET", "at/0").json()["decision"]["options"]) == 9


# ---- what the host may look into


@pytest.mark.parametrize("pack", ["leduc_poker", "pig", "goofspiel"])
def test_the_host_sees_no_more_than_the_players_at_a_closed_table(client, pack):
    at = client.table(pack, seed=1)

    for what in ("inspect", "record", "coverage"):
        assert at.ask("GET", what).status_code == 403, what
    assert at.ask("POST", "fork", at=0, open=True).status_code == 403


def test_where_nothing_is_hidden_and_nothing_left_to_chance_the_truth_is_reported(client):
    at = client.table("tic_tac_toe")

    assert at.state()["all"]
    at.state(at.token(1))
    assert not at.state()["all"]


def test_that_the_host_has_a_save_of_everything_is_reported_to_all(client):
    at = client.table("leduc_poker", seed=1)
    assert not at.state()["saved"]
    assert at.ask("GET", "save").json()["seed"] == 1

    assert at.state(at.token(1))["saved"]
    assert at.ask("GET", "save").status_code == 403, "not when another player plays, too"
    plain = client.table("tic_tac_toe")
    plain.ask("GET", "save")
    assert not plain.state()["saved"]


# ---- links


def test_the_host_holds_no_link_of_a_seat_that_is_taken_or_a_bots(client):
    at = client.table("leduc_poker", players=2, seats=[{"name": "Ada"}, {"name": "Berta"}])
    berta = at.token(1)
    at.state(berta)

    assert at.ask("GET", "tokens").json()["seat"] == [at.token(0), None]
    assert at.ask("POST", "seats/0", name="Anna").json()["tokens"]["seat"][1] is None
    listed = next(one for one in client.get("/api/tables", OWNER) if one["table"] == at.id)
    assert listed["tokens"]["seat"][1] is None
    made = client.post("/api/tables", OWNER, pack="leduc_poker", players=2, seats=[{}, {"bot": "random"}])
    assert made["tokens"]["seat"][1] is None


def test_a_new_link_replaces_the_old_one_and_all_are_reported(client):
    at = client.table("leduc_poker", seed=1)
    old = at.token(1)
    at.state(old)
    assert at.ask("POST", "seats/1", old, link=True).status_code == 403
    new = at.ask("POST", "seats/1", link=True).json()["tokens"]["seat"][1]

    assert new not in (old, None)
    before = at.state(old)
    assert (before["seat"], before["away"]) == (None, {"seat": 1, "why": "link"})
    assert places(before) == places(at.state(at.tokens["watch"])), "with the old link one only watches"
    assert [at.state(token)["links"] for token in (at.tokens["watch"], old)] == [[0, 1], [0, 1]]
    assert (at.state()["seat"], at.state()["shared"]) == (0, False), "the seat does not fall to the host"
    assert at.state(new)["seat"] == 1
    assert at.ask("GET", "tokens").json()["seat"][1] is None


def test_a_seat_that_a_bot_has_had_is_its_persons_again(client):
    at = client.table("tic_tac_toe")
    link = at.token(1)
    at.state(link)
    at.ask("POST", "seats/1", bot="random")
    away = at.state(link)
    assert (away["seat"], away["away"]) == (None, {"seat": 1, "why": "bot"})
    at.ask("POST", "seats/1", person=True)

    assert (at.state(link)["seat"], at.state(link)["away"]) == (1, None)
    assert at.state()["taken"][1], "it is not the host's meanwhile"
    at.ask("POST", "seats/1", bot="random")
    assert at.ask("POST", "seats/1", link, person=True).status_code == 200, "who sat there may come back"
    assert at.state(link)["seat"] == 1
    at.ask("POST", "seats/1", bot="random")
    assert at.ask("POST", "seats/1", link=True).status_code == 409, "a bot needs no link"


# ---- taking back


def test_taking_back_what_a_player_has_learned_is_offered_by_asking_alone(client):
    at = client.table("leduc_poker", seed=1)
    while at.state()["moves"] < 40 and not at.state()["over"]:
        at.move(0)
        offered = at.state()["undo"]
        table = client.registry.tables[at.id]
        checked = partial(table.past.find_cached, len(table.match.choices) - 1)
        assert until(lambda checked=checked: checked() is not None), "it is never checked whether it may be undone"
        before, offered = table.stirred, at.state()["undo"]
        refused = at.ask("POST", "undo", revision=at.state()["revision"])
        assert offered["may"] == (refused.status_code == 200), offered
        if refused.status_code != 200:
            assert offered["why"] in refused.json()["error"]
            assert table.stirred > before
            return
        at.move(0)
    pytest.fail("nothing was learned in a whole match")


def test_chance_is_known_at_once_to_stand_in_the_way(client):
    at = client.table("pig", seed=1)
    at.move(next(one["index"] for one in at.state()["decision"]["options"] if "roll" in one["label"]))

    assert not at.state()["undo"]["may"]
    assert "chance" in at.state()["undo"]["why"]


# ---- several things


def test_what_was_chosen_of_several_things_is_reported(client):
    at = client.table("promises", players=3, seed=3)
    first = at.state()["decision"]
    assert first["chosen"] == []
    words = first["options"][1]["words"]
    at.move(1)
    after = at.state()["decision"]

    assert (after["player"], after["chosen"]) == (first["player"], [words])
    assert words not in [one["words"] for one in after["options"]]
    assert "chosen" not in at.state(at.token(2))["decision"], "no other player reads it"


def choosing_two(client):
    """A table at which two of the hand are given away, and the labels of what can be chosen, the later ones last."""
    at = client.table("promises", players=3, seed=3)
    decision = at.state()["decision"]
    labels = [one["label"] for one in [*decision["options"], *decision["later"]]]
    assert decision["several"]
    assert decision["later"], "the last of the hand is offered by the rules only behind another"
    return at, labels


def together(at, labels, **more):
    revision = at.state()["revision"]
    return at.ask("POST", "moves", revision=revision, labels=labels, **more)


def test_several_things_are_chosen_in_any_order(client):
    at, labels = choosing_two(client)
    begun = together(at, [labels[-1]]).json()

    assert labels[0] in begun["more"]["left"]
    assert labels[-1] not in begun["more"]["left"]
    assert at.state()["moves"] == 0, "nothing is decided before it is all"
    ended = together(at, [labels[-1], labels[0]], key="both")
    assert ended.json()["revision"] > begun["revision"], ended.text
    assert at.ask("POST", "moves", revision=0, labels=[labels[-1], labels[0]], key="both").json() == ended.json()
    assert not at.state()["decision"]["chosen"]
    other = client.table("promises", players=3, seed=3)
    for label in (labels[0], labels[-1]):
        if label in [one["label"] for one in other.state()["decision"]["options"]]:
            other.move(label)
    assert client.registry.tables[at.id].match.state == client.registry.tables[other.id].match.state


def test_what_was_chosen_together_is_undone_together(client):
    at, labels = choosing_two(client)
    before = client.registry.tables[at.id].match.digest()
    together(at, [labels[1], labels[0]])
    table = client.registry.tables[at.id]
    assert [made.behind for made in table.course.line] == [False, True]

    assert at.ask("POST", "undo", revision=at.state()["revision"], key="back").is_success
    assert client.registry.tables[at.id].match.digest() == before


@pytest.mark.parametrize(
    ("labels", "status"),
    [(["nothing of the kind"], 422), ("all", 422), ([1], 422)],
    ids=["unknown", "a text", "numbers"],
)
def test_what_cannot_be_chosen_together_is_refused(client, labels, status):
    at, _ = choosing_two(client)

    assert together(at, labels).status_code == status
    assert at.state()["moves"] == 0
