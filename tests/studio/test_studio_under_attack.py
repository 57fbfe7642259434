"""A studio in a process of its own under load and attack; another player is answered within a second all the time."""

from __future__ import annotations

import json
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPException

import pytest
from busy import within
from studio.attacked import Other, Target, heard

from patolli.serve.studio.seats import new_name

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("attacked") / "studio.db"


@pytest.fixture(scope="module")
def studio(store):
    with started(store) as found:
        yield found


@contextmanager
def started(store):
    """Start a studio as the command starts it; it has a moment of warming up."""
    call = [sys.executable, "-m", "patolli", "studio", "--no-browser", "--store", str(store)]
    with open(store.parent / "log", "wb") as log:
        process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        address, _, owner = process.stdout.readline().split()[-1].partition("/#")
        found = Target(int(address.rpartition(":")[2]), owner)
        found.process, found.log = process, store.parent / "log"
        found.table()
        yield found
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def others(studio):
    with Other(studio), Other(studio, fresh=True):
        yield


def send(line, data):
    """Send what the other side takes; return whether it is still there."""
    try:
        line.send(data)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


@contextmanager
def lines(studio, number, begin=b""):
    with ExitStack() as stack:
        found = []
        for _ in range(number):
            line = stack.enter_context(studio.line())
            line.setblocking(False)
            send(line, begin)
            found.append(line)
        yield found


def drip(found, data, seconds):
    """Send a byte over each line again and again."""
    end, left = time.monotonic() + seconds, list(found)
    for at in range(10**9):
        left = [line for line in left if send(line, data[at % len(data) :][:1])]
        if time.monotonic() > end or not left:
            return
        time.sleep(0.1)


HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def test_silent_connections(studio):
    with others(studio), lines(studio, 1500):
        time.sleep(2)


def test_headers_that_come_slowly(studio):
    with others(studio), lines(studio, 800, HEAD) as found:
        drip(found, b"X: y\r\n", 4)


def test_bodies_that_come_slowly(studio):
    begin = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with others(studio), lines(studio, 400, begin) as found:
        drip(found, b"1\r\nx\r\n", 5)


def test_responses_that_no_client_reads(studio):
    with others(studio), lines(studio, 100) as found:
        for _ in range(20):
            for line in found:
                send(line, (b"GET /static/app.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") * 50)
            time.sleep(0.1)


def test_forged_tokens_for_tables_that_are_not_there(studio):
    def forge(number):
        name = new_name() if number % 2 else "x" * 50_000
        return studio.ask("GET", f"/api/tables/{name}/events", "t" * (number % 60))[0]

    with others(studio), ThreadPoolExecutor(8) as pool:
        assert set(pool.map(forge, range(1500))) <= {401, 414}


def test_streams_without_number(studio):
    made = studio.table()
    path, tokens = f"/api/tables/{made['table']}", made["tokens"]
    follow = (
        f"GET {path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {tokens['watch']}\r\n\r\n".encode()
    )
    with others(studio), lines(studio, 300, follow):
        for revision in range(5):
            status, _ = studio.ask("POST", f"{path}/moves", tokens["host"], {"revision": revision, "index": 0})
            assert status == 200


def test_nonsense_fills_no_log(studio):
    with others(studio):
        for _ in range(300):
            with studio.line() as line:
                line.sendall(b"nonsense\r\n\r\n")
                heard(line)
    assert len(studio.log.read_bytes()) < 10_000


def move(studio, made, revision, key):
    began = time.perf_counter()
    data = {"revision": revision, "index": 0, "key": key}
    status, said = studio.ask("POST", f"/api/tables/{made['table']}/moves", made["tokens"]["host"], data)
    return status, json.loads(said), time.perf_counter() - began


def hammer(studio, tables, seconds):
    """Move at several tables at once for some time; return the statuses, and the slowest answer."""

    def again(made):
        end, found = time.monotonic() + seconds, []
        while time.monotonic() < end:
            found.append(move(studio, made, 0, "key"))
            time.sleep(0.02)
        return found

    with ThreadPoolExecutor(len(tables)) as pool:
        answers = [one for found in pool.map(again, tables) for one in found]
    return {status for status, *_ in answers}, max(took for *_, took in answers)


def test_a_store_that_is_locked_for_longer_than_it_waits(studio, store):
    tables = [studio.table() for _ in range(6)]
    with others(studio), closing(sqlite3.connect(store, isolation_level=None)) as locker:
        locker.execute("begin immediate")
        statuses, slowest = hammer(studio, tables, 8)
        locker.execute("rollback")
        assert statuses == {503}
        assert slowest < within(1)
        assert_recovered(studio, store, tables)


def test_a_store_that_is_full(studio, store):
    tables = [studio.table() for _ in range(6)]
    sizes = [path.stat().st_size for path in store.parent.iterdir()]
    before = resource.prlimit(studio.process.pid, resource.RLIMIT_FSIZE)
    with others(studio):
        resource.prlimit(studio.process.pid, resource.RLIMIT_FSIZE, (min(sizes), before[1]))
        statuses, slowest = hammer(studio, tables, 2)
        resource.prlimit(studio.process.pid, resource.RLIMIT_FSIZE, before)
        assert statuses == {503}
        assert slowest < within(1)
        assert_recovered(studio, store, tables)


