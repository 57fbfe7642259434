"""Tables in a real PostgreSQL, which is started for these tests; without one on the machine they are skipped."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from busy import within
from studio.sitting_down import Client

from patolli.serve.studio.acts import Act, Setup
from patolli.serve.studio.refusals import Gone, Stale
from patolli.serve.studio.seats import Seats
from patolli.serve.studio.store import StoreError
from patolli.serve.studio.stores import open_store
from patolli.serve.studio.table import places
from tables import serving

pytestmark = pytest.mark.deep

psycopg = pytest.importorskip("psycopg")


def program(name):
    """Return the path of a program of PostgreSQL; distributions do not put all of them on the path."""
    known = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(known[-1]) if known else None)


@pytest.fixture(scope="module")
def url():
    initdb, postgres = program("initdb"), program("postgres")
    if initdb is None or postgres is None:
        pytest.skip("there is no PostgreSQL here")
    folder = Path(tempfile.mkdtemp(prefix="patolli-"))
    more = {}
    if os.geteuid() == 0:  # it refuses to be run by the owner of the machine
        more = {"user": "nobody"}
        shutil.chown(folder, "nobody")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **more}
    made = [initdb, "-D", str(data), "-U", "patolli", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
    subprocess.run(made, check=True, **quiet)
    settings = ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    server = subprocess.Popen([postgres, "-D", str(data), "-p", str(port), *settings], **quiet)
    try:
        found = f"postgresql://patolli@127.0.0.1:{port}/postgres"
        wait_for(found, server)
        yield found
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(url, server):
    for _ in range(400):
        assert server.poll() is None, "PostgreSQL has not started"
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            try:
                server.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
        else:
            return
    raise AssertionError("PostgreSQL cannot be reached")


def test_a_revision_is_written_once(url):
    one, two = open_store(url), open_store(url)
    one.detect_change()
    two.detect_change()
    one.add("t", Setup("pig", (), {"a": 1}, 2, 7), Seats.new(places([], 2, 0)), "hash", [Act(1, "choice", {"x": "é"})])
    one.append("t", Act(2, "choice", {"x": 1}, "key"))
    with pytest.raises(Stale):
        two.append("t", Act(2, "choice", {"x": 2}, "other"))
    with pytest.raises(Stale):
        two.append("t", Act(3, "choice", {"x": 2}, "key"))

    assert two.setup("t")[0] == Setup("pig", (), {"a": 1}, 2, 7)
    assert two.acts("t") == [Act(1, "choice", {"x": "é"}), Act(2, "choice", {"x": 1}, "key")]
    assert two.acts("t", 1) == [Act(2, "choice", {"x": 1}, "key")]
    assert "t" in two.ids()
    assert two.setup("nowhere") is None
    one.close()
    two.close()


def test_a_clock_is_kept_beside_the_acts(url):
    store = open_store(url)
    store.add("timed", Setup("pig", (), {}, 2, 7, clock=(60, 5)), Seats.new(places([], 2, 0)), "hash", [])
    assert store.clock("timed") == []
    for spent in ([1.5, 0], [2.5, 3]):
        store.keep_clock("timed", spent)
    store.append("timed", Act(1, "choice", {}))

    assert store.clock("timed") == [2.5, 3]
    assert store.acts("timed") == [Act(1, "choice", {})]
    assert store.setup("timed")[0].clock == (60, 5)
    store.remove("timed")
    store.keep_clock("timed", [9, 9])
    assert store.clock("timed") == [], "a deleted table stays deleted"
    store.close()


def test_one_hears_of_the_other_and_not_of_itself(url, monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.postgres.EVERY", 0)
    one, two = open_store(url), open_store(url)
    one.add("heard", Setup("pig", (), {}, 2, 7), Seats.new(places([], 2, 0)), "hash", [])
    one.append("heard", Act(1, "choice", {}))

    assert two.detect_change()
    assert not two.detect_change()
    two.append("heard", Act(2, "choice", {}))
    assert not two.detect_change()
    assert one.detect_change()
    one.close()
    two.close()


def test_a_line_that_breaks_is_opened_again(url):
    store, other = open_store(url), psycopg.connect(url, autocommit=True)
    store.add("cut", Setup("pig", (), {}, 2, 7), Seats.new(places([], 2, 0)), "hash", [])
    other.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")
    store.append("cut", Act(1, "choice", {}))

    assert len(store.acts("cut")) == 1
    store.close()
    other.close()


def test_a_database_that_is_not_there_is_reported():
    with pytest.raises(StoreError, match="cannot use the database as a store"):
        open_store("postgresql://nobody@127.0.0.1:1/none")


@contextmanager
def locked(url, client):
    with psycopg.connect(url) as other:
        other.execute("lock table patolli_acts in access exclusive mode")
        yield


@contextmanager
def stopped(url, client):
    """Stop the process of the database with which the studio talks: it neither answers nor ends."""
    process = client.registry.store._store._base.info.backend_pid
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@pytest.mark.parametrize("hold", [locked, stopped])
def test_a_database_that_does_not_answer(url, hold):
    with Client(open_store(url)) as client:
        at = client.table("tic_tac_toe")
        at.move("a1")
        with hold(url, client):
            for _ in range(3):
                began = time.perf_counter()
                refused = at.move("b1", key="k", revision=1)
                assert refused.status_code == 503
                assert refused.json()["error"].count(".") == 0, "one sentence"
                assert at.state()["moves"] == 1, "what was confirmed is shown"
                assert time.perf_counter() - began < within(0.9)
        end = time.monotonic() + 60
        while (answer := at.move("b1", key="k", revision=1)).status_code == 503:
            assert time.monotonic() < end, "the table does not recover"

        assert answer.json() == {"revision": 2}
        assert [act.data["label"] for act in client.registry.store.call(lambda store: store.acts(at.id))] == [
            "a1",
            "b1",
        ]


def test_a_statement_that_takes_too_long_is_ended_by_the_database(url, monkeypatch):
    from patolli.serve.studio.postgres import LIMITS

    monkeypatch.setitem(LIMITS, "options", "-c statement_timeout=100 -c lock_timeout=100")
    store = open_store(url)
    store.add("slow", Setup("pig", (), {}, 2, 7), Seats.new(places([], 2, 0)), "hash", [])
    with psycopg.connect(url) as other:
        other.execute("lock table patolli_acts in access exclusive mode")
        with pytest.raises(store.faults):
            store.append("slow", Act(1, "choice", {}))
    store.append("slow", Act(1, "choice", {}))

    assert len(store.acts("slow")) == 1
    store.close()


def test_a_table_that_another_server_has_removed(url, monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.postgres.EVERY", 0)
    with Client(open_store(url)) as one, Client(open_store(url)) as two:
        at = one.table("tic_tac_toe")
        assert two.ask("GET", at.path, at.host).status_code == 200
        assert one.ask("DELETE", at.path, at.host).status_code == 200

        for client in (one, two):
            for token in (at.host, at.token(0), at.tokens["watch"]):
                assert client.ask("GET", at.path, token).status_code == 401
        with pytest.raises(Gone):
            two.registry.store.call(lambda store: store.append(at.id, Act(1, "choice", {})))


def test_two_servers_one_of_which_is_killed(url):
    with serving(url) as two:
        with serving(url) as one:
            made = one.table("tic_tac_toe", 2)
            path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
            for number, label in enumerate(("a1", "b1", "a2")):
                data = {"revision": number, "label": label, "key": label}
                answer = (one, two)[number % 2].ask("POST", f"{path}/moves", host, data)
                if answer.status_code == 409:  # it may be told a moment later
                    assert answer.json()["state"]["revision"] == number
                    answer = (one, two)[number % 2].ask("POST", f"{path}/moves", host, data)
                assert answer.json() == {"revision": number + 1}
        for number, label in enumerate(("b2", "a3"), 3):  # the first one was killed
            data = {"revision": number, "label": label, "key": label}
            answer = two.ask("POST", f"{path}/moves", host, data)
            if answer.status_code == 409:
                answer = two.ask("POST", f"{path}/moves", host, data)
            assert answer.json() == {"revision": number + 1}
        state = two.ask("GET", path, host).json()

    assert state["results"] == {"winners": [0], "ranks": [1, 2], "scores": [1, 0]}
