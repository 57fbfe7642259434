"""The chat of a table: two rooms, kept with the table, outside the match."""

from __future__ import annotations

import json

import pytest
from studio.sitting_down import Client

from patolli.serve.studio import chat
from patolli.serve.studio.acts import Act
from patolli.serve.studio.states import state_of
from patolli.serve.studio.store import Sqlite
from patolli.serve.studio.stream import _events
from patolli.serve.studio.wire import encode_json


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Accept every message, however fast they come."""
    monkeypatch.setattr(chat, "PAUSE", 0.0)


def seated(client):
    """A table at which both players have come by their links."""
    at = client.table("leduc_poker", seats=[{"name": "Ada"}, {"name": "Bob"}], seed=3)
    for seat in (0, 1):
        at.state(at.token(seat))
    return at


def streamed(client, at, token, number=2):
    """The first events of a new stream, as bytes."""

    async def read():
        stream = _events(client.registry, at.id, token)
        found = [await anext(stream) for _ in range(number)]
        await stream.aclose()
        return found

    return client.run(read())


def read(client, at, token):
    """What a client that has just come reads in its room."""
    event = streamed(client, at, token)[1]
    assert event.startswith(b"event: chat\ndata: ")
    return json.loads(event.removeprefix(b"event: chat\ndata: "))


def say(at, token, words, **more):
    return at.ask("POST", "chat", token, words=words, **more)


def test_players_and_spectators_have_a_room_each(client):
    at = seated(client)
    ada, bob, watch = at.token(0), at.token(1), at.tokens["watch"]
    assert say(at, ada, "Good luck!").json() == {"room": "players"}
    assert say(at, watch, "Ada holds a king, I guess").json() == {"room": "spectators"}
    assert say(at, bob, "You, too").status_code == 200
    assert say(at, at.host, "I only watch").json() == {"room": "spectators"}, "both seats are taken"

    lines = [{"seat": 0, "words": "Good luck!"}, {"seat": 1, "words": "You, too"}]
    assert read(client, at, ada) == read(client, at, bob) == {"room": "players", "after": 0, "lines": lines}
    lines = [{"seat": -1, "words": "Ada holds a king, I guess"}, {"seat": -1, "words": "I only watch"}]
    assert read(client, at, watch) == read(client, at, at.host) == {"room": "spectators", "after": 0, "lines": lines}


def test_no_byte_for_others_depends_on_a_message(client):
    at = seated(client)
    table = client.registry.tables[at.id]
    groups = {"players": (at.token(0), at.token(1)), "spectators": (at.tokens["watch"], at.host)}
    for room, sender in (("players", at.token(0)), ("spectators", at.tokens["watch"])):
        others = groups["spectators" if room == "players" else "players"]

        def everything(tokens=others):
            states = [encode_json(state_of(table, table.seats.who(token), token)) for token in tokens]
            return [states, [streamed(client, at, token) for token in tokens]]

        before, save, digest = everything(), table.match.to_json(), table.match.digest()
        assert say(at, sender, "secret " * 9).json() == {"room": room}
        assert everything() == before
        assert (table.match.to_json(), table.match.digest()) == (save, digest)


def test_a_message_reaches_open_pages_of_its_room_alone(client):
    at = seated(client)

    async def follow():
        ada, watch = (_events(client.registry, at.id, token) for token in (at.token(0), at.tokens["watch"]))
        for stream in (ada, watch):
            for _ in range(2):
                await anext(stream)
        return ada, watch

    ada, watch = client.run(follow())
    say(at, at.token(1), "Hello")
    say(at, at.tokens["watch"], "Psst")

    async def next_ones():
        found = [await anext(ada), await anext(watch)]
        await ada.aclose()
        await watch.aclose()
        return found

    one, two = client.run(next_ones())
    assert json.loads(one.split(b"data: ")[1]) == {
        "room": "players",
        "after": 0,
        "lines": [{"seat": 1, "words": "Hello"}],
    }
    assert json.loads(two.split(b"data: ")[1])["lines"] == [{"seat": -1, "words": "Psst"}]


def test_nothing_is_lost_when_a_server_starts_again(tmp_path):
    with Client(Sqlite(tmp_path / "a.db")) as first:
        at = seated(first)
        at.move(0)
        say(at, at.token(0), "one", key="k")
        say(at, at.tokens["watch"], "two")
        at.move(0)
        say(at, at.token(1), "three")
        moves = at.state()["moves"]
    with Client(Sqlite(tmp_path / "a.db")) as second:
        assert [one["words"] for one in read(second, at, at.token(0))["lines"]] == ["one", "three"]
        assert [one["words"] for one in read(second, at, at.tokens["watch"])["lines"]] == ["two"]
        assert second.get(at.path, at.host)["moves"] == moves
        again = second.ask("POST", f"{at.path}/chat", at.token(0), json={"words": "one", "key": "k"})
        assert again.status_code == 200
        assert len(read(second, at, at.token(0))["lines"]) == 2, "a repeated request does nothing"


def test_two_servers_share_a_chat(tmp_path):
    with Client(Sqlite(tmp_path / "a.db")) as one, Client(Sqlite(tmp_path / "a.db")) as two:
        at = seated(one)
        say(at, at.token(0), "from one")
        path = f"{at.path}/chat"
        assert two.ask("POST", path, at.token(1), json={"words": "from two"}).status_code == 200
        assert say(at, at.token(0), "again").status_code in (200, 409)
        assert [line["words"] for line in read(one, at, at.token(0))["lines"]][:2] == ["from one", "from two"]
        assert read(one, at, at.token(0)) == read(two, at, at.token(0))


def test_a_message_is_one_plain_line_of_limited_length(client, subtests):
    at = seated(client)
    ada = at.token(0)
    for words, status in (
        ("", 422),
        (" \n\t", 422),
        ("\u200d", 422),
        (7, 422),
        (None, 422),
        ("a" * 301, 422),
        ("a\0b", 422),
    ):
        with subtests.test(words=words):
            assert say(at, ada, words).status_code == status
    for words in ("a" * 300, "<b>&amp;</b>\n\x07 \u202egnirts", "👩\u200d🚀 日本"):
        assert say(at, ada, words).status_code == 200
    kept = [line["words"] for line in read(client, at, ada)["lines"]]
    assert kept == ["a" * 300, "<b>&amp;</b> gnirts", "👩\u200d🚀 日本"]
    assert client.ask("POST", f"{at.path}/chat", "wrong", json={"words": "x"}).status_code == 401


def test_messages_are_limited_in_time_and_number(client, monkeypatch):
    at = seated(client)
    monkeypatch.setattr(chat, "PAUSE", 60.0)
    told = [say(at, at.token(0), f"{n}").status_code for n in range(chat.BURST + 1)]
    assert told == [200] * chat.BURST + [429]
    assert say(at, at.token(1), "I am another").status_code == 200
    monkeypatch.setattr(chat, "MOST", chat.BURST + 1)
    assert say(at, at.token(1), "one more").status_code == 409
    assert say(at, at.tokens["watch"], "another room").status_code == 200


def test_whose_seat_a_bot_has_reads_with_spectators(client):
    at = seated(client)
    say(at, at.token(1), "brb")
    assert at.ask("POST", "seats/1", at.token(1), bot="random").status_code == 200
    assert read(client, at, at.token(1))["room"] == "spectators"
    assert at.ask("POST", "seats/1", at.token(1), person=True).status_code == 200
    assert [one["words"] for one in read(client, at, at.token(1))["lines"]] == ["brb"]


def test_a_message_that_is_read_twice_stands_once():
    one, known = Act(-1, "chat", {"room": "players", "seat": 0, "words": "hi"}), chat.Chat()
    known.take([one])
    known.take([one])

    assert known.lines("players") == [{"seat": 0, "words": "hi"}]
