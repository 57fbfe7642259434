"""A pack that takes long to load holds up its own table alone, and not the end of the program."""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
import time

import pytest
from busy import until, within
from studio.sitting_down import OWNER, Client

from patolli.serve.studio import rule_coverage, shelf, workbench
from patolli.serve.studio.guard import LARGEST
from patolli.serve.studio.priority_queue import ANSWER, SHOW, WorkQueue, table_served
from patolli.serve.studio.store import Sqlite


@pytest.fixture
def slow(monkeypatch):
    """Lets pig load only when it may; others as ever."""
    free, load, begun = threading.Event(), shelf.load, []

    def wait(name, *more):
        if name == "pig":
            begun.append(name)
            assert free.wait(60)
        return load(name, *more)

    monkeypatch.setattr(shelf, "load", wait)
    free.begun = begun
    yield free
    free.set()


def begin(client, pack):
    """Ask for a table, and do not wait for it."""
    ask = client._ask(
        "POST", "/api/tables", headers={"authorization": f"Bearer {OWNER}"}, json={"pack": pack, "players": 2}
    )
    return asyncio.run_coroutine_threadsafe(ask, client.loop)


def test_a_slow_pack_delays_no_other_player(slow, tmp_path):
    with Client(Sqlite(tmp_path / "studio.db")) as before:
        kept = before.table("tic_tac_toe")
    with Client(Sqlite(tmp_path / "studio.db")) as client:
        asked = [begin(client, "pig") for _ in range(6)]
        assert until(lambda: slow.begun)
        began = time.perf_counter()
        assert client.ask("GET", kept.path, kept.host).status_code == 200, "one that is not in memory"
        at = client.table("tic_tac_toe")
        assert at.move("a1").status_code == 200
        assert client.ask("GET", "/api/packs").status_code == 200
        assert client.ask("GET", "/api/tables", OWNER).status_code == 200
        assert time.perf_counter() - began < within(5)
        assert not any(one.done() for one in asked)
        assert len(slow.begun) == 1, "those who want the same wait for one that loads it"
        slow.set()

        assert [one.result(30).status_code for one in asked] == [201] * 6


