"""Requests as an attacker sends them, byte by byte: each is answered or cut off, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import socket
import time
from contextlib import ExitStack, suppress

import pytest
import uvicorn
from busy import until, within
from click.testing import CliRunner
from studio.attacked import Attacked, Other, heard, wait_for
from studio.sitting_down import OWNER
from uvicorn.server import ServerState

from patolli.cli.main import main
from patolli.serve.studio import connections
from patolli.serve.studio.connections import Connection, LogLimit, raise_limit
from patolli.serve.studio.seats import new_name

HOST = "Host: 127.0.0.1\r\n"
DEEP = b"[" * 30_000
NUMBER = b"9" * 4000


@pytest.fixture(scope="module")
def server():
    with Attacked() as found:
        yield found


@pytest.fixture
def quick(monkeypatch):
    """Limits that end within a moment."""
    for name, seconds in (("HEAD", 0.3), ("BODY", 0.3), ("REST", 0.2), ("READING", 0.3)):
        monkeypatch.setattr(connections, name, seconds)


def request(line, *headers, body=b""):
    return (f"{line} HTTP/1.1\r\n{HOST}" + "".join(f"{one}\r\n" for one in headers) + "\r\n").encode("latin-1") + body


def post(path, body, token=OWNER, kind="application/json", *more):
    headers = [f"Authorization: Bearer {token}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more]
    return request(f"POST {path}", *headers, body=body)


def chunked(path, *chunks, token=OWNER):
    headers = [f"Authorization: Bearer {token}", "Content-Type: application/json", "Transfer-Encoding: chunked"]
    return request(f"POST {path}", *headers, body=b"".join(b"%x\r\n%b\r\n" % (len(one), one) for one in chunks))


T = "/api/tables"
UNKNOWN = f"{T}/zzzzzzzz"
HOSTILE = {
    # -- what is no HTTP
    "nothing": (b"", {0}),
    "one byte": (b"\x00", {0, 400}),
    "tls": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xaa" * 100, {400}),
    "http 2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {0, 400, 404, 421}),
    "http 0.9": (b"GET /\r\n", {0, 400}),
    "http 9.9": (b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n", {200, 400}),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", {400, 421}),
    "two hosts": (f"GET / HTTP/1.1\r\n{HOST}{HOST}\r\n".encode(), {400}),
    "foreign host": (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", {421}),
    "broken host": (b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", {400, 421}),
    "host of bytes": (b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n", {400, 421}),
    "folded header": (request("GET /", "X: a\r\n b"), {200, 400}),
    "bare line feeds": (b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n", {200, 400}),
    "a colon missing": (request("GET /", "nonsense"), {400}),
    "a space before a colon": (request("GET /", "Content-Length : 5"), {400}),
    "nul in a header": (request("GET /", "X: a\0b"), {400}),
    "two lengths": (request("POST /api/tables", "Content-Length: 2", "Content-Length: 3", body=b"{}"), {400}),
    "length and chunks": (request("POST /api/tables", "Content-Length: 2", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), {400, 401}),
    "negative length": (request("POST /api/tables", "Content-Length: -1"), {400}),
    "length of 4000 digits": (request("POST /api/tables", f"Content-Length: {'9' * 4000}"), {400, 401}),
    "odd encoding": (request("POST /api/tables", "Transfer-Encoding: gzip, chunked"), {400, 501}),
    "huge chunk size": (request("POST /api/tables", "Transfer-Encoding: chunked", body=b"f" * 400 + b"\r\n"), {0, 400, 401}),
    # -- odd methods and paths
    "trace": (request("TRACE /"), {405}),
    "connect": (request("CONNECT evil.example:443"), {404, 405}),
    "options": (request("OPTIONS *"), {404, 405}),
    "a method of 5000 letters": (request(f"{'M' * 5000} /"), {400, 405}),
    "a method in lower case": (request("get /api/packs"), {405}),
    "absolute": (request("GET http://evil.example/"), {404}),
    "twice the slash": (request("GET //evil.example/.."), {404}),
    "up": (request("GET /static/../../../../etc/passwd"), {404}),
    "up, encoded": (request("GET /static/%2e%2e%2f%2e%2e%2fetc%2fpasswd"), {404}),
    "nul in the path": (request(f"GET {T}/%00"), {401}),
    "no UTF-8 in the path": (request(f"GET {T}/%ff%fe%c0%ae"), {401}),
    "half a surrogate in the path": (request(f"GET {T}/%ed%a0%80"), {401}),
    "bytes in the path": (b"GET /\xff\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", {400, 404}),
    "a percent alone": (request(f"GET {T}/%"), {401}),
    "a long path": (request(f"GET {T}/{'x' * 50_000}"), {414}),
    "a long number": (request(f"GET {UNKNOWN}/at/{'9' * 5000}"), {414}),
    "a long seat": (request(f"POST {UNKNOWN}/seats/{'9' * 4999}"), {414}),
    "a long question": (request(f"GET {UNKNOWN}/preview?{'chosen=a&' * 6000}"), {401}),
    # -- large headers
    "a large header": (request("GET /", f"X: {'x' * 200_000}"), {400}),
    "many headers": (request("GET /", *(f"X{n}: y" for n in range(20_000))), {400}),
    "a large cookie": (request("GET /", f"Cookie: {'c' * 60_000}"), {200}),
    "a header without an end": (f"GET / HTTP/1.1\r\n{HOST}X: ".encode() + b"x" * 100_000, {400}),
    # -- tokens
    "no token": (request(f"GET {UNKNOWN}"), {401}),
    "a token of bytes": (request(f"GET {UNKNOWN}", "Authorization: Bearer \xff\xfe"), {401}),
    "a long token": (request(f"GET {UNKNOWN}", f"Authorization: Bearer {'a' * 50_000}"), {401}),
    "two tokens": (request(f"GET {UNKNOWN}", f"Authorization: Bearer {OWNER}", "Authorization: Bearer x"), {401}),
    "the owner at a table": (request(f"GET {UNKNOWN}", f"Authorization: Bearer {OWNER}"), {401}),
    "a broken origin": (request(f"GET {UNKNOWN}", "Origin: http://["), {403}),
    "an origin of null": (request(f"GET {UNKNOWN}", "Origin: null"), {403}),
    "a form of another site": (request("POST /api/tables", "Sec-Fetch-Site: cross-site"), {403}),
    # -- bodies
    "a large body": (post(T, b"x" * 100_000), {413}),
    "a large body without a token": (post(T, b"x" * 100_000, "x"), {401}),
    "a chunked body that is too large": (chunked(T, *[b"x" * 20_000] * 5), {413}),
    "chunks without an end": (chunked(T, b"{"), {0, 400}),
    "half a body": (post(T, b"{}")[:-1], {0, 400}),
    "no JSON": (post(T, b"{'pack': 1}"), {400}),
    "no UTF-8": (post(T, b'{"pack": "\xff\xfe"}'), {400}),
    "deep": (post(T, DEEP), {400}),
    "deep tables": (post(T, b'{"a":' * 9000 + b"1" + b"}" * 9000), {400, 422}),
    "a deep save": (post("/api/import", json.dumps({"save": "[" * 100_000}).encode()), {422}),
    "a long number in JSON": (post(T, b'{"pack": "pig", "players": ' + b"9" * 5000 + b"}"), {400}),
    "a large number": (post(T, b'{"pack": "pig", "players": ' + NUMBER + b"}"), {422}),
    "a large seed": (post(T, b'{"pack": "pig", "players": 2, "seed": ' + NUMBER + b"}"), {422}),
    "infinity": (post(T, b'{"pack": "pig", "players": 1e999}'), {422}),
    "half a surrogate": (post(T, b'{"pack": "\\ud800", "players": 2}'), {422}),
    "nul": (post(T, b'{"pack": "pig\\u0000", "players": 2}'), {422}),
    "half a surrogate as a name": (post(T, b'{"pack": "pig", "players": 2, "options": {"\\udfff": 1}}'), {422}),
    "half a surrogate in a seat": (post(T, b'{"pack": "pig", "players": 2, "seats": [{"name": "\\ud83d"}]}'), {422}),
    "a table of nothing": (post(T, b"null"), {422}),
    "a long name of a pack": (post(T, json.dumps({"pack": "p" * 50_000, "players": 2}).encode()), {422}),
    "ten thousand seats": (post(T, json.dumps({"pack": "pig", "players": 9, "seats": [{}] * 9999}).encode()), {422}),
    "ten thousand modules": (post(T, json.dumps({"pack": "pig", "players": 2, "modules": ["m"] * 9999}).encode()), {422}),
    "a bot that is a program": (post(T, json.dumps({"pack": "pig", "players": 2, "seats": [{"bot": "os:system"}]}).encode()), {422}),
    "a bot that thinks for ever": (post(T, json.dumps({"pack": "pig", "players": 2, "seats": [{"bot": "mcts:1e9s"}]}).encode()), {422}),
    "a form": (post(T, b"pack=pig", OWNER, "application/x-www-form-urlencoded"), {415}),
    # -- web sockets
    "a web socket": (request("GET /", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"), {200, 400, 426}),
    "an upgrade to HTTP 2": (request("GET /", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"), {200, 400}),
}  # fmt: skip


@pytest.fixture(scope="module")
def other(server):
    with Other(server, limit=3.0) as found:  # where many tests run at once; the deep ones allow a second
        yield found


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_request(server, other, quick, name, caplog):
    data, wanted = HOSTILE[name]
    answer = server.said(data)

    status = int(answer.split()[1]) if answer else 0
    assert status in wanted, answer[:300]
    assert "Traceback" not in caplog.text
    if status >= 400 and b"application/json" in answer:
        body = answer.partition(b"\r\n\r\n")[2].decode()
        assert "error" in json.JSONDecoder().raw_decode(body)[0]


def test_of_many_requests_at_once_one_is_answered(server):
    with server.line() as line:
        line.sendall(request("GET /api/bots") * 20)
        found = bytearray()
        with suppress(ConnectionError):
            while part := line.recv(65536):
                found += part

    assert found.count(b"HTTP/1.1 200") <= 1
    assert server.ask("GET", "/api/bots")[0] == 200


# ---- clocks


def cut_after(line, data=b"", every=0.0, most=4.0):
    """Send something byte by byte until the server cuts the line; return the seconds until then, and what it said."""
    began = time.perf_counter()
    line.setblocking(False)
    found = bytearray()
    left = iter(data * 1000)
    while time.perf_counter() - began < most:
        try:
            part = line.recv(65536)
            if not part:
                break
            found += part
        except BlockingIOError:
            pass
        except ConnectionError:
            break
        try:
            line.send(bytes([next(left)]) if data else b"")
        except BlockingIOError:
            pass
        except ConnectionError:
            break
        time.sleep(every or 0.02)
    return time.perf_counter() - began, bytes(found)


SLOW = {
    "nothing": (b"", b""),
    "headers": (b"GET / HTTP/1.1\r\n", b"X: y\r\n"),
    "headers after a request": (b"GET /api/bots HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\nX: y\r\n"),
    "a body of a stranger": (request("POST /api/tables", "Content-Length: 50000"), b"x"),
    "chunks of a stranger": (request("POST /api/tables", "Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
    "a body": (request("POST /api/tables", f"Authorization: Bearer {OWNER}", "Content-Type: application/json", "Content-Length: 50000"), b" "),
    "chunks": (request("POST /api/tables", f"Authorization: Bearer {OWNER}", "Content-Type: application/json", "Transfer-Encoding: chunked"), b"1\r\n \r\n"),
    "a body that is not read": (request("GET /", "Content-Length: 50000"), b"x"),
}  # fmt: skip


@pytest.mark.parametrize("name", SLOW)
def test_who_sends_slowly_is_cut_off(server, other, quick, name):
    begin, more = SLOW[name]
    with server.line() as line:
        line.sendall(begin)
        most = within(2.0)
        took, said = cut_after(line, more, most=2 * most)

    assert took < most
    if "stranger" in name:
        assert said.startswith(b"HTTP/1.1 401")


@pytest.mark.deep
def test_who_does_not_read_is_cut_off(server, other, quick):
    with server.line() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        began = time.perf_counter()
        line.settimeout(0.2)
        cut = False
        while not cut and time.perf_counter() - began < 60:
            try:
                line.sendall(request("GET /static/app.js", "Accept-Encoding: identity") * 100)
            except TimeoutError:
                continue
            except ConnectionError:
                cut = True

    assert cut, "the server does not keep what no client takes"


@pytest.mark.deep
def test_who_reads_slowly_and_steadily_is_not_cut_off(server, quick, monkeypatch):
    monkeypatch.setattr(connections, "LEAST", 1)
    made = server.table("city_of_gods")
    wanted = server.ask("GET", f"/api/tables/{made['table']}", made["tokens"]["host"])
    with server.line() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        token = f"Authorization: Bearer {made['tokens']['host']}"
        line.sendall(request(f"GET /api/tables/{made['table']}", token, "Connection: close"))
        found = bytearray()
        while part := line.recv(8192):
            found += part
            time.sleep(0.01)

    assert len(found.partition(b"\r\n\r\n")[2]) == len(wanted[1])


def test_a_connection_that_was_used_stays_open(server, quick):
    with server.line() as line:
        for _ in range(2):
            line.sendall(request("GET /api/bots"))
            assert heard(line).startswith(b"HTTP/1.1 200")
            time.sleep(0.5)  # longer than the headers of a request may take


# ---- many


@pytest.mark.deep
def test_too_many_connections_make_room_for_who_asks(monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.http_server.MOST", 100)
    with Attacked() as server, ExitStack() as lines, server.line() as stream:
        made = server.table()
        path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
        stream.sendall(request(f"GET {path}/events", f"Authorization: Bearer {host}"))
        wait_for(stream, b"event: state")
        with Other(server, fresh=True), Other(server):
            for number in range(500):
                line = lines.enter_context(server.line())
                if number % 3:
                    line.sendall(b"GET / HTTP/1.1\r\nX: ")
                time.sleep(0.002)  # threads of one process take turns
            assert server.ask("GET", "/api/bots")[0] == 200
            assert len(server.server.server_state.connections) <= 101
        assert server.ask("POST", f"{path}/moves", host, {"revision": 0, "index": 0})[0] == 200
        wait_for(stream, b"event: state")  # who follows a table is not cut off


def test_streams_of_one_token_have_a_limit(server, monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.table_registry.STREAMS", 3)
    made = server.table()
    path = f"/api/tables/{made['table']}/events"
    watch = request(f"GET {path}", f"Authorization: Bearer {made['tokens']['watch']}")
    with ExitStack() as open_:
        for number in range(5):
            line = open_.enter_context(server.line())
            line.sendall(watch)
            wait_for(line, b"HTTP/1.1 200" if number < 3 else b"HTTP/1.1 429")
        line = open_.enter_context(server.line())
        line.sendall(request(f"GET {path}", f"Authorization: Bearer {made['tokens']['host']}"))
        wait_for(line, b"HTTP/1.1 200")  # others have streams of their own
    assert until(lambda: not server.registry.looked_at()), "what was closed is forgotten"


def test_a_stream_of_a_table_that_is_removed_ends(server):
    made = server.table()
    path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
    with server.line() as line:
        line.sendall(
            request(f"GET {path}/events", f"Authorization: Bearer {made['tokens']['watch']}", "Connection: close")
        )
        wait_for(line, b"event: state")
        assert server.ask("DELETE", path, host)[0] == 200
        assert heard(line).endswith(b"0\r\n\r\n"), "it is ended, not cut off"


@pytest.mark.parametrize(
    ("soft", "hard", "wanted"),
    [(20_000, 20_000, 1000), (1024, 4096, 1000), (1024, 1024, 384), (256, 256, 8), (-1, -1, 1000)],
)
def test_there_are_no_more_connections_than_the_system_grants(monkeypatch, soft, hard, wanted):
    now = [soft, hard]
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(now))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: now.__setitem__(slice(None), limits))

    assert raise_limit(1000) == wanted


def test_studio_needs_some_files(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8, 8))
    ended = CliRunner().invoke(main, ["studio", "tic_tac_toe", "--no-browser"])

    assert ended.exit_code == 2
    assert "needs 64 open files, and this process may open 8" in ended.output


def test_a_flood_fills_no_log(server, caplog):
    for _ in range(40):
        server.said(b"nonsense\r\n\r\n")
    flood = [one for one in caplog.records if one.name == "uvicorn.error"]
    assert len(flood) >= 40, "without the limit"

    limit = LogLimit()
    assert sum(map(limit.filter, flood)) == limit.MOST
    limit._began -= limit.EVERY + 1
    assert limit.filter(flood[-1])
    assert f"{len(flood) - limit.MOST} more messages were dropped" in flood[-1].getMessage()


# ---- keys


@pytest.mark.parametrize("key", ["\ud800", "a\udfffb", "\0", "k\0"])
@pytest.mark.parametrize("what", ["moves", "undo", "edits", "seats/0"])
def test_keys_that_cannot_be_kept(server, key, what):
    made = server.table(open=True)
    path, host = f"/api/tables/{made['table']}", made["tokens"]["host"]
    data = {"revision": 0, "index": 0, "kind": "turn", "to": 1, "name": "Anna", "key": key}
    found = server.said(
        post(f"{path}/{what}", json.dumps(data).encode(), host, "application/json", "Connection: close")
    )

    assert found.startswith(b"HTTP/1.1 422")
    assert server.store.acts(made["table"]) == []


def test_a_pair_of_escapes_is_a_key(server):
    made = server.table()
    data = json.dumps({"revision": 0, "index": 0, "key": "\U0001f600"}).encode()
    found = server.said(
        post(
            f"/api/tables/{made['table']}/moves", data, made["tokens"]["host"], "application/json", "Connection: close"
        )
    )

    assert b"\\ud83d" in data
    assert found.endswith(b'{"revision":1}')
    assert server.store.acts(made["table"])[0].key == "\U0001f600"


class Line:
    """What a connection writes to, with an address of its own."""

    def __init__(self, address):
        self.address, self.aborted = address, False

    def get_extra_info(self, name, default=None):
        return (self.address, 1) if name == "peername" else default

    def set_write_buffer_limits(self, high):
        pass

    def is_closing(self):
        return self.aborted

    def abort(self):
        self.aborted = True


def test_an_address_with_many_connections_makes_room_by_its_own():
    async def connect():
        config, state, lines = uvicorn.Config(None, log_config=None), ServerState(), []
        for address in ("10.0.0.1", "10.0.0.2", *["10.0.0.9"] * 6, "10.0.0.3"):
            one = Connection(config, state, {})
            one.most = 5
            lines.append(Line(address))
            one.connection_made(lines[-1])
        for one in list(state.connections):
            one.connection_lost(OSError())
        return [line.address for line in lines if line.aborted]

    assert asyncio.run(connect()) == ["10.0.0.9"] * 4


@pytest.mark.deep
def test_five_hundred_unknown_tables(server, other):
    for _ in range(500):
        assert server.ask("GET", f"/api/tables/{new_name()}", "x")[0] == 401


def test_logs_have_their_limit_where_a_server_begins():
    connections.limit_logs()
    found = [logging.getLogger(name).filters for name in ("uvicorn.error", "asyncio", "patolli.studio")]

    assert all(any(isinstance(one, LogLimit) for one in filters) for filters in found)
    for filters in found:
        filters[:] = [one for one in filters if not isinstance(one, LogLimit)]
