"""A real server in a process of its own: killed, cut off, asked twice and in the wrong order."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest
from busy import until, within
from click.testing import CliRunner
from packversions import RULES, pack_into, write_base

import patolli
from patolli.cli import main
from tables import play, quantile, serving, states


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "studio.db"


@pytest.fixture(scope="module")
def server(store):
    with serving(store) as found:
        yield found


def bearer(token):
    return {"authorization": f"Bearer {token}"}


async def moved(client, made, token, revision, index, key):
    data = {"revision": revision, "index": index, "key": key}
    return await client.post(f"/api/tables/{made['table']}/moves", headers=bearer(token), json=data)


async def played(client, made, draw, answered):
    """Play at a table until the server has gone, and note what was answered."""
    token = made["tokens"]["host"]
    try:
        while True:
            state = (await client.get(f"/api/tables/{made['table']}", headers=bearer(token))).json()
            if state["over"]:
                return
            index, key = draw.randrange(len(state["decision"]["options"])), str(draw.random())
            answer = await moved(client, made, token, state["revision"], index, key)
            if answer.status_code == 200:
                answered.append((answer.json()["revision"], index, key))
    except httpx.TransportError:
        return


@pytest.mark.deep
def test_a_killed_server_loses_nothing(tmp_path):
    store = tmp_path / "below" / "studio.db"
    packs = ("tic_tac_toe", "patolli", "pig", "leduc_poker")
    with serving(store) as first:
        tables = [first.table(pack, 2, seed=number, open=True) for number, pack in enumerate(packs)]
        first.table("pig", 2, seats=[{"bot": "random"}, {"bot": "random"}])
        answered = [[] for _ in tables]

        async def all_play():
            async with httpx.AsyncClient(base_url=first.url, timeout=60) as client:
                games = [played(client, made, Random(number), answered[number]) for number, made in enumerate(tables)]

                async def kill():
                    while sum(map(len, answered)) < 60 or not below(first.process.pid):
                        await asyncio.sleep(0.01)
                    children = below(first.process.pid)
                    first.process.kill()
                    return children

                return (await asyncio.gather(kill(), *games))[0]

        children = asyncio.run(asyncio.wait_for(all_play(), 60))
        first.process.wait()
    assert all(answered)
    for path in store.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, f"{path} is for its owner alone"

    with serving(store) as second:
        began = time.perf_counter()
        for number, (pack, made, known) in enumerate(zip(packs, tables, answered, strict=True)):
            path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
            truth = second.ask("GET", f"{path}/inspect", host).json()
            choices = truth["choices"]
            assert len(choices) - len(known) in (0, 1), "one may have been kept without an answer"
            assert choices[: len(known)] == [index for _, index, _ in known]
            assert truth["digest"] == patolli.load(pack).replay(2, number, choices).digest()
            revision, index, key = known[0]
            again = {"revision": revision - 1, "index": index, "key": key}
            assert second.ask("POST", f"{path}/moves", host, again).json() == {"revision": revision}, "it is done once"
        assert time.perf_counter() - began < within(10), "2 s on a quiet machine"
        listed = {one["table"]: one["tokens"] for one in second.ask("GET", "/api/tables").json()}
        assert [listed[one["table"]] for one in tables] == [one["tokens"] for one in tables]
    with closing(sqlite3.connect(store)) as base:
        assert base.execute("pragma journal_mode").fetchone() == ("wal",)
    assert until(lambda: not any(alive(child) for child in children)), (
        "a process of a bot outlives a server that was killed"
    )


def below(pid):
    """Return the processes that a process has begun."""
    try:
        files = list(Path(f"/proc/{pid}/task").glob("*/children"))
        return [int(one) for file in files for one in file.read_text("ascii").split()]
    except OSError:
        return []


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.deep
def test_two_servers_with_one_store_go_on_together(server, store):
    one = server
    with serving(store) as two:
        made = one.table("tic_tac_toe", 2)
        path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
        for number, label in enumerate(("a1", "b1", "a2", "b2", "a3")):
            server = (one, two)[number % 2]
            data = {"revision": number, "label": label, "key": label}
            answer = server.ask("POST", f"{path}/moves", host, data)
            assert answer.json() == {"revision": number + 1}
        assert one.ask("GET", path, host).json()["over"]

        async def shown():
            async with httpx.AsyncClient(base_url=two.url, timeout=60) as client:
                async for state in states(client, made["table"], host):
                    if state["moves"] == 5:
                        return state["results"]["winners"]

        assert asyncio.run(asyncio.wait_for(shown(), 20)) == [0], "a client sees what another server does"


def test_states_come_at_once_and_go_on_for_who_has_lost_the_seat(server):
    made = server.table("tic_tac_toe", 2)
    path, seat = f"/api/tables/{made['table']}", made["tokens"]["seat"][1]

    async def look():
        seen = []
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            async for state in states(client, made["table"], seat):
                seen.append(state["moves"])
                if state["moves"] == 0:
                    await moved(client, made, made["tokens"]["host"], state["revision"], 0, "x")
                elif state["away"] is not None:
                    return seen, state
                elif len(seen) == 2:
                    await client.post(f"{path}/seats/1", headers=bearer(made["tokens"]["host"]), json={"link": True})

    seen, last = asyncio.run(asyncio.wait_for(look(), 20))
    assert seen[:2] == [0, 1]
    assert (last["seat"], last["away"]) == (None, {"seat": 1, "why": "link"}), "who came by the old link watches"


async def seated(url, made, seat, draw, log):
    """Play on a seat by a line that is cut again and again; send things twice, and old ones again."""
    token, sent = made["tokens"]["seat"][seat], []
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        while True:
            left = draw.randrange(1, 3)
            last = -1
            async for state in states(client, made["table"], token):
                assert state["revision"] >= last, "states never go back"
                last = state["revision"]
                if state["over"]:
                    log.append(state)
                    return
                if state["decision"]["mine"]:
                    index = draw.randrange(len(state["decision"]["options"]))
                    wish = (state["revision"], index, f"{seat} {state['revision']}")
                    sent.append(wish)
                    several = [wish, *draw.sample(sent, min(2, len(sent))), wish]
                    draw.shuffle(several)
                    answers = await asyncio.gather(*(moved(client, made, token, *one) for one in several))
                    same = [one for one, what in zip(answers, several, strict=True) if what == wish]
                    assert len({(one.status_code, one.json().get("revision")) for one in same}) == 1, (
                        "what is sent twice is answered alike"
                    )
                left -= 1
                if left < 0:
                    log.append("cut")
                    break


def test_a_line_that_breaks_in_a_request_is_no_fault(server, capfd):
    made = server.table("tic_tac_toe", 2)
    head = f"POST /api/tables/{made['table']}/moves HTTP/1.1\r\nhost: {server.url[7:]}\r\ncontent-length: 50\r\n"
    head += f"content-type: application/json\r\nauthorization: Bearer {made['tokens']['host']}\r\n\r\n{{"
    host, _, port = server.url[7:].partition(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(head.encode())
        time.sleep(0.1)
    path = f"/api/tables/{made['table']}"
    assert server.ask("GET", path, made["tokens"]["host"]).json()["moves"] == 0
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.deep
def test_nothing_diverges(server):
    made = server.table("connect_four", 2, seed=5)
    log = []

    async def both():
        await asyncio.gather(*(seated(server.url, made, seat, Random(seat), log) for seat in range(2)))

    asyncio.run(asyncio.wait_for(both(), 100))
    one, two = (state for state in log if state != "cut")
    truth = server.ask("GET", f"/api/tables/{made['table']}/inspect", made["tokens"]["host"]).json()

    assert log.count("cut") > 5
    assert one["moves"] == two["moves"] == len(truth["choices"])
    assert one["results"] == two["results"]
    assert one["telling"] == two["telling"]
    assert truth["digest"] == patolli.load("connect_four").replay(2, 5, truth["choices"]).digest()


@pytest.mark.deep
def test_many_tables_at_once(server):
    found = asyncio.run(play(server, "patolli", tables=6, players=4, seconds=2, think=0.3))

    assert len(found.answers) > 10
    assert quantile(found.answers, 0.5) < 500, (
        "50 tables have a p95 of 150 ms on a quiet machine: tools/bench/tables.py"
    )


def test_ctrl_c_ends_streams_in_good_order(tmp_path):
    call = [sys.executable, "-m", "patolli", "studio", "--no-browser", "--store", str(tmp_path / "a.db")]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    link = process.stdout.readline().split()[-1]
    url, _, owner = link.partition("/#")
    made = httpx.post(
        f"{url}/api/tables", json={"pack": "tic_tac_toe", "players": 2}, headers=bearer(owner), timeout=60
    ).json()
    path, host = f"/api/tables/{made['table']}/events", made["tokens"]["host"]

    with httpx.Client(base_url=url, timeout=60) as client, client.stream("GET", path, headers=bearer(host)) as answer:
        lines = answer.iter_lines()
        assert next(lines).startswith("id:")
        process.send_signal(signal.SIGINT)
        assert list(lines), "the stream is ended, not cut off"
    _, told = process.communicate(timeout=60)

    assert told.strip() == ""
    assert process.returncode == 130


def test_a_port_that_is_taken_is_reported(server, tmp_path):
    port = server.url.rpartition(":")[2]
    found = CliRunner().invoke(main, ["studio", "--no-browser", "--port", port, "--store", str(tmp_path / "a.db")])

    assert found.exit_code == 2
    assert f"port {port}" in found.output


def test_what_is_no_store_is_reported(tmp_path):
    file = tmp_path / "a.db"
    file.write_text("no store at all, but longer than a hundred letters, so that it is looked at as one" * 4, "utf-8")
    found = CliRunner().invoke(main, ["studio", "--no-browser", "--store", str(file)])

    assert found.exit_code == 2
    assert "as a store:" in " ".join(found.output.split())


def test_a_store_of_which_nothing_comes_is_closed(server, tmp_path, monkeypatch):
    bases, connect = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: bases.append(connect(*given, **more)) or bases[-1])
    port = server.url.rpartition(":")[2]
    CliRunner().invoke(main, ["studio", "--no-browser", "--port", port, "--store", str(tmp_path / "a.db")])
    (tmp_path / "b.db").write_text("no store at all, but as long as the beginning of one, or longer" * 9, "utf-8")
    CliRunner().invoke(main, ["studio", "--no-browser", "--store", str(tmp_path / "b.db")])

    assert len(bases) == 2
    for base in bases:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            base.execute("select 1")


def test_two_that_begin_at_once_listen_at_ports_of_their_own(monkeypatch):
    """Both may take the port before either listens there; who is later has another one."""
    import socket

    from patolli.serve.studio import http_server

    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        monkeypatch.setattr(http_server, "PORT", other.getsockname()[1])
        bind = socket.socket.bind

        class Late(socket.socket):
            def bind(self, address):
                bind(self, address)
                if address[1]:
                    other.listen()

        monkeypatch.setattr(http_server.socket, "socket", Late)
        with http_server.listening("127.0.0.1", None) as found:
            assert found.getsockname()[1] != http_server.PORT


@pytest.mark.deep
def test_a_table_stays_with_its_version(tmp_path, monkeypatch):
    home = tmp_path / "home"
    monkeypatch.setenv("PATOLLI_PATH", str(home))
    pack_into(home, write_base(tmp_path / "old", "1.0.0"))
    with serving(tmp_path / "studio.db") as server:
        made = server.table("purse", 2)
        path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
        assert server.ask("POST", f"{path}/moves", host, {"revision": 0, "label": "3", "key": "a"}).status_code == 200
    pack_into(home, write_base(tmp_path / "new", "2.0.0", rules=RULES.replace("1..3", "1..2")))

    with serving(tmp_path / "studio.db") as server:
        state = server.ask("GET", path, host).json()
        fresh = server.ask("GET", f"/api/tables/{server.table('purse', 2)['table']}", host)
        assert [option["label"] for option in state["decision"]["options"]] == ["1", "2", "3"]
        assert (state["moves"], state["content"]["differs"]) == (1, [])
        assert fresh.status_code < 500
