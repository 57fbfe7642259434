"""Requests that are not meant well: by the token, the page from which they come, their size, their form."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from studio.sitting_down import OWNER, Client

from patolli import load
from patolli.cli import main
from patolli.play.players import adviser
from patolli.serve.studio.app import make_app
from patolli.serve.studio.bots import Bots
from patolli.serve.studio.guard import POLICY, Guard
from patolli.serve.studio.stores import open_store
from patolli.serve.studio.table_registry import TableRegistry


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


@pytest.fixture(scope="module")
def abroad():
    with Client(host="0.0.0.0") as found:
        yield found


@pytest.fixture(scope="module")
def at(client):
    return client.table("tic_tac_toe")


OF_A_TABLE = [
    ("GET", ""), ("DELETE", ""), ("GET", "/events"), ("POST", "/moves"), ("POST", "/undo"), ("POST", "/chat"), ("POST", "/fork"), ("GET", "/at/0"),
    ("GET", "/telling"), ("GET", "/preview?index=0"), ("GET", "/previews"), ("GET", "/save"), ("GET", "/tokens"), ("POST", "/seats/0"),
    ("GET", "/why?text=a1"), ("GET", "/refused"), ("GET", "/inspect"), ("GET", "/source?entry=match"),
    ("GET", "/record"), ("POST", "/record"), ("GET", "/editable"), ("POST", "/edits"), ("GET", "/coverage"),
    ("GET", "/hint"), ("POST", "/rematch"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "what"), OF_A_TABLE)
@pytest.mark.parametrize("token", ["", "x", "owner", "ä"])
def test_nothing_of_a_table_without_its_token(client, at, method, what, token):
    token = OWNER if token == "owner" else token
    headers = {"authorization": f"Bearer {token}".encode()} if token else {}
    found = client.ask(method, at.path + what, headers=headers, **({"json": {}} if method == "POST" else {}))

    assert found.status_code == 401
    assert list(found.json()) == ["error"]


def test_every_door_of_a_table_is_tried_above(client):
    doors = {
        (method, route.path.removeprefix("/api/tables/{table}").partition("/{")[0])
        for route in client.app.routes
        for method in getattr(route, "methods", None) or ()
        if route.path.startswith("/api/tables/{table}") and method != "HEAD"
    }
    tried = {(method, "/".join(what.partition("?")[0].split("/")[:2])) for method, what in OF_A_TABLE}

    assert doors == tried


def test_a_table_that_is_not_there_looks_like_a_wrong_token(client, at):
    there = client.ask("GET", at.path, "wrong")
    nowhere = client.ask("GET", "/api/tables/zzzzzzzz", "wrong")

    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)


def test_tokens_of_another_table_open_nothing(client, at):
    other = client.table("tic_tac_toe")

    assert client.ask("GET", at.path, other.host).status_code == 401


def test_tokens_in_the_address_open_nothing(client, at):
    assert client.ask("GET", f"{at.path}?token={at.host}").status_code == 401


def test_the_list_of_tables_is_for_the_owner(client, at):
    assert client.ask("GET", "/api/tables").status_code == 401
    assert client.ask("GET", "/api/tables", at.host).status_code == 401
    assert at.id in [one["table"] for one in client.get("/api/tables", OWNER)]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_abroad_nothing_is_answered_without_a_token(abroad, method):
    for path in ("/api/packs", "/api/bots", "/api/tables", "/api/import"):
        if (path, method) in (("/api/packs", "POST"), ("/api/bots", "POST"), ("/api/import", "GET")):
            continue
        more = {"json": {"pack": "tic_tac_toe", "players": 2}} if method == "POST" else {}
        assert abroad.ask(method, path, **more).status_code == 401
    assert abroad.ask("GET", "/api/packs", OWNER).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9", "http://127.0.0.1.evil.example", "file://", "["]
)
def test_other_pages_are_not_answered(client, at, origin):
    found = client.ask("GET", at.path, at.host, headers={"origin": origin})

    assert found.status_code == 403
    assert "access-control-allow-origin" not in found.headers


def test_the_own_page_is_answered(client, at):
    assert client.ask("GET", at.path, at.host, headers={"origin": "http://127.0.0.1"}).status_code == 200


def test_a_request_from_another_site_is_not_answered(client, at):
    found = client.ask("GET", at.path, at.host, headers={"sec-fetch-site": "cross-site"})

    assert found.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.0.0.1", "", "[", "localhost.evil"])
def test_a_name_that_was_made_to_point_here_is_refused(client, at, host):
    assert client.ask("GET", at.path, at.host, headers={"host": host}).status_code == 421
    assert client.ask("GET", "/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(("host", "status"), [("192.168.1.7:4711", 200), ("localhost", 200), ("evil.example", 421)])
def test_abroad_the_server_goes_by_its_numbers(abroad, host, status):
    assert abroad.ask("GET", "/api/packs", OWNER, headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("host", "status"), [("Games.Example.org", 200), ("localhost", 200), ("evil.example", 421), ("10.0.0.1", 421)]
)
def test_a_public_name_is_known(host, status):
    reached = []

    async def app(scope, receive, send):
        reached.append(200)

    async def send(message):
        reached.extend([message["status"]] if message["type"] == "http.response.start" else [])

    scope = {"type": "http", "path": "/", "method": "GET", "headers": [(b"host", host.encode())]}
    asyncio.run(Guard(app, "127.0.0.1", "games.example.org")(scope, None, send))

    assert reached == [status]


def test_behind_a_proxy_no_request_counts_as_local(tmp_path):
    with contextlib.closing(open_store(str(tmp_path / "studio.db"))) as store:
        assert make_app(TableRegistry(store), OWNER).state.wire.local
        assert not make_app(TableRegistry(store), OWNER, name="games.example.org").state.wire.local


@pytest.mark.parametrize(
    "url", ["games.example.org", "ftp://games.example.org", "https://example.org/games", "https://[", "https://"]
)
def test_an_address_that_is_no_site_is_refused(url):
    ran = CliRunner().invoke(main, ["studio", "--no-browser", "--address", url])

    assert ran.exit_code == 2
    assert "--address" in ran.output


def test_bodies_have_an_end(client, at):
    large = client.ask("POST", f"{at.path}/moves", at.host, json={"label": "x" * 100_000})
    assert large.status_code == 413
    assert client.ask("POST", "/api/import", OWNER, json={"save": "x" * 9_000_000}).status_code == 413

    async def endless():
        for _ in range(1000):
            yield b"x" * 1000

    headers = {"content-type": "application/json"}
    found = client.ask("POST", f"{at.path}/moves", at.host, content=endless(), headers=headers)
    assert found.status_code == 413
    lying = client.ask("POST", f"{at.path}/moves", at.host, content=b"{}", headers={**headers, "content-length": "-1"})
    assert lying.status_code == 413


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 422), (b"{", 400), (b"[]", 422), (b"[" * 50_000, 400), (b'{"revision": NaN, "index": 0}', 422),
     (b'{"revision": 0, "index": 1e999}', 422), (b'{"revision": true, "index": 0}', 422), (b"\xff\xfe", 400),
     (b'{"revision": 0, "index": 0, "key": 7}', 422), (b'{"revision": ' + b"9" * 5000 + b', "index": 0}', 400)],
)  # fmt: skip
def test_what_is_no_request_is_refused(client, at, body, status):
    headers = {"content-type": "application/json"}
    found = client.ask("POST", f"{at.path}/moves", at.host, content=body, headers=headers)

    assert found.status_code == status
    assert found.json()["error"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_of_another_page_can_send_is_refused(client, at, kind):
    body = json.dumps({"revision": 0, "index": 0}).encode()
    found = client.ask("POST", f"{at.path}/moves", at.host, content=body, headers={"content-type": kind})

    assert found.status_code == 415


@pytest.mark.parametrize(
    "data",
    [{}, {"pack": 7, "players": 2}, {"pack": "tic_tac_toe"}, {"pack": "tic_tac_toe", "players": 99},
     {"pack": "tic_tac_toe", "players": 2, "seed": "x"}, {"pack": "tic_tac_toe", "players": 2, "seed": 2**53},
     {"pack": "tic_tac_toe", "players": 2, "seats": [1]},
     {"pack": "tic_tac_toe", "players": 2, "modules": "solo"}, {"pack": "tic_tac_toe", "players": 2, "options": {"a": 1}},
     {"pack": "no_such_pack", "players": 2}, {"pack": "tic_tac_toe", "players": 2, "seats": [{"name": "x" * 99}]},
     {"pack": "tic_tac_toe", "players": 2, "seats": [{"name": "a\u202eb"}]}, {"pack": "mansion", "players": 2},
     {"pack": "tic_tac_toe", "players": -1}, {"pack": "tic_tac_toe", "players": 2, "seats": [{"bot": "os:system"}]}],
)  # fmt: skip
def test_a_table_that_cannot_be_is_not_opened(client, data):
    found = client.ask("POST", "/api/tables", OWNER, json=data)

    assert found.status_code == 422
    assert found.json()["error"]


def test_tables_are_opened_by_the_owner_alone(client):
    data = {"pack": "tests/data/kuhn", "players": 2}

    for body in (data, {"pack": "tic_tac_toe", "players": 2}):
        assert client.ask("POST", "/api/tables", json=body).status_code == 401
    assert client.ask("POST", "/api/import", json={"save": "{}"}).status_code == 401
    assert client.ask("POST", "/api/tables", OWNER, json=data).status_code == 201


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/", "/static/.",
     "/static/..%5capp.py", "/static/index.html%00.js", "/static/__pycache__", "/api/../static/x", "/%2e%2e/etc/passwd",
     "/t/../../etc/passwd"],
)  # fmt: skip
def test_no_path_leads_out(client, path):
    found = client.ask("GET", path)

    assert found.status_code in (200, 404)
    assert "import annotations" not in found.text
    assert "root:" not in found.text
    if found.status_code == 200:
        assert found.headers["content-type"].startswith("text/html")


def test_what_a_page_may_load(client):
    for path in ("/", "/t/anything", "/static/app.js", "/api/packs", "/nowhere"):
        found = client.ask("GET", path)
        assert found.headers["content-security-policy"] == POLICY
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["referrer-policy"] == "no-referrer"
    assert "unsafe-inline" not in POLICY
    assert "unsafe-eval'" not in POLICY.replace("'wasm-unsafe-eval'", "")


def test_the_page_has_no_script_or_style_in_it(client):
    page = client.ask("GET", "/").text

    assert "<script>" not in page
    assert " style=" not in page
    assert " onclick" not in page


def test_files_are_packed_and_remembered(client):
    first = client.ask("GET", "/static/app.js", headers={"accept-encoding": "gzip"})
    again = client.ask("GET", "/static/app.js", headers={"if-none-match": first.headers["etag"]})

    assert first.headers["content-encoding"] == "gzip"
    assert again.status_code == 304


def test_script_in_texts_is_only_text(client, tmp_path):
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    pack = tmp_path / "nasty"
    pack.mkdir()
    (pack / "pack.yaml").write_text(
        f"document: pack\nid: nasty\nversion: 1.0.0\nlanguage: 1\ntitle: '{nasty}'\nauthors: ['{nasty}']\n"
        f"text: '{nasty}'\nplayers: {{min: 2, max: 2}}\n",
        "utf-8",
    )
    (pack / "rules.yaml").write_text(
        f"document: rules\nrules:\n  match:\n    text: '{nasty}'\n    effect: |\n      choose:\n"
        f'        "{nasty}": end match\n        "other": end match\n',
        "utf-8",
    )
    found = client.ask("POST", "/api/tables", OWNER, json={"pack": str(pack), "players": 2})

    assert found.headers["content-type"].startswith("application/json")
    if found.status_code == 201:  # else the pack is refused as a whole
        made = found.json()
        state = client.ask("GET", f"/api/tables/{made['table']}", made["tokens"]["host"])
        assert state.headers["content-type"] == "application/json"
        assert state.json()["pack"]["title"] == nasty
    page = client.ask("GET", "/t/<script>alert(1)</script>")
    assert "alert" not in page.text
    error = client.ask("GET", "/api/tables/<script>", "x")
    assert "script" not in error.text


@pytest.mark.parametrize(("weak", "status"), [(0, 200), (1, 409)])
def test_no_hint_is_given_from_worlds_that_may_hold_the_truth(at, monkeypatch, weak, status):
    advice = replace(adviser("mcts:20").advise(load("tic_tac_toe").start(2)), weak=weak)

    async def ask(bots, function, question):
        return advice

    monkeypatch.setattr(Bots, "ask", ask)
    found = at.ask("GET", "hint", at.token(0))

    assert found.status_code == status
    assert ("cannot be guessed" in found.text) == bool(weak)