def assert_recovered(studio, store, tables):
    end = time.monotonic() + 60
    for made in tables:
        while (answer := move(studio, made, 0, "key"))[0] == 503:
            assert time.monotonic() < end, "the table does not recover"
            time.sleep(0.05)
        assert answer[:2] == (200, {"revision": 1})
        assert move(studio, made, 1, "next")[:2] == (200, {"revision": 2})
    with closing(sqlite3.connect(store)) as base:
        for made in tables:
            rows = base.execute("select revision, key from acts where id = ? order by revision", (made["table"],))
            assert rows.fetchall() == [(1, "key"), (2, "next")]


def test_a_pack_that_loads_for_long_and_ctrl_c(tmp_path):
    pack = tmp_path / "long_game"
    pack.mkdir()
    (pack / "pack.yaml").write_text(
        "document: pack\nid: long_game\nversion: 1.0.0\nlanguage: 2\ntitle: Long\nplayers: {min: 2, max: 2}\n", "utf-8"
    )
    (pack / "model.yaml").write_text("document: model\ncounters:\n  point: {per: player, text: Points}\n", "utf-8")
    rules = "".join(f"  r{number}: {{do: gain {number} point}}\n" for number in range(12_000))
    (pack / "rules.yaml").write_text(f"document: rules\nrules:\n{rules}  match: {{do: end match}}\n", "utf-8")
    with started(tmp_path / "studio.db") as studio:
        with others(studio):
            loading = threading.Thread(target=heard_of, args=(studio, str(pack)), daemon=True)
            loading.start()
            time.sleep(2)
            assert studio.table("pig")["table"], "another game is loaded meanwhile"
        assert loading.is_alive(), "it should take longer, or this test shows nothing"
        began = time.perf_counter()
        studio.process.send_signal(signal.SIGINT)
        assert studio.process.wait(20) == 130
        assert time.perf_counter() - began < within(5)


def test_set_ups_that_use_up_their_budget(studio, tmp_path):
    pack = tmp_path / "long_game"
    pack.mkdir()
    (pack / "pack.yaml").write_text(
        "document: pack\nid: long_game\nversion: 1.0.0\nlanguage: 3\ntitle: Long\nplayers: {min: 2, max: 2}\n", "utf-8"
    )
    (pack / "model.yaml").write_text("document: model\ncounters:\n  point: {per: player, text: Points}\n", "utf-8")
    (pack / "rules.yaml").write_text(
        "document: rules\nrules:\n  match:\n    do: |\n      as player_1:\n        for a in 1..9000, b in 1..9000 where a != b:\n"
        "          gain 1 point\n      end match\n",
        "utf-8",
    )
    setup = {"pack": str(pack), "players": 2}
    with others(studio), ThreadPoolExecutor(4) as clients:
        answers = list(clients.map(lambda _: studio.ask("POST", "/api/tables", studio.owner, setup), range(6)))
    assert {status for status, _ in answers} == {409}
    assert all(b"P0801" in answer for _, answer in answers)


def test_moves_and_undos_in_a_row(studio):
    made = studio.table("city_of_gods", seed=1)
    path, host, revision = f"/api/tables/{made['table']}", made["tokens"]["host"], 0
    with others(studio):
        for number in range(90):
            data = {"revision": revision, "key": f"key {number}", "index": 0}
            status, said = studio.ask("POST", f"{path}/{'undo' if number % 3 == 2 else 'moves'}", host, data)
            assert status in (200, 409)
            revision = json.loads(said).get("revision", revision)


def test_many_tables_that_are_left(studio):
    with others(studio), ThreadPoolExecutor(8) as clients:
        assert all(
            made["table"] for made in clients.map(lambda seed: studio.table("city_of_gods", seed=seed), range(60))
        )


def test_what_was_confirmed_is_there_after_a_kill_during_a_change(tmp_path):
    confirmed, made = 0, None
    for number in range(3):
        with started(tmp_path / "studio.db") as studio:
            made = made or studio.table()
            revision = stored(studio, made)["revision"]
            assert revision in (confirmed, confirmed + 1), "the last change may be written without an answer"
            killer = threading.Timer(0.1 + 0.01 * number, studio.process.kill)
            killer.start()
            with suppress(OSError, HTTPException):
                for at in range(revision, 10_000):
                    status, said = rename(studio, made, at)
                    assert (status, said) == (200, at + 1)
                    confirmed = said
            killer.join()
    assert confirmed > 2
    with started(tmp_path / "studio.db") as studio:
        assert stored(studio, made)["revision"] in (confirmed, confirmed + 1)


def stored(studio, made):
    return json.loads(studio.ask("GET", f"/api/tables/{made['table']}", made["tokens"]["host"])[1])


def rename(studio, made, number):
    data = {"name": f"Ann {number}", "key": f"key {number}"}
    status, said = studio.ask("POST", f"/api/tables/{made['table']}/seats/0", made["tokens"]["host"], data)
    return status, json.loads(said)["revision"]


def heard_of(studio, pack):
    with studio.line() as line:
        body = json.dumps({"pack": pack, "players": 2})
        head = (
            f"Authorization: Bearer {studio.owner}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        )
        line.sendall(f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n{body}".encode())
        line.settimeout(60)
        heard(line)