def test_a_table_of_a_slow_pack_is_loaded_again_beside_others(slow, tmp_path, monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.content_updates.EVERY", 0.02)
    slow.set()
    with Client(Sqlite(tmp_path / "a.db")) as client, Client(Sqlite(tmp_path / "a.db")) as elsewhere:
        at, other = client.table("pig"), client.table("tic_tac_toe")

        async def look():
            return [client.registry.look(one.id, one.host) for one in (at, other)]

        events = client.run(look())
        slow.clear()
        del slow.begun[:]
        name = shelf.name_of(client.registry.tables[at.id].setup)
        monkeypatch.setattr(client.registry.shelf._loaded[name].watch, "detect_change", lambda: True)
        assert until(lambda: slow.begun)
        elsewhere.ask("POST", f"{other.path}/moves", other.host, json={"revision": 0, "index": 0})
        assert until(lambda: client.registry.tables[other.id].revision == 1)
        slow.set()
        for one, event in zip((at, other), events, strict=True):
            client.registry.look_away(one.id, event)


@pytest.mark.parametrize(
    ("module", "work", "path"),
    [(workbench, "entry_data", "source?entry=match"), (rule_coverage, "_follow", "coverage?entry=match")],
)
def test_other_tables_go_on_while_the_rules_are_described(module, work, path, monkeypatch):
    begun, free, before = threading.Event(), threading.Event(), getattr(module, work)

    def wait(*given):
        begun.set()
        assert free.wait(60)
        return before(*given)

    monkeypatch.setattr(module, work, wait)
    with Client() as client:
        at, other = client.table("tic_tac_toe", open=True), client.table("tic_tac_toe")
        ask = client._ask("GET", f"{at.path}/{path}", headers={"authorization": f"Bearer {at.host}"})
        asked = asyncio.run_coroutine_threadsafe(ask, client.loop)
        assert begun.wait(60)
        moved = begin_move(client, other)
        answered = until(moved.done, 20)
        free.set()

        assert answered, "another table waits"
        assert asked.result(60).status_code == moved.result(60).status_code == 200


@pytest.mark.parametrize(
    "work", ["patolli.serve.studio.wire._storable", "patolli.serve.studio.table_registry.parse_save"]
)
def test_a_large_save_is_read_beside_the_event_loop(work, monkeypatch):
    module, _, name = work.rpartition(".")
    threads, before = [], getattr(sys.modules[module], name)

    def note(*given):
        threads.append(threading.current_thread())
        return before(*given)

    with Client() as client:
        at = client.table("tic_tac_toe")
        save = client.get(f"{at.path}/save", at.host)
        monkeypatch.setattr(work, note)
        data = {"save": save, "seats": [{}, {}], "more": "x" * LARGEST}
        assert client.ask("POST", "/api/import", OWNER, json=data).status_code == 201
        assert threads
        assert client.thread not in threads


def begin_move(client, at):
    """Move at a table, and do not wait for it."""
    ask = client._ask(
        "POST", f"{at.path}/moves", headers={"authorization": f"Bearer {at.host}"}, json={"revision": 0, "index": 0}
    )
    return asyncio.run_coroutine_threadsafe(ask, client.loop)


def test_a_slow_pack_does_not_hold_up_the_end(slow):
    client = Client()
    with client:
        asked = begin(client, "pig")
        assert until(lambda: slow.begun)
        asked.cancel()  # as the server does with requests that it does not wait for
        began = time.perf_counter()
    assert time.perf_counter() - began < within(2)
    slow.set()


def test_the_end_of_a_queue():
    lane, free, done = WorkQueue("test"), threading.Event(), []
    first = lane.submit(ANSWER, free.wait, 30)
    assert until(first.running)
    shown, answered = lane.submit(SHOW, done.append, "shown"), lane.submit(ANSWER, done.append, "answered")
    threading.Timer(0.1, free.set).start()
    lane.close()

    assert answered.done()
    assert shown.cancelled()
    assert done == ["answered"], "who waits is answered, what is only shown is dropped"


def test_a_lane_of_several_threads_goes_on_beside_one_that_takes_long():
    lane, free = WorkQueue("test", 2), threading.Event()
    slow = lane.submit(ANSWER, free.wait, 30)
    assert lane.submit(ANSWER, len, "abc").result(5) == 3
    assert not slow.done()
    free.set()
    lane.close()


def in_turn(lane, table, work, *given):
    """Queue work for a table."""
    context = contextvars.copy_context()
    context.run(table_served.set, table)
    return context.run(lane.submit, ANSWER, work, *given)


def test_tables_take_turns():
    lane, free, done = WorkQueue("test"), threading.Event(), []
    lane.submit(ANSWER, free.wait, 30)
    last = [in_turn(lane, table, done.append, table) for table in "aaaabcb"][3]
    free.set()
    last.result(30)
    lane.close()

    assert done == ["a", "b", "c", "a", "b", "a", "a"]
    assert not lane._turns, "nothing is kept of tables that wait no more"


@pytest.fixture
def stopped():
    """A client whose rules thread waits, and what lets it go on."""
    with Client() as client:
        free = threading.Event()
        yield client, free
        free.set()


def test_many_requests_at_one_table_delay_no_other(stopped, monkeypatch):
    client, free = stopped
    at, other, done = client.table("tic_tac_toe"), client.table("tic_tac_toe"), []
    monkeypatch.setattr("patolli.serve.studio.states.state_of", lambda table, *_: done.append(table.id))
    lane = client.registry._rules
    lane.submit(ANSWER, free.wait, 30)
    asked = [begin_look(client, at) for _ in range(20)]
    assert until(lambda: lane._waiting.qsize() == 20)
    asked.append(begin_look(client, other))
    assert until(lambda: lane._waiting.qsize() == 21)
    free.set()

    assert [one.result(30).status_code for one in asked] == [200] * 21
    assert done.index(other.id) <= 1


def begin_look(client, at):
    """Ask for the state of a table, and do not wait for it."""
    ask = client._ask("GET", at.path, headers={"authorization": f"Bearer {at.host}"})
    return asyncio.run_coroutine_threadsafe(ask, client.loop)


def test_pages_with_the_same_link_share_a_state(stopped):
    client, free = stopped
    lane, drawn = client.registry._rules, []

    def draw(*given):
        drawn.append(given)
        return len(drawn)

    async def look(*given):
        return await client.registry.draw(draw, *given)

    lane.submit(ANSWER, free.wait, 30)
    asked = [asyncio.run_coroutine_threadsafe(look("table", number % 2), client.loop) for number in range(20)]
    assert until(lambda: lane._waiting.qsize() == 2)
    asked[0].cancel()  # the others with this link still wait for it
    free.set()

    assert sorted(one.result(30) for one in asked[1:]) == [1] * 9 + [2] * 10
    assert client.run(look("table", 0)) == 3, "what has been shown is drawn again"
    assert not client.registry._shown
