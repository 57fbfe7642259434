"""A store that is locked, full, or hangs: one clear sentence, no other player waits, and nothing that was answered is lost."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import closing

import pytest
from busy import within
from studio.sitting_down import OWNER, Client

from patolli.serve.studio.acts import Act, Setup
from patolli.serve.studio.refusals import Gone, Stale, Unavailable
from patolli.serve.studio.seats import NAME, Seats, new_name
from patolli.serve.studio.store import Sqlite
from patolli.serve.studio.store_access import StoreAccess
from patolli.serve.studio.table import places

SENTENCE = {"error": "the store does not respond; reload the table in a moment"}


class Hanging(Sqlite):
    """A store whose writes wait until they are let go; they succeed then."""

    def __init__(self, path=None):
        super().__init__(path)
        self.free = threading.Event()
        self.free.set()

    def append(self, id_, act):
        assert self.free.wait(30)
        super().append(id_, act)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "studio.db"


def timed(ask):
    began = time.perf_counter()
    return ask(), time.perf_counter() - began


def recovered(at, label, revision, key):
    """Send a move again with its key until the store takes it; return the answer."""
    end = time.monotonic() + 10
    while (answer := at.move(label, key=key, revision=revision)).status_code == 503:
        assert time.monotonic() < end, "the table does not recover"
    return answer.json()


@pytest.fixture
def hanging():
    store = Hanging()
    with Client(store) as client:
        yield client, store
        store.free.set()


def test_a_store_that_hangs_is_reported_and_delays_no_player(hanging):
    client, store = hanging
    at, other = client.table("tic_tac_toe"), client.table("tic_tac_toe")
    at.move("a1")
    store.free.clear()

    refused, took = timed(lambda: at.move("b1", key="k", revision=1))
    assert (refused.status_code, refused.json()) == (503, SENTENCE)
    assert took < within(0.9)
    for ask in (
        lambda: other.move("a1", revision=0),
        lambda: client.ask("POST", "/api/tables", OWNER, json={"pack": "tic_tac_toe", "players": 2}),
    ):
        answer, took = timed(ask)
        assert (answer.status_code, answer.json()) == (503, SENTENCE)
        assert took < within(0.3), "the first one waited, the others do not"
    for one in (at, other):
        state, took = timed(one.state)
        assert state["moves"] == (1 if one is at else 0), "what was confirmed is shown"
        assert took < within(0.3)

    store.free.set()
    assert recovered(at, "b1", 1, "k") == {"revision": 2}
    assert recovered(other, "a1", 0, "o") == {"revision": 1}
    assert [act.data["label"] for act in store.acts(at.id)] == ["a1", "b1"]
    assert at.state()["moves"] == 2


@pytest.mark.parametrize("key", ["k", ""])
def test_an_act_that_was_written_before_is_written(key):
    store, act = Sqlite(None), Act(1, "wish", {"to": 0}, key)
    store.add("t", Setup("pig", (), {}, 2, 7), Seats.new(places([], 2, 0)), "hash", [act])
    if key:
        store.append("t", act)
    for other in (Act(1, "wish", {}, key), Act(1, "wish", {"to": 0}, "other"), Act(1, "wish", {"to": 0})):
        with pytest.raises(Stale):
            store.append("t", other)

    assert store.acts("t") == [act]
    store.close()


def test_what_was_written_late_is_shown_to_those_who_look(hanging):
    client, store = hanging
    at = client.table("tic_tac_toe")

    async def look():
        return client.registry.look(at.id, at.host)

    event = client.run(look())
    store.free.clear()
    assert at.move("a1").status_code == 503
    client.loop.call_soon_threadsafe(event.clear)
    store.free.set()
    end = time.monotonic() + 5
    while not (event.is_set() and at.state()["moves"]):
        assert time.monotonic() < end
    client.registry.look_away(at.id, event)

    assert at.state()["moves"] == 1


def test_a_bot_goes_on_when_the_store_does(hanging, monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.bot_tasks.AGAIN", 0.05)
    client, store = hanging

    async def decide(self, question):
        return 0

    monkeypatch.setattr("patolli.serve.studio.bots.Bots.decide", decide)
    at = client.table("tic_tac_toe", seats=[{}, {"bot": "random"}])
    append, failed = store.append, []

    def fail(id_, act):
        if act.revision == 2 and not failed:
            failed.append(act)
            raise sqlite3.OperationalError("disk I/O error")
        append(id_, act)

    store.append = fail
    assert at.move("a1").status_code == 200
    end = time.monotonic() + 10
    while at.state()["moves"] < 2:
        assert time.monotonic() < end
    assert failed
    assert at.state()["content"]["fault"] == ""


def test_a_locked_store(file):
    with Client(Sqlite(file)) as client, closing(sqlite3.connect(file, isolation_level=None)) as locker:
        at = client.table("tic_tac_toe")
        locker.execute("begin immediate")
        refused, took = timed(lambda: at.move("a1", key="k", revision=0))
        assert (refused.status_code, refused.json()) == (503, SENTENCE)
        assert took < within(0.9)
        assert at.state()["moves"] == 0
        locker.execute("rollback")

        assert recovered(at, "a1", 0, "k") == {"revision": 1}
        assert at.move("b1").json() == {"revision": 2}
        assert [act.revision for act in client.registry.store.call(lambda store: store.acts(at.id))] == [1, 2]


def test_a_full_store(file):
    store = Sqlite(file)
    with Client(store) as client:
        at = client.table("tic_tac_toe")
        pages = store._base.execute("pragma page_count").fetchone()[0]
        store._base.execute(f"pragma max_page_count={pages}")
        told = []
        for number in range(60):  # until the last page is full
            answer = client.ask(
                "POST", "/api/tables", OWNER, json={"pack": "tic_tac_toe", "players": 2, "seed": number}
            )
            if answer.status_code != 201:
                told.append(answer)
        assert {(one.status_code, one.json()["error"]) for one in told} == {(503, SENTENCE["error"])}
        assert at.state()["moves"] == 0

        store._base.execute("pragma max_page_count=1000000")
        assert recovered(at, "a1", 0, "k") == {"revision": 1}
        assert client.table("tic_tac_toe").state()["moves"] == 0


def test_a_store_that_fails_at_its_end_takes_the_next_transaction(file):
    store = Sqlite(file)
    seats = Seats.new(places([], 2, 0))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("begin immediate")
        store._base.execute("pragma busy_timeout=1")
        with pytest.raises(store.faults):
            store.add("t", Setup("pig", (), {}, 2, 7), seats, "hash", [])
        other.execute("rollback")
    with pytest.raises(store.faults):  # the second act has the revision of the first
        store.add("t", Setup("pig", (), {}, 2, 7), seats, "hash", [Act(1, "wish", {}), Act(1, "wish", {})])
    assert store.setup("t") is None
    store.add("t", Setup("pig", (), {}, 2, 7), seats, "hash", [])

    assert store.ids() == ["t"]
    store.close()


def test_new_content_waits_for_the_store(tmp_path):
    store = Sqlite(None)
    with Client(store) as client:
        at = client.table("tic_tac_toe")
        table = client.registry.tables[at.id]
        before = (table.rules, table.match, table.past, table.course.content)

        class Other:
            content_hash = "other"

            def __getattr__(self, name):
                return getattr(before[0], name)

        def fail(id_, act):
            raise Unavailable

        table.journal = fail
        with pytest.raises(Unavailable):
            table.adopt(Other())
        assert (table.rules, table.match, table.past, table.course.content) == before, "nothing has changed"


# ---- what the wait for a store is made of


class Slow:
    """A store that is as slow as it has to be."""

    faults = (OSError,)

    def __init__(self):
        self.calls, self.free = [], threading.Event()

    def work(self, name):
        self.calls.append(name)
        if name == "hang":
            assert self.free.wait(30)
        if name == "fail":
            raise OSError("no space left")
        return name

    def close(self):
        self.calls.append("closed")


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.store_access.WAIT_SECONDS", 0.05)
    store = Slow()
    access = StoreAccess(store)
    yield access, store
    store.free.set()
    access.close()


def test_calls_behind_one_that_hangs_are_refused_at_once(slow, caplog):
    access, store = slow
    with pytest.raises(Unavailable):
        access.call(lambda store: store.work("hang"))
    for _ in range(100):
        with pytest.raises(Unavailable):
            access.call(lambda store: store.work("x"))
        with pytest.raises(Unavailable):
            asyncio.run(access.ask(lambda store: store.work("x")))
    assert store.calls == ["hang"], "nothing piles up"
    assert len(caplog.records) == 1
    store.free.set()
    access._late.result(5)

    assert access.call(lambda store: store.work("y")) == "y"
    assert asyncio.run(access.ask(lambda store: store.work("z"))) == "z"


def test_what_waited_in_vain_is_not_done_later(slow):
    access, store = slow
    late = access._begin(lambda store: store.work("hang"))
    with pytest.raises(Unavailable):
        access.call(lambda store: store.work("behind"))
    store.free.set()
    late.result(5)

    assert access.call(lambda store: store.work("last")) == "last"
    assert store.calls == ["hang", "last"]


def test_a_fault_is_reported_and_the_next_call_is_made(slow, caplog):
    access, _ = slow
    with pytest.raises(Unavailable):
        access.call(lambda store: store.work("fail"))

    assert "no space left" in caplog.text
    assert access.call(lambda store: store.work("y")) == "y"


def test_a_store_that_hangs_does_not_hold_up_the_end(slow):
    access, _ = slow
    with pytest.raises(Unavailable):
        access.call(lambda store: store.work("hang"))
    _, took = timed(access.close)

    assert took < within(0.5)


# ---- two servers, and tables that were removed


def test_a_removed_table_takes_nothing_more(file):
    one, two = Sqlite(file), Sqlite(file)
    one.add("t", Setup("pig", (), {}, 2, 7), Seats.new(places([], 2, 0)), "hash", [Act(1, "wish", {})])
    with pytest.raises(Stale):
        two.append("t", Act(1, "wish", {}))
    two.remove("t")

    with pytest.raises(Gone):
        one.append("t", Act(2, "wish", {}))
    assert one.acts("t") == []
    one.close()
    two.close()


def test_tokens_of_a_table_that_another_server_has_removed(file):
    with Client(Sqlite(file)) as one, Client(Sqlite(file)) as two:
        at = one.table("tic_tac_toe")
        tokens = [at.host, at.tokens["watch"], *at.tokens["seat"]]
        for token in tokens:
            assert two.ask("GET", at.path, token).status_code == 200
        assert one.ask("DELETE", at.path, at.host).status_code == 200

        for client in (one, two):
            for token in tokens:
                assert client.ask("GET", at.path, token).status_code == 401
                found = client.ask("POST", f"{at.path}/moves", token, json={"revision": 0, "index": 0})
                assert found.status_code == 401
                assert client.ask("GET", f"{at.path}/events", token).status_code == 401
            assert at.id not in client.registry.tables


def test_a_move_that_meets_the_removal_of_its_table():
    with Client() as client:
        at = client.table("tic_tac_toe")
        client.registry.store.call(lambda store: store.remove(at.id))  # by another server, a moment ago

        answer = at.move("a1", revision=0)
        assert (answer.status_code, answer.json()["error"]) == (404, "this table was deleted")
        assert client.ask("GET", at.path, at.host).status_code == 401


def test_tables_are_listed_as_they_were_made_whatever_the_clock_says(file):
    store = Sqlite(file)
    for name in ("first", "second", "third"):
        store.add(name, Setup("pig", (), {}, 2, 7), Seats.new(places([], 2, 0)), "hash", [])
    store._base.execute("update tables set made = '2099-01-01' where id = 'first'")

    assert store.ids() == ["third", "second", "first"]
    store.close()


# ---- names of tables


@pytest.mark.parametrize(
    "name", ["x" * 400, "zzzzzzz", "zzzzzzzzz", "ZZZZZZZZ", "zzzz zzz", "zzzzzzz%0A", "%00", "..", "é" * 8, "iiiiiiii"]
)
def test_names_that_no_table_can_have_are_not_looked_up(name, monkeypatch):
    with Client() as client:
        looked = []
        monkeypatch.setattr(client.registry.store._store, "setup", looked.append)
        assert client.ask("GET", f"/api/tables/{name}", "x").status_code in (401, 404)
        assert client.ask("GET", f"/art/{name}/symbols/x").status_code == 404

        assert looked == []


def test_unknown_names_leave_nothing_behind():
    with Client() as client:
        for _ in range(200):
            assert client.ask("GET", f"/api/tables/{new_name()}/events", "x").status_code == 401
        registry = client.registry

        assert not registry._locks
        assert not registry._lookers
        assert not registry.tables
        assert NAME.fullmatch(new_name())
